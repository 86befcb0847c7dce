// The machine's limits, by loops that do nothing else.
#include "driver/commands/limits.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "codegen/runtime/compile.h"
#include "codegen/runtime/files.h"
#include "codegen/runtime/library_cache.h"
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
#if defined(__AVX512F__)
#define WIDTH 64
#elif defined(__AVX__)
#define WIDTH 32
#else
#define WIDTH 16
#endif
// Twelve sums at a time: more than any processor's latency of one asks for, and no more than there are registers. How
// many operations that were, in *count.
template <class T>
static double peak(int64_t rounds, double* count) {
  typedef T V __attribute__((vector_size(WIDTH)));
  double total = 0, done = 0;
  #pragma omp parallel reduction(+ : total, done)
  {
    V s[12], by, add;
    for (int l = 0; l < (int)(WIDTH / sizeof(T)); ++l) by[l] = (T)0.5, add[l] = (T)(rounds % 7 + l);
    for (int k = 0; k < 12; ++k) s[k] = add * (T)k;
    for (int64_t r = 0; r < rounds; ++r)
      for (int k = 0; k < 12; ++k) s[k] = s[k] * by + add;
    for (int k = 0; k < 12; ++k) total += (double)s[k][0] + (double)s[k][1];
    done += 24.0 * (double)rounds * (WIDTH / sizeof(T));
  }
  *count = done;
  return total;
}
extern "C" double peak32(int64_t rounds, double* count) { return peak<float>(rounds, count); }
extern "C" double peak64(int64_t rounds, double* count) { return peak<double>(rounds, count); }
)";

constexpr double kept_for = 3600;

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}
// Of as many threads as programs would have.
std::string record() {
  const auto folder = cache_folder();
  const char* const threads = std::getenv("OMP_NUM_THREADS");
  return folder ? *folder + "/limits_" + readable_name(threads ? threads : "all") + ".json" : "";
}

MachineLimits kept() {
  std::ifstream in(record());
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object()) return {};
  const auto number = [&](const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_number() ? it->get<double>() : 0;
  };
  MachineLimits out{number("bytes"), number("f32"), number("f64"), seconds_since_1970() - number("measured")};
  return out.age >= 0 && out.age < kept_for ? out : MachineLimits{};
}
void keep(const MachineLimits& m) {
  if (const std::string path = record();
      !path.empty())  // that they are not kept is no failure: they are measured again
    (void)write_files_atomically(
        {{path,
          Json{{"bytes", m.bytes}, {"f32", m.f32}, {"f64", m.f64}, {"measured", seconds_since_1970()}}.dump() + "\n"}});
}

// Elements of each of three arrays.
std::int64_t length() {
  const std::int64_t memory = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGE_SIZE);
  const std::int64_t bytes =
      std::clamp(4 * last_cache_bytes(), std::int64_t{192} << 20, std::max(memory / 4, std::int64_t{192} << 20));
  return bytes / 12 / 8192 * 8192;
}

template <class Run>
double seconds_of(const Run& run) {
  const Stopwatch watch;
  run();
  return watch.seconds();
}

MachineLimits measured() {
  const auto library =
      compile_cached({loops, {"-std=c++20", "-O3", "-march=native", "-fopenmp", "-ffp-contract=fast"}, "limits", true});
  if (!library) return {};
  const auto fill = reinterpret_cast<void (*)(float*, std::int64_t)>(library->symbol("fill"));
  const auto sum = reinterpret_cast<float (*)(const float*, std::int64_t)>(library->symbol("sum"));
  const auto triad =
      reinterpret_cast<void (*)(float*, const float*, const float*, std::int64_t)>(library->symbol("triad"));
  using Peak = double (*)(std::int64_t, double*);
  const auto peak32 = reinterpret_cast<Peak>(library->symbol("peak32")),
             peak64 = reinterpret_cast<Peak>(library->symbol("peak64"));
  const std::int64_t n = length();
  auto a = allocate(n * 4), b = allocate(n * 4), c = allocate(n * 4);
  if (!a || !b || !c || !fill || !sum || !triad || !peak32 || !peak64) return {};
  const auto floats = [](const MemoryBlock& x) { return static_cast<float*>(x.data()); };
  for (const auto* x : {&a, &b, &c}) fill(floats(**x), n);
  volatile double result = 0;
  MachineLimits out;
  Progress progress;
  constexpr int rounds = 20;
  for (int k = 0; k < rounds; ++k) {
    const double all = static_cast<double>(n);
    out.bytes = std::max(out.bytes, 4 * all / seconds_of([&] { result = sum(floats(*b), n); }));
    out.bytes = std::max(out.bytes, 12 * all / seconds_of([&] { triad(floats(*a), floats(*b), floats(*c), n); }));
    double count = 0;
    const auto rate = [&](Peak peak) {
      const double seconds = seconds_of([&] { result = peak(200'000, &count); });
      return count / seconds;
    };
    out.f32 = std::max(out.f32, rate(peak32));
    out.f64 = std::max(out.f64, rate(peak64));
    progress.step("measuring the machine", static_cast<std::size_t>(k) + 1, rounds);
  }
  return out;
}

}  // namespace

std::int64_t last_cache_bytes() {
  for (const int level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long bytes = sysconf(level); bytes > 0) return bytes;
  return 0;
}

MachineLimits machine_limits(bool anew) {
  if (!anew)
    if (const MachineLimits m = kept(); m.bytes > 0) return m;
  const MachineLimits m = measured();
  if (m.bytes > 0) keep(m);
  return m;
}

}  // namespace lockstep::driver
