// Costs of commands.
#include <catch2/catch.hpp>

#include "semantics/imperative/cost.h"
#include "semantics/imperative/parse.h"

namespace imperative_cost_test {
using namespace lockstep;

namespace {

Cost cost_of(const std::string& text) {
  const auto p = parse_phrase_program(text, standard_calculus());
  if (!p) FAIL(render(p.error().front()));
  return imperative::cost(*p);
}

}  // namespace

TEST_CASE("work counts operations, reads and writes; a loop multiplies them") {
  const Cost c = cost_of(R"(program sum [n] (xs : [n]f32) : f32 -> output =
    new{}{f32}(\acc. acc.1 := 0f32; for{n}{}(\i. acc.1 := idx{n}{f32}(xs, i) + acc.2); output := acc.2))");
  CHECK(show(c.work) == "4*n + 3");
  CHECK(show(c.depth) == "4*n + 3");
  CHECK(show(c.space) == "1");
}

TEST_CASE(
    "iterations of a parallel loop are side by side, each with its own space; at a sequential level they are not") {
  const auto text = [](const std::string& level) {
    return "program p [n] (xs : [n]f32) : [n]f32 -> output = mapI" + level +
           "{n}{f32, f32}(\\x o. new{}{[3]f32}(\\t. o := x), xs, output)";
  };
  const Cost parallel = cost_of(text("Par"));
  CHECK(show(parallel.work) == "2*n");
  CHECK(show(parallel.depth) == "3");
  CHECK(show(parallel.space) == "3*n");
  const Cost sequential = cost_of(text("Seq"));
  CHECK(show(sequential.work) == "2*n");
  CHECK(show(sequential.depth) == "2*n");
  CHECK(show(sequential.space) == "3");
}

TEST_CASE("space given back at the end of a scope is not added") {
  CHECK(show(cost_of(R"(program p : f32 -> output =
    new{}{[5]f32}(\t. output := 1f32); new{}{[3]f32}(\u. output := 2f32))")
                 .space) == "5");
  CHECK(show(cost_of(R"(program p : f32 -> output = new{}{[5]f32}(\t. new{}{[3]f32}(\u. output := 2f32)))").space) ==
        "8");
}

TEST_CASE("a branch costs the larger of its sides, a while loop a number of its own") {
  CHECK(show(cost_of(R"(program p [n] (b : bool) (xs : [n]f32) : f32 -> output =
    cond{}{}(b, for{n}{}(\i. output := 1f32), output := 2f32))")
                 .work) == "n + 2");
  const Size work = cost_of(R"(program p (b : bool) : f32 -> output =
    whileDo{}{}(b, output := 1f32); whileDo{}{}(b, output := 1f32))")
                        .work;
  CHECK(work == Size::name("#iterations_1") * Size(2) + Size::name("#iterations_2") * Size(2) + Size(2));
}

TEST_CASE("of a zip only the component that is asked for is read") {
  CHECK(show(cost_of(R"(program p [n] (xs : [n]f32) (ys : [n]f32) : [n]f32 -> output =
    mapI{n}{(f32, f32), f32}(\x o. o := fst{}{f32, f32}(x) * snd{}{f32, f32}(x), zip{n}{f32, f32}(xs, ys), output))")
                 .work) == "4*n");
}

TEST_CASE("a step of reduceI writes a fresh variable that is copied back") {
  const Cost c = cost_of(R"(program r [n] (xs : [n]f32) : f32 -> output =
    reduceI{n}{f32, f32}(\x y o. o := x + y, 0f32, xs, \r. output := r))");
  CHECK(show(c.work) == "6*n + 3");
  CHECK(show(c.space) == "2");
}

}  // namespace imperative_cost_test
