// Types, expansion and desugaring of SNESL: what is accepted at which types, what is refused and how, what the core
// programs are and compute.
#include <catch2/catch.hpp>

#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/evaluate.h"
#include "semantics/snesl/parse.h"

namespace snesl_elaborate_test {
using namespace lockstep;
using namespace lockstep::snesl;
using snesl::Type;
namespace surface = snesl::surface;

namespace {

surface::Program parsed(const std::string& text) {
  auto p = snesl::parse_program(std::make_shared<const Source>(Source{"test.snesl", text}));
  if (!p) FAIL(render(p.error()[0]));
  return *p;
}

// All messages, "line:column message | expected | mend", a line each.
std::string said(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    const Position p = d.region.source ? position_of(*d.region.source, d.region.begin) : Position{0, 0};
    out += (out.empty() ? "" : "\n") + std::to_string(p.line) + ":" + std::to_string(p.column) + " " + d.message;
    if (!d.expected.empty()) out += " | " + d.expected;
    if (!d.mend.empty()) out += " | " + d.mend;
  }
  return out;
}

// "f(a, b) : r" for each function, a line each, or what is wrong.
std::string types_of(const std::string& text) {
  const auto entries = check(parsed(text));
  if (!entries) return said(entries.error());
  std::string out;
  for (const EntryPoint& e : *entries) {
    out += (out.empty() ? "" : "\n") + e.name + "(";
    for (std::size_t k = 0; k < e.types.size(); ++k) out += (k > 0 ? ", " : "") + e.types[k];
    out += ") : " + e.result;
  }
  return out;
}
std::string type_of(const std::string& expression, const std::string& parameters = "") {
  const std::string t = types_of("fun f(" + parameters + ") = " + expression);
  return t.starts_with("f(") ? t.substr(1) : t;
}

using Given = std::map<std::string, Type>;
const Type integer = prim(Prim::Int), real = prim(Prim::Real), character = prim(Prim::Char), boolean = prim(Prim::Bool);

core::Program core_of(const std::string& text, const Given& given = {}, const std::string& function = "") {
  auto p = elaborate(parsed(text), function, given);
  if (!p) FAIL(said(p.error()));
  return *p;
}
std::string printed(const std::string& text, const Given& given = {}) { return core::print(core_of(text, given)); }
std::string refusal_of(const std::string& text, const Given& given = {}, const std::string& function = "") {
  const auto p = elaborate(parsed(text), function, given);
  return p ? "accepted" : said(p.error());
}

class NoFiles : public Files {
  std::string read(const std::string&, const Region&) override { throw Bug("no file is read"); }
  void write(const std::string&, std::string, const Region&) override { throw Bug("no file is written"); }
};
std::string value_of(const std::string& expression) {
  NoFiles files;
  const auto e = evaluate(core_of("fun main() = " + expression), {}, files);
  return e ? show(e->value) : "trap " + e.error().primitive;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------- types
TEST_CASE("of several that hold an element, the first says why it can be no sequence") {
  CHECK(types_of("fun f(x) = let a = [x]; b = [x] in sum(x)")
            .starts_with("1:20 an element of this vector is a sequence"));
  CHECK(types_of("fun f(x) = let a = tab({x}); b = [x] in sum(x)").starts_with("1:20 an element of what tab is given"));
}

TEST_CASE("the thesis's programs have their types") {
  const std::string types = types_of(R"(
fun logsum(N) = sum({log(real(i+1)) : i in &N})
fun logsumsum(M) = sum({logsum(10 * (N+1) / M) : N in &M})
fun ws(c) = c == ' ' || c >= '\t' && c <= '\r'
fun pc(c) = c <= '~' && c > ' '
fun pw(w) = reduce-or({pc(c): c in w})
fun wc(file) = let cs = read_file(file) in sum({ int(pw(w)) : w in sep({(c, ws(c)): c in cs})})
fun round_to_8(n) = (n | 7) + 1
fun line_len(l) =
  let ws = sep({(c, c == '\t') : c in l})
  in sum({ let n = #w - 1 in (is_last ? n : round_to_8(n)) : w in ws; is_last in tail_flags(ws) })
fun lines(cs) = sep({(c, c == '\n') : c in cs})
fun max_ll(file) = maximum({line_len(l) : l in lines(read_file(file))})
fun rev_line(w) = let v = tab(w); n = #v-1 in {v!(i == n ? i : n-1-i) : i in &n}
fun rev(file_in, file_out) =
  let cs = read_file(file_in); res = {rev_line(l) : l in lines(cs)} in write_file(file_out, concat(res))
fun row(l) = tab({ tab(f) : f in sep({(x, x == ' ') : x in l})})
fun index_field(r, ix) = let n = #r; i = n == 1 ? 0 : ix in if i < n then r ! i else [' ']
fun cut(file_in, out, ix) =
  let cs = read_file(file_in);
      res = { let f = index_field(row(l), ix) in { (c == ' ' ? '\n' : c) : c in seq(f)} : l in lines(cs) }
  in write_file(out, concat(res))
fun number(s) = zip(s, scan-plus({1 : _ in s}))
fun sum_3d(X) = let (x, y, z) = unzip(X) in (sum(x), sum(y), sum(z))
fun f(x, y) = (x.1 - y.1, x.2 - y.2, x.3 - y.3)
fun nbody(X) = {sum_3d({f(x, y) : y in seq(X)}) : x in seq(X)}
)");
  CHECK(types == R"(logsum(Int) : Real
logsumsum(Int) : Real
ws(a) : Bool
pc(a) : Bool
pw({a}) : Bool
wc([Char]) : Int
round_to_8(a) : Int
line_len({a}) : Int
lines({a}) : {{a}}
max_ll([Char]) : Int
rev_line({a}) : {a}
rev([Char], [Char]) : ()
row({a}) : [[a]]
index_field([[Char]], a) : [Char]
cut([Char], [Char], a) : ()
number({a}) : {(a, Int)}
sum_3d({(a, b, c)}) : (a, b, c)
f(a, b) : (c, d, e)
nbody([a]) : {(b, c, d)})");
}

TEST_CASE("every built-in has the type of the contract") {
  CHECK(type_of("sum(s)", "s") == "({a}) : a");
  for (const std::string f : {"product", "maximum", "minimum"}) CHECK(type_of(f + "({1.5})") == "() : Real");
  for (const std::string f : {"reduce-or", "reduce-and"}) CHECK(type_of(f + "(s)", "s") == "({Bool}) : Bool");
  for (const std::string f : {"reduce1-plus", "reduce1-times", "reduce1-max", "reduce1-min"})
    CHECK(type_of(f + "({1})") == "() : Int");
  for (const std::string f : {"reduce1-or", "reduce1-and"}) CHECK(type_of(f + "(s)", "s") == "({Bool}) : Bool");
  for (const std::string f : {"scan-plus", "scan-times", "scan-max", "scan-min"})
    CHECK(type_of(f + "({1})") == "() : {Int}");
  for (const std::string f : {"scan-or", "scan-and"}) CHECK(type_of(f + "(s)", "s") == "({Bool}) : {Bool}");
  CHECK(type_of("zip(s, t, u)", "s, t, u") == "({a}, {b}, {c}) : {(a, b, c)}");
  CHECK(type_of("let (x, y) = unzip(s) in (y, x)", "s") == "({(a, b)}) : ({b}, {a})");
  CHECK(type_of("unzip({(1, 'a', {true})})") == "() : ({Int}, {Char}, {{Bool}})");
  CHECK(type_of("concat(s)", "s") == "({{a}}) : {a}");
  CHECK(type_of("flagpart(s, f)", "s, f") == "({a}, {Bool}) : {{a}}");
  CHECK(type_of("sep(s)", "s") == "({(a, Bool)}) : {{a}}");
  CHECK(type_of("tail_flags(s)", "s") == "({a}) : {Bool}");
  CHECK(type_of("empty(s)", "s") == "({a}) : Bool");
  CHECK(type_of("the(s)", "s") == "({a}) : a");
  CHECK(type_of("length(v)", "v") == "([a]) : Int");
  CHECK(type_of("tab(s)", "s") == "({a}) : [a]");
  CHECK(type_of("seq(v)", "v") == "([a]) : {a}");
  CHECK(type_of("&n", "n") == "(Int) : {Int}");
  CHECK(type_of("v ! i", "v, i") == "([a], Int) : a");
  CHECK(type_of("s ++ t", "s, t") == "({a}, {a}) : {a}");
  CHECK(type_of("#s", "s") == "(a) : Int");
  for (const std::string x : {"1", "1.5", "'c'", "true"}) {
    CHECK(type_of("real(" + x + ")") == "() : Real");
    CHECK(type_of("int(" + x + ")") == "() : Int");
    CHECK(type_of("char(" + x + ")") == "() : Char");
  }
  for (const std::string f : {"sqrt", "log", "exp", "sin", "cos", "floor"})
    CHECK(type_of(f + "(x)", "x") == "(Real) : Real");
  CHECK(type_of("pow(x, y)", "x, y") == "(Real, Real) : Real");
  for (const std::string f : {"min", "max"}) {
    CHECK(type_of(f + "(1, 2)") == "() : Int");
    CHECK(type_of(f + "(1.0, x)", "x") == "(Real) : Real");
  }
  CHECK(type_of("(abs(1), abs(1.5))") == "() : (Int, Real)");
  CHECK(type_of("read_file(f)", "f") == "([Char]) : {Char}");
  CHECK(type_of("write_file(f, s)", "f, s") == "([Char], {Char}) : ()");
}

TEST_CASE("operators take the types of the contract, and a Char widens to Int") {
  // Result of x op y for x, y of Int, Real, Char, Bool; "-" where it is refused.
  const auto row = [](const std::string& op, const std::string& x) {
    std::string out;
    for (const std::string y : {"1", "1.5", "'c'", "true"}) {
      const std::string t = type_of(x + " " + op + " " + y);
      out += t.starts_with("() : ") ? t.substr(5, 1) : "-";
    }
    return out;
  };
  for (const std::string op : {"+", "-", "*", "/", "%"}) {
    CHECK(row(op, "1") == "I-I-");
    CHECK(row(op, "1.5") == "-R--");
    CHECK(row(op, "'c'") == "I-I-");
    CHECK(row(op, "true") == "----");
  }
  for (const std::string op : {"==", "!=", "<", "<=", ">", ">="}) {
    CHECK(row(op, "1") == "B-B-");
    CHECK(row(op, "1.5") == "-B--");
    CHECK(row(op, "'c'") == "B-B-");
    CHECK(row(op, "true") == "---B");
  }
  for (const std::string op : {"&", "^"}) {
    CHECK(row(op, "1") == "I-I-");
    CHECK(row(op, "1.5") == "----");
    CHECK(row(op, "true") == "---B");
  }
  for (const std::string op : {"<<", ">>"}) {
    CHECK(row(op, "1") == "I-I-");
    CHECK(row(op, "true") == "----");
  }
  for (const std::string op : {"&&", "||"}) {
    CHECK(row(op, "true") == "---B");
    CHECK(row(op, "1") == "----");
  }
  CHECK(type_of("b ? 'a' : 'b'", "b") == "(Bool) : Char");
  CHECK(type_of("b ? 'a' : 1", "b") == "(Bool) : Int");
  CHECK(type_of("(-1, -1.5, !true)") == "() : (Int, Real, Bool)");
  CHECK(printed("fun f(c) = 'a' + c", {{"c", integer}}) == R"(fun f(c : Int) : Int =
  let _1 : Char = 'a'
  let _2 : Int = int(_1)
  in add(_2, c)
)");
  CHECK(value_of("('a' + 1, 'b' - 'a', 'a' == 97, max('a', 3), true ? 'a' : 1)") == "(98, 1, true, 97, 97)");
}

TEST_CASE("what a parameter's uses leave open stays open, and is told apart") {
  CHECK(types_of(
            "fun f(x, y) = x + y\nfun g(x) = f(x, 1.5)\nfun h(x) = f(x, 'c')\nfun k(b) = b ? f(1, 2) : f('a', 'b')") ==
        "f(a, b) : c\ng(Real) : Real\nh(a) : Int\nk(Bool) : Int");
  CHECK(types_of("fun f(x) = x.2 ! x.1\nfun g(v) = f((0, v))") == "f(a) : b\ng([a]) : a");
  CHECK(types_of("fun f(s) = #s\nfun g() = (f({1}), f([1]))") == "f(a) : Int\ng() : (Int, Int)");
  CHECK(types_of("fun g() = f(1)\nfun f(x) = (x, x)") == "g() : (Int, Int)\nf(a) : (a, a)");  // any order
  CHECK(types_of("fun sum(x) = x ++ x\nfun g() = sum({'a'})") == "sum({a}) : {a}\ng() : {Char}");
  CHECK(type_of("let sum = sum(s); s = sum + 1.5 in s", "s") == "({Real}) : Real");
}

// --------------------------------------------------------------------------------------------------- refusals
TEST_CASE("what is known of a component at its last use is known at its first") {
  CHECK(type_of("(let _ = p.2 / p.2 in false, if false then (0, 0) else (0, p.2))", "p") == "(a) : (Bool, (Int, Int))");
  CHECK(type_of("let _ = min(p.2, p.2) in if false then {p.2} else {0}", "p") == "(a) : {Int}");
  CHECK(type_of("let x = p.1.2 - p.1.2 in (p.1.2, x, p.1.2 > 0.5)", "p") == "(a) : (Real, Real, Bool)");
  CHECK(core_of("fun main(p) = let _ = min(p.2, p.2) in if false then {p.2} else {0}",
                {{"p", snesl::tuple({boolean, integer})}})
            .body->type == sequence_of(integer));
}

TEST_CASE("wrong types are refused with what is expected and the mend") {
  const auto refused = [](const std::string& parameters, const std::string& e, const std::string& message) {
    INFO(e);
    CHECK(types_of("fun f(" + parameters + ")\n= " + e) == message);
  };
  refused("", "1 + true",
          "2:7 the right side of + has the type Bool | Int, Real or Char | int(...) makes 1 of true and 0 of false");
  refused("", "1 + 2.5",
          "2:3 + stands between Int and Real | operands of one type; a Char widens to Int | real(...) makes a Real of "
          "an Int");
  refused("s", "&s + 1",
          "2:3 the left side of + has the type {Int} | Int, Real or Char | a comprehension goes over its elements: "
          "{... : x in s}");
  refused("", "{1, 'a'}", "2:7 this element of the sequence has the type Char | Int | int(...) converts");
  refused("", "if 1 then 2 else 3", "2:6 the condition has the type Int | Bool | compare it: ... != 0");
  refused("", "if true then 2 else {3}",
          "2:23 this branch has the type {Int} | Int | a comprehension goes over its elements: {... : x in s}");
  refused("", "true ? {1} : {2}",
          "2:10 ? : chooses between scalars, and this has the type {Int} | Bool, Int, Real or Char | write if ... then "
          "... else ...");
  refused("v", "{x : x in tab(v)}",
          "2:13 what a comprehension goes over has the type [a] | {a} | seq(...) makes a sequence of a vector");
  refused("", "[1] ++ {2}", "2:3 the left side of ++ has the type [Int] | {a} | seq(...) makes a sequence of a vector");
  refused("", "{1} ! 0", "2:3 the left side of ! has the type {Int} | [a] | tab(...) makes a vector of a sequence");
  refused("", "sqrt(2)", "2:8 the argument of sqrt has the type Int | Real | write 2.0");
  refused("", "-'a'", "2:4 the operand of - has the type Char | Int or Real | int(...) converts");
  refused("", "(1, 2).3", "2:3 .3 is taken of (Int, Int) | a component from .1 to .2");
  refused("", "#3", "2:3 # is applied to Int | a vector or a sequence");
  refused("s", "s ++ {s}", "2:8 the right side of ++ has the type {{a}} | {a} | no type contains itself");
  refused("", "let (a, b) = (1, 2, 3) in a",
          "2:7 this pattern stands for a value of the type (Int, Int, Int) | (a, b)");
  refused("", "(1, 2) == (1, 2)",
          "2:3 the left side of == has the type (Int, Int) | Bool, Int, Real or Char\n2:13 the right side of == has "
          "the type (Int, Int) | Bool, Int, Real or Char");
  refused("", "zip()", "2:3 zip takes at least one argument | ({a}, {b}, ...)");
  refused("s", "sum(s, 1)", "2:3 sum takes 1 argument, 2 are given | 1 argument | its type is {n} -> n");
}

TEST_CASE("names that are not there are refused with the nearest one") {
  CHECK(types_of("fun f(xs) = smu(xs)") ==
        "1:13 there is no function smu | a function of the program or a built-in | did you mean sum?");
  CHECK(types_of("fun helper(x) = x\nfun f(x) = halper(x)") ==
        "2:12 there is no function halper | a function of the program or a built-in | did you mean helper?");
  CHECK(refusal_of("fun main() = qqqqqq(1)") ==
        "1:14 there is no function qqqqqq | a function of the program or a built-in | "
        "'lockstep primitives' lists the built-ins");
  CHECK(types_of("fun f(count) = cuont + 1") ==
        "1:16 there is no variable cuont | a name that is bound here | did you mean count?");
  CHECK(types_of("fun f(x) = (let y = x in y) + y") == "1:31 there is no variable y | a name that is bound here");
  CHECK(types_of("fun f(x) = f") == "1:12 f is a function | a variable | call it: f(...)");
  CHECK(types_of("fun f(sum) = sum({1})") ==
        "1:14 sum is a variable here, and is called | a function | rename the variable, which hides the function sum");
  CHECK(types_of("fun f(x) = x\nfun g() = f(1, 2)") == "2:11 f takes 1 argument, 2 are given | 1 argument");
}

TEST_CASE("recursion is refused by name, once, and what calls it is not") {
  const std::string rest =
      " | no recursion: functions are expanded where they are called | unfold it to a fixed depth, each level a "
      "function of its own";
  CHECK(types_of("fun f(x) = if x == 0 then 1 else x * f(x - 1) + f(x - 2)\nfun g() = f(3)") ==
        "1:38 f calls itself" + rest);
  CHECK(types_of("fun f(x) = g(x)\nfun g(x) = h(x)\nfun h(x) = f(x)\nfun main() = f(1)") ==
        "3:12 f calls itself by way of g and h" + rest);
}

TEST_CASE("the errors of all functions are reported together, once each, where they are") {
  CHECK(types_of("fun f(x) = x + true\nfun g() = f(1) + f(2)\nfun h() = 1 + 2.5\nfun k() = g()") ==
        "1:16 the right side of + has the type Bool | Int, Real or Char | int(...) makes 1 of true and 0 of false\n"
        "3:11 + stands between Int and Real | operands of one type; a Char widens to Int | real(...) makes a Real of "
        "an Int");
}

TEST_CASE("what does not fit a function is refused where it is called") {
  CHECK(types_of("fun f(v) = v + 1.0\nfun g() = f(2)") ==
        "2:13 the argument v of f has the type Int | Real | write 2.0");
  CHECK(types_of("fun f(x) = x.1 + 2\nfun g() = f(3)") == "2:11 in f (test.snesl:1:12), .1 is taken of Int | a tuple");
  CHECK(types_of("fun f(x, y) = x + y\nfun g(z) = f(z, z)\nfun h() = f(1, 2.5)") ==
        "3:11 in f (test.snesl:1:15), + stands between Int and Real | operands of one type; a Char widens to Int | "
        "real(...) makes a Real of an Int");
}

TEST_CASE("a variable with a sequence in it is refused inside a comprehension, by name and with tab") {
  const std::string rest =
      " | a variable without sequences: the body is evaluated for every element, and a sequence is traversed once"
      " | compute what it needs of s before the comprehension, or keep s: let v = tab(s) before it, and seq(v) in it";
  CHECK(types_of("fun f(s, n) = {sum(s) + x : x in &n}") ==
        "1:20 s, which is used inside a comprehension, is a sequence, of the type {Int or Real}" + rest);
  CHECK(types_of("fun f(n) = let s = ({n}, 1) in {s.2 : x in &n}") ==
        "1:33 s, which is used inside a comprehension, has a sequence in it, its type is ({Int}, Int)" + rest);
  CHECK(types_of("fun f(s) = {#s : x in &3}\nfun g(t) = f({t})") ==
        "2:14 in f (test.snesl:1:14), s, which is used inside a comprehension, is a sequence, of the type {a}" + rest);
  CHECK(types_of("fun f(s, n) = {x : x in &n | empty(s)}") ==
        "1:36 s, which is used inside a comprehension, is a sequence, of the type {a}" + rest);
  // Guards and branches may use sequences, and a comprehension its own element.
  CHECK(type_of("{sum(s) | b}", "s, b") == "({a}, Bool) : {a}");
  CHECK(type_of("if b then s else {x + 1 : x in s}", "s, b") == "({Int}, Bool) : {Int}");
  CHECK(type_of("{{#x | empty(x)} : x in s | #x > 1}", "s") == "({{a}}) : {{Int}}");
  CHECK(types_of("fun f() = tab({{1}})") ==
        "1:11 an element of what tab is given is a sequence, of the type {Int} | elements without sequences: a vector "
        "holds none"
        " | tab the inner sequences first: tab({tab(x) : x in s})");
  CHECK_THAT(types_of("fun f(n) = tab({(x, &x) : x in &n})"),
             Catch::Matchers::EndsWith(" | tab the inner sequences first: tab({(x, tab(y)) : (x, y) in s})"));
  CHECK(types_of("fun f(n) = tab({(x, tab(y)) : (x, y) in {(x, &x) : x in &n}})") == "f(Int) : [(Int, [Int])]");
  CHECK_THAT(
      types_of("fun f(n) = tab({{(x, &y) : y in &3} : x in &n})"),
      Catch::Matchers::EndsWith(" | tab the inner sequences first: tab({tab({(y, tab(z)) : (y, z) in x}) : x in s})"));
  CHECK(types_of("fun f(x) = [x]\nfun g() = f({1})") ==
        "2:13 in f (test.snesl:1:12), an element of this vector is a sequence, of the type {Int} | elements without "
        "sequences | tab(...) makes a vector of a sequence");
}

TEST_CASE("a type that nothing determines is Int where no value has it, and an error where it would show") {
  CHECK(value_of("#{} + #[]") == "0");
  CHECK(value_of("({}, [], {[] : x in &2})") == "({}, [], {[], []})");
  CHECK(value_of("let s = {} in s ++ {1.5}") == "{1.5}");
  CHECK(core_of("fun f() = {}").body->type == sequence_of(integer));
  CHECK(types_of("fun f() = let x = sum({}) in 1") ==
        "1:19 nothing determines the type of this: Int or Real | a use that says which"
        " | give an empty sequence its type: {0 | false} is one of Int, {0.0 | false} of Real");
  CHECK(refusal_of("fun f() = sum({})") ==
        "1:5 nothing determines the type of the result of f: Int or Real | give an empty sequence its type: {0 | "
        "false} is one of Int");
  CHECK(refusal_of("fun f() = sum({})\nfun g() = f() + 1.5") == "accepted");
  CHECK(types_of("fun f() = let x = the({}) in #x") ==
        "1:30 nothing determines the types of # | give an empty sequence its type: {0 | false} is one of Int");
}

// ------------------------------------------------------------------------------------------------ entry points
TEST_CASE("an entry point's open parameters take the types given, and an Int fits a Real") {
  const std::string add = "fun f(x, y) = x + y";
  CHECK(core_of(add, {{"x", integer}, {"y", integer}}).body->type == integer);
  CHECK(core_of(add, {{"x", integer}, {"y", real}}).parameters[0].type == real);
  CHECK(core_of(add, {{"x", character}, {"y", integer}}).body->type == integer);
  CHECK(core_of("fun f(s) = #s", {{"s", vector_of(tuple({real, boolean}))}}).parameters[0].type ==
        vector_of(tuple({real, boolean})));
  CHECK(core_of("fun f(s) = {x : x in s}", {{"s", sequence_of(sequence_of(integer))}}).body->type ==
        sequence_of(sequence_of(integer)));
  CHECK(core_of("fun f(s) = sum({x + 0.5 : x in s})", {{"s", sequence_of(integer)}}).parameters[0].type ==
        sequence_of(real));
  CHECK(core_of("fun f(s) = sum({x + 0.5 : x in s})").parameters[0].type == sequence_of(real));  // closed
  CHECK(core_of("fun g(x) = x\nfun f() = 1.5", {{"x", real}}, "g").name == "g");
  CHECK(core_of("fun g(x) = x\nfun f() = 1.5").name == "f");
  const auto entries = check(parsed("fun f(x, s) = {x + 1 : y in s}\nfun g(n) = &n"));
  REQUIRE(entries);
  CHECK_FALSE((*entries)[0].closed);
  CHECK((*entries)[1].closed);
  CHECK((*entries)[0].parameters == std::vector<std::string>{"x", "s"});
}

TEST_CASE("what nothing is given for is an Int where it may be, a tuple where a component is asked for") {
  const auto examples = [](const std::string& program) {
    const auto entries = check(parsed(program));
    REQUIRE(entries);
    return entries->back().examples;
  };
  using Types = std::map<std::string, Type>;
  CHECK(examples("fun f(x) = x + 1") == Types{{"a", integer}});
  CHECK(examples("fun f(n) = &n").empty());  // nothing is open
  CHECK(examples("fun f(x, y) = (x, y)") == Types{{"a", integer}, {"b", integer}});
  CHECK(examples("fun f(ps) = {(p.3, p.1) : p in ps}") == Types{{"a", tuple({integer, integer, integer})}});
  CHECK(examples("fun f(p) = p.1 + 0.5") == Types{{"a", tuple({real, integer})}});
  CHECK(examples("fun f(p) = p.2.1 && true") == Types{{"a", tuple({integer, tuple({prim(Prim::Bool), integer})})}});
  CHECK(examples("fun f(vs) = {#v : v in vs}") == Types{{"a", vector_of(integer)}});
  CHECK(examples("fun f(b, c) = b ? c : 'x'") == Types{{"a", integer}});
  // What they are given fits.
  const auto typed = TypedProgram::of(parsed("fun f(p) = #p.2 + p.1"));
  REQUIRE(typed);
  CHECK(typed->fits("f", {{"p", typed->entry_points()[0].examples.at("a")}}));
  CHECK_FALSE(typed->fits("f", {{"p", integer}}));
}

TEST_CASE("what is given and does not fit, is missing, or is no parameter is refused") {
  CHECK(refusal_of("fun f(x) = x + 1") ==
        "1:7 the parameter x of f fits values of several types: Int or Char | a value that says which | give it by "
        "name: x=...");
  CHECK(refusal_of("fun f(s) = {x + 1 : x in s}", {{"s", integer}}) ==
        "1:7 the parameter s is given a value of the type Int | {Int or Char}");
  CHECK(refusal_of("fun f(s) = tab(s)", {{"s", sequence_of(sequence_of(integer))}}) ==
        "1:7 the parameter s is given a value of the type {{Int}} | {a} | in f (test.snesl:1:12), an element of what "
        "tab is given must not be a sequence");
  CHECK(refusal_of("fun f(x, y) = x + y", {{"x", real}, {"y", character}}) ==
        "1:15 with the values given, + stands between Real and Char");
  CHECK(refusal_of("fun f(x) = &x", {{"x", real}}) == "1:7 the parameter x is given a value of the type Real | Int");
  CHECK(refusal_of("fun f(count) = &count", {{"cont", integer}}) ==
        "1:5 f has no parameter cont | did you mean count?");
  CHECK(refusal_of("fun main() = 1", {}, "mian") == "1:1 there is no function mian | did you mean main?");
}

TEST_CASE("a variable that is only handed to an unused parameter is in no using list") {
  const auto core = core_of("fun f(n) = 7\nfun g(ns) = {{f(n) | n > 2} : n in seq(ns)}", {{"ns", vector_of(integer)}});
  CHECK(core::print(core).find("using n") == std::string::npos);
}

}  // namespace snesl_elaborate_test
