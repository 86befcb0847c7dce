// What random programs of .snesl are like: no share falls back unseen.
#include "props/snesl/altered.h"
#include "props/snesl/campaign.h"
#include "props/snesl/distribution.h"
#include "props/snesl/inputs.h"
#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/parse.h"
#include "tests/unit/shares.h"

namespace snesl_distribution_test {
using namespace lockstep;
using namespace lockstep::props;
using namespace lockstep::props::stream;
using props::stream::CampaignReport;
using props::stream::Toolchain;

namespace {

const Statistics& statistics() {
  static const CampaignReport r = [] {
    stream::CampaignOptions o;
    o.programs = 800;
    o.seed = 17;
    o.folder = "";
    return run_campaign(o);
  }();
  return r.counts.statistics;
}

Statistics of_text(const std::string& text, const std::map<std::string, snesl::Type>& types) {
  auto p = snesl::parse_program(std::make_shared<const Source>(Source{"test.snesl", text}));
  REQUIRE(p);
  CheckCounts counts;
  CHECK_FALSE(check_program({std::move(*p), types}, 1, Toolchain::standard(), {}, counts));
  return counts.statistics;
}

snesl::core::Program core_of(const std::string& text, const std::map<std::string, snesl::Type>& types) {
  auto p = snesl::parse_program(std::make_shared<const Source>(Source{"test.snesl", text}));
  REQUIRE(p);
  auto core = snesl::elaborate(*p, "", types);
  REQUIRE(core);
  return std::move(*core);
}

const snesl::Type ints = snesl::sequence_of(snesl::prim(snesl::Prim::Int));

}  // namespace

TEST_CASE("a program of .snesl that reads nothing, or gives one result, is counted so") {
  const auto parts = [](const std::string& text) {
    const Statistics s = of_text(text, {{"s", ints}});
    return std::pair{s.part("program", "reads its inputs"), s.part("program", "gives other results on other inputs")};
  };
  CHECK(parts("fun main(s) = 3") == std::pair{0.0, 0.0});
  CHECK(parts("fun main(s) = sum({x * 0 : x in s})") == std::pair{1.0, 0.0});
  CHECK(parts("fun main(s) = {x : x in s}") == std::pair{1.0, 1.0});
  const Statistics files = of_text("fun main() = read_file(\"text\")", {});
  CHECK(files.part("program", "reads its inputs") == 1);
  CHECK(files.part("program", "gives other results on other inputs") == 1);
  CHECK(files.part("program", "reads a file") == 1);
}

TEST_CASE("conditions and comprehensions are counted by what is around them") {
  const auto has = [](const std::string& text, const std::string& what) {
    return of_text(text, {{"s", ints}}).part("program", what) == 1;
  };
  const std::string flat = "fun main(s) = {x : x in s}", deep = "fun main(s) = {{{z : z in &y} : y in &3} : x in s}";
  CHECK(has(flat, "a comprehension"));
  CHECK_FALSE(has(flat, "comprehensions two deep"));
  CHECK(has(deep, "comprehensions three deep"));
  CHECK_FALSE(has(deep, "a condition"));
  const std::string inside = "fun main(s) = {if x > 0 then 1 else 2 : x in s}";
  CHECK(has(inside, "a condition in a comprehension"));
  CHECK_FALSE(has(inside, "a comprehension in a condition"));
  CHECK_FALSE(has(inside, "a condition in a condition"));
  const std::string around = "fun main(s) = if #s > 2 then {x : x in &4} else {1}";
  CHECK(has(around, "a comprehension in a condition"));
  CHECK_FALSE(has(around, "a condition in a comprehension"));
}

TEST_CASE("right sides that would trap are counted where they are not needed") {
  const auto part = [](const std::string& text) {
    return of_text(text, {{"s", ints}}).part("program", "a right side of || or && that would trap");
  };
  CHECK(part("fun main(s) = {x != 0 && 6 / x > 1 : x in s ++ {0}}") == 1);
  CHECK(part("fun main(s) = {x == 0 || 6 / x > 1 : x in s ++ {0}}") == 1);
  CHECK(part("fun main(s) = {x != 0 && 6 / (x | 1) > 1 : x in s ++ {0}}") == 0);
  CHECK(part("fun main(s) = {if x != 0 then 6 / x > 1 else true : x in s ++ {0}}") == 0);
}

TEST_CASE("runs that trap where the source does not say so are counted") {
  const Statistics told = of_text("fun main(s) = {1 / 0 : x in {1}}", {{"s", ints}});
  CHECK(told.shares().at("trap of a run").at("taken by its place alone").all > 0);
  CHECK(told.part("trap of a run", "taken by its place alone") == 0);
  // As the vector that `the` gives is taken from each of those that there are.
  const Statistics gone_on = of_text("fun main(s) = 1 / ((let v = the({[1], [2]}) in #v) - 1)", {{"s", ints}});
  CHECK(gone_on.part("trap of a run", "taken by its place alone") > 0);
}

TEST_CASE("vectors that are seldom asked: of many groups, a few times, from files and from parameters") {
  const Toolchain tools = Toolchain::standard();
  std::size_t all = 0, of_files = 0, of_parameters = 0;
  Statistics seen;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const std::uint64_t seed = seed_of(23, k);
    if (!asks_seldom(seed)) continue;
    const GeneratedProgram p = stream::generate_program(seed);
    REQUIRE(p.seldom);
    const std::string groups = snesl::print(p.seldom->groups);
    ++all;
    of_files += groups.find("read_file") != std::string::npos;
    of_parameters += groups.find("= q") != std::string::npos;
    const auto core = snesl::elaborate(p.program, "", p.types);
    REQUIRE(core);
    std::vector<StreamInput> inputs;
    for (RandomInput& in : random_inputs(*core, seed, 3, tools, true))
      inputs.push_back({in.values, files_of(in), {tl::unexpected(Trap{})}, {}, "", seed, in.large});
    count_seldom(p, inputs, tools, seen);
  }
  CHECK(all >= 80);
  CHECK(of_files * 100 >= all * 25);
  CHECK(of_parameters * 100 >= all * 15);
  check_shares(seen, {{"vectors seldom asked", "1000 or more", 15},
                      {"vectors seldom asked", "asked once in 300 times or less", 12}});
}

