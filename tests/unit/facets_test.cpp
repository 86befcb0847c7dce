// A primitive under another name is what it was: nothing knows it by the name that it has in the standard calculus.
#include <catch2/catch.hpp>

#include "dpia_program.h"
#include "props/dpia/cost_relation.h"
#include "props/dpia/rounds.h"
#include "semantics/core/acceptor.h"
#include "semantics/functional/cost.h"
#include "semantics/imperative/check.h"
#include "semantics/imperative/cost.h"
#include "semantics/imperative/print.h"
#include "semantics/imperative/run.h"
#include "semantics/kernel/print.h"
#include "translate/dpia/stage.h"

namespace facets_test {
using namespace lockstep;

namespace {

struct Renamed {
  std::string name, other;
  std::string program;  // uses `name`
};

const std::vector<Renamed> renamed = {
    {"zip", "beside", "fun f [n] (xs : [n]i32) (ys : [n]i32) : [n]i32 = map (\\(x, y) -> x - y) (zip xs ys)"},
    {"fst", "left", "fun f [n] (xs : [n](i32, i64)) : [n]i32 = map (\\p -> fst p + fst p) xs"},
    {"select", "either", "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> select (x > 0) x (0 - x)) xs"},
    {"gather", "pick", "fun f [n m] (is : [n]i64) (xs : [m]i32) : [n]i32 = map (\\x -> x + 1) (gather is xs)"},
    {"asVector", "wide", "fun f [n] (xs : [4*n]f32) : [4*n]f32 = asScalar (map (\\v -> v + v) (asVector 4 xs))"},
    {"asScalar", "narrow", "fun f [n] (xs : [4*n]f32) : [4*n]f32 = asScalar (map (\\v -> v + v) (asVector 4 xs))"},
    {"reverse", "mirror", "fun f [n] (xs : [n]i32) : [n]i32 = reverse (map (\\x -> x * x) xs)"},
    {"map", "each", "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x * x) xs"},
    {"mapUnroll", "copied", "fun f (xs : [8]i32) : [8]i32 = mapUnroll (\\x -> x * x) xs"},
    {"generate", "make", "fun f [n] (x : i64) : [n]i64 = generate n (\\i -> x + i64 i)"},
    {"reduce", "fold", "fun f [n] (xs : [n]i32) : i32 = reduce (\\x acc -> x + acc) 0 xs"},
    {"scanExclusive", "before", "fun f [n] (xs : [n]i32) : [n]i32 = scanExclusive (+) 0 xs"},
    {"iterate", "again", "fun f (x : i64) : i64 = iterate 5 (\\y -> y * y - x) x"},
    {"while", "during", "fun f (x : i64) : i64 = while (\\y -> y < 100) (\\y -> y * 2 + 1) x"},
    {"scatter", "put", "fun f [m n] (is : [n]i64) (xs : [n]i32) : [m]i32 = scatter (replicate m 0) is xs"},
    {"permute", "mix", "fun f [m n] (is : [n]i64) (xs : [n]i32) : [m]i32 = permute (+) (replicate m 0) is xs"},
    {"toPrivate", "near", "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> toPrivate (\\y -> y + 1) x) xs"},
    {"toStream", "past", "fun f [n] (xs : [n]i32) : [n]i32 = toStream (\\ys -> map (\\x -> x + 1) ys) xs"},
};

Calculus with_copy(const std::string& name, const std::string& other) {
  Calculus c = standard_calculus();
  Primitive p = *c.primitive(name);
  p.name = other;
  c.add(std::make_shared<const Primitive>(std::move(p)));
  return c;
}

std::string replaced(std::string text, const std::string& from, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += by.size())
    text.replace(at, from.size(), by);
  return text;
}

PhraseProgram entry_in(const Calculus& c, const std::string& text) {
  const auto e = test::elaborated(text, c);
  if (!e) FAIL(render(e.error().front()));
  return e->entries.back();
}

}  // namespace

