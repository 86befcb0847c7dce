// Ints and reals are handed over as they lie in memory.
#include "props/l0/compiled.h"

#include <cstring>

namespace lockstep::props::l0 {
namespace {

// What sizes are at most (languages.md §1).
constexpr std::int64_t largest_size = std::int64_t{1} << 56;

LeafArray array_of(const language::Value& v) {
  if (const auto* a = std::get_if<language::Array>(&v.node)) {
    LeafArray out{a->type, a->shape.dimensions(), nullptr, nullptr};
    if (bytes_of(a->type) == 8) {
      out.hold = a->data;
      out.data = a->data->bits.data() + a->offset;
      return out;
    }
    const auto n = static_cast<std::size_t>(a->shape.count());
    auto bytes = std::make_shared<std::vector<unsigned char>>(n);
    for (std::size_t k = 0; k < n; ++k) (*bytes)[k] = static_cast<unsigned char>((*a)[k].bits);
    out.data = bytes->data();
    out.hold = std::move(bytes);
    return out;
  }
  const Scalar& s = language::as_scalar(v);
  const auto bits = std::make_shared<std::uint64_t>(s.bits);
  return {s.type, {}, bits, bits.get()};
}

language::Value value_from(const LeafArray& leaf) {
  if (leaf.shape.empty()) return {scalar_at(leaf, 0)};
  language::Array out = language::array_of_scalars(leaf.type, language::Shape(leaf.shape));
  const std::int64_t n = count_of(leaf);
  if (bytes_of(leaf.type) == 8) {
    if (n > 0) std::memcpy(out.data->bits.data(), leaf.data, static_cast<std::size_t>(n) * 8);
  } else {
    const auto* bytes = static_cast<const unsigned char*>(leaf.data);
    std::copy(bytes, bytes + n, out.data->bits.begin());
  }
  return {std::move(out)};
}

class Sizes {
 public:
  void learn(const Size& s, std::int64_t n) {
    if (const auto name = s.as_name()) values.emplace(*name, n);
  }
  std::optional<std::string> differs(const Size& s, std::int64_t n, const std::string& what) const {
    const auto wanted = evaluate(s, values);
    if (wanted == n && n >= 0 && n <= largest_size) return {};
    return what + std::to_string(n) +
           (wanted && *wanted != n ? ", and " + show(s) + " is " + std::to_string(*wanted) : ", and is to be a size");
  }
  SizeValues values;
};

}  // namespace

tl::expected<Arguments, std::string> arguments_in_calculus(const language::InCalculus& program,
                                                           const language::Values& leaves) {
  Sizes sizes;
  const auto each = [&](const auto& f) {
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const language::LoweredLeaf& leaf = program.lowered.arguments.at(k);
      if (leaf.number) f(*leaf.number, language::as_scalar(leaves[k]).integer(), leaf.source + " is ");
      for (std::size_t d = 0; d < leaf.lengths.size(); ++d)
        f(leaf.lengths[d], language::as_array(leaves[k]).shape[d],
          (d == 0 ? "the length of " : "a row's length of ") + leaf.source + " is ");
    }
  };
  each([&](const Size& s, std::int64_t n, const std::string&) { sizes.learn(s, n); });
  std::string wrong;
  each([&](const Size& s, std::int64_t n, const std::string& what) {
    if (auto d = sizes.differs(s, n, what); d && wrong.empty()) wrong = std::move(*d);
  });
  if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  for (const SizeFact& f : program.program.facts)
    if (evaluate(f, sizes.values) != true) return tl::unexpected(show(f) + " does not hold");
  for (const language::LoweredLeaf& leaf : program.lowered.results)
    for (const Size& n : leaf.lengths)
      if (const auto value = evaluate(n, sizes.values); !value || *value < 0 || *value > largest_size)
        return tl::unexpected("the length " + show(n) + " of the result is none");
  Arguments out{std::move(sizes.values), {}};
  for (std::size_t k = 0; k < leaves.size(); ++k)
    if (const language::LoweredLeaf& leaf = program.lowered.arguments.at(k); !leaf.number)
      out.values.push_back({array_of(leaves[k])});
  return out;
}

Leaves leaves_from(const language::Values& leaves) {
  Leaves out;
  for (const language::Value& v : leaves) out.push_back(array_of(v));
  return out;
}

language::Values values_from(const Leaves& leaves) {
  language::Values out;
  for (const LeafArray& leaf : leaves) out.push_back(value_from(leaf));
  return out;
}

}  // namespace lockstep::props::l0
