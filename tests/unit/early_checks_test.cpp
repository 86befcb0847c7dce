// Loops that are counted, and checks that are made before loops: which are, which must not be, and what is proved of
// it.
#include <catch2/catch.hpp>

#include "proofs/kernel/parts.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace early_checks_test {
using namespace lockstep;
using kernel::Program;

namespace {

template <class Node>
std::size_t count(const Program& p) {
  std::size_t n = 0;
  each_statement(p.body, [&](const kernel::Stmt& s) { n += std::holds_alternative<Node>(s.node); });
  return n;
}
// Of a kernel with x[n], i64 data d[n] and a number t of data that stays.
Program with(const std::string& body) {
  const Program p = kernel::program_from(
      "kernel p(n, m) input f32 x[n]; input i64 d[n]; output i64 r[n]; output i64 s[4 * n]; "
      "{ var i64 t = d[0]; var i64 u; var i64 v; var bool again; " +
      body + " }");
  INFO(print(p));
  CHECK(check(p).empty());
  return p;
}

// while from `start` by `step` below `bound`, with `body`, and what stands behind.
std::string counting(const std::string& start, const std::string& step, const std::string& bound,
                     const std::string& body, const std::string& behind = "") {
  return "u = " + start + "; again = u <.i64 " + bound + "; while (again) { v = u +.i64 " + step + "; " + body +
         " u = v; again = u <.i64 " + bound + "; } " + behind;
}
bool is_counted(const std::string& body) {
  const Program p = with(body), after = with_counted_loops(p);
  INFO(print(after));
  CHECK(check(after).empty());
  return count<kernel::While>(after) == 0 && count<kernel::For>(after) == 1;
}

std::string must(const std::string& condition) { return "check (" + condition + ") \"!\" \"outside\" (i, n); "; }
// How many checks come before loops.
std::size_t early(const std::string& body) {
  const Program p = with(body), after = with_early_checks(p);
  INFO(print(after));
  CHECK(check(after).empty());
  return count<kernel::Check>(after) - count<kernel::Check>(p);
}

Standing standing(const std::string& before, const std::string& after) {
  proofs::kernels::Prover prover(500);
  Standing least = Standing::Proved;
  const auto all = early_checks_obligations(with(before), with(after), prover);
  CHECK(!all.empty());
  for (const auto& o : all) least = std::min(least, o.standing);
  return least;
}

}  // namespace

TEST_CASE("a while that goes by 1 from 0 below what stays is a for") {
  CHECK(is_counted(counting("0", "1", "t", "store r[0] = u;")));
  CHECK(is_counted(counting("0", "1", "n", "store r[0] = u +.i64 u;")));
  CHECK(is_counted(counting("0", "1", "d[0]", "store r[0] = u;")));
  CHECK(is_counted(counting("0", "1", "t", "if (u <.i64 2) { store r[0] = u; } else { }")));
  CHECK(is_counted(counting("0", "1", "(t +.i64 n)", "store r[0] = u;", "store r[1] = t;")));
}

TEST_CASE("a while from another number is a for where that is natural, and stays beside it for others") {
  CHECK(is_counted(counting("1", "1", "t", "store r[0] = u;")));
  const std::string from_data = counting("d[1]", "1", "d[0]", "store r[0] = u + t;");
  const Program after = with_counted_loops(with(from_data));
  INFO(print(after));
  CHECK(check(after).empty());
  CHECK(count<kernel::While>(after) == 1);
  CHECK(count<kernel::For>(after) == 1);
  const std::string text = print(after);
  CHECK(text.find("var i64 end = d[0];\n    if (u < end)") != std::string::npos);
  CHECK(text.find("if (0 <= u) {\n        for (u_1 < end - u) {") != std::string::npos);
  CHECK(text.find("store r[0] = u + u_1 + t") != std::string::npos);
}

TEST_CASE("loops from 0 around one that stands twice are counted all the same") {
  const std::string inner =
      "t = d[u]; again2 = t <.i64 d[u + 1]; while (again2) { v2 = t +.i64 1; store r[0] = t; t = v2; again2 = t <.i64 "
      "d[u + "
      "1]; }";
  const Program after = with_counted_loops(with("var bool again2; var i64 v2; " + counting("0", "1", "m", inner)));
  INFO(print(after));
  CHECK(check(after).empty());
  CHECK(count<kernel::For>(after) == 2);
  CHECK(count<kernel::While>(after) == 1);
}

