// Private to the exact domain and to the rows of functions: exact numbers, which are dyadic, m * 2^e, for as long as
// they can be, which keeps sums of products of floats free of greatest common divisors; then rationals; then, where a
// function has no rational result or a rational would grow over 4096 bits, wide floats of 100 digits. Infinity and NaN
// arise as in IEEE, zero has no sign.
#pragma once
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <variant>

#include "semantics/core/float_function.h"
#include "semantics/core/real.h"
#include "semantics/core/ref.h"

namespace lockstep::exact_reals {

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
struct Number : std::variant<Special, Dyadic, Rational, Wide> {  // a Wide is finite
  using variant::variant;
};

Number not_a_number();
Number from_wide(const Wide& w);
Number from_dyadic(Integer mantissa, std::int64_t exponent);
Number from_double(double d);
Wide to_wide(const Number& n);
int sign_of(const Number& n);
double nearest(const Number& n, ScalarType t);
bool is_special(const Number& n);

// Of finite numbers, the divisor not zero.
Number negate(const Number& n);
Number add(const Number& a, const Number& b);
Number multiply(const Number& a, const Number& b);
Number divide(const Number& a, const Number& b);
int compare(const Number& a, const Number& b);
Number floor_of(const Number& n);
Number truncated(const Number& n);

}  // namespace lockstep::exact_reals
