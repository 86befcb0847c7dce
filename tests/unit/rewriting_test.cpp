// Rewrite rules: each where it applies, with what it gives and the same meaning, and each where it must not.
#include <catch2/catch.hpp>

#include "tests/unit/rewriting_cases.h"

namespace rewriting_test {
using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::Contains;

namespace {

std::string rule_in(const std::string& strategy) {  // the last rule that it names
  std::string found;
  for (const rewriting::Rule& r : rewriting::all_rules())
    if (const auto at = strategy.find(r.name); at != std::string::npos)
      if (const char after = strategy[at + r.name.size()]; after == 0 || after == ' ')
        if (found.empty() || found == "assume") found = r.name;
  return found;
}

}  // namespace

TEST_CASE("each rule gives what it says, and the same meaning") {
  for (const Applies& c : applying) {
    CAPTURE(c.strategy, c.before);
    const Run r = derived(c.before, c.strategy);
    REQUIRE(r.steps.has_value());
    REQUIRE(r.report.agrees());
    CHECK(r.report.inputs.sizes.size() > 0);
    const props::StepVerdict& last = r.report.steps.back();
    CHECK(last.tested == r.report.inputs.sizes.size());
    CAPTURE(last.program.text);
    CHECK(alpha_equal(*last.program.program.body, *entry(c.after).body));
    CHECK(last.program.program.facts == entry(c.after).facts);
    CHECK(last.program.program.launch == entry(c.after).launch);
  }
}

TEST_CASE("each rule refuses where a condition does not hold, and says why") {
  for (const MustNot& c : refusing) {
    CAPTURE(c.strategy, c.program);
    CHECK_THAT(refusal(c.program, c.strategy), Contains(c.why));
  }
}

TEST_CASE("every rule is tested where it applies and where it must not") {
  std::set<std::string> applied, refused;
  for (const Applies& c : applying) applied.insert(rule_in(c.strategy));
  for (const MustNot& c : refusing) refused.insert(rule_in(c.strategy));
  for (const rewriting::Rule& r : rewriting::all_rules()) {
    CAPTURE(r.name);
    CHECK(applied.contains(r.name));
    CHECK(refused.contains(r.name));
    CHECK(!r.matches.empty());
    CHECK(!r.gives.empty());
  }
}

TEST_CASE("the contract's dot becomes its dot_gpu") {
  const Run r = derived(
      "fun dot [n] (xs : [n]f32) (ys : [n]f32) : f32 = reduce (\\x acc -> x + acc) 0 (map (\\p -> fst p * snd p) (zip "
      "xs ys))",
      "assume n % 262144 == 0 ; reduceMap ; reduceBlocks 2048 ; at map (splitJoin 128 ; topDown splitSplit ; topDown "
      "mapFusion) ;\n"
      "at map mapLevel workgroup ; at map mapLevel local ; repeat (topDown reduceSeq)");
  REQUIRE(r.steps.has_value());
  const PhraseProgram contract = entry(
      "fun dot_gpu [n] (xs : [n]f32) (ys : [n]f32) : f32 where n % 262144 == 0 =\n"
      "  zip xs ys |> split 262144 |> mapWorkgroup (\\zs1 -> zs1 |> split 2048 |> mapLocal (\\zs2 ->\n"
      "    reduceSeq (\\p acc -> fst p * snd p + acc) 0 zs2)) |> join |> reduceSeq (+) 0");
  REQUIRE(r.report.agrees());
  CHECK(alpha_equal(*r.report.steps.back().program.program.body, *contract.body));
}

TEST_CASE("asum becomes the program that examples/asum_gpu.dpia writes") {
  const Run r =
      derived("fun asum [n] (xs : [n]f32) : f32 = reduce (\\x acc -> abs x + acc) 0 xs",
              "assume n % 4096 == 0 ; reduceBlocks 4096 ;\n"
              "at map (mapLevel workgroup ; topDown (reduceColumns 256 ; at map mapLevel local ; reduceBlock)) "
              ";\nrepeat (topDown reduceSeq)");
  REQUIRE(r.steps.has_value());
  REQUIRE(r.report.agrees());
  const PhraseProgram written = entry(
      "fun asum_gpu [n] (xs : [n]f32) : f32 where n % 4096 == 0 =\n"
      "  xs |> split 4096 |> mapWorkgroup (\\b -> b |> split 256 |> transpose\n"
      "    |> mapLocal (reduceSeq (\\x acc -> abs x + acc) 0) |> reduceBlock (+) 0) |> reduceSeq (+) 0");
  CHECK(alpha_equal(*r.report.steps.back().program.program.body, *written.body));
}

}  // namespace rewriting_test