TEST_CASE("a while that is a for from a natural number goes through the same numbers, from wherever it starts") {
  const Program before = kernel::program_from(
      "kernel p(n) input i64 d[2]; output i64 r[2]; { var i64 u; var i64 v; var bool again; var i64 sum = 0; "
      "var i64 rounds = 0; " +
      counting("d[0]", "1", "d[1]", "sum = (sum *.i64 3) +.i64 u; rounds = rounds +.i64 1;") +
      " store r[0] = sum; store r[1] = rounds; }");
  const Program after = with_counted_loops(before);
  CHECK(count<kernel::For>(after) == 1);
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = -(least + 1);
  const std::vector<std::pair<std::int64_t, std::int64_t>> ends = {
      {0, 5},       {0, 0}, {3, 7}, {7, 3}, {5, least}, {-2, 3}, {-2, -5}, {most - 3, most}, {least, least + 2},
      {most, least}};
  for (const auto& both : ends) {
    const std::int64_t from = both.first, to = both.second;
    CAPTURE(from, to);
    const auto made = [&](const Program& p) {
      const auto number = [](std::int64_t x) { return make_integer(ScalarType::I64, static_cast<std::uint64_t>(x)); };
      const auto out = kernel::run(p, {{"n", 0}}, {{"d", {number(from), number(to)}}}, ieee_domain());
      REQUIRE(out);
      return std::pair{out->at("r")[0].integer(), out->at("r")[1].integer()};
    };
    CHECK(made(after) == made(before));
    CHECK(made(after).second == (from < to ? to - from : 0));
  }
  // of a distance that is no i64 there are rounds, too
  const Program stops = kernel::program_from(
      "kernel p(n) input i64 d[2]; output i64 r[1]; { var i64 u; var i64 v; var bool again; store r[0] = 0; " +
      counting("d[0]", "1", "d[1]", "check (0 <=.i64 u) \"!\" \"negative\" ();") + " }");
  const auto number = [](std::int64_t x) { return make_integer(ScalarType::I64, static_cast<std::uint64_t>(x)); };
  const auto out =
      kernel::run(with_counted_loops(stops), {{"n", 0}}, {{"d", {number(-5), number(most)}}}, ieee_domain());
  REQUIRE_FALSE(out);
  CHECK_FALSE(std::holds_alternative<kernel::Fault>(out.error()));
}

TEST_CASE("a while that does not is none") {
  CHECK_FALSE(is_counted(counting("0", "2", "t", "store r[0] = u;")));
  CHECK_FALSE(is_counted(counting("0", "1", "t", "t = t -.i64 1;")));
  CHECK_FALSE(is_counted(counting("0", "1", "r[0]", "store r[0] = u;")));
  CHECK_FALSE(is_counted(counting("1", "1", "r[0]", "store r[0] = u;")));
  CHECK_FALSE(is_counted(counting("1", "2", "t", "store r[0] = u;")));
  CHECK_FALSE(is_counted(counting("0", "1", "t", "store r[0] = u;", "store r[1] = u;")));
  CHECK_FALSE(is_counted(counting("0", "1", "t", "store r[0] = v;")));
  CHECK_FALSE(is_counted(counting("0", "1", "t", "store r[0] = u;", "if (again) { } else { store r[0] = 1; }")));
  CHECK_FALSE(
      is_counted("u = 0; again = u <.i64 t; while (again) { v = u +.i64 1; u = v; store r[0] = u; "
                 "again = u <.i64 t; }"));
  CHECK_FALSE(
      is_counted("u = 0; again = u <.i64 t; while (again) { v = u -.i64 1; store r[0] = u; u = v; again = u "
                 "<.i64 t; }"));
}

TEST_CASE("a check of what grows or falls with the loop comes before it") {
  CHECK(early("for (i < n) { " + must("i < m") + "}") == 1);
  CHECK(early("for (i < t) { " + must("i < m") + "}") == 1);
  CHECK(early("for (i < n) { " + must("i + n < m") + "}") == 1);
  CHECK(early("for (i < n) { " + must("0 <= m - i") + "}") == 1);
  CHECK(early("for (i < n) { " + must("n <= m + i") + "}") == 1);
  CHECK(early("for (i < n) { { var i64 j = i + 1; " + must("j < m") + "} }") == 1);
  // each side of it
  CHECK(early("for (i < n) { " + must("m <= i && i < m") + "}") == 2);
  // once, and of the inner loop alone
  CHECK(early("for (i < n) { " + must("i < m") + must("i < m") + "}") == 1);
  CHECK(early("for (i < n) { for (j < n) { " + must("i + j < m") + "} }") == 1);
}

