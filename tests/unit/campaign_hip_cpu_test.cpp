// Random programs on the target hip-cpu: nothing is found in texts as they stand, under sanitizers either; each mistake
// that is planted in a text is found, in the program that has it, with the line.
#include <catch2/catch.hpp>

#include <algorithm>

#include "codegen/targets/hip.h"
#include "tests/unit/long_run.h"
#include "tests/unit/planted_texts.h"

namespace campaign_hip_cpu_test {
using namespace lockstep;
using namespace lockstep::props;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::all_failures;
using test::found_in;
using test::line_of;
using test::Planted;
using test::replaced;
using test::turned;

namespace {

// Memory of a block of which only a launch knows the size: found to be a race.
const char* const of_a_launch =
    "fun main [n] (xs : [4][n]i32) : [4][n]i32 block 64 warp 32 grid 3 =\n"
    "  xs |> mapWorkgroup (\\b -> mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) b)))\n";
// More blocks than run at once, whose threads have arrays on their stacks: found to be races of blocks that follow each
// other.
const char* const of_many_blocks =
    "fun main [n] (xs : [n+12]u8) : [8*n+96][4]u8 block 2 warp 1 grid 40 =\n"
    "  xs |> mapWorkgroup (\\x -> generate 8 (\\i -> splat 4 x) |> split 2 |> mapWarp (\\w ->\n"
    "    mapLocal (\\y -> y) (reverse (toLocal (mapLocal lanes) w))) |> join) |> join\n";
// A variable that one kernel makes for the next, which makes another: found to have no text.
const char* const by_two_variables =
    "fun main [n m] (x0 : [2]u8) : [2][2]u8 where n%5 == 2 =\n"
    "  i32 (x0 ! 0) |> replicate n |> mapWorkgroup (\\x5 -> x0)\n"
    "  |> select (let x3 = i16 1i16 in x3 != 0i16) (replicate n x0) |> take 2\n";

std::string text_of(const AnyProgram& p) {
  const HipText t = hip_text(p.as<host::Program>());
  return t.source();
}
CampaignOptions on_hip_cpu(Sanitizer sanitizer = Sanitizer::None) { return test::on_target("hip-cpu", sanitizer); }

// In the text of the middle one of three programs: it alone is found.
Planted found(const std::string& what, const std::string& by, Sanitizer sanitizer, double seconds = 60) {
  CampaignOptions o = on_hip_cpu(sanitizer);
  o.seconds = seconds;
  CampaignReport report;
  Planted out = test::planted({turned, turned, of_a_launch}, o, text_of, what, by, report);
  CHECK(report.with_text == 3);
  REQUIRE(out.all.size() == 3);
  CHECK_FALSE(out.all[0]);
  CHECK_FALSE(out.all[2]);
  return out;
}

}  // namespace

TEST_CASE("texts as they stand are right, and no sanitizer says anything of them") {
  for (const Sanitizer s : {Sanitizer::Thread, Sanitizer::Address, Sanitizer::None}) {
    if (s != Sanitizer::Thread && !test::long_run()) continue;
    CampaignReport report;
    for (const auto& f : found_in({turned, of_a_launch, of_many_blocks, by_two_variables}, on_hip_cpu(s), report)) {
      INFO((f ? f->property + ": " + f->detail : ""));
      CHECK_FALSE(f);
    }
    CHECK(report.with_text == 4);
    CHECK(report.by_bound == 0);
  }
}

// Found: the vector that one kernel leaves another has four lanes of memory.
TEST_CASE("a short vector of three lanes stays within its memory between kernels") {
  CampaignReport report;
  const auto f = found_in({"fun main (x0 : [3]u16) (x1 : [8](i32, i32<3>)) : [13]u16 =\n"
                           "  pad 1 2 (0, splat 3 (i32 (x0 ! 0))) x1\n"
                           "  |> pad 1 1 (i32 (x0 ! 0), splat 3 (i32 (x0 ! 0))) |> unzip |> snd\n"
                           "  |> map (\\x2 -> reduce (\\(x3, _) x4 -> u16 9i8) (u16 (lanes x2 ! 2)) x1)\n"},
                          on_hip_cpu(Sanitizer::Address), report);
  INFO((f.front() ? f.front()->detail : ""));
  CHECK_FALSE(f.front());
  CHECK(report.with_text == 1);
}

TEST_CASE("a wrong result is found") {
  const Planted p = found("* (uint32_t)2", "* (uint32_t)3", Sanitizer::None);
  REQUIRE(p.finding);
  CHECK(p.finding->property == "meaning");
  CHECK(p.finding->stage == "hip-cpu");
  CHECK_THAT(p.finding->detail, Contains("of the source"));
}

TEST_CASE("a barrier that is gone is a data race, with both lines, under the thread sanitizer") {
  const Planted p = found("__syncthreads();", ";", Sanitizer::Thread);
  REQUIRE(p.finding);
  CHECK(p.finding->property == "thread sanitizer");
  CHECK(p.finding->stage == "hip-cpu");
  CHECK_THAT(p.finding->input, StartsWith("n="));
  CHECK_THAT(p.finding->detail, StartsWith("data race\n") && Contains(line_of(p.text, "tmp_[i_1_] =")) &&
                                    Contains(line_of(p.text, "tmp_[7 - i_2_] * (uint32_t)2")));
}

TEST_CASE("a race is found where the result is right, which no result shows") {
  if (!test::long_run()) return;
  const std::string once = "LAUNCH(kernel_1<int32_t>, grid_of", twice = "LAUNCH(kernel_1<int32_t>, 2 * grid_of";
  CHECK_FALSE(found(once, twice, Sanitizer::None).finding);
  const Planted p = found(once, twice, Sanitizer::Thread);
  REQUIRE(p.finding);
  CHECK_THAT(p.finding->detail, StartsWith("data race\n"));
}

TEST_CASE("an index past its array is found with its line under the address sanitizer") {
  const Planted p = found("tmp_[7 - i_2_]", "tmp_[9 - i_2_]", Sanitizer::Address);
  REQUIRE(p.finding);
  CHECK(p.finding->property == "address sanitizer");
  CHECK_THAT(p.finding->detail, StartsWith(p.finding->rule + "\n") && Contains(line_of(p.text, "tmp_[9 - i_2_]")));
  if (!test::long_run()) return;
  const Planted device = found("xs_[i_ * 8 + i_1_]", "xs_[i_ * 8 + i_1_ + 64]", Sanitizer::Address);
  REQUIRE(device.finding);
  CHECK_THAT(device.finding->detail, Contains(line_of(device.text, "+ i_1_ + 64]")));
}

TEST_CASE("what ends the process, or does not let it end, is a finding of the program that does it") {
  const Planted fault = found("__syncthreads();", "if (threadIdx.x < 3) __syncthreads();", Sanitizer::None);
  REQUIRE(fault.finding);
  CHECK(fault.finding->property == "fault");
  CHECK_THAT(fault.finding->detail,
             Contains("wait at different barriers") && Contains(line_of(fault.text, "if (threadIdx.x < 3)")));
  const std::string start = "(void)trap;";
  const Planted crash = found(start, "*(volatile int*)8 = 1; " + start, Sanitizer::None);
  REQUIRE(crash.finding);
  CHECK(crash.finding->property == "ends");
  CHECK_THAT(crash.finding->detail, Contains("signal 11"));
  if (!test::long_run()) return;
  const Planted endless = found(start, "while (true) asm volatile(\"\"); " + start, Sanitizer::None, 2);
  REQUIRE(endless.finding);
  CHECK(endless.finding->property == "ends");
  CHECK_THAT(endless.finding->detail, Contains("does not end within 2 s"));
}

TEST_CASE("a text that does not compile is the finding of its program") {
  if (!test::long_run()) return;
  const Planted p = found("__syncthreads();", "__syncthread();", Sanitizer::None);
  REQUIRE(p.finding);
  CHECK(p.finding->property == "compiles");
  CHECK_THAT(p.finding->detail, Contains("__syncthread"));
}

TEST_CASE("what the target has no text of is counted, and what its own functions make is held to the bound") {
  CampaignReport report;
  const auto found = found_in({"fun main [n] (start : [3]u64) (is : [n]i64) (xs : [n]u64) : [3]u64 =\n"
                               "  permuteGlobal (*) start (map (\\i -> i & 1) is) xs\n",
                               "fun main [n] (xs : [n+9]f32) : [n+9]f32 = map (\\x -> exp (x / 8)) xs\n", turned},
                              on_hip_cpu(), report);
  for (const auto& f : found) {
    INFO((f ? f->property + ": " + f->detail : ""));
    CHECK_FALSE(f);
  }
  CHECK(report.with_text == 2);
  CHECK(report.by_bound == 1);
  REQUIRE(report.refused.size() == 1);
  CHECK_THAT(report.refused.begin()->first, StartsWith("HIP has no atomic '...' on u64"));
  CHECK(report.refused.begin()->second == 1);
}

TEST_CASE("integers are held bit for bit beside what is held to the bound, and floats are held to it") {
  const auto found = [](const std::string& what, const std::string& by) {
    CampaignOptions o = on_hip_cpu();
    o.tools.compiled = [&](const AnyProgram& p) { return in_parts(replaced(text_of(p), what, by)); };
    CampaignReport report;
    auto all = found_in(
        {"fun main [n] (xs : [n+9]i32) : [n+9](f32, i32) = map (\\x -> (exp (f32 (x & 7)), x * 7)) xs\n"}, o, report);
    CHECK(report.undecided == 0);
    CHECK(report.by_bound == 1);
    return all.front() ? all.front()->property + ": " + all.front()->detail : "";
  };
  CHECK(found("(uint32_t)7", "(uint32_t)7") == "");
  CHECK_THAT(found("(uint32_t)7", "(uint32_t)7 + 1"), StartsWith("meaning: expected"));
  CHECK_THAT(found("expf(", "1.00001f * expf("), StartsWith("meaning: expected"));
}

TEST_CASE("more than a fifth held to the bound alone is too much, of fifty programs or more") {
  CampaignReport r;
  const auto too_much = [&](std::size_t by_bound, std::size_t all) {
    r.by_bound = by_bound, r.with_text = all;
    return r.too_much_by_bound();
  };
  CHECK_FALSE(too_much(20, 100));
  CHECK(too_much(21, 100));
  CHECK_FALSE(too_much(40, 49));
  CHECK(too_much(11, 50));
  CHECK_FALSE(too_much(10, 50));
}

TEST_CASE("launches for hip-cpu are small, all of them are drawn, and a program's own stays") {
  const PhraseProgram program = test::entry("fun main [n] (xs : [n]i32) : [n]i32 = xs\n");
  std::set<int> blocks, grids;
  for (std::uint64_t k = 0; k < 200; ++k) {
    PhraseProgram p = program;
    draw_launch(p, seed_of(1, k), on_hip_cpu());
    blocks.insert(p.launch.block), grids.insert(p.launch.grid);
    CHECK_FALSE(wrong_launch(p.launch));
    CHECK((p.launch.index == 32 || p.launch.index == 64));
  }
  CHECK(blocks == std::set<int>{1, 2, 33, 64});
  CHECK(grids == std::set<int>{1, 2, 3, 4});
  PhraseProgram own = program;
  own.launch.block = 128;
  draw_launch(own, 7, on_hip_cpu());
  CHECK(own.launch.block == 128);
}

TEST_CASE("random programs for hip-cpu go down the GPU's pipeline and agree with their sources") {
  CampaignOptions o = on_hip_cpu();
  o.programs = 24, o.seed = 6;
  o.compiled_programs = 16;
  const CampaignReport r = run_campaign(o);
  INFO(all_failures(r));
  CHECK(r.failures.empty());
  CHECK(r.with_text >= 10);
  CHECK(r.with_text <= 16);
  std::size_t refused = 0;
  for (const auto& [why, count] : r.refused) refused += count;
  CHECK(r.with_text + refused <= 16);
  CHECK(r.bounded > 10);
}

// A barrier that is missing in every text: random programs show it, the smallest is written with the command.
TEST_CASE("a mistake in all texts is found by random programs and shrunk, with the command that repeats it") {
  if (!test::long_run()) return;
  CampaignOptions o = on_hip_cpu(Sanitizer::Thread);
  o.programs = o.compiled_programs = 60, o.seed = 6, o.stop_after = 1;
  o.tools.compiled = [](const AnyProgram& p) {
    std::string text = text_of(p);
    while (text.find("    __syncthreads();") != std::string::npos) text = replaced(text, "    __syncthreads();", ";");
    return in_parts(text);
  };
  const CampaignReport r = run_campaign(o);
  REQUIRE(r.failures.size() == 1);
  const CampaignFailure& f = r.failures.front();
  CHECK(f.finding.property == "thread sanitizer");
  CHECK_THAT(f.finding.detail, StartsWith("data race\nline "));
  CHECK_THAT(f.command, Contains("--target hip-cpu --sanitizer thread"));
  CHECK(node_count(*parse_program(std::make_shared<Source>(Source{"small.dpia", f.text}))) < f.nodes);
}

}  // namespace campaign_hip_cpu_test
