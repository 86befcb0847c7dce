// What examples take on this machine's GPU beside a copy of as many bytes, beside handwritten kernels of the same
// algorithms and beside the vendor's library, cuBLAS or rocBLAS, where there is one: kernels by the device's own clock,
// with its caches overwritten before. Results are compared.
//   gpu_check [--small]     a table as Markdown, on standard output; --small: arrays of a few KiB, each once, to see
//   that it runs
// Status 1: results differ; 4: there is no GPU, or it fails.
#include <dlfcn.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <future>
#include <random>

#include "codegen/targets/hip_device.h"
#include "semantics/primitives/calculus.h"
#include "tests/bench/gpu/handwritten.h"

namespace lockstep::bench {
namespace {

struct Timed {
  std::string example, hand;
  SizeValues sizes, small;
  bool in_library = false;
  bool of_memory = true;  // what bounds it
};
const std::vector<Timed> programs{
    {"scal_gpu", "scal", {{"n", 1 << 26}}, {{"n", 1000}}, true},
    {"asum_gpu", "asum", {{"n", 1 << 26}}, {{"n", 4096}}, true},
    {"dot_gpu", "dot", {{"n", 1 << 26}}, {{"n", 262144}}, true},
    {"gemv_gpu", "gemv", {{"m", 8192}, {"n", 8192}}, {{"m", 16}, {"n", 64}}, true},
    {"reverse_gpu", "reverse", {{"n", 1 << 26}}, {{"n", 1000}}},
    {"transpose_gpu", "transpose", {{"m", 256}, {"n", 256}}, {{"m", 2}, {"n", 2}}, true},
    {"reduction_gpu", "reduction", {{"n", 1 << 26}}, {{"n", 5000}}},
    {"scan_gpu", "scan", {{"n", 1 << 17}}, {{"n", 4}}},
    {"histogram_atomic_gpu", "histogram", {{"n", 1 << 28}}, {{"n", 5000}}},
    {"matmul_gpu", "matmul", {{"m", 64}, {"k", 64}, {"n", 32}}, {{"m", 1}, {"k", 1}, {"n", 1}}, true, false}};

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

// The same, but before the first of its kernels is timed the device's caches are overwritten.
HipText with_cold_caches(HipText text, std::uint64_t bytes) {
  text.host =
      "namespace {\nbool caches_overwritten(bool wanted) {\n  void* memory = nullptr;\n  if (!wanted) return true;\n"
      "  const size_t bytes = " +
      std::to_string(bytes) +
      ";\n  if (hipMalloc(&memory, bytes) != hipSuccess) return false;\n"
      "  const bool written = hipMemset(memory, 1, bytes) == hipSuccess;\n"
      "  return hipFree(memory) == hipSuccess && written;\n}\n}\n"
      "#define hipEventCreate(event) \\\n"
      "  (caches_overwritten(kernel_time.seconds <= 0) ? hipEventCreate(event) : hipErrorOutOfMemory)\n" +
      text.host;
  return text;
}
// The name by which the vendor's BLAS is opened, of those that the driver takes the newest; "" where there is none.
std::string vendors_library(const HipDevice& device) {
  std::vector<std::string> names;
  if (device.cuda)
    for (int version = std::min(device.driver_major, 13); version >= 11; --version)
      names.push_back("libcublas.so." + std::to_string(version));
  else
    names = {"librocblas.so.5", "librocblas.so.4", "librocblas.so.3", "librocblas.so.0", "librocblas.so"};
  for (const std::string& name : names)
    for (const char* folder : {"", "/usr/local/cuda/lib64/", "/opt/rocm/lib/"})
      if (::dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return folder + name;
  return "";
}

// How a table is made.
struct Check {
  Calculus calculus = standard_calculus();
  bool small = false;
  std::string library;

  Executable loaded(HipText text, const GpuProgram& p, bool cold = true) const {
    if (cold) text = with_cold_caches(std::move(text), small ? 1 << 20 : 512 << 20);
    return given(load_hip(text, p.hosted.of, p.source.result));
  }
};

// What a row compares.
struct Compared {
  GpuProgram program;
  Executable own, hand;
  std::optional<Executable> library;
};
Compared compared(const Timed& t, const Check& c) {
  GpuProgram p = gpu_example(t.example, c.calculus);
  const kernel::Program& of = p.hosted.of;
  Executable own = c.loaded(hip_text(p.hosted), p), hand = c.loaded(handwritten_kernels(t.hand, of), p);
  std::optional<Executable> library;
  if (t.in_library && !c.library.empty()) library = c.loaded(library_call(t.hand, of, c.library), p);
  return {std::move(p), std::move(own), std::move(hand), std::move(library)};
}

// The driver's own copy, as what reverses an array.
struct Copy {
  GpuProgram program;
  Executable loaded;
};

// A row of the table; false where the results differ.
bool row(const Timed& t, const Compared& x, const Copy& copied, const Check& c) {
  const GpuProgram& p = x.program;
  const SizeValues& sizes = c.small ? t.small : t.sizes;
  const Arguments arguments = arguments_of(p.source, sizes);
  std::uint64_t bytes = bytes_of(p.source.result, sizes);
  for (const auto& [name, type] : p.source.parameters) bytes += bytes_of(type, sizes);
  const Result own = timed(x.own, arguments, c.small), hand = timed(x.hand, arguments, c.small);
  const Result copy =
      timed(copied.loaded, arguments_of(copied.program.source, {{"n", static_cast<std::int64_t>(bytes / 8)}}), c.small);
  bool same = is_near(own.leaves, hand.leaves);
  std::string by_library = "–", times_library = "–";
  if (x.library) {
    const Result called = timed(*x.library, arguments, c.small);
    same = same && is_near(own.leaves, called.leaves);
    by_library = fmt::format("{:.1f}", called.seconds * 1e6);
    times_library = fmt::format("{:.2f}", own.seconds / called.seconds);
  }
  const auto rate = [&](double seconds) { return static_cast<double>(bytes) / seconds / 1e9; };
  fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.0f} | {:.1f} | {:.0f}%{} | {:.1f} | {:.2f} | {} | {}{} |\n", t.example,
             show(sizes), static_cast<double>(bytes) / 1048576, own.seconds * 1e6, rate(own.seconds),
             copy.seconds * 1e6, 100 * copy.seconds / own.seconds, t.of_memory ? "" : " (not bound by memory)",
             hand.seconds * 1e6, own.seconds / hand.seconds, by_library, times_library, same ? "" : ", OTHER RESULTS");
  std::fflush(stdout);
  return same;
}

// From the host's call to its result, of a program of four numbers, beyond a launch of nothing.
void call_of_little(const Check& c) {
  const GpuProgram p = gpu_example("reverse_gpu", c.calculus);
  const int before = c.small ? 0 : 10, rounds = c.small ? 1 : 1000;
  const Arguments arguments = arguments_of(p.source, {{"n", 4}});
  const auto microseconds = [&](const Executable& e) {
    Leaves result = given(e.allocate_results(arguments.sizes));
    const std::vector<void*> into = writable(result);
    std::vector<double> all;
    for (int round = 0; round < before + rounds; ++round) {
      const auto start = std::chrono::steady_clock::now();
      if (const auto ran = e.run_into(arguments, into); !ran) throw Missing{show(ran.error())};
      if (round >= before)
        all.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
    return all[static_cast<std::size_t>(rounds / 2)];
  };
  const double call = microseconds(c.loaded(hip_text(p.hosted), p, false)),
               nothing = microseconds(c.loaded(handwritten_kernels("nothing", p.hosted.of), p, false));
  fmt::print(
      "\nA call of reverse_gpu of 4 numbers takes {:.1f} µs from call to result, {:.1f} beyond a launch of nothing "
      "whose result is read back ({:.1f}; {}).\n",
      call, call - nothing, nothing, rounds == 1 ? "once each" : fmt::format("medians of {}", rounds));
}

int check(bool small) {
  const auto device = hip_device();
  if (!device) throw Missing{device.error()};
  const auto compiler = kernel_compiler(*device);
  if (!compiler) throw Missing{compiler.error()};
  const Check c{.small = small, .library = vendors_library(*device)};
  fmt::print("{}\n\n", made_by(*device, *compiler));
  fmt::print(
      "Kernels by the device's events, {}; before each run the inputs are copied to the device, and its caches\n"
      "overwritten. The vendor's library: {}.\n\n",
      small ? "once each" : "median of 100 after 10", c.library.empty() ? "none is installed" : c.library);
  fmt::print(
      "| program | at | MiB in and out | µs | GB/s | copy of as many bytes, µs | of the copy's rate | handwritten, µs "
      "| times the handwritten | library, µs | times the library |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::fprintf(stderr, "compiling ...\n");
  std::vector<std::future<Compared>> all;
  for (const Timed& t : programs) all.push_back(std::async(std::launch::async, [&t, &c] { return compared(t, c); }));
  GpuProgram reverse = gpu_example("reverse_gpu", c.calculus);
  Executable copy = c.loaded(handwritten_kernels("copy", reverse.hosted.of), reverse);
  const Copy copied{std::move(reverse), std::move(copy)};
  for (auto& made : all) made.wait();
  bool same = true;
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::fprintf(stderr, "%s ...\n", programs[k].example.c_str());
    same = row(programs[k], all[k].get(), copied, c) && same;
  }
  call_of_little(c);
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
