// Bandwidth by two loops that do nothing else.
#include "driver/commands/bandwidth.h"

#include <algorithm>
#include <cstdint>

#include "codegen/runtime/compile.h"
#include "codegen/runtime/memory.h"
#include "driver/report.h"

namespace lockstep::driver {
namespace {

constexpr const char* loops = R"(#include <stdint.h>
typedef float v8 __attribute__((vector_size(32)));
static inline void past(v8* p, v8 x) {
#if defined(__AVX__)
  __builtin_ia32_movntps256((float*)p, x);
#else
  *p = x;
#endif
}
extern "C" void fill(float* a, int64_t n) {
  #pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; ++i) a[i] = (float)(i & 255);
}
extern "C" float sum(const float* a, int64_t n) {
  float total = 0;
  const v8* v = (const v8*)a;
  #pragma omp parallel for schedule(static) reduction(+ : total)
  for (int64_t b = 0; b < n / 8192; ++b) {
    v8 s[8] = {};
    for (int64_t i = b * 1024; i < b * 1024 + 1024; i += 8)
      for (int k = 0; k < 8; ++k) s[k] += v[i + k];
    for (int k = 0; k < 8; ++k) total += s[k][0] + s[k][3] + s[k][7];
  }
  return total;
}
extern "C" void triad(float* a, const float* b, const float* c, int64_t n) {
  v8* to = (v8*)a;
  const v8 *x = (const v8*)b, *y = (const v8*)c;
  #pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n / 8; ++i) past(to + i, x[i] + 3.0f * y[i]);
}
)";

template <class Run>
double fastest(const Run& run) {
  double best = 1e30;
  for (int k = 0; k < 7; ++k) {
    const Stopwatch watch;
    run();
    best = std::min(best, watch.seconds());
  }
  return best;
}

}  // namespace

double measured_bandwidth() {
  constexpr std::int64_t n = std::int64_t{1} << 24;  // 64 MiB an array
  const auto library = compile_cached({loops, {"-std=c++20", "-O3", "-march=native", "-fopenmp"}, "bandwidth", true});
  if (!library) return 0;
  const auto fill = reinterpret_cast<void (*)(float*, std::int64_t)>(library->symbol("fill"));
  const auto sum = reinterpret_cast<float (*)(const float*, std::int64_t)>(library->symbol("sum"));
  const auto triad =
      reinterpret_cast<void (*)(float*, const float*, const float*, std::int64_t)>(library->symbol("triad"));
  auto a = allocate(n * 4), b = allocate(n * 4), c = allocate(n * 4);
  if (!a || !b || !c || !fill || !sum || !triad) return 0;
  const auto floats = [](const MemoryBlock& x) { return static_cast<float*>(x.data()); };
  for (const auto* x : {&a, &b, &c}) fill(floats(**x), n);
  volatile float kept = 0;
  const double read = fastest([&] { kept = sum(floats(*b), n); });
  const double both = fastest([&] { triad(floats(*a), floats(*b), floats(*c), n); });
  return std::max(4.0 * n / read, 12.0 * n / both);
}

}  // namespace lockstep::driver
