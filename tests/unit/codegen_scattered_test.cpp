// Loops that store where data choose, if data choose so, as text without that branch: which loops are, that they
// compute what the interpreter does, and trap where it does.
#include <catch2/catch.hpp>

#include "tests/unit/openmp_runs.h"

namespace codegen_scattered_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

const std::string head = "kernel p(n) input i64 is[n]; input f32 xs[n]; output f32 r[n]; output i64 m[n]; ";
const std::string start = "for (k < n) { store r[k] = 0f32; store m[k] = 0; } ";

std::string scatter(const std::string& place, const std::string& branch) {
  return head + "{ " + start + "for (j < n) { var i64 i = " + place + "; if (0 <= i) { " + branch + " } } }";
}
bool is_branch_free(const std::string& program) {
  return openmp_source(program_from(program)).find("= place_or(") != std::string::npos;
}
const std::string range = "check (i < n) \"scatter\" \"{0} is outside [0, {1})\" (i, n); ";
const std::string once = "check (m[i] == 0) \"scatter\" \"{0} occurs twice\" (i); store m[i] = j + 1; ";

}  // namespace

TEST_CASE("loops without the branch compute what the interpreter does", "[codegen]") {
  for (const std::string& text : {
           // three of four elements have a place, no two the same: 37*i % 101 are inputs
           scatter("(is[j] < 75 ? is[j] : -1)", range + once + "store r[i] = xs[j];"),
           scatter("(is[j] < 75 ? is[j] : -1)", "store r[i] = xs[j] +.f32 r[i]; store m[i] = m[i] + 1;"),
           scatter("(is[j] < 50 ? is[j] : -200 + 0)", range + "store r[i] = (is[j] < 9 ? 1f32 : xs[j]);"),
           // by threads, each with an array of its own
           head + "parallel par (t < n) with (i64 own[n + 101] @global) { for (k < n + 101) store own[k] = 0; "
                  "for (j < n) { var i64 i = (is[j] < 75 ? is[j] : -1); if (0 <= i) { store own[i] = is[j]; } } "
                  "store r[t] = 0f32; store m[t] = own[t]; }",
       }) {
    INFO(text);
    CHECK(is_branch_free(text));
    for (const std::int64_t n : {0, 1, 101}) {
      // of 101 elements all places are inside; of one it is 0
      agree(text, n);
    }
  }
}

TEST_CASE("a loop without the branch traps where one with it does, with the same values", "[codegen]") {
  const auto message = [](const std::string& text, std::vector<std::int64_t> places) {
    INFO(text);
    const Program p = program_from(text);
    CHECK(is_branch_free(text));
    const auto n = static_cast<std::int64_t>(places.size());
    Buffers in = inputs_of(p, n);
    for (std::size_t k = 0; k < places.size(); ++k)
      in["is"][k] = make_integer(ScalarType::I64, static_cast<std::uint64_t>(places[k]));
    const auto expected = run(p, {{"n", n}}, in, ieee_domain());
    const RunResult r = compiled(p, n, in);
    REQUIRE(r.status == (expected ? entry_done : entry_trapped));
    return expected ? std::string() : trap_of(p, r.trap).message;
  };
  const std::string all = scatter("(is[j] < 75 ? is[j] : -1)", range + once + "store r[i] = xs[j];");
  CHECK(message(all, {2, -1, 0, -7, 1}) == "");
  CHECK(message(all, {80, 90, 99}) == "");  // none has a place
  CHECK(message(all, {2, 5, 0, 1, 3}) == "5 is outside [0, 5)");
  CHECK(message(all, {2, -1, -1, 80, 2}) == "2 occurs twice");
  const std::string threads =
      head +
      "parallel par (t < n) with (i64 own[n] @global) { for (j < n) { var i64 i = (is[j] < 75 ? is[j] : -1); "
      "if (0 <= i) { " +
      range + "store own[i] = is[j]; } } store r[t] = 0f32; store m[t] = 1; }";
  CHECK(message(threads, {1, 7}) == "7 is outside [0, 2)");
}

TEST_CASE("a branch stays that reads what may not be there, may trap, does more, or can be foreseen", "[codegen]") {
  const std::string place = "(is[j] < 75 ? is[j] : -1)", store = "store r[i] = xs[j];";
  CHECK(is_branch_free(scatter(place, store)));
  for (const auto& [at, branch] : std::vector<std::pair<std::string, std::string>>{
           {place, "store r[i] = xs[i + 1];"},
           {place, "store r[i] = xs[is[j]];"},
           {place, "store r[i + 1] = xs[j];"},
           {place, "store m[i] = 7 /.i64 is[j];"},
           {place, "store m[i] = 7 / is[j];"},
           {place, "store r[i] = xs[j]; for (k < 2) store m[i] = 1;"},
           {place, "var i64 k = i; store m[i] = k;"},
           {place, ""},
           {place, "check (m[i] == 0) \"scatter\" \"{0} occurs twice\" (i);"},
           {"n - 1 - j", store},
           {"is[j]", store},
           {"(is[j] < 75 ? is[j] : j)", store},
       }) {
    INFO(at << "; " << branch);
    CHECK_FALSE(is_branch_free(scatter(at, branch)));
  }
  const std::string chosen = "{ var i64 i = (j < 5 ? j : -1); if (0 <= i) { ";
  CHECK(is_branch_free(head + "for (j < n) " + chosen + store + " } }"));
  CHECK_FALSE(is_branch_free(head + "for (j < n) " + chosen + store + " } else { store m[j] = 1; } }"));
  CHECK_FALSE(is_branch_free(head + "for (j < n + 1) " + chosen + store + " } }"));
  CHECK_FALSE(is_branch_free(head + "for (j < n) { var f32 v = xs[j]; if (v <.f32 1f32) { store m[j] = 1; } }"));
  // what a place is chosen from is read before only where it is there
  const std::string text = openmp_source(program_from(scatter("(is[j] < 75 ? is[is[j]] : -1)", store)));
  CHECK(text.find("const int64_t read_ = is_[j_];") != std::string::npos);
  CHECK(text.find("? is_[") != std::string::npos);
}

}  // namespace codegen_scattered_test
