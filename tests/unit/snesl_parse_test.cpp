// .snesl text to surface syntax: precedence, words, brackets, literals, and the thesis's programs. Expected trees are
// written by hand.
#include "semantics/snesl/parse.h"

#include <catch2/catch.hpp>
#include <limits>

#include "snesl_tree_text.h"

namespace snesl_parse_test {
using namespace snesl_test;

namespace {

SourceRef source(std::string text) { return std::make_shared<const Source>(Source{"test.snesl", std::move(text)}); }

std::string parsed(const std::string& text) {
  auto e = snesl::parse_expression(source(text));
  return e ? tree(*e) : "error: " + e.error().at(0).message;
}

std::string parsed_program(const std::string& text) {
  auto p = snesl::parse_program(source(text));
  return p ? tree(*p) : render(p.error().at(0));
}

struct Row {
  const char* text;
  const char* expected;
};
template <std::size_t N>
void check_trees(const Row (&rows)[N]) {
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(parsed(row.text) == row.expected);
  }
}

}  // namespace

TEST_CASE("calls and components bind tightest, then indexing, prefix operators, infix operators, append, choice") {
  check_trees({{"f(x).1", "(get (f! x) 1)"},
               {"v ! f(x)", "(at v (f! x))"},
               {"v ! p.2", "(at v (get p 2))"},
               {"v ! i ! j", "(at (at v i) j)"},
               {"#v ! i", "(len (at v i))"},
               {"-v!i", "(neg (at v i))"},
               {"!p.1", "(not (get p 1))"},
               {"#w - 1", "(- (len w) 1)"},
               {"&n ++ &m", "(app (iota n) (iota m))"},
               {"&n + 1", "(+ (iota n) 1)"},
               {"-a * b", "(* (neg a) b)"},
               {"a * -b", "(* a (neg b))"},
               {"a - -b", "(- a (neg b))"},
               {"!a && b", "(and (not a) b)"},
               {"!!a", "(not (not a))"},
               {"#&n", "(len (iota n))"},
               {"a || b ++ c || d", "(app (or a b) (or c d))"},
               {"a ++ b ++ c", "(app (app a b) c)"},
               {"a ++ b ? c : d ++ e", "(sel (app a b) c (app d e))"},
               {"a ? b : c ? d : e", "(sel a b (sel c d e))"},
               {"a ? b ? c : d : e", "(sel a (sel b c d) e)"},
               {"x!(i == n ? i : n-1-i)", "(at x (sel (== i n) i (- (- n 1) i)))"}});
}

TEST_CASE("every group of infix operators binds tighter than the one before it, and goes to the left") {
  const std::vector<std::vector<std::string>> groups = {
      {"++"},       {"||"},     {"&&"},         {"==", "!=", "<", "<=", ">", ">="}, {"|"}, {"^"}, {"&"},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  auto named = [](const std::string& op) { return op == "||" ? "or" : op == "&&" ? "and" : op == "++" ? "app" : op; };
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const auto& loose : groups[i]) {
      if (i != 3)
        CHECK(parsed("a " + loose + " b " + loose + " c") == "(" + named(loose) + " (" + named(loose) + " a b) c)");
      for (std::size_t j = i + 1; j < groups.size(); ++j)
        for (const auto& tight : groups[j]) {
          std::string l = named(loose), t = named(tight);
          CHECK(parsed("a " + loose + " b " + tight + " c") == "(" + l + " a (" + t + " b c))");
          CHECK(parsed("a" + tight + "b" + loose + "c") == "(" + l + " (" + t + " a b) c)");
        }
    }
}

