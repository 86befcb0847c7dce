// The checks of the SNESL campaign can fail: each planted mistake is found, and nothing else is.
#include <catch2/catch.hpp>

#include "props/snesl/mutants.h"

namespace snesl_mutants_test {
using namespace lockstep;
using namespace lockstep::props::stream;
using props::stream::CheckOptions;

namespace {

constexpr std::size_t at_most = 500;  // random programs

CheckOptions short_check() {
  CheckOptions o;
  o.inputs = 2;
  return o;
}
void find_all(const std::string& family) {
  for (const Mutant& m : mutants()) {
    if (m.family != family) continue;
    const MutantRun r = try_mutant(m, 1, at_most, short_check());
    INFO(m.name << ": " << m.description << ", after " << r.programs);
    CHECK(r.caught);
    if (!r.caught) continue;
    // The source is parsed, typed and has its meaning.
    CHECK(r.caught->finding.stage != "print");
    CHECK(r.caught->finding.stage != "elaborate");
    CHECK(r.caught->finding.stage != "evaluate");
    if (!m.stage.empty()) CHECK(r.caught->finding.stage == m.stage);
  }
}

}  // namespace

TEST_CASE("there are at least fifty mutants, in every family, with names of their own") {
  std::map<std::string, std::size_t> families, names;
  for (const Mutant& m : mutants()) ++families[m.family], ++names[m.family + m.name];
  CHECK(names.size() >= 50);
  for (const std::string& family : mutant_families()) CHECK(families[family] >= 5);
  CHECK(families.size() == mutant_families().size());
  for (const auto& [name, count] : names) CHECK(count == 1);
}

TEST_CASE("the campaign finds every mutant of the translation") { find_all("flatten"); }
TEST_CASE("the campaign finds every mutant of the optimisations") { find_all("simplify"); }
TEST_CASE("the campaign finds every mutant of the streamability analysis") { find_all("analysis"); }
TEST_CASE("the campaign finds every mutant of the interpreters") { find_all("interpreter"); }
TEST_CASE("the campaign finds every mutant of the cost rules") { find_all("cost"); }

TEST_CASE("the campaign finds every wrong rule on networks") { find_all("rules"); }
TEST_CASE("the campaign finds every network of wrong steps or pieces") { find_all("steps"); }

TEST_CASE("programs on the engine find every mutant of its kernels") { find_all("kernels"); }

TEST_CASE("without a mistake nothing is found on the programs that mutants are tried on") {
  Mutant nothing{"nothing", "", "nothing is wrong", Toolchain::standard(), {}};
  for (const Mutant& m : mutants())
    nothing.directed.insert(nothing.directed.end(), m.directed.begin(), m.directed.end());
  CHECK(nothing.directed.size() > 20);
  const auto alarm = false_alarm(nothing.directed, 1, 100, short_check());
  INFO((alarm ? alarm->stage + " / " + alarm->property + "\n" + alarm->detail : ""));
  CHECK_FALSE(alarm);
}

TEST_CASE("what finds a mutant is shrunk with the mistake, and does not fail without it") {
  const std::vector<Mutant> all = flatten_mutants();
  const Mutant& m = *std::find_if(all.begin(), all.end(), [](const Mutant& x) { return x.name == "pdist forgotten"; });
  const MutantRun r = try_mutant(m, 1, 100, short_check());
  REQUIRE(r.caught);
  const Caught small = shrunk(m, *r.caught, 5, short_check());
  CHECK(same_place(small.finding, r.caught->finding));
  CheckCounts counts;
  CHECK_FALSE(check_program(small.program, small.seed, Toolchain::standard(), short_check(), counts));
}

}  // namespace snesl_mutants_test
