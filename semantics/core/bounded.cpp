// The bounded domain: exact numbers with a bound on what rounding can do to them, in whatever order the sums and
// products that made them are evaluated. v: the exact value, c: what some evaluation computes, u: half the gap at 1.
//
// Invariant. c = h + e, where h is v's expression with at most k factors (1 + d), |d| <= u, on the way of each input,
// and |e| is an absolute error. So |h - v| <= γ_k M with M the majorant and γ_k = k u / (1 - k u), and |c - v| <= γ_k M
// + |e|.
//
// Why it holds for every order. A sum of n terms, however it is associated, has n - 1 additions, so no term meets more
// than n - 1 roundings: `additions` counts them, whichever side they stand on, and `roundings` is the largest count
// inside a term; k is their sum. (A left fold would do with a maximum; a tree made from it by association might be as
// deep as n - 1 for another term.) A product of n factors has n - 1 roundings on every term in every order, and k
// counts just these. An absolute error of a term is amplified by at most (1 + u)^additions. Contraction into fma only
// leaves roundings out. What is neither a sum nor a product ends a chain (`leaf`).
//
// Exactness. v and c are multiples of 2^grid; where M <= 2^(grid + digits) every partial sum and product in any order
// is representable, nothing was rounded, and the bound is 0. This is what decides comparisons of small whole numbers.
//
// Zeros. An exact zero has the sign that every order gives it: a sum that cancels is +0, one of negative zeros only -0,
// a product has its factors' signs. Where that is not known, because a factor's sign is not, either is within the
// bound, and what depends on it, a quotient by it, is undecided.
//
// Products can also overflow or underflow in one order and not in another: low and high enclose all partial products.
#include <bit>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

#include "semantics/core/real.h"

