// Random programs of FCL: the located machine under a schedule that is drawn, every stage, and the program of the
// calculus give what the source gives, or trap where it traps; planted mistakes are found.
#include <catch2/catch.hpp>

#include "proofs/sizes/solver.h"
#include "props/fcl/mutants.h"
#include "tests/unit/fcl_program.h"

namespace fcl_campaign_test {
using namespace lockstep;

namespace {

std::string told(const props::CampaignFailure& f) {
  return f.finding.property + " at " + f.finding.stage + " on " + f.finding.input + "\n" + f.finding.detail + "\n" +
         f.text;
}

}  // namespace

TEST_CASE("random programs of FCL give at every stage, and in small steps, what their source gives") {
  props::fcl::CampaignOptions how;
  how.programs = 400, how.seed = 3, how.folder = "";
  how.check.lowered_every = 4, how.check.typed_every = 8;
  how.tools.solver = proofs::z3_size_solver();
  const props::fcl::CampaignReport report = props::fcl::run_campaign(how);
  CHECK(report.programs == 400);
  CHECK(report.counts.inputs == 1600);
  CHECK(report.counts.traps > 50);
  CHECK(report.counts.traps < 400);
  CHECK(report.counts.steps > 20'000);
  CHECK(report.counts.typed > 3'000);
  CHECK(report.counts.costed > 1'000);
  CHECK(report.counts.lowered > 60);
  CHECK(report.counts.met > 100);
  CHECK(report.counts.statistics.part("program", "stands where its levels may") == 1);
  CHECK(report.counts.statistics.part("program", "is brought to normal form") > 0.8);
  for (const props::CampaignFailure& f : report.failures) FAIL_CHECK(told(f));
}

TEST_CASE("a program of FCL that fails is made smaller") {
  props::fcl::CampaignOptions how;
  how.folder = "", how.programs = 60, how.stop_after = 1;
  // the program after fusion takes its arrays the other way round
  how.tools.trace = [](const fcl::Entry& e) {
    fcl::Traced out = fcl::trace_of(e);
    for (Step& s : out.trace.steps) {
      if (s.name != "fuse") continue;
      fcl::Entry wrong = s.program.as<fcl::Entry>();
      auto& parameters = wrong.program.program.definitions.back().parameters;
      std::swap(parameters[1].name, parameters[2].name);
      s.program = AnyProgram(fcl::language(), std::move(wrong));
    }
    return out;
  };
  const props::fcl::CampaignReport report = props::fcl::run_campaign(how);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].finding.stage == "fuse");
  CHECK(std::count(report.failures[0].text.begin(), report.failures[0].text.end(), '\n') < 8);
}

TEST_CASE("a program of FCL that takes more rounds than a campaign waits for is no finding") {
  const auto parsed = fcl::parse_program(std::make_shared<const Source>(
      Source{"rounds.fcl",
             "fun main k = while (fn a => index a 0 < 5000) (fn a => push <thread> (map (fn x => x + 1) "
             "a)) (push <thread> [k]) |> push <thread>\n"}));
  REQUIRE(parsed);
  props::fcl::CheckCounts counts;
  props::fcl::Toolchain tools;
  tools.solver = proofs::z3_size_solver();
  CHECK_FALSE(props::fcl::check_program(*parsed, 1, tools, {}, counts));
  CHECK(counts.traps == counts.inputs);
  CHECK(counts.lowered == 1);
  CHECK(counts.met == 0);
}

TEST_CASE("mistakes that are planted in the prelude, rules, the stages and the machine of FCL are found") {
  const std::vector<props::fcl::Mutant> all = props::fcl::mutants(proofs::z3_size_solver());
  CHECK(all.size() == 111);
  std::vector<std::string> directed;
  for (const props::fcl::Mutant& m : all) {
    INFO(m.family << ": " << m.name);
    CHECK(props::fcl::try_mutant(m, 1, 400).caught);
    for (const std::string& text : m.directed)  // those of mistakes in types may have none
      if (m.family != "types") CHECK(test::fcl_errors(text) == "");
    directed.insert(directed.end(), m.directed.begin(), m.directed.end());
  }
  const auto alarm = props::fcl::false_alarm(directed, 1, 20, proofs::z3_size_solver());
  INFO((alarm ? alarm->property + " at " + alarm->stage + ": " + alarm->detail : ""));
  CHECK_FALSE(alarm);
}

}  // namespace fcl_campaign_test
