// The nest of loops that was written against the nest that came out: what may be added, and what may not be lost.
#include <catch2/catch.hpp>

#include "proofs/laws/compiling.h"
#include "props/dpia/strategy_nest.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"

namespace loop_nest_test {
using namespace lockstep;
using namespace lockstep::test;
using props::LoopChain;

namespace {

const char* const blocks =
    "fun f [n] (xs : [n]f32) : [n/64]f32 where n % 64 == 0 =\n"
    "  split 64 xs |> mapWorkgroup (\\b -> split 8 b |> toLocal (mapLocal (\\c -> reduceSeq (+) 0 c)) |> reduceSeq (+) "
    "0)";

std::string lost(const DpiaTrace& t) {
  const auto l = props::lost_loop(t);
  return l ? show(*l) : "";
}

// Every parallel loop of a level made another one.
kernel::Stmt releveled(const kernel::Stmt& s, Level from, const std::function<kernel::Stmt(kernel::ParallelFor)>& to) {
  return kernel::rewritten(s, kernel::StmtChange([&](const kernel::Stmt& x) {
                             const auto* f = std::get_if<kernel::ParallelFor>(&x.node);
                             return std::vector<kernel::Stmt>{f && f->level == from ? to(*f) : x};
                           }));
}

}  // namespace

TEST_CASE("the levels that were written come out, on both machines") {
  for (const Machine machine : {Machine::Cpu, Machine::Gpu})
    CHECK(lost(dpia_trace(entry(blocks), calculus(), machine)) == "");
}

TEST_CASE("loops that copy are no loops to keep, of tuples neither") {
  for (const std::string t : {"i32", "(i32, i32)"})
    CHECK(lost(dpia_trace(entry("fun f (xs : [2]" + t + ") (x : " + t + ") : [3][2][2]" + t + R"( =
  iota 3 |> mapWorkgroup (\i -> iota 2 |> mapWarp (\j -> scanWarp (\a b -> a) x xs)))"),
                          calculus(), Machine::Gpu)) == "");
}

TEST_CASE("what only copies and checks is no loop to keep") {
  CHECK(lost(dpia_trace(entry("fun f [n] (xs : [4](i32, i32)) : [4][n](i32, i32) =\n"
                              "  map (\\x -> [replicate n x]) xs |> spreadGlobal 1 snd |> mapPar (gather (iota n))"),
                        calculus(), Machine::Gpu)) == "");
}

TEST_CASE("a copy beside a scalar that nobody reads is no loop to keep") {  // found by the campaign
  CHECK(lost(dpia_trace(entry("fun f [n] (k : nat) : [k]u64 where k*k <= n = take k (fst ((\\(xs, i) -> (mapWorkgroup "
                              "(\\(x, _) -> x) (map (\\y -> (y, u32 i)) xs), i)) (generate n u64, 0)))"),
                        calculus(), Machine::Gpu)) == "");
}

TEST_CASE("a loop behind checks in a block is not lost") {  // found by the campaign
  PhraseProgram p = entry(
      "fun f [a b] (is : [a + 4]i64) (xs : [a + 1]i32) (ys : [a + 4]i32) (zs : [a + 1]i32) : "
      "[b](i32, i32) where b == a + 1 = zip (update xs 1 0) (permute (^) zs is ys)");
  p.order = {2, 4, 1, 2};
  const auto l = props::lost_loop(dpia_trace(p, calculus(), Machine::Cpu), implied_by(proofs::z3_size_solver()));
  CHECK((l ? show(*l) : "") == "");
}

TEST_CASE("what a view leaves out of a loop runs no loop in it") {  // found by the campaign
  CHECK(
      lost(dpia_trace(entry("fun f (xs : [1]i32) (ys : [1]i32) : [0]i32 =\n"
                            "  map (\\x -> reduceSeq (\\x a -> a) 0 xs) xs |> zip ys |> drop 1 |> map (\\(y, x) -> 0)"),
                      calculus(), Machine::Gpu)) == "");
}

TEST_CASE("a loop whose extent is chosen is one of what it is by either choice") {  // found by the campaign
  PhraseProgram p = entry(
      "fun f [n] (xs : [n]i32) : [n]i32 where n % 2 == 0 =\n"
      "  permute min xs (generate (4 * (n / 2)) (\\i -> 0)) (replicate (4 * (n / 2)) 0)");
  p.order = {4, 8, 1, 3};
  DpiaTrace t = proofs::lawful_trace(p, calculus(), Machine::Cpu);
  REQUIRE(t.held_to() > 0);
  const auto lost = [&] { return props::lost_loop(t, implied_by(proofs::z3_size_solver())).has_value(); };
  CHECK_FALSE(lost());
  for (const bool holds : {true, false}) {  // another extent by one of the choices
    kernel::Program wrong = t.kernel();
    wrong.body = kernel::rewritten(wrong.body, kernel::ExprChange([&](const kernel::Expr& e) {
                                     const auto* c = std::get_if<kernel::Choose>(&e.node);
                                     return c ? holds ? *c->then : *c->otherwise : e;
                                   }));
    const DpiaTrace right = t;
    t.steps.back().program = AnyProgram(t.last().language_ref(), wrong);
    CHECK(lost());
    t = right;
  }
}

TEST_CASE("a loop may be cut in two or three, and no part of it lost") {
  CHECK(lost(dpia_trace(
            entry("fun f [n] (xs : [n][n]i8) : [3*n]i64 = snd (0, concat (generate (2 * n) i64) (map (\\x -> 0) xs))"),
            calculus(), Machine::Cpu)) == "");
  DpiaTrace t = dpia_trace(entry("fun f (x : i32) (xs : [98]i32) : [102]i32 = map (\\v -> v + 1) (pad 2 2 x xs)"),
                           calculus(), Machine::Cpu);
  CHECK(lost(t) == "");
  for (Step& s : t.steps) {
    if (s.name != "index-sets") continue;
    auto program = s.program.as<kernel::Program>();
    program.body = kernel::rewritten(program.body, kernel::StmtChange([](const kernel::Stmt& x) {
                                       const auto* f = std::get_if<kernel::ParallelFor>(&x.node);
                                       const bool inside = f && kernel::constant_of(f->extent) == 98;
                                       return inside ? std::vector<kernel::Stmt>{} : std::vector{x};
                                     }));
    s.program = AnyProgram(s.program.language_ref(), std::move(program));
  }
  CHECK(lost(t) == "par 102");
}

TEST_CASE("loops over the lanes of a warp may be joined, what stands in them stays") {
  const std::string text =
      "fun f [n] (xs : [n][2][32][4]f32) : [n][2]f32 = xs |> mapWorkgroup (mapWarp (\\w ->\n"
      "  w |> mapLocal (\\c -> reduceSeq (+) 0 c) |> reduceWarp (+) 0))";
  DpiaTrace t = dpia_trace(entry(text), calculus(), Machine::Gpu);
  CHECK(lost(t) == "");
  const auto at = std::find_if(t.steps.begin(), t.steps.end(), [](const Step& s) { return s.name == "shuffles"; });
  REQUIRE(at != t.steps.end());
  const auto altered = [&](const kernel::StmtChange& change) {
    auto program = at->program.as<kernel::Program>();
    program.body = kernel::rewritten(program.body, change);
    DpiaTrace out = t;
    out.steps[static_cast<std::size_t>(at - t.steps.begin())].program =
        AnyProgram(at->program.language_ref(), std::move(program));
    return lost(out);
  };
  CHECK(altered([](const kernel::Stmt& s) -> std::vector<kernel::Stmt> {
          if (const auto* f = std::get_if<kernel::For>(&s.node)) return {*f->body};
          return {s};
        }) == "workgroup n > warp 2 > local 1 > sequential 4");
  CHECK(altered([](const kernel::Stmt& s) -> std::vector<kernel::Stmt> {
          if (const auto* f = std::get_if<kernel::ParallelFor>(&s.node); f && f->level == Level::Local)
            return {*f->body};
          return {s};
        }) == "workgroup n > warp 2 > local 1");
}

TEST_CASE("a level that is lost, another extent, and a loop moved out of its nest are noticed") {
  DpiaTrace t = dpia_trace(entry(blocks), calculus(), Machine::Gpu);
  const kernel::Program right = t.kernel();
  const auto with = [&](const std::function<kernel::Stmt(kernel::ParallelFor)>& to) {
    kernel::Program wrong = right;
    wrong.body = releveled(right.body, Level::Local, to);
    t.steps.back().program = AnyProgram(t.last().language_ref(), wrong);
    return lost(t);
  };
  CHECK(with([](kernel::ParallelFor f) { return kernel::Stmt{std::move(f)}; }) == "");
  CHECK(with([](kernel::ParallelFor f) {
          return kernel::Stmt{kernel::For{f.name, f.extent, f.body}};
        }) == "workgroup n/64 > local 8");
  CHECK(with([](kernel::ParallelFor f) {
          f.extent = kernel::constant(7);
          return kernel::Stmt{std::move(f)};
        }) == "workgroup n/64 > local 8");
  CHECK(with([](kernel::ParallelFor f) { return *f.body; }) == "workgroup n/64 > local 8");
}

TEST_CASE("reductions that become one of pairs are not lost") {
  const std::string head = "fun f [n] (xs : [n]i32) : i32 = ";
  CHECK(lost(dpia_trace(entry(head + "reduce (\\x acc -> x) 0 xs - reduce (\\x acc -> acc) 1 xs"), calculus(),
                        Machine::Cpu)) == "");
  DpiaTrace t = dpia_trace(entry(head + "reduce (\\x acc -> x) 0 xs"), calculus(), Machine::Cpu);
  t.steps.at(6).program = AnyProgram(t.steps.at(6).program.language_ref(), entry(head + "0"));
  CHECK(lost(t) == "sequential n");
}

TEST_CASE("a strategy that the pipeline does not keep is noticed") {
  DpiaTrace t =
      dpia_trace(entry("fun f [n] (xs : [n]f32) : [n]f32 = mapSeq (\\x -> x + 1) xs"), calculus(), Machine::Cpu);
  CHECK(lost(t) == "");
  const PhraseProgram other = entry("fun f [n] (xs : [n]f32) : [n]f32 = mapPar (\\x -> x + 1) xs");
  REQUIRE(t.steps.at(6).name == "strategies");
  t.steps.at(6).program = AnyProgram(t.steps.at(6).program.language_ref(), other);
  CHECK(lost(t) == "sequential n");  // that the source wrote
  t.steps.at(0).program = AnyProgram(t.steps.at(0).program.language_ref(), other);
  CHECK(lost(t) == "par n");  // that became another on the way to the kernel
}

TEST_CASE("two loops that were written need two, in whatever order they come") {
  const LoopChain a{{Level::Par, Size::name("n")}}, b{{Level::Par, Size::name("n")}, {Level::Seq, Size(3)}};
  CHECK_FALSE(props::lost_loop({a, b}, {b, a}));
  CHECK(props::lost_loop({a, a}, {a, b}));
  const LoopChain c{{Level::Par, Size::name("n")}, {Level::Seq, Size(9)}, {Level::Seq, Size(3)}};
  CHECK_FALSE(props::lost_loop({b}, {c}));  // a loop between them was added
  CHECK(props::lost_loop({c}, {b}));
}

TEST_CASE("a loop in order may have become two, one in the other") {
  const Size n = Size::name("n"), m = Size::name("m");
  const LoopChain one{{Level::Par, n}, {Level::Seq, n * m}};
  CHECK_FALSE(props::lost_loop({one}, {{{Level::Par, n}, {Level::Seq, n}, {Level::Seq, m}}}));
  CHECK(props::lost_loop({one}, {{{Level::Par, n}, {Level::Seq, n}, {Level::Seq, n}}}));
  CHECK(props::lost_loop({one}, {{{Level::Par, n}, {Level::Seq, n}, {Level::Par, m}}}));
  CHECK(props::lost_loop({one}, {{{Level::Par, n * n}, {Level::Seq, m}}}));
  CHECK(props::lost_loop({{{Level::Par, n * m}}}, {{{Level::Par, n}, {Level::Par, m}}}));
}

}  // namespace loop_nest_test
