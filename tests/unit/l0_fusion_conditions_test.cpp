// The conditions under which L0's operations are fused, each where no other stands in the way: without it the program
// that comes out would be another, or one that uniqueness forbids (seed: Henriksen, Oancea, §3.1; l0.md §2, (4) to
// (6)).
#include <catch2/catch.hpp>

#include "tests/unit/l0_agrees.h"
#include "translate/l0/pipeline.h"

namespace l0_fusion_conditions_test {
using namespace lockstep;

namespace {

// "x -> y: map∘map; z -> y: case 1; " in the order in which they are decided; the program agrees at every stage.
std::string decided(const std::string& text) {
  static constexpr const char* cases[] = {"case 1", "case 2", "case 3", "case 4", "case 5",
                                          "case 6", "(5)",    "(6)",    "(7)",    "no rule"};
  test::l0_agrees(text, 20);
  l0::Program p = test::l0_program(text);
  std::string last = p.functions.back().name, out;
  for (const fusion::Decision& d : l0::fusions_of({std::move(p), std::move(last)}, l0::FusionMode::Paper))
    out += d.producer + " -> " + d.consumer + ": " +
           (d.obstacle ? cases[static_cast<std::size_t>(d.obstacle->why)] : d.rule) + "; ";
  return out;
}

}  // namespace

TEST_CASE("what an operation reads is not consumed by the one that it would go into") {
  const std::string consumer = "map(fn *[real] (*[real] r, real s) => let r[0] = s in r, zip(a, x))";
  // by another name than the one that is consumed
  CHECK(
      decided("fun [[real]] main(*[[real]] a, *[[real]] c, bool t) = let b = if t then a else c in let x = map(fn real "
              "([real] r) => r[0], b) in let y = " +
              consumer + " in y") == "x -> y: case 1; ");
  // inside its function
  CHECK(decided("fun [[real]] main(*[[real]] a) = let x = map(fn real ([real] r) => a[0, 0] + r[0], a) in let y = " +
                consumer + " in y") == "x -> y: case 1; ");
  // the same rows, each before it is consumed
  CHECK(decided("fun [[real]] main(*[[real]] a) = let x = map(fn real ([real] r) => r[0] + 1.0, a) in let y = " +
                consumer + " in y") == "x -> y: map∘map; ");
}

TEST_CASE("what copies are made of is not consumed by the loop in which they would be made") {
  CHECK(decided("fun [real] main(*[real] a) = let x = replicate(2, a) in loop (a) = for i < 2 do let y = map(fn real "
                "([real] r) => r[0] + 5.0, x) in let a[0] = y[1] in a in a") == "x -> y: case 1; ");
  CHECK(decided("fun [real] main(*[real] a, [real] c) = let x = replicate(2, c) in loop (a) = for i < 2 do let y = "
                "map(fn real ([real] r) => r[0] + 5.0, x) in let a[0] = y[1] in a in a") == "x -> y: map∘replicate; ");
}

TEST_CASE("what a filter leaves is gone over beside nothing else") {
  const std::string sums = "reduce2(fn (real, real) (real s, real t, real p, real q) => (s + p, t + q), 0.0, 0.0, ";
  CHECK(decided("fun (real, real) main([real] a, [real] b) = let x = filter(fn bool (real p) => p > 0.0, a) in let (y, "
                "z) = " +
                sums + "x, b) in (y, z)") == "x -> y, z: case 2; ");
  CHECK(decided("fun (real, real) main([real] a) = let x = filter(fn bool (real p) => p > 0.0, a) in let (y, z) = " +
                sums + "x, x) in (y, z)") == "x -> y, z: reduce∘filter; ");
}

TEST_CASE("copies of what a function hands on stay copies") {
  CHECK(
      decided("fun ([[int]], [int], int) main([int] a) = let r = replicate(2, a) in let x = map(fn [int] ([int] e) => "
              "e, r) in let s = size(transpose(x)) in let m = map(fn *[int] (*[int] e) => let e[0] = 7 in e, x) in "
              "(m, a, s)")
          .find("r -> x: (5); ") != std::string::npos);
}

TEST_CASE("what can trap does not go into a branch") {
  CHECK(decided("fun [int] main([int] a, bool t) = let x = map(fn int (int p) => 7 / p, a) in let z = if t then (let y "
                "= map(fn int (int p) => p + 1, x) in y) else a in z") == "x -> y: (6); ");
  // its inputs may not be equally long
  CHECK(
      decided("fun [int] main([int] a, [int] b, bool t) = let x = map2(fn int (int p, int q) => p * q, a, b) in let z "
              "= if t then (let y = map(fn int (int p) => p + 1, x) in y) else a in z") == "x -> y: (6); ");
  CHECK(decided("fun [int] main([int] a, bool t) = let x = map(fn int (int p) => 7 * p, a) in let z = if t then (let y "
                "= map(fn int (int p) => p + 1, x) in y) else a in z") == "x -> y: map∘map; ");
}

}  // namespace l0_fusion_conditions_test
