// The OpenCL text, on the device that is there: its results are what was written, and mistakes that are planted in it
// are reported, by a result or by what the device says. Without a device nothing is tried.
#include "codegen/targets/opencl.h"

#include <catch2/catch.hpp>

#include "tests/unit/device_program.h"
#include "tests/unit/device_runs.h"
#include "tests/unit/kernel_program.h"
#include "tests/unit/variable.h"

namespace opencl_test {
using namespace lockstep;
using Catch::Matchers::Contains;
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

bool is_here() {
  const std::string why = find_target("opencl")->unavailable();
  if (!why.empty()) WARN("not tried: " + why);
  return why.empty();
}
std::string text_of(const Compiled& c) { return opencl_text(c.host).host; }
std::string run_text(const std::string& text, const Compiled& c, std::size_t n = 64) {
  const auto e = load_opencl(text, c.host.of, c.source.result);
  if (!e) return e.error().message;
  return run(*e, numbers(n));
}
std::string differences(const std::vector<test::DeviceCase>& cases, Sanitizer by = Sanitizer::None) {
  if (!is_here()) return "";
  const std::string why = by == Sanitizer::None ? "" : unavailable(by);
  if (!why.empty()) WARN("not tried: " + why);
  return why.empty() ? test::DeviceRuns("opencl", cases, by).differences(30) : "";
}

}  // namespace

TEST_CASE("blocks and warps of the OpenCL text compute what was written") {
  if (!is_here()) return;
  for (const auto& [program, expected] :
       {std::pair{turned, &expected_turned}, std::pair{in_warps, &expected_in_warps}}) {
    const Compiled c = compiled(program);
    const auto e = load_opencl(text_of(c), c.host.of, c.source.result);
    REQUIRE(e);
    for (const std::size_t n : {0, 8, 64, 200}) CHECK(run(*e, numbers(n)) == expected(n));
  }
}

TEST_CASE("a trap in a kernel of OpenCL is the program's, and the next run is as if there had been none") {
  if (!is_here()) return;
  const Compiled c = compiled(in_warps);
  const auto e = load_opencl(text_of(c), c.host.of, c.source.result);
  REQUIRE(e);
  std::vector<std::int32_t> xs = numbers(64);
  xs[13] = 0;
  CHECK_THAT(run(*e, xs), Contains("trap: /: division by zero: 1000 / 0"));
  CHECK(run(*e, numbers(64)) == expected_in_warps(64));
}

TEST_CASE("warps that check between their local loops have labels of their own") {
  if (!is_here()) return;
  const std::string warps =
      "split 4 |> mapWarp (\\w -> let q = 100 / (w ! 0) in\n"
      "      w |> toLocal (mapLocal (\\x -> x + q)) |> reverse |> mapLocal (\\x -> x * 3))";
  const Compiled c = compiled(("fun main [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =\n"
                               "  xs |> split 8 |> mapWorkgroup (\\b -> let y = b |> " +
                               warps + " |> join in y |> " + warps + " |> join) |> join\n")
                                  .c_str());
  std::vector<std::int32_t> xs = numbers(16);
  std::string expected;
  for (std::size_t w = 0; w < 4; ++w) {
    std::vector<std::int32_t> lanes(xs.begin() + static_cast<std::ptrdiff_t>(4 * w),
                                    xs.begin() + static_cast<std::ptrdiff_t>(4 * w + 4));
    for (int round = 0; round < 2; ++round) {
      const std::int32_t q = 100 / lanes[0];
      std::reverse(lanes.begin(), lanes.end());
      for (std::int32_t& x : lanes) x = (x + q) * 3;
    }
    for (const std::int32_t x : lanes) expected += std::to_string(x) + " ";
  }
  const auto e = load_opencl(text_of(c), c.host.of, c.source.result);
  REQUIRE(e);
  CHECK(run(*e, xs) == expected);
  xs[4] = 0;
  CHECK_THAT(run(*e, xs), Contains("trap: /: division by zero: 100 / 0"));
}

TEST_CASE("loops, branches and transfers of the host of OpenCL give what the interpreter gives") {
  CHECK(differences(test::of_the_host) == "");
}
TEST_CASE("traps of kernels of OpenCL have their numbers and values, and nothing comes after them") {
  CHECK(differences(test::of_traps) == "");
}
TEST_CASE("threads of OpenCL that share memory leave it together at a trap") {
  CHECK(differences(test::of_traps_of_threads) == "");
}
TEST_CASE("blocks of OpenCL, their barriers and what their first thread stores give what the interpreter gives") {
  CHECK(differences(test::of_blocks) == "");
}
TEST_CASE("atomic updates of OpenCL of 32 and of 64 bits give what the interpreter gives") {
  CHECK(differences(test::of_updates) == "");
}
TEST_CASE("warps of OpenCL and their memory give what the interpreter gives") {
  CHECK(differences(test::of_warps) == "");
}
TEST_CASE("rounds of warps of OpenCL that trap or shuffle give what the interpreter gives") {
  CHECK(differences(test::of_rounds) == "");
}
TEST_CASE("a device of OpenCL whose f32 is not that of IEEE is no target, and says why") {
  constexpr std::uint64_t subnormals = 1, rounded = 128, others = 0b111110;  // CL_FP_...
  CHECK(opencl_without(subnormals | rounded) == "");
  CHECK_THAT(opencl_without(rounded | others), Contains("no subnormals"));
  CHECK_THAT(opencl_without(subnormals | others), Contains("does not round quotients"));
}
TEST_CASE("kernels of OpenCL are compiled as they are written where the device's compiler optimises wrongly") {
  CHECK(differences(test::of_an_optimiser) == "");
}

