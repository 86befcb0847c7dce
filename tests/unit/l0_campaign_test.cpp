// Random programs of L0 through all stages, and planted mistakes: each is found, and without one nothing is.
#include <catch2/catch.hpp>

#include "proofs/sizes/solver.h"
#include "props/l0/generate.h"
#include "props/l0/mutants.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"

namespace l0_campaign_test {
using namespace lockstep;

TEST_CASE("random programs of L0 give at every stage what their source gives") {
  props::l0::CampaignOptions how;
  how.programs = 400, how.seed = 3, how.folder = "";
  how.tools.solver = proofs::z3_size_solver();
  const props::l0::CampaignReport report = props::l0::run_campaign(how);
  CHECK(report.programs == 400);
  CHECK(report.counts.inputs == 1600);
  CHECK(report.counts.traps > 100);
  CHECK(report.counts.lowered > 160);  // of 400, in both modes where those differ
  CHECK(report.counts.met > 600);
  for (const props::CampaignFailure& f : report.failures)
    FAIL_CHECK(f.finding.property << " at " << f.finding.stage << " on " << f.finding.input << "\n"
                                  << f.finding.detail << "\n"
                                  << f.text);
}

TEST_CASE("an array of L0 whose size no memory holds is no finding: fused, a program does without it") {
  const auto parsed = l0::parse_program(std::make_shared<const Source>(
      Source{"large.l0", "fun int main(int n) = size(map(op +(1), iota(9223372036854775807))) + n\n"}));
  REQUIRE(parsed);
  props::l0::CheckCounts counts;
  CHECK_FALSE(props::l0::check_program(*parsed, 1, props::l0::Toolchain::standard(), {.inputs = 3}, counts));
  CHECK(counts.inputs == 3);
  CHECK(counts.large == 3);
}

TEST_CASE("of an array of tuples that is drawn the parts are equally long") {
  const auto parsed = l0::parse_program(std::make_shared<const Source>(
      Source{"tuples.l0",
             "fun int main([(int, [(real, bool)])] a, ([int], [int]) b) = size(a) + size(map(fn int ((int, "
             "[(real, bool)]) x) => let (n, r) = x in n, a))\n"}));
  REQUIRE(parsed);
  const auto typed = l0::checked(*parsed);
  REQUIRE(typed);
  std::set<std::string> lengths;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const l0::Values leaves = props::l0::random_arguments(typed->functions.back(), seed);
    REQUIRE(leaves.size() == 5);
    const auto dimensions = [&](std::size_t k) { return l0::as_array(leaves[k]).shape.dimensions(); };
    CHECK(dimensions(1) == dimensions(2));
    CHECK(dimensions(0)[0] == dimensions(1)[0]);
    lengths.insert(l0::show(dimensions(1)));
    CHECK_FALSE(props::l0::shown_arguments(typed->functions.back(), leaves).empty());
  }
  CHECK(lengths.size() > 6);
}

TEST_CASE("random programs of L0 are what the campaign is for: some fuse, in each way, and some must not") {
  std::map<std::string, int> rules;
  std::set<fusion::Case> cases;
  std::string text;
  for (std::uint64_t k = 0; k < 300; ++k) {
    const l0::Program p = props::l0::generate_program(props::seed_of(11, k), 7);
    text += l0::print(p);
    for (const fusion::Decision& d : l0::fusions_of({p, "main"}, l0::FusionMode::Full)) {
      if (d.obstacle) cases.insert(d.obstacle->why);
      ++rules[d.rule];
    }
  }
  for (const char* rule : {"map∘map", "reduce∘map", "redomap∘map", "filter∘filter", "reduce∘filter", "redomap∘filter",
                           "map∘replicate", "reduce∘replicate", "redomap∘replicate"}) {
    INFO(rule);
    CHECK(rules[rule] > 0);
  }
  CHECK(cases.size() == 10);
  for (const char* word : {"let u", "loop (", "if ", "split(", "transpose(", "flatten(", "concat(", "copy(", "scan(",
                           "zip(", "unzip(", "size(", "assertZip(", "iota(", "*[", "set("}) {
    INFO(word);
    CHECK(text.find(word) != std::string::npos);
  }
}

TEST_CASE("mistakes that are planted in fusion and the stages of L0 are found") {
  const std::vector<props::l0::Mutant> all = props::l0::mutants(proofs::z3_size_solver());
  CHECK(all.size() >= 60);
  std::vector<std::string> directed;
  for (const props::l0::Mutant& m : all) {
    INFO(m.family << ": " << m.name);
    CHECK(props::l0::try_mutant(m, 1, 400).caught);
    directed.insert(directed.end(), m.directed.begin(), m.directed.end());
  }
  const auto alarm = props::l0::false_alarm(directed, 1, 20, proofs::z3_size_solver());
  INFO((alarm ? alarm->property + " at " + alarm->stage + ": " + alarm->detail : ""));
  CHECK_FALSE(alarm);
}

TEST_CASE("a program of L0 that fails is made smaller") {
  props::l0::CampaignOptions how;
  how.folder = "", how.programs = 60, how.stop_after = 1;
  for (const props::l0::Mutant& m : props::l0::mutants(proofs::z3_size_solver()))
    if (m.name == "lengths are not asked") how.tools = m.tools;
  const props::l0::CampaignReport report = props::l0::run_campaign(how);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].nodes > 30);
  CHECK(std::count(report.failures[0].text.begin(), report.failures[0].text.end(), '\n') < 8);
}
}  // namespace l0_campaign_test
