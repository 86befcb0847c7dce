// The stages, one claim at a time: what the translation makes, and that an in-place step is made only where it is
// right.
#include <catch2/catch.hpp>

#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace translate_test {
using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::Contains;

namespace {

std::string kernel_text(const std::string& text, Machine machine = Machine::Cpu) {
  return kernel::print(dpia_trace(entry(text), calculus(), machine).kernel());
}

std::string outputs(const kernel::Program& p, const SizeValues& sizes = {}, const kernel::Buffers& inputs = {}) {
  const auto out = kernel::run(p, sizes, inputs, ieee_domain(), {.detect_races = true});
  if (!out) {
    if (const auto* t = std::get_if<Trap>(&out.error())) return "trap: " + t->primitive;
    return "fault";
  }
  std::string text;
  for (const kernel::Buffer& b : p.outputs)
    for (const Scalar& s : out->at(b.name)) text += (text.empty() ? "" : " ") + show(s, ieee_domain());
  return text;
}

const std::string fib = "fun fib : (i32, i32) = iterate 10 (\\(a, b) -> (b, a + b)) (0, 1)";

}  // namespace

TEST_CASE("a step of compound state goes through a temporary where a component is read after it is written") {
  const DpiaTrace p = dpia_trace(entry(fib), calculus(), Machine::Cpu);
  const kernel::Program &before = p.after("paths")->as<kernel::Program>(), &after = p.kernel();
  CHECK(outputs(before) == "55 89");
  CHECK(outputs(after) == "55 89");
  CHECK(kernel::writes(before.body, "next_0"));
  CHECK(kernel::writes(before.body, "next_1"));
  CHECK(kernel::writes(after.body, "next_0"));        // b is read after it
  CHECK_FALSE(kernel::writes(after.body, "next_1"));  // nothing is
  // Both components in place, as in the paper: the case above can fail.
  kernel::Program wrong = after;
  wrong.body = kernel::rename(wrong.body, "next_0", "state_0");
  CHECK(outputs(wrong) != "55 89");
}

TEST_CASE("an array state is stepped in place where each element depends on itself, and not where on its neighbour") {
  const std::string own = kernel_text("fun f [n] (xs : [n]i32) : [n]i32 = iterate 3 (map (\\x -> x + 1)) xs");
  CHECK_THAT(own, !Contains("alloc i32 next"));
  const std::string neighbour = kernel_text("fun f [n] (xs : [n]i32) : [n]i32 = iterate 3 reverse xs");
  CHECK_THAT(neighbour, Contains("alloc i32 next"));
}

TEST_CASE("an array of pairs is stepped in place component by component") {
  const auto step = [](const std::string& of_pair) {
    return kernel_text(
        "fun f [n] (xs : [n]i32) : [9](i32, i32) =\n"
        "  reduceSeq (\\x s -> mapSeq (\\(a, b) -> " +
        of_pair + ") s) (replicate 9 (0, 1)) xs");
  };
  CHECK_THAT(step("(a + x, b * x)"), !Contains("next"));
  CHECK_THAT(step("(a + b, b * x)"), !Contains("next"));
  // a is read behind its write, b is not
  CHECK_THAT(step("(b + x, a + b)"),
             Contains("store next_0[") && !Contains("next_1") && Contains("store acc_0[i_2] = next_0"));
}

namespace {
// What the stage makes of a kernel, which computes the same.
kernel::Program in_place_of(const std::string& text) {
  const kernel::Program p = kernel::program_from(text);
  const Stage stage = in_place(dpia_languages(std::make_shared<const Calculus>(calculus())).kernel);
  const auto out = apply<kernel::Program>(stage, p);
  CHECK(outputs(out, {{"n", 4}}) == outputs(p, {{"n", 4}}));
  return out;
}
}  // namespace

