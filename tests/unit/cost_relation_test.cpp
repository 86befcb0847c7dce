// What is counted for the relations of costs, against counts made by hand, and what the clauses declare.
#include <catch2/catch.hpp>

#include "props/dpia/cost_relation.h"
#include "semantics/core/cost.h"
#include "semantics/functional/cost.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/parse.h"
#include "tests/unit/kernel_program.h"
#include "tests/unit/mutant_named.h"

namespace cost_relation_test {
using namespace lockstep;
using namespace lockstep::props;

namespace {

PhraseProgram elaborated(const std::string& text, const Calculus& calculus) {
  const auto parsed = parse_program(std::make_shared<Source>(Source{"t.dpia", text}));
  REQUIRE(parsed);
  auto out = infer(*parsed, calculus, [](const auto&, const auto&) { return SolverAnswer{Verdict::Unknown}; });
  REQUIRE(out);
  return out->entries.back();
}

kernel::Counted counted(const std::string& text, std::int64_t n) {
  static const Calculus calculus = standard_calculus();
  const auto p = kernel::parse(std::make_shared<Source>(Source{"t.kernel", text}), [](std::string_view name) {
    const auto* entry = calculus.find(name);
    return entry ? &entry->primitive : nullptr;
  });
  REQUIRE(p);
  kernel::Counted out;
  kernel::RunOptions options;
  options.counted = &out;
  const kernel::Buffers inputs{
      {"x", std::vector<Scalar>(static_cast<std::size_t>(n), make_integer(ScalarType::I32, 5))}};
  REQUIRE(kernel::run(*p, {{"n", n}}, inputs, ieee_domain(), options));
  return out;
}

std::string declared(const std::string& text) {
  static const Calculus calculus = standard_calculus();
  const auto writes = declared_writes(elaborated(text, calculus));
  return writes ? show(*writes) : "data";
}

}  // namespace

TEST_CASE("a kernel's work is its loads, stores and operators, its depth those of one iteration beside the others") {
  const kernel::Counted c = counted(
      "kernel k(n)\ninput i32 x[n];\noutput i32 y[n];\nparallel par (i < n) store y[i] = x[i] +.i32 x[i];\n", 10);
  CHECK(c.work == 40);
  CHECK(c.depth == 4);
  CHECK(c.writes == 10);
  CHECK(c.space == 0);
}

TEST_CASE("a kernel's space is what lives at one time") {
  const kernel::Counted c = counted(
      "kernel k(n)\ninput i32 x[n];\noutput i32 y[n];\n"
      "for (i < n) {\n  { alloc i32 a[3] @private; store a[0] = x[i]; }\n"
      "  { alloc i32 b[5] @private; store b[0] = x[i]; store y[i] = b[0]; }\n}\n",
      4);
  CHECK(c.space == 5);
  CHECK(c.work == 4 * 6);
  CHECK(c.depth == c.work);
  CHECK(c.writes == 4 * 3);
}

TEST_CASE("a tally counts each operator wherever the program runs") {
  OperatorTally tally(standard_calculus());
  const PhraseProgram p =
      elaborated("fun f [n] (xs : [n]i64) : [n]i64 = map (\\x -> x * x - 1) xs\n", *tally.calculus());
  const Value xs = array_value(std::vector<Value>(3, scalar_value(make_integer(ScalarType::I64, 2))));
  tally.restart();
  const auto result = denote(p, {{"n", 3}}, {xs}, ieee_domain());
  REQUIRE(result);
  stored(*result);
  std::map<std::string, std::int64_t> by_name;
  for (std::size_t k = 0; k < tally.counts().size(); ++k) by_name[tally.name(k)] = tally.counts()[k];
  CHECK(by_name["*"] == 3);
  CHECK(by_name["-"] == 3);
  CHECK(by_name["+"] == 0);
}

TEST_CASE("more work said of a kernel with branches than both sides of each take is found") {
  OperatorTally tally(standard_calculus());
  const PhraseProgram p = elaborated(
      "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> if x < 0 then 0 - x * x else x) xs\n", *tally.calculus());
  DpiaTrace trace = dpia_trace(p, dpia_languages(tally.calculus()), Machine::Cpu);
  const std::size_t last = trace.steps.size() - 1;
  const SizeValues sizes{{"n", 4}};
  const kernel::Program k = trace.kernel();
  tally.restart();
  kernel::Counted c;
  kernel::RunOptions options;
  options.counted = &c;
  const kernel::Buffers inputs{{k.inputs[0].name, std::vector<Scalar>(4, make_integer(ScalarType::I32, 5))}};
  REQUIRE(kernel::run(k, sizes, inputs, ieee_domain(), options));
  const auto found = [&](const Size& more) {
    const auto lying =
        std::make_shared<kernel::Language>(dynamic_cast<const kernel::Language&>(trace.steps[last].program.language()));
    lying->cost = [more](const AnyProgram& q) {
      Cost said = kernel::cost(q.as<kernel::Program>());
      said.work = said.work * more;
      return said;
    };
    trace.steps[last].program = AnyProgram(lying, k);
    return CostCheck(trace, tally).step(last, sizes, tally.counts(), tally.counts(), c);
  };
  CHECK(found(1).value_or("") == "");
  kernel::Counted more_written = c;
  more_written.writes += 100;
  CHECK(CostCheck(trace, tally)
            .step(last, sizes, tally.counts(), tally.counts(), more_written)
            .value_or("")
            .starts_with("scalars written"));
  CHECK(found(3).value_or("").find("work of a program with branches") == 0);
}

namespace {

Cost said(const std::string& text) {
  static const Calculus calculus = standard_calculus();
  return cost(elaborated(text, calculus));
}

}  // namespace

TEST_CASE("the source's cost is what its translation costs") {
  const auto calculus = std::make_shared<const Calculus>(standard_calculus());
  for (const char* text : {
           "fun f [n] (xs : [n]f32) (ys : [n]f32) : f32 = reduce (+) 0 (map (\\(x, y) -> x * y) (zip xs ys))\n",
           "fun f [n] (xs : [n]i32) (is : [n]i64) : [n]i32 = let ys = gather is xs in map (\\x -> x / 3 + x) ys\n",
           "fun f [n] (xs : [n]i32) (is : [n]i64) : [n]i32 = map (\\x -> x * x) (gather is xs)\n",
           "fun f [n] (xs : [n]i32) (is : [n]i64) : [9]i32 = permute (+) (replicate 9 0) is xs\n",
           "fun f [n] (xs : [n]f32) (is : [n]i64) : [9]f32 = permute (-) (replicate 9 0) is xs\n",
           "fun f [n] (xs : [n]f32) (is : [n]i64) : [9]f32 = permute (-) (replicate 9 0) (map (\\i -> i * 2) is) xs\n",
           "fun f [n] (xs : [n]i32) (is : [n]i64) : [9]i32 = scatter (replicate 9 0) (map (\\i -> i * 2) is) xs\n",
           "fun f [n] (xs : [n]i32) (is : [n]i64) : [9]i32 = scatter (replicate 9 0) is xs\n",
           "fun f (x : i32) : i32 = while (\\y -> y * y < 99) (\\y -> y + 7) x\n",
           "fun f [n] (xs : [n]i32) : [n]i32 = scan (\\x a -> x * x + a) 0 xs\n",
           "fun f [n] (xs : [n]i32) : [n](i32, i32) = iterate 9 (map (\\(x, y) -> (y, x))) (zip xs (reverse xs))\n",
           "fun f [n] (xs : [4*n]u8) : [4*n]u8 = asScalar (mapPar (\\v -> v / v) (asVector 4 xs))\n",
           "fun f [n] (xs : [n]i32) : [n+n]i32 = let ys = concat xs xs in map (\\y -> y + 1) ys\n",
           "fun f [n] (xs : [n]f64) (ys : [n]f64) : i32 = let p = (splat 4 0, concat ys xs) in 0\n",
           "fun f [n] (xs : [n]f64) (ys : [n]f64) (z : i32) : i32 = let p = ((z + 1, z), (3, concat ys xs)) in 0\n",
           "fun f [n] (is : [n]i64) (xs : [16*n]i16) : [n]i16<8> = gather is (asVector 8 (reverse xs))\n",
           "fun f [n] (is : [n]i64) (xs : [16*n]i16) : i16<8> = asVector 8 (reverse xs) ! (is ! (0 % n))\n",
           "fun f [n] (xs : [n]i32) (i : i64) : i32 = if i < n && xs ! i > 2 then xs ! (i + 1) else toGlobal (\\x -> "
           "x) 7\n",
       }) {
    INFO(text);
    const DpiaTrace trace = dpia_trace(elaborated(text, *calculus), dpia_languages(calculus), Machine::Cpu);
    const AnyProgram &source = *trace.after("strategies"), &translated = *trace.after("translate");
    const Cost before = source.language().cost(source), after = translated.language().cost(translated);
    CHECK(show(before.work) == show(after.work));
    CHECK(show(before.depth) == show(after.depth));
  }
}

TEST_CASE("soundness A16: conditions of while, permute's store, checks and reads of gather are counted") {
  const Cost loop = said("fun f (x : i32) : i32 = while (\\y -> y * y < 99) (\\y -> y + 7) x\n");
  CHECK(show(loop.depth) == "11*#iterations_1 + 10");  // the condition 6, the step 5
  CHECK(show(said("fun f [n] (xs : [n]i32) (is : [n]i64) : [9]i32 = permute (+) (replicate 9 0) is xs\n").work) ==
        "7*n + 27");
  CHECK(show(said("fun f [n] (xs : [n]i32) (is : [n]i64) : [n]i32 = map (\\x -> x) (gather is xs)\n").work) == "9*n");
}

TEST_CASE("an index that a run finds is read for every lane") {  // found by the campaign
  const auto calculus = std::make_shared<const Calculus>(standard_calculus());
  const PhraseProgram p = elaborated(
      "fun f [n] (is : [n]i64) (xs : [16*n]i16) : [n]i16<8> = gather is (asVector 8 (reverse xs))\n", *calculus);
  const DpiaTrace trace = dpia_trace(p, dpia_languages(calculus), Machine::Cpu);
  // A check is 5, with the index that is read once, and eight times an element and a store 16; before there are paths
  // gather itself is 1, and an index is read for each lane.
  CHECK(show(trace.steps.front().program.language().cost(trace.steps.front().program).work) == "30*n");
  CHECK(show(trace.steps.back().program.language().cost(trace.steps.back().program).work) == "21*n");
}

TEST_CASE("an index that an address has several times is read once, and has a name") {  // found by the campaign
  const auto calculus = std::make_shared<const Calculus>(standard_calculus());
  const auto costs = [&](const std::string& text) {
    const PhraseProgram p = elaborated(text, *calculus);
    const DpiaTrace trace = dpia_trace(p, dpia_languages(calculus), Machine::Cpu);
    return std::pair(show(said(text).work),
                     show(trace.steps.back().program.language().cost(trace.steps.back().program).work));
  };
  // A check of 5; an index, its element, gather's own step and a store. In the end the index is read once for the check
  // and all.
  CHECK(costs("fun f [n] (is : [6]i64) (xs : [4][n + 2]i32) : [6][n + 2]i32 = gather is (join (slide 3 1 xs))\n") ==
        std::pair(std::string("24*n + 78"), std::string("18*n + 60")));
}

TEST_CASE("what a variable is declared with is its name, and no write") {
  CHECK(counted("kernel k(n)\ninput i32 x[n];\noutput i32 y[n];\nfor (i < n) { var i32 v = x[i]; v = v +.i32 v; store "
                "y[i] = v; }\n",
                4)
            .writes == 8);
}

TEST_CASE("one number of iterations in two words costs one number of steps") {  // found by the campaign
  const auto calculus = std::make_shared<const Calculus>(standard_calculus());
  const PhraseProgram p = elaborated(
      "fun f [n] : [1][n]u8 where n % 2 == 0 =\n"
      "  if true then map (\\x -> generate (2 * (n / 2)) u8) [0.0] else mapSeq (\\x -> generate (2 * (n / 2)) u8) "
      "[0.0]\n",
      *calculus);
  const DpiaTrace trace = dpia_trace(p, dpia_languages(calculus), Machine::Cpu);
  for (const Step& s : trace.steps) CHECK(show(s.program.language().cost(s.program).work).find("4*(n/2)") == 0);
}

TEST_CASE("the larger of two costs is at least both, at most their sum, and the known one where one is known") {
  const Size n = Size::name("n"), m = Size::name("m"), q = floor_div(m + n, 2);
  SizeContext known;
  known.assume({m + Size(1), SizeRelation::LessEqual, n});
  const auto larger = [&](const Size& a, const Size& b) {
    const Size most = upper_maximum(known, a, b);
    CHECK(most == upper_maximum(known, b, a));
    for (std::int64_t k = 0; k < 40; ++k) {
      const SizeValues at{{"m", k % 5}, {"n", k % 5 + 1 + k / 5}};
      const std::int64_t x = *evaluate(a, at), y = *evaluate(b, at), z = *evaluate(most, at);
      CHECK((x < 0 || y < 0 || (std::max(x, y) <= z && z <= x + y)));
    }
    return show(most);
  };
  CHECK(larger(n * Size(2), n * Size(2) - q + Size(7)) == "2*n + 7");  // what is taken away may be less than 7
  CHECK(larger(n * Size(2) - m, n) == "2*n - m");                      // known: m is less than n
  CHECK(larger(n - Size(1), 1) == "n");                                // natural, and so at most the sum
  CHECK(larger(n - Size(1), 0) == "n - 1");
  CHECK(larger(n * Size(3), m * Size(2) + Size(4)) == "2*m + 3*n + 4");
  CHECK(larger(n * Size(3) - m * Size(3), 1) == "3*n + 1 - 3*m");
  CHECK(larger(n + Size(2), 10) == "n + 9");  // n is 1 at least
  CHECK(larger(modulo(n + Size(1), 3) * Size(2) + Size(1), 3) == show(modulo(n + Size(1), 3) * Size(2) + Size(3)));
  CHECK(larger(n + m * Size(4), n * Size(5) + m) == "4*m + 5*n");
}

TEST_CASE("a loop in a branch costs something natural where it is not taken") {
  const SizeContext known;
  const Size n = Size::name("n"), m = Size::name("m");
  CHECK(show(natural_bound(known, n * Size(6) - Size(16))) == "6*n");
  CHECK(show(natural_bound(known, n - floor_div(n, 3))) == "n - n/3");
  CHECK(show(natural_bound(known, n - m - Size(1))) == "n");
  CHECK(show(natural_bound(known, n * Size(2) - m)) == "2*n");
  CHECK(show(natural_bound(known, floor_div(n, 32) - Size(32) * floor_div(n, 1024))) == "n/32 - 32*(n/1024)");
  CHECK(
      show(kernel::cost(kernel::program_from("kernel k(n) output i32 y[n]; if (3 <= n) { for (i < n - 2) { store y[i] "
                                             "= 1i32; } } else { }"))
               .work) == "n");
  // outside of branches it is what it is
  const std::string branches =
      "kernel k(n)%s output i32 y[n * n + 1]; if (n < 2) { for (i < n * n) { store y[i] = 0i32; } } "
      "else { store y[0] = 1i32; }";
  const auto with = [&](const std::string& facts) {
    std::string text = branches;
    return show(kernel::cost(kernel::program_from(text.replace(text.find("%s"), 2, facts))).work);
  };
  CHECK(with(" where n == 5") == with(" where 2 <= n"));  // what sizes decide costs one branch
  CHECK(with(" where n == 5") != with(""));
  // So do && and ||, of which one part may be enough.
  const auto both = [](const std::string& condition, const std::string& facts) {
    return show(
        kernel::cost(kernel::program_from("kernel k(n, m)" + facts + " output i32 y[n + 1]; if (" + condition +
                                          ") { for (i < n) { store y[i] = 0i32; } } else { store y[0] = 1i32; }"))
            .work);
  };
  const std::string conjunction = "(n <=.i64 15) &&.bool (6 <=.i64 n)",
                    alternative = "(n <=.i64 1) ||.bool (m <=.i64 n)";
  CHECK(both(conjunction, " where n == 8") == "n + 3");
  CHECK(both(conjunction, " where n == 3") == "4");
  CHECK(both(conjunction, " where n <= 15") == both(conjunction, ""));
  CHECK(both(alternative, " where n == 1") == "n + 3");
  CHECK(both(alternative, " where m == n + 1, 2 <= n") == "4");
  CHECK(both(alternative, " where m == n + 1") != "4");
  CHECK(show(kernel::cost(
                 kernel::program_from("kernel k(n) where n % 4 == 2 output i32 y[n - 2]; for (i < n - 2) { store "
                                      "y[i] = 1i32; }"))
                 .work) == "n - 2");
}

TEST_CASE("branches of which one takes away what the other adds cost no more as a kernel") {  // found by the campaign
  const auto calculus = std::make_shared<const Calculus>(standard_calculus());
  const PhraseProgram p = elaborated(
      "fun main [n m] (x1 : f32) : [n - m]u8 where m <= n =\n"
      "  drop m (if true then generate n u8 else concat (generate (n - m) u8) (replicate m (u8 x1)))\n",
      *calculus);
  const DpiaTrace trace = dpia_trace(p, dpia_languages(calculus), Machine::Cpu);
  const auto work = [](const AnyProgram& at) { return show(at.language().cost(at).work); };
  CHECK(work(*trace.after("translate")) == "4*n + 8 - 2*m");
  CHECK(work(trace.last()) == "4*n + 5 - 2*m");
}

TEST_CASE(
    "a state of short vectors after a collective costs a read for each of its vectors") {  // found by the campaign
  const auto calculus = std::make_shared<const Calculus>(standard_calculus());
  for (const char* text : {
           "fun f (xs : [2]u8<16>) (ys : [2][4]i32) (zs : [2]i32) : [2][2]u8<16> = mapWorkgroup (\\z ->\n"
           "  let s = mapWarp (scanWarp (\\x y -> y) 0) ys in iterate 0 reverse xs) zs\n",
           "fun f (xs : [2]u8<16>) (ys : [3]i32) (zs : [2]i32) : [2][2]u8<16> = mapWorkgroup (\\z ->\n"
           "  let s = reduceBlock (\\x y -> y) 0 ys in iterate 0 reverse xs) zs\n",
       }) {
    const DpiaTrace trace = dpia_trace(elaborated(text, *calculus), dpia_languages(calculus), Machine::Gpu);
    const AnyProgram &source = *trace.after("strategies"), &translated = *trace.after("translate");
    const Cost before = source.language().cost(source), after = translated.language().cost(translated);
    CHECK(show(before.work) == show(after.work));
    CHECK(show(before.depth) == show(after.depth));
  }
  // Of each block 32 lanes are read and written twice, of no round.
  CHECK(show(said("fun f (xs : [2]u8<16>) : [2]u8<16> = iterate 0 reverse xs\n").work) == "128");
}

TEST_CASE("a state of pairs begins with a read of each component") {  // found by the campaign
  // Two sums of 3 into names, 8; each name into the state, 4, where a read of both for each was 6; the result, 4.
  CHECK(show(said("fun f (x : i16) (y : u16) : (i16, u16) = iterate 0 (\\_ -> (1, 2)) (x + x, y + y)\n").work) == "16");
  const auto calculus = std::make_shared<const Calculus>(standard_calculus());
  const DpiaTrace trace =
      dpia_trace(elaborated("fun f : [3](i16, u16) =\n"
                            "  mapWorkgroup (\\x -> iterate 0 (\\y -> x) x) (generate 3 (\\i -> (i16 i, u16 i)))\n",
                            *calculus),
                 dpia_languages(calculus), Machine::Cpu);
  const auto work = [&](const char* stage) {
    const AnyProgram& at = *trace.after(stage);
    return show(at.language().cost(at).work);
  };
  CHECK(work("reduce-in-blocks") == "36");
  CHECK(work("fuse-loops") == "36");
  CHECK(work("strategies") == work("translate"));
}

TEST_CASE("a loop that does not run and is left in order holds what one round does") {  // found by the campaign
  OperatorTally tally(standard_calculus());
  const PhraseProgram p =
      elaborated("fun f [k n] (ys : [k][n]i32) : [k][n]i32 = map (\\y -> mapSeq neg (mapPar (\\x -> 0) y)) ys\n",
                 *tally.calculus());
  DpiaTrace trace = dpia_trace(p, dpia_languages(tally.calculus()), Machine::Cpu);
  const kernel::Program k = trace.kernel();
  const auto found = [&](std::int64_t rounds, std::int64_t more) {
    const SizeValues sizes{{"k", rounds}, {"n", 3}};
    const std::vector<Scalar> ones(static_cast<std::size_t>(3 * rounds), make_integer(ScalarType::I32, 1));
    tally.restart();
    kernel::Counted c;
    kernel::RunOptions options;
    options.counted = &c;
    REQUIRE(kernel::run(k, sizes, {{k.inputs[0].name, ones}}, ieee_domain(), options));
    CHECK(c.space == 3);
    c.space += more;
    return CostCheck(trace, tally).space_of_the_source(sizes, c).value_or("");
  };
  CHECK(found(0, 0) == "");
  CHECK(found(0, 1) == "space against the source's: 4 counted, 3 said (k*n + 3)");
  CHECK(found(1, 0) == "");
  CHECK(found(1, 1) == "space against the source's: 4 counted, 3 said (k*n)");
  // Where each loop runs, what strategies say of space does not count.
  REQUIRE(trace.steps[6].name == "strategies");
  AnyProgram& levelled = trace.steps[6].program;
  const auto lying = std::make_shared<ArrayLanguage>(dynamic_cast<const ArrayLanguage&>(levelled.language()));
  lying->cost = [right = lying->cost](const AnyProgram& q) { return right(q) + Cost{0, 0, 9}; };
  levelled = AnyProgram(lying, levelled.as<PhraseProgram>());
  CHECK(found(1, 1) == "space against the source's: 4 counted, 3 said (k*n)");
}

TEST_CASE("a cost is that of the sizes of a run where facts say another thing of them") {  // found by the campaign
  OperatorTally tally(standard_calculus());
  PhraseProgram p =
      elaborated("fun main [n] (y : [1][n]i32) : [1]i32 where n % 3 == 0 = map (reduce (+) 0) y\n", *tally.calculus());
  p.order = {2, 4, 0};
  p.launch.block = 4, p.launch.grid = 7;
  DpiaTrace trace = dpia_trace(p, dpia_languages(tally.calculus()), Machine::Gpu);
  const OperatorTally::Counts none(tally.counts().size());
  const auto found = [&](std::int64_t n) {
    std::string all;
    const CostCheck check(trace, tally);
    for (std::size_t k = 1; k < trace.steps.size() && trace.steps[k].name != "paths"; ++k)
      if (const auto d = check.step(k, {{"n", n}}, none, none, {})) all += trace.steps[k].name + ": " + *d + "\n";
    return all;
  };
  for (const std::int64_t n : {0, 3, 6, 9}) CHECK(found(n) == "");
  // What grows at those sizes is found.
  for (Step& s : trace.steps) {
    if (s.name != "loops") continue;
    const auto lying = std::make_shared<ArrayLanguage>(dynamic_cast<const ArrayLanguage&>(s.program.language()));
    lying->cost = [right = lying->cost](const AnyProgram& q) { return right(q) + Cost{99, 0, 0}; };
    s.program = AnyProgram(lying, s.program.as<PhraseProgram>());
  }
  CHECK(found(0).starts_with("loops: work grows"));
}

TEST_CASE("declared writes are those of the clauses") {
  CHECK(declared("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x + 1) xs\n") == "n");
  CHECK(declared("fun f [n] (xs : [n]i32) : [n](i32, i32) = map (\\x -> (x, x)) xs\n") == "2*n");
  // initial value, a step and its copy for each element, the result
  CHECK(declared("fun f [n] (xs : [n]i32) : i32 = reduce (+) 0 xs\n") == "2*n + 2");
  // the inner map is stored, views are not
  CHECK(declared("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x) (reverse (map (\\x -> x) xs))\n") == "2*n");
  CHECK(declared("fun f [n] (xs : [n]i32) : [2*n]i32 = concat xs xs\n") == "2*n");
  CHECK(declared("fun f (x : i32) : i32 = let y = x * x in y + y\n") == "2");
  // Lanes that land apart have a name together: what is declared with its value is no write.
  CHECK(declared("fun f [n] (is : [3]i64) (xs : [n]i32<2>) (ys : [3]i32<2>) : [2*n]i32 = reverse (asScalar (scatter xs "
                 "is ys))\n") == "3*n + 9");
  CHECK(declared("fun f (x : i32) : i32 = while (\\y -> y < 9) (\\y -> y + 1) x\n") == "data");
}

TEST_CASE("what hoisting allocates is said of each space, and held to it") {
  constexpr std::size_t hoist = 8;  // of the stages
  OperatorTally tally(standard_calculus());
  const auto traced = [&](const std::string& text) {
    return dpia_trace(elaborated(text, *tally.calculus()), dpia_languages(tally.calculus()), Machine::Gpu);
  };
  const auto said = [&](const std::string& text) {
    const DpiaTrace t = traced(text);
    const SpaceOfEach s = declared_hoisted_space(t.steps[hoist - 1].program.as<PhraseProgram>(), Machine::Gpu);
    const SpaceOfEach found = hoisted_space(t.steps[hoist].program.as<PhraseProgram>());
    CHECK(t.steps[hoist].name == "hoist");
    CHECK((s.global == found.global && s.local == found.local && s.in_registers == found.in_registers));
    return show(s.global) + ", " + show(s.local) + ", " + show(s.in_registers);
  };
  // A row of each iteration; a block's tile; what each of its threads has in its memory; a sum's state and its copy.
  CHECK(
      said("fun f [m n] (a : [m][n]i32) : [m][n]i32 = mapGlobal (\\row -> reverse (toGlobal (mapSeq (\\x -> x)) row)) "
           "a\n") == "m*n, 0, 0");
  CHECK(said("fun f [n] (a : [n][4]i32) : [n][4]i32 = mapWorkgroup (\\row -> mapLocal (\\x -> x) (reverse (toLocal "
             "(mapLocal (\\x -> x)) row))) a\n") == "0, 4, 0");
  CHECK(said("fun f [n] (a : [n][4][3]i32) : [n][4]i32 = mapWorkgroup (mapLocal (\\xs -> reduceSeq (+) 0 (reverse "
             "(toLocal (mapSeq (\\x -> x)) xs)))) a\n") == "0, 12, 2");
  // What all threads read is global, and nobody's register.
  CHECK(said("fun f [n] (a : [n]i32) : [n]i32 = let s = reduceSeq (+) 0 a in mapGlobal (\\x -> x + s) a\n")
            .find("1, 0, ") == 0);
  // As much of one space in the place of another is not what was said.
  DpiaTrace t = traced(
      "fun f [n] (a : [n][4]i32) : [n][4]i32 = mapWorkgroup (\\row -> mapLocal (\\x -> x) (reverse (toLocal (mapLocal "
      "(\\x -> x)) row))) a\n");
  REQUIRE(mutant_named("hoist-local-in-global").directed.size() == 1);
  PhraseProgram p = t.steps[hoist].program.as<PhraseProgram>();
  const std::function<PhraseRef(const PhraseRef&)> global = [&](const PhraseRef& q) -> PhraseRef {
    const PhraseRef r = map_children(q, global);
    const auto* x = use_of<imp::New>(*r);
    if (!x || as<imp::New>(*x)->space != Space::Local) return r;
    const auto* v = as<LambdaPhrase>(*x->arguments[0]);
    return new_variable(Space::Global, x->types[0], v->name, [&](const PhraseRef& here) {
      return substitute(v->body, {{v->name, here}});
    });
  };
  p.body = global(p.body);
  t.steps[hoist].program = AnyProgram(t.steps[hoist].program.language_ref(), p);
  const SizeValues sizes{{"n", 2}};
  CHECK(CostCheck(t, tally).step(hoist, sizes, tally.counts(), tally.counts(), {}).value_or("") ==
        "space that is hoisted, Global: 4 allocated, 0 said");
}

}  // namespace cost_relation_test
