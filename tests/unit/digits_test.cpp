// Loops by digits, and arithmetic on i64 that becomes arithmetic on indices: which do, which must not.
#include <catch2/catch.hpp>

#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace digits_test {
using namespace lockstep;
using kernel::Program;

namespace {

// What the stage makes of a body, without what nobody reads then, as text from the first statement on.
std::string digits_of(const std::string& body, const std::string& facts = "1 <= k") {
  const Program p = kernel::program_from("kernel p(n, m, k) where " + facts +
                                         " input i64 d[n]; output i64 r[n]; output i64 s[n * m * k]; { " + body + " }");
  CHECK(check(p).empty());
  const Program after = without_unread(by_digits(p));
  CHECK(check(after).empty());
  std::string text = print(after), out;
  text = text.substr(text.find("{\n") + 2);
  for (const char c : text)
    if (!(c == ' ' && (out.empty() || out.back() == ' ')) && c != '\n') out += c;
  return out.substr(0, out.rfind('}'));
}

}  // namespace

TEST_CASE("a loop whose variable is divided by a factor of its extent is two") {
  CHECK(digits_of("for (i < n * k) { store s[i % k * n + i / k] = i64.i64(i); }") ==
        "for (i_1 < n) for (i_2 < k) { store s[i_2 * n + i_1] = i_1 * k + i_2; }");
  // a number that both digits are read from in i64
  CHECK(digits_of("for (i < n * k) { var i64 a = i64.i64(i) /.i64 i64.i64(k); var i64 b = i64.i64(i) %.i64 i64.i64(k); "
                  "store s[i] = a -.i64 b; }") ==
        "for (i_1 < n) for (i_2 < k) { var i64 a = i_1; var i64 b = i_2; store s[i_1 * k + i_2] = a -.i64 b; }");
  // digit by digit
  CHECK(digits_of("for (i < n * m * k) { store s[i] = i64.i64(i / k % m); }", "1 <= k, 1 <= m") ==
        "for (i_1_1 < n) for (i_1_2 < m) for (i_2 < k) { store s[(i_1_1 * m + i_1_2) * k + i_2] = i_1_2; }");
}

TEST_CASE("a loop that has no such factor stays one") {
  for (const char* body : {"for (i < n) { store s[i / k] = 1; }", "for (i < n * k) { store s[i] = 1; }",
                           "for (i < n * k) { store s[(i + 1) / k] = 1; }", "for (i < k) { store s[i % k] = 1; }",
                           "for (j < m) { for (i < n * k) { store s[i / (j + 1)] = 1; } }"}) {
    INFO(body);
    CHECK(digits_of(body).find("i_1") == std::string::npos);
  }
  // the divisor is another in each iteration
  CHECK(digits_of("var i64 t = d[0]; for (i < n * t) { t = t +.i64 1; store s[i / t] = 1; }").find("i_1") ==
        std::string::npos);
  CHECK(digits_of("var i64 t = 2; for (i < 4 * n) { t = t +.i64 1; store s[i / t] = 1; }").find("i_1") ==
        std::string::npos);
}

TEST_CASE("a size stays what it is where a check before it always stops, and anything would be known of it") {
  const auto after = [](const std::string& condition) {
    return digits_of("check (" + condition + ") \"!\" \"never\" (); for (i < (n + k) / 2) { store r[0] = 1; }");
  };
  CHECK(after("n + k <= 1").find("for (i < 0)") != std::string::npos);  // which some pass
  CHECK(after("n * 2 < n && n + k <= 1").find("for (i < (n + k) / 2)") != std::string::npos);
}

