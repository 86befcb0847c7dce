// How long a failing program is made smaller, and in which order candidates are tried.
#pragma once
#include <chrono>
#include <cstddef>
#include <vector>

namespace lockstep::props {

struct ShrinkLimits {
  std::size_t attempts = 4000;
  double seconds = 30;
};
class ShrinkClock {
 public:
  explicit ShrinkClock(const ShrinkLimits& limits);
  bool over();  // asked before each attempt

 private:
  const ShrinkLimits limits_;
  std::size_t attempts_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};
// Those of less than `below`, the smallest first.
std::vector<std::size_t> in_order(const std::vector<std::size_t>& measures, std::size_t below);

}  // namespace lockstep::props
