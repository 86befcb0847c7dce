// The pipeline of SNESL: made once, and streamability asked once of each program.
#include <catch2/catch.hpp>
#include <set>

#include "tests/unit/snesl_streams.h"
#include "translate/snesl/pipeline.h"

using namespace lockstep;
using streaming::test::prepare;

namespace {

const streaming::test::Case blanks{
    "fun f(t) = sum({int(c == ' ') : c in seq(t)}) + sum({if c == ' ' then 1 else 2 : c in seq(t)})", {"\"a b\""}};
// The elements would have to be kept while they are added up.
const streaming::test::Case twice{"fun g(n) = let s = &n in let m = sum(s) in {x - m : x in s}", {"3"}};

}  // namespace

TEST_CASE("house A17: streamability is asked once of each program of a pipeline") {
  const streaming::Streamability asked;
  const streaming::Trace trace = streaming::run_pipeline(prepare(blanks).core, asked);
  std::set<std::string> texts;
  for (const streaming::Step& s : trace.steps) texts.insert(svcode::print(s.program));
  CHECK(texts.size() < trace.steps.size());  // several stages change nothing
  const std::size_t after_pipeline = asked.asked();
  CHECK(after_pipeline <= texts.size() + 1);  // one is tried and not kept
  // Whoever asks again is given the answer.
  CHECK(trace.slack_of(trace.last_streaming()).has_value());
  CHECK(trace.slack_of(trace.steps.back().program).has_value());
  CHECK(asked.asked() == after_pipeline);
  // Of another program it is asked.
  CHECK_FALSE(asked.of(prepare(twice).streams).has_value());
  CHECK(asked.asked() == after_pipeline + 1);
}

TEST_CASE("a program that is flattened already gives the same pipeline") {
  const auto p = prepare(blanks);
  const streaming::Trace again = streaming::run_pipeline(p.core, {}, p.streams),
                         anew = streaming::run_pipeline(p.core, {});
  REQUIRE(again.steps.size() == anew.steps.size());
  for (std::size_t k = 0; k < again.steps.size(); ++k)
    CHECK(svcode::print(again.steps[k].program) == svcode::print(anew.steps[k].program));
}

TEST_CASE("what runs is the last program that streams") {
  streaming::Trace trace = streaming::run_pipeline(prepare(blanks).core, {});
  const std::string right = svcode::print(trace.steps.back().program);
  CHECK(svcode::print(trace.last_streaming()) == right);
  // A simplification that loses it is a mistake of ours: what is before it runs.
  trace.steps.push_back({"wrong", "", prepare(twice).streams});
  CHECK(svcode::print(trace.last_streaming()) == right);
}