TEST_CASE("arithmetic on i64 is of indices where its value is known as one, and takes less") {
  // a quotient of what a quotient and a remainder make
  CHECK(digits_of("parallel par (i < n * k) { var i64 x = ((i64.i64(i) %.i64 i64.i64(k)) *.i64 i64.i64(n)) +.i64 "
                  "(i64.i64(i) /.i64 i64.i64(k)); store s[i] = x /.i64 i64.i64(n); }",
                  "1 <= k, 1 <= n") == "parallel par (i < n * k) { store s[i] = i % k; }");
  // of k nothing is known: it may divide by 0, and by -1
  CHECK(digits_of("for (i < n) { store s[i] = i64.i64(i) /.i64 i64.i64(k); }", "1 <= n") ==
        "for (i < n) { store s[i] = i /.i64 k; }");
  // what is read may be anything
  CHECK(digits_of("store s[0] = (d[0] +.i64 1) -.i64 1;") == "store s[0] = (d[0] +.i64 1) -.i64 1;");
  // a product that leaves 64 bits is no index
  CHECK(digits_of("for (i < n) { store s[i] = (i64.i64(i) *.i64 4611686018427387904) /.i64 4611686018427387904; }") ==
        "for (i < n) { store s[i] = (i *.i64 4611686018427387904) /.i64 4611686018427387904; }");
  // nor is one of which a part may: n * m is no more than what has been counted where k is 1 or more
  const char* const parts =
      "parallel par (i < n) { for (j < (n - i) * m) { store s[0] = (i64.i64(n) -.i64 i64.i64(i)) "
      "*.i64 i64.i64(m); } }";
  CHECK(digits_of(parts) == "parallel par (i < n) { for (j < (n - i) * m) { store s[0] = m * n - i * m; } }");
  CHECK(digits_of(parts, "1 <= m") ==
        "parallel par (i < n) { for (j < (n - i) * m) { store s[0] = (n - i) *.i64 m; } }");
  // an extent of sizes is as it is, whatever a branch says of them
  CHECK(digits_of("if (n < 1) { for (i < m - n / 6 * 2) { store r[0] = 1; } } else { }") ==
        "if (n < 1) { for (i < m - n / 6 * 2) { store r[0] = 1; } }");
  // sums of a few sizes are numbers of 64 bits, each being 2^56 at most; of 128 they need not be
  CHECK(
      digits_of("for (i < n) { store s[i] = (((i64.i64(i) *.i64 60) +.i64 i64.i64(m)) -.i64 i64.i64(m)) /.i64 60; }") ==
      "for (i < n) { store s[i] = i; }");
  CHECK(digits_of("for (i < n) { store s[i] = (i64.i64(i) *.i64 128) /.i64 128; }") ==
        "for (i < n) { store s[i] = (i *.i64 128) /.i64 128; }");
  // as it is now, not as it was
  CHECK(digits_of("var i64 t = i64.i64(n); store s[0] = i64.i64(t); t = i64.i64(m); store s[1] = i64.i64(t);") ==
        "store s[0] = n; store s[1] = m;");
}

TEST_CASE("a remainder of what is below twice the divisor is a choice") {
  const auto of = [](const std::string& a, const std::string& facts = "1 <= n") {
    return digits_of("for (i < n) { store r[i] = " + a + "; }", facts);
  };
  CHECK(of("(i64.i64(i) +.i64 1) %.i64 i64.i64(n)") == "for (i < n) { store r[i] = (i + 1 < n ? i + 1 : i + 1 - n); }");
  CHECK(of("(i64.i64(i) +.i64 (i64.i64(n) -.i64 1)) %.i64 i64.i64(n)") ==
        "for (i < n) { store r[i] = (i < 1 ? i + n - 1 : i - 1); }");
  CHECK(of("(i + 1) % n") == "for (i < n) { store r[i] = (i + 1 < n ? i + 1 : i + 1 - n); }");
  // below the divisor it is what it was
  CHECK(of("i64.i64(i) %.i64 i64.i64(n)") == "for (i < n) { store r[i] = i; }");
  // at twice the divisor, below nothing, of a divisor that may be 0, and of a number
  for (const char* a : {"(i64.i64(i) +.i64 (i64.i64(n) +.i64 1)) %.i64 i64.i64(n)",
                        "((i64.i64(i) +.i64 i64.i64(n)) -.i64 i64.i64(m)) %.i64 i64.i64(n)",
                        "(d[i] +.i64 1) %.i64 i64.i64(n)", "(i64.i64(i) +.i64 i64.i64(m)) %.i64 i64.i64(m)"})
    CHECK(of(a).find('?') == std::string::npos);
  CHECK(digits_of("for (i < 8) { store s[i] = (i64.i64(i) +.i64 1) %.i64 8; }").find('?') == std::string::npos);
}

}  // namespace digits_test
