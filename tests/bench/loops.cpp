// A file of its own, for its flags.
#include "tests/bench/loops.h"

#include <cmath>
#include <cstring>

namespace lockstep::bench {
namespace {

template <class T>
void scan(const T* __restrict__ xs, T* __restrict__ ys, std::int64_t n) {
  T acc = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    acc = acc + xs[i];
    ys[i] = acc;
  }
}
template <class T>
void branching(const bool* __restrict__ fs, const T* __restrict__ xs, T* __restrict__ ys, std::int64_t n) {
  T acc = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (fs[i]) {
      acc = 0;
      asm volatile("" : "+x"(acc));  // or the compiler makes it the other one
    }
    acc = acc + xs[i];
    ys[i] = acc;
  }
}
template <class T, class Bits>
void branchless(const bool* __restrict__ fs, const T* __restrict__ xs, T* __restrict__ ys, std::int64_t n) {
  T acc = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    Bits bits;
    std::memcpy(&bits, &acc, sizeof acc);
    bits &= static_cast<Bits>(fs[i]) - 1;
    std::memcpy(&acc, &bits, sizeof acc);
    acc = acc + xs[i];
    ys[i] = acc;
  }
}

}  // namespace

double logsum_loop(std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 1; i <= n; ++i) sum += std::log(static_cast<double>(i));
  return sum;
}

void scan_loop(const float* xs, float* ys, std::int64_t n) { scan(xs, ys, n); }
void scan_loop(const double* xs, double* ys, std::int64_t n) { scan(xs, ys, n); }
void scan_loop(const std::int64_t* xs, std::int64_t* ys, std::int64_t n) { scan(xs, ys, n); }
void segscan_branching(const bool* fs, const float* xs, float* ys, std::int64_t n) { branching(fs, xs, ys, n); }
void segscan_branching(const bool* fs, const double* xs, double* ys, std::int64_t n) { branching(fs, xs, ys, n); }
void segscan_branchless(const bool* fs, const float* xs, float* ys, std::int64_t n) {
  branchless<float, std::uint32_t>(fs, xs, ys, n);
}
void segscan_branchless(const bool* fs, const double* xs, double* ys, std::int64_t n) {
  branchless<double, std::uint64_t>(fs, xs, ys, n);
}

}  // namespace lockstep::bench
