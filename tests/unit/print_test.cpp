// Printing: what is printed parses back to the same tree, fits the page, and looks as one would write it.
#include "semantics/functional/syntax/print.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <sstream>

#include "semantics/core/pretty.h"
#include "semantics/functional/syntax/parse.h"

namespace print_test {
using namespace lockstep;
using namespace lockstep::surface;

namespace {

SourceRef source(std::string text) { return std::make_shared<const Source>(Source{"test.dpia", std::move(text)}); }

Expr expr(const std::string& text) {
  auto e = parse_expression(source(text));
  INFO(text);
  if (!e) FAIL(render(e.error().at(0)));
  return *e;
}

std::string reprint(const std::string& text) { return print(expr(text)); }

// Random surface trees, every one of which a program can say.
class Trees {
 public:
  explicit Trees(unsigned seed) : random_(seed) {}

  Program program() {
    Program p;
    for (int i = 1 + below(3); i > 0; --i) p.definitions.push_back(definition());
    return p;
  }

  Expr expr(int depth) {
    switch (depth <= 0 ? below(3) : below(13)) {
      case 0:
        return {Name{name()}, {}};
      case 1:
        return {literal(), {}};
      case 2:
        return {Operator{infix()}, {}};
      case 3:
        return {Lambda{patterns(depth), expr(depth - 1)}, {}};
      case 4:
        return {Let{pattern(depth), expr(depth - 1), expr(depth - 1)}, {}};
      case 5:
        return {If{expr(depth - 1), expr(depth - 1), expr(depth - 1)}, {}};
      case 6:
        return {Index{expr(depth - 1), expr(depth - 1)}, {}};
      case 7:
        return {Tuple{parts(2, depth)}, {}};
      case 8:
        return {ArrayLiteral{parts(1, depth)}, {}};
      case 9:
        return apply({Operator{below(2) ? "neg" : "not"}, {}}, expr(depth - 1));
      case 10:
      case 11:
        return apply(apply({Operator{infix()}, {}}, expr(depth - 1)), expr(depth - 1));
      default:
        return apply(expr(depth - 1), expr(depth - 1));
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <std::size_t N>
  std::string pick(const char* const (&from)[N]) {
    return from[below(N)];
  }
  static Expr apply(Expr f, Expr x) { return {Apply{std::move(f), std::move(x)}, {}}; }

  std::string name() {
    return pick(
        {"x", "y'", "_a", "map", "reduce", "idx", "f32", "xs", "a_rather_long_name_for_a_variable", "inn", "e3"});
  }
  std::string infix() {
    return pick({"||", "&&", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%"});
  }
  Literal literal() {
    switch (below(4)) {
      case 0:
        return {pick({"0", "12", "0xff", "9223372036854775808"}), ScalarType::I64};
      case 1:
        return {pick({"1.5", "1e-3", "0.25e+7", "7"}), ScalarType::F64};
      case 2:
        return {pick({"true", "false", "3", "1.5", "0x1f32"}), std::nullopt};
      default:
        return {pick({"1", "255"}), ScalarType::U8};
    }
  }
  Pattern pattern(int depth) {
    if (below(6) == 0) return {WildPattern{}, {}};
    if (depth <= 0 || below(3) != 0) return {NamePattern{name()}, {}};
    TuplePattern t;
    for (int i = 2 + below(2); i > 0; --i) t.parts.push_back(pattern(depth - 1));
    return {t, {}};
  }
  std::vector<Pattern> patterns(int depth) {
    std::vector<Pattern> found;
    for (int i = 1 + below(3); i > 0; --i) found.push_back(pattern(depth));
    return found;
  }
  std::vector<Expr> parts(int least, int depth) {
    std::vector<Expr> found;
    for (int i = least + below(3); i > 0; --i) found.push_back(expr(depth - 1));
    return found;
  }

  // Not one that is negative for all values, which no program can use.
  Size size(int depth) {
    for (;;) {
      Size s = any_size(depth);
      bool positive = s.terms().empty();
      for (const SizeTerm& term : s.terms()) positive = positive || term.coefficient > 0;
      if (positive) return s;
    }
  }
  Size any_size(int depth) {
    if (depth <= 0 || below(3) == 0) return below(2) ? Size(below(9)) : Size::name(pick({"n", "m", "k'"}));
    switch (below(5)) {
      case 0:
        return size(depth - 1) + size(depth - 1);
      case 1:
        return size(depth - 1) - size(depth - 1);
      case 2:
        return size(depth - 1) * size(depth - 1);
      case 3:
        return floor_div(size(depth - 1), Size(1 + below(64)));
      default:
        return modulo(size(depth - 1), Size::name(pick({"n", "m"})) + Size(1));
    }
  }
  Type type(int depth) {
    auto any_scalar = [&] { return scalar(static_cast<ScalarType>(below(8))); };
    switch (depth <= 0 ? below(3) : below(7)) {
      case 0:
        return any_scalar();
      case 1:
        return vector_type(any_scalar(), Size(std::vector<int>{2, 3, 4, 8, 16}[static_cast<std::size_t>(below(5))]));
      case 2:
        return type_variable(pick({"a", "b'"}));
      case 3:
        return index_type(size(2));
      case 4:
        return array(size(2), type(depth - 1));
      case 5:
        return pair(type(depth - 1), type(depth - 1));
      default:
        return function(type(depth - 1), type(depth - 1));
    }
  }
  SourceType source_type() { return {type(3), {}, {}}; }
  Definition definition() {
    Definition d{"f" + std::to_string(below(100)), {}, {}, {}, source_type(), {}, expr(5)};
    for (int i = below(3); i > 0; --i) d.sizes.emplace_back(pick({"n", "m", "k'"}), Region{});
    for (int i = below(4); i > 0; --i) d.parameters.push_back({name(), {}, {}});
    for (Parameter& p : d.parameters)
      if (below(3) != 0) p.type = source_type();
    for (int i = below(3); i > 0; --i)
      d.facts.push_back({{size(2), static_cast<SizeRelation>(below(4)), size(2)}, {}, {}});
    if (below(4) == 0) d.launch = {1 + below(1024), 1 << below(7), below(2) == 0 ? 65535 : 1 + below(100000)};
    return d;
  }

  std::mt19937 random_;
};

int widest(const std::string& text) {
  std::istringstream in(text);
  std::size_t most = 0;
  for (std::string l; std::getline(in, l);) most = std::max(most, l.size());
  return static_cast<int>(most);
}

}  // namespace

TEST_CASE("2,000 random programs are printed as text that parses to the same tree") {
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    Program p = Trees(seed).program();
    std::string text = print(p);
    auto again = parse_program(source(text));
    INFO("seed " << seed << "\n" << text);
    if (!again) FAIL(render(again.error().at(0)));
    REQUIRE(*again == p);
    REQUIRE(print(*again) == text);
    REQUIRE(text.find(" \n") == std::string::npos);
  }
}

TEST_CASE("expressions are printed as one would write them") {
  for (const char* text : {"f (-1)",
                           "f - 1",
                           "-a ! i",
                           "(-a) ! i",
                           "(a, b) ! i",
                           "a ! i ! j",
                           "a ! (i ! j)",
                           "a ! f i",
                           "- -a",
                           "-!a",
                           "a - -b",
                           "a - (b - c)",
                           "a - b - c",
                           "(-) a",
                           "a * (b + c)",
                           "(a < b) == c",
                           "f (\\x -> x)",
                           "(\\x -> x) y",
                           "a + (let x = 1 in x)",
                           "(if a then b else c) + 1",
                           "if a then b else c + 1",
                           "(let x = (let y = 1 in y, 2) in x, 3)",
                           "\\(a, (b, _), c) d -> [a, b]",
                           "(a + b) c"})
    CHECK(reprint(text) == text);
}

TEST_CASE("parentheses that change nothing are dropped") {
  CHECK(reprint("((f) (x))") == "f x");
  CHECK(reprint("(a * b) + c") == "a * b + c");
  CHECK(reprint("x |> f") == "f x");
  CHECK(reprint("(+) a b") == "a + b");
  CHECK(reprint("\\x -> (\\y -> (x |> y))") == "\\x -> \\y -> y x");
}

TEST_CASE("four nested applications become a pipe, three do not") {
  CHECK(reprint("f (g (h x))") == "f (g (h x))");
  CHECK(reprint("f (g (h (i x)))") == "i x |> h |> g |> f");
  CHECK(reprint("1 + f (g (h (i x)))") == "1 + (i x |> h |> g |> f)");
  CHECK(reprint("f (g (h (i x))) ! 1") == "(i x |> h |> g |> f) ! 1");
}

TEST_CASE("what does not fit 100 columns is broken, and lets stand under each other") {
  const std::string name(40, 'x');
  CHECK(reprint("let a = " + name + " in let b = " + name + " in f a b " + name) ==
        "let a = " + name + " in\nlet b = " + name + " in\nf a b " + name);
  CHECK(reprint("f " + name + " " + name + " " + name) == "f\n  " + name + "\n  " + name + "\n  " + name);
  CHECK(reprint(name + " + " + name + " - " + name) == name + "\n+ " + name + "\n- " + name);
  std::string fits(100 - 4, 'y');
  CHECK(reprint("f [" + fits + "]") == "f [" + fits + "]");
  CHECK(reprint("f [" + fits + "y]") == "f\n  [" + fits + "y]");
}

TEST_CASE("a definition is printed with its sizes, parameters and facts") {
  const std::string text =
      "fun dot_gpu [n] (xs : [n]f32) (k : nat) (ys : [n]f32) : f32 where n%262144 == 0 =\n"
      "  zip xs ys\n"
      "  |> split 262144\n"
      "  |> mapWorkgroup (\\zs -> mapLocal (\\p -> fst p * snd p + 1.5f32) (split 2048 zs))\n"
      "  |> join\n"
      "  |> reduceSeq (+) 0\n"
      "\n"
      "fun one : i32 = 1\n"
      "\n"
      "fun launched [n] (xs : [n]f32) : [n]f32 where 1 <= n block 128 warp 32 grid 9 = xs\n";
  auto p = parse_program(source(text));
  REQUIRE(p);
  CHECK(print(*p) == text);
}

TEST_CASE("layout: a group breaks all of its own lines or none, and counts what must follow it") {
  using namespace lockstep::pretty;
  Doc inner = group(concat({text("bb"), line(), text("cc")}));
  Doc outer = group(concat({text("aa"), nest(2, concat({line(), inner, text(";")}))}));
  CHECK(layout(outer, 9) == "aa bb cc;");
  CHECK(layout(outer, 8) == "aa\n  bb cc;");
  CHECK(layout(outer, 7) == "aa\n  bb\n  cc;");
  CHECK(layout(group(concat({text("a"), soft_line(), text("b")})), 80) == "ab");
  CHECK(layout(group(concat({text("a"), hard_line(), text("b"), line(), text("c")})), 80) == "a\nb\nc");
  CHECK(layout(nest(4, concat({text("a"), hard_line(), hard_line(), text("b")})), 80) == "a\n\n    b");
  CHECK(layout(group(concat({text("λλ"), line(), text("→")})), 4) == "λλ →");
}

TEST_CASE("layout fills lines with 200,000 small groups, and breaks 10,000 groups in each other") {
  using namespace lockstep::pretty;
  std::vector<Doc> parts;
  for (int i = 0; i < 200000; ++i) parts.push_back(group(concat({text("x"), line()})));
  CHECK(widest(layout(group(concat(parts)))) == 99);
  Doc deep = text("x");
  for (int i = 0; i < 10000; ++i) deep = group(concat({text("a"), line(), deep}));
  std::string laid = layout(deep);
  CHECK(widest(laid) == 99);
  CHECK(std::count(laid.begin(), laid.end(), '\n') == 9951);
}

}  // namespace print_test