TEST_CASE("a leaf whose copy another's stands beside, and reads it, is not stepped in place") {
  const auto through_t = [](const std::string& copies) {
    const kernel::Program out = in_place_of(
        "kernel p(n) output i64 r[n]; output i64 m[n]; { alloc i64 s[n] @global; "
        "for (z < n) { store s[z] = z; store m[z] = 0; } "
        "for (q < 3) { alloc i64 t[n] @global; for (i < n) store t[i] = s[i] +.i64 1; for (c < n) { " +
        copies + " } } for (f < n) store r[f] = s[f]; }");
    return kernel::writes(out.body, "t");
  };
  CHECK_FALSE(through_t("store s[c] = t[c];"));
  CHECK_FALSE(through_t("store s[c] = t[c]; store m[c] = r[c];"));
  CHECK(through_t("store m[c] = s[c]; store s[c] = t[c];"));
  CHECK(through_t("store s[c] = t[c]; store m[c] = t[c];"));
}

TEST_CASE("a copy that is gone is no use of its state, alone or beside another leaf's that stays") {
  for (const std::string beside : {"", "store m[c] = u[c];"}) {
    INFO(beside);
    const kernel::Program out = in_place_of(
        "kernel p(n) output i64 r[n]; output i64 m[n]; { alloc i64 s[n] @global; alloc i64 t[n] @global; "
        "alloc i64 u[n] @global; for (i < n) { store t[i] = i; store u[i] = i *.i64 2; } "
        "for (c < n) { store s[c] = t[c]; " +
        beside + " } for (f < n) store r[f] = s[f]; for (g < n) store m[g] = u[g] +.i64 1; }");
    CHECK_FALSE(kernel::writes(out.body, "s"));
    CHECK_FALSE(kernel::writes(out.body, "t"));
    CHECK((kernel::print(out).find("(c < n)") == std::string::npos) == beside.empty());  // no loop of nothing
  }
}

TEST_CASE(
    "an array state is stepped in place where each iteration reads its part first, and not where that is another's") {
  const auto step = [](const std::string& of_row) {
    return kernel_text(
        "fun f [n] (xs : [n][4][8]i32) : [4][8]i32 =\n"
        "  xs |> reduceSeq (\\x acc -> zip x " +
        of_row +
        " |> mapSeq (\\(r, s) -> reduceSeq (\\k t -> mapUnroll (\\(a, b) -> a * k + b) (zip r t)) s r)"
        ") (replicate 4 (replicate 8 0))");
  };
  CHECK_THAT(step("acc"), !Contains("alloc i32 next"));
  CHECK_THAT(step("(reverse acc)"), Contains("alloc i32 next"));
}

TEST_CASE("registers: an array built by mapUnroll inside a reduction step has no temporary") {
  const std::string text = kernel_text(
      "fun f [n] (xs : [n][4]f32<8>) : [4]f32<8> =\n"
      "  reduceSeq (\\x acc -> mapUnroll (\\(a, b) -> a + b) (zip x acc)) (replicate 4 (splat 8 0)) xs");
  CHECK_THAT(text, Contains("@private") && !Contains("next"));
}

TEST_CASE("contiguous lanes are one vector load, others are put together") {
  CHECK_THAT(kernel_text("fun f [n] (xs : [4*n]f32) : [n]f32<4> = map (\\v -> v + v) (asVector 4 xs)"),
             Contains("xs[i * 4 : 4]"));
  CHECK_THAT(kernel_text("fun f [n] (xs : [4*n]f32) : [n]f32<4> = map (\\v -> v + v) (asVector 4 (reverse xs))"),
             !Contains(" : 4]"));
}

