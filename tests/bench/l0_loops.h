// What a C programmer writes for the programs of examples/l0, fused by hand: the measure of the code that is made of
// them.
#pragma once
#include <cstdint>

namespace lockstep::bench {

// r[n][n] = x[n][n] y[n][n]
void matmult_loop(const std::int64_t* x, const std::int64_t* y, std::int64_t* r, std::int64_t n);
std::int64_t maximum_segment_sum_loop(const std::int64_t* a, std::int64_t n);
// l, u [n][n] of a[n][n]; w[n][n] is written.
void lu_loop(const double* a, double* w, double* l, double* u, std::int64_t n);
// z[n] of the bands a, b, c [n] and the right side y[n]; d[n] is written.
void tridag_loop(const double* a, const double* b, const double* c, const double* y, double* d, double* z,
                 std::int64_t n);

}  // namespace lockstep::bench
