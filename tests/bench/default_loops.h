// The obvious C of the programs in defaults/programs.dpia, a loop each, as somebody would write it who knows OpenMP's
// pragmas and nothing more. defaults/loops.cpp is compiled once for each list of flags.
#pragma once
#include <cstdint>

namespace lockstep::bench {

struct Loops {
  float (*sum)(const float* xs, std::int64_t n);
  float (*dot)(const float* xs, const float* ys, std::int64_t n);
  float (*asum)(const float* xs, std::int64_t n);
  void (*scal)(float a, const float* xs, float* out, std::int64_t n);
  void (*saxpy)(float a, const float* xs, const float* ys, float* out, std::int64_t n);
  void (*mean_and_variance)(const double* xs, double* mean, double* variance, std::int64_t n);
  float (*standard_deviation)(const float* xs, std::int64_t n);
  std::int64_t (*argmax)(const float* xs, std::int64_t n);
  float (*max_segment_sum)(const float* xs, std::int64_t n);
  double (*horner)(double x, const double* coefficients, std::int64_t n);
  void (*chain)(const float* xs, float* out, std::int64_t n);

  void (*histogram)(const std::uint8_t* xs, std::int64_t* out, std::int64_t n);
  void (*prefix_sums)(const std::int32_t* xs, std::int32_t* out, std::int64_t n);
  void (*sums_before)(const std::int32_t* xs, std::int32_t* out, std::int64_t n);
  void (*prefix_maximum)(const float* xs, float* out, std::int64_t n);
  void (*radix_pass)(std::uint32_t bit, const std::uint32_t* xs, std::uint32_t* out, std::int64_t n);
  std::int64_t (*compact)(const std::int32_t* xs, std::int32_t* out, std::int64_t n);
  void (*segmented_sum)(const std::int64_t* segments, const float* xs, float* out, std::int64_t n, std::int64_t k);
  void (*segmented_scan)(const bool* starts, const float* xs, float* out, std::int64_t n);

  void (*row_sums)(const float* a, float* out, std::int64_t m, std::int64_t n);
  void (*gemv)(const float* a, const float* x, float* out, std::int64_t m, std::int64_t n);
  void (*gemv_transposed)(const float* a, const float* x, float* out, std::int64_t m, std::int64_t n);
  void (*matmul)(const float* a, const float* b, float* out, std::int64_t m, std::int64_t k, std::int64_t n);
  void (*transposed)(const float* a, float* out, std::int64_t m, std::int64_t n);
  void (*spmv)(const std::int64_t* starts, const std::int64_t* columns, const double* values, const double* x,
               double* out, std::int64_t m);
  void (*floyd_warshall)(const float* distances, float* out, std::int64_t n);
  void (*softmax)(const float* a, float* out, std::int64_t m, std::int64_t n);
  void (*layer_norm)(const float* a, float* out, std::int64_t m, std::int64_t n);

  void (*jacobi)(const float* u, float* out, float* spare, std::int64_t steps, std::int64_t h, std::int64_t w);
  void (*convolution)(const float* weights, const float* image, float* out, std::int64_t h, std::int64_t w);
  void (*life)(const std::uint8_t* cells, std::uint8_t* out, std::int64_t h, std::int64_t w);

  // tuples as arrays side by side
  void (*nbody)(const float* masses, const float* const* positions, float* const* out, std::int64_t n);
  void (*kmeans)(const double* const* points, const double* const* centroids, double* const* out, std::int64_t n,
                 std::int64_t k);
  void (*black_scholes)(double rate, double volatility, const double* const* options, double* const* out,
                        std::int64_t n);
  void (*mandelbrot)(std::int32_t* out, std::int64_t width, std::int64_t height, std::int32_t limit);
};

const Loops& strict_loops();     // -ffp-contract=off: floats in the order that is written
const Loops& reordered_loops();  // sums of floats in any order, in lanes, and products contracted into them
const Loops& fast_loops();       // -ffast-math

}  // namespace lockstep::bench
