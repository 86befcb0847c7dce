// The kernel interpreter: what it computes, and each fault found once.
#include <catch2/catch.hpp>

#include "semantics/kernel/check.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/run.h"
#include "tests/unit/kernel_program.h"

namespace kernel_run_test {
using namespace lockstep;
using namespace lockstep::kernel;
using kernel::RunOptions;
using kernel::Store;

namespace {

std::vector<Scalar> numbers(std::initializer_list<std::int64_t> ns) {
  std::vector<Scalar> r;
  for (std::int64_t n : ns) r.push_back(make_integer(ScalarType::I64, static_cast<std::uint64_t>(n)));
  return r;
}

std::vector<std::int64_t> result_of(const std::string& text, std::int64_t n, const Buffers& inputs = {},
                                    const RunOptions& options = {}) {
  Program p = program_from(text);
  REQUIRE(check(p) == std::vector<std::string>{});
  auto r = run(p, {{"n", n}}, inputs, ieee_domain(), options);
  if (!r) {
    if (const Fault* f = std::get_if<Fault>(&r.error())) throw std::runtime_error(f->message);
    throw std::runtime_error("trapped");
  }
  std::vector<std::int64_t> out;
  for (const Scalar& s : r->at("r")) out.push_back(s.integer());
  return out;
}

Fault fault_of(const std::string& text, const RunOptions& options = {}, std::int64_t n = 4) {
  auto r = run(program_from(text), {{"n", n}}, {}, ieee_domain(), options);
  REQUIRE_FALSE(r);
  REQUIRE(std::holds_alternative<Fault>(r.error()));
  return std::get<Fault>(r.error());
}

RunOptions races(Schedule s = Schedule::Forward, std::int64_t threads = 0) {
  RunOptions o;
  o.schedule = s;
  o.detect_races = true;
  o.threads_per_block = threads;
  return o;
}

bool is_race(const std::string& text, const RunOptions& options = races()) {
  auto r = run(program_from(text), {{"n", 4}}, {}, ieee_domain(), options);
  return !r && std::holds_alternative<Fault>(r.error()) && std::get<Fault>(r.error()).kind == FaultKind::Race;
}

const std::string head = "kernel p(n) output i64 r[n]; ";
using Ints = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a kernel computes sums, choices and vectors", "[kernel]") {
  CHECK(result_of("kernel p(n) input i64 xs[n]; output i64 r[1]; { var i64 a = 0; for (i < n) a = a +.i64 xs[i]; store "
                  "r[0] = a; }",
                  3, {{"xs", numbers({5, 7, -2})}}) == Ints{10});
  CHECK(result_of(head + "parallel par (i < n) store r[i] = (i < 2 ? i * 10 : 0 - i);", 4) == Ints{0, 10, -2, -3});
  CHECK(result_of(head + "parallel par (i < n / 4) { var i64<4> v = splat<4>(i) +.i64<4> build(1, 2, 3, 4); "
                         "store r[i * 4] = v *.i64<4> v; }",
                  8) == Ints{1, 4, 9, 16, 4, 9, 16, 25});
  CHECK(result_of(head + "{ var i64 k = 0; while (k < n) { store r[k] = lane(build(7, 8), k % 2); k = k + 1; } }", 3) ==
        Ints{7, 8, 7});
}

TEST_CASE("a kernel's integers wrap at their type", "[kernel]") {
  CHECK(result_of(head + "store r[0] = i64.u8(200u8 +.u8 100u8);", 1) == Ints{44});
  CHECK(result_of(head + "store r[0] = i64.i32(2147483647i32 +.i32 1i32);", 1) == Ints{-2147483648});
}

TEST_CASE("every schedule of a race-free kernel gives the same result", "[kernel]") {
  std::string text =
      head +
      "parallel workgroup (g < n / 4) with (i64 s[4] @local) { parallel local (l < 4) store s[l] = g * 4 + l; "
      "barrier; parallel local (l < 4) store r[g * 4 + l] = s[3 - l]; }";
  RunOptions random = races(Schedule::Random);
  random.seed = 7;
  for (const RunOptions& o : {races(), races(Schedule::Reverse), random, races(Schedule::Forward, 2)})
    CHECK(result_of(text, 8, {}, o) == Ints{3, 2, 1, 0, 7, 6, 5, 4});
}

TEST_CASE("schedules order the iterations of parallel loops", "[kernel]") {
  // A race on purpose, not looked for: the last iteration to run wins.
  std::string text = "kernel p(n) output i64 r[1]; parallel par (i < n) store r[0] = i;";
  RunOptions reverse;
  reverse.schedule = Schedule::Reverse;
  CHECK(result_of(text, 4) == Ints{3});
  CHECK(result_of(text, 4, {}, reverse) == Ints{0});
}

TEST_CASE("an access outside a buffer is a fault that names buffer, index, iteration and position", "[kernel]") {
  Fault f = fault_of(head + "for (i < n + 1) store r[i] = i;");
  CHECK(f.kind == FaultKind::OutOfBounds);
  CHECK(f.message == "r[4] is written (test.kernel:1:46), which is outside [0, 4) at i = 4");
  CHECK(fault_of(head + "for (i < n) store r[i] = r[i - 1];").kind == FaultKind::OutOfBounds);
  CHECK(fault_of(head + "store r[0] = lane(build(1, 2), n);").kind == FaultKind::OutOfBounds);
  CHECK(fault_of(head + "{ alloc i64 t[n - 9] @global; store r[0] = 1; }").kind == FaultKind::OutOfBounds);
}

TEST_CASE("a read of what was not written is a fault", "[kernel]") {
  CHECK(fault_of(head + "for (i < n) store r[i] = r[i];").kind == FaultKind::Uninitialised);
  CHECK(fault_of(head + "{ var i64 k; store r[0] = k; }").message ==
        "variable 'k' is read (test.kernel:1:43) before it is set");
}

TEST_CASE("scratch is uninitialised at the start of each iteration", "[kernel]") {
  std::string keep = "parallel par (i < n) with (i64 s[1] @private) { if (i == 0) store s[0] = 7; store r[i] = s[0]; }";
  Fault f = fault_of(head + keep);
  CHECK(f.kind == FaultKind::Uninitialised);
  CHECK(f.message == "s[0] is read (test.kernel:1:119) before it is written at i = 1");
}

TEST_CASE("an output that is not wholly written is a fault", "[kernel]") {
  CHECK(fault_of(head + "for (i < n - 1) store r[i] = i;").message == "output r[3] is never written");
}

TEST_CASE("index arithmetic that overflows or divides by nothing is a fault", "[kernel]") {
  CHECK(fault_of(head + "store r[n * 9223372036854775807] = 0;").kind == FaultKind::Overflow);
  CHECK(fault_of(head + "store r[1 / (n - 4)] = 0;").kind == FaultKind::BadDivision);
  CHECK(fault_of(head + "store r[(0 - n) % 3] = 0;").kind == FaultKind::BadDivision);
}

TEST_CASE("a while loop beyond its limit is a fault", "[kernel]") {
  RunOptions o;
  o.while_limit = 100;
  CHECK(fault_of(head + "while (true) store r[0] = 0;", o).kind == FaultKind::Endless);
  CHECK(fault_of(head + "{ var i64 k = 0; while (k <.i64 101) k = k +.i64 1; }", o).kind == FaultKind::Endless);
  CHECK(fault_of(head + "{ var i64 k = 0; while (k <.i64 100) k = k +.i64 1; }", o).kind == FaultKind::Uninitialised);
}

TEST_CASE("a race between iterations is found in every schedule", "[kernel]") {
  for (Schedule s : {Schedule::Forward, Schedule::Reverse, Schedule::Random}) {
    CHECK(is_race(head + "parallel par (i < n) store r[0] = i;", races(s)));
    CHECK(is_race(
        "kernel p(n) output i64 r[n]; { for (i < n) store r[i] = 0; parallel par (i < n - 1) store r[i + 1] = r[i]; }",
        races(s)));
  }
  CHECK_FALSE(is_race(head + "for (i < n) store r[0] = i;"));
  CHECK_FALSE(is_race(head + "parallel par (i < n) store r[i] = i;"));
}

TEST_CASE("a race between iterations of an outer loop is found through an inner one", "[kernel]") {
  std::string all = "parallel par (i < n) parallel par (j < 2) store r[j] = i;";
  CHECK(is_race(head + all));
  CHECK(is_race(head + "for (k < 1) parallel par (i < 2) for (j < 2) store r[j] = i;"));
  CHECK_FALSE(is_race(head + "parallel par (i < n / 2) parallel par (j < 2) store r[i * 2 + j] = i;"));
}

TEST_CASE("what an iteration declares is its own, what stands outside is shared", "[kernel]") {
  CHECK_FALSE(is_race(head +
                      "parallel par (i < n) with (i64 s[1] @private) { var i64 k = i; k = k + 1; store s[0] = k; "
                      "store r[i] = s[0]; }"));
  CHECK(is_race(head + "{ var i64 k = 0; parallel par (i < n) { k = i; store r[i] = k; } }"));
  CHECK(is_race(head + "{ alloc i64 s[1] @global; parallel par (i < n) { store s[0] = i; store r[i] = s[0]; } }"));
}

TEST_CASE("a missing barrier is a race between threads of the block", "[kernel]") {
  auto text = [](const std::string& between) {
    return head + "parallel workgroup (g < n / 4) with (i64 s[4] @local) { parallel local (l < 4) store s[l] = l; " +
           between + " parallel local (l < 4) store r[g * 4 + l] = s[3 - l]; }";
  };
  CHECK(is_race(text("")));
  CHECK_FALSE(is_race(text("barrier;")));
}

TEST_CASE("a thread sees what it wrote itself without a barrier", "[kernel]") {
  std::string own =
      "parallel workgroup (g < n / 4) with (i64 s[4] @local) { parallel local (l < 4) store s[l] = l; "
      "parallel local (l < 4) store r[g * 4 + l] = s[l]; }";
  CHECK_FALSE(is_race(head + own));
  CHECK_FALSE(is_race(head + own, races(Schedule::Forward, 2)));
  // Iterations 0 and 2 are one thread of two, but of four they are not.
  std::string folded =
      "parallel workgroup (g < n / 4) with (i64 s[4] @local) { parallel local (l < 4) store s[l] = l; "
      "parallel local (l < 4) store r[g * 4 + l] = s[(l + 2) % 4]; }";
  CHECK_FALSE(is_race(head + folded, races(Schedule::Forward, 2)));
  CHECK(is_race(head + folded));
}

TEST_CASE("code between local loops reads what threads wrote only after a barrier", "[kernel]") {
  auto text = [](const std::string& between) {
    return head + "parallel workgroup (g < n / 4) with (i64 s[4] @local) { parallel local (l < 4) store s[l] = l; " +
           between + " { var i64 k = s[3]; parallel local (l < 4) store r[g * 4 + l] = k; } }";
  };
  CHECK(is_race(text("")));
  CHECK_FALSE(is_race(text("barrier;")));
}

TEST_CASE("a barrier that one thread meets alone is a fault", "[kernel]") {
  CHECK(fault_of(head + "parallel workgroup (g < 1) parallel local (l < 4) { store r[l] = l; barrier; }").kind ==
        FaultKind::BarrierDivergence);
  CHECK(fault_of(head + "barrier;").kind == FaultKind::BarrierDivergence);
}

TEST_CASE("a failed check traps with its values", "[kernel]") {
  auto r = run(
      program_from(head + "parallel par (i < n) { check (i < 2) \"gather\" \"index {0} is outside [0, {1})\" (i, 2); "
                          "store r[i] = i; }"),
      {{"n", 4}}, {}, ieee_domain());
  REQUIRE_FALSE(r);
  REQUIRE(std::holds_alternative<Trap>(r.error()));
  CHECK(std::get<Trap>(r.error()).primitive == "gather");
  CHECK(std::get<Trap>(r.error()).message == "index 2 is outside [0, 2)");
}

TEST_CASE("soundness A2: an operator that traps without a check before it is a fault") {
  const Fault division = fault_of(head + "for (i < n) store r[i] = 7 /.i64 (i -.i64 2);");
  CHECK(division.kind == FaultKind::Unguarded);
  CHECK(division.message.find("/ traps without a check before it") != std::string::npos);
  CHECK(fault_of(head + "for (i < n) store r[i] = i %.i64 i;").kind == FaultKind::Unguarded);
  CHECK(fault_of(head + "for (i < n) store r[i] = i64.f32(1.0f32 /.f32 f32.i64(i));").kind == FaultKind::Unguarded);
  // Of a vector any lane.
  CHECK(fault_of(head + "for (i < n) store r[i] = lane(splat<4>(12) /.i64<4> build(1, 2, 3, 0), 1);").kind ==
        FaultKind::Unguarded);
  // A check before it traps first, and a side that is not taken computes nothing.
  const auto checked =
      run(program_from(head + "for (i < n) { check (0 < i) \"/\" \"{0} / 0\" (i); store r[i] = 7 /.i64 i; }"),
          {{"n", 4}}, {}, ieee_domain());
  REQUIRE_FALSE(checked);
  CHECK(std::holds_alternative<Trap>(checked.error()));
  CHECK(result_of(head + "for (i < n) store r[i] = (0 < i ? 6 /.i64 i : 9);", 4) == Ints{9, 6, 3, 2});
}

// ------------------------------------------------------------------------------------------------- check
namespace {

bool is_wrong(const std::string& body, const std::string& because) {
  auto wrong = check(program_from("kernel p(n) input f32 xs[n]; output f32 r[n]; " + body));
  for (const std::string& w : wrong)
    if (w.find(because) != std::string::npos) return true;
  for (const std::string& w : wrong) UNSCOPED_INFO(w);
  return false;
}

}  // namespace

TEST_CASE("a well-formed kernel has nothing wrong", "[kernel]") {
  CHECK(check(program_from(
            "kernel p(n) input f32 xs[n]; output f32 r[n]; parallel workgroup (g < n / 64) with (f32 s[64] @local) { "
            "for (k < 2) { parallel local (l < 64) store s[l] = xs[g * 64 + l] +.f32 1.5f32; barrier; } "
            "parallel local (l < 64) store r[g * 64 + l] = s[l]; }")) == std::vector<std::string>{});
}

TEST_CASE("each rule of the kernel language refuses what breaks it", "[kernel]") {
  CHECK(is_wrong("store xs[0] = 1.0f32;", "'xs' is an input"));
  CHECK(is_wrong("store r[0] = 1;", "is of i64, the buffer of f32"));
  CHECK(is_wrong("store r[xs[0]] = xs[0];", "an index has type f32"));
  CHECK(is_wrong("if (n) store r[0] = xs[0];", "a condition has type i64"));
  CHECK(is_wrong("n = 3;", "is not assigned"));
  CHECK(is_wrong("{ var f32 a = 1; a = xs[0]; }", "the start of 'a' has type i64"));
  CHECK(is_wrong("{ var f32<5> a; store r[0] = xs[0]; }", "5 lanes"));
  CHECK(is_wrong("store r[0] = xs[0] +.i32 xs[0];", "an argument of '+'"));
  CHECK(is_wrong("store r[0] = +.f32(xs[0]);", "takes 2 arguments"));
  CHECK(is_wrong("store r[0] = lane(xs[0 : 4], 4);", "lane 4"));
  CHECK(is_wrong("store r[0] = (n < 1 ? xs[0] : 1);", "a choice"));
  CHECK(is_wrong("barrier;", "a barrier"));
  CHECK(is_wrong("parallel workgroup (g < n) parallel local (l < n) barrier;", "a barrier"));
  CHECK(is_wrong("parallel local (l < n) store r[l] = xs[l];", "does not stand in a workgroup or warp loop"));
  CHECK(is_wrong("parallel global (g < n) parallel global (l < n) store r[l] = xs[l];", "stands inside a global loop"));
  CHECK(is_wrong("parallel workgroup (g < n) parallel local (l < n) parallel par (k < n) store r[l] = xs[l];",
                 "stands inside a local loop"));
  CHECK(is_wrong("parallel seq (g < n) store r[g] = xs[g];", "no parallel one"));
  CHECK(is_wrong("{ var f32 a = xs[0]; parallel par (g < n) a = xs[g]; }", "outside the parallel iteration"));
  CHECK(is_wrong("parallel workgroup (g < n) with (f32 a[1] @private) parallel local (l < n) store a[0] = xs[g];",
                 "is private and declared outside"));
  CHECK(is_wrong("check (n < 1) \"!\" \"\" (n, n, n, n, n);", "at most 4"));
  CHECK_FALSE(is_wrong("parallel par (g < n) parallel par (k < 1) store r[g] = xs[g];", ""));
}

TEST_CASE("parameters of one name are refused", "[kernel]") {
  CHECK(check(program_from("kernel p(n, n) output f32 r[n]; {}")).size() == 1);
  CHECK(check(program_from("kernel p(n) input f32 r[n]; output f32 r[n]; {}")).size() == 1);
}

TEST_CASE("names that a scope has ended are undeclared", "[kernel]") {
  Program p = program_from("kernel p(n) output f32 r[n]; { { var f32 a = 1.0f32; } store r[0] = 1.0f32; }");
  Block outer = std::get<Block>(p.body.node);
  std::get<Store>(outer.statements[1].node).value = variable("a", {ScalarType::F32, 1});
  p.body = Stmt{outer};
  CHECK(check(p) == std::vector<std::string>{"'a' is not declared"});
}

// ------------------------------------------------------------------------------------------------- cost
TEST_CASE("cost counts operations, loads and stores, and takes depth through parallel loops", "[kernel]") {
  std::string text = "kernel p(n) input f32 xs[n]; output f32 r[n]; ";
  Cost seq = cost(program_from(text + "for (i < n) store r[i] = xs[i + 1] *.f32 xs[i];"));
  CHECK(seq.work == Size::name("n") * 4);
  CHECK(seq.depth == Size::name("n") * 4);
  Cost par = cost(program_from(text + "parallel par (i < n) with (f32 s[8] @private) store r[i] = xs[i] *.f32 xs[i];"));
  CHECK(par.work == Size::name("n") * 4);
  CHECK(par.depth == Size(4));
  CHECK(par.space == Size::name("#threads") * 8);
  Cost lanes = cost(program_from(text + "store r[0] = xs[0 : 4] *.f32<4> xs[0 : 4];"));
  CHECK(lanes.work == Size(16));
}

TEST_CASE("cost is an upper bound where data decides", "[kernel]") {
  std::string text = "kernel p(n) input f32 xs[n]; input i64 k[1]; output f32 r[n]; ";
  CHECK(cost(program_from(text + "if (n < 3) store r[0] = xs[0]; else for (i < n) store r[i] = xs[i];")).work ==
        Size::name("n") * 2 + 2);
  CHECK(cost(program_from(text + "while (k[0] < 3) store r[0] = xs[0];")).work == Size::name("#iterations_1") * 3 + 1);
  CHECK(cost(program_from(text + "for (i < k[0]) store r[0] = xs[0];")).work == Size::name("#extent_1") * 2 + 1);
  // A triangle is bounded by its square.
  CHECK(cost(program_from(text + "for (i < n) for (j < i + 1) store r[0] = xs[0];")).work ==
        Size::name("n") * Size::name("n") * 2);
}

TEST_CASE("space is freed at the end of its block", "[kernel]") {
  std::string text = "kernel p(n) output f32 r[n]; ";
  CHECK(cost(program_from(text + "{ { alloc f32 a[n] @global; } { alloc f32 b[n] @global; alloc f32 c[4] @global; } }"))
            .space == Size::name("n") + 4);
  CHECK(cost(program_from(text + "for (i < n) { alloc f32 a[8] @global; }")).space == Size(8));
}

}  // namespace kernel_run_test
