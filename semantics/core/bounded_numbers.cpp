// Bounded numbers: made, read, added up and multiplied (bounded.h).
#include "semantics/core/bounded.h"

#include <bit>
#include <cmath>

namespace lockstep::bounded_reals {

// ------------------------------------------------------------------------------------------ upward arithmetic
static double up(double x) { return x == 0 ? 0 : std::nextafter(x, HUGE_VAL); }
double add_up(double a, double b) { return a == 0 ? b : b == 0 ? a : up(a + b); }
double times_up(double a, double b) { return a == 0 || b == 0 ? 0 : std::nextafter(a * b, HUGE_VAL); }
double magnitude_up(const Quad& q) { return q == 0 ? 0 : std::nextafter(std::fabs(q.convert_to<double>()), HUGE_VAL); }
double gap_up(const Quad& a, const Quad& b) { return magnitude_up(mp::abs(a - b)); }

// ------------------------------------------------------------------------------------------ the type's numbers
template <class F>
static constexpr Format format_of() {
  using L = std::numeric_limits<F>;
  return {L::digits, L::min_exponent - L::digits, L::epsilon() / 2 * (1 + 0x1p-40), L::denorm_min(), L::min(),
          L::max()};
}
const Format& format(ScalarType t) {
  static constexpr Format narrow = format_of<float>();
  static constexpr Format wide = format_of<double>();
  return t == ScalarType::F32 ? narrow : wide;
}
double nearest(const Quad& q, ScalarType t) {
  return t == ScalarType::F32 ? q.convert_to<float>() : q.convert_to<double>();
}
static double gamma(std::int64_t k, ScalarType t) {
  const double share = static_cast<double>(k) * format(t).unit;
  if (share >= 1) return HUGE_VAL;
  return k == 0 ? 0 : share / (1 - share) * (1 + 0x1p-45);
}
static double one_plus(double x) { return add_up(1, x); }

void undecided(const std::string& what) { throw UndecidedSignal{what}; }

// ------------------------------------------------------------------------------------------ what a number says
static std::int64_t depth(const Bounded& b) { return b.additions + b.roundings; }
static bool is_exact(const Bounded& b, ScalarType t) {
  if (b.special != 0 || (b.majorant == 0 && b.extra == 0)) return true;
  if (b.extra != 0) return false;
  const Format& f = format(t);
  return depth(b) == 0 || (b.grid >= f.least_exponent && b.majorant <= std::ldexp(1.0, b.grid + f.digits));
}
double error(const Bounded& b, ScalarType t) {
  if (is_exact(b, t)) return 0;
  return add_up(times_up(gamma(depth(b), t), b.majorant), times_up(b.extra, one_plus(gamma(b.additions, t))));
}
static bool is_zero(const Bounded& b) { return b.special == 0 && b.majorant == 0 && b.extra == 0; }
bool is_exact_zero(const Bounded& b, ScalarType t) { return b.special == 0 && b.value == 0 && is_exact(b, t); }
int sign_of(const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t)) return b.sign;
  return mp::abs(b.value) > error(b, t) ? b.value.sign() : 0;
}
// The largest |c|, in any order, at any step.
static double reach(const Bounded& b, ScalarType t) {
  return is_exact(b, t) ? b.majorant : add_up(b.majorant, error(b, t));
}

// Ends a chain of products: the only partial product is c itself.
static void set_range(Bounded& b, ScalarType t) {
  b.high = std::fmax(1, reach(b, t));
  b.low = std::fmin(1, std::fmax(0, magnitude_up(b.value) * (1 - 0x1p-45) - error(b, t)));
}