TEST_CASE("a view or a loop under another name goes through every stage as before, and costs the same") {
  for (const Renamed& r : renamed) {
    INFO(r.name);
    const Calculus c = with_copy(r.name, r.other);
    const PhraseProgram one = entry_in(c, r.program),
                        copy = entry_in(c, replaced(r.program, r.name + " ", r.other + " "));
    CHECK(print(copy) == replaced(print(one), r.name + " ", r.other + " "));
    CHECK(show(cost(one).work) == show(cost(copy).work));
    const auto writes = props::declared_writes(one), writes_of_copy = props::declared_writes(copy);
    CHECK((writes ? show(*writes) : "") == (writes_of_copy ? show(*writes_of_copy) : ""));
    CHECK(props::round_work(one).size() == props::round_work(copy).size());
    for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
      const DpiaTrace before = dpia_trace(one, c, machine), after = dpia_trace(copy, c, machine);
      CHECK(kernel::print(after.kernel()) == kernel::print(before.kernel()));
      for (std::size_t k = 0; k < before.steps.size(); ++k) {
        const AnyProgram &p = before.steps[k].program, &q = after.steps[k].program;
        CHECK(show(p.language().cost(p).work) == show(q.language().cost(q).work));
        CHECK(q.language().check(q, {}).empty() == p.language().check(p, {}).empty());
      }
    }
  }
}

TEST_CASE("without its facets a copy is another loop, and the stages show it") {
  Calculus c = with_copy("map", "each");
  Primitive bare = *c.primitive("each");
  std::get<Loop>(bare.kind).independent = false;
  std::get<Loop>(bare.kind).writes = nullptr;
  c.add(std::make_shared<const Primitive>(std::move(bare)));
  const PhraseProgram p = entry_in(c, "fun f [n] (xs : [n]i32) : [n]i32 = each (\\x -> x * x) xs");
  CHECK_FALSE(props::declared_writes(p).has_value());
  const std::string strategies = print(dpia_trace(p, c, Machine::Cpu).after("strategies")->as<PhraseProgram>());
  CHECK(strategies.find("mapPar") == std::string::npos);
}

TEST_CASE("an acceptor that means another place is seen where commands run, and not where its path is followed") {
  Calculus wrong = standard_calculus();
  Primitive reverse = *wrong.primitive("reverse");
  std::get<View>(reverse.kind).acceptors.at(0).meaning = [](const auto&, const Acceptor& a) { return a; };
  wrong.add(std::make_shared<const Primitive>(std::move(reverse)));
  const std::string text = "fun f [n] (xs : [n]i32) : [n]i32 = reverse (map (\\x -> x * x) xs)";
  const PhraseProgram p = entry_in(wrong, text);
  const auto after = [&](const std::string& stage, const Calculus& c) {
    const DpiaTrace trace = dpia_trace(entry_in(c, text), c, Machine::Cpu);
    const auto& program = trace.after(stage)->as<PhraseProgram>();
    return show(*run(program, {{"n", 3}}, {test::i32s({1, 2, 3})}, ieee_domain()), ieee_domain());
  };
  CHECK(after("translate", test::calculus()) == "[9, 4, 1]");
  CHECK(after("translate", wrong) == "[1, 4, 9]");
  CHECK(kernel::print(dpia_trace(p, wrong, Machine::Cpu).kernel()) ==
        kernel::print(dpia_trace(entry_in(test::calculus(), text), test::calculus(), Machine::Cpu).kernel()));
}

TEST_CASE("an operator that its first operand decides evaluates the second only where it must, under any name") {
  const std::vector<Value> outside = {test::i32s({1, 2}), scalar_value(make_integer(ScalarType::I64, 5))};
  const SizeValues sizes = {{"n", 2}};
  // Of each the condition under which the second operand traps with these inputs, and it: an access, a scalar
  // operation.
  for (const auto& [traps, second] : {std::pair{"i >= i64 n", "xs ! i > 0"}, std::pair{"i == 5", "i / (i - 5) > 0"}})
    for (const auto& [name, other] : {std::pair{"&&", "both"}, std::pair{"||", "any"}}) {
      INFO(name << " " << second);
      const Calculus c = with_copy(name, other);
      const bool both = std::string(name) == "&&";
      const std::string condition = both ? "(not (" + std::string(traps) + "))" : "(" + std::string(traps) + ")";
      const std::string text =
          "fun f [n] (xs : [n]i32) (i : i64) : bool = " + std::string(other) + " " + condition + " (" + second + ")";
      const PhraseProgram p = entry_in(c, text);
      const std::string expected = both ? "false" : "true";
      const auto value = denote(p, sizes, outside, ieee_domain());
      REQUIRE(value);
      CHECK(show(*value, ieee_domain()) == expected);
      for (const Step& step : dpia_trace(p, c, Machine::Cpu).steps) {
        INFO(step.name);
        const auto* phrase = step.program.as_if<PhraseProgram>();
        if (!phrase || phrase->output.empty()) continue;
        const auto out = run(*phrase, sizes, outside, ieee_domain());
        REQUIRE(out);
        CHECK(show(*out, ieee_domain()) == expected);
      }
    }
}

}  // namespace facets_test
