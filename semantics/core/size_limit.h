// Sizes have coefficients of 64 bits. What would leave them is thrown by the arithmetic on sizes: it is the program's
// sizes that are too large, and no bug.
#pragma once
#include <stdexcept>

namespace lockstep {

class SizeTooLarge : public std::runtime_error {
 public:
  SizeTooLarge()
      : std::runtime_error(
            "the sizes of this program are too large to reason about: a coefficient leaves 64 bits\n"
            "  expected: coefficients below 2^63 in every size, number of iterations and cost") {}
};

}  // namespace lockstep
