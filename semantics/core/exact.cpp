// The exact domain: reals without rounding. Numbers are dyadic, m * 2^e, for as long as they can be, which keeps sums
// of products of floats free of greatest common divisors; then rationals; then, where a function has no rational result
// or a rational would grow over 4096 bits, wide floats of 100 digits. Infinity and NaN arise as in IEEE, zero has no
// sign.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "semantics/core/real.h"

namespace lockstep {
namespace {

namespace mp = boost::multiprecision;
using Integer = mp::number<mp::cpp_int_backend<>, mp::et_off>;
using Rational = mp::number<mp::cpp_rational_backend, mp::et_off>;
using Wide = mp::number<mp::cpp_bin_float<100>, mp::et_off>;

struct Dyadic {  // mantissa * 2^exponent, the mantissa odd, or 0 * 2^0
  Integer mantissa;
  std::int64_t exponent = 0;
};
struct Special {  // an infinity or NaN
  double value;
};
using Number = std::variant<Special, Dyadic, Rational, Wide>;  // a Wide is finite

struct ExactReal : Real {
  static constexpr Home own_home = Home::Exact;
  explicit ExactReal(Number n) : Real{own_home}, number(std::move(n)) {}
  Number number;
};

constexpr std::int64_t bits_limit = 4096;
constexpr std::int64_t exponent_limit = 1 << 24;

std::int64_t bit_count(const Integer& n) { return n == 0 ? 0 : static_cast<std::int64_t>(mp::msb(mp::abs(n))) + 1; }

// ------------------------------------------------------------------------------------------ making numbers
Wide wide_of(const Integer& mantissa, std::int64_t exponent) {
  return mp::ldexp(Wide(mantissa), static_cast<int>(exponent));
}
Number from_wide(const Wide& w) {
  if (mp::isnan(w)) return Special{std::numeric_limits<double>::quiet_NaN()};
  if (mp::isinf(w)) return Special{w > 0 ? HUGE_VAL : -HUGE_VAL};
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
Number from_rational(const Rational& r) {
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
std::optional<Rational> to_rational(const Number& n) {
  if (const auto* r = std::get_if<Rational>(&n)) return *r;
  const auto* d = std::get_if<Dyadic>(&n);
  if (!d || std::abs(d->exponent) > bits_limit) return std::nullopt;
  const Integer power = Integer(1) << static_cast<unsigned>(std::abs(d->exponent));
  return d->exponent >= 0 ? Rational(d->mantissa * power) : Rational(d->mantissa, power);
}
Dyadic wide_to_dyadic(const Wide& w) {
  int exponent = 0;
  constexpr int digits = std::numeric_limits<Wide>::digits;
  const Wide fraction = mp::frexp(w, &exponent);
  return {mp::ldexp(fraction, digits).convert_to<Integer>(), exponent - digits};
}
// Its first 128 bits or more, and a bit after them that is set where a remainder was cut off: rounds as r does.
Dyadic rational_to_dyadic(const Rational& r) {
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
double round_dyadic(const Dyadic& d, ScalarType t) {
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
Number add_dyadic(const Dyadic& a, const Dyadic& b) {
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  if (a.exponent < b.exponent) return add_dyadic(b, a);
  const std::int64_t gap = a.exponent - b.exponent;
  if (gap > 2 * bits_limit) return from_wide(to_wide(a) + to_wide(b));
  return from_dyadic((a.mantissa << static_cast<unsigned>(gap)) + b.mantissa, b.exponent);
}
// + * / of finite numbers, the divisor not zero.
Number arithmetic(FloatOp op, const Number& a, const Number& b) {
  const auto* x = std::get_if<Dyadic>(&a);
  const auto* y = std::get_if<Dyadic>(&b);
  if (x && y && op == FloatOp::Add) return add_dyadic(*x, *y);
  if (x && y && op == FloatOp::Multiply) return from_dyadic(x->mantissa * y->mantissa, x->exponent + y->exponent);
  const auto r = to_rational(a);
  const auto s = to_rational(b);
  if (r && s) return from_rational(op == FloatOp::Add ? *r + *s : op == FloatOp::Multiply ? *r * *s : *r / *s);
  const Wide v = to_wide(a);
  const Wide w = to_wide(b);
  return from_wide(op == FloatOp::Add ? Wide(v + w) : op == FloatOp::Multiply ? Wide(v * w) : Wide(v / w));
}
int compare_finite(const Number& a, const Number& b) { return sign_of(arithmetic(FloatOp::Add, a, negate(b))); }

Integer floor_divide(const Integer& a, const Integer& b) {  // b > 0
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

// ------------------------------------------------------------------------------------------ functions
Number not_a_number() { return Special{std::numeric_limits<double>::quiet_NaN()}; }

Number sqrt_of(const Number& n) {
  if (sign_of(n) < 0) return not_a_number();
  if (const auto* d = std::get_if<Dyadic>(&n); d && d->exponent % 2 == 0) {
    Integer rest;
    const Integer root = mp::sqrt(d->mantissa, rest);
    if (rest == 0) return from_dyadic(root, d->exponent / 2);
  }
  return from_wide(mp::sqrt(to_wide(n)));
}
Number exp_of(const Wide& w) {
  if (w > 500'000'000) return Special{HUGE_VAL};
  if (w < -500'000'000) return Dyadic{};
  return from_wide(mp::exp(w));
}
Number log_of(const Number& n) {
  if (sign_of(n) < 0) return not_a_number();
  if (sign_of(n) == 0) return Special{-HUGE_VAL};
  return from_wide(mp::log(to_wide(n)));
}
Number tanh_of(const Wide& w) {
  if (mp::abs(w) > 1000) return from_double(w > 0 ? 1 : -1);  // to more than 100 digits
  return from_wide(mp::tanh(w));
}
// In [-1, 1]; NaN outside.
template <class F>
Number inverse_of(const Number& n, F f) {
  const Wide w = to_wide(n);
  return mp::abs(w) > 1 ? not_a_number() : from_wide(f(w));
}
// An exact zero has no sign: atan2 of two zeros is 0, and of a zero and a negative number pi.
Number atan2_of(const Number& y, const Number& x) {
  if (sign_of(y) == 0) return sign_of(x) < 0 ? from_wide(mp::atan2(Wide(0), Wide(-1))) : from_double(0);
  return from_wide(mp::atan2(to_wide(y), to_wide(x)));
}
// (e^x + e^-x) / 2 and its like; beyond the limit the smaller part is nothing.
Number sinh_or_cosh(bool sine, const Number& n) {
  const Wide w = to_wide(n);
  if (sine && sign_of(n) == 0) return from_double(0);
  if (mp::abs(w) > 1000) {
    const Number half = arithmetic(FloatOp::Multiply, exp_of(mp::abs(w)), from_double(0.5));
    return sine && w < 0 ? negate(half) : half;
  }
  return from_wide(sine ? mp::sinh(w) : mp::cosh(w));
}
// Beyond 1e60 too few of the 100 digits are left behind the point: the C library's result is nearer.
Number trigonometric(FloatOp op, const Number& n) {
  const Wide w = to_wide(n);
  if (mp::abs(w) > Wide("1e60")) {
    const double d = nearest(n, ScalarType::F64);
    return from_double(op == FloatOp::Sin ? std::sin(d) : op == FloatOp::Cos ? std::cos(d) : std::tan(d));
  }
  return from_wide(op == FloatOp::Sin ? mp::sin(w) : op == FloatOp::Cos ? mp::cos(w) : mp::tan(w));
}
Number truncated(const Number& n) { return sign_of(n) < 0 ? negate(floor_of(negate(n))) : floor_of(n); }
Number rounded_half_away(const Number& n) {
  const Number half = from_double(0.5);
  return sign_of(n) < 0 ? negate(floor_of(arithmetic(FloatOp::Add, negate(n), half)))
                        : floor_of(arithmetic(FloatOp::Add, n, half));
}
// Small whole powers stay rational, so that pow(x, 2) is x*x.
Number whole_power(const Number& base, int exponent) {
  Number result = from_double(1);
  for (int i = 0; i < std::abs(exponent); ++i) result = arithmetic(FloatOp::Multiply, result, base);
  return exponent < 0 ? arithmetic(FloatOp::Divide, from_double(1), result) : result;
}
Number pow_of(const Number& base, const Number& power) {
  const auto* whole = std::get_if<Dyadic>(&power);
  if (whole && whole->exponent < 0) whole = nullptr;
  if (sign_of(power) == 0) return from_double(1);
  if (sign_of(base) == 0) return sign_of(power) > 0 ? from_double(0) : Number(Special{HUGE_VAL});
  if (whole && mp::abs(to_wide(power)) <= 64) return whole_power(base, to_wide(power).convert_to<int>());
  if (sign_of(base) < 0 && !whole) return not_a_number();
  const Number size = exp_of(to_wide(power) * mp::log(mp::abs(to_wide(base))));
  return sign_of(base) < 0 && whole->exponent == 0 ? negate(size) : size;
}

// As IEEE where an operand is infinite or NaN; the others only lend their sign and rough size.
Number apply_special(FloatOp op, std::span<const Number> x) {
  std::vector<Scalar> arguments;
  for (const Number& n : x) {
    double d = nearest(n, ScalarType::F64);
    if (d == 0 || (std::isinf(d) && !std::holds_alternative<Special>(n))) d = sign_of(n);
    arguments.push_back(make_ieee(ScalarType::F64, d));
  }
  if (op == FloatOp::Min || op == FloatOp::Max) {
    const double a = arguments[0].ieee();
    const double b = arguments[1].ieee();
    const bool first = (op == FloatOp::Min ? a < b : a > b) || std::isnan(b);
    return first ? x[0] : x[1];
  }
  return from_double(ieee_domain().apply(op, ScalarType::F64, arguments).ieee());
}

Number apply_finite(FloatOp op, std::span<const Number> x) {
  switch (op) {
    case FloatOp::Add:
      return arithmetic(op, x[0], x[1]);
    case FloatOp::Subtract:
      return arithmetic(FloatOp::Add, x[0], negate(x[1]));
    case FloatOp::Multiply:
      return arithmetic(op, x[0], x[1]);
    case FloatOp::Divide:
      if (sign_of(x[1]) == 0) return from_double(sign_of(x[0]) / 0.0);
      return arithmetic(op, x[0], x[1]);
    case FloatOp::Negate:
      return negate(x[0]);
    case FloatOp::Sqrt:
      return sqrt_of(x[0]);
    case FloatOp::Exp:
      return exp_of(to_wide(x[0]));
    case FloatOp::Log:
      return log_of(x[0]);
    case FloatOp::Log2:
      return sign_of(x[0]) <= 0 ? log_of(x[0]) : from_wide(mp::log2(to_wide(x[0])));
    case FloatOp::Sin:
    case FloatOp::Cos:
    case FloatOp::Tan:
      return trigonometric(op, x[0]);
    case FloatOp::Asin:
      return inverse_of(x[0], [](const Wide& w) { return Wide(mp::asin(w)); });
    case FloatOp::Acos:
      return inverse_of(x[0], [](const Wide& w) { return Wide(mp::acos(w)); });
    case FloatOp::Atan:
      return from_wide(mp::atan(to_wide(x[0])));
    case FloatOp::Atan2:
      return atan2_of(x[0], x[1]);
    case FloatOp::Sinh:
      return sinh_or_cosh(true, x[0]);
    case FloatOp::Cosh:
      return sinh_or_cosh(false, x[0]);
    case FloatOp::Tanh:
      return tanh_of(to_wide(x[0]));
    case FloatOp::Pow:
      return pow_of(x[0], x[1]);
    case FloatOp::Abs:
      return sign_of(x[0]) < 0 ? negate(x[0]) : x[0];
    case FloatOp::Min:
      return compare_finite(x[0], x[1]) < 0 ? x[0] : x[1];
    case FloatOp::Max:
      return compare_finite(x[0], x[1]) > 0 ? x[0] : x[1];
    case FloatOp::Floor:
      return floor_of(x[0]);
    case FloatOp::Ceil:
      return negate(floor_of(negate(x[0])));
    case FloatOp::Round:
      return rounded_half_away(x[0]);
    case FloatOp::Trunc:
      return truncated(x[0]);
    case FloatOp::Fma:
      return arithmetic(FloatOp::Add, arithmetic(FloatOp::Multiply, x[0], x[1]), x[2]);
  }
  throw Bug("unknown float operation");
}

Number number_of(const Scalar& s) {
  const auto* own = real_of<ExactReal>(s);
  return own ? own->number : from_double(s.ieee());
}
Scalar scalar_of(ScalarType t, Number n) { return {t, 0, std::make_shared<ExactReal>(std::move(n))}; }
bool is_special(const Number& n) { return std::holds_alternative<Special>(n); }

class ExactDomain final : public Domain {
 public:
  std::string_view name() const override { return "exact"; }
  Scalar literal(ScalarType t, const std::string& digits) const override {
    return from_ieee(t, ieee_domain().literal(t, digits).ieee());
  }
  Scalar from_ieee(ScalarType t, double value) const override {
    return scalar_of(t, from_double(make_ieee(t, value).ieee()));
  }
  Scalar from_integer(ScalarType t, const Scalar& n) const override {
    return scalar_of(t, from_dyadic(is_signed(n.type) ? Integer(n.integer()) : Integer(n.bits), 0));
  }
  Scalar convert(ScalarType t, const Scalar& f) const override { return scalar_of(t, number_of(f)); }

  std::optional<Scalar> truncate(ScalarType t, const Scalar& f) const override {
    const Number n = number_of(f);
    if (is_special(n)) return std::nullopt;
    const Number whole = truncated(n);
    const Number above = from_double(std::ldexp(1.0, power_above(t)));
    const Number least = is_signed(t) ? negate(above) : from_double(0);
    if (compare_finite(whole, least) < 0 || compare_finite(whole, above) >= 0) return std::nullopt;
    const Wide value = to_wide(whole);
    return make_integer(t, value < 0 ? static_cast<std::uint64_t>(value.convert_to<std::int64_t>())
                                     : value.convert_to<std::uint64_t>());
  }

  Scalar apply(FloatOp op, ScalarType t, std::span<const Scalar> arguments) const override {
    std::vector<Number> x;
    x.reserve(arguments.size());
    bool special = false;
    for (const Scalar& s : arguments) {
      x.push_back(number_of(s));
      special = special || is_special(x.back());
    }
    return scalar_of(t, special ? apply_special(op, x) : apply_finite(op, x));
  }

  bool compare(Comparison c, const Scalar& a, const Scalar& b) const override {
    const Number x = number_of(a);
    const Number y = number_of(b);
    if (is_special(x) || is_special(y)) {
      const auto rough = [](const Number& n) {
        return make_ieee(ScalarType::F64, is_special(n) ? std::get<Special>(n).value : sign_of(n));
      };
      return ieee_domain().compare(c, rough(x), rough(y));
    }
    return holds(c, compare_finite(x, y) <=> 0);
  }
  double to_ieee(const Scalar& f) const override { return nearest(number_of(f), f.type); }
  double error_bound(const Scalar&) const override { return HUGE_VAL; }  // roundings are not counted here
};

}  // namespace

const Domain& exact_domain() {
  static const ExactDomain domain;
  return domain;
}

}  // namespace lockstep
