// reduceBlock, reduceWarp, scanBlock, scanWarp: the order that they mean, what they are translated into on both
// machines, what of it is proved, and where they cannot stand.
#include <catch2/catch.hpp>

#include "proofs/kernel/obligations.h"
#include "proofs/kernel/prover.h"
#include "props/dpia/cost_temporaries.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace collectives_test {
using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

// x + 3 a is not associative: each order of combining five or more elements has a value of its own.
const std::string order = "(\\x a -> x + 3 * a)";

std::int32_t f(std::int32_t later, std::int32_t earlier) { return later + 3 * earlier; }

// The tree of [from, to) that pairs from the left: the largest power of two below the length is its left part.
std::int32_t tree(const std::vector<std::int32_t>& xs, std::size_t from, std::size_t to) {
  if (to - from == 1) return xs[from];
  std::size_t left = 1;
  while (2 * left < to - from) left *= 2;
  return f(tree(xs, from + left, to), tree(xs, from, from + left));
}
// Of the last s elements up to i, halved again and again: the later half first.
std::int32_t window(const std::vector<std::int32_t>& xs, std::int64_t i, std::int64_t s) {
  if (s == 1) return xs[static_cast<std::size_t>(i)];
  const std::int32_t later = window(xs, i, s / 2);
  return i - s / 2 < 0 ? later : f(later, window(xs, i - s / 2, s / 2));
}

std::vector<std::int32_t> numbers(std::size_t n) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<std::int32_t>(i * i % 7) - 2);
  return out;
}

std::string text(const std::string& collective, std::size_t n, const std::string& function) {
  const std::string length = std::to_string(n), result = collective.starts_with("scan") ? "[" + length + "]" : "";
  const bool warp = collective.ends_with("Warp");
  const std::string call = collective + " " + function + " 5 w";
  return "fun main (xs : [3][2][" + length + "]i32) : [3][2]" + result +
         "i32 block 8 warp 4 =\n  xs |> mapWorkgroup (\\b -> b |> " +
         std::string(warp ? "mapWarp (\\w -> " + call + ")" : "mapSeq (\\w -> " + call + ")") + ")\n";
}

// What the last kernel for the machine computes of 3 x 2 rows, with races, and interleaved.
std::vector<std::int32_t> computed(const std::string& program, Machine machine, std::size_t n) {
  const PhraseProgram source = test::entry(program);
  const DpiaTrace trace = dpia_trace(source, test::calculus(), machine);
  std::vector<Scalar> all;
  for (std::size_t k = 0; k < 6; ++k)
    for (const std::int32_t x : numbers(n)) all.push_back(make_integer(ScalarType::I32, static_cast<std::uint64_t>(x)));
  const kernel::Buffers inputs{{trace.kernel().inputs.at(0).name, all}};
  kernel::RunOptions how;
  how.detect_races = true;
  const auto one = kernel::run(trace.kernel(), {}, inputs, ieee_domain(), how);
  kernel::InterleaveOptions random;
  random.order = kernel::Interleaving::Random;
  const auto other = kernel::run_interleaved(trace.kernel(), {}, inputs, ieee_domain(), random);
  REQUIRE(one);
  REQUIRE(other);
  std::vector<std::int32_t> out;
  const auto& values = one->begin()->second;
  REQUIRE(values.size() == other->begin()->second.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    out.push_back(static_cast<std::int32_t>(values[k].integer()));
    CHECK(values[k].bits == other->begin()->second[k].bits);
  }
  return out;
}

}  // namespace

TEST_CASE("a reduction by a block or a warp combines neighbours, and the start at last") {
  for (const std::string collective : {"reduceBlock", "reduceWarp"})
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 11}) {
      const std::vector<std::int32_t> xs = numbers(n);
      const std::int32_t expected = n == 0 ? 5 : f(tree(xs, 0, n), 5);
      for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
        INFO(collective << " of " << n << (machine == Machine::Gpu ? " on the GPU" : ""));
        CHECK(computed(text(collective, n, order), machine, n) == std::vector<std::int32_t>(6, expected));
      }
    }
  CHECK(test::meaning("fun main (xs : [5]i32) : [1]i32 = mapWorkgroup (\\x -> reduceBlock " + order + " 5 xs) [0]\n",
                      {test::i32s({1, 2, 3, 4, 5})}) == "[" + std::to_string(f(tree({1, 2, 3, 4, 5}, 0, 5), 5)) + "]");
}

