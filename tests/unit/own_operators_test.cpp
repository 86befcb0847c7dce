// Reductions by operators of one's own, whose laws only a solver finds: which go by blocks, and that these come to what
// loops over indices do.
#include <array>
#include <catch2/catch.hpp>
#include <functional>

#include "codegen/targets/target.h"
#include "proofs/laws/compiling.h"
#include "proofs/laws/oracle.h"
#include "tests/unit/dpia_program.h"
#include "translate/rewriting/claims.h"
#include "translate/rewriting/terms.h"

namespace own_operators_test {
using namespace lockstep;
using namespace lockstep::test;
using proofs::compiling_laws;
using rewriting::Knowledge;
using rewriting::Law;
using rewriting::LawAnswer;
using rewriting::LawQuestion;

namespace {

constexpr ReductionOrder small{4, 12, 128, 2};
constexpr std::int64_t in_group = small.block * small.abreast;

PhraseProgram reduced(PhraseProgram p, const rewriting::LawOracle& laws = compiling_laws(),
                      LawsHold* relied = nullptr) {
  p.order = small;
  return reduced_in_blocks(fused(p, calculus(), {}, nullptr, laws), calculus(), relied, laws);
}
std::size_t splits_in(const Phrase& p) {
  std::size_t out = rewriting::as_call(p, "split") != nullptr;
  for_each_child(p, [&](const PhraseRef& c) { out += splits_in(*c); });
  return out;
}
// Groups of blocks that go in their order.
std::size_t groups_in(const Phrase& p) {
  const auto* split = rewriting::as_call(p, "split");
  std::size_t out = split && rewriting::as_call(*split->arguments[0], "split");
  for_each_child(p, [&](const PhraseRef& c) { out += groups_in(*c); });
  return out;
}
bool in_blocks(const std::string& text) { return groups_in(*reduced(entry(text)).body) == 1; }
bool in_columns(const std::string& text) {
  const PhraseProgram made = reduced(entry(text));
  return groups_in(*made.body) == 0 && splits_in(*made.body) > 1;
}
bool stays(const std::string& text) { return splits_in(*reduced(entry(text)).body) == 0; }

std::string folds(const std::string& t, const std::string& f, const std::string& z) {
  return "fun f [n] (xs : [n]" + t + ") : " + t + " = reduce (" + f + ") " + z + " xs";
}
std::string of_pairs(const std::string& t, const std::string& f, const std::string& z) {
  return folds("(" + t + ", " + t + ")", f, z);
}

// `joined`: what of two segments, b behind a, is the greatest sum.
std::string segments(const std::string& t, const std::string& joined = "max (max m n) (suf + qre)") {
  return "fun lift (x : " + t + ") : (" + t + ", " + t + ", " + t + ", " + t +
         ") = (max 0 x, max 0 x, max 0 x, x)\n"
         "fun f [n] (xs : [n]" +
         t + ") : " + t +
         " =\n"
         "  let (m, pre, suf, tot) =\n"
         "    reduce\n"
         "      (\\(n, qre, ruf, uot) (m, pre, suf, tot) ->\n"
         "         (" +
         joined +
         ", max pre (tot + qre), max ruf (suf + uot), tot + uot))\n"
         "      (0, 0, 0, 0) (map lift xs) in\n"
         "  m\n";
}
std::string matrices(const std::string& t, const std::string& z) {
  const std::string four = "(" + t + ", " + t + ", " + t + ", " + t + ")";
  return "fun f [n] (xs : [n]" + four + ") : " + four +
         " =\n"
         "  reduce\n"
         "    (\\(e, f, g, h) (a, b, c, d) -> (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h))\n"
         "    " +
         z + " xs\n";
}

std::int64_t element(std::int64_t i) { return i * 7919 % 23 - 11; }
std::string at(const PhraseProgram& p, const Value& xs, std::int64_t n, const Domain& domain = ieee_domain()) {
  return show(*denote(p, {{"n", n}}, {xs}, domain), domain);
}
using Matrix = std::array<std::uint32_t, 4>;
Matrix product(const Matrix& x, const Matrix& y) {
  return {x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2], x[2] * y[1] + x[3] * y[3]};
}
Matrix matrix(std::int64_t i) {
  Matrix out;
  for (std::size_t k = 0; k < 4; ++k)
    out[k] = static_cast<std::uint32_t>(element(4 * i + static_cast<std::int64_t>(k)));
  return out;
}
Value value_of(const Matrix& m) {
  const auto number = [](std::uint32_t x) { return scalar_value(make_integer(ScalarType::I32, x)); };
  return pair_value(number(m[0]), pair_value(number(m[1]), pair_value(number(m[2]), number(m[3]))));
}

}  // namespace

