// Generated code against OpenBLAS with two threads: both on the same arrays, taking turns in one run, the medians of
// each. The same placement for both: scal in place (the generated kernel's output is its input), and into other memory
// that has been touched (cblas_saxpby with beta 0).
#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "codegen/runtime/compile.h"
#include "codegen/runtime/memory.h"
#include "codegen/targets/openmp.h"
#include "proofs/sizes/solver.h"
#include "tests/bench/bench.h"
#include "translate/dpia/stage.h"

extern "C" void openblas_set_num_threads(int);

namespace lockstep::bench {
namespace {

using Entry = std::int32_t (*)(const std::int64_t*, const void* const*, void* const*, EntryTrap*);

struct Program {
  CompiledLibrary library;
  Entry entry;
};

Program compiled(const std::string& name) {
  const std::string path = std::string(LOCKSTEP_SOURCE_DIR) + "/examples/" + name + ".dpia";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto program = parse_program(std::make_shared<const Source>(Source{path, text.str()}));
  const Calculus calculus = standard_calculus();
  const auto checked = infer(program.value(), calculus, proofs::z3_size_solver());
  const kernel::Program k = dpia_trace(checked.value().entries.back(), calculus, Machine::Cpu).kernel();
  auto library = compile_cached({openmp_source(k), openmp_flags(), name});
  if (!library) {
    std::fprintf(stderr, "%s\n", library.error().message.c_str());
    std::exit(4);
  }
  const auto entry = reinterpret_cast<Entry>(library->symbol(loader_name(k).c_str()));
  return {*library, entry};
}

struct Floats {
  explicit Floats(std::int64_t n, unsigned seed = 0)
      : buffer(allocate(static_cast<std::uint64_t>(n) * 4, "a benchmark").value()), size(n) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    float* p = data();
#pragma omp parallel for  // touched by the threads that use it
    for (std::int64_t i = 0; i < n; ++i) p[i] = 0;
    for (std::int64_t i = 0; i < n; ++i) p[i] = uniform(random);
  }
  float* data() const { return static_cast<float*>(buffer.data()); }
  MemoryBlock buffer;
  std::int64_t size;
};

void row(const char* what, std::int64_t n, const std::function<void()>& blas, const std::function<void()>& ours,
         double bytes) {
  const Pair t = side_by_side(blas, ours);
  std::printf("  %-22s %12lld  OpenBLAS %8.3f ms %6.1f GB/s   lockstep %8.3f ms %6.1f GB/s   ratio %.2f\n", what,
              static_cast<long long>(n), t.first * 1e3, bytes / t.first / 1e9, t.second * 1e3, bytes / t.second / 1e9,
              t.first / t.second);
  std::fflush(stdout);
}

void run(const Program& p, std::vector<std::int64_t> sizes, std::vector<const void*> inputs, void* output) {
  EntryTrap trap;
  void* outputs[] = {output};
  if (p.entry(sizes.data(), inputs.data(), outputs, &trap) != 0) std::abort();
}

}  // namespace

void blas() {
  openblas_set_num_threads(2);
  omp_set_num_threads(2);
  std::printf("against OpenBLAS, two threads, f32\n");
  const Program scal = compiled("scal_fast"), scal_in_place = compiled("scal"), asum = compiled("asum_fast"),
                dot = compiled("dot_fast"), gemv = compiled("gemv_fast");
  for (const std::int64_t n : {16'000'000LL, 16'777'216LL, 16'000'003LL, 64'000'000LL, 64'000'003LL}) {
    const Floats xs(n, 1), ys(n, 2), out(n, 3);
    const float alpha = 1.000001F;
    float result = 0;
    volatile float sink = 0;
    row(
        "scal, in place", n, [&] { cblas_sscal(static_cast<int>(n), alpha, out.data(), 1); },
        [&] {
          run(scal_in_place, {n}, {&alpha, out.data()}, out.data());
        },
        8.0 * static_cast<double>(n));
    row(
        "scal, out of place", n, [&] { cblas_saxpby(static_cast<int>(n), alpha, xs.data(), 1, 0, out.data(), 1); },
        [&] {
          run(scal, {n}, {&alpha, xs.data()}, out.data());
        },
        8.0 * static_cast<double>(n));
    row(
        "asum", n, [&] { sink = cblas_sasum(static_cast<int>(n), xs.data(), 1); },
        [&] { run(asum, {n}, {xs.data()}, &result); }, 4.0 * static_cast<double>(n));
    row(
        "dot", n, [&] { sink = cblas_sdot(static_cast<int>(n), xs.data(), 1, ys.data(), 1); },
        [&] {
          run(dot, {n}, {xs.data(), ys.data()}, &result);
        },
        8.0 * static_cast<double>(n));
    (void)sink;
  }
  for (const std::int64_t n : {4096LL, 8192LL}) {
    const Floats a(n * n, 4), x(n, 5), y(n, 6);
    row(
        "gemv", n,
        [&] {
          cblas_sgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(n), static_cast<int>(n), 1, a.data(),
                      static_cast<int>(n), x.data(), 1, 0, y.data(), 1);
        },
        [&] {
          run(gemv, {n, n}, {a.data(), x.data()}, y.data());
        },
        4.0 * static_cast<double>(n) * static_cast<double>(n));
  }
}

}  // namespace lockstep::bench