TEST_CASE("a scan by a block or a warp combines each element with what stands 1, 2, 4 before it") {
  for (const std::string collective : {"scanBlock", "scanWarp"})
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9}) {
      const std::vector<std::int32_t> xs = numbers(n);
      std::int64_t whole = 1;
      while (whole < static_cast<std::int64_t>(n)) whole *= 2;
      std::vector<std::int32_t> expected;
      for (std::size_t row = 0; row < 6; ++row)
        for (std::size_t i = 0; i < n; ++i) expected.push_back(f(window(xs, static_cast<std::int64_t>(i), whole), 5));
      for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
        INFO(collective << " of " << n << (machine == Machine::Gpu ? " on the GPU" : ""));
        CHECK(computed(text(collective, n, order), machine, n) == expected);
      }
    }
  const std::vector<std::int32_t> five = {1, 2, 3, 4, 5};
  std::string meant;
  for (std::int64_t i = 0; i < 5; ++i) meant += (i ? ", " : "") + std::to_string(f(window(five, i, 8), 5));
  CHECK(test::meaning("fun main (xs : [5]i32) : [1][5]i32 = mapWorkgroup (\\x -> scanBlock " + order + " 5 xs) [0]\n",
                      {test::i32s({1, 2, 3, 4, 5})}) == "[[" + meant + "]]");
}

TEST_CASE("of an associative function collectives are folds") {
  const std::string sums =
      "fun main (xs : [13]i32) : [1](i32, i32) = mapWorkgroup (\\x -> (reduceBlock (+) 4 xs, reduce (+) "
      "4 xs)) [0]\n";
  const std::string last =
      "fun main (xs : [13]i32) : [1][13](i32, i32) = mapWorkgroup (\\x -> zip (scanBlock (\\x a -> x) 4 "
      "xs) (scan (\\x a -> x) 4 xs)) [0]\n";
  const Value xs = test::i32s({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9});
  CHECK(test::meaning(sums, {xs}) == "[(65, 65)]");
  CHECK_THAT(test::meaning(last, {xs}), Contains("(3, 3), (1, 1), (4, 4)") && Contains("(9, 9)]]"));
}

TEST_CASE(
    "a tree of eight has a barrier for each level but the last, which is one thread's, and everything of it is "
    "proved") {
  using namespace proofs::kernels;
  Prover prover;
  for (const auto& [collective, n] :
       {std::pair{"reduceBlock", 8}, {"reduceWarp", 8}, {"reduceBlock", 37}, {"scanBlock", 16}, {"scanWarp", 9}}) {
    const DpiaTrace trace =
        dpia_trace(test::entry(text(collective, static_cast<std::size_t>(n), "(+)")), test::calculus(), Machine::Gpu);
    INFO(collective << " of " << n);
    for (const ProgramObligation& o : kernel_obligations(trace.kernel(), prover)) {
      INFO(o.name << " " << o.where << " " << o.detail);
      CHECK(o.standing == Standing::Proved);
    }
  }
  const DpiaTrace one =
      dpia_trace(test::entry("fun main [n] (xs : [n][8]i32) : [n]i32 = mapWorkgroup (\\b -> reduceBlock (+) 0 b) xs\n"),
                 test::calculus(), Machine::Gpu);
  std::size_t barriers = 0;
  kernel::each_statement(one.kernel().body,
                         [&](const kernel::Stmt& s) { barriers += std::holds_alternative<kernel::Barrier>(s.node); });
  CHECK(barriers == 2);
}

TEST_CASE("what a collective's function allocates is allocated once for each level, and once for the start") {
  const PhraseProgram source = test::entry(
      "fun main [m] (y : [m + 1](i64<2>, i32)) (z : [3][2]i32) : [3]i32 =\n"
      "  mapWorkgroup (\\x -> reduceBlock (\\a _ -> i32 (lanes (fst (y ! m)) ! 0)) 0 x) z\n");
  const DpiaTrace trace = dpia_trace(source, test::calculus(), Machine::Gpu);
  const auto& translated = trace.after("translate")->as<PhraseProgram>();
  CHECK(props::undeclared_temporary(trace.after("strategies")->as<PhraseProgram>(), translated).value_or("") == "");
  // A program with one call less declares too few of them.
  const PhraseProgram once = test::entry(
      "fun main [m] (y : [m + 1](i64<2>, i32)) (z : [3][2]i32) : [3]i32 =\n"
      "  mapWorkgroup (\\x -> i32 (lanes (fst (y ! m)) ! 0)) z\n");
  CHECK_THAT(props::undeclared_temporary(once, translated).value_or(""), Contains("temporaries: "));
}