Bounded special_number(double d) {
  Bounded b;
  b.special = d;
  return b;
}
static int grid_of(double d) {  // the exponent of the lowest bit that is set
  if (d == 0) return 0;
  int exponent = 0;
  const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(d, &exponent), 53));
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(digits));
}
Bounded zero(int sign) {
  Bounded b;
  b.sign = sign;
  b.grid = 0;
  return b;
}
Bounded input(double d) {
  if (!std::isfinite(d)) return special_number(d);
  if (d == 0) return zero(std::signbit(d) ? -1 : 1);
  Bounded b;
  b.value = d;
  b.majorant = std::fabs(d);
  b.grid = grid_of(d);
  b.low = std::fmin(1, b.majorant);
  b.high = std::fmax(1, b.majorant);
  return b;
}
Bounded enclosed(const Quad& value, double extra, ScalarType t) {
  Bounded b;
  b.value = value;
  b.majorant = magnitude_up(value);
  b.extra = extra;
  set_range(b, t);
  return b;
}
Bounded leaf(Bounded b, ScalarType t) {
  const bool was_sum = b.additions != 0;
  if (is_exact(b, t) && (was_sum || b.value == 0)) {
    Bounded fresh = b.value == 0 ? zero(b.sign) : input(b.value.convert_to<double>());
    if (!was_sum) fresh.low = b.low, fresh.high = b.high;  // 0 * x may be one factor of a product that overflows
    return fresh;
  }
  // Where terms cancel, the majorant says more of them than of what is left.
  if (const double e = error(b, t); was_sum && std::isfinite(e) && magnitude_up(b.value) < b.majorant / 2)
    return enclosed(b.value, e, t);
  b.extra = times_up(b.extra, one_plus(gamma(b.additions, t)));
  b.roundings = depth(b);
  b.additions = 0;
  if (was_sum) set_range(b, t);
  return b;
}
Bounded checked(Bounded b, ScalarType t) {
  const auto within = [&](double x) { return x <= format(t).max; };  // not a NaN either
  if (b.special == 0 && !(within(reach(b, t)) && within(b.high))) undecided("a number near overflow");
  return b;
}

Bounded result(const Quad& value, double spread, double ulps, ScalarType t) {
  const Format& f = format(t);
  const double size = add_up(magnitude_up(value), spread);
  const double own = add_up(times_up(size, 2 * ulps * f.unit + 0x1p-100), ulps * f.subnormal);
  return enclosed(value, add_up(spread, own), t);
}
Interval interval(const Bounded& b, ScalarType t) {
  const double spread = error(b, t);
  if (!std::isfinite(spread)) undecided("an argument of unbounded error");
  return {b.value - spread, b.value, b.value + spread};
}
Bounded within_range(const Quad& value, double spread, double range, double ulps, ScalarType t) {
  if (!(spread <= 2 * range)) return result(0, range, ulps, t);
  const Quad below = std::max<Quad>(-range, value - spread), above = std::min<Quad>(range, value + spread);
  if (below > -range && above < range) return result(value, spread, ulps, t);
  const Quad middle = (below + above) / 2;
  return result(middle, std::fmax(gap_up(above, middle), gap_up(below, middle)), ulps, t);
}

