// The checks can fail: each planted mistake is found by the campaign, and nothing else is. A mistake that is found by
// random programs alone may take hundreds of them: what took more than a hundred is tried in a long run.
#include <catch2/catch.hpp>

#include "semantics/functional/denote.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/long_run.h"
#include "tests/unit/mutant_named.h"

namespace mutants_test {
using namespace lockstep;
using namespace lockstep::props;

namespace {

constexpr std::uint64_t seed = 1;
constexpr std::size_t at_most = 4000;  // random programs

// What more than a hundred random programs were tried on, as `lockstep campaign --mutants` tells: a second or more
// each.
const std::set<std::string> costly = {"zip-acceptors",
                                      "zip-acceptors-swapped",
                                      "zip-acceptor-dropped",
                                      "unzip-acceptor",
                                      "split-acceptor",
                                      "split-acceptor-rounds-up",
                                      "reverse-acceptor",
                                      "reverse-acceptor-forwards",
                                      "split-read",
                                      "transpose-read",
                                      "drop-read",
                                      "drop-read-early",
                                      "take-read",
                                      "as-scalar-read",
                                      "pad-read",
                                      "pad-read-shift",
                                      "concat-read-edge",
                                      "concat-read-shift",
                                      "unzip-read",
                                      "index-read",
                                      "scan-operands",
                                      "scan-exclusive",
                                      "in-place-too-early",
                                      "scratch-shared",
                                      "division-checks-dividend",
                                      "remainder-unguarded",
                                      "scatter-duplicates",
                                      "scatter-range",
                                      "shift-swapped",
                                      "quotient-floors",
                                      "remainder-floors"};
bool is_tried(const Mutant& m) { return costly.contains(m.name) == test::long_run(); }

void find_all(const std::string& family) {
  std::size_t tried = 0;
  for (const Mutant& m : mutants()) {
    if (m.family != family || !is_tried(m)) continue;
    ++tried;
    const MutantRun r = try_mutant(m, seed, at_most);
    INFO(m.name << ": " << m.description);
    CHECK(r.caught);
    // In the lowering, its texts or its costs: the source is inferred and has its meaning.
    if (r.caught) CHECK(r.caught->finding.property != "inference");
  }
  INFO("mutants of the family " << family);
  CHECK((tried > 0 || test::long_run()));
}

}  // namespace

TEST_CASE("there are at least eighty mutants, in every family, with names of their own") {
  std::map<std::string, std::size_t> families, names;
  for (const Mutant& m : mutants()) ++families[m.family], ++names[m.name];
  CHECK(names.size() >= 80);
  for (const std::string& family : mutant_families()) CHECK(families[family] >= 5);
  CHECK(families.size() == mutant_families().size());
  for (const auto& [name, count] : names) CHECK(count == 1);
}

TEST_CASE("what is left to a long run are mutants that no directed program finds, a quarter of these at most") {
  std::size_t random = 0;
  for (const Mutant& m : mutants()) random += m.directed.empty() && m.family != "cost" ? 1 : 0;
  for (const std::string& name : costly) CHECK(mutant_named(name).directed.empty());
  CHECK(costly.size() * 4 <= random + 20);
}
TEST_CASE("the campaign finds the mutants of fusion") { find_all("fusion"); }
TEST_CASE("the campaign finds the mutants of reductions in blocks") { find_all("blocks"), find_all("laws"); }
TEST_CASE("the campaign finds the mutants of tiles") { find_all("tiles"); }
TEST_CASE("the campaign finds the mutants of contraction") { find_all("contraction"); }
TEST_CASE("the campaign finds the mutants of the acceptors") { find_all("acceptor"); }
TEST_CASE("the campaign finds the mutants of the read paths") { find_all("read path"); }
TEST_CASE("the campaign finds the mutants of loops and their state") { find_all("loop"), find_all("state"); }
TEST_CASE("the campaign finds the mutants of traps and names") { find_all("trap"), find_all("names"); }
TEST_CASE("the campaign finds the mutants of checks that go") { find_all("check"); }
TEST_CASE("the campaign finds the mutants of narrow indices") { find_all("width"); }
TEST_CASE("the campaign finds the mutants of memory and barriers") { find_all("hoist"), find_all("barrier"); }
TEST_CASE("the campaign finds the mutants of indices and operators") { find_all("index"), find_all("operator"); }
TEST_CASE("the campaign finds the mutants of warps, units and places") {
  find_all("warp"), find_all("atomic"), find_all("units"), find_all("places");
}
TEST_CASE("the campaign finds the mutants of texts") { find_all("text"); }
TEST_CASE("the campaign finds the mutants of costs, by their cost") {
  for (const Mutant& m : mutants()) {
    if (m.family != "cost") continue;
    const MutantRun r = try_mutant(m, seed, at_most);
    INFO(m.name);
    REQUIRE(r.caught);
    CHECK(r.caught->finding.property == "cost");
  }
}

TEST_CASE("random programs find index arithmetic in 32 bits") {
  const Mutant m = mutant_named("index-in-32-bits");
  CHECK(m.directed.empty());
  const MutantRun r = try_mutant(m, seed, 1000);
  REQUIRE(r.caught);
  CHECK(r.caught->finding.property == "meaning");
}

TEST_CASE("each relation of costs is what finds some mutant") {
  for (const auto& [name, said] :
       std::vector<std::pair<std::string, std::string>>{{"map-rule", "work of the source"},
                                                        {"imperative-work", "work: "},
                                                        {"memory-by-name", "work done twice"},
                                                        {"unused-temporary", "temporaries: "},
                                                        {"copied-twice", "depth in order grows"},
                                                        {"source-permute", "work grows"},
                                                        {"source-space", "space grows"},
                                                        {"hoist-depth", "depth grows"},
                                                        {"hoist-allocates-twice", "space that is hoisted"},
                                                        {"map-temporary", "depth grows"},
                                                        {"kernel-loops", "work: "},
                                                        {"kernel-depth", "depth: "},
                                                        {"kernel-space", "space: "},
                                                        {"kernel-overstates", "work of a program without branches"},
                                                        {"checked-twice", "work against the source's"},
                                                        {"allocated-twice", "space against the source's"}}) {
    const MutantRun r = try_mutant(mutant_named(name), seed, at_most);
    INFO(name);
    REQUIRE(r.caught);
    INFO(r.caught->finding.detail);
    CHECK(r.caught->finding.detail.starts_with(said));
  }
}

TEST_CASE("without a mistake there is no finding, on the same programs") {
  std::size_t checked = 0;
  const auto alarm = false_alarm(mutants(), seed, 600, &checked);
  INFO((alarm ? alarm->property + " at " + alarm->stage + ": " + alarm->detail : std::string()));
  CHECK_FALSE(alarm);
  CHECK(checked > 600);
}

TEST_CASE("what is no mutant survives") {
  const Mutant nothing{"nothing", "none", "nothing is wrong"};
  const MutantRun r = try_mutant(nothing, 21, 200);
  CHECK_FALSE(r.caught);
  CHECK(r.programs == 200);
}

TEST_CASE("a mutant is called by its name, its family, or a pattern") {
  const Mutant& m = mutant_named("pad-read");
  CHECK(is_like(m, "pad-read"));
  CHECK(is_like(m, "read path"));
  CHECK(is_like(m, "pad*"));
  CHECK(is_like(m, "*"));
  CHECK(is_like(m, "*-*d"));
  CHECK_FALSE(is_like(m, "pad"));
  CHECK_FALSE(is_like(m, "pad-rea?"));
  CHECK_FALSE(is_like(m, ""));
  CHECK_FALSE(is_like(m, "[p]ad-read"));
  CHECK_FALSE(is_like(m, "\\pad-read"));
}

TEST_CASE("users-snesl: a pattern of many stars is answered in no time") {
  std::string pattern;
  for (int k = 0; k < 40; ++k) pattern += "*a";
  Mutant m;
  m.name = std::string(80, 'a');
  CHECK(is_like(m, pattern));
  CHECK_FALSE(is_like(m, pattern + "b"));
}

TEST_CASE("a caught program is shrunk to one that still tells the mutant apart") {
  const Mutant& m = mutant_named("reverse-acceptor");
  const MutantRun r = try_mutant(m, seed, at_most);
  REQUIRE(r.caught);
  const Caught small = shrunk(m, *r.caught, 5);
  CHECK(node_count(small.program) <= node_count(r.caught->program));
  CHECK(node_count(small.program) <= 15);
  CHECK(same_place(small.finding, r.caught->finding));
  CHECK(small.finding.before.find("reverse") != std::string::npos);
}

TEST_CASE("a mutant's meaning is right: its sources give what the standard calculus gives") {
  const Calculus standard = standard_calculus();
  std::size_t place = 0;
  for (const Mutant& m : mutants()) {
    if ((place++ % 4 != 0) != test::long_run()) continue;
    const Calculus calculus = m.calculus();
    CampaignReport unused;
    CampaignOptions o;
    o.tools.stages = [](const DpiaLanguages&, Machine) { return std::vector<Stage>{}; };
    CampaignOptions two;
    two.inputs = 2;
    for (std::uint64_t k = 0; k < 5; ++k) {
      const surface::Program p = generate_program(seed_of(4, k));
      const ProgramCheck a = check_program_at_stages({p}, k, o, calculus, unused),
                         b = check_program_at_stages({p}, k, o, standard, unused);
      REQUIRE(a.source.has_value() == b.source.has_value());
      if (!a.source) continue;
      INFO(m.name << "\n" << print(p));
      // A mutant's costs may choose other sizes: on the same inputs.
      for (const Expected& e : expected_results(*b.source, k, two).results) {
        const auto value = denote(*a.source, e.sizes, e.arguments, ieee_domain());
        const auto d = difference(
            e, value ? Outcome(flatten(*value, a.source->result, e.sizes)) : Outcome(tl::unexpected(value.error())));
        INFO(d.value_or(""));
        CHECK_FALSE(d);
      }
    }
  }
}

}  // namespace mutants_test
