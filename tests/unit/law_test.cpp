// Laws of operators: which are proved, which only tested, which refuted and with what; by Z3 and by running, which
// share nothing.
#include <catch2/catch.hpp>

#include "semantics/primitives/operators.h"
#include "tests/unit/derivation.h"

namespace law_test {
using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::proofs;
using namespace lockstep::rewriting;
using Catch::Matchers::Contains;
using Catch::Matchers::Matches;
using rewriting::Law;

namespace {

// The operation of a reduction over elements of type t.
LawQuestion question(Law law, const std::string& t, const std::string& f, const std::string& e = "") {
  const PhraseProgram p = entry("fun f [n] (c : " + t + ") (start : " + t + ") (xs : [n]" + t + ") : " + t +
                                " = reduce (" + f + ") " + (e.empty() ? "start" : "(" + e + ")") + " xs");
  const PrimPhrase* r = as<PrimPhrase>(*p.body);
  return {law, r->arguments[0], law == Law::Neutral ? std::optional(r->arguments[1]) : std::nullopt};
}
// Of the start itself, whatever it is.
LawQuestion beside_itself(const std::string& t, const std::string& f) {
  LawQuestion q = question(Law::Absorbed, t, f);
  q.element = q.start = ident("start", as<LambdaPhrase>(*q.operation)->parameter);
  return q;
}
std::string answer(const LawQuestion& q) {
  const LawAnswer a = law_oracle()(q);
  return (a.holds ? std::string(show(a.knowledge)) : "refuted") + (a.rounding ? " up to rounding" : "") + ": " + a.how;
}
std::string answer(Law law, const std::string& t, const std::string& f, const std::string& e = "") {
  return answer(question(law, t, f, e));
}
constexpr Law A = Law::Associative, C = Law::Commutative, N = Law::Neutral;

}  // namespace

TEST_CASE("what a primitive claims is proved on integers and booleans for every value") {
  for (const char* t : {"u8", "i32", "i64", "u32", "u64"})
    for (const char* f : {"+", "*", "&", "|", "^"}) {
      CAPTURE(t, f);
      CHECK_THAT(answer(A, t, "(" + std::string(f) + ")"),
                 Contains("proved: claimed by") && Contains("by Z3 for all values"));
      CHECK_THAT(answer(C, t, "(" + std::string(f) + ")"), Contains("proved: claimed by"));
    }
  for (const char* f : {"min", "max"}) CHECK_THAT(answer(A, "i32", f), Contains("proved: claimed by"));
  for (const char* f : {"(&&)", "(||)"}) CHECK_THAT(answer(A, "bool", f), Contains("proved: claimed by"));
  CHECK_THAT(answer(N, "i32", "(+)", "0"), Contains("proved: claimed by +"));
  CHECK_THAT(answer(N, "i32", "(*)", "1"), Contains("proved: claimed by *"));
  CHECK_THAT(answer(N, "i32", "max", "-2147483648"), Contains("proved: by Z3"));
}

TEST_CASE("functions of one's own are proved by Z3") {
  CHECK(answer(A, "i32", "\\x acc -> x + acc + 1") == "proved: by Z3 for all values");
  CHECK(answer(A, "i32", "\\x acc -> x + acc + c") == "proved: by Z3 for all values");  // for every c
  CHECK(answer(A, "i32", "\\x acc -> if x < acc then acc else x") == "proved: by Z3 for all values");
  CHECK(answer(A, "(i32, bool)", "\\x acc -> (fst x + fst acc, snd x || snd acc)") == "proved: by Z3 for all values");
  CHECK(answer(N, "(i32, bool)", "\\x acc -> (fst x + fst acc, snd x || snd acc)", "(0, false)") ==
        "proved: by Z3 for all values");
  CHECK(answer(A, "i32", "\\x acc -> let y = x ^ acc in y") == "proved: by Z3 for all values");
}

TEST_CASE("floats are associative up to rounding for + and * only, and exactly for min and max") {
  CHECK(answer(A, "f32", "(+)") == "proved up to rounding: claimed by +, on the reals by Z3");
  CHECK(answer(A, "f64", "(*)") == "proved up to rounding: claimed by *, on the reals by Z3");
  CHECK(answer(A, "(f32, f32)", "\\x acc -> (fst x + fst acc, snd x * snd acc)") ==
        "proved up to rounding: on the reals by Z3");
  CHECK(answer(A, "f32", "max") == "proved: claimed by max, by Z3 for all values");
  // of 0.0 and -0.0 the second: wrong bit for bit
  CHECK(answer(C, "f32", "max") == "proved up to rounding: claimed by max, on the reals by Z3");
  CHECK(answer(C, "(f32, f64)", "\\(a, b) (c, d) -> (a + c, min b d)") == "proved up to rounding: on the reals by Z3");
  CHECK_THAT(answer(C, "f32", "\\x acc -> if x < acc then x else 1"), Contains("refuted"));
  CHECK_THAT(answer(A, "f32", "(-)"), Contains("refuted: for x = "));
  CHECK_THAT(answer(A, "f32", "\\x acc -> sqrt (x * x + acc * acc)"), Contains("refuted: for x = "));
}

TEST_CASE("which folds may begin at their start again is proved for every start") {
  for (const char* t : {"i32", "u8", "f64"})
    for (const char* f : {"min", "max"}) CHECK_THAT(answer(beside_itself(t, f)), Contains("proved: "));
  CHECK_THAT(answer(beside_itself("bool", "(&&)")), Contains("proved: "));
  CHECK_THAT(answer(beside_itself("i32", "(+)")), Contains("refuted: ") && Contains("f e z = "));
  CHECK_THAT(answer(beside_itself("i32", "\\x acc -> x ^ acc")), Contains("refuted: "));
}

TEST_CASE("a choice by a strict order is selective, NaNs included, and one that prefers the newer of equals is not") {
  const auto chosen = [](const std::string& t, const std::string& by) {
    return answer(Law::Selective, "(i64, " + t + ")",
                  "\\(i, x) (k, best) -> if x " + by + " best then (i, x) else (k, best)");
  };
  for (const char* t : {"i32", "u64", "f32", "f64"})
    for (const char* by : {">", "<"}) CHECK(chosen(t, by) == "proved: by Z3 for all values");
  for (const char* by : {">=", "<=", "!="}) CHECK_THAT(chosen("i32", by), Contains("refuted: for "));
  // on floats it is not associative
  CHECK_THAT(answer(A, "f32", "\\x acc -> if x > acc then x else acc"), Contains("on the reals"));
}

TEST_CASE("a law that fails comes with small values on which it does") {
  const std::string minus = answer(A, "i32", "(-)");
  CHECK_THAT(minus, Contains("refuted: for x = ") && Contains("f x (f y z) = ") && Contains("f (f x y) z = "));
  CHECK_THAT(answer(N, "i32", "(+)", "1"), Contains("f x e = "));
  CHECK_THAT(answer(N, "i32", "\\x acc -> x", "0"), Contains("f e x = "));
  CHECK_THAT(answer(C, "i32", "\\x acc -> x"), Contains("f x y = "));
  CHECK_THAT(answer(A, "i32", "\\x acc -> (x + acc) / 2"), Contains("refuted"));
}

TEST_CASE("what Z3 has no encoding for is tested, and not called proved") {
  CHECK(answer(A, "[3]i32", "\\x acc -> map (\\p -> fst p + snd p) (zip x acc)") ==
        "tested: no counterexample in 2000 runs, seed 1");
  CHECK_THAT(answer(A, "[3]i32", "\\x acc -> map (\\p -> fst p - snd p) (zip x acc)"), Contains("refuted: for x = ["));
  CHECK_THAT(answer(A, "i32<4>", "(+)"), Contains("tested: "));
  CHECK_THAT(answer(C, "i32<4>", "(-)"), Matches("refuted: for x = <[-0-9]+(, [-0-9]+){3}>, y = <.*"));
}

TEST_CASE("a query without time proves nothing") {
  const LawSides hard =
      sides_of(question(A, "u64", "\\x acc -> (x * acc) ^ (x * acc * (x + acc)) ^ (x * x * acc)")).front();
  CHECK(prove_law(hard, 1).verdict != smt::Verdict::Proved);
}

TEST_CASE("a primitive that claims a law falsely is not believed") {
  Primitive minus = *scalar_operator("-");
  std::get<ScalarOp>(minus.kind).laws = {true, true, 0};
  Calculus wrong = standard_calculus();
  wrong.add(std::make_shared<const Primitive>(minus));
  const auto e = elaborated("fun f (xs : [12]i32) : i32 = reduce (-) 0 xs", wrong);
  REQUIRE(e.has_value());
  const LawAnswer a = law_oracle()({Law::Associative, as<PrimPhrase>(*e->entries.back().body)->arguments[0]});
  CHECK(!a.holds);
}

TEST_CASE("Z3's encoding of each operator and its denotation agree on laws that hold and laws that do not") {
  const std::vector<std::pair<std::string, std::string>> operations = {
      {"i32", "\\x acc -> x - acc + acc + acc"},
      {"i32", "\\x acc -> abs x + acc"},
      {"u8", "\\x acc -> x << acc"},
      {"i32", "\\x acc -> x >> acc"},
      {"u32", "\\x acc -> x >> (acc & 1)"},
      {"i32", "\\x acc -> min x (-acc)"},
      {"u8", "\\x acc -> u8 (i32 x + i32 acc)"},
      {"i32", "\\x acc -> i32 (i64 x * i64 acc)"},
      {"i64", "\\x acc -> i64 (u8 (x ^ acc))"},
      {"i32", "\\x acc -> i32 (x == acc)"},
      {"bool", "\\x acc -> x == acc"},
      {"bool", "\\x acc -> x != acc"},
      {"bool", "\\x acc -> !x && acc"},
      {"u8", "\\x acc -> select (x >= acc) x acc"},
      {"i32", "\\x acc -> if bool x then x else acc"},
      {"f32", "\\x acc -> min (abs x) acc"},
  };
  for (const auto& [t, f] : operations)
    for (const Law law : {Law::Associative, Law::Commutative}) {
      CAPTURE(t, f, show(law));
      const LawSides sides = sides_of(question(law, t, f)).front();
      const LawProof proof = prove_law(sides, 5000);
      const auto values = refute_law(sides, 4000, 7);
      REQUIRE(proof.verdict != smt::Verdict::Unknown);
      CHECK((proof.verdict == smt::Verdict::Proved) == !values.has_value());
    }
}

}  // namespace law_test
