// What is wrong in .snesl text: the place, the message, the mend; recovery; hostile input.
#include <catch2/catch.hpp>

#include "semantics/snesl/parse.h"

namespace snesl_parse_errors_test {
using namespace lockstep;
using namespace lockstep::snesl;

namespace {

SourceRef source(std::string text) { return std::make_shared<const Source>(Source{"test.snesl", std::move(text)}); }

Diagnostics errors(const std::string& text) {
  auto p = parse_program(source(text));
  INFO(text.substr(0, 200));
  REQUIRE_FALSE(p);
  return p.error();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string repeat(const std::string& s, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += s;
  return out;
}

// `part` stands in the one diagnostic of the expression, which points at `place`.
struct Row {
  const char* text;
  const char* place;
  const char* part;
};

void check_error(const Row& row) {
  INFO(row.text);
  auto e = parse_expression(source(row.text));
  REQUIRE_FALSE(e);
  REQUIRE(e.error().size() == 1);
  const Diagnostic& d = e.error()[0];
  INFO(render(d));
  CHECK(std::string(row.text).substr(d.region.begin, d.region.end - d.region.begin) == row.place);
  CHECK(contains(d.message + "\n" + d.expected + "\n" + d.mend, row.part));
}

std::vector<std::string> places(const std::string& text) {
  std::vector<std::string> found;
  for (const Diagnostic& d : errors(text)) found.push_back(show_position(d.region) + " " + d.message);
  return found;
}

}  // namespace

TEST_CASE("an error says what was found, at its place, and how to mend it") {
  const Row rows[] = {
      {"f x", "x", "called with parentheses"},
      {"a + ", "", "the end of the file"},
      {"a = b", "=", "compare with `==`"},
      {"a < b < c", "<", "do not chain"},
      {"a == b != c", "!=", "&&"},
      {"let x = 1", "", "`in` or `;`, for the `let` at 1:1"},
      {"let x = 1, y = 2 in x", ",", "separated by `;`"},
      {"let x : Int = 1 in x", ":", "carries no type"},
      {"let f(x) = 1 in f", "(", "top of the file"},
      {"let 1 = x in x", "1", "a pattern only names parts"},
      {"let () = x in x", ")", "`_`"},
      {"let x' in 3", "in", "`=`"},
      {"if a then b", "", "`else`, for the `if` at 1:1"},
      {"if a else b", "else", "`then`"},
      {"c ? a", "", "`:`, for the `?` at 1:3"},
      {"(a, b", "(", "never closed"},
      {"[a, b)", ")", "`]`, which closes the `[` at 1:1, or `,`"},
      {"f(a,)", ")", "delete the comma"},
      {"{a : x in s", "{", "never closed"},
      {"{e in s | e < 1}", "in", "{x : x in s | condition}"},
      {"{a : x <- s}", "<", "a generator is `x in s`"},
      {"{a : x in s, y in t}", ",", "separated by `;`"},
      {"{a : x in s using y}", "using", "no `using`"},
      {"{a | c : x in s}", ":", "the condition comes last"},
      {"{a | b, c}", ",", "parenthesise `(a | b)`"},
      {"{let n = a | b in n : x in s}", "|", "parenthesise `(a | b)`"},
      {"{c ? a : b : x in s}", "?", "parenthesise it"},
      {"{c ? a : x in s}", "?", "parenthesise it"},
      {"{c ? a : b | d}", "?", "parenthesise it"},
      {"(x, y).0", "0", "the first component is `.1`"},
      {"x.99999999999", "99999999999", "from 1 on"},
      {"x.a", "a", "by its number"},
      {"x.1e3", "1e3", "no number"},
      {".5", ".", "digits on both sides"},
      {"5.", "", "the number of a component"},
      {"12i64", "12i64", "carry no suffix"},
      {"0xff", "0xff", "in decimal"},
      {"9223372036854775808", "9223372036854775808", "too large for an Int"},
      {"a -9223372036854775808", "9223372036854775808", "too large for an Int"},
      {"-9223372036854775809", "-9223372036854775809", "too large for an Int"},
      {"-(9223372036854775808)", "9223372036854775808", "too large for an Int"},
      {"1e400", "1e400", "too large for a Real"},
      {"\"abc", "\"abc", "not closed on its line"},
      {"f(\"abc)\n", "\"abc)", "not closed on its line"},
      {"x == 'a", "'", "not closed on its line"},
      {"'''", "'''", "'\\''"},
      {"''", "''", "this Char is empty"},
      {"'ab'", "'ab'", "holds 2 bytes"},
      {"'é'", "'é'", "as a text"},
      {"\"a\\qb\"", "\\q", "no escape"},
      {"\"a\\éb\"", "\\é", "no escape"},
      {"\"\\x4\"", "\\x4", "two hexadecimal digits"},
      {"'\\xg0'", "\\x", "two hexadecimal digits"},
      {"_ + 1", "_", "only in patterns"},
      {"let (a, (b, a)) = p in a", "a", "bound twice"},
      {"{x : x in s; x in t}", "x", "bound twice"},
      {"{reduce-or : reduce-or in s}", "reduce-or", "is a built-in"},
      {"(f)(x)", "(", "by its name"},
      {"a =< b", "=", "=="},
      {"a <> b", ">", "`<>` is no operator"},
      {"\\x -> x", "\\", "no anonymous functions"},
      {"x → y", "→", "if … then"},
      {"a ≤ b", "≤", "write `<=`"},
      {"+a", "+", "no prefix `+`"},
      {"let in = 3 in x", "in", "`in` is a keyword"},
      {"a) + b", ")", "closes nothing"},
  };
  for (const Row& row : rows) check_error(row);
}

TEST_CASE("the thesis's cut has a parameter that is a keyword, and the error says so") {
  Diagnostics d = errors("fun cut(in, out, ix) =\n  let cs = read_file(in) in cs");
  REQUIRE(d.size() == 1);
  CHECK(show_position(d[0].region) == "test.snesl:1:9");
  CHECK(contains(d[0].mend, "`in` is a keyword"));
}

TEST_CASE("functions and parameters are named once, and properly") {
  CHECK(places("fun f(x, y, x) = x") == std::vector<std::string>{"test.snesl:1:13 there are two parameters `x`"});
  CHECK(places("fun f() = 1\nfun g() = 2\nfun f() = 3") ==
        std::vector<std::string>{"test.snesl:3:5 there are two functions `f`"});
  CHECK(contains(errors("fun f() = 1\nfun f() = 3")[0].expected, "1:5"));
  CHECK(contains(errors("fun scan-or(s) = s")[0].mend, "built-in"));
  CHECK(contains(errors("fun let(s) = s")[0].mend, "`let` is a keyword"));
  CHECK(contains(errors("fun f(_) = 1")[0].message, "`_`"));
  CHECK(contains(errors("fun _(x) = 1")[0].message, "`_`"));
  CHECK(contains(errors("fun f = 1")[0].mend, "fun f() ="));
  CHECK(contains(errors("fun f x = 1")[0].mend, "parentheses"));
  CHECK(contains(errors("fun f(x y) = 1")[0].mend, "commas"));
  CHECK(contains(errors("fun f(x : Int) = 1")[0].mend, "no type"));
  CHECK(contains(errors("fun f(x) : Int = 1")[0].mend, "no types"));
  CHECK(contains(errors("fun f((x, y)) = 1")[0].mend, "let (x, y)"));
  CHECK(contains(errors("function f(x) = 1")[0].mend, "`fun`"));
  CHECK(contains(errors("f(x) = 1")[0].expected, "fun name(…)"));
  CHECK(contains(errors("fun f(x) = 1 2")[0].expected, "the end of the function"));
}

TEST_CASE("every function with an error is reported in one run, and the good ones between are not") {
  CHECK(places("fun a(x) = x +\nfun b(x) = x\nfun c(x) = (x\nfun d(x) = {x : x in}\nfun e(x) = x\nfun f(x) = x y") ==
        std::vector<std::string>{"test.snesl:2:1 found the keyword `fun`", "test.snesl:3:12 this `(` is never closed",
                                 "test.snesl:4:21 found `}`", "test.snesl:6:14 found the name `y`"});
  CHECK(places("fun a() = ) fun b() = ]").size() == 2);
  // what is wrong inside a literal does not hide the next mistake of the same function
  CHECK(places("fun a() = f(\"\\q\\w\", 'ab', 99999999999999999999) +").size() == 5);
  CHECK(errors(repeat("fun f() = )\n", 100)).size() == 20);
}

TEST_CASE("nesting beyond 1,000 is refused and 900 is not, in every bracket and prefix") {
  struct Nest {
    const char* open;
    const char* inside;
    const char* close;
  };
  const Nest nests[] = {{"(", "x", ")"},
                        {"[", "x", "]"},
                        {"{", "x", "}"},
                        {"f(", "x", ")"},
                        {"(1, ", "x", ")"},
                        {"{x | ", "c", "}"},
                        {"{", "x", " : x in s}"},
                        {"{x : x in ", "s", "}"},
                        {"let x = ", "1", " in x"},
                        {"let x = 1 in ", "x", ""},
                        {"let (a, b) = 1 in ", "x", ""},
                        {"if a then b else ", "c", ""},
                        {"if ", "a", " then b else c"},
                        {"- ", "x", ""},
                        {"#!", "x", ""},
                        {"1 + let x = 2 in ", "x", ""},
                        {"v ! -", "x", ""},
                        {"c ? ", "a", " : b"},
                        {"c ? a : ", "b", ""},
                        {"let ((", "x, y), z) = 1 in x", ""}};
  for (const Nest& n : nests) {
    INFO(n.open);
    bool two = std::string(n.open) == "#!" || std::string(n.open) == "let ((";
    if (!contains(n.open, "((")) {
      int levels = two ? 450 : 900;
      auto fine = parse_expression(source(repeat(n.open, levels) + n.inside + repeat(n.close, levels)));
      if (!fine) FAIL(fine.error()[0].message);
    }
    for (int deep : {1100, 200000}) {
      auto e = parse_expression(source(repeat(n.open, deep) + n.inside + repeat(n.close, deep)));
      REQUIRE_FALSE(e);
      CHECK((contains(e.error()[0].message, "nested too deeply") || contains(n.open, "((")));
    }
  }
  auto patterns = parse_expression(source("let " + repeat("(", 1100) + "x" + repeat(")", 1100) + " = 1 in x"));
  REQUIRE_FALSE(patterns);
  CHECK(contains(patterns.error()[0].message, "nested too deeply"));
}

TEST_CASE("chains of 2,000 operators and lists of any length are fine, longer chains are refused") {
  for (const char* op : {" + x", " ++ x", " ! x", ".1"}) {
    CHECK(parse_expression(source("x" + repeat(op, 2000))));
    auto e = parse_expression(source("x" + repeat(op, 200000)));
    REQUIRE_FALSE(e);
    CHECK(contains(e.error()[0].message, "nested too deeply"));
  }
  CHECK(parse_expression(source("[1" + repeat(", 1", 100000) + "]")));
}

TEST_CASE("what is no program is one clear error, however long it is") {
  CHECK(contains(errors("")[0].message, "no functions"));
  CHECK(contains(errors(" -- nothing\n")[0].message, "no functions"));
  CHECK(contains(errors(std::string("fun\0f", 5))[0].message, "NUL"));
  CHECK(contains(errors("fun f() = \x01")[0].message, "control character"));
  CHECK(contains(errors("fun f() = \"\xff\"")[0].message, "UTF-8"));
  CHECK(contains(errors("fun f() = \"\xff\"")[0].expected, ".snesl"));
  CHECK(contains(errors(std::string(100 << 20, '('))[0].message, "bytes"));
  CHECK(contains(errors("fun f() = " + std::string(15 << 20, '('))[0].message, "nested too deeply"));
  CHECK(errors(repeat("fun f() = {x : \n", 100000)).size() == 20);
  CHECK(errors("fun f() = " + std::string(15 << 20, '9'))[0].message.size() < 200);
  std::string bytes;  // every pair of bytes: no crash, whatever is said
  for (int a = 1; a < 128; ++a)
    for (int b = 1; b < 128; ++b) {
      bytes = {static_cast<char>(a), static_cast<char>(b)};
      (void)parse_expression(source(bytes));
      (void)parse_program(source("fun f() = x" + bytes + "y"));
    }
}

}  // namespace snesl_parse_errors_test
