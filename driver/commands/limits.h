// What this machine can do at most, measured: what a program does is a share of it.
#pragma once
#include <cstdint>

namespace lockstep::driver {

// With all threads. 0 where there is no compiler or no memory.
struct MachineLimits {
  double bytes = 0;  // of memory a second: the best of reading (a sum) and of a = b + s*c, written past the caches
  double f32 = 0, f64 = 0;  // operations on floats a second, of products and sums that are rounded together
  double age = 0;           // seconds since they were measured
};
// Each the best of 20 rounds, which take turns; over arrays four times as large as the last cache together, but at most
// a quarter of the memory. They are kept for an hour in the folder of compiled programs; `anew`: measured whatever is
// there.
MachineLimits machine_limits(bool anew = false);

std::int64_t last_cache_bytes();  // of the cache before memory; 0 where that is not known

}  // namespace lockstep::driver
