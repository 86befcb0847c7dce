// What every stage and trace is, on a language of numbers; and that what a stage owes is not forgotten.
#include <catch2/catch.hpp>

#include "proofs/kernel/obligations.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace stages_test {
using namespace lockstep;

namespace {

LanguageRef numbers(const std::string& name) {
  const auto out = std::make_shared<Language>();
  out->name = name;
  out->print = [](const AnyProgram& p) { return std::to_string(p.as<int>()); };
  return out;
}
const LanguageRef small = numbers("small"), large = numbers("large");

Stage doubled() {
  return stage_of<int, int>("doubled", "", small, small, [](const int& n, Owed* owed) {
    if (owed) owed->push_back({"even", Erased(2 * n)});
    return 2 * n;
  });
}
Stage grown() {
  return stage_of<int, int>("grown", "", small, large, [](const int& n, Owed*) { return n + 1000; });
}
Step source(int n) { return {"source", "", AnyProgram(small, n)}; }

}  // namespace

TEST_CASE("a program is taken through its stages once, and every program on the way is kept") {
  const Trace t = run_stages({doubled(), doubled(), grown()}, source(3));
  REQUIRE(t.steps.size() == 4);
  CHECK(t.steps[2].name == "doubled-2");
  CHECK(t.after("doubled")->as<int>() == 6);
  CHECK(t.last().language().name == "large");
  CHECK(t.last().language().print(t.last()) == "1012");
  CHECK(t.after("nothing") == nullptr);
  for (const Step& s : t.steps) CHECK(s.owed.empty());  // nobody asked
}

TEST_CASE("a stage hands out what it owes to who asks") {
  const Trace t = run_stages({doubled(), grown()}, source(3), true);
  REQUIRE(t.steps[1].owed.size() == 1);
  CHECK(t.steps[1].owed[0].statement.as<int>() == 6);
  CHECK(t.steps[1].owed[0].statement.as_if<std::string>() == nullptr);
  CHECK_THROWS_AS(t.steps[1].owed[0].statement.as<std::string>(), Bug);
}

TEST_CASE("a stage of another language is not run on a program") {
  CHECK_THROWS_AS(run_stages({grown(), doubled()}, source(3)), Bug);
  // Another language, though it has the same name: kernels before their barriers are kernels, too.
  CHECK_THROWS_AS(run_stages({doubled()}, {"source", "", AnyProgram(numbers("small"), 3)}), Bug);
}

TEST_CASE("a stage that is altered is the same stage with another output") {
  const Stage less = altered<int>(doubled(), [](const int& n) { return n - 1; });
  CHECK(less.name == "doubled");
  CHECK(apply<int>(less, 3) == 5);
  const Stage seen = altered<int, int>(doubled(), [](const int& after, const int& before) { return after + before; });
  CHECK(apply<int>(seen, 3) == 9);
}

TEST_CASE("what the stages of a program owe is proved, or it is a mistake of ours") {
  const PhraseProgram program = test::entry("fun f [n] (xs : [n]i32) : i32 = reduce (+) 0 xs");
  std::vector<DpiaTrace> traces = proofs::kernels::traces_of(program, test::calculus());
  std::set<std::string> kinds;
  for (const DpiaTrace& t : traces)
    for (const Step& s : t.steps)
      for (const lockstep::Obligation& o : s.owed) kinds.insert(s.name + ": " + o.kind);
  CHECK(kinds == std::set<std::string>{"paths: path", "early-checks: early-checks", "checks: checks",
                                       "in-place: in-place", "swaps: swaps", "read-once: kernel", "moves: moves",
                                       "places: places", "narrow: kernel", "reduce-in-blocks: laws"});
  traces[0].steps[1].owed.push_back({"horoscope", Erased(std::string("sunny"))});
  CHECK_THROWS_AS(proofs::kernels::program_obligations(traces), Bug);
  CHECK_THROWS_AS(proofs::kernels::program_obligations({dpia_trace(program, test::calculus(), Machine::Cpu)}), Bug);
}

}  // namespace stages_test