// ------------------------------------------------------------------------------------------ sums and products
Bounded negate(Bounded b) {
  b.value = -b.value;
  b.special = -b.special;
  b.sign = -b.sign;
  return b;
}
Bounded absolute(Bounded b) {
  b.value = mp::abs(b.value);
  b.special = std::fabs(b.special);
  b.sign = 1;
  return b;
}
// Of a sum that is exactly zero: -0 where both are -0.
static int sign_of_sum(const Bounded& a, const Bounded& b, ScalarType t) {
  if (!is_exact_zero(a, t) || !is_exact_zero(b, t) || a.sign > 0 || b.sign > 0) return 1;
  return a.sign < 0 && b.sign < 0 ? -1 : 0;
}
Bounded add(const Bounded& a, const Bounded& b, ScalarType t) {
  if (is_zero(a) || is_zero(b)) {  // adding zero rounds nothing, in any order
    Bounded other = is_zero(a) ? b : a;
    if (is_exact_zero(other, t)) other.sign = sign_of_sum(a, b, t);
    return other;
  }
  Bounded sum;
  sum.sign = sign_of_sum(a, b, t);
  sum.value = a.value + b.value;
  sum.majorant = add_up(a.majorant, b.majorant);
  sum.extra = add_up(a.extra, b.extra);
  sum.additions = a.additions + b.additions + 1;
  // A finished product that was not rounded brings no roundings into the sum.
  const auto inside = [&](const Bounded& x) { return x.additions == 0 && is_exact(x, t) ? 0 : x.roundings; };
  sum.roundings = std::max(inside(a), inside(b));
  sum.grid = std::min(a.grid, b.grid);
  return sum;
}
// e of a product from the e of its factors, before its own rounding.
static double product_extra(const Bounded& a, const Bounded& b, ScalarType t) {
  const double from_a = times_up(a.extra, times_up(b.majorant, one_plus(gamma(b.roundings, t))));
  const double from_b = times_up(b.extra, times_up(a.majorant, one_plus(gamma(a.roundings, t))));
  return add_up(add_up(from_a, from_b), times_up(a.extra, b.extra));
}
Bounded multiply(const Bounded& left, const Bounded& right, ScalarType t) {
  const Bounded a = leaf(left, t);
  const Bounded b = leaf(right, t);
  Bounded product;
  product.high = times_up(a.high, b.high);
  product.low = a.low * b.low * (1 - 0x1p-45);
  if (is_zero(a) || is_zero(b)) {
    product.sign = sign_of(a, t) * sign_of(b, t);
    return product;
  }
  const Format& f = format(t);
  product.value = a.value * b.value;
  product.majorant = times_up(a.majorant, b.majorant);
  product.roundings = a.roundings + b.roundings + 1;
  product.grid = a.grid == no_grid || b.grid == no_grid ? no_grid : a.grid + b.grid;
  product.extra = times_up(product_extra(a, b, t), one_plus(f.unit));
  if (product.low < 2 * f.normal) {  // each of the roundings so far may underflow, and be scaled by the other factors
    const double each = times_up(2 * f.subnormal, product.high);
    product.extra = add_up(product.extra, times_up(static_cast<double>(product.roundings), each));
  }
  return product;
}
Bounded fma(const Bounded& x, const Bounded& y, const Bounded& z, ScalarType t) {
  const Bounded a = leaf(x, t);
  const Bounded b = leaf(y, t);
  const Bounded c = leaf(z, t);
  if (is_zero(a) || is_zero(b)) {
    Bounded sum = z;
    if (is_exact_zero(z, t)) sum.sign = sign_of_sum(zero(sign_of(a, t) * sign_of(b, t)), z, t);
    return sum;
  }
  const Format& f = format(t);
  Bounded sum;
  sum.value = a.value * b.value + c.value;
  sum.majorant = add_up(times_up(a.majorant, b.majorant), c.majorant);
  sum.roundings = std::max(a.roundings + b.roundings, c.roundings) + 1;
  sum.extra = times_up(add_up(product_extra(a, b, t), c.extra), one_plus(f.unit));
  if (a.grid != no_grid && b.grid != no_grid && c.grid != no_grid) sum.grid = std::min(a.grid + b.grid, c.grid);
  if (sum.grid < f.least_exponent) sum.extra = add_up(sum.extra, f.subnormal);
  set_range(sum, t);
  return sum;
}
// c1/c2 = c1/v2 (1 + r): the first part as a product by the exact 1/v2, the second into e.
Bounded divide(const Bounded& left, const Bounded& right, ScalarType t) {
  if (is_exact_zero(right, t)) {
    if (is_exact_zero(left, t)) return special_number(std::numeric_limits<double>::quiet_NaN());
    const int sign = sign_of(left, t) * right.sign;
    if (sign == 0) undecided("the sign of a quotient by zero");
    return special_number(sign * HUGE_VAL);
  }
  const double spread = error(right, t);
  const double least = std::fabs(right.value.convert_to<double>()) * (1 - 0x1p-45) - spread;
  if (!(least > 0)) undecided("a divisor that may be zero");
  if (is_exact_zero(left, t)) return zero(left.sign * right.value.sign());
  const Quad quotient = left.value / right.value;
  const bool exact = error(left, t) == 0 && spread == 0;
  if (exact && Quad(nearest(quotient, t)) == quotient && quotient * right.value == left.value) {
    return input(quotient.convert_to<double>());
  }
  const Format& f = format(t);
  const Bounded a = leaf(left, t);
  const double inverse = up(1 / (std::fabs(right.value.convert_to<double>()) * (1 - 0x1p-45)));
  Bounded b;
  b.value = quotient;
  b.majorant = times_up(a.majorant, inverse);
  b.roundings = a.roundings + 1;
  const double relative = up(spread / least);  // |1/c2 - 1/v2| <= |1/v2| * spread / least
  const double from_divisor = times_up(times_up(reach(left, t), inverse), relative);
  b.extra = times_up(add_up(times_up(a.extra, inverse), from_divisor), one_plus(f.unit));
  b.extra = add_up(b.extra, f.subnormal);
  set_range(b, t);
  return b;
}

}  // namespace lockstep::bounded_reals
