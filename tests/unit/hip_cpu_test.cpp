// The HIP text as it stands, host and kernels, run on the CPU: its results are the interpreter's; and each mistake that
// is planted in the text is reported, by a result or by what it says of the text.
#include <catch2/catch.hpp>

#include "codegen/targets/hip_cpu.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/variable.h"
#include "translate/dpia/stage.h"

namespace hip_cpu_test {
using namespace lockstep;
using Catch::Matchers::Contains;
using test::Variable;

namespace {

// Blocks that share memory: what each thread makes another reads.
const char* const turned =
    "fun main [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =\n"
    "  xs |> split 8 |> mapWorkgroup (\\b -> mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) b)))\n"
    "  |> join\n";
// Warps that shuffle, that meet at a barrier, and that trap.
const char* const in_warps =
    "fun main [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =\n"
    "  xs |> split 8 |> mapWorkgroup (\\b -> b |> split 4 |> mapWarp (\\w ->\n"
    "    w |> toLocal (mapLocal (\\x -> 1000 / x)) |> reverse |> mapLocal (\\x -> x * 3) |> scanWarp (+) 0) |> join)\n"
    "  |> join\n";

struct Compiled {
  PhraseProgram source;
  kernel::Program kernel;
};
Compiled compiled(const char* text) {
  const PhraseProgram source = test::entry(text);
  return {source, dpia_trace(source, test::calculus(), Machine::Gpu).kernel()};
}
std::string text_of(const kernel::Program& p) {
  const HipText t = hip_text(p);
  return t.kernel + t.host;
}

std::vector<std::int32_t> numbers(std::size_t n) {
  std::vector<std::int32_t> xs;
  for (std::size_t k = 0; k < n; ++k) xs.push_back(static_cast<std::int32_t>(k * k % 37) + 1);
  return xs;
}
// Its result on these numbers, or why there is none.
std::string run(const Executable& e, const std::vector<std::int32_t>& xs) {
  std::vector<std::int32_t> given = xs, out(xs.size(), -1);
  Arguments arguments;
  arguments.sizes = {{"n", static_cast<std::int64_t>(xs.size() / 8)}};
  Leaves leaves;
  leaves.push_back({ScalarType::I32, {static_cast<std::int64_t>(xs.size())}, nullptr, given.data()});
  arguments.values.push_back(std::move(leaves));
  if (const auto done = e.run_into(arguments, {out.data()}); !done) return show(done.error());
  std::string text;
  for (const std::int32_t x : out) text += std::to_string(x) + " ";
  return text;
}
std::string run_text(const std::string& text, const Compiled& c, std::size_t n = 64) {
  const auto e = load_hip_on_cpu(text, c.kernel, c.source.result);
  if (!e) return e.error().message;
  return run(*e, numbers(n));
}
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("the text has no '" + what + "'");
  return text.replace(at, what.size(), by);
}
std::string expected_turned(std::size_t n) {
  const auto xs = numbers(n);
  std::string out;
  for (std::size_t k = 0; k < n; ++k) out += std::to_string((xs[k / 8 * 8 + 7 - k % 8] + 1) * 2) + " ";
  return out;
}
std::string expected_in_warps(std::size_t n) {
  const auto xs = numbers(n);
  std::string out;
  for (std::size_t k = 0; k < n; ++k) {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j <= k % 4; ++j) sum += 1000 / xs[k / 4 * 4 + 3 - j] * 3;
    out += std::to_string(sum) + " ";
  }
  return out;
}

}  // namespace

TEST_CASE("blocks and warps of the text compute what was written, in any order of blocks and threads") {
  const Compiled t = compiled(turned), w = compiled(in_warps);
  const auto turn = load_hip_on_cpu(text_of(t.kernel), t.kernel, t.source.result);
  const auto warps = load_hip_on_cpu(text_of(w.kernel), w.kernel, w.source.result);
  REQUIRE(turn);
  REQUIRE(warps);
  for (const char* order : {"0", "1", "2", "3", "7", "10"}) {
    const Variable in_order("HIP_CPU_ORDER", order);
    for (const std::size_t n : {0, 8, 64, 200}) {
      CHECK(run(*turn, numbers(n)) == expected_turned(n));
      CHECK(run(*warps, numbers(n)) == expected_in_warps(n));
    }
  }
}

TEST_CASE("a trap in a kernel is the program's, and the next run is as if there had been none") {
  const Compiled c = compiled(in_warps);
  const auto e = load_hip_on_cpu(text_of(c.kernel), c.kernel, c.source.result);
  REQUIRE(e);
  std::vector<std::int32_t> xs = numbers(64);
  xs[13] = 0;
  CHECK_THAT(run(*e, xs), Contains("trap: /: division by zero: 1000 / 0"));
  CHECK(run(*e, numbers(64)) == expected_in_warps(64));
}

