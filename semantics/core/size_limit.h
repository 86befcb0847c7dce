// Sizes have coefficients of 64 bits. What would leave them is thrown by the arithmetic on sizes: it is the program's
// sizes that are too large, and no bug.
#pragma once
#include <cstdint>
#include <stdexcept>

namespace lockstep {

// Of the program's sizes and of its arrays' lengths: what a run is given beyond is refused.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 56;

class SizeTooLarge : public std::runtime_error {
 public:
  SizeTooLarge()
      : std::runtime_error(
            "the sizes of this program are too large to reason about: a coefficient leaves 64 bits\n"
            "  expected: coefficients below 2^63 in every size, number of iterations and cost") {}
};

}  // namespace lockstep