TEST_CASE("an index that a run finds and an address has several times is a variable in front") {
  // Rows of n + 2: the row stands in two terms.
  CHECK_THAT(kernel_text("fun f [m n] (is : [m]i64) (xs : [4][n + 2]i32) : [m][n + 2]i32 = gather is xs"),
             Contains("var i64 at = is[i_1];") && Contains("= xs[at * n + at * 2 + i_2];"));
  CHECK_THAT(kernel_text("fun f [m n] (is : [m]i64) (xs : [4][n]i32) : [m][n]i32 = gather is xs"),
             Contains("= xs[is[i_1] * n + i_2];"));
  // In a branch it is read where the branch is taken.
  CHECK_THAT(kernel_text("fun f [n] (is : [7]i64) (xs : [4][n + 2]i32) : [8][n + 2]i32 = pad 1 0 (replicate (n + "
                         "2) 0) (gather is xs)"),
             Contains("var i64 at = (1 <= i_1 ? is[i_1 - 1] : 0);") &&
                 Contains("= (1 <= i_1 ? xs[at * n + at * 2 + i_2] : 0i32);"));
  // An index of an index, each of which is several times in its address, is two variables.
  CHECK_THAT(kernel_text("fun f [m n] (is : [m]i64) (js : [4][n + 2]i64) (xs : [4][n + 2]i32) : [m][n + 2]i32 = gather "
                         "((transpose (gather is js)) ! 0) xs"),
             Contains("var i64 at_3 = js[at_2 * n + at_2 * 2];") && Contains("= xs[at_3 * n + at_3 * 2 + i_3];"));
  // Where finding that out is a read or an operator itself, that has a name as well.
  CHECK_THAT(
      kernel_text("fun f [m n] (is : [m]i64) (xs : [4][n + 2]i32) (b : [m]bool) : [m]i32 = map (\\(c, r) -> if c "
                  "then r ! 0 else 0) (zip b (gather is xs))"),
      Contains("var bool given = b[i_1];") && Contains("var i64 at = (given ? is[i_1] : 0);") &&
          Contains("= (given ? xs[at * n + at * 2] : 0i32);"));
}

TEST_CASE("gemv by way of dot needs no m*n temporary") {
  const auto gemv = [](const std::string& fold) {
    return kernel_text(
        "fun dot [n] (xs : [n]f32) (ys : [n]f32) : f32 = " + fold +
        " (+) 0 (map (\\p -> fst p * snd p) (zip xs ys))\n"
        "fun gemv [m n] (a : [m][n]f32) (x : [n]f32) : [m]f32 where m >= 16 = map (\\row -> dot row x) a");
  };
  CHECK_THAT(gemv("reduceSeq"), Contains("with (f32 tmp[n] @global)"));
  // by law it needs the sums of columns alone
  CHECK_THAT(gemv("reduce"), !Contains("@global") && Contains("alloc f32 acc[32] @private;"));
}

TEST_CASE(
    "on the GPU a global temporary inside a parallel loop is multiplied by its iterations (\xC2\xA7"
    "6.4)") {
  const std::string text = kernel_text(
      "fun f [m n] (a : [m][n]f32) : [m]f32 = mapGlobal (\\row -> reduce (+) 0 (mapSeq (\\x -> x * x) row)) a",
      Machine::Gpu);
  CHECK_THAT(text, Contains("alloc f32 tmp[m * n] @global"));
}

TEST_CASE("indices are simplified by the ranges of loop variables") {
  // join and split meet: no division is left.
  const std::string text = kernel_text(
      "fun f [n] (xs : [n]f32) : [n]f32 where n % 8 == 0 = xs |> split 8 |> map (\\r -> map (\\x -> x + 1) r) |> join");
  REQUIRE_THAT(text, Contains("n % 8 == 0"));  // the head has one, which shows how it would be printed
  CHECK_THAT(text.substr(text.find('{')), !Contains("%") && Contains("xs[i * 8 + i_1]"));
}

TEST_CASE("a let is evaluated once, a view is not stored") {
  const std::string text = kernel_text(
      "fun f [n] (xs : [n]f32) : [n](f32, f32) = let y = reduce (+) 0 xs * 2 in map (\\x -> (x / y, x)) xs");
  CHECK_THAT(text, Contains("var f32 t"));
  CHECK_THAT(
      kernel_text("fun f [n] (xs : [n]f32) : [n]f32 = let zs = zip xs (reverse xs) in map (\\(a, b) -> a + b) zs"),
      !Contains("alloc"));
}