namespace lockstep {
namespace {

namespace mp = boost::multiprecision;
// 113 bits: its own roundings are a 2^-60th of a double's, which `unit` allows for.
using Quad = mp::number<mp::cpp_bin_float<113, mp::digit_base_2>, mp::et_off>;

constexpr int no_grid = std::numeric_limits<int>::min();

struct Bounded {
  Quad value = 0;
  double special = 0;   // an infinity or NaN instead of the value; 0 for a finite number
  double majorant = 0;  // M, rounded up as every bound here is
  double extra = 0;     // |e| before the additions
  std::int64_t additions = 0;
  std::int64_t roundings = 0;
  int sign = 1;              // of an exact zero, 0: not known
  int grid = no_grid;        // no_grid: v is not known to be a multiple of any power
  double low = 1, high = 1;  // partial products, and 1, lie between them in magnitude
};
struct BoundedReal : Real {
  static constexpr Home own_home = Home::Bounded;
  explicit BoundedReal(Bounded b) : Real{own_home}, number(std::move(b)) {}
  Bounded number;
};

// ------------------------------------------------------------------------------------------ upward arithmetic
double up(double x) { return x == 0 ? 0 : std::nextafter(x, HUGE_VAL); }
double add_up(double a, double b) { return a == 0 ? b : b == 0 ? a : up(a + b); }
double times_up(double a, double b) { return a == 0 || b == 0 ? 0 : std::nextafter(a * b, HUGE_VAL); }
double magnitude_up(const Quad& q) { return q == 0 ? 0 : std::nextafter(std::fabs(q.convert_to<double>()), HUGE_VAL); }
double gap_up(const Quad& a, const Quad& b) { return magnitude_up(mp::abs(a - b)); }

// ------------------------------------------------------------------------------------------ the type's numbers
struct Format {
  int digits;
  int least_exponent;  // of the smallest subnormal
  double unit, subnormal, normal, max;
};
template <class F>
constexpr Format format_of() {
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
double gamma(std::int64_t k, ScalarType t) {
  const double share = static_cast<double>(k) * format(t).unit;
  if (share >= 1) return HUGE_VAL;
  return k == 0 ? 0 : share / (1 - share) * (1 + 0x1p-45);
}
double one_plus(double x) { return add_up(1, x); }

[[noreturn]] void undecided(const std::string& what) { throw UndecidedSignal{what}; }

// ------------------------------------------------------------------------------------------ what a number says
std::int64_t depth(const Bounded& b) { return b.additions + b.roundings; }
bool is_exact(const Bounded& b, ScalarType t) {
  if (b.special != 0 || (b.majorant == 0 && b.extra == 0)) return true;
  if (b.extra != 0) return false;
  const Format& f = format(t);
  return depth(b) == 0 || (b.grid >= f.least_exponent && b.majorant <= std::ldexp(1.0, b.grid + f.digits));
}
double error(const Bounded& b, ScalarType t) {
  if (is_exact(b, t)) return 0;
  return add_up(times_up(gamma(depth(b), t), b.majorant), times_up(b.extra, one_plus(gamma(b.additions, t))));
}
bool is_zero(const Bounded& b) { return b.special == 0 && b.majorant == 0 && b.extra == 0; }
bool is_exact_zero(const Bounded& b, ScalarType t) { return b.special == 0 && b.value == 0 && is_exact(b, t); }
// Of a finite number, however it is computed; 0: not known.
int sign_of(const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t)) return b.sign;
  return mp::abs(b.value) > error(b, t) ? b.value.sign() : 0;
}
// The largest |c|, in any order, at any step.
double reach(const Bounded& b, ScalarType t) { return is_exact(b, t) ? b.majorant : add_up(b.majorant, error(b, t)); }

// Ends a chain of products: the only partial product is c itself.
void set_range(Bounded& b, ScalarType t) {
  b.high = std::fmax(1, reach(b, t));
  b.low = std::fmin(1, std::fmax(0, magnitude_up(b.value) * (1 - 0x1p-45) - error(b, t)));
}

Bounded special_number(double d) {
  Bounded b;
  b.special = d;
  return b;
}
int grid_of(double d) {  // the exponent of the lowest bit that is set
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
// v with an absolute error and nothing known of how it came about.
Bounded enclosed(const Quad& value, double extra, ScalarType t) {
  Bounded b;
  b.value = value;
  b.majorant = magnitude_up(value);
  b.extra = extra;
  set_range(b, t);
  return b;
}
// As a term of a sum or factor of a product that it is not itself part of.
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
  if (b.special == 0 && !(std::fmax(reach(b, t), b.high) <= format(t).max)) undecided("a number near overflow");
  return b;
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
int sign_of_sum(const Bounded& a, const Bounded& b, ScalarType t) {
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
double product_extra(const Bounded& a, const Bounded& b, ScalarType t) {
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

// ------------------------------------------------------------------------------------------ functions
// What OpenCL C 1.2 (7.4) allows a library, in units in the last place; CPU and CUDA libraries stay below it.
constexpr double ulps_of(FloatOp op) {
  switch (op) {
    case FloatOp::Tan:
    case FloatOp::Atan:
    case FloatOp::Tanh:
      return 5;
    case FloatOp::Atan2:
      return 6;
    case FloatOp::Pow:
      return 16;
    default:
      return 4;
  }
}
// f's value at v, the function's own error, and `spread`, what an error of the argument does to it.
Bounded result(const Quad& value, double spread, double ulps, ScalarType t) {
  const Format& f = format(t);
  const double size = add_up(magnitude_up(value), spread);
  const double own = add_up(times_up(size, 2 * ulps * f.unit + 0x1p-100), ulps * f.subnormal);
  return enclosed(value, add_up(spread, own), t);
}
struct Interval {
  Quad below, at, above;
  bool point() const { return below == above; }
};
Interval interval(const Bounded& b, ScalarType t) {
  const double spread = error(b, t);
  if (!std::isfinite(spread)) undecided("an argument of unbounded error");
  return {b.value - spread, b.value, b.value + spread};
}
// A monotone f deviates most at the ends.
template <class F>
Bounded monotone(const Interval& x, double ulps, ScalarType t, F f) {
  const Quad value = f(x.at);
  const double spread = x.point() ? 0 : std::fmax(gap_up(f(x.below), value), gap_up(f(x.above), value));
  return result(value, spread, ulps, t);
}

// An argument in [0, inf), or decided not to be: then what IEEE gives, NaN.
bool decided_negative(const Interval& x, const char* function) {
  if (x.above < 0) return true;
  if (x.below < 0) undecided(std::string("the sign of the argument of ") + function);
  return false;
}
Bounded sqrt_of(const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t)) return zero(b.sign);
  const Interval x = interval(b, t);
  if (decided_negative(x, "sqrt")) return special_number(std::numeric_limits<double>::quiet_NaN());
  const Quad root = mp::sqrt(x.at);
  if (x.point() && root * root == x.at && Quad(nearest(root, t)) == root) return input(root.convert_to<double>());
  return monotone(x, 0.5, t, [](const Quad& q) { return Quad(mp::sqrt(q)); });
}
Bounded log_of(FloatOp op, const Interval& x, ScalarType t) {
  if (decided_negative(x, "log")) return special_number(std::numeric_limits<double>::quiet_NaN());
  if (x.point() && x.at == 0) return special_number(-HUGE_VAL);
  if (x.point() && x.at == 1) return input(0);  // as C 2011 (F.10) has it, and 0 below
  if (x.below == 0) undecided("the logarithm of what may be zero");
  return monotone(x, ulps_of(op), t,
                  [=](const Quad& q) { return Quad(op == FloatOp::Log ? mp::log(q) : mp::log2(q)); });
}
Quad exp_clamped(const Quad& q) { return q < -1000 ? Quad(0) : Quad(mp::exp(q)); }  // e^-1000 is below every subnormal
Bounded exp_of(const Interval& x, ScalarType t) {
  if (x.point() && x.at == 0) return input(1);
  if (x.above > 1000) undecided("an exponential near overflow");
  return monotone(x, ulps_of(FloatOp::Exp), t, exp_clamped);
}
// A function of range [-1, 1], whatever the error of the argument: the part of v - spread to v + spread inside.
Bounded within_range(const Quad& value, double spread, double ulps, ScalarType t) {
  if (!(spread <= 2)) return result(0, 1, ulps, t);
  const Quad below = std::max<Quad>(-1, value - spread), above = std::min<Quad>(1, value + spread);
  if (below > -1 && above < 1) return result(value, spread, ulps, t);
  const Quad middle = (below + above) / 2;
  return result(middle, std::fmax(gap_up(above, middle), gap_up(below, middle)), ulps, t);
}
Bounded tanh_of(const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t)) return zero(b.sign);
  const auto f = [](const Quad& q) { return mp::abs(q) > 100 ? Quad(q.sign()) : Quad(mp::tanh(q)); };
  const double spread = error(b, t);
  const Quad value = f(b.value);
  const double ends = !std::isfinite(spread) ? HUGE_VAL
                      : spread == 0          ? 0
                                    : std::fmax(gap_up(f(b.value - spread), value), gap_up(f(b.value + spread), value));
  return within_range(value, ends, ulps_of(FloatOp::Tanh), t);
}
// Their derivative is at most 1. The reduction of the argument leaves 2^-80 at worst below the limit; beyond it only
// the range is known.
Bounded sin_or_cos(FloatOp op, const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t)) return op == FloatOp::Sin ? zero(b.sign) : input(1);
  if (mp::abs(b.value) > 0x1p30) return result(0, 1, ulps_of(op), t);
  const Quad value = op == FloatOp::Sin ? Quad(mp::sin(b.value)) : Quad(mp::cos(b.value));
  return within_range(value, add_up(error(b, t), 0x1p-75), ulps_of(op), t);
}
// Monotone between its poles, pi apart.
Bounded tan_of(const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t)) return zero(b.sign);
  const Interval x = interval(b, t);
  if (mp::abs(x.at) > 0x1p30) undecided("the tangent of a large number");
  static const Quad pi = mp::atan(Quad(1)) * 4;
  const auto branch = [](const Quad& q) { return Quad(mp::floor(q / pi + 0.5)); };
  if (branch(x.below) != branch(x.above)) undecided("a tangent near its pole");
  return monotone(x, ulps_of(FloatOp::Tan), t, [](const Quad& q) { return Quad(mp::tan(q)); });
}
// asin and acos: outside [-1, 1] NaN.
Bounded inverse_of(FloatOp op, const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t) && op == FloatOp::Asin) return zero(b.sign);
  const Interval x = interval(b, t);
  if (x.below > 1 || x.above < -1) return special_number(std::numeric_limits<double>::quiet_NaN());
  if (x.below < -1 || x.above > 1) undecided("whether an argument lies in [-1, 1]");
  if (op == FloatOp::Acos && x.point() && x.at == 1) return input(0);
  return monotone(x, ulps_of(op), t,
                  [=](const Quad& q) { return Quad(op == FloatOp::Asin ? mp::asin(q) : mp::acos(q)); });
}
Bounded atan_of(const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t)) return zero(b.sign);
  return monotone(interval(b, t), ulps_of(FloatOp::Atan), t, [](const Quad& q) { return Quad(mp::atan(q)); });
}
// Monotone in each argument where the box holds neither the origin nor a part of the cut, the negative half of y = 0:
// then it deviates most at a corner.
Bounded atan2_of(const Bounded& above, const Bounded& right, ScalarType t) {
  const Interval y = interval(above, t), x = interval(right, t);
  if (is_exact_zero(above, t)) {
    const int side = x.below > 0 ? 1 : x.above < 0 ? -1 : is_exact_zero(right, t) ? right.sign : 0;
    if (above.sign == 0 || side == 0) undecided("the angle of what may be zero");
    if (side > 0) return zero(above.sign);
    return result(above.sign * mp::atan2(Quad(0), Quad(-1)), 0, ulps_of(FloatOp::Atan2), t);
  }
  if (x.below <= 0 && y.below <= 0 && y.above >= 0) undecided("an angle near the cut of atan2");
  const Quad value = mp::atan2(y.at, x.at);
  double spread = 0;
  if (!x.point() || !y.point())
    for (const Quad& a : {y.below, y.above})
      for (const Quad& b : {x.below, x.above}) spread = std::fmax(spread, gap_up(Quad(mp::atan2(a, b)), value));
  return result(value, spread, ulps_of(FloatOp::Atan2), t);
}
Bounded sinh_or_cosh(FloatOp op, const Bounded& b, ScalarType t) {
  const bool odd = op == FloatOp::Sinh;
  if (is_exact_zero(b, t)) return odd ? zero(b.sign) : input(1);
  const Interval x = interval(b, t);
  if (x.above > 1000 || x.below < -1000) undecided("a hyperbolic function near overflow");
  const auto f = [=](const Quad& q) { return Quad(odd ? mp::sinh(q) : mp::cosh(q)); };
  if (!odd && x.below < 0 && x.above > 0)  // it turns at 0
    return result(f(x.at), std::fmax(gap_up(f(x.at), Quad(1)), gap_up(std::max(f(x.below), f(x.above)), f(x.at))),
                  ulps_of(op), t);
  return monotone(x, ulps_of(op), t, f);
}
// x^y for x > 0 is monotone in each argument, so the corners enclose it; its sign is given by the caller.
Bounded positive_power(const Interval& x, const Interval& y, int sign, ScalarType t) {
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
  return result(sign * value, spread, ulps_of(FloatOp::Pow), t);
}
Bounded power_of_zero(const Bounded& base, const Quad& y) {
  const bool odd = mp::floor(y) == y && mp::floor(y / 2) * 2 != y;
  if (y > 0) return zero(odd ? base.sign : 1);
  if (odd && base.sign == 0) undecided("a power of zero, whose sign is not known");
  return special_number(odd ? base.sign * HUGE_VAL : HUGE_VAL);
}
Bounded pow_of(const Bounded& base, const Interval& y, ScalarType t) {
  if (y.point() && y.at == 0) return input(1);
  const Interval x = interval(base, t);
  if (x.below > 0) return positive_power(x, y, 1, t);
  if (!y.point() || (!x.point() && x.above >= 0)) undecided("a power of what may be zero or negative");
  if (x.at == 0) return power_of_zero(base, y.at);
  if (mp::floor(y.at) != y.at) return special_number(std::numeric_limits<double>::quiet_NaN());
  const bool odd = mp::floor(y.at / 2) * 2 != y.at;
  return positive_power({-x.above, -x.at, -x.below}, y, odd ? -1 : 1, t);
}
Bounded rounded_to_whole(FloatOp op, const Bounded& b, ScalarType t) {
  if (is_exact_zero(b, t)) return zero(b.sign);
  const Interval x = interval(b, t);
  const auto f = [&](const Quad& q) -> Quad {
    if (op == FloatOp::Floor) return mp::floor(q);
    if (op == FloatOp::Ceil) return mp::ceil(q);
    if (op == FloatOp::Trunc) return mp::trunc(q);
    return q < 0 ? Quad(-mp::floor(0.5 - q)) : Quad(mp::floor(q + 0.5));
  };
  if (f(x.below) != f(x.above)) undecided("a rounding to a whole number");
  if (f(x.at) == 0) return zero(x.above < 0 ? -1 : x.below > 0 ? 1 : 0);  // of -0.5 to -0
  return input(f(x.at).convert_to<double>());
}

