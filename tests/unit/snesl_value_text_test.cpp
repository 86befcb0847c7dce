// Values of the command line: at a type, and the type that a text most plausibly has; how types are shown.
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <limits>

#include "semantics/snesl/parse.h"

namespace snesl_value_text_test {
using namespace lockstep;
using namespace lockstep::snesl;
using snesl::Type;
using snesl::Value;

namespace {

SourceRef source(std::string text) { return std::make_shared<const Source>(Source{"xs", std::move(text)}); }

const Type b = prim(Prim::Bool), n = prim(Prim::Int), r = prim(Prim::Real), c = prim(Prim::Char);
Value i(std::int64_t x) { return atom_value(int_atom(x)); }
Value d(double x) { return atom_value(real_atom(x)); }
Value ch(char x) { return atom_value(char_atom(static_cast<unsigned char>(x))); }

bool reads(const std::string& text, const Type& type, const Value& expected) {
  auto v = parse_value(source(text), type);
  if (!v) UNSCOPED_INFO(render(v.error().at(0)));
  return v && *v == expected;
}

// The place and what is said of it.
std::string refused(const std::string& text, const Type& type) {
  auto v = parse_value(source(text), type);
  if (v) return "read";
  const Diagnostic& e = v.error().at(0);
  return std::to_string(e.region.begin) + "-" + std::to_string(e.region.end) + " " + e.message + "; " + e.expected +
         "; " + e.mend;
}

std::string seen(const std::string& text) {
  auto t = type_of_value(source(text));
  return t ? show(*t) : "error: " + t.error().at(0).message;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string repeat(const std::string& s, int k) {
  std::string out;
  for (int j = 0; j < k; ++j) out += s;
  return out;
}

}  // namespace

TEST_CASE("types: shown, compared, concrete or not, and |σ| of 2.2.3") {
  Type text = vector_of(c), words = sequence_of(tuple({text, n})), nested = sequence_of(sequence_of(r));
  CHECK(show(words) == "{([Char], Int)}");
  CHECK(show(tuple({})) == "()");
  CHECK(show(vector_of(vector_of(b))) == "[[Bool]]");
  CHECK(words == sequence_of(tuple({vector_of(prim(Prim::Char)), n})));
  const Type all[] = {b,
                      n,
                      r,
                      c,
                      text,
                      vector_of(n),
                      words,
                      nested,
                      tuple({}),
                      tuple({n}),
                      tuple({n, r}),
                      sequence_of(n),
                      sequence_of(vector_of(n))};
  for (const Type& x : all)
    for (const Type& y : all) CHECK((x == y) == (show(x) == show(y)));
  CHECK(is_concrete(tuple({n, vector_of(tuple({r, c}))})));
  CHECK_FALSE(is_concrete(words));
  CHECK_FALSE(is_concrete(tuple({n, tuple({nested})})));
  CHECK(element_size(n) == 1);
  CHECK(element_size(text) == 1);
  CHECK(element_size(tuple({})) == 0);
  CHECK(element_size(tuple({n, tuple({r, text})})) == 3);
  CHECK(element_size(words) == 3);
  CHECK(element_size(nested) == 3);
}

TEST_CASE("a value is read at its type") {
  CHECK(reads("12", n, i(12)));
  CHECK(reads(" -3 ", n, i(-3)));
  CHECK(reads("-9223372036854775808", n, i(std::numeric_limits<std::int64_t>::min())));
  CHECK(reads("true", b, atom_value(bool_atom(true))));
  CHECK(reads("1.5", r, d(1.5)));
  CHECK(reads("-1e-3", r, d(-1e-3)));
  CHECK(reads("1e+20", r, d(1e20)));
  CHECK(reads("3", r, d(3)));
  CHECK(reads("-0", r, d(-0.0)));
  CHECK(reads("99999999999999999999", r, d(1e20)));
  CHECK(reads("inf", r, d(HUGE_VAL)));
  CHECK(reads("-inf", r, d(-HUGE_VAL)));
  CHECK(reads("nan", r, d(std::numeric_limits<double>::quiet_NaN())));
  CHECK(reads("'c'", c, ch('c')));
  CHECK(reads("'\\x80'", c, ch('\x80')));
  CHECK(reads("()", tuple({}), tuple_value({})));
  CHECK(reads("(1,2.5)", tuple({n, r}), tuple_value({i(1), d(2.5)})));
  CHECK(reads("(1, 2)", tuple({n, r}), tuple_value({i(1), d(2)})));
  CHECK(reads("[1,2,3]", vector_of(n), vector_value({i(1), i(2), i(3)})));
  CHECK(reads("[]", vector_of(n), vector_value({})));
  CHECK(reads("[[1,2],[],[3]]", vector_of(vector_of(n)),
              vector_value({vector_value({i(1), i(2)}), vector_value({}), vector_value({i(3)})})));
  CHECK(reads("{1,2}", sequence_of(n), sequence_value({i(1), i(2)})));
  CHECK(reads("[1,2]", sequence_of(n), sequence_value({i(1), i(2)})));
  CHECK(reads("{[1],{2}}", sequence_of(sequence_of(n)),
              sequence_value({sequence_value({i(1)}), sequence_value({i(2)})})));
  CHECK(reads("\"ab\\n\"", vector_of(c), vector_value({ch('a'), ch('b'), ch('\n')})));
  CHECK(reads("['a','b']", vector_of(c), vector_value({ch('a'), ch('b')})));
  CHECK(reads("\"\xff\"", sequence_of(c), sequence_value({ch('\xff')})));
  CHECK(reads("[\"a\",\"\"]", vector_of(vector_of(c)), vector_value({vector_value({ch('a')}), vector_value({})})));
  CHECK(reads("((1))", n, i(1)));
  CHECK(reads("(1)", tuple({n}), tuple_value({i(1)})));
}

TEST_CASE("what shows a value is read back as it") {
  const Type types[] = {n, r, b, c, tuple({n, tuple({r, b})}), vector_of(vector_of(c)), sequence_of(tuple({r, c}))};
  const char* texts[] = {
      "-7", "0.1", "false", "'\\''", "(1, (2.0, true))", "[\"a\\\"\\x00\", []]", "{(1e+300, 'a'), (-inf, '\\n')}"};
  for (std::size_t k = 0; k < std::size(types); ++k) {
    auto v = parse_value(source(texts[k]), types[k]);
    REQUIRE(v);
    INFO(show(*v));
    CHECK(reads(show(*v), types[k], *v));
  }
}

TEST_CASE("a value that does not fit is refused at its place") {
  CHECK(contains(refused("1.5", n), "0-3 found `1.5`; an Int, a whole number"));
  CHECK(contains(refused("9223372036854775808", n), "too large for an Int"));
  CHECK(contains(refused("1e999", r), "too large for a Real"));
  CHECK(contains(refused("12i64", n), "0-5 found `12i64`; an Int"));
  CHECK(contains(refused("", n), "the value ends here; an Int"));
  CHECK(contains(refused("[1,'a']", vector_of(n)), "3-4 found `'`; an Int"));
  CHECK(contains(refused("[1,true]", vector_of(n)), "3-7 found `true`; an Int"));
  CHECK(contains(refused("[1,2", vector_of(n)),
                 "4-4 the value ends here; `]`, which closes the `[` at column 1, or `,`"));
  CHECK(contains(refused("[1,]", vector_of(n)), "3-4 found `]`; an Int"));
  CHECK(contains(refused("{1}", vector_of(n)), "written in [ ]"));
  CHECK(contains(refused("3", vector_of(n)), "a value of type [Int], such as […]"));
  CHECK(contains(refused("3", sequence_of(n)), "such as {…} or […]"));
  CHECK(
      contains(refused("(1,2,3)", tuple({n, n})), "5-6 found `3`; a value of type (Int, Int), which has 2 components"));
  CHECK(contains(refused("(1)", tuple({n, n})), "0-3 this tuple has 1 components"));
  CHECK(contains(refused("(1", n), "`)`, which closes the `(` at column 1"));
  CHECK(contains(refused("1 2", n), "2-3 found `2`; the end of the value"));
  CHECK(contains(refused("\"ab", vector_of(c)), "never closed"));
  CHECK(contains(refused("\"a\\q\"", vector_of(c)), "2-4 found `\\q`"));
  CHECK(contains(refused("'ab'", c), "holds 2 bytes"));
  CHECK(contains(refused("\"a\"", c), "between single quotes"));
  CHECK(contains(refused("x", c), "a Char, such as 'c'"));
  CHECK(contains(refused("- 3", n), "0-1 found `-`"));
  CHECK(contains(refused("nan", n), "an Int"));
}

TEST_CASE("the type of a value's text is what its literals say") {
  CHECK(seen("12") == "Int");
  CHECK(seen("-1.5") == "Real");
  CHECK(seen("-inf") == "Real");
  CHECK(seen("true") == "Bool");
  CHECK(seen("'c'") == "Char");
  CHECK(seen("\"ab\"") == "[Char]");
  CHECK(seen("()") == "()");
  CHECK(seen("(1)") == "Int");
  CHECK(seen("(1, 2.5)") == "(Int, Real)");
  CHECK(seen("[1,2]") == "[Int]");
  CHECK(seen("{1,2}") == "{Int}");
  CHECK(seen("[1,2.5,3]") == "[Real]");
  CHECK(seen("[2.5,1]") == "[Real]");
  CHECK(seen("[[],[1]]") == "[[Int]]");
  CHECK(seen("[(1,[]),(2.0,['a'])]") == "[(Real, [Char])]");
  CHECK(seen("{\"a\",[]}") == "{[Char]}");
  CHECK(seen("[]") == "error: the type of the elements of an empty list cannot be seen");
  CHECK(seen("[[],[]]") == "error: the type of the elements of an empty list cannot be seen");
  const auto of_ints = [](const std::string& text) { return show(*type_of_value(source(text), Empty::Ints)); };
  CHECK(of_ints("{}") == "{Int}");
  CHECK(of_ints("({[]},true)") == "({[Int]}, Bool)");
  CHECK(seen("[1,true]") == "error: this element is of another type than those before it");
  CHECK(seen("[1,[2]]") == "error: this element is of another type than those before it");
  CHECK(seen("[(1,2),(1,2,3)]") == "error: this element is of another type than those before it");
  CHECK(seen("abc") == "error: found `abc`");
  CHECK(seen("[1,2") == "error: the value ends here");
  CHECK(seen("") == "error: the value ends here");
}

TEST_CASE("users-snesl E1: a vector holds no sequence") {
  for (const char* value : {"[{1}]", "{[{1}]}", "[(1,{2})]", "[[{}]]", "({1},[{2}])", "[[1],[{2}]]"})
    CHECK((contains(seen(value), "error: this sequence is inside a vector") || contains(seen(value), "another type")));
  CHECK(seen("{[1],[2]}") == "{[Int]}");
  CHECK(seen("{({1},[2])}") == "{({Int}, [Int])}");
}

TEST_CASE("a million elements are read at once, and deep nesting is refused") {
  auto start = std::chrono::steady_clock::now();
  std::string many = "[0" + repeat(",12345", 1000000) + "]";
  auto v = parse_value(source(many), vector_of(r));
  REQUIRE(v);
  CHECK(v->size() == 1000001);
  CHECK(seen(many) == "[Int]");
  CHECK(seen("[" + repeat("[1,2],", 300000) + "[]]") == "[[Int]]");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
  CHECK(seen(repeat("[", 1000000)) == "error: this value is nested too deeply");
  CHECK(seen(repeat("(", 1000000)) == "error: this value is nested too deeply");
  CHECK(contains(refused(repeat("(", 1000000), n), "the value ends here"));
  CHECK(contains(refused(repeat("[", 1000000), vector_of(n)), "found `[`"));
}

}  // namespace snesl_value_text_test
