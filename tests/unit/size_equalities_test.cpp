// What inference proved about sizes with a solver, after inference: the stages' type checks, the comparison of loops,
// and indices that are sizes.
#include <catch2/catch.hpp>

#include "props/dpia/derive.h"
#include "props/dpia/strategy_nest.h"
#include "props/dpia/verify.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/imperative/check.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"

namespace size_equalities_test {
using namespace lockstep;
using test::entry;

namespace {

SizeImplication with_z3() { return implied_by(proofs::z3_size_solver()); }

bool agrees(const PhraseProgram& p, const SizeImplication& implied) {
  props::VerifyOptions how;
  how.inputs = 4;
  how.targets = {};
  how.interleave = false;
  how.implied = implied;
  return props::verify(p, test::calculus(), how).agrees();
}

const char* const proved_by_z3[] = {
    // as the finding prints them
    "fun f [n] (xs : [n]i32) : [n/2+n%2]i32 = map (\\i -> xs ! (2 * i)) (iota ((n+1)/2))",
    "fun f [n] (xs : [n]i32) : [(n+1)/2]i32 = concat (map (\\i -> xs ! (2 * i)) (iota (n/2))) (drop (n/2*2) xs)",
    "fun f [n] (xs : [n]i32) : [(n+1)%2]i32 = map (\\x -> 1) (iota (1 - n%2))",
    "fun f [n] (xs : [n]i32) : [n/2]i32 where n % 2 == 1 = map (\\p -> p ! 0 + p ! 1) (split 2 (take (n-1) xs))",
    "fun f [n] (k : nat) (xs : [n]i32) : [(n - k)/2 + (n-k)%2]i32 where k <= n =\n"
    "  map (\\i -> xs ! i) (iota ((n-k+1)/2))",
    // ceilings, remainders and halves in other places
    "fun f [n] (xs : [n]i32) : [(n+1)/2]i32 = mapPar (\\i -> xs ! (2 * i)) (iota (n/2 + n%2))",
    "fun f [n] (xs : [n]i32) : [n]i32 = concat (map (\\x -> x + 1) (take ((n+1)/2) xs)) (drop (n/2 + n%2) xs)",
    "fun f [n] (xs : [n]i32) : [n - n/2]i32 = scan (+) 0 (take ((n+1)/2) xs)",
    "fun f [n] (k : nat) (xs : [n]i32) : [n/2+1]i64 where n % 2 == 1 =\n"
    "  if n > 2 then iota ((n-1)/2+1) else map (\\x -> x + 1) (iota ((n+1)/2))",
    "fun f [n] (xs : [n]i32) : [2*((n+1)/2)]i32 = concat xs (replicate (n%2) 0)",
    "fun f [n] (xs : [n]i32) : [(n+1)/2]i32 = map (\\p -> p ! 0 + p ! 1) (split 2 (concat xs (replicate (n%2) 0)))",
    "fun f [n] (xs : [n]i32) : [(n+3)/4]i32 where n % 4 == 3 = mapPar (\\p -> reduceSeq (+) 0 p) (split 4 (pad 0 1 0 "
    "xs))",
    "fun f [n] (xs : [n]i32) : [n/2][2]i32 where n % 2 == 1 =\n"
    "  mapWorkgroup (\\b -> mapLocal (\\x -> x + 1) b) (split 2 (take (n-1) xs))",
    "fun f [n] (k : nat) (xs : [n]i32) : [n]i32 where k <= n, n % 2 == k % 2 =\n"
    "  concat (join (mapPar (\\p -> mapSeq (\\x -> x + 1) p) (split 2 (take (n - k) xs)))) (drop (n-k) xs)",
};

}  // namespace

TEST_CASE("users-dpia B3: equalities that check proved hold for the stages' types and for the comparison of loops") {
  const SizeImplication implied = with_z3();
  std::size_t by_normal_forms = 0;
  for (const char* const text : proved_by_z3) {
    INFO(text);
    const PhraseProgram p = entry(text);
    CHECK(agrees(p, implied));
    by_normal_forms += agrees(p, {});
  }
  CHECK(by_normal_forms == 0);  // each of them needs the solver
}

namespace {

// Sizes that are one under the facts, written in several ways, and programs over any of them: A to D.
struct Family {
  std::vector<std::string> forms;
  std::string facts;
};
const Family families[] = {
    {{"(n+1)/2", "(n - n/2)", "(n/2 + n%2)"}, ""},
    {{"(n-1)/2", "n/2"}, "n % 2 == 1"},
    {{"(n+1)/2", "(n/2+1)", "((n-1)/2+1)"}, "n % 2 == 1"},
    {{"(n+2)/3", "(n - n/3 - (n+1)/3)"}, ""},
    {{"(n-k+1)/2", "((n-k)/2 + (n-k)%2)"}, "k <= n"},
    {{"n%2", "(n - n/2*2)", "(n%4)%2", "(n+2)%2"}, ""},
    {{"(n+3)/4", "(n+1)/4"}, "n % 4 == 3"},
    {{"(n+k)/2", "((n-k)/2+k)"}, "k <= n, n % 2 == k % 2"},
    {{"(n%4)/2", "(n/2)%2"}, ""},
};
struct Template {
  const char *body, *type;
};
const Template templates[] = {
    {"mapPar (\\i -> i * 2) (iota (B))", "[A]i64"},
    {"scan (+) 0 (iota (B))", "[A]i64"},
    {"concat (iota (B)) (iota (C))", "[A + D]i64"},
    {"zip (iota (B)) (map (\\i -> i * 2) (iota (C)))", "[A](i64, i64)"},
    {"join (map (\\i -> [i, i + 1]) (iota (B)))", "[2*(A)]i64"},
    {"map (\\p -> p ! 0 - p ! 1) (split 2 (concat (iota (B)) (iota (C))))", "[A]i64"},
    {"mapWorkgroup (\\p -> mapLocal (\\x -> x + 1) p) (split 2 (concat (iota (B)) (iota (C))))", "[A][2]i64"},
    {"generate (B) (\\i -> i64 i * 3)", "[A]i64"},
    {"let ys = map (\\i -> i * i) (iota (B)) in iterate 2 (\\v -> map (\\x -> x + 1) v) ys", "[A]i64"},
    {"scatter (replicate (A) 0) (iota (B)) (map (\\x -> x + 7) (iota (C)))", "[D]i64"},
    {"permute (+) (replicate (A) 0) (iota (B)) (map (\\x -> x + 7) (iota (C)))", "[D]i64"},
    {"transpose (map (\\i -> map (\\j -> i - j) (iota (B))) (iota (C)))", "[A][D]i64"},
    {"same (iota (B)) (iota (C))", "[A]i64"},
    {"reduce (\\r acc -> map (\\(x, y) -> x + y) (zip r acc)) (replicate (B) 0) (map (\\i -> iota (C)) (iota 3))",
     "[A]i64"},
    {"if n > 2 then iota (B) else map (\\x -> x + 1) (iota (C))", "[A]i64"},
    {"snd (while (\\(c, v) -> c < 3) (\\(c, v) -> (c + 1, map (\\x -> x + 1) v)) (0, iota (B)))", "[A]i64"},
    {"gather (iota (B)) (iota (C))", "[A]i64"},
    {"mapSeq (\\i -> reduceSeq (+) i (iota (B))) (iota (C))", "[A]i64"},
};

std::string with_forms(const std::string& text, const Family& family, std::size_t& next) {
  std::string out;
  for (const char c : text)
    if (c >= 'A' && c <= 'D')
      out += family.forms[next++ % family.forms.size()];
    else
      out += c;
  return out;
}

}  // namespace

TEST_CASE("users-dpia B3: sizes that are equal under the facts, in every kind of loop") {
  const SizeImplication implied = with_z3();
  std::size_t next = 0, by_normal_forms = 0, all = 0;
  for (const Template& t : templates)
    for (std::size_t k = 0; k < 2; ++k) {
      const Family& family = families[all++ % std::size(families)];
      const std::string type = with_forms(t.type, family, ++next), body = with_forms(t.body, family, next);
      const std::string text =
          "fun same [p q] (a : [p]i64) (b : [q]i64) : [p]i64 where p == q = map (\\(x, y) -> x + y) (zip a b)\n"
          "fun f [n] (k : nat) (xs : [n]i32) : " +
          type + (family.facts.empty() ? "" : " where " + family.facts) + " = " + body;
      INFO(text);
      const PhraseProgram p = entry(text);
      CHECK(agrees(p, implied));
      by_normal_forms += agrees(p, {});
    }
  CHECK(by_normal_forms < all);  // the solver is asked
}

TEST_CASE(
    "users-dpia B3: a size that is another is wrongly typed, and a loop of another extent is lost, all the same") {
  const SizeImplication implied = with_z3();
  PhraseProgram p = entry(proved_by_z3[0]);
  PhraseProgram translated = dpia_trace(p, test::calculus(), Machine::Cpu).after("translate")->as<PhraseProgram>();
  REQUIRE_FALSE(translated.output.empty());
  CHECK(check_program(translated, {.implied = implied}));
  translated.result = array(floor_div(Size::name("n"), 2), scalar(ScalarType::I32));
  CHECK_FALSE(check_program(translated, {.implied = implied}));

  DpiaTrace other = dpia_trace(entry(proved_by_z3[3]), test::calculus(), Machine::Cpu);
  CHECK_FALSE(props::lost_loop(other, implied));
  const kernel::StmtChange shorten = [](const kernel::Stmt& s) -> std::vector<kernel::Stmt> {
    const auto* f = std::get_if<kernel::ParallelFor>(&s.node);
    if (!f) return {s};
    kernel::ParallelFor shorter = *f;
    shorter.extent = kernel::arith(kernel::ArithOp::Subtract, f->extent, kernel::constant(1));
    return {kernel::Stmt{std::move(shorter)}};
  };
  for (Step& step : other.steps) {
    if (!step.program.as_if<kernel::Program>()) continue;
    kernel::Program k = step.program.as<kernel::Program>();
    k.body = kernel::rewritten(k.body, shorten);
    step.program = AnyProgram(step.program.language_ref(), k);
  }
  CHECK(props::lost_loop(other, implied));
}

TEST_CASE("users-dpia B3: a derivation's steps are held against Fig. 3 where Z3 proved their sizes too") {
  const PhraseProgram p = entry(proved_by_z3[0]);
  props::DeriveOptions how;
  how.inputs = 2;
  const auto step_to = [&](const PhraseProgram& to) {
    const rewriting::Derived step{"rule", {}, {}, "map", {}, false, to};
    return props::check_derivation(p, {step}, test::calculus(), proofs::z3_size_solver(), how).agrees();
  };
  CHECK(step_to(p));
  // The same text, but a phrase that carries another type than it has.
  PhraseProgram wrong = p;
  wrong.body = Phrase{exp_type(array(floor_div(Size::name("n"), 2), scalar(ScalarType::I32))), p.body->node};
  CHECK_FALSE(step_to(wrong));
}

TEST_CASE("a solver that remembers is asked each question once, the facts being part of it") {
  std::size_t asked = 0;
  const Size n = Size::name("n"), m = Size::name("m");
  const SizeSolver solver = remembering([&](const std::vector<SizeFact>& facts, const SizeFact&) {
    ++asked;
    return SolverAnswer{facts.empty() ? Verdict::Unknown : Verdict::Solved};
  });
  const SizeFact goal{n, SizeRelation::LessEqual, m}, fact{n, SizeRelation::Less, m};
  for (int k = 0; k < 3; ++k) {
    CHECK(solver({}, goal).verdict == Verdict::Unknown);
    CHECK(solver({fact}, goal).verdict == Verdict::Solved);
    CHECK(solver({fact, goal}, goal).verdict == Verdict::Solved);
    CHECK(solver({fact}, {m, SizeRelation::LessEqual, n}).verdict == Verdict::Solved);
    CHECK(solver({fact}, {n, SizeRelation::Less, m}).verdict == Verdict::Solved);
  }
  CHECK(asked == 5);
}

TEST_CASE("what small sizes refute is not asked") {
  std::size_t asked = 0;
  const SizeImplication implied = implied_by([&](const std::vector<SizeFact>&, const SizeFact&) {
    ++asked;
    return SolverAnswer{Verdict::Solved};
  });
  const Size n = Size::name("n"), m = Size::name("m");
  CHECK_FALSE(implied({}, {n, SizeRelation::Equal, m}));
  CHECK_FALSE(implied({{1, SizeRelation::LessEqual, n}}, {floor_div(n, 2), SizeRelation::Equal, floor_div(n, 3)}));
  CHECK(implied({}, {n, SizeRelation::Equal, n}));
  CHECK(asked == 0);
  // ... nor refuted where no fact is broken.
  CHECK(implied({{n, SizeRelation::Equal, m * m}}, {n, SizeRelation::Equal, m * m}));
  CHECK(implied({}, {floor_div(n + Size(1), 2), SizeRelation::Equal, n - floor_div(n, 2)}));
  CHECK(asked == 1);
}

namespace {

bool is_checked(const std::string& text) {
  std::function<bool(const Phrase&)> holds = [&](const Phrase& p) {
    const auto* x = as<PrimPhrase>(p);
    bool found = x && x->primitive->name == "!";
    for_each_child(p, [&](const PhraseRef& c) { found = found || holds(*c); });
    return found;
  };
  return holds(*entry(text).body);
}

}  // namespace

TEST_CASE("users-dpia E: an index that is a size inside for all sizes is not checked when it runs") {
  const auto last = [](const std::string& index, const std::string& facts = "n >= 1") {
    return "fun f [n] (k : nat) (xs : [n]i32) : i32" + (facts.empty() ? "" : " where " + facts) + " = xs ! (" + index +
           ")";
  };
  for (const char* const index : {"n - 1", "n / 2", "(n - 1) / 2", "(n + 1) / 2 - 1", "i64 n - 1", "n - n", "n % n",
                                  "2 * n - n - 1", "n - 1 - n % 2 * 0"})
    CHECK_FALSE(is_checked(last(index)));
  CHECK_FALSE(is_checked(last("n - k", "k <= n, k >= 1")));
  CHECK_FALSE(is_checked(last("k", "k * k < n")));
  CHECK_FALSE(is_checked(last("n - 1 - k", "k < n")));
  CHECK_FALSE(is_checked(last("n / 2", "n % 2 == 1")));
  // Not where it may be outside, or where the operands of a division may leave 64 bits or be negative.
  for (const char* const index :
       {"n", "n + 1", "n - 2", "(n - 2) / 2", "k - 1", "n / k", "n * n * n / (n * n) - 1", "0 - 1"})
    CHECK(is_checked(last(index == std::string("n") ? "k" : index)));
  CHECK(is_checked(last("n - 1", "")));
  CHECK(test::errors(last("n")).find("outside an array of n elements") != std::string::npos);
  // It means what it meant, to the last element.
  CHECK(test::meaning("fun f [n] (xs : [n]i32) : i32 where n >= 1 = xs ! ((n + 1) / 2 - 1)", {test::i32s({5, 6, 7})},
                      {{"n", 3}}) == "6");
  CHECK(test::meaning("fun f [n] (xs : [n]i32) : i32 = xs ! (n - 1)", {test::i32s({})}, {{"n", 0}}) ==
        "trap: !: index -1 is outside [0, 0)");
  CHECK(agrees(entry("fun f [n] (xs : [n]i32) : [n]i32 where n >= 1 = map (\\x -> x + xs ! (n - 1)) xs"), with_z3()));
}

TEST_CASE("what stands for a natural name is natural") {
  // Found in a block's layout: 4*b - 4 bytes, of a elements, where b == a + 1.
  const Size a = Size::name("a"), b = Size::name("b");
  SizeContext c;
  c.assume({b, SizeRelation::Equal, a + Size(1)});
  CHECK(c.proves({0, SizeRelation::LessEqual, Size(4) * b - Size(4)}));
  CHECK_FALSE(c.proves({0, SizeRelation::LessEqual, b - Size(2)}));
}

TEST_CASE("a loop whose extent is another one in its branch, as a stage may print it, is not lost") {
  PhraseProgram p = entry("fun main [n m] (x : [m + 2]i32) (y : [1][n]i32) : [1]i32 = map (\\row -> reduce (+) 0 x) y");
  p.order = {2, 2, 0};  // where m + 2 < 4 there is one block
  const DpiaTrace trace = dpia_trace(p, test::calculus(), Machine::Cpu);
  const SizeImplication implied = with_z3();
  CHECK_FALSE(props::lost_loop(trace, implied));
  const SizeImplication without_facts = [&](const std::vector<SizeFact>&, const SizeFact& goal) {
    return implied({}, goal);
  };
  CHECK(props::lost_loop(trace, without_facts));
}

TEST_CASE("a loop that a check leaves no iteration is not lost, and one that it leaves some is") {
  const auto trace = [](const std::string& at) {
    return dpia_trace(entry("fun main [a] (x : [a]i8) (y : [3*(a/3)]i64) (z : [3*(a/3)]i8) (w : [1][a]i8) : [1][a]i8 "
                            "=\n  update w " +
                            at + " (permute (\\u v -> u) x y z)"),
                      test::calculus(), Machine::Cpu);
  };
  const SizeImplication implied = with_z3();
  for (const char* const zero : {"a", "(a * 1)", "(1 + a - 1)"}) CHECK_FALSE(props::lost_loop(trace(zero), implied));
  // Without what the check says it would be lost.
  DpiaTrace unchecked = trace("a");
  for (Step& step : unchecked.steps) {
    if (!step.program.as_if<kernel::Program>()) continue;
    kernel::Program k = step.program.as<kernel::Program>();
    k.body = kernel::rewritten(k.body, kernel::StmtChange([](const kernel::Stmt& s) {
                                 const bool check = std::holds_alternative<kernel::Check>(s.node);
                                 return check ? std::vector<kernel::Stmt>{} : std::vector{s};
                               }));
    step.program = AnyProgram(step.program.language_ref(), k);
  }
  CHECK(props::lost_loop(unchecked, implied));
}

}  // namespace size_equalities_test