// -1, 0, 1; or undecided. Of finite numbers.
int order(const Bounded& a, const Bounded& b, ScalarType t) {
  const double spread = add_up(error(a, t), error(b, t));
  if (spread > 0 && !(mp::abs(a.value - b.value) > spread)) undecided("a comparison of nearly equal numbers");
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}
Bounded least_or_greatest(FloatOp op, const Bounded& a, const Bounded& b, ScalarType t) {
  const bool first = op == FloatOp::Min ? a.value < b.value : a.value > b.value;
  const double spread = std::fmax(error(a, t), error(b, t));
  if (mp::abs(a.value - b.value) > add_up(error(a, t), error(b, t)) || spread == 0) return leaf(first ? a : b, t);
  return enclosed(first ? a.value : b.value, spread, t);  // whichever is chosen is no further from it
}

// ------------------------------------------------------------------------------------------ the domain
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

// An operand is infinite or NaN: as IEEE, where the others only lend a sign that is certain.
Bounded apply_special(FloatOp op, std::span<const Bounded> x, ScalarType t) {
  std::vector<Scalar> rough;
  for (const Bounded& b : x) {
    const double spread = error(b, t);
    if (spread > 0 && (op == FloatOp::Pow || op == FloatOp::Atan2 || mp::abs(b.value) <= spread))
      undecided("the sign of an operand");
    if (is_exact_zero(b, t) && b.sign == 0 && (op == FloatOp::Divide || op == FloatOp::Pow || op == FloatOp::Atan2))
      undecided("the sign of a zero");
    rough.push_back(make_ieee(ScalarType::F64, rounded(b, ScalarType::F64)));
  }
  if (op == FloatOp::Min || op == FloatOp::Max) {
    const double a = rough[0].ieee();
    const double b = rough[1].ieee();
    return (op == FloatOp::Min ? a < b : a > b) || std::isnan(b) ? x[0] : x[1];
  }
  return input(ieee_domain().apply(op, ScalarType::F64, rough).ieee());
}
Bounded apply_finite(FloatOp op, std::span<const Bounded> x, ScalarType t) {
  switch (op) {
    case FloatOp::Add:
      return add(x[0], x[1], t);
    case FloatOp::Subtract:
      return add(x[0], negate(x[1]), t);
    case FloatOp::Multiply:
      return multiply(x[0], x[1], t);
    case FloatOp::Divide:
      return divide(x[0], x[1], t);
    case FloatOp::Negate:
      return negate(x[0]);
    case FloatOp::Sqrt:
      return sqrt_of(x[0], t);
    case FloatOp::Exp:
      return exp_of(interval(x[0], t), t);
    case FloatOp::Log:
    case FloatOp::Log2:
      return log_of(op, interval(x[0], t), t);
    case FloatOp::Tan:
      return tan_of(x[0], t);
    case FloatOp::Asin:
    case FloatOp::Acos:
      return inverse_of(op, x[0], t);
    case FloatOp::Atan:
      return atan_of(x[0], t);
    case FloatOp::Atan2:
      return atan2_of(x[0], x[1], t);
    case FloatOp::Sinh:
    case FloatOp::Cosh:
      return sinh_or_cosh(op, x[0], t);
    case FloatOp::Sin:
    case FloatOp::Cos:
      return sin_or_cos(op, x[0], t);
    case FloatOp::Tanh:
      return tanh_of(x[0], t);
    case FloatOp::Pow:
      return pow_of(x[0], interval(x[1], t), t);
    case FloatOp::Abs:
      return leaf(absolute(x[0]), t);
    case FloatOp::Min:
    case FloatOp::Max:
      return least_or_greatest(op, x[0], x[1], t);
    case FloatOp::Floor:
    case FloatOp::Ceil:
    case FloatOp::Round:
    case FloatOp::Trunc:
      return rounded_to_whole(op, x[0], t);
    case FloatOp::Fma:
      return fma(x[0], x[1], x[2], t);
  }
  throw Bug("unknown float operation");
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
  Scalar apply(FloatOp op, ScalarType t, std::span<const Scalar> arguments) const override {
    std::vector<Bounded> x;
    x.reserve(arguments.size());
    bool special = false;
    for (const Scalar& s : arguments) {
      x.push_back(bounded_of(s));
      special = special || x.back().special != 0;
    }
    return scalar_of(t, special ? apply_special(op, x, t) : apply_finite(op, x, t));
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