TEST_CASE("let and if extend as far right as they can, also as a last operand") {
  check_trees({{"let x = 1 in x + 2", "(let x=1 in (+ x 2))"},
               {"let a = 1; b = a in a ++ b", "(let a=1 b=a in (app a b))"},
               {"let (a, (_, b)) = p in a", "(let <a <_ b>>=p in a)"},
               {"let (a) = p in a", "(let a=p in a)"},
               {"if c then a else b + 1", "(if c a (+ b 1))"},
               {"if c then a else b ? d : e", "(if c a (sel b d e))"},
               {"if a then b else if c then d else e", "(if a b (if c d e))"},
               {"if a then if b then c else d else e", "(if a (if b c d) e)"},
               {"1 + let x = 2 in x * 3", "(+ 1 (let x=2 in (* x 3)))"},
               {"a * if c then 1 else 2 + b", "(* a (if c 1 (+ 2 b)))"},
               {"#let v = w in v", "(len (let v=w in v))"},
               {"let x = let y = 1; z = 2 in y; w = 3 in x", "(let x=(let y=1 z=2 in y) w=3 in x)"},
               {"(let x = 1 in x) + 2", "(+ (let x=1 in x) 2)"}});
}

TEST_CASE("directly inside the braces of a comprehension | starts the condition and : ends the head") {
  check_trees({{"{}", "(seq)"},
               {"{a}", "(seq a)"},
               {"{a, b ++ c}", "(seq a (app b c))"},
               {"{a : x in s}", "(for x=s do a)"},
               {"{x + y : x in s; (y, _) in t}", "(for x=s <y _>=t do (+ x y))"},
               {"{x : x in s | x > 0}", "(for x=s when (> x 0) do x)"},
               {"{x | c}", "(when c x)"},
               {"{x + 1 | c && d}", "(when (and c d) (+ x 1))"},
               {"{(n | 7)}", "(seq (| n 7))"},
               {"{f(a | b) : x in s}", "(for x=s do (f! (| a b)))"},
               {"{[a | b] : x in s}", "(for x=s do (vec (| a b)))"},
               {"{v ! (a | b) | (a | b) > 0}", "(when (> (| a b) 0) (at v (| a b)))"},
               {"{char(c ? a : b) : x in s}", "(for x=s do (char! (sel c a b)))"},
               {"{(is_last ? n : m) : w in ws; is_last in tail_flags(ws)}",
                "(for w=ws is_last=(tail_flags! ws) do (sel is_last n m))"},
               {"{let n = #w - 1 in (is_last ? n : r(n)) : w in ws}",
                "(for w=ws do (let n=(- (len w) 1) in (sel is_last n (r! n))))"},
               {"{if c then a else b : x in s}", "(for x=s do (if c a b))"},
               {"{{y : y in x | y} : x in s | c}", "(for x=s when c do (for y=x when y do y))"},
               {"{{a | b} | c}", "(when c (when b a))"},
               {"{x : x in {y | c}}", "(for x=(when c y) do x)"},
               {"{x : x in let a = 1; b = 2 in s; y in t}", "(for x=(let a=1 b=2 in s) y=t do x)"},
               // no comprehension, or after the sign: they are the operators
               {"{c ? a : b}", "(seq (sel c a b))"},
               {"{c ? a : b, d}", "(seq (sel c a b) d)"},
               {"{a, b | c}", "(seq a (| b c))"},
               {"{x : x in s | c ? a : b}", "(for x=s when (sel c a b) do x)"},
               {"{x : x in s | (a | b)}", "(for x=s when (| a b) do x)"},
               {"n | 7", "(| n 7)"}});
}

TEST_CASE("built-ins with a hyphen are single words where they are written without spaces") {
  for (const char* name :
       {"reduce-or", "reduce-and", "reduce1-plus", "reduce1-times", "reduce1-max", "reduce1-min", "reduce1-or",
        "reduce1-and", "scan-plus", "scan-times", "scan-max", "scan-min", "scan-or", "scan-and"}) {
    std::string word = name;
    CHECK(parsed(word + "(s)") == "(" + word + "! s)");
    CHECK(parsed(word) == word);
  }
  check_trees({{"a-b", "(- a b)"},
               {"reduce - or", "(- reduce or)"},
               {"reduce -or", "(- reduce or)"},
               {"reduce-order", "(- reduce order)"},
               {"reduce1-oracle", "(- reduce1 oracle)"},
               {"reduce1 -plus", "(- reduce1 plus)"},
               {"scan-plus'", "(- scan plus')"},
               {"my_scan-max", "(- my_scan max)"},
               {"scan-plus-1", "(- scan-plus 1)"},
               {"n-1-i", "(- (- n 1) i)"},
               {"write_file(f, s)", "(write_file! f s)"}});
}

