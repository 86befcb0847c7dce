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

  // Whether it does something with each of its bytes, as far as is known: one that looks at some of them takes no
  // longer for having more.
  bool touches_all = true;

  static constexpr double most_share = 1.03;  // what lies between two measurements of one thing

  double rate() const { return bytes / seconds; }
  // Of what lies in a cache memory bounds nothing.
  bool in_memory() const { return bytes >= last_cache; }
  std::optional<double> share_of_memory() const {
    const bool said = limits.bytes > 0 && in_memory() && (touches_all || rate() <= limits.bytes);
    return said ? std::optional(rate() / limits.bytes) : std::nullopt;
  }
  // Nothing does more than the machine can: a share over 103% says that one of both measurements is wrong.
  bool is_possible() const { return !touches_all || share_of_memory().value_or(0) <= most_share; }

  // Operations are counted as the kernel has them: of branches the costliest, and what a compiler computes once as
  // often as it stands there. So a share of arithmetic is a bound.
  double all() const { return operations.f32 + operations.f64; }
  // Whether it has operations on floats, and their number is known.
  bool counted() const { return all() > 0 && bytes > 0 && limits.f32 > 0 && limits.f64 > 0; }
  double of_byte() const { return all() / bytes; }
  // Of arithmetic of these widths.
  Roof roof() const { return {limits.bytes, all() / (operations.f32 / limits.f32 + operations.f64 / limits.f64)}; }
  double most() const { return in_memory() ? roof().at(of_byte()) : roof().operations; }
  double share_of_most() const { return all() / seconds / most(); }
};

}  // namespace lockstep::driver