TEST_CASE("each mistake in the text is reported") {
  const Compiled t = compiled(turned), w = compiled(in_warps);
  const std::string turn = text_of(t.kernel), warps = text_of(w.kernel);
  const auto barrier_gone = [&](const std::string& order) {
    const Variable in_order("HIP_CPU_ORDER", order);
    return run_text(replaced(turn, "__syncthreads();", ";"), t);
  };
  const std::string forwards = barrier_gone("0"), backwards = barrier_gone("1"), in_steps = barrier_gone("3");
  for (const std::string& found : {forwards, backwards, in_steps}) CHECK(found != expected_turned(64));
  CHECK((forwards != backwards && forwards != in_steps && backwards != in_steps));
  CHECK_THAT(run_text(replaced(turn, "__syncthreads();", "if (threadIdx.x < 3) __syncthreads();"), t),
             Contains("threads 0 and 3 of a block wait at different barriers"));
  CHECK_THAT(run_text(replaced(turn, "__syncthreads();", "if (threadIdx.x > 2) return;\n__syncthreads();"), t),
             Contains("3 threads of a block wait at __syncthreads, and 5 have ended"));
  CHECK_THAT(
      run_text(replaced(turn, "__syncthreads();", "if (threadIdx.x < 3) __syncthreads();\nelse __syncthreads();"), t),
      Contains("wait at different barriers"));
  CHECK(run_text(replaced(turn, "LOCKSTEP_SHARED(int32_t, tmp_, 8);", "int32_t tmp_[8];"), t) != expected_turned(64));
  CHECK(run_text(replaced(turn, "launch(kernel_1<int32_t>, grid_of(", "launch(kernel_1<int32_t>, 1 ? 1 : grid_of("),
                 t) != expected_turned(64));
  CHECK_THAT(run_text(replaced(turn, ", 8, 0, ", ", 2048, 0, "), t), Contains("main: "));
  CHECK_THAT(
      run_text(replaced(turn, "LOCKSTEP_SHARED(int32_t, tmp_, 8);", "LOCKSTEP_SHARED(int32_t, tmp_, 20000);"), t),
      Contains("a block's arrays need 80000 bytes of its memory, which has 49152"));
  // What nobody has written is a pattern: of a block's memory for the block at hand, of the device's for its array.
  CHECK_THAT(run_text(replaced(turn, "tmp_[i_1_] = ", "if (blockIdx.x == 1) tmp_[i_1_] = "), t),
             Contains(std::to_string(static_cast<std::int32_t>(0xA5A5A5A5u * 2u))));
  CHECK_THAT(run_text(replaced(turn, "output_[", "if (threadIdx.x != 5) output_["), t),
             Contains(std::to_string(static_cast<std::int32_t>(0xA5A5A5A5u))));
  CHECK_THAT(run_text(replaced(turn, "hipMemcpy(data, p, bytes,", "hipMemcpy(data, p, bytes + 4,"), t),
             Contains("hipMemcpy to memory of 260 bytes: it goes past the end of the memory"));
  CHECK_THAT(run_text(replaced(turn, "hipMemcpyHostToDevice)", "hipMemcpyDeviceToHost)"), t),
             Contains("the memory is the device's"));
  CHECK_THAT(run_text(replaced(warps, "(LOCKSTEP_LANES)all_of_warp(), holds", "(LOCKSTEP_LANES)1, holds"), w),
             Contains("which its mask has not"));
  CHECK_THAT(run_text(replaced(warps, "(LOCKSTEP_LANES)all_of_warp(), holds",
                               "(LOCKSTEP_LANES)(threadIdx.x < 4 ? 255 : 240), holds"),
                      w),
             Contains("waits at __any_sync, and the others do not come"));
  CHECK_THAT(run_text(replaced(warps, "(int)lane, width", "(int)lane + 8, 64"), w),
             Contains("by __shfl_sync, which takes no part"));
  CHECK_THAT(run_text(replaced(warps, "first_of_warp()), carried(value)", "0), carried(value)"), w),
             Contains("which its mask has not"));
}

TEST_CASE("each call of the device may fail: the program says so, and runs again") {
  const Compiled c = compiled(turned);
  const auto e = load_hip_on_cpu(text_of(c.kernel), c.kernel, c.source.result);
  REQUIRE(e);
  int failures = 0;
  for (int n = 1;; ++n) {
    const Variable fails("HIP_CPU_FAIL", std::to_string(n));
    const std::string first = run(*e, numbers(64));
    if (first == expected_turned(64)) break;
    CHECK_THAT(first, Contains("there is not enough memory for its temporaries"));
    CHECK(run(*e, numbers(64)) == expected_turned(64));
    ++failures;
    REQUIRE(n < 40);
  }
  CHECK(failures == 7);  // memory for the status, the input and the result, clearing, two copies, a launch
}

}  // namespace hip_cpu_test