TEST_CASE("names have primes, comments run to the end of the line, && and ++ and != are words") {
  check_trees({{"x' + _y'2", "(+ x' _y'2)"},
               {"f'('a')", "(f'! c97)"},
               {"x -- y\n + 1", "(+ x 1)"},
               {"x--", "x"},
               {"\"--\" ++ x", "(app \"--\" x)"},
               {"a&&b", "(and a b)"},
               {"a & &b", "(& a (iota b))"},
               {"a!=b", "(!= a b)"},
               {"v!w", "(at v w)"},
               {"v ! -1", "(at v -1)"},
               {"v ! #w ! 3", "(at v (len (at w 3)))"},
               {"a+b++c", "(app (+ a b) c)"},
               {"f (x)", "(f! x)"},
               {"f()", "(f!)"},
               {"()", "(tup)"},
               {"(a)", "a"},
               {"(a, b)", "(tup a b)"},
               {"[]", "(vec)"}});
}

TEST_CASE("digits after a point are components, before one they are a Real") {
  check_trees({{"x.1.2", "(get (get x 1) 2)"},
               {"x . 1 . 2", "(get (get x 1) 2)"},
               {"f(x).12", "(get (f! x) 12)"},
               {"(1.5, 2).1", "(get (tup r1.500000 2) 1)"},
               {"x.1 + 1.2", "(+ (get x 1) r1.200000)"},
               {"-x.1", "(neg (get x 1))"},
               {"v!i.1", "(at v (get i 1))"}});
}

TEST_CASE("literals of every type, the sign of a number its own") {
  check_trees({{"12", "12"},
               {"-12", "-12"},
               {"- 12", "-12"},
               {"-(12)", "(neg 12)"},
               {"- -12", "(neg -12)"},
               {"a -12", "(- a 12)"},
               {"-9223372036854775808", "-9223372036854775808"},
               {"9223372036854775807", "9223372036854775807"},
               {"-5 ! i", "(neg (at 5 i))"},
               {"1.5", "r1.500000"},
               {"1e-3", "r0.001000"},
               {"2.5E+2", "r250.000000"},
               {"-1.5", "r-1.500000"},
               {"true", "T"},
               {"false", "F"},
               {"'a'", "c97"},
               {"'\\n'", "c10"},
               {"'\\0'", "c0"},
               {"'\\''", "c39"},
               {"'\"'", "c34"},
               {"'\\\"'", "c34"},
               {"'\\\\'", "c92"},
               {"'\\xfF'", "c255"},
               {"' '", "c32"},
               {"\"\"", "\"\""},
               {"\"a\\tb\\r\\\"'\\x41\"", "\"a\tb\r\"'A\""}});
  auto zero = snesl::parse_expression(source("\"a\\0b\""));
  REQUIRE(zero);
  CHECK(std::get<TextLiteral>(zero->node).text == std::string("a\0b", 3));
}

TEST_CASE("regions are what was written") {
  std::string text = "fun f(x) =\n  g(x, -12).2 ++ (a)";
  auto p = snesl::parse_program(source(text));
  REQUIRE(p);
  auto written = [&](const Region& r) { return text.substr(r.begin, r.end - r.begin); };
  const Function& f = p->functions[0];
  CHECK(written(f.region) == "f");
  CHECK(written(f.parameters[0].region) == "x");
  CHECK(written(f.body->region) == "g(x, -12).2 ++ (a)");
  const auto& append = std::get<AppendExpr>(f.body->node);
  CHECK(written(append.left->region) == "g(x, -12).2");
  CHECK(written(append.right->region) == "(a)");
  const auto& call = std::get<CallExpr>(std::get<ProjectExpr>(append.left->node).tuple->node);
  CHECK(written(call.arguments[1]->region) == "-12");
}

