// How long a failing program is made smaller.
#pragma once
#include <cstddef>

namespace lockstep::props {

struct ShrinkLimits {
  std::size_t attempts = 4000;
  double seconds = 30;
};

}  // namespace lockstep::props
