// Loops whose conditions on their variables are decided in parts of them: which are cut, where, and that they do the
// same at every size, those that are smaller than what is cut off included.
#include <catch2/catch.hpp>

#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace index_sets_test {
using namespace lockstep;
using namespace lockstep::test;
using kernel::Program;

namespace {

Program kernel_of(const std::string& body) {
  const Program p = kernel::program_from("kernel p(n, m) input i64 d[n]; output i64 r[n]; { " + body + " }");
  CHECK(check(p).empty());
  return p;
}
Program split(const std::string& body) {
  Program out = with_index_sets_split(kernel_of(body));
  CHECK(check(out).empty());
  return out;
}
void stays(const std::string& body) { CHECK(print(split(body)) == print(kernel_of(body))); }

std::string body_of(const Program& p) {
  std::string text = print(p), out;
  text = text.substr(text.find("{\n") + 2);
  for (const char c : text)
    if (!(c == ' ' && (out.empty() || out.back() == ' ')) && c != '\n') out += c;
  return out.substr(0, out.rfind('}'));
}

std::size_t choices_in(const kernel::Stmt& s) {
  std::size_t out = 0;
  kernel::each_expression(s, [&](const kernel::Expr& e) { out += std::holds_alternative<kernel::Choose>(e.node); });
  return out;
}

// What r is in the end, of d[i] = i * i + 1.
std::vector<std::int64_t> result_of(const Program& p, std::int64_t n) {
  std::vector<Scalar> d;
  for (std::int64_t i = 0; i < n; ++i)
    d.push_back(make_integer(ScalarType::I64, static_cast<std::uint64_t>(i * i + 1)));
  kernel::RunOptions options;
  const auto out = kernel::run(p, {{"n", n}, {"m", 3}}, {{"d", d}}, ieee_domain(), options);
  REQUIRE(out);
  std::vector<std::int64_t> r;
  for (const Scalar& s : out->at("r")) r.push_back(s.integer());
  return r;
}
void does_the_same(const std::string& body) {
  const Program before = kernel_of(body), after = split(body);
  CHECK(print(after) != print(before));
  for (std::int64_t n = 0; n < 70; ++n) {
    INFO(n);
    CHECK(result_of(after, n) == result_of(before, n));
  }
}

}  // namespace

TEST_CASE("iterations in which a condition is decided have a loop of their own") {
  CHECK(body_of(split("parallel par (i < n) { store r[i] = (1 <= i ? d[i - 1] : 7); }")) ==
        "if (2 <= n) { parallel par (i_1 < 1) { store r[i_1] = 7; } parallel par (i_2 < n - 1) { store r[i_2 + 1] = "
        "d[i_2 + 1 - 1]; } } else parallel par (i < n) { store r[i] = 7; }");
  CHECK(body_of(split("for (i < n) { store r[i] = (i + 2 < n ? d[i + 2] : 7); }")) ==
        "if (3 <= n) { for (i_1 < n - 2) { store r[i_1] = d[i_1 + 2]; } for (i_2 < 2) { store r[i_2 + n - 2] = 7; } } "
        "else for (i < n) { store r[i] = 7; }");
  CHECK(body_of(split("for (i < n) { if (i < n / 4) { store r[i] = 1; } else { store r[i] = d[i]; } }")) ==
        "{ for (i_1 < n / 4) { { store r[i_1] = 1; } } for (i_2 < n - n / 4) { { store r[i_2 + n / 4] = d[i_2 + n / "
        "4]; } } }");
  CHECK(body_of(split("for (k < m) { for (i < n) { store r[i] = (k < 1 ? 0 : d[i]); } }")) ==
        "for (k < m) if (1 <= k) { for (i < n) { store r[i] = d[i]; } } else { for (i_1 < n) { store r[i_1] = 0; } }");
}

TEST_CASE("of an extent that is a number the end that is nearer is cut off") {
  const Program p = kernel::program_from(
      "kernel p(n, m) input i64 d[100]; output i64 r[100]; for (i < 100) { store r[i] = (1 <= i && i + 1 < 100 ? d[i - "
      "1] "
      "+.i64 d[i + 1] : 7); }");
  CHECK(body_of(with_index_sets_split(p)) ==
        "for (i_1 < 1) { store r[i_1] = 7; } for (i_2 < 98) { store r[i_2 + 1] = d[i_2 + 1 - 1] +.i64 d[i_2 + 1 + 1]; "
        "} for "
        "(i_3 < 1) { store r[i_3 + 99] = 7; }");
}

TEST_CASE("branches that a program has by sizes stay, with the loops that are written in them") {
  const std::string cut = "for (i < n) { store r[i] = (1 <= i ? d[i - 1] : 7); } ";
  const std::string branch = "if (i64.i64(m) <.i64 i64.i64(m)) { for (i < n) { store r[i] = 1; } } else { }";
  CHECK(body_of(split(cut + branch)).find("store r[i] = 1;") != std::string::npos);
}