TEST_CASE("a function that is called once for each level has memory of its own each time") {
  // An array that no register holds is allocated at the top, for each level as often as it has iterations.
  const std::string nested =
      "fun main (xs : [2][5]i32) : [2]i32 = xs |> mapWorkgroup (\\b -> reduceBlock (\\x a ->\n"
      "  let ys = generate 5000 (\\i -> x + i32 (i64 i)) in a + reduceSeq (+) 0 ys + reduceSeq (+) 0 (reverse ys)) 1 "
      "b)\n";
  const DpiaTrace trace = dpia_trace(test::entry(nested), test::calculus(), Machine::Gpu);
  std::vector<Scalar> all;
  for (const std::int32_t x : {1, 2, 0, 1, 2, 3, 1, 0, 1, 1})
    all.push_back(make_integer(ScalarType::I32, static_cast<std::uint64_t>(x)));
  kernel::RunOptions how;
  how.detect_races = true;
  const auto made = kernel::run(trace.kernel(), {}, {{trace.kernel().inputs.at(0).name, all}}, ieee_domain(), how);
  REQUIRE(made);
  const auto g = [](std::uint32_t x, std::uint32_t a) { return a + 2 * (5000 * x + 5000 * 4999 / 2); };
  const auto five = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, std::uint32_t e) {
    return static_cast<std::int32_t>(g(g(e, g(g(d, c), g(b, a))), 1));
  };
  CHECK(made->begin()->second[0].integer() == five(1, 2, 0, 1, 2));
  CHECK(made->begin()->second[1].integer() == five(3, 1, 0, 1, 1));
}

TEST_CASE("a collective that cannot stand where it does says what can") {
  const auto errors = [](const std::string& body) {
    return test::errors("fun main [n] (xs : [n][8]i32) (ys : [n][2][8]i32) : [n]i32 = " + body + "\n");
  };
  CHECK(errors("xs |> mapWorkgroup (\\b -> reduceBlock (+) 0 b)") == "");
  CHECK(errors("xs |> mapWorkgroup (\\b -> b |> split 4 |> mapSeq (\\r -> reduceBlock (+) 0 r) |> reduceSeq (+) 0)") ==
        "");
  CHECK_THAT(errors("xs |> map (\\b -> reduceBlock (+) 0 b)"),
             Contains("reduceBlock is for the threads of a block together, but it stands in no block"));
  CHECK_THAT(errors("xs |> mapGlobal (\\b -> reduceBlock (+) 0 b)"),
             Contains("reduceBlock is for the threads of a block together, but it stands inside mapGlobal") &&
                 Contains("mapWorkgroup directly around it"));
  CHECK_THAT(errors("xs |> mapWorkgroup (\\b -> reduceWarp (+) 0 b)"),
             Contains("reduceWarp is for the lanes of a warp together, but it stands inside mapWorkgroup") &&
                 Contains("mapWarp directly around it"));
  CHECK_THAT(errors("ys |> mapWorkgroup (\\b -> b |> mapWarp (\\w -> reduceBlock (+) 0 w) |> reduceSeq (+) 0)"),
             Contains("reduceBlock is for the threads of a block together, but it stands inside mapWarp"));
  CHECK_THAT(errors("ys |> mapWorkgroup (\\b -> b |> mapLocal (\\w -> reduceBlock (+) 0 w) |> reduceSeq (+) 0)"),
             Contains("but it stands inside mapLocal"));
  CHECK_THAT(
      errors("xs |> mapWorkgroup (\\b -> reduceBlock (\\x a -> reduceSeq (+) a (mapLocal (\\y -> y + x) b)) 0 b)"),
      Contains("mapLocal runs over the threads of one block, or of one warp, but it stands inside reduceBlock"));
  const std::string open = "fun total [k] (xs : [k]i32) : i32 = reduceBlock (+) 0 xs\n";
  CHECK(test::errors(open + "fun main [n] (xs : [n][8]i32) : [n]i32 = xs |> mapWorkgroup (\\b -> total b)\n") == "");
  CHECK_THAT(test::errors(open + "fun main [n k] (xs : [n][k]i32) : [n]i32 = xs |> mapWorkgroup (\\b -> total b)\n"),
             Contains("reduceBlock is of k elements") && Contains("a number of them"));
}

}  // namespace collectives_test
