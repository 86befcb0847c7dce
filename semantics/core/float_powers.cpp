// sqrt and pow (float_function.h).
#include "semantics/core/float_rows.h"

namespace lockstep {

using namespace bounded_reals;

namespace {

using exact_reals::Wide;

// ------------------------------------------------------------------------------------------ sqrt
// Of the square of a dyadic the root, without rounding.
exact_reals::Number exact_sqrt(const FloatFunction&, Exacts x) {
  const exact_reals::Number& n = x[0];
  if (sign_of(n) < 0) return exact_reals::not_a_number();
  if (const auto* d = std::get_if<exact_reals::Dyadic>(&n); d && d->exponent % 2 == 0) {
    exact_reals::Integer rest;
    const exact_reals::Integer root = mp::sqrt(d->mantissa, rest);
    if (rest == 0) return exact_reals::from_dyadic(root, d->exponent / 2);
  }
  return exact_reals::from_wide(mp::sqrt(to_wide(n)));
}
Bounded bounded_sqrt(const FloatFunction& f, Boundeds arguments, ScalarType t) {
  const Bounded& b = arguments[0];
  if (is_exact_zero(b, t)) return zero(b.sign);
  const Interval x = interval(b, t);
  if (x.above < 0) return special_number(std::numeric_limits<double>::quiet_NaN());
  if (x.below < 0) undecided("the sign of the argument of sqrt");
  const Quad root = mp::sqrt(x.at);
  if (x.point() && root * root == x.at && Quad(nearest(root, t)) == root) return input(root.convert_to<double>());
  const double spread = x.point() ? 0 : std::fmax(gap_up(mp::sqrt(x.below), root), gap_up(mp::sqrt(x.above), root));
  return result(root, spread, f.ulps, t);
}
const FloatFunction root{
    .name = "sqrt",
    .summary = "square root",
    .instruction = true,
    .ieee = on_floats([](auto x, auto, auto) { return std::sqrt(x); }),
    .exact = exact_sqrt,
    .bounded = bounded_sqrt,
};

// ------------------------------------------------------------------------------------------ pow
constexpr int room = 500'000'000;  // for exponents of e

// Small whole powers stay rational, so that pow(x, 2) is x*x.
exact_reals::Number whole_power(const exact_reals::Number& base, int exponent) {
  exact_reals::Number result = exact_reals::from_double(1);
  for (int i = 0; i < std::abs(exponent); ++i) result = multiply(result, base);
  return exponent < 0 ? divide(exact_reals::from_double(1), result) : result;
}
exact_reals::Number exact_pow(const FloatFunction&, Exacts x) {
  const exact_reals::Number &base = x[0], &power = x[1];
  const auto* whole = std::get_if<exact_reals::Dyadic>(&power);
  if (whole && whole->exponent < 0) whole = nullptr;
  if (sign_of(power) == 0) return exact_reals::from_double(1);
  if (sign_of(base) == 0) return exact_reals::from_double(sign_of(power) > 0 ? 0 : HUGE_VAL);
  if (whole && mp::abs(to_wide(power)) <= 64) return whole_power(base, to_wide(power).convert_to<int>());
  if (sign_of(base) < 0 && !whole) return exact_reals::not_a_number();
  const Wide w = to_wide(power) * mp::log(mp::abs(to_wide(base)));
  const exact_reals::Number size = w > room    ? exact_reals::from_double(HUGE_VAL)
                                   : w < -room ? exact_reals::from_double(0)
                                               : exact_reals::from_wide(mp::exp(w));
  return sign_of(base) < 0 && whole->exponent == 0 ? negate(size) : size;
}

Quad exp_clamped(const Quad& q) { return q < -1000 ? Quad(0) : Quad(mp::exp(q)); }  // e^-1000 is below every subnormal
// x^y for x > 0 is monotone in each argument, so the corners enclose it; its sign is given by the caller.
Bounded positive_power(const FloatFunction& f, const Interval& x, const Interval& y, int sign, ScalarType t) {
  const auto exponent = [](const Quad& a, const Quad& b) { return Quad(b * mp::log(a)); };
  const Quad value = exp_clamped(std::min<Quad>(exponent(x.at, y.at), 1000));
  double spread = 0;
  for (const Quad& a : {x.below, x.above}) {
    for (const Quad& b : {y.below, y.above}) {
      const Quad corner = exponent(a, b);
      if (corner > 1000) undecided("a power near overflow");
      spread = std::fmax(spread, gap_up(exp_clamped(corner), value));
    }
  }
  return result(sign * value, spread, f.ulps, t);
}
Bounded power_of_zero(const Bounded& base, const Quad& y) {
  const bool odd = mp::floor(y) == y && mp::floor(y / 2) * 2 != y;
  if (y > 0) return zero(odd ? base.sign : 1);
  if (odd && base.sign == 0) undecided("a power of zero, whose sign is not known");
  return special_number(odd ? base.sign * HUGE_VAL : HUGE_VAL);
}
Bounded bounded_pow(const FloatFunction& f, Boundeds arguments, ScalarType t) {
  const Bounded& base = arguments[0];
  const Interval y = interval(arguments[1], t);
  if (y.point() && y.at == 0) return input(1);
  const Interval x = interval(base, t);
  if (x.below > 0) return positive_power(f, x, y, 1, t);
  if (!y.point() || (!x.point() && x.above >= 0)) undecided("a power of what may be zero or negative");
  if (x.at == 0) return power_of_zero(base, y.at);
  if (mp::floor(y.at) != y.at) return special_number(std::numeric_limits<double>::quiet_NaN());
  const bool odd = mp::floor(y.at / 2) * 2 != y.at;
  return positive_power(f, {-x.above, -x.at, -x.below}, y, odd ? -1 : 1, t);
}
const FloatFunction power{
    .name = "pow",
    .summary = "first to the power of the second",
    .arity = 2,
    .ulps = 16,
    .ieee = LIBRARY_OF_TWO(pow),
    .exact = exact_pow,
    .bounded = bounded_pow,
    .by_signs = false,
};

}  // namespace

std::vector<const FloatFunction*> float_powers() { return {&root, &power}; }

}  // namespace lockstep
