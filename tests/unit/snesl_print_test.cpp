// Surface trees of SNESL to text: it parses back to the same tree, with the parentheses that it needs and no more.
#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "semantics/snesl/parse.h"
#include "snesl_tree_text.h"

namespace snesl_print_test {
using namespace snesl_test;

namespace {

SourceRef source(std::string text) { return std::make_shared<const Source>(Source{"test.snesl", std::move(text)}); }

std::string reprint(const std::string& text) {
  auto e = snesl::parse_expression(source(text));
  INFO(text);
  if (!e) FAIL(render(e.error().at(0)));
  return print(*e);
}

// Random surface trees, every one of which a program can say.
class Trees {
 public:
  explicit Trees(unsigned seed) : random_(seed) {}

  Program program() {
    Program p;
    for (int i = 0, n = 1 + below(3); i < n; ++i) {
      std::vector<Parameter> parameters;
      for (int j = below(4); j > 0; --j) parameters.push_back({"p" + std::to_string(j), {}});
      p.functions.push_back({"f" + std::to_string(i), {}, std::move(parameters), expr(5)});
    }
    return p;
  }

  Expr expr(int depth) {
    switch (depth <= 0 ? below(4) : below(22)) {
      case 0:
        return {Variable{name()}, {}};
      case 1:
      case 2:
        return {literal(), {}};
      case 3:
        return {TextLiteral{text()}, {}};
      case 4:
      case 5:
        return {LetExpr{bindings(depth), expr(depth - 1)}, {}};
      case 6:
        return {IfExpr{expr(depth - 1), expr(depth - 1), expr(depth - 1)}, {}};
      case 7:
      case 8:
        return {SelectExpr{expr(depth - 1), expr(depth - 1), expr(depth - 1)}, {}};
      case 9:
      case 10: {
        ComprehensionExpr c{expr(depth - 1), bindings(depth), std::nullopt};
        if (below(2)) c.condition = expr(depth - 1);
        return {std::move(c), {}};
      }
      case 11:
        return {GuardedExpr{expr(depth - 1), expr(depth - 1)}, {}};
      case 12:
        return {SequenceExpr{parts(0, depth)}, {}};
      case 13:
        return {VectorExpr{parts(0, depth)}, {}};
      case 14:
        return {TupleExpr{below(6) ? parts(2, depth) : std::vector<ExprRef>{}}, {}};
      case 15:
        return {ProjectExpr{expr(depth - 1), 1 + below(12)}, {}};
      case 16:
        return {PrefixExpr{static_cast<Prefix>(below(4)), expr(depth - 1)}, {}};
      case 17:
        return {InfixExpr{Infix::BitOr, expr(depth - 1), expr(depth - 1)}, {}};
      case 18:
        return {InfixExpr{static_cast<Infix>(below(18)), expr(depth - 1), expr(depth - 1)}, {}};
      case 19:
        return {IndexExpr{expr(depth - 1), expr(depth - 1)}, {}};
      case 20:
        return {AppendExpr{expr(depth - 1), expr(depth - 1)}, {}};
      default:
        return {CallExpr{name(), parts(0, depth)}, {}};
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string name() {
    static const char* names[] = {"x",
                                  "y'",
                                  "_a",
                                  "reduce",
                                  "or",
                                  "scan-plus",
                                  "reduce-or",
                                  "inn",
                                  "e3",
                                  "sum",
                                  "a_rather_long_name_for_a_variable"};
    return names[below(11)];
  }
  std::string text() {
    std::string s;
    for (int i = below(6); i > 0; --i) s += static_cast<char>(below(256));
    return s;
  }
  Literal literal() {
    static const std::int64_t integers[] = {0, 12, -12, std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max()};
    static const double reals[] = {0.0, -0.0, 1.0, -2.5, 1e-3, 1e300, -1e22, 0.1, 5e-324};
    switch (below(4)) {
      case 0:
        return {int_atom(integers[below(5)])};
      case 1:
        return {real_atom(reals[below(9)])};
      case 2:
        return {char_atom(static_cast<unsigned char>(below(256)))};
      default:
        return {bool_atom(below(2) == 0)};
    }
  }
  Pattern pattern(int depth) {
    if (below(6) == 0) return {NamePattern{"_"}, {}};
    if (depth <= 0 || below(3) != 0) return {NamePattern{"v" + std::to_string(fresh_++)}, {}};
    TuplePattern t;
    for (int i = 2 + below(2); i > 0; --i) t.items.push_back(pattern(depth - 1));
    return {std::move(t), {}};
  }
  std::vector<Binding> bindings(int depth) {
    std::vector<Binding> found;
    for (int i = 1 + below(3); i > 0; --i) found.push_back({pattern(2), expr(depth - 1)});
    return found;
  }
  std::vector<ExprRef> parts(int least, int depth) {
    std::vector<ExprRef> found;
    for (int i = least + below(3); i > 0; --i) found.emplace_back(expr(depth - 1));
    return found;
  }

  std::mt19937 random_;
  int fresh_ = 0;
};

// Every way to leave out one pair of parentheses.
std::vector<std::string> without_one_pair(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '(') continue;
    int depth = 0;
    for (std::size_t j = i; j < text.size(); ++j) {
      depth += text[j] == '(' ? 1 : text[j] == ')' ? -1 : 0;
      if (depth > 0) continue;
      std::string less = text;
      less[i] = less[j] = ' ';
      found.push_back(less);
      break;
    }
  }
  return found;
}

}  // namespace

TEST_CASE("what is printed parses back to the same tree, for 1,000 random programs") {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Program p = Trees(seed).program();
    std::string text = print(p);
    auto back = snesl::parse_program(source(text));
    INFO("seed " << seed << "\n" << text);
    if (!back) FAIL(render(back.error().at(0)));
    CHECK(*back == p);
    // by another road than ==: the trees read the same
    REQUIRE(tree(*back) == tree(p));
  }
}

