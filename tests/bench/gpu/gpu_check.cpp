// What examples take on this machine's GPU beside a copy of as many bytes and beside handwritten kernels of the same
// algorithms, whose results are compared: kernels by the device's own clock.
//   gpu_check [--small]     a table as Markdown, on standard output; --small: arrays of a few KiB, each once, to see
//   that it runs
// Status 1: results differ; 4: there is no GPU, or it fails.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "codegen/targets/target.h"
#include "semantics/host/language.h"
#include "semantics/primitives/calculus.h"
#include "tests/bench/gpu/handwritten.h"

namespace lockstep::bench {
namespace {

struct Timed {
  std::string example, hand;
  SizeValues sizes, small;
  bool of_memory = true;  // what bounds it
};
const std::vector<Timed> programs{
    {"scal_gpu", "scal", {{"n", 1 << 26}}, {{"n", 1000}}},
    {"asum_gpu", "asum", {{"n", 1 << 26}}, {{"n", 4096}}},
    {"dot_gpu", "dot", {{"n", 1 << 26}}, {{"n", 262144}}},
    {"gemv_gpu", "gemv", {{"m", 8192}, {"n", 8192}}, {{"m", 16}, {"n", 64}}},
    {"reverse_gpu", "reverse", {{"n", 1 << 26}}, {{"n", 1000}}},
    {"transpose_gpu", "transpose", {{"m", 256}, {"n", 256}}, {{"m", 2}, {"n", 2}}},
    {"reduction_gpu", "reduction", {{"n", 1 << 26}}, {{"n", 5000}}},
    {"scan_gpu", "scan", {{"n", 1 << 17}}, {{"n", 4}}},
    {"histogram_atomic_gpu", "histogram", {{"n", 1 << 28}}, {{"n", 5000}}},
    {"matmul_gpu", "matmul", {{"m", 64}, {"k", 64}, {"n", 32}}, {{"m", 1}, {"k", 1}, {"n", 1}}, false}};

struct Missing {
  std::string why;
};
template <class T, class E>
T given(tl::expected<T, E> x) {
  if constexpr (std::is_same_v<E, std::string>) {
    if (!x) throw Missing{x.error()};
  } else if constexpr (std::is_same_v<E, Stop>) {
    if (!x) throw Missing{show(x.error())};
  } else {
    if (!x) throw Missing{x.error().message};
  }
  return std::move(*x);
}

// Whole numbers below 2^24 in sum, of which every order of additions gives the same, or nearly.
Arguments arguments_of(const PhraseProgram& p, const SizeValues& sizes) {
  Arguments out{sizes, {}};
  std::mt19937 random(1);
  for (const auto& [name, type] : p.parameters) {
    Leaves leaves = given(allocate_leaves(type, sizes, name));
    const std::vector<void*> into = writable(leaves);
    for (std::size_t k = 0; k < leaves.size(); ++k)
      for (std::int64_t i = 0; i < count_of(leaves[k]); ++i) {
        const auto x = static_cast<std::int64_t>(random() % 3) - (is_integer(leaves[k].type) ? 0 : 1);
        put_scalar(into[k], leaves[k].type, i,
                   is_integer(leaves[k].type) ? make_integer(leaves[k].type, static_cast<std::uint64_t>(x))
                                              : make_ieee(leaves[k].type, static_cast<double>(x)));
      }
    out.values.push_back(std::move(leaves));
  }
  return out;
}

struct Result {
  double seconds = 0;  // median of 100 after 10, of the device's clock
  Leaves leaves;
};
Result timed(const Executable& e, const Arguments& arguments, bool small) {
  Result out;
  out.leaves = given(e.allocate_results(arguments.sizes));
  const std::vector<void*> into = writable(out.leaves);
  std::vector<double> all;
  const int before = small ? 0 : 10, rounds = small ? 1 : 100;
  for (int round = 0; round < before + rounds; ++round) {
    const double seconds = given(*e.measured(arguments, into));
    if (round >= before) all.push_back(seconds);
  }
  std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
  out.seconds = all[static_cast<std::size_t>(rounds / 2)];
  return out;
}
bool is_near(const Leaves& a, const Leaves& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::int64_t n = count_of(a[k]), step = std::max<std::int64_t>(1, n / 1000003);
    for (std::int64_t i = 0; i < n; i += step) {
      const Scalar x = scalar_at(a[k], i), y = scalar_at(b[k], i);
      if (x.bits == y.bits) continue;
      if (is_integer(a[k].type)) return false;
      const double p = std::stod(show(x, ieee_domain())), q = std::stod(show(y, ieee_domain()));
      if (!(std::fabs(p - q) <= 1e-3 * std::max(1.0, std::fabs(p)))) return false;
    }
  }
  return true;
}

Executable by_hand(const std::string& file, const GpuProgram& p) {
  return given(load_hip(handwritten(file, p.hosted.of), p.hosted.of, p.source.result));
}

// A row of the table; false where the results differ.
bool row(const Timed& t, bool small, const Calculus& calculus) {
  const GpuProgram p = gpu_example(t.example, calculus), copied = gpu_example("reverse_gpu", calculus);
  const SizeValues& sizes = small ? t.small : t.sizes;
  const Arguments arguments = arguments_of(p.source, sizes);
  std::uint64_t bytes = bytes_of(p.source.result, sizes);
  for (const auto& [name, type] : p.source.parameters) bytes += bytes_of(type, sizes);
  const Executable own = given(load_on(*find_target("hip"), AnyProgram(host::language(), p.hosted), p.source.result));
  const Result by_lockstep = timed(own, arguments, small), hand = timed(by_hand(t.hand, p), arguments, small);
  const Result copy =
      timed(by_hand("copy", copied), arguments_of(copied.source, {{"n", static_cast<std::int64_t>(bytes / 8)}}), small);
  const bool same = is_near(by_lockstep.leaves, hand.leaves);
  const auto rate = [&](double seconds) { return static_cast<double>(bytes) / seconds / 1e9; };
  std::printf("| %s | %s | %.1f | %.1f | %.0f | %.1f | %.0f%%%s | %.1f | %.2f%s |\n", t.example.c_str(),
              show(sizes).c_str(), static_cast<double>(bytes) / 1048576, by_lockstep.seconds * 1e6,
              rate(by_lockstep.seconds), copy.seconds * 1e6, 100 * copy.seconds / by_lockstep.seconds,
              t.of_memory ? "" : " (not bound by memory)", hand.seconds * 1e6, by_lockstep.seconds / hand.seconds,
              same ? "" : ", OTHER RESULTS");
  std::fflush(stdout);
  return same;
}

// From the host's call to its result, of a program of four numbers, beyond a launch of nothing.
void call_of_little(bool small, const Calculus& calculus) {
  const GpuProgram p = gpu_example("reverse_gpu", calculus);
  const Arguments arguments = arguments_of(p.source, {{"n", 4}});
  const auto microseconds = [&](const Executable& e) {
    Leaves result = given(e.allocate_results(arguments.sizes));
    const std::vector<void*> into = writable(result);
    std::vector<double> all;
    const int before = small ? 0 : 10, rounds = small ? 1 : 1000;
    for (int round = 0; round < before + rounds; ++round) {
      const auto start = std::chrono::steady_clock::now();
      if (const auto ran = e.run_into(arguments, into); !ran) throw Missing{show(ran.error())};
      if (round >= before)
        all.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
    return all[static_cast<std::size_t>(rounds / 2)];
  };
  const Executable own = given(load_on(*find_target("hip"), AnyProgram(host::language(), p.hosted), p.source.result));
  const double call = microseconds(own), nothing = microseconds(by_hand("nothing", p));
  std::printf(
      "\nA call of reverse_gpu of 4 numbers takes %.1f µs from call to result, %.1f beyond a launch of nothing "
      "whose result is read back (%.1f; medians of 1,000).\n",
      call, call - nothing, nothing);
}

int check(bool small) {
  const auto device = hip_device();
  if (!device) throw Missing{device.error()};
  const auto compiler = kernel_compiler(*device);
  if (!compiler) throw Missing{compiler.error()};
  const Calculus calculus = standard_calculus();
  std::printf("%s\n\n", made_by(*device, *compiler).c_str());
  std::printf(
      "| program | at | MiB in and out | µs | GB/s | copy of as many bytes, µs | of the copy's rate | handwritten, µs "
      "| times the handwritten |\n|---|---|---|---|---|---|---|---|---|\n");
  bool same = true;
  for (const Timed& t : programs) {
    std::fprintf(stderr, "%s ...\n", t.example.c_str());
    same = row(t, small, calculus) && same;
  }
  call_of_little(small, calculus);
  return same ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::bench

int main(int count, char** words) {
  try {
    return lockstep::bench::check(count > 1 && std::strcmp(words[1], "--small") == 0);
  } catch (const lockstep::bench::Missing& m) {
    std::fprintf(stderr, "gpu_check: %s\n", m.why.c_str());
    return 4;
  }
}