TEST_CASE("a check of what starts at data comes before its loop") {
  const std::string from_data = "t = d[1]; v = d[2]; if (0 <= t) { for (i < v - t) { ";
  CHECK(early(from_data + must("t + i < m") + "} } else { }") == 1);
  CHECK(early(from_data + must("t + i + v < m") + "} } else { }") == 1);
  CHECK(early(from_data + "u = d[i]; " + must("t + i + u < m") + "} } else { }") == 0);
  CHECK(early(from_data + "t = t + 1; " + must("t + i < m") + "} } else { }") == 0);
  // of the iteration after the last it would ask too much
  CHECK(print(with_early_checks(with(from_data + must("t + i < m") + "} } else { }")))
            .find("check (v - t + t - 1 < m)") != std::string::npos);
}

TEST_CASE("a check before a loop is of the iteration where it holds least, and where there is one") {
  const auto text = [](const std::string& body) { return print(with_early_checks(with(body))); };
  const auto has = [](const std::string& all, const std::string& part) {
    INFO(all);
    CHECK(all.find(part) != std::string::npos);
  };
  has(text("for (i < n) { " + must("i < m") + "}"), "if (0 < n) {\n    check (n - 1 < m)");
  has(text("for (i < n) { " + must("m <= i") + "}"), "if (0 < n) {\n    check (m <= 0)");
  has(text("for (i < n) { " + must("0 <= m - i") + "}"), "check (0 <= m + 1 - n)");
  has(text("for (i < 4) { " + must("i < m") + "}"), "  {\n    check (3 < m)");  // there are some for certain
  CHECK(early("for (i < n) { " + must("i == m") + "}") == 0);                   // of neither end
}

TEST_CASE("a check stays where it is that not every iteration makes, or that follows data") {
  CHECK(early("for (i < n) { if (i < 3) { " + must("i < m") + "} else { } }") == 0);
  CHECK(early("for (i < n) { for (j < n) { } while (false) { } " + must("i < m") + "}") == 0);
  CHECK(early("for (i < n) { " + must("d[i] < m") + "}") == 0);
  CHECK(early("for (i < n) { " + must("i * i < m") + "}") == 0);
  CHECK(early("for (i < n) { var i64 w = d[i]; " + must("i + w < m") + "}") == 0);
  CHECK(early("for (i < n) { t = t +.i64 1; " + must("i + t < m") + "}") == 0);
  CHECK(early("parallel par (i < n) { " + must("i < m") + "}") == 0);
  CHECK(early("for (i < n) { " + must("i < n") + "}") == 0);  // it holds
}

TEST_CASE("that a check before a loop comes anyway is proved, and where it does not it is not") {
  const std::string loop = "for (i < n) { " + must("i < m") + "}";
  const auto before_it = [&](const std::string& checks) { return "if (0 < n) { " + checks + loop + " } else { }"; };
  const auto is = [](const std::string& condition) { return "check (" + condition + ") \"!\" \"outside\" (n, n); "; };
  CHECK(standing(loop, before_it(is("n - 1 < m"))) == Standing::Proved);
  CHECK(standing(loop, before_it(is("0 < m"))) == Standing::Proved);
  CHECK(standing(loop, before_it(is("n < m"))) < Standing::Tested);
  CHECK(standing(loop, before_it(is("1 < m"))) < Standing::Tested);
  CHECK(standing(loop, is("n - 1 < m") + loop) < Standing::Tested);
  CHECK(standing(loop, "{ " + is("n - 1 < m") + loop + " }") < Standing::Tested);
  CHECK(standing(loop, "if (0 <= n) { " + is("n - 1 < m") + loop + " } else { }") < Standing::Tested);
  // what an iteration reads is its own: that it is 0 in the first and n - 1 in the last is no contradiction
  const std::string of_data =
      "for (i < n) { store r[0] = d[i]; var i64 w = r[0]; " + must("w <= i && i <= w") + must("i < m") + "}";
  CHECK(standing(of_data, "if (0 < n) { " + is("n - 1 < m") + of_data + " } else { }") == Standing::Proved);
  CHECK(standing(of_data, "if (0 < n) { " + is("n < 2") + of_data + " } else { }") < Standing::Tested);
  const std::string seldom = "for (i < n) { if (i < 3) { " + must("i < m") + "} else { } }";
  CHECK(standing(seldom, "if (0 < n) { " + is("n - 1 < m") + seldom + " } else { }") < Standing::Tested);
}

}  // namespace early_checks_test