TEST_CASE("a lazy view does not lose its trap") {
  // The gathered array is never read, and its bad index traps all the same.
  const PhraseProgram p = entry("fun f (is : [2]i64) (xs : [3]i32) : i32 = let unused = gather is xs in 7");
  const auto index = [](std::int64_t i) { return make_integer(ScalarType::I64, static_cast<std::uint64_t>(i)); };
  const auto x = make_integer(ScalarType::I32, 1);
  for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {  // on a GPU it is stored all the same
    const DpiaTrace trace = dpia_trace(p, calculus(), machine);
    const kernel::Program& k = trace.kernel();
    CHECK(outputs(k, {}, {{"is", {index(0), index(2)}}, {"xs", {x, x, x}}}) == "7");
    CHECK(outputs(k, {}, {{"is", {index(0), index(3)}}, {"xs", {x, x, x}}}) == "trap: gather");
  }
}

TEST_CASE("soundness A2: what an operator would trap on is checked before it, on every lane of a short vector") {
  const auto i32s_of = [](std::initializer_list<std::int64_t> xs) {
    std::vector<Scalar> out;
    for (const std::int64_t x : xs) out.push_back(make_integer(ScalarType::I32, static_cast<std::uint64_t>(x)));
    return out;
  };
  for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
    const auto kernel_of = [&](const std::string& text) {
      return dpia_trace(entry(text), calculus(), machine).kernel();
    };
    const kernel::Program lanes = kernel_of(
        "fun f [n] (xs : [4*n]i32) (ys : [4*n]i32) : [4*n]i32 =\n"
        "  asScalar (map (\\p -> fst p / snd p) (zip (asVector 4 xs) (asVector 4 ys)))");
    const auto divided = [&](std::initializer_list<std::int64_t> by) {
      return outputs(lanes, {{"n", 1}}, {{"xs", i32s_of({8, 6, 3, 9})}, {"ys", i32s_of(by)}});
    };
    CHECK(divided({1, 2, 3, 4}) == "8 3 1 2");
    CHECK(divided({1, 2, 0, 4}) == "trap: /");
    CHECK(divided({1, 2, 3, 0}) == "trap: /");
    CHECK(outputs(kernel_of("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> 7 % x) xs"), {{"n", 2}},
                  {{"xs", i32s_of({2, 0})}}) == "trap: %");
    CHECK(outputs(kernel_of("fun f [n] (xs : [n]i32) : [n]u8 = map (\\x -> u8 (1.0 / f32 x)) xs"), {{"n", 2}},
                  {{"xs", i32s_of({2, 0})}}) == "trap: u8");
  }
}

TEST_CASE("soundness A3: the right side of && and || runs only where the left one does not decide") {
  for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
    const auto at = [&](const std::string& body, std::int64_t i) {
      const PhraseProgram p = entry("fun f [n] (xs : [n]i32) (i : i64) : bool = " + body);
      return outputs(dpia_trace(p, calculus(), machine).kernel(), {{"n", 1}},
                     {{"xs", {make_integer(ScalarType::I32, 5)}},
                      {"i", {make_integer(ScalarType::I64, static_cast<std::uint64_t>(i))}}});
    };
    const std::string any = "i < 0 || i >= i64 n || xs ! i > 5", all = "0 <= i && i < i64 n && xs ! i > 4";
    CHECK(at(any, -1) == "true");
    CHECK(at(any, 0) == "false");
    CHECK(at(any, 1) == "true");
    CHECK(at(all, -1) == "false");
    CHECK(at(all, 0) == "true");
    CHECK(at(all, 1) == "false");
  }
}

