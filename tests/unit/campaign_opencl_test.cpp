// Random programs on the target opencl: nothing is found in texts as they stand, under Oclgrind either; each mistake
// that is planted in a text is found, in the program that has it, with the line. Without a device, or Oclgrind, nothing
// is tried.
#include <catch2/catch.hpp>

#include "codegen/targets/opencl.h"
#include "tests/unit/planted_texts.h"

namespace campaign_opencl_test {
using namespace lockstep;
using namespace lockstep::props;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::in_warps;
using test::line_of;
using test::Planted;
using test::turned;

namespace {

bool is_here(Sanitizer s) {
  std::string why = find_target("opencl")->unavailable();
  if (why.empty() && s != Sanitizer::None) why = unavailable(s);
  if (!why.empty()) WARN("not tried: " + why);
  return why.empty();
}
CampaignOptions on_opencl(Sanitizer sanitizer) { return test::on_target("opencl", sanitizer); }
Planted found(const std::string& what, const std::string& by, Sanitizer sanitizer) {
  CampaignReport report;
  const auto text_of = [](const AnyProgram& p) { return opencl_text(p.as<host::Program>()).host; };
  Planted out = test::planted({turned, turned}, on_opencl(sanitizer), text_of, what, by, report);
  CHECK(report.with_text == 2);
  CHECK_FALSE(out.all.at(0));
  return out;
}

// Of its text clang warns that it compares a number with itself.
constexpr const char* with_itself = "fun main (a : u16) : u16 = maximum a a";
const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n    {\n      const Index i_2_count_";

}  // namespace

TEST_CASE("OpenCL's texts as they stand are right, and Oclgrind says nothing of them") {
  for (const Sanitizer s : {Sanitizer::None, Sanitizer::Oclgrind}) {
    if (!is_here(s)) continue;
    CampaignReport report;
    for (const auto& f : test::found_in({turned, in_warps, with_itself}, on_opencl(s), report)) {
      INFO((f ? f->property + ": " + f->detail : ""));
      CHECK_FALSE(f);
    }
    CHECK(report.with_text == 3);
  }
}

TEST_CASE("a barrier that is gone is found in OpenCL's text, as a wrong result and as a race with its line") {
  if (!is_here(Sanitizer::Oclgrind)) return;
  const Planted wrong = found(barrier, "{\n      const Index i_2_count_", Sanitizer::None);
  REQUIRE(wrong.finding);
  CHECK(wrong.finding->property == "meaning");
  CHECK(wrong.finding->stage == "opencl");
  const Planted race = found("grid_of(n_, 1, 3)", "2 * grid_of(n_, 1, 3)", Sanitizer::Oclgrind);
  REQUIRE(race.finding);
  CHECK(race.finding->property == "oclgrind");
  CHECK_THAT(race.finding->detail,
             StartsWith("Write-write data race") && Contains(line_of(race.text, "tmp_0[7 - i_2_]")));
}

TEST_CASE("an index past its array is found in OpenCL's text with its line") {
  if (!is_here(Sanitizer::Oclgrind)) return;
  const Planted p = found("xs_[i_ * 8 + i_1_]", "xs_[i_ * 8 + i_1_ + 640]", Sanitizer::Oclgrind);
  REQUIRE(p.finding);
  CHECK_THAT(p.finding->detail, StartsWith("Invalid read") && Contains(line_of(p.text, "+ i_1_ + 640]")));
}

}  // namespace campaign_opencl_test