TEST_CASE("the greatest sum of neighbours goes by blocks, and is that of all segments") {
  const PhraseProgram made = reduced(entry(segments("f32")));
  CHECK(groups_in(*made.body) == 1);
  for (std::int64_t n = 0; n <= 3 * in_group; ++n) {
    CAPTURE(n);
    std::vector<double> xs;
    for (std::int64_t i = 0; i < n; ++i) xs.push_back(static_cast<double>(element(i)));  // added without rounding
    double most = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      double sum = 0;
      for (std::size_t j = i; j < xs.size(); ++j) most = std::max(most, sum += xs[j]);
    }
    CHECK(at(made, f32s(xs), n) == show(scalar_value(make_ieee(ScalarType::F32, most)), ieee_domain()));
  }
}

TEST_CASE("products of matrices go by blocks in their order, and wrap to the same bits") {
  struct Start {
    const char* text;
    Matrix value;
  };
  for (const Start& start : {Start{"(1, 0, 0, 1)", {1, 0, 0, 1}}, Start{"(2, 1, 0, 2)", {2, 1, 0, 2}}}) {
    const PhraseProgram made = reduced(entry(matrices("i32", start.text)));
    CHECK(groups_in(*made.body) == 1);
    Matrix all = start.value;
    std::vector<Value> xs;
    for (std::int64_t n = 0; n <= 3 * in_group; ++n) {
      CAPTURE(start.text, n);
      CHECK(at(made, array_value(xs), n) == show(value_of(all), ieee_domain()));
      xs.push_back(value_of(matrix(n)));
      all = product(all, matrix(n));
    }
  }
  CHECK(in_blocks(matrices("f32", "(1, 0, 0, 1)")));
}

TEST_CASE("what is compiled has the bits of the order that is written") {
  const PhraseProgram program = entry(matrices("i32", "(1, 0, 0, 1)"));
  const DpiaTrace trace = proofs::lawful_trace(program, calculus(), Machine::Cpu);
  REQUIRE(trace.held_to() > 0);
  CHECK(dpia_trace(program, calculus(), Machine::Cpu).held_to() == 0);  // where nobody is asked
  const auto compiled = load_on(*find_target("openmp"), trace.last(), program.result);
  REQUIRE(compiled);
  for (const std::int64_t n : {0, 1, 1023, 2048, 2500, 7000}) {
    CAPTURE(n);
    Arguments arguments{{{"n", n}}, {}};
    arguments.values.push_back(allocate_leaves(program.parameters[0].second, arguments.sizes, "xs").value());
    Matrix all{1, 0, 0, 1};
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < 4; ++k)
        static_cast<std::uint32_t*>(writable(arguments.values[0])[k])[i] = matrix(i)[k];
      all = product(all, matrix(i));
    }
    const auto found = compiled->run(arguments);
    REQUIRE(found);
    for (std::size_t k = 0; k < 4; ++k) CHECK(static_cast<std::uint32_t>(scalar_at((*found)[k], 0).bits) == all[k]);
  }
}