TEST_CASE("the programs of thesis 4.5, mended, parse to these trees") {
  CHECK(parsed_program("fun logsum(N) =\n  sum({log(real(i+1)) : i in &N})") ==
        "(fun logsum N = (sum! (for i=(iota N) do (log! (real! (+ i 1))))))");
  CHECK(parsed_program("fun logsumsum(M) =\n  sum({logsum(10 * (N+1) / M) : N in &M})") ==
        "(fun logsumsum M = (sum! (for N=(iota M) do (logsum! (/ (* 10 (+ N 1)) M)))))");
  CHECK(parsed_program("-- Whitespace?\nfun ws(c) = c == ' ' || c >= '\\t' && c <= '\\r'\n"
                       "fun pc(c) = c <= '~' && c > ' '\nfun pw(w) = reduce-or({pc(c): c in w})") ==
        "(fun ws c = (or (== c c32) (and (>= c c9) (<= c c13))))(fun pc c = (and (<= c c126) (> c c32)))"
        "(fun pw w = (reduce-or! (for c=w do (pc! c))))");
  CHECK(parsed_program("fun wc(file) =\n  let cs = read_file(file)\n  in sum({ int(pw(w))\n"
                       "          : w in sep({(c, ws(c)): c in cs})})") ==
        "(fun wc file = (let cs=(read_file! file) in (sum! (for w=(sep! (for c=cs do (tup c (ws! c)))) do "
        "(int! (pw! w))))))");
  CHECK(parsed_program("fun round_to_8(n) = (n | 7) + 1\nfun line_len(l) =\n"
                       "  let ws = sep({(c, c == '\\t') : c in l})\n  in\n"
                       "    sum({ let n = #w - 1\n          in (is_last ? n : round_to_8(n))\n          : w in ws;\n"
                       "          is_last in tail_flags(ws)\n        })") ==
        "(fun round_to_8 n = (+ (| n 7) 1))(fun line_len l = (let ws=(sep! (for c=l do (tup c (== c c9)))) in "
        "(sum! (for w=ws is_last=(tail_flags! ws) do (let n=(- (len w) 1) in (sel is_last n (round_to_8! n)))))))");
  CHECK(parsed_program("fun lines(cs) =\n  sep({(c, c == '\\n') : c in cs})\nfun max_ll(file) =\n"
                       "  let cs = read_file(file)\n  in maximum({line_len(l) : l in lines(cs)})") ==
        "(fun lines cs = (sep! (for c=cs do (tup c (== c c10)))))(fun max_ll file = (let cs=(read_file! file) in "
        "(maximum! (for l=(lines! cs) do (line_len! l)))))");
  CHECK(parsed_program("fun rev_line(w) =\n  let v = tab(w);\n      n = #v-1\n"
                       "  in {v!(i == n ? i : n-1-i) : i in &n}\nfun rev(file_in, file_out) =\n"
                       "  let cs = read_file(file_in);\n      res = {rev_line(l) : l in lines(cs)}\n"
                       "  in write_file(file_out, concat(res))") ==
        "(fun rev_line w = (let v=(tab! w) n=(- (len v) 1) in (for i=(iota n) do "
        "(at v (sel (== i n) i (- (- n 1) i))))))(fun rev file_in file_out = (let cs=(read_file! file_in) "
        "res=(for l=(lines! cs) do (rev_line! l)) in (write_file! file_out (concat! res))))");
  CHECK(parsed_program("fun row(l) =\n  tab({ tab(f)\n        : f in sep({(x, x == ' ') : x in l})})\n"
                       "fun index_field(r, ix) =\n  let n = #r;\n      i = n == 1 ? 0 : ix\n  in if i < n\n"
                       "     then r ! i\n     else [' ']") ==
        "(fun row l = (tab! (for f=(sep! (for x=l do (tup x (== x c32)))) do (tab! f))))"
        "(fun index_field r ix = (let n=(len r) i=(sel (== n 1) 0 ix) in (if (< i n) (at r i) (vec c32))))");
  CHECK(parsed_program("fun cut(input, out, ix) =\n  let cs = read_file(input);\n      res =\n"
                       "        { let f = index_field(row(l), ix)\n          in { (c == ' ' ? '\\n' : c)\n"
                       "              : c in seq(f)}\n          : l in lines(cs)\n        }\n"
                       "  in write_file(out, concat(res))") ==
        "(fun cut input out ix = (let cs=(read_file! input) res=(for l=(lines! cs) do (let "
        "f=(index_field! (row! l) ix) in (for c=(seq! f) do (sel (== c c32) c10 c)))) in "
        "(write_file! out (concat! res))))");
}

