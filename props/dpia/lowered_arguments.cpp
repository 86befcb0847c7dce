#include "props/dpia/lowered_arguments.h"

#include <set>

namespace lockstep::props {
namespace {

// What sizes are at most (languages.md §1).
constexpr std::int64_t largest_size = std::int64_t{1} << 56;

// Why a size of that value is none, or not that number.
std::optional<std::string> differs(const SizeValues& sizes, const Size& s, std::int64_t n, const std::string& what) {
  const auto wanted = evaluate(s, sizes);
  if (wanted == n && n >= 0 && n <= largest_size) return {};
  std::string out = what + std::to_string(n);
  if (!wanted) return out + ", and is to be " + (s.as_name() ? "a size" : show(s));
  return out + (*wanted != n ? ", and " + show(s) + " is " + std::to_string(*wanted) : ", and is to be a size");
}

// The only name of s that is not known, where s is that number for one value of it alone.
std::optional<std::pair<std::string, std::int64_t>> solved(const Size& s, std::int64_t n, const SizeValues& known) {
  std::set<std::string> names;
  collect_names(s, names);
  std::erase_if(names, [&](const std::string& name) { return known.contains(name); });
  if (names.size() != 1) return {};
  const auto at = [&](std::int64_t value) {
    SizeValues all = known;
    all.emplace(*names.begin(), value);
    return evaluate(s, all);
  };
  const auto zero = at(0), one = at(1);
  if (!zero || !one || *one == *zero || (n - *zero) % (*one - *zero) != 0) return {};
  const std::int64_t value = (n - *zero) / (*one - *zero);
  if (value < 0 || at(value) != n) return {};
  return std::pair(*names.begin(), value);
}

}  // namespace

Leaves one_after_the_other(const std::vector<Leaves>& arguments) {
  Leaves out;
  for (const Leaves& leaves : arguments) out.insert(out.end(), leaves.begin(), leaves.end());
  return out;
}

void LearntSizes::learn(const LoweredLeaf& leaf, const LeafArray& value) {
  if (leaf.number) learn(*leaf.number, scalar_at(value, 0).integer());
  for (std::size_t d = 0; d < leaf.lengths.size(); ++d) learn(leaf.lengths[d], value.shape.at(d));
}
SizeValues LearntSizes::all() const {
  SizeValues out = known_;
  for (std::size_t before = out.size() + 1; before != out.size();) {
    before = out.size();
    for (const auto& [s, n] : said_)
      if (auto one = solved(s, n, out)) out.insert(std::move(*one));
  }
  return out;
}

tl::expected<Arguments, std::string> arguments_in_calculus(const InCalculus& program, const Leaves& leaves) {
  LearntSizes said;
  for (std::size_t k = 0; k < leaves.size(); ++k) said.learn(program.lowered.arguments.at(k), leaves[k]);
  SizeValues sizes = said.all();
  const auto each = [&](const auto& f) {
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const LoweredLeaf& leaf = program.lowered.arguments.at(k);
      if (leaf.number) f(*leaf.number, scalar_at(leaves[k], 0).integer(), leaf.source + " is ");
      for (std::size_t d = 0; d < leaf.lengths.size(); ++d)
        f(leaf.lengths[d], leaves[k].shape.at(d),
          (d == 0 ? "the length of " : "a row's length of ") + leaf.source + " is ");
    }
  };
  std::string wrong;
  each([&](const Size& s, std::int64_t n, const std::string& what) {
    if (auto d = differs(sizes, s, n, what); d && wrong.empty()) wrong = std::move(*d);
  });
  if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  for (const SizeFact& f : program.program.facts)
    if (evaluate(f, sizes) != true) return tl::unexpected(show(f) + " does not hold");
  for (const LoweredLeaf& leaf : program.lowered.results)
    for (const Size& n : leaf.lengths)
      if (const auto value = evaluate(n, sizes); !value || *value < 0 || *value > largest_size)
        return tl::unexpected("the length " + show(n) + " of the result is none");
  Arguments out{std::move(sizes), {}};
  for (std::size_t k = 0; k < leaves.size(); ++k)
    if (const LoweredLeaf& leaf = program.lowered.arguments.at(k); !leaf.number) out.values.push_back({leaves[k]});
  return out;
}

Type type_of(const LoweredLeaf& leaf) {
  Type out = scalar(leaf.scalar);
  for (std::size_t d = leaf.lengths.size(); d-- > 0;) out = array(leaf.lengths[d], std::move(out));
  return out;
}

tl::expected<LeafArray, std::string> drawn_leaf(const LoweredLeaf& leaf, const SizeValues& sizes, std::uint64_t seed,
                                                Integers integers, RandomKind kind) {
  const Type type = type_of(leaf);
  if (leaf.number) {
    const auto n = static_cast<std::uint64_t>(evaluate(*leaf.number, sizes).value_or(0));
    return leaves_from({{make_integer(leaf.scalar, n)}}, type, {})[0];
  }
  auto made = random_leaves(type, sizes, seed, integers, 0, kind);
  if (!made) return tl::unexpected(made.error());
  return std::move((*made)[0]);
}

}  // namespace lockstep::props