TEST_CASE("operators that are associative go by blocks") {
  CHECK(in_blocks(of_pairs("f32", "\\(c, d) (a, b) -> (c * a, c * b + d)", "(1, 0)")));  // affine functions
  CHECK(in_blocks(of_pairs("i64", "\\(c, d) (a, b) -> (c * a, c * b + d)", "(1, 0)")));
  CHECK(in_blocks(of_pairs("u32", "\\(s, k) (r, l) -> (r & ~k | s & k, k | l)", "(0, 0)")));  // bits by a mask
  CHECK(in_blocks(folds("i32", "\\x acc -> if x == 0 then acc else x", "0")));                // the last that is not 0
  // what is commutative, with a neutral element, goes by columns
  CHECK(in_columns(folds("i32", "\\x acc -> x + acc + x * acc", "0")));
  CHECK(in_columns(of_pairs("f32", "\\(c, d) (a, b) -> (a * c - b * d, a * d + b * c)", "(1, 0)")));  // complex
  CHECK(in_columns(folds("i32", "\\x acc -> x + acc - 5", "5")));
}

TEST_CASE("an operator is found behind what a step makes of its element") {
  const auto of = [](const std::string& step) {
    return "fun f [n] (xs : [n]f32) : (f32, f32) = reduce (\\x (a, b) -> " + step + ") (1, 0) xs";
  };
  CHECK(
      in_blocks("fun f [n] (xs : [n]i32) : i32 =\n"
                "  reduce (\\x acc -> if x == 0 then acc else x) 0 (map (\\x -> x * x - 1) xs)"));
  CHECK(
      in_columns("fun f [n] (xs : [n]i32) : i32 =\n"
                 "  reduce (\\x acc -> x + acc + x * acc) 0 (map (\\x -> x & 7) xs)"));
  CHECK(
      in_blocks("fun f [n] (us : [n]f32) : (f32, f32) =\n"  // x = 0.5 x + u
                "  reduce (\\(c, d) (a, b) -> (c * a, c * b + d)) (1, 0) (map (\\u -> (0.5, u)) us)"));
  CHECK(stays(of("(x * a, x * b + a)")));
}

TEST_CASE("what is not associative, or begins with what is not absorbed, stays in order") {
  CHECK(stays(folds("i32", "\\x acc -> acc - x", "0")));
  CHECK(stays(folds("f32", "\\x acc -> acc * 2 + x", "0")));
  CHECK(stays(segments("f32", "max (max m n) (pre + qre)")));
  CHECK(stays(segments("f32", "max m (suf + qre)")));
  CHECK(stays(segments("i32")));  // sums wrap, so that max of them is another
  std::string wrong = matrices("i32", "(1, 0, 0, 1)");
  CHECK(stays(wrong.replace(wrong.find("b * g"), 5, "b * h")));
  CHECK(stays(folds("i32", "\\x acc -> if 7 / 7 == 1 then x ^ acc else x", "0")));  // tested, and not proved
  CHECK(stays(folds("i32", "\\x acc -> x", "7")));                                  // 7 absorbs what comes before it
  CHECK(stays(of_pairs("i32", "\\(c, d) (a, b) -> (a + c, d)", "(1, 5)")));         // no element is neutral
  CHECK(in_blocks(of_pairs("i32", "\\(c, d) (a, b) -> (c * a, c * b + d)", "(2, 0)")));
}

TEST_CASE("laws that are relied on are owed, and hold by the oracle that proves them") {
  for (const std::string& text :
       {segments("f32"), matrices("i32", "(1, 0, 0, 1)"), folds("i32", "\\x acc -> x + acc + x * acc", "0")}) {
    LawsHold relied;
    reduced(entry(text), compiling_laws(), &relied);
    REQUIRE(relied.questions.size() >= 2);
    for (const LawQuestion& q : relied.questions) {
      const LawAnswer a = proofs::law_oracle()(q);
      CHECK((a.holds && a.knowledge == Knowledge::Proved));
    }
  }
}

TEST_CASE("of an absorbed start all elements count, or those that a step makes") {
  const auto asked = [](const std::string& text) {
    LawsHold relied;
    reduced(entry(text), compiling_laws(), &relied);
    std::vector<LawQuestion> out;
    for (const LawQuestion& q : relied.questions)
      if (q.law == Law::Absorbed) out.push_back(q);
    return out;
  };
  // a sum of elements that are not segments' may be more than the greatest
  const std::vector<LawQuestion> lifted = asked(segments("f32"));
  REQUIRE(lifted.size() == 1);
  REQUIRE(lifted[0].made);
  LawQuestion any = lifted[0];
  any.made.reset();
  CHECK_FALSE(proofs::law_oracle()(any).holds);
  CHECK_FALSE(asked(matrices("i32", "(1, 0, 0, 1)")).at(0).made);
}

