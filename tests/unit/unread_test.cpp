// What nobody reads goes, and nothing else does.
#include <catch2/catch.hpp>

#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace unread_test {
using namespace lockstep;
using namespace lockstep::test;
using kernel::Program;

namespace {

Program kernel_of(const std::string& body) {
  return kernel::program_from("kernel p(n) input i64 d[n]; output i64 r[n]; { " + body + " }");
}
void becomes(const std::string& body, const std::string& expected) {
  const Program p = kernel_of(body), after = without_unread(p);
  CHECK(check(p).empty());
  CHECK(check(after).empty());
  CHECK(print(after) == print(kernel_of(expected)));
}
void stays(const std::string& body) { becomes(body, body); }

}  // namespace

TEST_CASE("what only serves to make itself goes, with branches around nothing else, and loops stay") {
  becomes("var i64 t = i64.i64(n); var i64 u; u = t; store r[0] = 1;", "store r[0] = 1;");
  becomes("var i64 t = d[0]; store r[0] = 1;", "store r[0] = 1;");
  becomes("var i64 a = 0; for (i < n) { a = a +.i64 d[i]; store r[i] = d[i]; }", "for (i < n) { store r[i] = d[i]; }");
  becomes(
      "alloc i64 t[n] @global; for (i < n) { store t[i] = d[i]; } alloc i64 u[n] @global; for (i < n) { store u[i] = "
      "t[i]; } "
      "for (i < n) { store r[i] = 1; }",
      "for (i < n) { } for (i < n) { } for (i < n) { store r[i] = 1; }");
  becomes("var i64 a = 0; if (d[0] <.i64 3) { a = 1; } else { a = 2; } store r[0] = 1;", "store r[0] = 1;");
  becomes("var i64 a = 0; if (d[0] <.i64 3) { a = 1; } else { store r[0] = 2; }",
          "if (d[0] <.i64 3) { } else { store r[0] = 2; }");
}

TEST_CASE("of a GPU's kernels buffers stay, and what is read from one") {
  const Program p = kernel_of(
      "var i64 t = 3; var i64 v = d[0]; alloc i64 u[n] @global; for (i < n) { store u[i] = 1; } store r[0] = 1;");
  CHECK(print(without_unread(p, Unread::Variables)) ==
        print(kernel_of("var i64 v = d[0]; alloc i64 u[n] @global; for (i < n) { store u[i] = 1; } store r[0] = 1;")));
}

TEST_CASE("what a result, a check, a condition, an extent or a place is made of stays") {
  stays("var i64 a = 0; for (i < n) { a = a +.i64 d[i]; } store r[0] = a;");
  stays("var i64 a = d[0]; check (a <.i64 3) \"!\" \"{0}\" (a);");
  stays("var i64 a = d[0]; check (d[1] <.i64 3) \"!\" \"{0}\" (a);");
  stays("var i64 a = d[0]; if (a <.i64 3) { store r[0] = 1; } else { }");
  stays("var i64 a = 0; while (a <.i64 3) { a = a +.i64 1; }");
  stays(
      "alloc i64 t[n] @global; for (i < n) { store t[i] = d[i]; } alloc i64 u[n] @global; for (i < n) { store u[i] = "
      "t[i]; } "
      "for (i < n) { store r[i] = u[n - 1 - i]; }");
  stays(
      "var i64 a = d[0]; check (0 <=.i64 a) \"!\" \"\" (); check (a <.i64 i64.i64(n)) \"!\" \"\" (); store r[a] = 1;");
  stays("for (i < n) { store r[i] = 1; }");
}

TEST_CASE("flags of a segmented scan of which the sums are wanted have no buffer") {
  const auto buffers_of = [](const std::string& text) {
    std::size_t out = 0;
    kernel::each_statement(dpia_trace(entry(text), calculus(), Machine::Cpu).kernel().body, [&](const kernel::Stmt& s) {
      const auto* loop = std::get_if<kernel::ParallelFor>(&s.node);
      out += (loop ? loop->scratch.size() : 0) + (std::holds_alternative<kernel::Allocate>(s.node) ? 1 : 0);
    });
    return out;
  };
  const std::string scan =
      "scan (\\(start, x) (_, acc) -> (start, if start then x else acc - x)) (false, 0) |> map snd";
  CHECK(buffers_of("fun f [n] (starts : [n]bool) (xs : [n]f32) : [n]f32 = zip starts xs |> " + scan) == 0);
  CHECK(buffers_of("fun f [m n] (starts : [m][n]bool) (xs : [m][n]f32) : [m][n]f32 =\n"
                   "  map (\\(s, x) -> zip s x |> " +
                   scan + ") (zip starts xs)") == 1);  // of sums, for each thread
}

}  // namespace unread_test
