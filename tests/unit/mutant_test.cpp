// The checks can fail: each planted mistake is found by the campaign, as a difference between stages.
#include <catch2/catch.hpp>

#include "props/mutants.h"

using namespace lockstep;
using namespace lockstep::props;

namespace {

constexpr std::size_t at_most = 4000;  // programs

}  // namespace

TEST_CASE("there are at least ten mutants, in every family, with names of their own") {
  std::map<std::string, std::size_t> families, names;
  for (const Mutant& m : mutants()) ++families[m.family], ++names[m.name];
  CHECK(names.size() >= 10);
  for (const char* family : {"acceptor", "read path", "loop", "stage"}) CHECK(families[family] >= 2);
  for (const auto& [name, count] : names) CHECK(count == 1);
}

TEST_CASE("the campaign finds every mutant") {
  for (const Mutant& m : mutants()) {
    DYNAMIC_SECTION(m.name) {
      const auto found = caught(m, 21, at_most);
      REQUIRE(found);
      const Finding& f = found->finding;
      INFO(f.property << " at " << f.stage << ": " << f.detail);
      // In the lowering: the source is inferred and has its meaning.
      CHECK((f.property == "meaning" || f.property == "types"));
    }
  }
}

TEST_CASE("what is no mutant is not caught") { CHECK_FALSE(caught({"standard", "none", "nothing is wrong"}, 21, 300)); }

TEST_CASE("a mutant's meaning is right: its sources give what the standard calculus gives") {
  for (const Mutant& m : mutants()) {
    const Calculus calculus = m.calculus(), standard = standard_calculus();
    CampaignReport unused;
    CampaignOptions o;
    o.pipeline = [](const PhraseProgram&, const Calculus&, Machine) { return Pipeline{}; };
    for (std::uint64_t k = 0; k < 20; ++k) {
      const surface::Program p = generate_program(seed_of(4, k));
      const ProgramCheck a = check_program_at_stages(p, k, o, calculus, unused),
                         b = check_program_at_stages(p, k, o, standard, unused);
      REQUIRE(a.source.has_value() == b.source.has_value());
      if (!a.source) continue;
      const auto x = expected_results(*a.source, k, 2), y = expected_results(*b.source, k, 2);
      REQUIRE(x.size() == y.size());
      for (std::size_t i = 0; i < x.size(); ++i) CHECK_FALSE(difference(x[i], y[i].result, "trap"));
    }
  }
}
