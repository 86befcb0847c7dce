// A program on its data beside what the machine allows.
#pragma once
#include "driver/commands/limits.h"
#include "driver/commands/roofline.h"
#include "driver/frontend.h"

namespace lockstep::driver {

struct Beside {
  MachineLimits limits;
  double last_cache = 0;          // bytes
  double bytes = 0, seconds = 0;  // of a run
  Execution::FloatOperations operations{};

  double rate() const { return bytes / seconds; }
  // Of what lies in a cache memory bounds nothing.
  bool in_memory() const { return bytes >= last_cache; }
  std::optional<double> share_of_memory() const {
    return limits.bytes > 0 && in_memory() ? std::optional(rate() / limits.bytes) : std::nullopt;
  }
  double all() const { return operations.f32 + operations.f64; }
  // Whether it has operations on floats, and their number is known.
  bool counted() const { return all() > 0 && bytes > 0 && limits.f32 > 0 && limits.f64 > 0; }
  double of_byte() const { return all() / bytes; }
  // Of arithmetic of these widths.
  Roof roof() const { return {limits.bytes, all() / (operations.f32 / limits.f32 + operations.f64 / limits.f64)}; }
  double most() const { return in_memory() ? roof().at(of_byte()) : roof().operations; }
  double share_of_most() const { return all() / seconds / most(); }
  // Nothing does more than the machine can: a share over 103%, which is what lies between two measurements of one
  // thing, says that one of them is wrong.
  bool is_possible() const {
    constexpr double most_share = 1.03;
    return share_of_memory().value_or(0) <= most_share && (!counted() || share_of_most() <= most_share);
  }
};

}  // namespace lockstep::driver