TEST_CASE("levels that the source wrote come out as the nest of loops that it wrote") {
  const std::string text = kernel_text(
      "fun f [n] (xs : [n]f32) : [n]f32 where n % 64 == 0 =\n"
      "  split 64 xs |> mapWorkgroup (mapLocal (\\x -> x + 1)) |> join",
      Machine::Gpu);
  const std::size_t group = text.find("parallel workgroup"), local = text.find("parallel local");
  REQUIRE(group != std::string::npos);
  REQUIRE(local != std::string::npos);
  CHECK(group < local);
}

TEST_CASE("a temporary that became part of another state is no state of its own any more") {
  // Found by the campaign: an outer step's temporary, renamed already, was dropped a second time by the inner one.
  const PhraseProgram source = entry(
      "fun f (xs : [2]i32) : [3](i32, i32) =\n"
      "  scan (\\x s -> reduce (\\y t -> (snd t, fst t + y)) s xs) (0, 1) [0, 0, 0]");
  const DpiaTrace p = dpia_trace(source, calculus(), Machine::Cpu);
  const auto x = [](std::uint64_t n) { return make_integer(ScalarType::I32, n); };
  const kernel::Buffers inputs{{"xs", {x(2), x(5)}}};
  CHECK(outputs(p.after("paths")->as<kernel::Program>(), {}, inputs) == "2 4 6 6 11 16");
  CHECK(outputs(p.kernel(), {}, inputs) == outputs(p.after("paths")->as<kernel::Program>(), {}, inputs));
}

namespace {
const char* const rotated_sums =
    "fun f [n] (xs : [n][8]i32) : [n][8]i32 =\n"
    "  mapWorkgroup (\\row -> iterate 3 (\\s -> mapLocal (\\x -> x + s ! 0) s) row) xs";

kernel::Program without_barriers(kernel::Program p) {
  p.body = kernel::rewritten(p.body, kernel::StmtChange([](const kernel::Stmt& s) {
                               return std::holds_alternative<kernel::Barrier>(s.node) ? std::vector<kernel::Stmt>{}
                                                                                      : std::vector<kernel::Stmt>{s};
                             }));
  return p;
}
}  // namespace

TEST_CASE("barriers stand between what one thread of a block writes and another one reads") {
  const DpiaTrace p = dpia_trace(entry(rotated_sums), calculus(), Machine::Gpu);
  const auto i32 = [](std::uint64_t n) { return make_integer(ScalarType::I32, n); };
  const kernel::Buffers inputs{{"xs", {i32(1), i32(2), i32(3), i32(4), i32(5), i32(6), i32(7), i32(8)}}};
  CHECK(outputs(p.kernel(), {{"n", 1}}, inputs) == "8 9 10 11 12 13 14 15");
  CHECK_THAT(kernel::print(p.kernel()), Contains("barrier;"));
  CHECK(outputs(without_barriers(p.kernel()), {{"n", 1}}, inputs) == "fault");  // the check can fail
}

TEST_CASE("what the threads of a block write together is the block's, not a copy for each") {
  CHECK_THAT(kernel_text(rotated_sums, Machine::Gpu), Contains("@local") && !Contains("next[8] @private"));
  const std::string by_warps =
      "fun f [n] (xs : [n][8]i32) : [n]i32 =\n"
      "  mapWorkgroup (\\row -> reduceSeq (+) 0 (toPrivate (mapWarp (\\x -> x + 1)) row)) xs";
  CHECK_THAT(kernel_text(by_warps, Machine::Gpu),
             Contains("parallel warp") && Contains("@local") && !Contains("@private"));
  CHECK_THAT(kernel_text(rotated_sums, Machine::Cpu), !Contains("@local"));
}