TEST_CASE("inputs hold Ints beyond 32 bits and bytes beyond ASCII") {
  check_shares(statistics(),
               {{"input with Ints", "one of more than 32 bits", 12}, {"input with Chars", "one beyond ASCII", 8}});
}

TEST_CASE("programs of .snesl read their inputs, and their results vary with them") {
  check_shares(statistics(), {{"program", "reads its inputs", 90},
                              {"program", "gives other results on other inputs", 80},
                              {"program", "streams", 90},
                              {"input", "traps", 3},
                              {"program", "vectors that are seldom asked", 1.5},
                              {"program", "a right side of || or && that would trap", 0.8}});
  // Which trap of several is reported where lengths do not fit is open: more of it, and traps are hardly compared.
  CHECK(statistics().part("trap of a run", "taken by its place alone") <= 0.05);
}

TEST_CASE("inputs hold every special Real") { check_shares(statistics(), special_floats); }

TEST_CASE("sequences are long in some, and files of other contents are read") {
  check_shares(statistics(), {{"program", "a size over 64", 3},
                              {"program", "a size over 1024", 0.6},
                              {"program", "a size over 4096", 0.3},
                              {"program", "reads a file", 1.5},
                              {"program", "writes a file", 0.3}});
}

TEST_CASE("conditions and comprehensions stand in one another") {
  check_shares(statistics(), {{"program", "a condition", 40},
                              {"program", "a condition in a comprehension", 15},
                              {"program", "a condition in a condition", 10},
                              {"program", "a comprehension", 40},
                              {"program", "a comprehension in a condition", 8},
                              {"program", "comprehensions two deep", 8},
                              {"program", "comprehensions three deep", 0.5},
                              {"program", "an element of a vector", 12}});
}

TEST_CASE("inputs are long where the source's work allows it") {
  const auto longest = [](const std::string& text) {
    const snesl::core::Program core = core_of(text, {{"s", ints}});
    std::size_t most = 0;
    for (std::uint64_t k = 0; k < 400; ++k)
      for (const RandomInput& in : random_inputs(core, seed_of(3, k), 3, Toolchain::standard())) {
        CHECK(in.large == (in.values[0].size() > 64));
        most = std::max(most, in.values[0].size());
      }
    return most;
  };
  CHECK(longest("fun main(s) = {x + 1 : x in s}") > 4096);
  CHECK(longest("fun main(s) = let v = tab(s) in {sum(seq(v)) : x in seq(v)}") <= 140);
  CHECK(longest(
            "fun main(s) = let v = tab(s) in {{{sum({w : w in seq(v)}) : z in seq(v)} : y in seq(v)} : x in seq(v)}") <
        65);
}

TEST_CASE("elaboration refuses many programs with one change, and what it takes is checked as any other") {
  CHECK(statistics().part("altered program", "refused") >= 0.4);
  CHECK(statistics().part("altered program", "refused") <= 0.8);
  std::size_t changed = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    const GeneratedProgram p = stream::generate_program(seed_of(5, k)), other = altered(p, k);
    changed += other.program == p.program && other.types == p.types ? 0 : 1;
  }
  CHECK(changed >= 190);
  // A refusal of a program that has no change is a failure.
  const auto wrong = snesl::parse_program(std::make_shared<const Source>(Source{"test.snesl", "fun main(s) = s + 1"}));
  REQUIRE(wrong);
  CheckCounts counts;
  CHECK(check_program({*wrong, {{"s", ints}}}, 1, Toolchain::standard(), {}, counts));
  CHECK_FALSE(check_program({*wrong, {{"s", ints}}, true}, 1, Toolchain::standard(), {}, counts));
  CHECK(counts.statistics.part("altered program", "refused") == 1);
}

TEST_CASE("what an altered program counts to stays small") {
  const auto p = snesl::parse_program(std::make_shared<const Source>(
      Source{"test.snesl", "fun main(n) = let s = &n in {x : x in &5} ++ s ++ {#s : x in &#s}"}));
  REQUIRE(p);
  const auto counts_of = [&](std::uint64_t seed) { return snesl::print(altered({*p, {}}, seed).program); };
  std::size_t bounded = 0;
  for (std::uint64_t k = 0; k < 20; ++k) {
    const std::string text = counts_of(k);
    CHECK(text.find("&n in") == std::string::npos);
    bounded += text.find("&(n & 7)") != std::string::npos;
  }
  CHECK(bounded >= 10);
}

}  // namespace snesl_distribution_test
