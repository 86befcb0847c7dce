// .dpia text to surface syntax: precedence, types and sizes, primitives' types, errors and recovery, hostile input.
#include "semantics/functional/syntax/parse.h"

#include <catch2/catch.hpp>

#include "semantics/functional/syntax/print.h"

namespace parse_test {
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

Program program(const std::string& text) {
  auto p = parse_program(source(text));
  INFO(text);
  if (!p) FAIL(render(p.error().at(0)));
  return *p;
}

Diagnostics errors(const std::string& text) {
  auto p = parse_program(source(text));
  INFO(text.substr(0, 200));
  REQUIRE_FALSE(p);
  return p.error();
}

Diagnostic expression_error(const std::string& text) {
  auto e = parse_expression(source(text));
  INFO(text);
  REQUIRE_FALSE(e);
  REQUIRE(e.error().size() == 1);
  return e.error()[0];
}

Type type(const std::string& text) {
  auto t = parse_type(source(text));
  INFO(text);
  if (!t) FAIL(render(t.error().at(0)));
  return *t;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string repeat(const std::string& s, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += s;
  return out;
}

// Both are the same tree, however they are written.
void same(const std::string& a, const std::string& b) {
  INFO(a << "   and   " << b);
  CHECK(expr(a) == expr(b));
}

void different(const std::string& a, const std::string& b) {
  INFO(a << "   and   " << b);
  CHECK_FALSE(expr(a) == expr(b));
}

}  // namespace

TEST_CASE("application binds tighter than indexing, prefix and infix operators") {
  same("f x ! i", "(f x) ! i");
  same("a ! f i", "a ! (f i)");
  same("-f x", "-(f x)");
  same("-a ! i", "-(a ! i)");
  same("!a ! i", "!(a ! i)");
  same("f x + g y", "(f x) + (g y)");
  same("-a * b", "(-a) * b");
  same("a * -b", "a * (-b)");
  same("f x y", "(f x) y");
  different("f (x y)", "f x y");
}

TEST_CASE("indexing and infix operators go to the left") {
  same("a ! i ! j", "(a ! i) ! j");
  different("a ! (i ! j)", "a ! i ! j");
  for (const char* op : {"||", "&&", "|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%"}) {
    std::string o = std::string(" ") + op + " ";
    same("a" + o + "b" + o + "c", "(a" + o + "b)" + o + "c");
    different("a" + o + "(b" + o + "c)", "a" + o + "b" + o + "c");
  }
}

TEST_CASE("every group of infix operators binds tighter than the one before it") {
  const std::vector<std::vector<std::string>> groups = {{"||"},       {"&&"},     {"==", "!=", "<", "<=", ">", ">="},
                                                        {"|"},        {"^"},      {"&"},
                                                        {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = i + 1; j < groups.size(); ++j)
      for (const auto& loose : groups[i])
        for (const auto& tight : groups[j]) {
          same("a " + loose + " b " + tight + " c", "a " + loose + " (b " + tight + " c)");
          same("a " + tight + " b " + loose + " c", "(a " + tight + " b) " + loose + " c");
          different("(a " + loose + " b) " + tight + " c", "a " + loose + " b " + tight + " c");
        }
}

TEST_CASE("comparisons do not chain, and the error says how to mend it") {
  for (const char* text : {"a < b < c", "a == b != c", "a < b + 1 >= c"}) {
    Diagnostic d = expression_error(text);
    CHECK(contains(d.message, "do not chain"));
    CHECK(contains(d.mend, "&&"));
  }
  same("a < b && b < c", "(a < b) && (b < c)");
  same("(a < b) == c", "((a < b)) == c");
}

TEST_CASE("a pipe is application, loosest and to the left") {
  same("x |> f", "f x");
  same("x |> f |> g", "g (f x)");
  same("x + 1 |> f", "f (x + 1)");
  same("x |> f a |> reduce (+) 0", "reduce (+) 0 (f a x)");
  same("a || b |> f", "f (a || b)");
}

TEST_CASE("lambda, let and if extend as far to the right as they can") {
  same("\\x -> x |> f", "\\x -> (x |> f)");
  same("let x = 1 in x |> f", "let x = 1 in (x |> f)");
  same("let x = a |> f in x", "let x = (a |> f) in x");
  same("if a then b else c |> f", "if a then b else (c |> f)");
  same("\\x -> \\y -> x", "\\x -> (\\y -> x)");
  different("\\x y -> x", "\\x -> \\y -> x");
}

TEST_CASE("lambda, let and if as operands or arguments are refused without parentheses") {
  for (const char* text :
       {"map \\x -> x", "x |> \\y -> y", "1 + \\x -> x", "- let x = 1 in x", "1 + if a then b else c",
        "f let x = 1 in x", "f if a then b else c", "a ! \\x -> x", "x |> let y = 1 in f"}) {
    Diagnostic d = expression_error(text);
    INFO(text << ": " << d.message << " / " << d.mend);
    CHECK(contains(d.mend, "parenthesised"));
  }
}

TEST_CASE("after an operand a minus is subtraction and ! is indexing") {
  same("f -1", "f - 1");
  different("f (-1)", "f -1");
  same("f !x", "f ! x");
  different("f (!x)", "f !x");
  same("a - -b", "a - (-b)");
  CHECK(contains(expression_error("a ! -1").mend, "(-1)"));
}

TEST_CASE("an operator in parentheses is a function; (-) is subtraction and (!) is none") {
  CHECK(expr("(+) a b") == expr("a + b"));
  CHECK(std::get<Operator>(expr("(-)").node).symbol == "-");
  CHECK(std::get<Operator>(expr("( >= )").node).symbol == ">=");
  CHECK(contains(expression_error("(!)").mend, "\\x -> !x"));
  CHECK(contains(expression_error("(+ 1)").mend, "\\x -> x + "));
  CHECK(contains(expression_error("(1 +)").mend, "\\x -> x + 1"));
  CHECK(contains(expression_error("(|>)").message, "`|>`"));
  same("(- 1)", "-1");
}

TEST_CASE("literals keep their digits and give up their suffix") {
  auto literal = [](const std::string& text) { return std::get<Literal>(expr(text).node); };
  struct Row {
    const char* text;
    const char* digits;
    std::optional<ScalarType> suffix;
  };
  const Row rows[] = {{"12", "12", {}},
                      {"12i64", "12", ScalarType::I64},
                      {"0xffu32", "0xff", ScalarType::U32},
                      {"0x1f32", "0x1f32", {}},
                      {"0xFFu8", "0xFF", ScalarType::U8},
                      {"1.5", "1.5", {}},
                      {"1e-3f64", "1e-3", ScalarType::F64},
                      {"2.5e+10", "2.5e+10", {}},
                      {"1f32", "1", ScalarType::F32},
                      {"18446744073709551615u64", "18446744073709551615", ScalarType::U64},
                      {"true", "true", {}},
                      {"false", "false", {}}};
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(literal(row.text).digits == row.digits);
    CHECK(literal(row.text).suffix == row.suffix);
  }
  for (const char* bad : {"12abc", "1.5i32", "1e3u8", "0x", "1.", ".5", "1.5.2", "12bool", "1_000", "12'", "0xg"}) {
    INFO(bad);
    CHECK_FALSE(parse_expression(source(bad)));
  }
}

TEST_CASE("names may hold primes and underscores, and only ten words are taken") {
  CHECK(std::get<Name>(expr("x'_9'").node).name == "x'_9'");
  CHECK(std::get<Name>(expr("_x").node).name == "_x");
  for (const char* free : {"idx", "f32", "bool", "map", "of", "case", "fn"})
    CHECK(std::get<Name>(expr(free).node).name == free);
  for (const char* taken : {"fun", "where", "let", "in", "if", "then", "else", "nat", "_"}) {
    INFO(taken);
    CHECK_FALSE(parse_expression(source(taken)));
  }
}

TEST_CASE("patterns nest, and a tuple of three is not a pair of a pair") {
  auto lambda = std::get<Lambda>(expr("\\x _ (a, (b, _), c) -> a").node);
  REQUIRE(lambda.patterns.size() == 3);
  CHECK(std::get<NamePattern>(lambda.patterns[0].node).name == "x");
  CHECK(std::holds_alternative<WildPattern>(lambda.patterns[1].node));
  CHECK(std::get<TuplePattern>(lambda.patterns[2].node).parts.size() == 3);
  different("\\(a, b, c) -> a", "\\(a, (b, c)) -> a");
  different("(a, b, c)", "(a, (b, c))");
  different("\\_ -> 1", "\\x -> 1");
  different("[a]", "a");
  CHECK(std::get<Tuple>(expr("(1, 2, 3)").node).parts.size() == 3);
  CHECK(std::get<ArrayLiteral>(expr("[(1, 2)]").node).parts.size() == 1);
}

TEST_CASE("white space, line ends of any kind, a byte order mark and comments mean nothing") {
  same("a --b\n+ 1", "a + 1");
  same("a--b", "a");
  same("a\r\n\t+\f1", "a+1");
  CHECK(parse_program(source("\xef\xbb\xbf-- α → β\nfun f : i32 = 1 -- end")));
  CHECK(program("fun f:i32=1 fun g:i32=2").definitions.size() == 2);
}

TEST_CASE("regions cover what was written, parentheses included") {
  Expr e = expr("  f (a + b) ! i");
  CHECK(e.region.begin == 2);
  CHECK(e.region.end == 15);
  const Expr& sum = *std::get<Apply>(std::get<Index>(e.node).array->node).argument;
  CHECK(sum.region.begin == 4);
  CHECK(sum.region.end == 11);
}

TEST_CASE("types: arrays bind tighter than arrows, arrows and tuples go to the right") {
  Type f = scalar(ScalarType::F32), i = scalar(ScalarType::I32);
  Size n = Size::name("n");
  CHECK(type("[n]f32 -> i32") == function(array(n, f), i));
  CHECK(type("f32 -> i32 -> f32") == function(f, function(i, f)));
  CHECK(type("(f32 -> i32) -> f32") == function(function(f, i), f));
  CHECK(type("(f32, i32, f32)") == pair(f, pair(i, f)));
  CHECK(type("((f32, i32), f32)") == pair(pair(f, i), f));
  CHECK(type("[n][2*n+1](f32, i32)") == array(n, array(Size(2) * n + Size(1), pair(f, i))));
  CHECK(type("idx(n / 2)") == index_type(floor_div(n, Size(2))));
  CHECK(type("f32<4>") == vector_type(f, Size(4)));
  CHECK(type("[n]f32<16> -> 'a") == function(array(n, vector_type(f, Size(16))), type_variable("a")));
  CHECK(type("[0x10]bool") == array(Size(16), scalar(ScalarType::Bool)));
  for (const char* bad :
       {"f32<5>", "f32<n>", "[n m]f32", "[]f32", "int", "nat", "()", "'a<4>", "idx", "[-1]f32", "[_]f32", "[2.5]f32",
        "[2i32]f32", "f32 ->", "(f32", "[n, m]f32", "[9223372036854775808]f32"}) {
    INFO(bad);
    CHECK_FALSE(parse_type(source(bad)));
  }
}

TEST_CASE("sizes: * / % bind tighter than + -, and all go to the left") {
  auto length = [](const std::string& s) { return as<ArrayType>(type("[" + s + "]f32"))->length; };
  Size n = Size::name("n"), m = Size::name("m"), k = Size::name("k");
  CHECK(length("n - m - k") == n - m - k);
  CHECK(length("n / m / k") == floor_div(floor_div(n, m), k));
  CHECK(length("n / m * k") == floor_div(n, m) * k);
  CHECK(length("n + m % k") == n + modulo(m, k));
  CHECK(length("n * (m + k)") == n * m + n * k);
  CHECK(length("n * m + k") == n * m + k);
}

TEST_CASE("each subtraction and division of a size leaves what it needs, where it was written") {
  Program p = program("fun f (x : [n/m - (a - b) + c%d]f32) (y : i32) : [n-1]f32 where n / 2 > k - 1 = x");
  const Definition& d = p.definitions[0];
  Size n = Size::name("n"), m = Size::name("m"), a = Size::name("a"), b = Size::name("b");
  const auto& needs = d.parameters[0].type->needs;
  REQUIRE(needs.size() == 4);
  CHECK(needs[0].fact == SizeFact{Size(1), SizeRelation::LessEqual, m});
  CHECK(needs[1].fact == SizeFact{b, SizeRelation::LessEqual, a});
  CHECK(needs[2].fact == SizeFact{a - b, SizeRelation::LessEqual, floor_div(n, m)});
  CHECK(needs[3].fact == SizeFact{Size(1), SizeRelation::LessEqual, Size::name("d")});
  CHECK(needs[1].region.begin == 19);
  CHECK(needs[1].region.end == 24);
  CHECK(d.parameters[1].type->needs.empty());
  REQUIRE(d.result.needs.size() == 1);
  CHECK(d.result.needs[0].fact == SizeFact{Size(1), SizeRelation::LessEqual, n});
  REQUIRE(d.facts.size() == 1);
  CHECK(d.facts[0].needs.size() == 2);
  CHECK(d.facts[0].fact == SizeFact{Size::name("k") - Size(1), SizeRelation::Less, floor_div(n, Size(2))});
}

TEST_CASE("a definition has sizes, parameters of both kinds, a result and facts") {
  Program p = program(
      "fun f [n m] (x y : [n]f32) (k : nat) (g : f32 -> f32) : f32<4>\n"
      "  where n % 64 == 0, n >= m, m != 3, 1 < k, k <= 9, n > 1 =\n  x\nfun g:f32<4>=1");
  REQUIRE(p.definitions.size() == 2);
  const Definition& d = p.definitions[0];
  CHECK(d.name == "f");
  REQUIRE(d.sizes.size() == 2);
  CHECK(d.sizes[1].first == "m");
  REQUIRE(d.parameters.size() == 4);
  CHECK(d.parameters[1].name == "y");
  CHECK(d.parameters[1].type->type == d.parameters[0].type->type);
  CHECK_FALSE(d.parameters[2].type);
  Size n = Size::name("n"), m = Size::name("m"), k = Size::name("k");
  const SizeFact facts[] = {{modulo(n, Size(64)), SizeRelation::Equal, Size(0)},
                            {m, SizeRelation::LessEqual, n},
                            {m, SizeRelation::NotEqual, Size(3)},
                            {Size(1), SizeRelation::Less, k},
                            {k, SizeRelation::LessEqual, Size(9)},
                            {Size(1), SizeRelation::Less, n}};
  REQUIRE(d.facts.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(d.facts[i].fact == facts[i]);
}

TEST_CASE("equality of expressions sees every part but regions") {
  same(" f  x", "f x");
  for (auto [a, b] : std::vector<std::pair<const char*, const char*>>{{"x", "y"},
                                                                      {"1", "2"},
                                                                      {"1", "1.0"},
                                                                      {"1", "1i32"},
                                                                      {"1i64", "1i32"},
                                                                      {"a + b", "a - b"},
                                                                      {"-a", "!a"},
                                                                      {"f x", "g x"},
                                                                      {"f x", "f y"},
                                                                      {"\\x -> x", "\\y -> x"},
                                                                      {"\\x -> x", "\\x -> y"},
                                                                      {"let x = a in x", "let y = a in x"},
                                                                      {"let x = a in x", "let x = b in x"},
                                                                      {"let x = a in x", "let x = a in y"},
                                                                      {"if a then b else c", "if d then b else c"},
                                                                      {"if a then b else c", "if a then d else c"},
                                                                      {"if a then b else c", "if a then b else d"},
                                                                      {"a ! i", "b ! i"},
                                                                      {"a ! i", "a ! j"},
                                                                      {"(a, b)", "(a, c)"},
                                                                      {"(a, b)", "[a, b]"},
                                                                      {"[a]", "[a, a]"}})
    different(a, b);
}

TEST_CASE("equality of definitions sees every part but regions") {
  const std::string base = "fun f [n] (x : [n]f32) (k : nat) : f32 where n < 4 = x";
  CHECK(program(base) == program("  " + base));
  for (const char* other : {"fun g [n] (x : [n]f32) (k : nat) : f32 where n < 4 = x",
                            "fun f [m] (x : [n]f32) (k : nat) : f32 where n < 4 = x",
                            "fun f [n] (y : [n]f32) (k : nat) : f32 where n < 4 = x",
                            "fun f [n] (x : [n]f64) (k : nat) : f32 where n < 4 = x",
                            "fun f [n] (x : [n]f32) (k : i64) : f32 where n < 4 = x",
                            "fun f [n] (x : [n]f32) (k : nat) : f64 where n < 4 = x",
                            "fun f [n] (x : [n]f32) (k : nat) : f32 where n <= 4 = x",
                            "fun f [n] (x : [n]f32) (k : nat) : f32 where n < 4, n < 5 = x",
                            "fun f [n] (x : [n]f32) (k : nat) : f32 where n < 4 = y",
                            "fun f [n] (x : [n]f32) (k : nat) : f32 where n < 4 block 8 = x",
                            "fun f [n] (x : [n]f32) (k : nat) : f32 where n < 4 warp 8 = x"}) {
    INFO(other);
    CHECK_FALSE(program(base) == program(other));
  }
}

TEST_CASE("the type of a primitive lists its explicit sizes first") {
  auto split = parse_scheme("(k : nat) -> [k*m]'a -> [m][k]'a");
  REQUIRE(split);
  Size k = Size::name("k"), m = Size::name("m");
  Type a = type_variable("a"), b = type_variable("b");
  CHECK(split->nats == std::vector<std::string>{"k"});
  CHECK(split->type == function(array(k * m, a), array(m, array(k, a))));
  auto map = parse_scheme("('a -> 'b) -> [n]'a -> [n]'b");
  REQUIRE(map);
  CHECK(map->nats.empty());
  CHECK(map->type == function(function(a, b), function(array(Size::name("n"), a), array(Size::name("n"), b))));
  auto slide = parse_scheme("(w : nat) -> (s : nat) -> [w+s*m]'a -> [m+1][w]'a");
  REQUIRE(slide);
  CHECK(slide->nats == std::vector<std::string>{"w", "s"});
  auto vectors = parse_scheme("(w : nat) -> [w*m]'s -> [m]'s<w>");
  REQUIRE(vectors);
  CHECK(as<FunctionType>(vectors->type)->to == Ref<Type>(array(m, vector_type(type_variable("s"), Size::name("w")))));
  auto first = parse_scheme("('a, 'b) -> 'a");
  REQUIRE(first);
  CHECK(first->type == function(pair(a, b), a));
  CHECK_FALSE(parse_scheme("(k : f32) -> 'a"));
  CHECK_FALSE(parse_scheme("'a -> (k : nat) -> 'a"));
}

TEST_CASE("an error says what was found, what was expected and how to mend it") {
  struct Row {
    const char* text;
    const char* found;
    const char* expected;
    const char* mend;
  };
  const Row rows[] = {
      {"fun f : i32 = if a = b then 1 else 2", "`=`", "then", "`==`"},
      {"fun f : i32 = (a = b)", "`=`", "`)`", "`==`"},
      {"fun f : i32 = let x = 1\n  let y = 2 in x", "`let`", "`in`", "`in`"},
      {"fun f : i32 = let x = 1", "the end of the file", "`in`", "1:15"},
      {"fun f : i32 = let g x = 1 in x", "`x`", "`=`", "let f = \\x"},
      {"fn f : i32 = 1", "`fn`", "fun name", "`fun`"},
      {"fun f : i32 = map (fun x -> x) xs", "`fun`", "an expression", "\\x ->"},
      {"fun f : i32 = map (fn x -> x) xs", "`->`", "`)`", "\\x ->"},
      {"fun f : i32 = \\x = x", "`=`", "`->`", "->"},
      {"fun f : i32 = \\x => x", "`=`", "`->`", "`\\x -> …`"},
      {"fun f : i32 = \\x. x", "`.`", "a pattern", "point"},
      {"fun f : i32 = f (1 + 2", "`(` is never closed", "end of the file", "`)`"},
      {"fun f : i32 = f (1 + 2\nfun g : i32 = 1", "`(` is never closed", "next definition", "`)`"},
      {"fun f : i32 = f (1 + 2]", "`]`", "`(` at 1:17", ""},
      {"fun f : i32 = g x where g = 1", "`where`", "end of", "let"},
      {"fun f : i32 = case x of y -> 1", "`->`", "end of", "`case`"},
      {"fun f : i32 = a &&& b", "`&`", "an expression", "&&&"},
      {"fun f : i32 = a === b", "`=`", "an expression", "`==`"},
      {"fun f : i32 = a /= b", "`=`", "an expression", "`!=`"},
      {"fun f : i32 = a ** b", "`*`", "an expression", "`**`"},
      {"fun f : i32 = if a then b", "the end of the file", "`else`", "every `if`"},
      {"fun f : i32 = ()", "`)`", "an expression", "no empty tuple"},
      {"fun f : i32 = []", "`]`", "an expression", "replicate 0"},
      {"fun f : i32 = x : i32", "`:`", "end of", "suffix"},
      {"fun f : i32 = x; y", "`;`", "end of", "let"},
      {"fun f : i32 = {x}", "`{`", "an expression", "braces"},
      {"fun f : i32 = f $ x", "`$`", "end of", "|>"},
      {"fun f : i32 = \"text\"", "`\"`", "an expression", "strings"},
      {"fun f : i32 = λx -> x", "`λ`", "an expression", "`\\`"},
      {"fun f : i32 = _", "`_`", "an expression", "patterns"},
      {"fun f (x : f32) = x", "`=`", "result type", "`: f32 =`"},
      {"fun f (x : f32) -> f32 = x", "`->`", "result type", "follows `:`"},
      {"fun f x : f32 = x", "`x`", "parameter", "(x : f32)"},
      {"fun f (x) : f32 = x", "`)`", "`:`", "(x : f32)"},
      {"fun f (x, y : f32) : f32 = x", "`,`", "`:`", "(x y : f32)"},
      {"fun f (x : f32, y : f32) : f32 = x", "`,`", "`)`", "own parentheses"},
      {"fun f [n, m] : f32 = x", "`,`", "`]`", "[m n]"},
      {"fun f ['a] : f32 = x", "`'a`", "a size", "no binder"},
      {"fun f (m n : nat) : f32 = x", "`nat`", "alone", "(m : nat) (n : nat)"},
      {"fun f (x : [n]nat) : f32 = x", "`nat`", "a type", "i64"},
      {"fun f (x : float) : f32 = x", "`float`", "a type", "f32"},
      {"fun f (x : f23) : f32 = x", "`f23`", "a type", "f32"},
      {"fun f (x : [m, n]f32) : f32 = x", "`,`", "`]`", "[m][n]f32"},
      {"fun f : f32 where n = 4 = x", "`=`", "==", "`==`"},
      {"fun f : f32 where n < 4 && n > 1 = x", "`&&`", "`,`", "commas"},
      {"fun f : f32 where n / 0 == 1 = x", "divided by zero", "at least 1", ""},
      {"fun f : f32 block = x", "`=`", "a number of threads", ""},
      {"fun f : f32 block 0x20000 = x", "131072 threads", "at most 1024", ""},
      {"fun f : f32 warp 32 grid = x", "`=`", "a number of blocks", ""},
      {"fun f : f32 grid 2147483648 = x", "2147483648 blocks", "at most 2147483647", ""},
      {"fun f : f32 warp 8 block 64 = x", "`block`", "`=`", "follows `=`"},
      {"fun let : f32 = x", "`let`", "name of the definition", "let_"},
      {"fun f : f32 x", "`x`", "`=`", "follows `=`"},
      {"fun _ : f32 = x", "`_`", "a name", ""},
      {"x = 1", "`x`", "a definition", ""},
  };
  for (const Row& row : rows) {
    Diagnostic d = errors(row.text).at(0);
    INFO(row.text << "\n" << d.message << "\n" << d.expected << "\n" << d.mend);
    CHECK(contains(d.message, row.found));
    CHECK(contains(d.expected, row.expected));
    CHECK(contains(d.mend, row.mend));
  }
}

TEST_CASE("an unclosed bracket is shown where it opens") {
  Diagnostic d = errors("fun f : i32 = f (1 + [2, 3")[0];
  CHECK(d.region.begin == 21);
  CHECK(d.region.end == 22);
}

TEST_CASE("parsing goes on at the next fun that starts a line, and reports at most 20 errors") {
  Diagnostics d =
      errors("fun f : i32 = )\n  x y\nfun g : i32 = 1\nfun h : = 2\n  fun i : i32 = 3 +\nfun j : i32 = 4\n");
  REQUIRE(d.size() == 3);
  CHECK(show_position(d[0].region) == "test.dpia:1:15");
  CHECK(show_position(d[1].region) == "test.dpia:4:9");
  CHECK(show_position(d[2].region) == "test.dpia:6:1");
  CHECK(errors(repeat("fun f : i32 = )\n", 100)).size() == 20);
}

TEST_CASE("a file that is empty or no text is one clear error") {
  CHECK(contains(errors("")[0].message, "no definitions"));
  CHECK(contains(errors(" -- nothing\n")[0].message, "no definitions"));
  const std::string nul("fun f : i32 = 1\0", 16);
  for (const std::string& bad : {nul, std::string("fun f : i32 = \xff"),
                                 std::string("\x7f"
                                             "ELF\x02\x01"),
                                 std::string("-- \xc0\xaf"), std::string("-- \xed\xa0\x80"),
                                 std::string("\xff\xfe"
                                             "f\0",
                                             4)}) {
    Diagnostics d = errors(bad);
    CHECK(d.size() == 1);
    CHECK(contains(d[0].expected, "UTF-8"));
  }
  CHECK(contains(errors(nul)[0].message, "NUL"));
}

TEST_CASE("a source over 16 MiB is refused unread") {
  std::string text = "fun f : i32 = 1";
  CHECK(parse_program(source(text + std::string((16u << 20) - text.size(), ' '))));
  Diagnostics d = errors(text + std::string((16u << 20) - text.size() + 1, ' '));
  CHECK(d.size() == 1);
  CHECK(contains(d[0].expected, "16 MiB"));
}

TEST_CASE("nesting of 1,000 is accepted and 1,001 is refused") {
  auto nested = [](int n) {
    return std::vector<std::string>{repeat("(", n) + "1" + repeat(")", n),
                                    repeat("[", n) + "1" + repeat("]", n),
                                    repeat("\\x -> ", n) + "x + x",
                                    repeat("let x = 1 in ", n) + "x + x",
                                    repeat("if c then 1 else ", n) + "2 * 3",
                                    repeat("- ", n) + "1",
                                    repeat("!", n) + "x",
                                    repeat("f (", n) + "1" + repeat(")", n),
                                    "\\" + repeat("(", n - 1) + "x" + repeat(")", n - 1) + " -> x"};
  };
  for (const std::string& text : nested(1000)) {
    INFO(text.substr(0, 40));
    auto e = parse_expression(source(text));
    REQUIRE(e);
    auto again = parse_expression(source(print(*e)));
    REQUIRE(again);
    CHECK(*again == *e);
  }
  for (const std::string& text : nested(1001)) CHECK(contains(expression_error(text).message, "nested too deeply"));
}

TEST_CASE("users-dpia D: chains of 3,000 operators, pipes and arguments are no nesting") {
  for (const std::string& text : {"1" + repeat(" + 1", 3000), "x" + repeat(" |> f", 3000), "f" + repeat(" 1", 3000),
                                  "a" + repeat(" ! 1", 3000), "a" + repeat(" || b && c", 1500)}) {
    INFO(text.substr(0, 40));
    auto e = parse_expression(source(text));
    REQUIRE(e);
    auto again = parse_expression(source(print(*e)));
    REQUIRE(again);
    CHECK(*again == *e);
  }
}

TEST_CASE("what is 100,000 deep is refused without an overflow of the stack") {
  const int n = 100000;
  for (const std::string& text :
       {repeat("(", n), repeat("[", n), repeat("\\x -> ", n), repeat("let x = ", n), repeat("let x = 1 in ", n),
        repeat("if ", n), repeat("- ", n), "1" + repeat(" + (1", n), "\\" + repeat("x ", n) + "-> 1",
        "\\" + repeat("(", n), "\\(x" + repeat(", x", n) + ") -> x", repeat("f (\\x -> [", n)}) {
    INFO(text.substr(0, 40));
    CHECK(contains(expression_error(text).message, "nested too deeply"));
  }
  for (const std::string& text : {"1" + repeat(" + 1", n), "x" + repeat(" |> f", n), "f" + repeat(" x", n),
                                  "a" + repeat(" ! 1", n), "(1" + repeat(", 1", n) + ")"}) {
    INFO(text.substr(0, 40));
    CHECK(contains(expression_error(text).message, "in a row"));
  }
  for (const std::string& text : {repeat("(", n), repeat("[n]", n) + "f32", "f32" + repeat(" -> f32", n),
                                  "(f32" + repeat(", f32", n) + ")", "[" + repeat("(", n), "idx(" + repeat("(", n)}) {
    INFO(text.substr(0, 40));
    auto t = parse_type(source(text));
    REQUIRE_FALSE(t);
    CHECK(contains(t.error()[0].message, "nested too deeply"));
  }
}

TEST_CASE("a size that is too large to normalise is refused") {
  for (const std::string& s : {"n" + repeat(" + n", 100000), "n" + repeat(" % n", 100000), "n" + repeat(" / 2", 100),
                               "n" + repeat(" / m", 100000), "(n+m)" + repeat(" * (n+m)", 40),
                               std::string("n * 9223372036854775807 * 2"), std::string("9223372036854775807 + 1")}) {
    INFO(s.substr(0, 40));
    auto t = parse_type(source("[" + s + "]f32"));
    REQUIRE_FALSE(t);
    CHECK(contains(t.error()[0].message, "too large"));
  }
  CHECK(parse_type(source("[n % 262144 + m % 262144 + k % 262144 + l / 262144 * 262144]f32")));
}

TEST_CASE("users-dpia F18: carets stand under what is meant, whatever its characters take") {
  // Of a line, the part that is marked and what stands under it.
  const auto under = [](const std::string& line, const std::string& part) {
    const auto source = std::make_shared<const Source>(Source{"test.dpia", "\n" + line + "\n"});
    const auto begin = static_cast<std::uint32_t>(source->text.find(part));
    const std::string text =
        render(Diagnostic{Region{source, begin, begin + static_cast<std::uint32_t>(part.size())}, "m", "", ""});
    const std::size_t last = text.rfind(" | ");
    return text.substr(last + 3, text.size() - last - 4);
  };
  CHECK(under("x - y", "-") == "  ^");
  CHECK(under("x − y", "−") == "  ^");
  CHECK(under("x − y", "y") == "    ^");
  CHECK(under("λλ + zz", "zz") == "     ^^");
  CHECK(under("寸 + z", "寸") == "^^");
  CHECK(under("寸 + z", "z") == "     ^");
  CHECK(under("e\u0301 z", "z") == "  ^");
  // The first and the last of characters that combine, and of wide ones, and those beside them.
  CHECK(under("e\u0300\u036F z", "z") == "  ^");
  CHECK(under("\u0370 z", "z") == "  ^");
  CHECK(under("\u1100\u115F z", "z") == "     ^");
  CHECK(under("\u10FF\u1160 z", "z") == "   ^");
  CHECK(under("\xff\xfe z", "z").find('^') != std::string::npos);
  CHECK(under(repeat("λ", 300) + " z", "z").size() <= 162);
  CHECK(under(repeat("λ", 300) + " z", "z").back() == '^');
}

TEST_CASE("a name is near to one with as many characters more or less as may be wrong in it") {
  CHECK(nearest_name("ma", {"map"}) == "map");
  CHECK(nearest_name("map", {"ma"}) == "ma");
  CHECK(nearest_name("map", {"mapped"}) == "");
  CHECK(nearest_name("reduc", {"reduce", "reduced"}) == "reduce");
  CHECK(nearest_name("reduc", {"reducts"}) == "reducts");
  CHECK(nearest_name("reduc", {"reductio"}) == "");
}

}  // namespace parse_test
