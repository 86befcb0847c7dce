// The obvious C (default_loops.h). LOOPS names what this compilation gives; with REORDERED a sum of floats may be taken
// apart by threads, as the compiler then may by lanes.
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/bench/default_loops.h"

#ifdef REORDERED
#define FLOAT_SUMS(pragma) _Pragma(pragma)
#else
#define FLOAT_SUMS(pragma)
#endif

namespace lockstep::bench {
namespace {

using I64 = std::int64_t;

float sum(const float* xs, I64 n) {
  float s = 0;
  FLOAT_SUMS("omp parallel for reduction(+ : s)")
  for (I64 i = 0; i < n; ++i) s += xs[i];
  return s;
}
float dot(const float* xs, const float* ys, I64 n) {
  float s = 0;
  FLOAT_SUMS("omp parallel for reduction(+ : s)")
  for (I64 i = 0; i < n; ++i) s += xs[i] * ys[i];
  return s;
}
float asum(const float* xs, I64 n) {
  float s = 0;
  FLOAT_SUMS("omp parallel for reduction(+ : s)")
  for (I64 i = 0; i < n; ++i) s += std::fabs(xs[i]);
  return s;
}
void scal(float a, const float* xs, float* out, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < n; ++i) out[i] = a * xs[i];
}
void saxpy(float a, const float* xs, const float* ys, float* out, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < n; ++i) out[i] = a * xs[i] + ys[i];
}
void mean_and_variance(const double* xs, double* mean, double* variance, I64 n) {
  double s = 0, v = 0;
  FLOAT_SUMS("omp parallel for reduction(+ : s)")
  for (I64 i = 0; i < n; ++i) s += xs[i];
  const double m = s / static_cast<double>(n);
  FLOAT_SUMS("omp parallel for reduction(+ : v)")
  for (I64 i = 0; i < n; ++i) v += (xs[i] - m) * (xs[i] - m);
  *mean = m;
  *variance = v / static_cast<double>(n);
}
float standard_deviation(const float* xs, I64 n) {
  float s = 0, q = 0;
  FLOAT_SUMS("omp parallel for reduction(+ : s, q)")
  for (I64 i = 0; i < n; ++i) {
    s += xs[i];
    q += xs[i] * xs[i];
  }
  const float mean = s / static_cast<float>(n);
  return std::sqrt(q / static_cast<float>(n) - mean * mean);
}
I64 argmax(const float* xs, I64 n) {
  I64 best = 0;
  for (I64 i = 1; i < n; ++i)
    if (xs[i] > xs[best]) best = i;
  return best;
}
float max_segment_sum(const float* xs, I64 n) {
  float most = 0, last = 0;
  for (I64 i = 0; i < n; ++i) {
    last = last + xs[i] > 0 ? last + xs[i] : 0;
    if (last > most) most = last;
  }
  return most;
}
double horner(double x, const double* coefficients, I64 n) {
  double acc = 0;
  for (I64 i = 0; i < n; ++i) acc = acc * x + coefficients[i];
  return acc;
}
void chain(const float* xs, float* out, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < n; ++i) {
    const float x = (xs[i] + 1) * 2 - 3;
    out[i] = x * x;
  }
}

void histogram(const std::uint8_t* xs, I64* out, I64 n) {
  std::memset(out, 0, 256 * sizeof *out);
#pragma omp parallel for reduction(+ : out[:256])
  for (I64 i = 0; i < n; ++i) ++out[xs[i]];
}
void prefix_sums(const std::int32_t* xs, std::int32_t* out, I64 n) {
  std::int32_t s = 0;
  for (I64 i = 0; i < n; ++i) out[i] = s += xs[i];
}
void sums_before(const std::int32_t* xs, std::int32_t* out, I64 n) {
  std::int32_t s = 0;
  for (I64 i = 0; i < n; ++i) {
    out[i] = s;
    s += xs[i];
  }
}
void prefix_maximum(const float* xs, float* out, I64 n) {
  float m = xs[0];
  for (I64 i = 0; i < n; ++i) out[i] = m = xs[i] > m ? xs[i] : m;
}
void radix_pass(std::uint32_t bit, const std::uint32_t* xs, std::uint32_t* out, I64 n) {
  I64 zeros = 0;
  for (I64 i = 0; i < n; ++i) zeros += 1 - (xs[i] >> bit & 1);
  I64 zero = 0, one = zeros;
  for (I64 i = 0; i < n; ++i) out[xs[i] >> bit & 1 ? one++ : zero++] = xs[i];
}
I64 compact(const std::int32_t* xs, std::int32_t* out, I64 n) {
  I64 k = 0;
  for (I64 i = 0; i < n; ++i)
    if (xs[i] > 0) out[k++] = xs[i];
  std::memset(out + k, 0, static_cast<std::size_t>(n - k) * sizeof *out);
  return k;
}
void segmented_sum(const I64* segments, const float* xs, float* out, I64 n, I64 k) {
  std::memset(out, 0, static_cast<std::size_t>(k) * sizeof *out);
  for (I64 i = 0; i < n; ++i) out[segments[i]] += xs[i];
}
void segmented_scan(const bool* starts, const float* xs, float* out, I64 n) {
  float s = 0;
  for (I64 i = 0; i < n; ++i) out[i] = s = starts[i] ? xs[i] : s + xs[i];
}

