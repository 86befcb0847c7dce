// The HIP text as it stands, host and kernels, run on the CPU: its results are the interpreter's; and each mistake that
// is planted in the text is reported, by a result or by what it says of the text.
#include <catch2/catch.hpp>

#include "codegen/targets/hip_cpu.h"
#include "tests/unit/device_program.h"
#include "tests/unit/device_runs.h"
#include "tests/unit/variable.h"

namespace hip_cpu_test {
using namespace lockstep;
using Catch::Matchers::Contains;
using test::Variable;

using test::Compiled;
using test::compiled;
using test::expected_in_warps;
using test::expected_turned;
using test::in_warps;
using test::numbers;
using test::replaced;
using test::run;
using test::turned;

namespace {

std::string text_of(const Compiled& c) {
  const HipText t = hip_text(c.host);
  return t.source();
}
tl::expected<Executable, CompileFailure> loaded(const Compiled& c) {
  return load_hip_on_cpu(text_of(c), c.host.of, c.source.result);
}
std::string run_text(const std::string& text, const Compiled& c, std::size_t n = 64) {
  const auto e = load_hip_on_cpu(text, c.host.of, c.source.result);
  if (!e) return e.error().message;
  return run(*e, numbers(n));
}
// In several orders of blocks and threads.
std::string differences(const std::vector<test::DeviceCase>& cases) {
  const test::DeviceRuns runs("hip-cpu", cases);
  for (const char* order : {"0", "1", "3", "10"}) {
    const Variable in_order("HIP_CPU_ORDER", order);
    if (const std::string found = runs.differences(5); !found.empty())
      return "in order " + std::string(order) + ": " + found;
  }
  return "";
}

}  // namespace

TEST_CASE("blocks and warps of the text compute what was written, in any order of blocks and threads") {
  const Compiled t = compiled(turned), w = compiled(in_warps);
  const auto turn = loaded(t);
  const auto warps = loaded(w);
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
  const auto e = loaded(c);
  REQUIRE(e);
  std::vector<std::int32_t> xs = numbers(64);
  xs[13] = 0;
  CHECK_THAT(run(*e, xs), Contains("trap: /: division by zero: 1000 / 0"));
  CHECK(run(*e, numbers(64)) == expected_in_warps(64));
}

TEST_CASE("a check of a variable that another kernel made has its number, and its values") {
  const Compiled c = compiled(
      "fun main [n] (xs : [8*n]i32) : [8*n]i32 =\n"
      "  let s = reduceSeq (+) (-1) xs in mapGlobal (\\x -> 100 / (x - 99) + x / s) xs");
  const auto e = loaded(c);
  REQUIRE(e);
  CHECK_THAT(run(*e, {1, 0, 0, 0, 0, 0, 0, 0}), Contains("trap: /: division by zero: ") && Contains(" / 0"));
  CHECK_THAT(run(*e, {99, 0, 0, 0, 0, 0, 0, 0}), Contains("division by zero: 100 / 0"));
  CHECK_THAT(run(*e, {3, 0, 0, 0, 0, 0, 0, 0}), Contains("0 -1 -1 -1 -1 -1 -1 -1"));
}

TEST_CASE("loops, branches and transfers of the host give what the interpreter gives") {
  CHECK(differences(test::of_the_host) == "");
}
TEST_CASE("traps of kernels have their numbers and values, and nothing comes after them") {
  CHECK(differences(test::of_traps) == "");
}
TEST_CASE("threads that share memory leave it together at a trap") {
  CHECK(differences(test::of_traps_of_threads) == "");
}
TEST_CASE("blocks, their barriers and what their first thread stores give what the interpreter gives") {
  CHECK(differences(test::of_blocks) == "");
}
TEST_CASE("atomic updates of 32 and of 64 bits give what the interpreter gives") {
  CHECK(differences(test::of_updates) == "");
}
TEST_CASE("warps and their memory give what the interpreter gives") { CHECK(differences(test::of_warps) == ""); }
TEST_CASE("rounds of warps that trap or shuffle give what the interpreter gives") {
  CHECK(differences(test::of_rounds) == "");
}

TEST_CASE("each mistake in the text is reported") {
  const Compiled t = compiled(turned), w = compiled(in_warps);
  const std::string turn = text_of(t), warps = text_of(w);
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
  CHECK(run_text(replaced(turn, "LOCKSTEP_LAUNCH(kernel_1<int32_t>, grid_of(",
                          "LOCKSTEP_LAUNCH(kernel_1<int32_t>, 1 ? 1 : grid_of("),
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
  CHECK_THAT(run_text(replaced(turn, "hipMemcpy(to, from, bytes, hipMemcpyHostToDevice)",
                               "hipMemcpy(to, from, bytes + 4, hipMemcpyHostToDevice)"),
                      t),
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
  int failures = 0;
  const std::vector<std::string> said = {"memory of the device: out of memory (256 bytes are asked for, 0 of ",
                                         "a copy to the device: invalid argument (256 bytes)",
                                         "memory of the device: out of memory (256 bytes are asked for, 0 of ",
                                         "kernel_1<int32_t>: the launch failed",
                                         "a copy from the device: invalid argument (256 bytes)"};
  for (int n = 1;; ++n) {
    const auto e = loaded(c);  // anew: what is kept of the device is given back with it
    REQUIRE(e);
    const Variable fails("HIP_CPU_FAIL", std::to_string(n));
    const std::string first = run(*e, numbers(64));
    if (first == expected_turned(64)) break;
    CHECK_THAT(first, Contains(said.at(static_cast<std::size_t>(failures))));
    CHECK(run(*e, numbers(64)) == expected_turned(64));
    ++failures;
    REQUIRE(n < 40);
  }
  CHECK(failures == 5);
}

TEST_CASE("a device that is lost stays lost, and a kernel that does not end is given up") {
  const Compiled c = compiled(turned);
  {
    const auto e = loaded(c);
    REQUIRE(e);
    const Variable fails("HIP_CPU_FAIL", "3:lost");
    CHECK_THAT(run(*e, numbers(64)), Contains("memory of the device: the device is lost"));
    CHECK_THAT(run(*e, numbers(64)), Contains("the device is lost"));
  }
  const Variable seconds("LOCKSTEP_KERNEL_SECONDS", "0.1");
  const auto e = loaded(c);
  REQUIRE(e);
  CHECK(run(*e, numbers(64)) == expected_turned(64));
  const Variable fails("HIP_CPU_FAIL", "2:endless");
  CHECK_THAT(run(*e, numbers(64)), Contains("kernel_1<int32_t> has not ended in 0.1 s, and is given up"));
  CHECK_THAT(run(*e, numbers(64)),
             Contains("the device is busy: kernel_1<int32_t>, which was given up, has not ended"));
}

TEST_CASE("memory of the device is kept from call to call, and given up where there is no other") {
  const Compiled c = compiled(turned);
  const auto e = loaded(c);
  REQUIRE(e);
  REQUIRE(run(*e, numbers(64)) == expected_turned(64));
  {
    const Variable fails("HIP_CPU_FAIL", "1");  // the copy: nothing is allocated any more
    CHECK_THAT(run(*e, numbers(64)), Contains("a copy to the device: invalid argument"));
  }
  {
    const Variable fails("HIP_CPU_FAIL", "1");  // memory of another class: what is kept is freed, and it is there
    CHECK(run(*e, numbers(1600)) == expected_turned(1600));
  }
}

TEST_CASE("memory that is given back is taken again by what needs as much") {
  const Compiled c = compiled(
      "fun main [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =\n"
      "  let ys = mapGlobal (\\x -> x + 1) xs in let zs = mapGlobal (\\y -> y * 2) (reverse ys) in\n"
      "  mapGlobal (\\z -> z + 3) (reverse zs)");
  const std::vector<std::string> calls = {"memory",   "a copy to", "memory",     "kernel_1",
                                          "kernel_2", "kernel_3",  "a copy from"};  // of four arrays, two have memory
  for (std::size_t n = 1; n <= calls.size(); ++n) {
    const auto e = loaded(c);
    REQUIRE(e);
    const Variable fails("HIP_CPU_FAIL", std::to_string(n));
    CHECK_THAT(run(*e, numbers(64)), Contains(calls[n - 1]));
  }
}

TEST_CASE("mistakes of the host's part are reported") {
  const Compiled c = compiled(
      "fun main [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =\n"
      "  let ys = mapGlobal (\\x -> x + 1) xs in let zs = mapGlobal (\\y -> y * 2) (reverse ys) in\n"
      "  iterate 3 (\\a -> mapGlobal (\\x -> x + 1) a) zs");
  const std::string text = text_of(c);
  const auto xs = numbers(64);
  std::string expected;
  for (std::size_t k = 0; k < 64; ++k) expected += std::to_string((xs[63 - k] + 1) * 2 + 3) + " ";
  INFO(text.substr(text.find("main_call")));
  REQUIRE(run_text(text, c) == expected);
  CHECK(run_text(replaced(text, "++i_2_)", "i_2_ += 2)"), c) != expected);                        // a loop cut short
  CHECK(run_text(replaced(text, "i_2_ < int64_t(3);", "!(i_2_ < int64_t(3));"), c) != expected);  // turned round
  CHECK(run_text(replaced(text, "device_send(data, p, bytes)", "device_send(data, p, bytes - 4)"), c) != expected);
  const std::string next = "DeviceArray<int32_t> tmp_device_(";  // given back too early: another array is there
  CHECK(run_text(replaced(text, next, "xs_device_.release();\n" + next), c) != expected);
  CHECK(run_text(replaced(text, "grid_of(n_ * 8, 8, 3)", "1"), c) != expected);
}

}  // namespace hip_cpu_test