TEST_CASE("Oclgrind says nothing of blocks, their memory, barriers and updates") {
  CHECK(differences(test::of_blocks, Sanitizer::Oclgrind) == "");
  CHECK(differences(test::of_updates, Sanitizer::Oclgrind) == "");
}
TEST_CASE("Oclgrind says nothing of warps and their memory") {
  CHECK(differences(test::of_warps, Sanitizer::Oclgrind) == "");
}
TEST_CASE("Oclgrind says nothing of rounds of warps that trap or shuffle, and computes what the interpreter does") {
  CHECK(differences(test::of_rounds, Sanitizer::Oclgrind) == "");
}

TEST_CASE("each mistake in the OpenCL text is reported") {
  if (!is_here()) return;
  const Compiled t = compiled(turned);
  const std::string text = text_of(t),
                    barrier =
                        "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n    {\n      const Index i_2_count_";
  CHECK(run_text(replaced(text, barrier, "{\n      const Index i_2_count_"), t) != expected_turned(64));
  CHECK(run_text(replaced(text, "__local int tmp_0[8];", "int tmp_0[8];"), t) != expected_turned(64));
  CHECK(run_text(replaced(text, "output_[i_ * 8 + i_2_] =", "output_[i_ * 8] ="), t) != expected_turned(64));
  CHECK(run_text(replaced(text, "grid_of(n_, 1, 3)", "1"), t) != expected_turned(64));
  CHECK_THAT(run_text(replaced(text, "tmp_0[i_1_] =", "tmp_0[i_1_] = nothing"), t),
             Contains("the device's compiler refuses the kernels") && Contains("nothing"));
  CHECK_THAT(run_text(replaced(text, "\"kernel_1\"", "\"kernel_9\""), t), Contains("clCreateKernel: OpenCL's error"));
  CHECK_THAT(run_text(replaced(text, "device_send(data, p, bytes)", "device_send(data, p, bytes + 4096)"), t),
             Contains("clEnqueueWriteBuffer: OpenCL's error"));
}

TEST_CASE("a device that is not there is said") {
  if (!is_here()) return;
  const Compiled t = compiled(turned);
  const test::Variable other("LOCKSTEP_OPENCL_DEVICE", "99");
  CHECK_THAT(run_text(text_of(t), t), Contains("OpenCL finds no such device"));
}

TEST_CASE("warps that do not come together are refused, and those that do go through their rounds") {
  const auto unfit = [](const std::string& in_warps) {
    std::string out;
    for (const std::string& why : opencl_unfit(kernel::dealt_out_from(
             "kernel p(n) block 8 warp 4 grid 3 input i64 k[n]; output i32 r[n]; parallel workgroup (g < n) {\n"
             "  parallel warp (w < 5) with (i32 s[4] @local) { " +
             in_warps + " } store r[g] = 1i32; }")))
      out += why + "\n";
    return out;
  };
  const std::string meet = "{ parallel local (l < 4) store s[l] = 1i32; barrier warp; }";
  CHECK(unfit(meet).empty());
  CHECK(unfit("for (j < g) " + meet).empty());
  CHECK(unfit("if (g < n / 2) " + meet).empty());
  CHECK(unfit("for (j < w) parallel local (l < 4) store s[l] = 1i32;").empty());
  CHECK_THAT(unfit("for (j < w) " + meet), Contains("meet in the loop over 'j', as often as data or the warp says"));
  CHECK_THAT(unfit("for (j < k[g]) " + meet), Contains("meet in the loop over 'j'"));
  CHECK_THAT(unfit("var i64 m = w; for (j < m) " + meet), Contains("meet in the loop over 'j'"));
  CHECK_THAT(unfit("if (w < 1) " + meet), Contains("meet where data or the warp says so, w < 1"));
  CHECK_THAT(unfit("while (k[g] < 1) " + meet), Contains("meet in a while loop"));
  CHECK_THAT(
      unfit("parallel local (l < 4) { var i64 m = shuffle(l, 0, 4); for (j < m) { var i64 k = shuffle(l, 0, 4); } }"),
      Contains("meet in the loop over 'j'"));
  CHECK_THAT(unfit("parallel local (l < 4) { for (j < l) { var i64 k = shuffle(l, 0, 4); } }"),
             Contains("meet in the loop over 'j'"));
  if (!is_here()) return;
  // Five warps' iterations on two warps of the hardware's, each with memory that the next round takes.
  const kernel::Program p = kernel::dealt_out_from(
      "kernel p(n) block 8 warp 4 grid 3 input i32 xs[20 * n]; output i32 r[20 * n]; parallel workgroup (g < n)\n"
      "  parallel warp (w < 5) with (i32 s[4] @local) { for (j < 2) { barrier warp;\n"
      "    parallel local (l < 4) store s[l] = xs[g * 20 + w * 4 + l]; barrier warp;\n"
      "    parallel local (l < 4) store r[g * 20 + w * 4 + l] = s[3 - l]; } }");
  const auto e = load_opencl(opencl_text(hosted(p)).host, p, array(Size(20) * Size::name("n"), {ScalarType::I32}));
  REQUIRE(e);
  std::vector<std::int32_t> xs(60), out(60, -1);
  for (std::size_t k = 0; k < 60; ++k) xs[k] = static_cast<std::int32_t>(k * k);
  Arguments arguments;
  arguments.sizes = {{"n", 3}};
  Leaves leaves;
  leaves.push_back({ScalarType::I32, {60}, nullptr, xs.data()});
  arguments.values.push_back(std::move(leaves));
  REQUIRE(e->run_into(arguments, {out.data()}));
  for (std::size_t k = 0; k < 60; ++k) CHECK(out[k] == xs[k / 4 * 4 + 3 - k % 4]);
}

}  // namespace opencl_test
