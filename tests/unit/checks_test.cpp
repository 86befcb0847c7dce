// Checks that go because they are needless: which do, which must not, and what is proved of it.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "proofs/kernel/parts.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace checks_test {
using namespace lockstep;
using kernel::Program;
using proofs::kernels::ObligationKind;
using proofs::kernels::Prover;

namespace {

std::size_t checks_in(const Program& p) {
  std::size_t n = 0;
  each_statement(p.body, [&](const kernel::Stmt& s) { n += std::holds_alternative<kernel::Check>(s.node); });
  return n;
}
const Program& after(const DpiaTrace& trace, const std::string& stage) { return trace.after(stage)->as<Program>(); }

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(LOCKSTEP_SOURCE_DIR) + file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Of a kernel with x[n], idx input k[n] below m, i64 data d[n], u8 data b[n]: its body has one check, which stays or
// goes.
Program with(const std::string& body) {
  return kernel::program_from(
      "kernel p(n, m) where 1 <= m input f32 x[n]; input i64 k[n] < m; input i64 d[n]; input u8 b[n]; "
      "output i64 r[n]; output i64 s[4 * n]; output i64 t[n * m]; { " +
      body + " }");
}
bool goes(const std::string& body) {
  const Program p = with(body);
  INFO(print(p));
  CHECK(check(p).empty());
  REQUIRE(checks_in(p) == 1);
  return checks_in(without_needless_checks(p)) == 0;
}
std::string must(const std::string& condition) { return "check (" + condition + ") \"!\" \"outside\" (); "; }
std::string in_loop(const std::string& body) { return "for (i < n) { " + body + " }"; }

Standing standing(const Program& before, const Program& after) {
  Prover prover(500);
  Standing least = Standing::Proved;
  const auto all = proofs::kernels::checks_obligations(before, after, prover);
  CHECK(!all.empty());
  for (const auto& o : all) {
    CHECK(o.kind == ObligationKind::Checks);
    least = std::min(least, o.standing);
  }
  return least;
}
Standing without(const std::string& body, const std::string& left) { return standing(with(body), with(left)); }

}  // namespace

TEST_CASE("the flat tile keeps none of its eight checks, and this is proved for all sizes") {
  for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
    const DpiaTrace trace =
        dpia_trace(test::entry(text_of("/tests/golden/flat_tile.dpia")), standard_calculus(), machine, true);
    CHECK(checks_in(after(trace, "paths")) == 8);
    CHECK(checks_in(trace.kernel()) == 0);
    for (const auto& m : proofs::kernels::program_obligations({trace})) {
      CHECK(tally_of(m.obligations, ObligationKind::Checks).all() == 8);
      for (const auto& o : m.obligations) {
        INFO(o.name << ": " << o.detail);
        CHECK(o.standing == Standing::Proved);
      }
    }
  }
}

TEST_CASE("a check goes that follows from sizes, loops, branches and earlier checks") {
  CHECK(goes(must("1 <= m")));
  CHECK(goes(must("16 !=.i64 0")));
  CHECK(goes(in_loop(must("i < n"))));
  CHECK(goes(in_loop(must("n !=.i64 0"))));
  CHECK(goes(in_loop("for (j < 4) { " + must("(0 <=.i64 ((i *.i64 4) +.i64 j)) &&.bool (i * 4 + j < 4 * n)") + "}")));
  CHECK(goes(in_loop(must("((i *.i64 m) +.i64 (i %.i64 m)) <.i64 (n * m)"))));
  CHECK(goes(in_loop("if (2 <= i) { " + must("0 <= i - 2") + "}")));
  CHECK(goes(in_loop("if (i < 2) { } else { " + must("0 <= i - 2") + "}")));
  CHECK(goes(in_loop(must("k[i] < m"))));
  CHECK(goes(in_loop(must("(i64.u8(b[i]) &.i64 15) <.i64 16"))));
  CHECK(goes(in_loop(must("i64.u8(b[i]) <.i64 256"))));
  CHECK(goes(in_loop("var i64 t = min.i64(i + 1, n - 1); " + must("t < n"))));
  CHECK(goes(in_loop("var i64 t = (i < 1 ? 0 : i - 1); " + must("0 <= t"))));
  // The second of two.
  const Program twice = with(in_loop("var i64 t = d[i]; " + must("t < n") + must("t < n + 1")));
  CHECK(checks_in(without_needless_checks(twice)) == 1);
}

