// The machine's memory bandwidth, measured: what a program's own is a share of.
#pragma once

namespace lockstep::driver {

// Bytes a second, the best of reading (a sum) and of a = b + s*c written past the caches where the compiler does so;
// all threads, arrays far larger than the caches. 0 where there is no compiler or no memory.
double measured_bandwidth();

}  // namespace lockstep::driver
