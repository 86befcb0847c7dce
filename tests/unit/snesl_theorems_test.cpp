// The theorems of chapter 5 as properties: the result of translation, and work, depth and space within constants of
// what Fig. 2.3 says, one constant each for all programs; and wrong cost rules break them.
#include <catch2/catch.hpp>

#include "props/snesl/mutants.h"
#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/parse.h"

namespace snesl_theorems_test {
using namespace lockstep;
using namespace lockstep::props::stream;

namespace {

GeneratedProgram of_text(const std::string& text) {
  auto p = snesl::parse_program(std::make_shared<const Source>(Source{"test.snesl", text}));
  REQUIRE(p);
  return {std::move(*p), {}};
}
snesl::core::Program core_of(const std::string& text) {
  auto p = snesl::elaborate(of_text(text).program, "", {});
  REQUIRE(p);
  return std::move(*p);
}
std::optional<Finding> check(const std::string& text, CheckCounts& counts) {
  return check_program(of_text(text), 1, Toolchain::standard(), {}, counts);
}

}  // namespace

TEST_CASE("work, depth and space are within one constant each over random programs") {
  CampaignOptions o;
  o.programs = 250;
  o.seed = 2;
  o.folder = "";
  const CampaignReport r = run_campaign(o);
  for (const CampaignFailure& f : r.failures) FAIL_CHECK(f.finding.property << "\n" << f.text << f.finding.detail);
  for (std::size_t b = 0; b < bounds; ++b) {
    const Ratio& ratio = r.counts.ratios[b];
    INFO(name_of(static_cast<Bound>(b)) << ": " << ratio.largest << "\n" << ratio.program);
    CHECK(ratio.largest > 0.1);  // measured at all
    CHECK(ratio.largest <= fixed_constant(static_cast<Bound>(b)));
  }
}

TEST_CASE("the constants do not grow with the input: programs over 20,000 elements") {
  for (const char* text : {"fun main() = sum({log(real(i + 1)) : i in &20000})",
                           "fun main() = let v = tab(&20000) in sum({v ! (19999 - i) : i in &20000})",
                           "fun main() = sum({sum(&(x % 7)) : x in &5000})",
                           "fun main() = sum({if x % 3 == 0 then x else 0 - x : x in &5000})",
                           "fun main() = #concat({{y : y in &x | y % 2 == 1} : x in &200})",
                           "fun main() = sum(scan-plus(&20000)) + maximum(scan-max(&20000))",
                           "fun main() = #sep({(x, x % 10 == 9) : x in &20000})",
                           // Vectors that are seldom asked, or never: the first is what the campaign shrank such to.
                           "fun main() = {let v = \"a\" in {seq(v) | false} : i in &1880}",
                           "fun main() = sum({let v = tab(&10) in if i % 1000 == 999 then v ! 5 else 0 : i in &2000})",
                           "fun main() = sum({let v = tab(&10) in if i > 5000 then sum(seq(v)) else 0 : i in &2000})",
                           "fun main() = sum({let v = tab(&10) in sum({v ! j : j in &(i / 1999)}) : i in &2000})",
                           "fun main() = sum({let v = tab({tab(&3) : j in &4}) in if i % 1000 == 999 then v ! 2 ! 1 "
                           "else 0 : i in &2000})",
                           "fun main() = sum({v ! 1 : v in {tab(&3) : i in &5000}; i in &5000 | i % 1000 == 0})"}) {
    CheckCounts counts;
    const auto f = check(text, counts);
    INFO(text << "\n" << (f ? f->property + "\n" + f->detail : ""));
    CHECK_FALSE(f);
    CHECK(counts.accepted == 1);
    for (std::size_t b = 0; b < bounds; ++b) CHECK(counts.ratios[b].largest <= fixed_constant(static_cast<Bound>(b)));
  }
}

TEST_CASE("depth is a theorem of contained programs only") {
  CHECK(is_contained(core_of("fun main() = {x + 1 : x in &3}")));
  CHECK(is_contained(core_of("fun main() = if true then 1 else 2")));
  CHECK_FALSE(is_contained(core_of("fun main() = {if x > 1 then 1 / x else 2 : x in &3}")));
  CHECK_FALSE(is_contained(core_of("fun main() = {{x | x > 1} : x in &3}")));
}

TEST_CASE("a wrong cost rule breaks the theorem that it is about") {
  const std::map<std::string, Bound> broken{{"work of one", Bound::Work},
                                            {"work is depth", Bound::Work},
                                            {"depth of one", Bound::Depth},
                                            {"vectors are free", Bound::SequentialSpace},
                                            {"streams are free", Bound::SequentialSpace},
                                            {"parallel space is sequential", Bound::ParallelSpace},
                                            {"parallel space of one", Bound::ParallelSpace}};
  const std::vector<Mutant> all = cost_mutants();
  CHECK(all.size() == broken.size());
  for (const Mutant& m : all) {
    const MutantRun r = try_mutant(m, 1, 400);
    INFO(m.name);
    REQUIRE(r.caught);
    CHECK(r.caught->finding.property == name_of(broken.at(m.name)));
  }
}

TEST_CASE("vectors that are seldom asked show that groups wait for the next request") {
  const std::vector<Mutant> all = interpreter_mutants();
  const auto wrong = std::find_if(
      all.begin(), all.end(), [](const Mutant& m) { return m.name == "chunked: groups wait for the next request"; });
  REQUIRE(wrong != all.end());
  std::size_t tried = 0, found = 0;
  for (std::uint64_t k = 0; tried < 8; ++k) {
    const std::uint64_t seed = props::seed_of(31, k);
    if (!asks_seldom(seed)) continue;
    const GeneratedProgram p = generate_program(seed);
    REQUIRE(p.seldom);
    ++tried;
    CheckCounts counts;
    CHECK_FALSE(check_program(p, seed, Toolchain::standard(), {}, counts));
    const auto f = check_program(p, seed, wrong->tools, {}, counts);
    found += f && f->property == name_of(Bound::SequentialSpace);
  }
  CHECK(found >= 2);
}

TEST_CASE("space on P processors is found too large where buffers have no bound") {
  for (const Mutant& m : interpreter_mutants()) {
    if (m.name != "chunked: buffers without bound") continue;
    const MutantRun r = try_mutant(m, 1, 0);
    REQUIRE(r.caught);
    CHECK(r.caught->finding.property.find("space") == 0);
  }
}

}  // namespace snesl_theorems_test