void row_sums(const float* a, float* out, I64 m, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < m; ++i) {
    float s = 0;
    for (I64 j = 0; j < n; ++j) s += a[i * n + j];
    out[i] = s;
  }
}
void gemv(const float* a, const float* x, float* out, I64 m, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < m; ++i) {
    float s = 0;
    for (I64 j = 0; j < n; ++j) s += a[i * n + j] * x[j];
    out[i] = s;
  }
}
// Row by row, each thread its columns.
void gemv_transposed(const float* a, const float* x, float* out, I64 m, I64 n) {
#pragma omp parallel
  {
    for (I64 i = 0; i < m; ++i) {
#pragma omp for schedule(static) nowait
      for (I64 j = 0; j < n; ++j) out[j] = (i == 0 ? 0 : out[j]) + a[i * n + j] * x[i];
    }
  }
}
void matmul(const float* a, const float* b, float* out, I64 m, I64 k, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < m; ++i) {
    for (I64 j = 0; j < n; ++j) out[i * n + j] = 0;
    for (I64 l = 0; l < k; ++l)
      for (I64 j = 0; j < n; ++j) out[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}
void transposed(const float* a, float* out, I64 m, I64 n) {
#pragma omp parallel for
  for (I64 j = 0; j < n; ++j)
    for (I64 i = 0; i < m; ++i) out[j * m + i] = a[i * n + j];
}
void spmv(const I64* starts, const I64* columns, const double* values, const double* x, double* out, I64 m) {
#pragma omp parallel for
  for (I64 r = 0; r < m; ++r) {
    double s = 0;
    for (I64 i = starts[r]; i < starts[r + 1]; ++i) s += values[i] * x[columns[i]];
    out[r] = s;
  }
}
void floyd_warshall(const float* distances, float* out, I64 n) {
  std::memcpy(out, distances, static_cast<std::size_t>(n * n) * sizeof *out);
  for (I64 k = 0; k < n; ++k) {
#pragma omp parallel for
    for (I64 i = 0; i < n; ++i) {
      const float to_k = out[i * n + k];
      for (I64 j = 0; j < n; ++j) {
        const float by_k = to_k + out[k * n + j];
        out[i * n + j] = by_k < out[i * n + j] ? by_k : out[i * n + j];
      }
    }
  }
}
void softmax(const float* a, float* out, I64 m, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < m; ++i) {
    const float* row = a + i * n;
    float top = row[0], total = 0;
    for (I64 j = 0; j < n; ++j) top = row[j] > top ? row[j] : top;
    for (I64 j = 0; j < n; ++j) total += out[i * n + j] = std::exp(row[j] - top);
    for (I64 j = 0; j < n; ++j) out[i * n + j] /= total;
  }
}
void layer_norm(const float* a, float* out, I64 m, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < m; ++i) {
    const float* row = a + i * n;
    float sum = 0, squares = 0;
    for (I64 j = 0; j < n; ++j) sum += row[j];
    const float mean = sum / static_cast<float>(n);
    for (I64 j = 0; j < n; ++j) squares += (row[j] - mean) * (row[j] - mean);
    const float scale = std::sqrt(squares / static_cast<float>(n) + 0.00001F);
    for (I64 j = 0; j < n; ++j) out[i * n + j] = (row[j] - mean) / scale;
  }
}

void jacobi_sweep(const float* u, float* out, I64 h, I64 w) {
#pragma omp parallel for
  for (I64 i = 0; i < h; ++i)
    for (I64 j = 0; j < w; ++j) {
      const float left = j > 0 ? u[i * w + j - 1] : 0, right = j + 1 < w ? u[i * w + j + 1] : 0;
      const float above = i > 0 ? u[(i - 1) * w + j] : 0, below = i + 1 < h ? u[(i + 1) * w + j] : 0;
      out[i * w + j] = (left + right + above + below) * 0.25F;
    }
}
void jacobi(const float* u, float* out, float* spare, I64 steps, I64 h, I64 w) {
  const float* from = u;
  for (I64 k = 0; k < steps; ++k) {
    float* to = (steps - k) % 2 == 1 ? out : spare;
    jacobi_sweep(from, to, h, w);
    from = to;
  }
}
void convolution(const float* weights, const float* image, float* out, I64 h, I64 w) {
#pragma omp parallel for
  for (I64 i = 0; i < h; ++i)
    for (I64 j = 0; j < w; ++j) {
      float s = weights[0] * image[i * (w + 2) + j];
      for (int k = 1; k < 9; ++k) s += weights[k] * image[(i + k / 3) * (w + 2) + j + k % 3];
      out[i * w + j] = s;
    }
}
void life(const std::uint8_t* cells, std::uint8_t* out, I64 h, I64 w) {
#pragma omp parallel for
  for (I64 i = 0; i < h; ++i)
    for (I64 j = 0; j < w; ++j) {
      int neighbours = 0;
      for (I64 r = -1; r <= 1; ++r)
        for (I64 c = -1; c <= 1; ++c)
          if (r != 0 || c != 0) neighbours += cells[(i + r + h) % h * w + (j + c + w) % w];
      out[i * w + j] = neighbours == 3 || (neighbours == 2 && cells[i * w + j] == 1);
    }
}