TEST_CASE("a check stays that is needed at some size, or for some data") {
  CHECK_FALSE(goes(must("n !=.i64 0")));
  CHECK_FALSE(goes(must("2 <= m")));
  CHECK_FALSE(goes(in_loop(must("i < n - 1"))));
  CHECK_FALSE(goes(in_loop(must("0 <= i - 1"))));
  CHECK_FALSE(goes(in_loop("if (2 <= i) { } else { " + must("0 <= i - 2") + "}")));
  CHECK_FALSE(goes(in_loop("if (2 <= i) { } " + must("0 <= i - 2"))));
  CHECK_FALSE(goes(in_loop(must("d[i] < n"))));
  CHECK_FALSE(goes(in_loop(must("k[i] < m - 1"))));
  CHECK_FALSE(goes(in_loop(must("i64.u8(b[i]) <.i64 255"))));
  // What a loop checks that may not run.
  CHECK(checks_in(without_needless_checks(
            with("var i64 t = d[0]; for (i < n) { " + must("t < m") + "} " + must("t < m")))) == 2);
  // A number that wraps: i * 2^62 * 4 is 0.
  CHECK_FALSE(goes(in_loop(must("i <=.i64 ((i *.i64 4611686018427387904) /.i64 4611686018427387904)"))));
  CHECK_FALSE(goes(in_loop(must("0 <=.i64 (d[i] *.i64 d[i])"))));
  CHECK_FALSE(goes(in_loop(must("0 <=.i64 (i *.i64 200)"))));  // of no array, n may be 2^56
  CHECK(goes(in_loop(must("0 <=.i64 (i *.i64 5)"))));
  CHECK_FALSE(goes("var i64 t = 0; for (i < n) { " + must("t < 1") + "t = t +.i64 1; }"));
}

TEST_CASE("a quotient is below what its dividend's bound is a multiple of, and a factor of what is not 0 is not 0") {
  const Size m = Size::name("m"), n = Size::name("n"), g = Size::name("g");
  SizeContext known;
  known.range("g", m * n);
  CHECK(known.proves({floor_div(g, n), SizeRelation::Less, m}));
  CHECK_FALSE(known.proves({floor_div(g, n), SizeRelation::Less, m - 1}));
  CHECK(known.proves({floor_div(g, n) * n * 4 + modulo(g, n) * 4 + 3, SizeRelation::Less, m * n * 4}));
  // The loop may have ended, or never run.
  CHECK_FALSE(known.proves({1, SizeRelation::LessEqual, n}));
  known.assume({1, SizeRelation::LessEqual, m * n});
  CHECK(known.proves({1, SizeRelation::LessEqual, n}));
  CHECK_FALSE(known.proves({2, SizeRelation::LessEqual, n}));
}

TEST_CASE("loops and branches that held checks alone go with them") {
  CHECK(print(without_needless_checks(with(in_loop("if (i < m) { " + must("i < n") + "}")))) == print(with("")));
  const std::string empty = in_loop("if (i < m) { }");  // was so before
  CHECK(print(without_needless_checks(with(empty))) == print(with(empty)));
}

TEST_CASE("that a check may go is proved or refuted") {
  CHECK(without(in_loop(must("i < n") + "store r[i] = i;"), in_loop("store r[i] = i;")) == Standing::Proved);
  CHECK(without(in_loop(must("n !=.i64 0")), "") == Standing::Proved);
  // One too far, the other side, a size that may be 0, the other branch, what a loop checks that may not run, data.
  CHECK(without(in_loop(must("i + 1 < n")), "") == Standing::Refuted);
  CHECK(without(in_loop(must("0 <= i - 1")), "") == Standing::Refuted);
  CHECK(without(must("n !=.i64 0"), "") == Standing::Refuted);
  CHECK(without(in_loop("if (i < 4) { } else { " + must("i < 4") + "}"), "") == Standing::Refuted);
  CHECK(without(in_loop(must("d[i] < n")), "") == Standing::Unknown);
  CHECK(without(in_loop(must("i <=.i64 ((i *.i64 4611686018427387904) /.i64 4611686018427387904)")), "") ==
        Standing::Unknown);
  // More than checks.
  CHECK(without(in_loop(must("i < n") + "store r[i] = i;"), "") == Standing::Unknown);
  CHECK(without(in_loop(must("i < n") + "store r[i] = i;"), in_loop("store r[i] = i + 1;")) == Standing::Unknown);
  CHECK(without(in_loop("var i64 t = i; " + must("i < n")), in_loop("")) == Standing::Unknown);
}

TEST_CASE("a check that stands is not taken for one that has gone") {
  // The first of them is needed.
  const std::string first = "if (m < n) { " + must("m < 2") + "} ", second = "if (m < n) { " + must("m < 3") + "}";
  CHECK(without(first + second, second) == Standing::Refuted);
  const std::string both = must("m < 2") + must("m < 3");
  CHECK(without(both, must("m < 2")) == Standing::Proved);
  CHECK(without(both, must("m < 3")) == Standing::Refuted);
}

}  // namespace checks_test
