// Exact numbers: made, read, rounded, added up (exact.h).
#include "semantics/core/exact.h"

#include <cmath>
#include <limits>

namespace lockstep::exact_reals {

constexpr std::int64_t bits_limit = 4096;
constexpr std::int64_t exponent_limit = 1 << 24;

static std::int64_t bit_count(const Integer& n) {
  return n == 0 ? 0 : static_cast<std::int64_t>(mp::msb(mp::abs(n))) + 1;
}

// ------------------------------------------------------------------------------------------ making numbers
static Wide wide_of(const Integer& mantissa, std::int64_t exponent) {
  return mp::ldexp(Wide(mantissa), static_cast<int>(exponent));
}

Number from_wide(const Wide& w) {
  if (mp::isnan(w)) return Special{std::numeric_limits<double>::quiet_NaN()};
  if (mp::isinf(w)) return Special{w > 0 ? HUGE_VAL : -HUGE_VAL};
  if (w == 0) return Dyadic{};
  return w;
}
Number from_dyadic(Integer mantissa, std::int64_t exponent) {
  if (mantissa == 0) return Dyadic{};
  const auto zeros = static_cast<std::int64_t>(mp::lsb(mp::abs(mantissa)));
  if (zeros > 0) mantissa >>= static_cast<unsigned>(zeros);  // exact, whatever >> does to negative numbers
  exponent += zeros;
  if (bit_count(mantissa) <= bits_limit && std::abs(exponent) <= exponent_limit) {
    return Dyadic{std::move(mantissa), exponent};
  }
  if (exponent > (1 << 29)) return Special{mantissa > 0 ? HUGE_VAL : -HUGE_VAL};
  if (exponent < -(1 << 29)) return Dyadic{};
  return from_wide(wide_of(mantissa, exponent));
}
static Number from_rational(const Rational& r) {
  const Integer above = mp::numerator(r);
  const Integer below = mp::denominator(r);
  if (const auto zeros = static_cast<std::int64_t>(mp::lsb(below)); bit_count(below) == zeros + 1) {
    return from_dyadic(above, -zeros);
  }
  if (bit_count(above) + bit_count(below) <= bits_limit) return r;
  return from_wide(Wide(above) / Wide(below));
}
Number from_double(double d) {
  if (!std::isfinite(d)) return Special{d};
  int exponent = 0;
  const double fraction = std::frexp(d, &exponent);
  return from_dyadic(static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53);
}

// ------------------------------------------------------------------------------------------ reading them
Wide to_wide(const Number& n) {
  return match(
      n, [](const Special& s) { return Wide(s.value); },
      [](const Dyadic& d) { return wide_of(d.mantissa, d.exponent); },
      [](const Rational& r) { return Wide(mp::numerator(r)) / Wide(mp::denominator(r)); },
      [](const Wide& w) { return w; });
}
// Nothing for a wide float, and for a dyadic that is too long when it is written as a rational.
static std::optional<Rational> to_rational(const Number& n) {
  if (const auto* r = std::get_if<Rational>(&n)) return *r;
  const auto* d = std::get_if<Dyadic>(&n);
  if (!d || std::abs(d->exponent) > bits_limit) return std::nullopt;
  const Integer power = Integer(1) << static_cast<unsigned>(std::abs(d->exponent));
  return d->exponent >= 0 ? Rational(d->mantissa * power) : Rational(d->mantissa, power);
}
static Dyadic wide_to_dyadic(const Wide& w) {
  int exponent = 0;
  constexpr int digits = std::numeric_limits<Wide>::digits;
  const Wide fraction = mp::frexp(w, &exponent);
  return {mp::ldexp(fraction, digits).convert_to<Integer>(), exponent - digits};
}
// Its first 128 bits or more, and a bit after them that is set where a remainder was cut off: rounds as r does.
static Dyadic rational_to_dyadic(const Rational& r) {
  const Integer below = mp::denominator(r);
  const Integer above = mp::abs(mp::numerator(r));
  const std::int64_t shift = std::max<std::int64_t>(0, 128 + bit_count(below) - bit_count(above));
  Integer quotient;
  Integer remainder;
  mp::divide_qr(Integer(above << static_cast<unsigned>(shift)), below, quotient, remainder);
  Integer mantissa = quotient * 2 + (remainder != 0 ? 1 : 0);
  return {r < 0 ? Integer(-mantissa) : mantissa, -shift - 1};
}

int sign_of(const Number& n) {
  return match(
      n, [](const Special& s) { return s.value > 0   ? 1
                                       : s.value < 0 ? -1
                                                     : 0; },
      [](const Dyadic& d) { return d.mantissa.sign(); }, [](const Rational& r) { return r.sign(); },
      [](const Wide& w) { return w.sign(); });
}

// To the nearest number of the type, ties to even, with gradual underflow.
static double round_dyadic(const Dyadic& d, ScalarType t) {
  if (d.mantissa == 0) return 0;
  const bool narrow = t == ScalarType::F32;
  const Integer magnitude = mp::abs(d.mantissa);
  const std::int64_t top = bit_count(magnitude) + d.exponent;  // |d| < 2^top
  if (top > 2000) return d.mantissa > 0 ? HUGE_VAL : -HUGE_VAL;
  if (top < -2000) return 0;
  const std::int64_t last = std::max<std::int64_t>(top - (narrow ? 24 : 53), narrow ? -149 : -1074);
  double result = 0;
  if (last <= d.exponent) {
    result = std::ldexp(static_cast<double>(magnitude.convert_to<std::uint64_t>()), static_cast<int>(d.exponent));
  } else {
    const auto cut = static_cast<unsigned>(last - d.exponent);
    Integer kept = magnitude >> cut;
    const Integer twice_rest = (magnitude - (kept << cut)) << 1;
    const Integer unit = Integer(1) << cut;
    if (twice_rest > unit || (twice_rest == unit && mp::bit_test(kept, 0))) ++kept;
    result = std::ldexp(static_cast<double>(kept.convert_to<std::uint64_t>()), static_cast<int>(last));
  }
  if (narrow && result > std::numeric_limits<float>::max()) result = HUGE_VAL;
  return d.mantissa > 0 ? result : -result;
}

double nearest(const Number& n, ScalarType t) {
  return match(
      n, [](const Special& s) { return s.value; }, [&](const Dyadic& d) { return round_dyadic(d, t); },
      [&](const Rational& r) { return round_dyadic(rational_to_dyadic(r), t); },
      [&](const Wide& w) { return round_dyadic(wide_to_dyadic(w), t); });
}

// ------------------------------------------------------------------------------------------ arithmetic
Number negate(const Number& n) {
  return match(
      n, [](const Special& s) -> Number { return Special{-s.value}; },
      [](const Dyadic& d) -> Number {
        return Dyadic{-d.mantissa, d.exponent};
      },
      [](const Rational& r) -> Number { return Rational(-r); }, [](const Wide& w) -> Number { return Wide(-w); });
}
static Number add_dyadic(const Dyadic& a, const Dyadic& b) {
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  if (a.exponent < b.exponent) return add_dyadic(b, a);
  const std::int64_t gap = a.exponent - b.exponent;
  if (gap > 2 * bits_limit) return from_wide(to_wide(a) + to_wide(b));
  return from_dyadic((a.mantissa << static_cast<unsigned>(gap)) + b.mantissa, b.exponent);
}
// What is left to rationals, and then to wide floats, does the same in either.
template <class F>
static Number in_rationals(const Number& a, const Number& b, F f) {
  const auto r = to_rational(a);
  const auto s = to_rational(b);
  if (r && s) return from_rational(f(*r, *s));
  return from_wide(f(to_wide(a), to_wide(b)));
}
Number add(const Number& a, const Number& b) {
  const auto* x = std::get_if<Dyadic>(&a);
  const auto* y = std::get_if<Dyadic>(&b);
  if (x && y) return add_dyadic(*x, *y);
  return in_rationals(a, b, [](const auto& v, const auto& w) { return v + w; });
}
Number multiply(const Number& a, const Number& b) {
  const auto* x = std::get_if<Dyadic>(&a);
  const auto* y = std::get_if<Dyadic>(&b);
  if (x && y) return from_dyadic(x->mantissa * y->mantissa, x->exponent + y->exponent);
  return in_rationals(a, b, [](const auto& v, const auto& w) { return v * w; });
}
Number divide(const Number& a, const Number& b) {
  return in_rationals(a, b, [](const auto& v, const auto& w) { return v / w; });
}
int compare(const Number& a, const Number& b) { return sign_of(add(a, negate(b))); }

static Integer floor_divide(const Integer& a, const Integer& b) {  // b > 0
  const Integer quotient = a / b;
  return a < 0 && quotient * b != a ? Integer(quotient - 1) : quotient;
}
Number floor_of(const Number& n) {
  return match(
      n, [](const Special& s) -> Number { return s; },
      [](const Dyadic& d) -> Number {
        if (d.exponent >= 0) return d;
        if (-d.exponent > 2 * bits_limit) return from_double(d.mantissa < 0 ? -1 : 0);
        return from_dyadic(floor_divide(d.mantissa, Integer(1) << static_cast<unsigned>(-d.exponent)), 0);
      },
      [](const Rational& r) -> Number { return from_dyadic(floor_divide(mp::numerator(r), mp::denominator(r)), 0); },
      [](const Wide& w) -> Number { return from_wide(mp::floor(w)); });
}

Number truncated(const Number& n) { return sign_of(n) < 0 ? negate(floor_of(negate(n))) : floor_of(n); }
Number not_a_number() { return Special{std::numeric_limits<double>::quiet_NaN()}; }
bool is_special(const Number& n) { return std::holds_alternative<Special>(n); }

}  // namespace lockstep::exact_reals