TEST_CASE("the state of a block's loop lies where what it begins with lies") {
  const auto rounds = [](const std::string& loop, const std::string& begin) {
    return kernel_text("fun f [m n] (xs : [m][n]i32) : [m][n]i32 = mapWorkgroup (\\row -> " + loop +
                           " (\\s -> mapLocal (\\x -> x + s ! 0) s) (" + begin + ")) xs",
                       Machine::Gpu);
  };
  for (const char* loop : {"iterate 3", "while (\\s -> n > 0 && s ! 0 < 9)"}) {
    INFO(loop);
    CHECK(rounds(loop, "toLocal (\\r -> mapLocal (\\x -> x * 2) r) row").find("alloc") != std::string::npos);
    CHECK(rounds(loop, "toLocal (\\r -> mapLocal (\\x -> x * 2) r) row").find("@global") == std::string::npos);
    CHECK(rounds(loop, "mapLocal (\\x -> x * 2) row").find("alloc i32 state[m * n] @global") != std::string::npos);
  }
  // A thread's state is its own, though it begins with what the block has.
  CHECK(kernel_text(
            "fun f [m n] (xs : [m][n]i32) : [m][n]i32 = mapWorkgroup (\\row -> let a = toLocal (\\r -> mapLocal "
            "(\\x -> x * 2) r) row in mapLocal (\\x -> reduce (\\y acc -> y + acc) x (iterate 3 (map (\\y -> y + 1)) "
            "a)) a) xs",
            Machine::Gpu)
            .find("alloc i32 state[m * n * n] @global") != std::string::npos);
}

TEST_CASE("marks of scatter leave the GPU's loops, multiplied by their iterations") {
  const std::string scatters =
      "fun f [n m] (xs : [n][m]f32) (is : [n][m]i64) : [n][m]f32 = mapGlobal (\\p -> scatter (fst p) (snd p) (fst p)) "
      "(zip xs is)";
  CHECK_THAT(kernel_text(scatters, Machine::Gpu), Contains("alloc bool written[m * n] @global;\n  parallel global"));
  CHECK_THAT(kernel_text(scatters, Machine::Cpu), Contains("alloc bool written[m] @global"));
}

TEST_CASE("a plain map in a block runs over its threads, a short one over none") {
  const std::string text = "fun f [n m] (xs : [n][m]f32) : [n][m]f32 = mapWorkgroup (map (\\x -> x + 1)) xs";
  CHECK_THAT(kernel_text(text, Machine::Gpu), Contains("parallel local"));
  CHECK_THAT(kernel_text("fun f [n] (xs : [n][4]f32) : [n][4]f32 = mapWorkgroup (map (\\x -> x + 1)) xs", Machine::Gpu),
             !Contains("parallel local"));
  const std::string in_warps =
      "fun f [n m] (xs : [n][4][m]f32) : [n][4][m]f32 = mapWorkgroup (mapWarp (map (\\x -> x + 1))) xs";
  CHECK_THAT(kernel_text(in_warps, Machine::Gpu), Contains("parallel warp") && Contains("parallel local"));
  CHECK_THAT(kernel_text(in_warps, Machine::Cpu), !Contains("parallel warp") && !Contains("parallel local"));
}

TEST_CASE("what a constant is given is in the memory of all threads where its function has a loop over them") {
  const std::string rows =
      "fun f [n] (x : u16) (d : [n][4]u16) (is : [n]i64) : [n][4]u16 =\n"
      "  permute (\\a b -> map (\\p -> fst p) (zip a b)) d is (replicate n [x, x, 0, x])";
  const DpiaTrace trace = dpia_trace(entry(rows), calculus(), Machine::Gpu);
  CHECK(kernel::check(trace.kernel()).empty());
  CHECK_THAT(kernel::print(trace.kernel()), Contains("alloc u16 tmp[4] @global") && Contains("= tmp[i_"));
}

TEST_CASE("a loop without a level around atomic updates by all threads is sequential") {
  const std::string text =
      "fun f [n m] (is : [n]i64) (xs : [n]i32) : [m][3]i32 = generate m (\\i -> permuteGlobal (+) (replicate 3 0) is "
      "xs)";
  const DpiaTrace trace = dpia_trace(entry(text), calculus(), Machine::Gpu);
  CHECK(kernel::check(trace.kernel()).empty());
  CHECK_THAT(kernel::print(trace.kernel()), Contains("for (i < m)") && Contains("parallel global (j < n"));
}

}  // namespace translate_test
