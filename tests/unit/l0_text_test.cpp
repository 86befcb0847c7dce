// L0 as text: what is printed parses to the same tree, mistakes are told with their places and mends, and types are
// checked as §2.1 has them.
#include <catch2/catch.hpp>

#include "semantics/l0/language.h"
#include "tests/unit/l0_program.h"

namespace l0_text_test {
using namespace lockstep;
using Catch::Matchers::Contains;
using test::l0_errors;
using test::l0_source;

namespace {

std::string printed(const std::string& text) {
  const auto p = l0::parse_program(l0_source(text));
  REQUIRE(p);
  const std::string out = l0::print(*p);
  const auto again = l0::parse_program(l0_source(out));
  REQUIRE(again);
  CHECK(*again == *p);
  return out;
}
std::string printed_expression(const std::string& text) {
  const std::string out = printed("fun int f() = " + text), head = "fun int f() = ";
  return out.substr(0, head.size()) == head ? out.substr(head.size(), out.size() - head.size() - 1) : out;
}
std::string mend_of(const std::string& text) {
  const auto p = l0::parse_program(l0_source(text));
  if (!p) return p.error().front().mend;
  const auto typed = l0::checked(*p);
  return typed ? "" : typed.error().front().mend;
}

}  // namespace

TEST_CASE("operators print with the parentheses that their levels ask for") {
  CHECK(printed_expression("a + b * c - (d - e)") == "a + b * c - (d - e)");
  CHECK(printed_expression("(a & b) == c || not (x = y) && ~z pow 2 > 1") ==
        "(a & b) == c || not (x == y) && ~z pow 2 > 1");
  CHECK(printed_expression("~(5)") == "~(5)");
  CHECK(printed_expression("~5") == "~5");
  CHECK(printed_expression("~(~5)") == "~(~5)");
  CHECK(printed_expression("~9223372036854775808 - 0xff") == "~9223372036854775808 - 255");
  CHECK(printed_expression("1e~3 + 2.50") == "0.001 + 2.5");
  CHECK(printed_expression("(if c then 1 else 2) + 3") == "(if c then 1 else 2) + 3");
  CHECK(printed_expression("1 + if c then 1 else 2") == "1 + (if c then 1 else 2)");
  CHECK(printed_expression("{'a', '\\n', '\\xff'}") == "{'a', '\\n', '\\xff'}");
  CHECK(printed_expression("\"t\\\"x\"") == "\"t\\\"x\"");
}

TEST_CASE("definitions print one under another") {
  CHECK(
      printed(
          "fun int f(*[int] a, (int, [real]) p) = let (x, (_, y)) = p in let a[0, x] = 5 in let b = a with [1] <- 2 in "
          "loop ((a, c) = (b, 1)) = for i < n do let d = a[i] in (a, d) in c") ==
      R"(fun int f(*[int] a, (int, [real]) p) =
  let (x, (_, y)) = p in
  let a[0, x] = 5 in
  let b = a with [1] <- 2 in
  loop ((a, c) = (b, 1)) = for i < n do
    let d = a[i] in
    (a, d)
  in
  c
)");
}

TEST_CASE("functions of array operations, and what only stages print, are read and printed") {
  CHECK(printed_expression("map(fn int (int x) => x, a)") == "map(fn int (int x) => x, a)");
  CHECK(printed_expression("reduce(op +, 0, map(op * (2), map(f(1, x), a)))") ==
        "reduce(op +, 0, map(op * (2), map(f(1, x), a)))");
  CHECK(printed_expression("map(op ~, map(op not, a))") == "map(op ~, map(op not, a))");
  CHECK(printed_expression("redomap2(op +, fn int (int a, int x) => a, 0, xs)") ==
        "redomap2(op +, fn int (int a, int x) => a, 0, xs)");
  CHECK(printed_expression("flatten(2, transpose(1, ~1, transpose(a)))") ==
        "flatten(2, transpose(1, ~1, transpose(a)))");
  CHECK(printed_expression("filter2(f, a, b)") == "filter2(f, a, b)");
}

TEST_CASE("a block in a block's place is one block") {
  const auto a = l0::parse_program(l0_source("fun int f() = let x = 1 in (let y = 2 in x + y)"));
  const auto b = l0::parse_program(l0_source("fun int f() = let x = 1 in let y = 2 in x + y"));
  REQUIRE((a && b));
  CHECK(*a == *b);
}

TEST_CASE("programs of thousands of definitions are no nesting, and 1,000 levels are the most") {
  std::string lets = "fun int f(int x0) = ";
  for (int k = 0; k < 5000; ++k) lets += "let x" + std::to_string(k + 1) + " = x" + std::to_string(k) + " + 1 in ";
  CHECK(l0_errors(lets + "x5000").empty());
  CHECK_THAT(l0_errors("fun int f() = " + std::string(1001, '(') + "1" + std::string(1001, ')')),
             Contains("nested too deeply"));
}

TEST_CASE("a program is written with its entry point, and read back") {
  const auto p = test::l0_program("fun int f() = 1\nfun int g() = 2");
  const AnyProgram entry(l0::language(), l0::Entry{p, "f"});
  CHECK(wrong_read_back(entry) == "");
  CHECK(l0::language()->nodes(entry) == 2);
}

TEST_CASE("mistakes of those who come from other languages are mended") {
  CHECK_THAT(mend_of("fun int f(int x) = -x"), Contains("`~x`"));
  CHECK_THAT(mend_of("fun int f(int x) = x + -1"), Contains("`~5`"));
  CHECK_THAT(mend_of("fun [int] f() = [1, 2]"), Contains("{1, 2, 3}"));
  CHECK_THAT(mend_of("fun [int] f() = {}"), Contains("replicate(0, v)"));
  CHECK_THAT(mend_of("fun bool f(bool b) = !b"), Contains("not is written `not`"));
  CHECK_THAT(mend_of("fun int f(x) = x"), Contains("a type stands before each name"));
  CHECK_THAT(mend_of("fun f(int x) = x"), Contains("it stands before the name"));
  CHECK_THAT(mend_of("fun int f(int x) = let y = 1 let z = 2 in y"), Contains("each definition has its own"));
  CHECK_THAT(mend_of("fun [int] f([int] a) = map(\\x -> x, a)"), Contains("fn int (int x)"));
  CHECK_THAT(mend_of("fun int f([int] a) = reduce(+, 0, a)"), Contains("`op +`"));
  CHECK_THAT(mend_of("fun int f(int map) = 1"), Contains("keyword"));
  CHECK_THAT(mend_of("fun int f(int x) = x -- a comment"), Contains("//"));
  CHECK_THAT(mend_of("fun real f(real x) = x + 1"), Contains("toReal"));
}

TEST_CASE("several errors are told in one run") {
  CHECK(l0_errors("fun int f() = )\nfun int g() = 1\nfun int h() = ]\n") == "1:15 found `)`\n3:15 found `]`\n");
  CHECK(l0_errors("fun int f() = a + b\nfun int g() = h(1)") ==
        "1:15 there is no variable `a`\n1:19 there is no variable `b`\n2:15 there is no function `h`\n");
}

TEST_CASE("types: what does not fit is refused where it stands") {
  CHECK(l0_errors("fun int f() = 1.5") == "1:15 what `f` gives has type real\n");
  CHECK(l0_errors("fun int f() = 1 + 2.0") == "1:15 the operands of `+` have types int and real\n");
  CHECK(l0_errors("fun bool f() = 1 < 2 & 3 == 2") == "1:16 the operands of `&` have types bool and bool\n");
  CHECK(l0_errors("fun bool f() = 1 < 2 < 3").substr(0, 4) == "1:22");
  CHECK(l0_errors("fun int f([int] a) = a[0, 1]") == "1:22 `a` of type [int] is given 2 indices\n");
  CHECK(l0_errors("fun int f((int, int) p) = let (a, b, c) = p in a") ==
        "1:31 this pattern has 3 parts, its value the type (int, int)\n");
  CHECK(l0_errors("fun [int] f([int] a) = map(fn int (real x) => 1, a)") == "1:41 parameter `x` has type real\n");
  CHECK(l0_errors("fun int f([real] a) = reduce(op +, 0, a)") ==
        "1:23 `reduce` starts with int and goes over elements of real\n");
  CHECK(l0_errors("fun [int] f([int] a) = filter(op + (1), a)") ==
        "1:31 what the function of `filter` gives has type int\n");
  CHECK(l0_errors("fun int f(int n) = loop (x = 1) = for i < n do 2.0 in x") ==
        "1:48 what a round gives has type real\n");
  CHECK(l0_errors("fun int f(bool c) = if c then 1 else true") == "1:21 the branches have types int and bool\n");
  CHECK(l0_errors("fun [int] f() = {1, true}") == "1:21 this element has type bool\n");
  CHECK(l0_errors("fun int g(int x) = x\nfun int f() = g(1, 2)") == "2:15 `g` is given 2 arguments\n");
  CHECK(l0_errors("fun int max(int a, int b) = a\nfun int f() = max(1, 2) + min(3, 4)").empty());
  CHECK(l0_errors("fun [[int]] f([[int]] a) = transpose(1, 2, a)") ==
        "1:28 dimension 1 of an array of type [[int]] cannot move by 2 places\n");
  CHECK(l0_errors("fun int f(int x, int x) = x") == "1:22 there are two parameters `x`\n");
  CHECK(l0_errors("fun int f() = let (x, x) = (1, 2) in x") == "1:23 `x` is bound twice here\n");
  CHECK(l0_errors("fun [*[int]] f() = {{1}}").substr(0, 4) == "1:6 ");
}

TEST_CASE("a name is known where it was bound, and nowhere else") {
  CHECK(l0_errors("fun int f() = let x = (let y = 1 in y) in y") == "1:43 there is no variable `y`\n");
  CHECK(l0_errors("fun int f() = loop (s = 0) = for i < 3 do s + i in i") == "1:52 there is no variable `i`\n");
  CHECK(l0_errors("fun [int] f([int] a) = let b = map(fn int (int x) => x, a) in {x}") ==
        "1:64 there is no variable `x`\n");
  CHECK(l0_errors("fun int f(int x) = x\nfun int g() = x") == "2:15 there is no variable `x`\n");
  CHECK(l0_errors("fun int f(int x) = let y = (let x = true in 1) in x + y").empty());
}

TEST_CASE("a fold of tuples has a function of two tuples, and is not unpacked") {
  CHECK(
      l0_errors("fun (int, int) f([(int, int)] a) = reduce(fn (int, int) ((int, int) x, (int, int) y) => x, (0, 0), a)")
          .empty());
  CHECK_THAT(
      l0_errors(
          "fun (int, int) f([(int, int)] a) = reduce(fn (int, int) (int a, int b, int c, int d) => (a, b), (0, 0), a)"),
      Contains("the function of `reduce` has 4 parameters"));
}

}  // namespace l0_text_test