TEST_CASE("the programs of thesis 2.2 to 2.4 parse to these trees") {
  check_trees({{"let r = tab({f(x) : x in {x1, x2}}) in r!0 + r!1",
                "(let r=(tab! (for x=(seq x1 x2) do (f! x))) in (+ (at r 0) (at r 1)))"},
               {"let s = {log(real(x + 1)) : x in &n}; m = sum(s) in sum({x * x : x in s}) + real(#s) * m",
                "(let s=(for x=(iota n) do (log! (real! (+ x 1)))) m=(sum! s) in "
                "(+ (sum! (for x=s do (* x x))) (* (real! (len s)) m)))"},
               {"zip(s, scan-plus({1 : _ in s}))", "(zip! s (scan-plus! (for _=s do 1)))"},
               {"s ++ {sum(s)}", "(app s (seq (sum! s)))"},
               {"the({a | b} ++ {c | !b})", "(the! (app (when b a) (when (not b) c)))"}});
}

TEST_CASE("functions may have no parameters, stand on one line, and follow a byte order mark") {
  CHECK(parsed_program("fun f() = 1 fun g(x, y') = f()") == "(fun f = 1)(fun g x y' = (f!))");
  CHECK(parsed_program("\xef\xbb\xbf"
                       "fun f() = \"é\"\r\n") == "(fun f = \"é\")");
}

TEST_CASE("equality is of structure: every difference is seen, regions are not") {
  const char* different[] = {"x",
                             "y",
                             "1",
                             "2",
                             "1.0",
                             "'a'",
                             "true",
                             "\"a\"",
                             "let x = 1 in x",
                             "let y = 1 in x",
                             "let x = 1; z = 1 in x",
                             "let (x, z) = 1 in x",
                             "if x then y else z",
                             "x ? y : z",
                             "{x : x in y}",
                             "{x : x in y | z}",
                             "{x : x in y; z in y}",
                             "{x | y}",
                             "{x}",
                             "[x]",
                             "()",
                             "(x, y)",
                             "x.1",
                             "x.2",
                             "-x",
                             "!x",
                             "x + y",
                             "x - y",
                             "y + x",
                             "x ! y",
                             "x ++ y",
                             "f(x)",
                             "g(x)",
                             "f(x, x)"};
  for (const char* a : different)
    for (const char* b : different) {
      INFO(a << "   and   " << b);
      CHECK((*snesl::parse_expression(source(a)) == *snesl::parse_expression(source(std::string("  (") + b + ")"))) ==
            (std::string(a) == b));
    }
  CHECK_FALSE(*snesl::parse_expression(source("0.0")) == *snesl::parse_expression(source("-0.0")));
  const char* programs[] = {"fun f() = 1",  "fun f(x) = 1", "fun f(y) = 1",
                            "fun g(x) = 1", "fun f() = 2",  "fun f() = 1 fun g() = 1"};
  for (const char* a : programs)
    for (const char* b : programs)
      CHECK((*snesl::parse_program(source(a)) == *snesl::parse_program(source(b))) == (std::string(a) == b));
}

}  // namespace snesl_parse_test