void nbody(const float* masses, const float* const* positions, float* const* out, I64 n) {
  const float *xs = positions[0], *ys = positions[1], *zs = positions[2];
#pragma omp parallel for
  for (I64 i = 0; i < n; ++i) {
    float sx = 0, sy = 0, sz = 0;
    for (I64 j = 0; j < n; ++j) {
      const float dx = xs[j] - xs[i], dy = ys[j] - ys[i], dz = zs[j] - zs[i];
      const float distance2 = dx * dx + dy * dy + dz * dz + 0.01F;
      const float weight = masses[j] / (distance2 * std::sqrt(distance2));
      sx += weight * dx;
      sy += weight * dy;
      sz += weight * dz;
    }
    out[0][i] = sx;
    out[1][i] = sy;
    out[2][i] = sz;
  }
}
void kmeans(const double* const* points, const double* const* centroids, double* const* out, I64 n, I64 k) {
  std::vector<double> sums_x(static_cast<std::size_t>(k)), sums_y(static_cast<std::size_t>(k));
  std::vector<I64> counts(static_cast<std::size_t>(k)), assigned(static_cast<std::size_t>(n));
#pragma omp parallel for
  for (I64 i = 0; i < n; ++i) {
    I64 best = -1;
    double least = 1e300;
    for (I64 j = 0; j < k; ++j) {
      const double dx = centroids[0][j] - points[0][i], dy = centroids[1][j] - points[1][i];
      const double distance = dx * dx + dy * dy;
      if (distance < least) best = j, least = distance;
    }
    assigned[static_cast<std::size_t>(i)] = best;
  }
  for (I64 i = 0; i < n; ++i) {
    const auto j = static_cast<std::size_t>(assigned[static_cast<std::size_t>(i)]);
    sums_x[j] += points[0][i];
    sums_y[j] += points[1][i];
    ++counts[j];
  }
  for (I64 i = 0; i < k; ++i) {
    const auto j = static_cast<std::size_t>(i);
    out[0][i] = counts[j] == 0 ? centroids[0][i] : sums_x[j] / static_cast<double>(counts[j]);
    out[1][i] = counts[j] == 0 ? centroids[1][i] : sums_y[j] / static_cast<double>(counts[j]);
  }
}
double normal_cdf(double x) {
  const double k = 1 / (1 + 0.2316419 * std::fabs(x));
  const double series =
      k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const double tail = 0.3989422804014327 * std::exp(-0.5 * x * x) * series;
  return x < 0 ? tail : 1 - tail;
}
void black_scholes(double rate, double volatility, const double* const* options, double* const* out, I64 n) {
#pragma omp parallel for
  for (I64 i = 0; i < n; ++i) {
    const double spot = options[0][i], strike = options[1][i], years = options[2][i];
    const double spread = volatility * std::sqrt(years);
    const double d1 = (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
    const double d2 = d1 - spread, present = strike * std::exp(-rate * years);
    out[0][i] = spot * normal_cdf(d1) - present * normal_cdf(d2);
    out[1][i] = present * normal_cdf(-d2) - spot * normal_cdf(-d1);
  }
}
void mandelbrot(std::int32_t* out, I64 width, I64 height, std::int32_t limit) {
#pragma omp parallel for schedule(dynamic, 8)
  for (I64 row = 0; row < height; ++row)
    for (I64 column = 0; column < width; ++column) {
      const double cy = static_cast<double>(row) * 2 / static_cast<double>(height) - 1;
      const double cx = static_cast<double>(column) * 3 / static_cast<double>(width) - 2;
      double x = 0, y = 0;
      std::int32_t steps = 0;
      while (x * x + y * y <= 4 && steps < limit) {
        const double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++steps;
      }
      out[row * width + column] = steps;
    }
}

}  // namespace

const Loops& LOOPS() {
  static const Loops all{sum,
                         dot,
                         asum,
                         scal,
                         saxpy,
                         mean_and_variance,
                         standard_deviation,
                         argmax,
                         max_segment_sum,
                         horner,
                         chain,
                         histogram,
                         prefix_sums,
                         sums_before,
                         prefix_maximum,
                         radix_pass,
                         compact,
                         segmented_sum,
                         segmented_scan,
                         row_sums,
                         gemv,
                         gemv_transposed,
                         matmul,
                         transposed,
                         spmv,
                         floyd_warshall,
                         softmax,
                         layer_norm,
                         jacobi,
                         convolution,
                         life,
                         nbody,
                         kmeans,
                         black_scholes,
                         mandelbrot};
  return all;
}

}  // namespace lockstep::bench
