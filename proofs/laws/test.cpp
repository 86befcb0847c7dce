// Random values for the two sides of a law, by their denotation, compared as literals (all NaNs are one).
#include <limits>

#include "proofs/laws/oracle.h"
#include "semantics/functional/denote.h"

namespace lockstep::proofs {
namespace {

// splitmix64
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t state_;
};

Scalar random_float(ScalarType t, bool small, Draw& d) {
  if (small) return make_ieee(t, static_cast<double>(d.between(-3, 3)));
  constexpr double special[] = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.1,
                                1e30,
                                -1e30,
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
  if (d.between(0, 3) == 0) return make_ieee(t, special[static_cast<std::size_t>(d.between(0, 9))]);
  return make_ieee(t, static_cast<double>(static_cast<std::int64_t>(d.next())) * 0x1p-62);
}

Scalar random_scalar(ScalarType t, bool small, Draw& d) {
  if (t == ScalarType::Bool) return make_bool(d.next() >> 63 != 0);
  if (is_float(t)) return random_float(t, small, d);
  if (small) return make_integer(t, static_cast<std::uint64_t>(d.between(is_signed(t) ? -3 : 0, 3)));
  const int shift = static_cast<int>(d.between(0, 63));  // of every magnitude
  return make_integer(t, d.next() >> shift);
}

std::optional<Value> random_value(const Type& t, const SizeValues& sizes, bool small, Draw& d) {
  const auto integer = [](std::int64_t n) {
    return scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(n)));
  };
  return match(
      t.node, [&](ScalarType s) -> std::optional<Value> { return scalar_value(random_scalar(s, small, d)); },
      [&](const IndexType& x) -> std::optional<Value> {
        const auto n = evaluate(x.bound, sizes);
        if (!n || *n < 1) return {};
        return integer(d.between(0, *n - 1));
      },
      [&](const ArrayType& x) -> std::optional<Value> {
        const auto n = evaluate(x.length, sizes);
        if (!n || *n < 0 || *n > 100000) return {};
        std::vector<Value> items;
        for (std::int64_t i = 0; i < *n; ++i) {
          const auto v = random_value(*x.element, sizes, small, d);
          if (!v) return {};
          items.push_back(*v);
        }
        return array_value(std::move(items));
      },
      [&](const PairType& x) -> std::optional<Value> {
        const auto a = random_value(*x.first, sizes, small, d), b = random_value(*x.second, sizes, small, d);
        if (!a || !b) return {};
        return pair_value(*a, *b);
      },
      [&](const VectorType& x) -> std::optional<Value> {
        Lanes lanes;
        for (std::int64_t k = 0; k < *x.width.constant(); ++k)
          lanes.push_back(random_scalar(*as<ScalarType>(*x.element), small, d));
        return lanes_value(std::move(lanes));
      },
      [](const FunctionType&) -> std::optional<Value> { return {}; },
      [](const TypeVariable&) -> std::optional<Value> { return {}; });
}

std::string result(const PhraseProgram& p, const SizeValues& sizes, const std::vector<Value>& arguments,
                   const Domain& domain) {
  const auto v = denote(p, sizes, arguments, domain);
  return v ? show(*v, domain) : "a trap";
}

bool is_read(const LawSides& sides, const std::string& name) {
  std::set<std::string> free;
  collect_free(*sides.left.body, free);
  collect_free(*sides.right.body, free);
  return free.contains(name);
}

}  // namespace

std::optional<std::string> refute_law(const LawSides& sides, std::size_t runs, std::uint64_t seed, LawValues of) {
  Draw d(seed);
  const Domain& domain = of == LawValues::Reals ? exact_domain() : ieee_domain();
  std::size_t tried = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const bool small = of != LawValues::Any || run < runs / 4;
    SizeValues sizes;
    for (const std::string& n : sides.left.sizes) sizes[n] = d.between(1, 4);
    std::vector<Value> arguments;
    for (const auto& [name, type] : sides.left.parameters)
      if (auto v = random_value(type, sizes, small, d)) arguments.push_back(std::move(*v));
    if (arguments.size() != sides.left.parameters.size()) continue;
    ++tried;
    const std::string left = result(sides.left, sizes, arguments, domain);
    const std::string right = result(sides.right, sizes, arguments, domain);
    if (left == right) continue;
    std::string out;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (is_read(sides, sides.left.parameters[k].first))
        out +=
            (out.empty() ? "for " : ", ") + sides.left.parameters[k].first + " = " + show(arguments[k], ieee_domain());
    return out + ": " + sides.left_text + " = " + left + ", " + sides.right_text + " = " + right;
  }
  if (tried == 0) return "there are no values to test it with";
  return {};
}

}  // namespace lockstep::proofs
