// The bounded domain: exact numbers with a bound on what rounding can do to them (bounded.h).
#include "semantics/core/bounded.h"

#include <array>
#include <cmath>

namespace lockstep {

using namespace bounded_reals;

namespace {

struct BoundedReal : Real {
  static constexpr Home own_home = Home::Bounded;
  explicit BoundedReal(Bounded b) : Real{own_home}, number(std::move(b)) {}
  Bounded number;
};

// -1, 0, 1; or undecided. Of finite numbers.
int order(const Bounded& a, const Bounded& b, ScalarType t) {
  const double spread = add_up(error(a, t), error(b, t));
  if (spread > 0 && !(mp::abs(a.value - b.value) > spread)) undecided("a comparison of nearly equal numbers");
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}
Bounded bounded_of(const Scalar& s) {
  const auto* own = real_of<BoundedReal>(s);
  return own ? own->number : input(s.ieee());
}
Scalar scalar_of(ScalarType t, const Bounded& b) { return {t, 0, std::make_shared<BoundedReal>(checked(b, t))}; }

// The nearest number of the type.
double rounded(const Bounded& b, ScalarType t) {
  if (b.special != 0) return b.special;
  if (b.value == 0) return b.sign < 0 ? -0.0 : 0.0;
  return nearest(b.value, t);
}

// Of a function beside an infinity or NaN: the number, or both zeros where the sign of one is not known.
std::array<double, 2> either_of(const FloatFunction& f, const Bounded& b, ScalarType t) {
  if (b.special != 0) return {b.special, b.special};
  if (is_exact_zero(b, t)) return {b.sign > 0 ? 0.0 : -0.0, b.sign < 0 ? -0.0 : 0.0};
  const double spread = error(b, t), value = nearest(b.value, ScalarType::F64);
  if (spread > 0 && (!f.by_signs || mp::abs(b.value) <= spread)) undecided("the sign of an operand");
  return {value, value};
}

// An operand is infinite or NaN: as IEEE, where the others only lend a sign that is certain, or does not matter.
Bounded apply_special(const FloatFunction& f, std::span<const Bounded> x, ScalarType t) {
  std::array<std::array<double, 2>, 3> either{};
  for (std::size_t k = 0; k < std::min<std::size_t>(x.size(), 3); ++k) either[k] = either_of(f, x[k], t);
  const auto at = [&](std::size_t which) {
    return f.ieee.wide(either[0][which & 1], either[1][which >> 1 & 1], either[2][which >> 2]);
  };
  const double result = at(0);
  if (f.chooses) return result == either[0][0] || std::isnan(either[1][0]) ? x[0] : x[1];
  const auto same = [&](double r) {
    return std::isnan(r) ? std::isnan(result) : r == result && std::signbit(r) == std::signbit(result);
  };
  for (std::size_t which = 1; which < 8; ++which)
    if (!same(at(which))) undecided("the sign of a zero");
  // As the angle of an infinity, a part of pi: another library's is another float.
  if (std::isfinite(result) && std::trunc(result) != result)
    return bounded_reals::result(result, std::fabs(result) * 0x1p-53, f.ulps, t);
  return input(result);
}

// v rounded once to t, from an exact or enclosed number of another type.
Bounded rounded_once(const Quad& value, double extra, ScalarType t) {
  if (extra == 0 && mp::abs(value) <= format(t).max && Quad(nearest(value, t)) == value) {
    return input(value.convert_to<double>());
  }
  const double own = add_up(times_up(add_up(magnitude_up(value), extra), format(t).unit), format(t).subnormal);
  return enclosed(value, add_up(extra, own), t);
}

class BoundedDomain final : public Domain {
 public:
  std::string_view name() const override { return "bounded"; }
  Scalar literal(ScalarType t, const std::string& digits) const override {
    return from_ieee(t, ieee_domain().literal(t, digits).ieee());
  }
  Scalar from_ieee(ScalarType t, double value) const override {
    return scalar_of(t, input(make_ieee(t, value).ieee()));
  }
  Scalar from_integer(ScalarType t, const Scalar& n) const override {
    return scalar_of(t, rounded_once(is_signed(n.type) ? Quad(n.integer()) : Quad(n.bits), 0, t));
  }
  Scalar convert(ScalarType t, const Scalar& f) const override {
    const Bounded b = bounded_of(f);
    if (f.type == t || b.special != 0) return scalar_of(t, b);
    if (is_exact_zero(b, f.type)) return scalar_of(t, zero(b.sign));
    return scalar_of(t, rounded_once(b.value, error(b, f.type), t));
  }
  std::optional<Scalar> truncate(ScalarType t, const Scalar& f) const override {
    const Bounded b = bounded_of(f);
    if (b.special != 0) return std::nullopt;
    const Interval x = interval(b, f.type);
    const Quad whole = mp::trunc(x.at);
    if (mp::trunc(x.below) != whole || mp::trunc(x.above) != whole) undecided("a truncation to an integer");
    const Quad above = mp::ldexp(Quad(1), power_above(t));
    if (!(whole >= (is_signed(t) ? Quad(-above) : Quad(0)) && whole < above)) return std::nullopt;
    return make_integer(t, is_signed(t) ? static_cast<std::uint64_t>(whole.convert_to<std::int64_t>())
                                        : whole.convert_to<std::uint64_t>());
  }
  Scalar apply(const FloatFunction& f, ScalarType t, std::span<const Scalar> arguments) const override {
    std::vector<Bounded> x;
    x.reserve(arguments.size());
    bool special = false;
    for (const Scalar& s : arguments) {
      x.push_back(bounded_of(s));
      special = special || x.back().special != 0;
    }
    return scalar_of(t, special ? apply_special(f, x, t) : f.bounded(f, x, t));
  }
  bool compare(Comparison c, const Scalar& a, const Scalar& b) const override {
    const Bounded x = bounded_of(a);
    const Bounded y = bounded_of(b);
    const bool same = a.real && a.real == b.real && x.special == 0;  // computed once, so equal to itself
    const auto rough = [](const Bounded& n) { return make_ieee(ScalarType::F64, rounded(n, ScalarType::F64)); };
    if (x.special != 0 || y.special != 0) return ieee_domain().compare(c, rough(x), rough(y));
    return holds(c, (same ? 0 : order(x, y, a.type)) <=> 0);
  }
  double to_ieee(const Scalar& f) const override { return rounded(bounded_of(f), f.type); }
  // A zero whose sign is not known is within the smallest number of zeros of either.
  double error_bound(const Scalar& f) const override {
    const Bounded b = bounded_of(f);
    return is_exact_zero(b, f.type) && b.sign == 0 ? format(f.type).subnormal : error(b, f.type);
  }
};

}  // namespace

const Domain& bounded_domain() {
  static const BoundedDomain domain;
  return domain;
}

}  // namespace lockstep
