// The loops that are the measure of the engine: what a C compiler makes of them at -O3 for this machine.
#pragma once
#include <cstdint>

namespace lockstep::bench {

double logsum_loop(std::int64_t n);

// Thesis Fig. 4.5: inclusive sums.
void scan_loop(const float* xs, float* ys, std::int64_t n);
void scan_loop(const double* xs, double* ys, std::int64_t n);
void scan_loop(const std::int64_t* xs, std::int64_t* ys, std::int64_t n);
// Thesis Fig. 4.9: fs is true where a segment begins.
void segscan_branching(const bool* fs, const float* xs, float* ys, std::int64_t n);
void segscan_branching(const bool* fs, const double* xs, double* ys, std::int64_t n);
void segscan_branchless(const bool* fs, const float* xs, float* ys, std::int64_t n);
void segscan_branchless(const bool* fs, const double* xs, double* ys, std::int64_t n);

}  // namespace lockstep::bench
