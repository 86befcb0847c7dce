// What `./dev mutate` may change in C++, what it leaves alone, and that many changes stand in one text.
#include <catch2/catch.hpp>

#include "tests/mutate/copy.h"
#include "tests/mutate/rows.h"

namespace mutate_test {
using namespace lockstep::mutate;

namespace {

// A line each: the kind, what stood there, and what stands there then.
std::string edits(const std::string& source) {
  std::string out;
  for (const Edit& e : edits_of(source))
    out += std::string(name_of(e.kind)) + ": " + source.substr(e.begin, e.end - e.begin) + " | " + e.text + "\n";
  return out;
}
std::string in_function(const std::string& body) { return edits("int f() {\n" + body + "\n}\n"); }

}  // namespace

TEST_CASE("conditions are negated, of a declaration with a condition the condition") {
  CHECK(in_function("if (a) return 1;") == "negated: a | !(a)\n");
  CHECK(in_function("while (g(a, a)) step;") == "negated: g(a, a) | !(g(a, a))\n");
  CHECK(in_function("if (const auto it = m.find(k); it->ok) return 1;") == "negated: it->ok | !(it->ok)\n");
  CHECK(in_function("if (const auto* p = g()) return 1;").empty());
  CHECK(in_function("return a == b;") == "negated: == | !=\n");
  CHECK(in_function("return a && !b;") == "negated: && | ||\n");
  CHECK(in_function("if constexpr (a) return 1;").empty());
}

TEST_CASE("boundaries are shifted, and templates are no comparisons") {
  CHECK(in_function("return x.a <= y.b;") == "shifted: <= | <\n");
  CHECK(in_function("return at(n + 1);") == "shifted: 1 | 0\n");
  CHECK(in_function("return std::vector<int>(n);").empty());
  CHECK(in_function("return g(auto&& x);").empty());
}

TEST_CASE("calls, assignments and steps are dropped; declarations and what gives a value are not") {
  CHECK(in_function("m.insert(k);") == "dropped: m.insert(k); | {}\n");
  CHECK(in_function("std::sort(b);") == "dropped: std::sort(b); | {}\n");
  CHECK(in_function("x += 2;") == "dropped: x += 2; | {}\n");
  CHECK(in_function("++n;") == "dropped: ++n; | {}\n");
  CHECK(in_function("if (a) { v[0] = 2; }") == "negated: a | !(a)\ndropped: v[0] = 2; | {}\n");
  CHECK(in_function("int x = 2; return x;").empty());
  CHECK(in_function("const Value v(2); using X = int; throw Bug(a);").empty());
  CHECK(in_function("std::vector<int> v;").empty());
}

TEST_CASE("operands and arguments are exchanged where they differ") {
  CHECK(in_function("return g(a, b + c, d);") == "exchanged: a, b + c | b + c, a\n");
  CHECK(in_function("return g(a, a);").empty());
  CHECK(in_function("return a - b;") == "exchanged: a - b | b - a\n");
  CHECK(in_function("return x.a - b;").empty());
  CHECK(in_function("return a - b.c;").empty());
  CHECK(in_function("return a - -b;").empty());
}

TEST_CASE("remarks, texts, directives and what is outside of functions stay") {
  CHECK(in_function("// a == b\n/* if (a) b; */ return R\"x(a == b)x\" + \"a == b\" + 'a';").empty());
  CHECK(edits("#if A == B\n#define F(a) if (a) g(a)\n#endif\nstruct X { int a = b == c; };\n").empty());
  CHECK(in_function("#ifdef SANITIZED\nreturn a == b;\n#endif").empty());
  CHECK(in_function("#ifdef SANITIZED\nreturn a == b;\n#else\nreturn a <= b;\n#endif") ==
        "exchanged: a <= b | b <= a\nshifted: <= | <\n");
  CHECK(edits("const int rows[] = {a == b, f(a, b)};\n").empty());
  CHECK(edits("const auto f = [](int a, int b) { return a == b; };\n") == "negated: == | !=\n");
}

namespace {

// The body with its edits numbered from 1, of which those asked for stand in it.
std::string planted(const std::string& body, const std::vector<std::size_t>& numbers) {
  const Source source("int f() {\n" + body + "\n}\n");
  const auto edits = edits_of(source.all());
  std::vector<Mistake> mistakes;
  for (const std::size_t n : numbers) mistakes.push_back({n, edits.at(n - 1)});
  std::string out = with_mistakes(source, mistakes);
  for (const std::string& word : {std::string("::lockstep_mistakes::planted"), std::string("int f() {\n")})
    for (std::size_t at; (at = out.find(word)) != std::string::npos;) out.erase(at, word.size());
  return out.substr(0, out.size() - 3);
}
// That of the edit of these tokens.
std::string region(const std::string& body, const std::string& of) {
  const Source source("int f() {\n" + body + "\n}\n");
  for (const Edit& e : edits_of(source.all()))
    if (source.between(e.begin, e.end) == of) {
      const auto found = region_of(source, e);
      return found ? source.between(found->begin, found->end) : "none";
    }
  return "no such edit";
}
Row row(const std::string& was, const std::string& now) { return {1, 1, "f.cpp", was, now, "t", ""}; }
std::string edited(const std::string& source, const std::string& was, const std::string& now) {
  const Edit e = edit_of(row(was, now), Source(source));
  return std::string(name_of(e.kind)) + ": " + source.substr(e.begin, e.end - e.begin) + " | " + e.text;
}
std::string refusal(const std::string& text) {
  try {
    rows_of(text);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a mistake is chosen at run time: of a condition, an expression, a call, a statement") {
  CHECK(planted("if (a) return 1;", {1}) == "if ((static_cast<bool>(a) != (1))) return 1;");
  CHECK(planted("return a == b;", {1}) == "return ((1) ? a != b : a == b);");
  CHECK(planted("x = g(a, b) + 2;", {2}) == "x = ((2) ? g(b, a) + 2 : g(a, b) + 2);");
  CHECK(planted("if (x) ++n; else --n;", {2, 3}) == "if (x) if ((2)) {} else ++n; else if ((3)) {} else --n;");
}

TEST_CASE("the region goes to the signs around it, and not past a head or a block") {
  CHECK(region("return x.at(n + 1, m);", "1") == "n + 1");
  CHECK(region("y = p ? a == b : c;", "==") == "a == b");
  CHECK(region("out << 2 * n - 1 << z;", "1") == "out << 2 * n - 1 << z");
  CHECK(region("for (auto v : w) out = f(a, b);", "a, b") == "f(a, b)");
  CHECK(region("for (auto v : w) g(f(a, b), c);", "f(a, b), c") == "g(f(a, b), c)");
  CHECK(region("while (v) g(a, b)(c);", "a, b") == "g(a, b)(c)");
  CHECK(region("x = g(a, b, h(c)) + 1;", "a, b") == "g(a, b, h(c)) + 1");
  CHECK(region("if (x) { y; } g(a, b);", "a, b") == "g(a, b)");
  CHECK(region("return [&] { x; }() + h{3} == b;", "==") == "() + h{3} == b");  // does not compile
  CHECK(region("constexpr int n = a == b;", "==") == "none");
  CHECK(region("static_assert(a == b);", "==") == "none");
  CHECK(region("static_assert(a == b);", "static_assert(a == b);") == "none");
  CHECK(region("switch (x) { case a == b: return; }", "==") == "none");
  CHECK(region("switch (x) { case 1: return a == b; }", "==") == "a == b");
  CHECK(region("return R\"(\n)\" == n;", "==") == "none");
  CHECK(region("return g(\n#if A\na == b\n#endif\n);", "==") == "a == b");
  CHECK(region("return x ==\n#if A\n y\n#endif\n ;", "==") == "none");
}

TEST_CASE("mistakes of one region and of regions within it stand beside each other, on the lines as before") {
  CHECK(planted("return a == b && c;", {1, 2}) == "return ((1) ? a != b && c : (2) ? a == b || c : a == b && c);");
  CHECK(planted("g(a == b,\n  c);", {1, 3}) == "if ((1)) {} else g(((3) ? a != b : a == b),\n  c);");
  CHECK(planted("return g(a == b, // why\n c);", {1}) == "return ((1) ? g(c, a == b) : g(a == b, // why\n c));");
  const Source source("int f() { return a + b; }");
  CHECK(!fits({{10, 20}}, {15, 25}));
  CHECK(fits({{10, 20}}, {12, 15}));
  CHECK(fits({{10, 20}}, {20, 25}));
}

TEST_CASE("errors are laid on the mistakes where they are, else on those that they come from") {
  const std::string table = "3\ta.cpp\t5\t6\twhat it is\n4\ta.cpp\t9\t9\tother\n8\tb.h\t1\t2\tthird\n";
  using Numbers = std::vector<std::string>;
  CHECK(Mistakes::blamed(table, "/t", "/t/a.cpp:6:1: error: no\n/t/b.h:2:9: required from here\n") == Numbers{"3"});
  CHECK(Mistakes::blamed(table, "/t", "/usr/x.h:6: error: no\n/t/b.h:2:9: required from here\n") == Numbers{"8"});
  CHECK(Mistakes::blamed(table, "/t", "/t/a.cpp:8:1: error: no\n").empty());
  CHECK(Mistakes::blamed(table, "/t", "/t/build/rooms/x/b.h:1:1: error: no\n") == Numbers{"8"});
}

TEST_CASE("a row of decisions is an edit of the tokens that differ, and its text stands once") {
  const std::string source = "int f() {\n  if (a < b)\n    return c;\n  g(a, b);\n  return c;\n}\n";
  CHECK(edited(source, "a < b", "a <= b") == "changed: < | <=");
  CHECK(edited(source, "if (a < b) return c;", "if (true) return c;") == "changed: a < b | true");
  CHECK(edited(source, "g(a, b)", "g(a)") == "changed: a, b | a");
  CHECK(edited(source, "if (a < b) return c;", "if (!(a < b)) return c;") == "changed: a < b | !(a < b)");
  CHECK(edited("x = !f(a);", "x = !f(a);", "x = !(!f(a));") == "changed: f(a) | (!f(a))");
  CHECK(edited("x = f(a);", "f(a)", "f(a, (b))") == "changed: a | a, (b)");
  CHECK(edited("if (a) b;", "if (a)", "if (c && a)") == "changed: a | c && a");
  CHECK(edited("if (c && a) b;", "if (c && a)", "if (a)") == "changed: c && a | a");
  CHECK(edited("return a && b;", "return a && b;", "return b;") == "changed: a && b | b");
  CHECK(edited("x = f(0);", "f(0)", "f(0) + 1") == "changed: (0) | (0) + 1");
  CHECK(edited("x = f(0) + 1;", "f(0) + 1", "f(0)") == "changed: (0) + 1 | (0)");
  CHECK(edited(source, "g(a, b);", "") == "dropped: g(a, b); | {}");
  CHECK_THROWS_WITH(edited(source, "return c;", "return d;"),
                    "decisions:1: 'return c;' stands 2 times in f.cpp, not once");
  CHECK_THROWS_WITH(edited(source, "a > b", "a >= b"), "decisions:1: 'a > b' stands 0 times in f.cpp, not once");
  CHECK_THROWS_WITH(edited(source, "a < b", "a<b"), "decisions:1: the mistake changes nothing");
}

TEST_CASE("a table of decisions is read, and what is missing said with its line") {
  const auto rows =
      rows_of("# remark\n\nof a.cpp\n- x == 1\n+ x == 2\n= size_test all of it\n@ A1\n\nof b.cpp\n- y;\n= z\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].test == "size_test all of it");
  CHECK(rows[0].item == "A1");
  CHECK(rows[1].number == 2);
  CHECK(rows[1].now.empty());
  CHECK(refusal("of a.cpp\n- x\n+ y\n") == "decisions:1: a row has lines 'of', '-' and '='");
  CHECK(refusal("\nof a.cpp\n- x\n? y\n") == "decisions:4: a line begins with of, -, +, = or @");
  CHECK(refusal("of a.cpp\nof b.cpp\n") == "decisions:2: said twice");
}

}  // namespace mutate_test