TEST_CASE("reductions that keep their order stay apart, but in the function of a loop") {
  const std::string both =
      "(reduce (\\x acc -> if x == 0 then acc else x) 0 xs, reduce (\\x acc -> if acc == 0 then x else acc) 0 xs)";
  CHECK(groups_in(*reduced(entry("fun f [n] (xs : [n]i32) : (i32, i32) = " + both)).body) == 2);
  std::size_t reductions = 0;
  const std::function<void(const Phrase&)> count = [&](const Phrase& p) {
    reductions += rewriting::as_call(p, "reduce") != nullptr;
    for_each_child(p, [&](const PhraseRef& c) { count(*c); });
  };
  count(*reduced(entry("fun f [m n] (a : [m][n]i32) : [m](i32, i32) = map (\\xs -> " + both + ") a")).body);
  CHECK(reductions == 1);
}

TEST_CASE("of short vectors a lane is asked about, and none of a vector made of another's lane") {
  CHECK(stays("fun f [n] (y : f32<4>) (xs : [n]f32<4>) : f32<4> = reduce (\\x acc -> splat 4 (lanes acc ! 0)) y xs"));
}

TEST_CASE("arrays and loops are not asked about, and nothing is where claims answer") {
  std::size_t count = 0;
  const rewriting::LawOracle counting = [&](const LawQuestion& q) {
    const auto claimed = rewriting::claimed_laws()(q);
    count += !claimed.holds;
    return claimed;
  };
  reduced(entry(folds("i32", "(+)", "0")), counting);
  CHECK(count == 0);
  reduced(entry("fun f [m n] (a : [m][n]f32) : f32 = reduce (\\row acc -> reduceSeq (-) acc row) 0 a"), counting);
  CHECK(count == 0);
  reduced(entry("fun f [m] (a : [m][2]i32) : [2]i32 = reduce (\\row acc -> row) (replicate 2 0) a"), counting);
  CHECK(count > 0);
  CHECK(stays("fun f [m] (a : [m][2]i32) : [2]i32 = reduce (\\row acc -> row) (replicate 2 0) a"));
}

TEST_CASE("a question is asked once, whatever its names are; another is another") {
  std::size_t asked = 0;
  const rewriting::LawOracle laws = rewriting::remembering([&](const LawQuestion&) {
    ++asked;
    return LawAnswer{.how = std::to_string(asked)};
  });
  const auto of = [&](Law law, const std::string& f, const std::string& z) {
    const PhraseProgram p = entry(folds("i32", f, z));
    const PrimPhrase& r = *as<PrimPhrase>(*p.body);
    return laws({law, r.arguments[0], r.arguments[1]}).how;
  };
  CHECK(of(Law::Associative, "\\x y -> x - y", "0") == "1");
  CHECK(of(Law::Associative, "\\a b -> a - b", "0") == "1");
  CHECK(of(Law::Associative, "\\a b -> b - a", "0") == "2");
  CHECK(of(Law::Commutative, "\\a b -> a - b", "0") == "3");
  CHECK(of(Law::Associative, "\\a b -> a - b", "1") == "4");
  for (int k = 2; k < 60; ++k) of(Law::Associative, "\\a b -> a - b", std::to_string(k));
  const std::size_t before = asked;
  of(Law::Associative, "\\x y -> x - y", "59");
  CHECK(asked == before);
  of(Law::Associative, "\\x y -> x - y", "0");
  CHECK(asked == before + 1);  // those of long ago are forgotten
}

TEST_CASE("an operator may read a size that no array has") {  // found by the campaign
  CHECK(stays("fun f [n k] (xs : [n]u64) : i64 = reduce (\\x acc -> i64 x + k) 0 xs"));
  CHECK(in_columns("fun f [n k] (xs : [n]i64) : i64 = reduce (\\x acc -> x * k + acc) 0 xs"));
}

}  // namespace own_operators_test
