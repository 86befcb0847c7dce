// x = 2^k (1 + f) with 1 + f between the roots of 1/2 and 2; with s = f / (2 + f) and z = s²,
//   log (1 + f) = 2 artanh s = 2s + 2s³/3 + 2s⁵/5 + ... = f - f²/2 + s (f²/2 + R),  R = Σ 2 z^i / (2i + 1),
// where f is exact and the rest is small. Ten terms leave less than 2^-60 of it. codegen/streaming/kernels/lanes.h has
// the same operations in the same order.
#include "semantics/snesl/logarithm.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lockstep::snesl {

double natural_log(double x) {
  constexpr double log2_high = 0x1.62e42fefp-1, log2_low = 0x1.473de6af278edp-34;  // k log2_high is exact
  constexpr std::uint64_t root_of_half = 0x3fe6a09e00000000;                       // the high half of sqrt(1/2)
  if (!(x > 0)) return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x)) return x;
  const bool small = x < std::numeric_limits<double>::min();
  const auto bits = std::bit_cast<std::uint64_t>(small ? x * 0x1p54 : x);
  const std::int64_t exponent = static_cast<std::int64_t>(bits - root_of_half) >> 52;
  const auto f = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52)) - 1.0;
  const auto k = static_cast<double>(exponent - (small ? 54 : 0));
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double low = (2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9));
  const double middle = (2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17));
  const double high = 2.0 / 19 + z * (2.0 / 21);
  const double r = z * (low + z4 * (middle + z4 * high));
  const double half = 0.5 * f * f;
  return k * log2_high - ((half - (s * (half + r) + k * log2_low)) - f);
}

}  // namespace lockstep::snesl
