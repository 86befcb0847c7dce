// x = 2^k (1 + f) with 1 + f between the roots of 1/2 and 2; with s = f / (2 + f) and z = s²,
//   log (1 + f) = 2 artanh s = 2s + 2s³/3 + 2s⁵/5 + ... = f - f²/2 + s (f²/2 + R),  R = Σ 2 z^i / (2i + 1),
// where f is exact and the rest is small. Instead of R / z its polynomial of degree 6 through the Chebyshev points of
// [0, (sqrt 2 - 1)^4], computed in rationals and rounded: less than 2^-57 of the result is lost.
// codegen/dialects/cpp.cpp has the same operations in the same order.
#include "semantics/core/logarithm.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace lockstep {

double natural_log(double x) {
  constexpr double log2_high = 0x1.62e42fefp-1, log2_low = 0x1.473de6af278edp-34;  // k log2_high is exact
  constexpr std::uint64_t root_of_half = 0x3fe6a09e00000000;                       // the high half of sqrt(1/2)
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(x > 0)) return x == 0 ? -infinity : std::numeric_limits<double>::quiet_NaN();
  if (x == infinity) return x;
  const bool small = x < std::numeric_limits<double>::min();
  const auto bits = std::bit_cast<std::uint64_t>(small ? x * 0x1p54 : x);
  const std::int64_t exponent = static_cast<std::int64_t>(bits - root_of_half) >> 52;
  const auto f = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52)) - 1.0;
  const auto k = static_cast<double>(exponent - (small ? 54 : 0));
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double w = z * z;
  const double even = w * (0x1.99999999952d7p-2 + w * (0x1.c71c62e3f11e6p-3 + w * 0x1.39fe51a7c18f9p-3));
  const double odd =
      z * (0x1.5555555555558p-1 + w * (0x1.2492492df281ap-2 + w * (0x1.7462b51cb66b1p-3 + w * 0x1.2b5900de53b32p-3)));
  const double r = odd + even;
  const double half = 0.5 * f * f;
  return k * log2_high - ((half - (s * (half + r) + k * log2_low)) - f);
}

}  // namespace lockstep