TEST_CASE("a loop that is cut does the same at every size") {
  does_the_same("parallel par (i < n) { store r[i] = (1 <= i ? d[i - 1] : 7); }");
  does_the_same("for (i < n) { store r[i] = (i + 2 < n ? d[i + 2] : 7); }");
  does_the_same("for (i < n) { store r[i] = (i + 2 < n ? d[i + 2] : 7) +.i64 (3 <= i ? d[i - 3] : 8); }");
  does_the_same("for (i < n) { if (i < n / 4) { store r[i] = 1; } else { store r[i] = d[i - n / 4]; } }");
  // in its order
  does_the_same(
      "var i64 a = 1; for (i < n) { a = (a *.i64 3) +.i64 (1 <= i ? d[i - 1] : 7) -.i64 (i + 1 < n ? d[i + 1] : 9); "
      "store r[i] = a; }");
  // over a window
  does_the_same(
      "for (i < n) { var i64 a = 0; for (k < 5) { a = a +.i64 (i + k < 2 ? 1 : (i + k - 2 < n ? d[i + k - 2] : 2)); } "
      "store r[i] = a; }");
  // under conditions of several parts
  does_the_same("for (i < n) { store r[i] = (1 <= i && i + 1 < n ? d[i - 1] +.i64 d[i + 1] : 7); }");
  does_the_same(
      "for (i < n) { if ((1 <=.i64 i64.i64(i)) &&.bool not.bool(i64.i64(n) <.i64 (i64.i64(i) +.i64 2))) { store r[i] = "
      "d[i + 1]; } else { store r[i] = 5; } }");
  // a loop around others asks before them
  does_the_same(
      "for (i < n) { store r[i] = 0; } for (k < n) { for (i < n) { store r[i] = (1 <= k ? (i + 1 < n ? r[i + 1] : k) : "
      "d[i]); } }");
}

TEST_CASE("loops of few iterations, conditions that hang on what the loop assigns, and large bodies stay") {
  stays("for (i < 63) { check (i < n) \"!\" \"\" (); store r[i] = (1 <= i ? d[i - 1] : 7); }");
  stays("var i64 a = 0; for (i < n) { a = d[i]; store r[i] = (i < a ? 1 : 2); }");
  stays("var i64 t = n; for (i < t) { store r[i] = (1 <= i ? d[i - 1] : 7); t = 3; }");
  stays("for (i < n) { store r[i] = (2 * i < n ? 1 : 2); }");
  stays("for (i < n) { store r[i] = (3 <= 2 * i ? 1 : 2); }");
  // a quotient by what may be 0 where the loop does not run
  stays("for (i < n) { store r[i] = (i < 9 % n ? 1 : 2); }");
  stays("for (i < n) { store r[i] = (((i64.i64(i) *.i64 4611686018427387904) *.i64 4) <.i64 1 ? 1 : 2); }");
  stays("for (i < n) { store r[i] = (i == 3 ? 1 : 2); }");
  stays("for (k < n) { for (i < n) { store r[i] = (i < k ? 1 : 2); } }");  // of no size
  std::string sum = "(1 <= i ? d[i - 1] : 7)";
  for (int k = 0; k < 7; ++k) sum = "(" + sum + " +.i64 " + sum + ")";
  stays("for (i < n) { store r[i] = " + sum + "; }");
}

TEST_CASE("inside a grid a stencil asks for nothing") {
  // the loop that runs most often: of those of the grid's extents less 2
  const auto inside = [](const std::string& text) {
    std::vector<std::size_t> out;
    kernel::each_statement(dpia_trace(entry(text), calculus(), Machine::Cpu).kernel().body, [&](const kernel::Stmt& s) {
      const auto* loop = std::get_if<kernel::For>(&s.node);
      if (loop && kernel::as_size(loop->extent) == Size::name("w") - Size(2)) out.push_back(choices_in(*loop->body));
    });
    return out;
  };
  CHECK(inside("fun f [h w] (u : [h][w]f32) : [h][w]f32 where h >= 1, w >= 1 =\n"
               "  u |> pad 1 1 (replicate w 0) |> slide 3 1 |> map (\\rows ->\n"
               "    transpose rows |> pad 1 1 (replicate 3 0) |> slide 3 1\n"
               "    |> map (\\x -> x ! 0 ! 1 + x ! 2 ! 1 + x ! 1 ! 0 + x ! 1 ! 2))") == std::vector<std::size_t>{0});
  CHECK(inside("fun f [h w] (u : [h][w]f32) : [h][w]f32 where h >= 1, w >= 1 =\n"
               "  generate h (\\i -> generate w (\\j -> u ! ((i + h - 1) % h) ! ((j + 1) % w) + u ! i ! ((j + w - 1) % "
               "w)))") == std::vector<std::size_t>{0});
}

}  // namespace index_sets_test
