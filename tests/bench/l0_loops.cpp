// A file of its own, for its flags: those of generated code.
#include "tests/bench/l0_loops.h"

#include <algorithm>

namespace lockstep::bench {

void matmult_loop(const std::int64_t* __restrict x, const std::int64_t* __restrict y, std::int64_t* __restrict r,
                  std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += x[i * n + k] * y[k * n + j];
      r[i * n + j] = sum;
    }
}

std::int64_t maximum_segment_sum_loop(const std::int64_t* a, std::int64_t n) {
  std::int64_t best = 0, first = 0, last = 0, all = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t x = a[i], positive = x < 0 ? 0 : x;
    best = std::max(best, std::max(positive, last + positive));
    first = std::max(first, all + positive);
    last = std::max(positive, last + x);
    all += x;
  }
  return best;
}

void lu_loop(const double* __restrict a, double* __restrict w, double* __restrict l, double* __restrict u,
             std::int64_t n) {
  for (std::int64_t i = 0; i < n * n; ++i) w[i] = a[i];
  for (std::int64_t i = 0; i < n * n; ++i) l[i] = 0;
  for (std::int64_t i = 0; i < n * n; ++i) u[i] = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    u[k * n + k] = w[k * n + k];
    for (std::int64_t i = k; i < n; ++i) {
      l[i * n + k] = w[i * n + k] / u[k * n + k];
      u[k * n + i] = w[k * n + i];
    }
    for (std::int64_t i = k; i < n; ++i)
      for (std::int64_t j = k; j < n; ++j) w[i * n + j] = w[i * n + j] - l[i * n + k] * u[k * n + j];
  }
}

void tridag_loop(const double* __restrict a, const double* __restrict b, const double* __restrict c,
                 const double* __restrict y, double* __restrict d, double* __restrict z, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) d[i] = b[i];
  for (std::int64_t i = 0; i < n; ++i) z[i] = y[i];
  for (std::int64_t i = 0; i < n - 1; ++i) {
    const double w = a[i + 1] / d[i];
    d[i + 1] = d[i + 1] - w * c[i];
    z[i + 1] = z[i + 1] - w * z[i];
  }
  z[n - 1] = z[n - 1] / d[n - 1];
  for (std::int64_t k = n - 2; k >= 0; --k) z[k] = (z[k] - c[k] * z[k + 1]) / d[k];
}

}  // namespace lockstep::bench