TEST_CASE("what is written as it is printed stays as it is") {
  for (const char* text : {"a + b * c",
                           "(a + b) * c",
                           "a - (b - c)",
                           "a - b - c",
                           "a ++ b ++ c",
                           "a ++ (b ++ c)",
                           "#w - 1",
                           "-x",
                           "- -x",
                           "& &n",
                           "-(5)",
                           "- -5",
                           "a - -5",
                           "(-5) ! i",
                           "-v ! i",
                           "(-v) ! i",
                           "v ! i ! j",
                           "v ! (i ! j)",
                           "v ! (-1)",
                           "x.1.2",
                           "(5).1",
                           "f(x).1",
                           "a ? b : c ? d : e",
                           "(a ? b : c) ? d : e",
                           "a ? (let x = 1 in x) : c",
                           "1 + (let x = 2 in x)",
                           "let a = 1; b = 2 in a",
                           "if a then b else if c then d else e",
                           "(a == b) == c",
                           "{}",
                           "{a, b}",
                           "{(a | b)}",
                           "{a, b | c}",
                           "{c ? a : b}",
                           "{(c ? a : b) : x in s}",
                           "{(a | b) : x in (c | d) | e | f}",
                           "{x | c ? a : b}",
                           "{f(a | b, c ? d : e) : x in s}",
                           "{let n = (a | b) in (n ? a : b) : (x, _) in s; y in t}",
                           "{[a | b] | c}",
                           "reduce - or",
                           "reduce-or(s)",
                           "'\\''",
                           "'\"'",
                           "\"'\\\"\\n\\x01\\\\\"",
                           "1.0",
                           "-0.0",
                           "1e+300",
                           "()",
                           "(a, b)",
                           "[]",
                           "!x && !y",
                           "x != y"}) {
    CHECK(reprint(text) == text);
  }
}

TEST_CASE("no pair of parentheses in a printed expression of operators can be left out") {
  // Where the printer puts a pair for the reader's sake (a let or if that is an operand), or a call or tuple has one,
  // the tree is the same or another one; for operators alone each pair counts.
  for (const char* text : {"(a + b) * c - (d - e)", "-(a + b) ! (i + 1)", "(a ? b : c) ? (d ++ e) ++ f : g",
                           "a ++ (b ++ (c || d)) ++ e", "((a | b) & c) << (1 << n)", "{(a | b) : x in (c | d)}",
                           "(a + b).1 ! ((i + j).2)", "#(v ! i).1", "(#v) ! i", "-(5)", "(a == b) == (c < d)"}) {
    std::string printed = reprint(text);
    auto whole = snesl::parse_expression(source(printed));
    for (const std::string& less : without_one_pair(printed)) {
      INFO(printed << "   and   " << less);
      auto other = snesl::parse_expression(source(less));
      CHECK((!other || !(*other == *whole)));
    }
  }
}

TEST_CASE("long programs are laid out as one would write them") {
  auto p = snesl::parse_program(
      source("fun line_len(l) = let ws = sep({(c, c == '\\t') : c in l}) in sum({let n = #w - 1 in (is_last ? n : "
             "round_to_8(n)) : w in ws; is_last in tail_flags(ws)}) fun f() = 1 fun rev(file_in, file_out) = let cs = "
             "read_file(file_in); res = {rev_line(l) : l in lines(cs)} in write_file(file_out, concat(res))"));
  REQUIRE(p);
  CHECK(print(*p) ==
        "fun line_len(l) =\n"
        "  let ws = sep({(c, c == '\\t') : c in l}) in\n"
        "  sum({let n = #w - 1 in (is_last ? n : round_to_8(n)) : w in ws; is_last in tail_flags(ws)})\n"
        "\n"
        "fun f() = 1\n"
        "\n"
        "fun rev(file_in, file_out) =\n"
        "  let cs = read_file(file_in);\n"
        "      res = {rev_line(l) : l in lines(cs)} in\n"
        "  write_file(file_out, concat(res))\n");
}

TEST_CASE("the deepest trees that parse also print") {
  std::string deep(999, '('), chain = "x";
  deep += "x" + std::string(999, ')');
  for (int i = 0; i < 2400; ++i) chain += " + (y - z)";
  std::string braces;
  for (int i = 0; i < 900; ++i) braces += "{";
  braces += "x";
  for (int i = 0; i < 900; ++i) braces += " : x in s}";
  for (const std::string& text : {deep, chain, braces}) {
    auto e = snesl::parse_expression(source(text));
    if (!e) FAIL(e.error()[0].message);
    auto back = snesl::parse_expression(source(print(*e)));
    REQUIRE(back);
    CHECK(*back == *e);
  }
}

TEST_CASE("a Real that no literal says is a bug of ours and not silently another tree") {
  CHECK_THROWS_AS(print(Expr{Literal{real_atom(std::numeric_limits<double>::infinity())}, {}}), Bug);
}

}  // namespace snesl_print_test
