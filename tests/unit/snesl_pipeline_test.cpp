// The pipeline of SNESL: made once, and streamability asked once of each program.
#include <catch2/catch.hpp>
#include <set>

#include "tests/unit/snesl_streams.h"
#include "translate/snesl/pipeline.h"

namespace snesl_pipeline_test {
using namespace lockstep;
using streaming::test::prepare;

namespace {

const streaming::test::Case blanks{
    "fun f(t) = sum({int(c == ' ') : c in seq(t)}) + sum({if c == ' ' then 1 else 2 : c in seq(t)})", {"\"a b\""}};
// The elements would have to be kept while they are added up.
const streaming::test::Case twice{"fun g(n) = let s = &n in let m = sum(s) in {x - m : x in s}", {"3"}};

std::string text(const Step& s) { return s.program.language().print(s.program); }

}  // namespace

TEST_CASE("house A17: streamability is asked once of each program of a pipeline") {
  const streaming::Streamability asked;
  const streaming::SneslTrace trace = streaming::snesl_trace(prepare(blanks).core, asked);
  std::set<std::string> texts;
  for (const Step& s : trace.steps) texts.insert(text(s));
  CHECK(texts.size() < trace.steps.size());  // several stages change nothing
  const std::size_t after_pipeline = asked.asked();
  CHECK(after_pipeline <= texts.size() + 1);  // one is tried and not kept
  // Whoever asks again is given the answer.
  CHECK(trace.slack_of(trace.last_streaming()).has_value());
  CHECK(trace.slack_of(trace.last().as<svcode::Program>()).has_value());
  CHECK(asked.asked() == after_pipeline);
  // Of another program it is asked.
  CHECK_FALSE(asked.of(prepare(twice).streams).has_value());
  CHECK(asked.asked() == after_pipeline + 1);
}

TEST_CASE("a program that is flattened already gives the same pipeline") {
  const auto p = prepare(blanks);
  const streaming::SneslTrace again = streaming::snesl_trace(p.core, {}, p.streams),
                              anew = streaming::snesl_trace(p.core, {});
  REQUIRE(again.steps.size() == anew.steps.size());
  for (std::size_t k = 0; k < again.steps.size(); ++k) CHECK(text(again.steps[k]) == text(anew.steps[k]));
}

TEST_CASE("what runs is the last program that streams") {
  streaming::SneslTrace trace = streaming::snesl_trace(prepare(blanks).core, {});
  const std::string right = text(trace.steps.back());
  CHECK(svcode::print(trace.last_streaming()) == right);
  // A simplification that loses it is a mistake of ours: what is before it runs.
  trace.steps.push_back({"wrong", "", AnyProgram(svcode::languages().svcode, prepare(twice).streams)});
  CHECK(svcode::print(trace.last_streaming()) == right);
}

TEST_CASE("merged traversals that stand around one another are gone through once where a meeting is refused") {
  const streaming::test::Case c{
      "fun f() = {sum(s) : s in if empty(let u = {() | false} in flagpart(u, {false : _ in u} ++ {true})) "
      "then {{1 | true} | false} else flagpart({2}, let v = [false] in {v ! (#v - 1 - i) : i in &#v})}",
      {}};
  const streaming::Streamability asked;
  const streaming::SneslTrace trace = streaming::snesl_trace(prepare(c).core, asked);
  CHECK(trace.steps.size() > 5);  // this went round for ever
}

}  // namespace snesl_pipeline_test
