// Arrays that what reads them makes one: which become parts of one, and which stay.
#include <catch2/catch.hpp>

#include "proofs/laws/compiling.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace joined_test {
using namespace lockstep;
using namespace lockstep::test;
using kernel::Program;

namespace {

Program kernel_of(const std::string& body) {
  const Program p =
      kernel::program_from("kernel p(n, m, k) input i64 d[n + m + k]; output i64 r[n + m + k]; { " + body + " }");
  CHECK(check(p).empty());
  return p;
}
std::string joined_of(const std::string& body) {
  const Program out = with_joined_arrays(kernel_of(body));
  CHECK(check(out).empty());
  return print(out);
}
void becomes(const std::string& body, const std::string& expected) {
  CHECK(joined_of(body) == print(kernel_of(expected)));
}
void stays(const std::string& body) { becomes(body, body); }

const std::string two =
    "alloc i64 a[n] @global; for (i < n) { store a[i] = d[i]; } alloc i64 b[m] @global; "
    "for (i < m) { store b[i] = d[n + i]; } ";

}  // namespace

TEST_CASE("two arrays that are read as one are one") {
  becomes(
      two + "for (i < n + m) { store r[i] = (i < n ? a[i] : b[i - n]); }",
      "alloc i64 a_1[m + n] @global; for (i < n) { store a_1[i] = d[i]; } for (i < m) { store a_1[n + i] = d[n + i]; "
      "} for (i < n + m) { store r[i] = a_1[i]; }");
  // where one of them is read alone, too
  becomes(
      two + "for (i < n + m) { store r[i] = (i < n ? a[i] : b[i - n]); } for (i < m) { store r[i] = b[i]; }",
      "alloc i64 a_1[m + n] @global; for (i < n) { store a_1[i] = d[i]; } for (i < m) { store a_1[n + i] = d[n + i]; "
      "} for (i < n + m) { store r[i] = a_1[i]; } for (i < m) { store r[i] = a_1[n + i]; }");
  // from elsewhere on
  becomes(
      two + "for (i < n + m) { store r[i] = (n + m - 1 - i < n ? a[n + m - 1 - i] : b[m - 1 - i]); }",
      "alloc i64 a_1[m + n] @global; for (i < n) { store a_1[i] = d[i]; } for (i < m) { store a_1[n + i] = d[n + i]; "
      "} for (i < n + m) { store r[i] = a_1[n + m - 1 - i]; }");
}

TEST_CASE("three arrays that are read as one are one") {
  const std::string third = "alloc i64 c[k] @global; for (i < k) { store c[i] = 5; } ";
  becomes(
      two + third + "for (i < n + m + k) { store r[i] = (i < n ? a[i] : (i - n < m ? b[i - n] : c[i - n - m])); }",
      "alloc i64 a_1[k + m + n] @global; for (i < n) { store a_1[i] = d[i]; } for (i < m) { store a_1[n + i] = d[n + "
      "i]; } for (i < k) { store a_1[n + (m + i)] = 5; } for (i < n + m + k) { store r[i] = a_1[i]; }");
}

TEST_CASE("arrays of other lengths, types and places stay") {
  stays(two + "for (i < n + m) { store r[i] = (i < m ? a[i] : b[i - n]); }");
  stays(two + "for (i < n + m) { store r[i] = (i < n ? a[i] : b[i - n] +.i64 1); }");
  stays(two + "for (i < n) { store r[i] = (i < k ? a[i] : b[i - k]); }");
  stays(two + "for (i < n + m) { store r[i] = (i < n ? d[i] : b[i - n]); }");
  stays(two + "for (i < n + m) { store r[i] = (i < n ? b[i] : a[i - n]); }");
  stays(
      "alloc i64 a[n] @global; for (i < n) { store a[i] = 1; } for (j < 3) { alloc i64 b[m] @global; for (i < m) { "
      "store "
      "b[i] = j; } for (i < n + m) { store r[i] = (i < n ? a[i] : b[i - n]); } }");
  stays(
      "alloc i64 a[n] @global; for (i < n) { store a[i] = 1; } var i64 t = d[0]; alloc i64 b[t] @global; for (i < t) { "
      "store b[i] = 2; } for (i < n + t) { store r[i] = (i < n ? a[i] : b[i - n]); }");
}

TEST_CASE("a scan in blocks whose sums alone are wanted writes them where they go") {
  const std::string text =
      "fun f [n] (starts : [n]bool) (xs : [n]f32) : [n]f32 = zip starts xs\n"
      "  |> scan (\\(start, x) (_, acc) -> (start, if start then x else acc + x)) (false, 0) |> map snd";
  const Program p = proofs::lawful_trace(entry(text), calculus(), Machine::Cpu).kernel();
  kernel::each_statement(p.body, [&](const kernel::Stmt& s) {
    const auto* a = std::get_if<kernel::Allocate>(&s.node);
    const auto count = a ? kernel::as_size(a->count) : std::nullopt;
    if (count) CHECK(evaluate(*count, {{"n", 1 << 20}}).value() <= (1 << 20) / 1024 + 1);
  });
}

}  // namespace joined_test
