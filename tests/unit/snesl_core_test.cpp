// The core of SNESL: what sugar becomes (§2.2.1), how calls are expanded, and what the core's own check (Fig. 2.1, 2.2)
// refuses.
#include <catch2/catch.hpp>

#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/evaluate.h"
#include "semantics/snesl/parse.h"

namespace snesl_core_test {
using namespace lockstep;
using namespace lockstep::snesl;
using snesl::Type;
namespace surface = snesl::surface;

namespace {

const Type integer = prim(Prim::Int), boolean = prim(Prim::Bool), integers = sequence_of(integer);

SourceRef source_of(const std::string& text) { return std::make_shared<const Source>(Source{"test.snesl", text}); }
surface::Program parsed(const std::string& text) {
  auto p = snesl::parse_program(source_of(text));
  if (!p) FAIL(render(p.error()[0]));
  return *p;
}
using Given = std::map<std::string, Type>;
core::Program core_of(const surface::Program& program, const Given& given = {}) {
  auto p = elaborate(program, "", given);
  if (!p) FAIL(render(p.error()[0]));
  return *p;
}
std::string printed(const std::string& text, const Given& given = {}) {
  return core::print(core_of(parsed(text), given));
}
std::string refusal_of(const surface::Program& program) {
  const auto p = elaborate(program, "", {});
  return p ? "accepted" : p.error()[0].message;
}

class NoFiles : public Files {
  std::string read(const std::string&, const Region&) override { throw Bug("no file is read"); }
  void write(const std::string&, std::string, const Region&) override { throw Bug("no file is written"); }
};
std::string value_of(const std::string& text, const Given& given = {}, const Values& arguments = {}) {
  NoFiles files;
  const auto e = evaluate(core_of(parsed(text), given), arguments, files);
  return e ? show(e->value) : "trap " + e.error().primitive + " at " + show_position(e.error().region);
}

// n pieces of text, one after another.
template <class F>
std::string times(int n, F f) {
  std::string out;
  for (int k = 0; k < n; ++k) out += f(std::to_string(k), std::to_string(k + 1));
  return out;
}

}  // namespace

// --------------------------------------------------------------------------------------------------- desugaring
TEST_CASE("a text stands as it is written, what is not printable ASCII by its number") {
  CHECK(printed("fun f() = \" ~!\\\\\\\"\\n\\x1f\\x7f\\xff\"") ==
        "fun f() : [Char] =\n  \" ~!\\\\\\\"\\n\\x1f\\x7f\\xff\"\n");
}
TEST_CASE("arguments are let-inserted, in their order, each in the scope that it needs") {
  CHECK(printed("fun f(x) = &(x * x + 2)", {{"x", integer}}) == R"(fun f(x : Int) : {Int} =
  let _3 : Int =
    let _1 : Int = mul(x, x)
    let _2 : Int = 2
    in add(_1, _2)
  in &(_3)
)");
  CHECK(printed("fun f(x) = let y = &x; z = y in (z, \"a\\n\", 2.5)") == R"(fun f(x : Int) : ({Int}, [Char], Real) =
  let y : {Int} = &(x)
  let z : {Int} = y
  let _1 : [Char] = "a\n"
  let _2 : Real = 2.5
  in (z, _1, _2)
)");
}

TEST_CASE("a pattern is a variable and its components") {
  CHECK(printed("fun f(x) = let (a, (_, b)) = (1, (&x, x)) in a + b") == R"(fun f(x : Int) : Int =
  let _4 : (Int, ({Int}, Int)) =
    let _1 : Int = 1
    let _3 : ({Int}, Int) =
      let _2 : {Int} = &(x)
      in (_2, x)
    in (_1, _3)
  let a : Int = _4.1
  let _5 : ({Int}, Int) = _4.2
  let b : Int = _5.2
  in add(a, b)
)");
}

TEST_CASE("comprehensions list what their bodies use, guards what they use of any type") {
  CHECK(printed("fun f(n, s) = {x + n : x in s}", {{"n", integer}, {"s", integers}}) ==
        R"(fun f(n : Int, s : {Int}) : {Int} =
  {add(x, n) : x in s using n}
)");
  CHECK(printed("fun f(b, s) = {sum(s) + 0 | b}") == R"(fun f(b : Bool, s : {Int}) : {Int} =
  {
    let _1 : Int = reduce-plus(s)
    let _2 : Int = 0
    in add(_1, _2) | b using s}
)");
  // Through two levels, in the order of their first use; bound in between, only the inner one lists it.
  CHECK(printed("fun f(n, v) = {let k = i + n in {v ! k + n + j : j in &i} : i in &n}",
                {{"n", integer}, {"v", vector_of(integer)}}) ==
        R"(fun f(n : Int, v : [Int]) : {{Int}} =
  let _1 : {Int} = &(n)
  in {
    let k : Int = add(i, n)
    let _2 : {Int} = &(i)
    in {
      let _4 : Int =
        let _3 : Int = !(v, k)
        in add(_3, n)
      in add(_4, j) : j in _2 using v, k, n} : i in _1 using n, v}
)");
}

TEST_CASE("several generators are one over their zip, a condition is concat of guards") {
  CHECK(printed("fun f(s, t) = {x : x in s; (_, y) in t | y}",
                {{"s", integers}, {"t", sequence_of(tuple({integer, boolean}))}}) ==
        R"(fun f(s : {Int}, t : {(Int, Bool)}) : {Int} =
  let _4 : {{Int}} =
    let _1 : {(Int, (Int, Bool))} = zip(s, t)
    in {
      let x : Int = _2.1
      let _3 : (Int, Bool) = _2.2
      let y : Bool = _3.2
      in {x | y using x} : _2 in _1}
  in concat(_4)
)");
  CHECK(value_of("fun f() = {x + y : x in &3; (y, _) in {(1, 2), (3, 4), (5, 6)} | x != 1}") == "{1, 7}");
}

TEST_CASE("if is the one element of two guarded sequences, and evaluates the branch that it takes") {
  CHECK(printed("fun f(b, s) = if b then sum(s) else 1") == R"(fun f(b : Bool, s : {Int}) : Int =
  let _4 : {Int} =
    let _1 : {Int} = {reduce-plus(s) | b using s}
    let _3 : {Int} =
      let _2 : Bool = not(b)
      in {1 | _2}
    in ++(_1, _3)
  in the(_4)
)");
  CHECK(value_of("fun f() = {if x == 0 then 0 else 6 / x : x in &4}") == "{0, 6, 3, 2}");
  CHECK(value_of("fun f() = {(x == 0 ? 0 : 6 / x) : x in &4}") == "trap / at test.snesl:1:26");  // ? : evaluates both
}

TEST_CASE("&& and || are strict where the right side cannot trap, and conditionals where it can") {
  CHECK(printed("fun f(c) = c == 'a' || c >= 'b' && c <= 'c'", {{"c", prim(Prim::Char)}}) == R"(fun f(c : Char) : Bool =
  let _2 : Bool =
    let _1 : Char = 'a'
    in eq(c, _1)
  let _7 : Bool =
    let _4 : Bool =
      let _3 : Char = 'b'
      in ge(c, _3)
    let _6 : Bool =
      let _5 : Char = 'c'
      in le(c, _5)
    in and(_4, _6)
  in or(_2, _7)
)");
  CHECK(printed("fun f(n) = n == 0 || 1 / n == 1", {{"n", integer}}).find("in the(") != std::string::npos);
  CHECK(value_of("fun f() = {x == 0 || 6 / x == 3 : x in &4}") == "{true, false, true, false}");
  CHECK(value_of("fun f() = {x != 0 && 6 / x == 3 : x in &4}") == "{false, false, true, false}");
  CHECK(value_of("fun f() = false && the({true, true}) || true") == "true");
  CHECK(value_of("fun f() = true && the({true, true})") == "trap the at test.snesl:1:19");
  CHECK(value_of("fun f() = let v = [true] in {i < 1 && v ! i : i in &3}") == "{true, false, false}");
}

TEST_CASE("constructions, # and the other sugar") {
  CHECK(printed("fun f() = [1, 2]") == R"(fun f() : [Int] =
  let _3 : {Int} =
    let _1 : Int = 1
    let _2 : Int = 2
    in mkseq(_1, _2)
  in tab(_3)
)");
  CHECK(printed("fun f(s) = #s + #tab(s)", {{"s", integers}}).find("#(s)") != std::string::npos);
  CHECK(value_of("fun f() = (#{1, 2, 3}, #[1, 2], length([]), zip({1}), unzip({1}), (1, 'a').2)") ==
        "(3, 2, 0, {1}, {1}, 'a')");
  CHECK(value_of("fun f() = (7 % 4 << 2 | 1 ^ 3, true ^ true, 1.5 < 2.0)") == "(14, false, true)");
}

// --------------------------------------------------------------------------------------------------- expansion
TEST_CASE("calls are expanded at types of their own, arguments evaluated once, names bound once") {
  CHECK(printed("fun twice(x) = let y = x in x + y\nfun f(n) = (twice(n * 2), twice(1.5))", {{"n", integer}}) ==
        R"(fun f(n : Int) : (Int, Real) =
  let _2 : Int =
    let x : Int =
      let _1 : Int = 2
      in mul(n, _1)
    let y : Int = x
    in add(x, y)
  let _3 : Real =
    let x'1 : Real = 1.5
    let y'1 : Real = x'1
    in add(x'1, y'1)
  in (_2, _3)
)");
  // Names of the user with ' or _, and parameters, which keep theirs.
  CHECK(printed("fun f(x', _1) = let x = x'; _1 = _1; x' = x; _ = 2 in (x', _1)", {{"x'", integer}, {"_1", integer}}) ==
        R"(fun f(x' : Int, _1 : Int) : (Int, Int) =
  let x : Int = x'
  let _1'1 : Int = _1
  let x'1 : Int = x
  let _2 : Int = 2
  in (x'1, _1'1)
)");
}

TEST_CASE("a trap in an expanded function is where its operation is") {
  CHECK(value_of("fun f(x) = 10 / x\nfun main() = f(0)") == "trap / at test.snesl:1:12");
  CHECK(value_of("fun f(v) = v ! 3\nfun main() = f([1])") == "trap ! at test.snesl:1:12");
}

TEST_CASE("what expands to too much is refused at the call in the entry point") {
  const auto p = elaborate(
      parsed("fun f0(x) = x + 1\n" +
             times(60, [](auto k, auto next) { return "fun f" + next + "(x) = f" + k + "(f" + k + "(x))\n"; }) +
             "fun main() =\n  f60(1)"),
      "", {});
  REQUIRE_FALSE(p);
  CHECK(p.error()[0].message == "the calls of main expand to more than 200000 operations");
  CHECK(show_position(p.error()[0].region) == "test.snesl:63:3");
  CHECK(check(parsed("fun f0(x, y) = x - y\n" + times(60, [](auto k, auto next) {
                       return "fun f" + next + "(x, y) = f" + k + "(x, y) + f" + k + "(y, x)\n";
                     }))));
  CHECK(refusal_of(parsed("fun f0(x) = x + 1\n" +
                          times(4000, [](auto k, auto next) { return "fun f" + next + "(x) = f" + k + "(x) + 1\n"; }) +
                          "fun main() = f4000(1)")) ==
        "the calls of main expand to expressions nested more than 3000 deep");
  CHECK(refusal_of(parsed("fun f() = let x0 = 1; " +
                          times(60, [](auto k, auto next) { return "x" + next + " = (x" + k + ", x" + k + "); "; }) +
                          "y = 1 in y")) ==
        "a type in the expansion of f has more than 20,000 parts, or is nested more than 1,000 deep");
  CHECK(refusal_of(parsed("fun f0() = {}\n" + times(1200, [](auto k, auto next) {
                            return "fun f" + next + "() = {f" + k + "()}\n";
                          }))) == "the type of this is nested too deeply");
}

TEST_CASE("deep nesting and long lets are elaborated") {
  const auto deep = [](const std::string& open, const std::string& middle, const std::string& close) {
    return refusal_of(parsed("fun f() = let z = 1 in " + times(900, [&](auto, auto) { return open; }) + middle +
                             times(900, [&](auto, auto) { return close; })));
  };
  CHECK(deep("1 + (", "z", ")") == "accepted");
  CHECK(deep("{", "z", " : x in &z}") == "accepted");
  CHECK(deep("if z == 1 then 1 else ", "2", "") == "accepted");
  CHECK(deep("1 / z == 1 && (", "true", ")") == "accepted");
  CHECK(deep("{", "z", "}") == "accepted");
  CHECK(deep("let y = ", "z", " in y") == "accepted");

  // A let of 5,000 bindings, each with the one before, in a comprehension that uses what is around it.
  const auto expression = [](const std::string& text) { return *snesl::parse_expression(source_of(text)); };
  const auto name = [](const std::string& n) { return surface::Pattern{surface::NamePattern{n}, {}}; };
  const auto chain = [&](const std::string& step) {
    surface::LetExpr let{{}, expression("x5000")};
    for (int k = 0; k < 5'000; ++k) {
      const std::string x = k == 0 ? "i" : "x" + std::to_string(k);
      let.bindings.push_back({name("x" + std::to_string(k + 1)), expression(x + " + " + (step == "x" ? x : step))});
    }
    return surface::Expr{let, {}};
  };
  const surface::Expr body{surface::ComprehensionExpr{chain("z"), {{name("i"), expression("&3")}}, std::nullopt}, {}};
  const surface::Expr whole{surface::LetExpr{{{name("z"), expression("2")}}, body}, {}};
  CHECK(refusal_of({source_of(""), {{"f", {}, {}, whole}}}) == "accepted");
  // Of an open type, which all conditions narrow.
  const std::vector<surface::Parameter> both{{"i", {}}, {"z", {}}};
  CHECK(check({source_of(""), {{"f", {}, both, chain("x")}}}));
  CHECK(check({source_of(""), {{"f", {}, both, chain("z")}}}));
}

// ---------------------------------------------------------------------------------------------- the core's check
namespace {
core::Expr at(decltype(core::Expr::node) node, Type type) { return {std::move(node), std::move(type), {}}; }
core::Expr number(std::int64_t n) { return at(core::Literal{int_atom(n)}, integer); }
core::Expr variable(const std::string& n, const Type& t) { return at(core::Var{n}, t); }
core::Expr apply(core::Builtin b, std::vector<std::string> arguments, Type type) {
  return at(core::Apply{b, {}, {}, std::move(arguments)}, std::move(type));
}
core::Expr scalar(OperatorRef op, std::vector<std::string> arguments, Type type) {
  return at(core::Apply{core::Builtin::Scalar, op, {}, std::move(arguments)}, std::move(type));
}
core::Expr let(const std::string& n, core::Expr value, core::Expr body) {
  Type t = body.type;
  return at(core::Let{n, std::move(value), std::move(body)}, std::move(t));
}
// n : Int, b : Bool, s : {Int}, v : [Int], ss : {{Int}}, t : (Int, {Int})
std::string checked(core::Expr body) {
  return core::check({"f",
                      {{"n", integer},
                       {"b", boolean},
                       {"s", integers},
                       {"v", vector_of(integer)},
                       {"ss", sequence_of(integers)},
                       {"t", tuple({integer, integers})}},
                      std::move(body)});
}
core::Expr each(core::Expr body, std::vector<core::Using> variables) {
  Type t = sequence_of(body.type);
  return at(core::Comprehension{std::move(body), "x", "s", std::move(variables)}, std::move(t));
}
core::Expr when(core::Expr body, std::vector<core::Using> variables) {
  Type t = sequence_of(body.type);
  return at(core::Guarded{std::move(body), "b", std::move(variables)}, std::move(t));
}
}  // namespace

TEST_CASE("the core's check accepts what Fig. 2.1 types") {
  CHECK(checked(variable("s", integers)) == "");
  CHECK(checked(let("m", number(1), scalar(scalars::row<"+">(), {"m", "n"}, integer))) == "");
  CHECK(checked(each(scalar(scalars::row<"+">(), {"x", "n"}, integer), {{"n", integer}})) == "");
  CHECK(checked(when(variable("s", integers), {{"s", integers}})) == "");
  CHECK(checked(at(core::Project{"t", 1}, integers)) == "");
  CHECK(checked(apply(core::Builtin::Mkseq, {}, sequence_of(sequence_of(integer)))) == "");
  CHECK(checked(apply(core::Builtin::Zip, {"s", "ss"}, sequence_of(tuple({integer, integers})))) == "");
}

TEST_CASE("the core's check refuses wrong scopes and using lists") {
  CHECK(checked(variable("y", integer)) == "y is not in scope");
  CHECK(checked(each(scalar(scalars::row<"+">(), {"x", "n"}, integer), {})) == "n is not in scope");
  CHECK(checked(each(variable("x", integer), {{"n", integer}})) == "n is listed and not used");
  CHECK(checked(each(variable("n", integer), {{"n", integer}, {"n", integer}})) == "n is listed twice");
  CHECK(checked(each(variable("n", integer), {{"n", boolean}})) ==
        "the listed n has the type Int where Bool is wanted");
  CHECK(checked(each(variable("s", integers), {{"s", integers}})) ==
        "s, which a comprehension uses, has a sequence in it: {Int}");
  CHECK(checked(each(variable("t", tuple({integer, integers})), {{"t", tuple({integer, integers})}})) ==
        "t, which a comprehension uses, has a sequence in it: (Int, {Int})");
  CHECK(checked(when(variable("n", integer), {})) == "n is not in scope");
  CHECK(checked(when(variable("b", boolean), {})) == "b is not in scope");  // the condition is not listed by itself
  CHECK(checked(let("n", number(1), number(2))) == "n is bound twice");
  CHECK(checked(let("y", let("z", number(1), number(2)), variable("z", integer))) == "z is not in scope");
  CHECK(checked(let("y", each(variable("x", integer), {}), each(variable("x", integer), {}))) == "x is bound twice");
}

TEST_CASE("the core's check refuses wrong types") {
  CHECK(checked(variable("n", boolean)) == "n has the type Int where Bool is wanted");
  CHECK(checked(at(core::Literal{int_atom(1)}, prim(Prim::Real))) == "a literal has the type Int where Real is wanted");
  CHECK(checked(at(core::Tuple{{"n", "b"}}, tuple({integer, integer}))) ==
        "a tuple has the type (Int, Bool) where (Int, Int) is wanted");
  CHECK(checked(at(core::Project{"t", 2}, integer)) == "t has no such component");
  CHECK(checked(at(core::Let{"y", number(1), variable("n", integer)}, boolean)) ==
        "the body of a let has the type Int where Bool is wanted");
  CHECK(checked(scalar(scalars::row<"+">(), {"n", "b"}, integer)) == "add of operands that do not fit");
  CHECK(checked(scalar(scalars::row<"<">(), {"n", "n"}, integer)) ==
        "the result of scalar has the type Bool where Int is wanted");
  CHECK(checked(at(core::Comprehension{number(1), "x", "v", {}}, integers)) == "v is no sequence");
  CHECK(checked(at(core::Guarded{number(1), "n", {}}, integers)) ==
        "a condition has the type Int where Bool is wanted");
  CHECK(checked(at(core::Guarded{number(1), "b", {}}, integer)) ==
        "a comprehension has the type {Int} where Int is wanted");
  using B = core::Builtin;
  CHECK(checked(apply(B::Mkseq, {"n", "b"}, integers)) == "mkseq has the type {Bool} where {Int} is wanted");
  CHECK(checked(apply(B::The, {"v"}, integer)) == "a sequence is wanted where [Int] is");
  CHECK(checked(apply(B::Append, {"s", "ss"}, integers)) ==
        "the right side of ++ has the type {{Int}} where {Int} is wanted");
  CHECK(checked(apply(B::Append, {"s"}, integers)) == "++ with 1 arguments");
  CHECK(checked(apply(B::Tab, {"ss"}, vector_of(integers))) == "tab of {{Int}}");
  CHECK(checked(apply(B::Concat, {"s"}, integers)) == "a sequence is wanted where Int is");
  CHECK(checked(apply(B::Length, {"s"}, integer)) == "a vector is wanted where {Int} is");
  CHECK(checked(apply(B::SeqLength, {"v"}, integer)) == "a sequence is wanted where [Int] is");
  CHECK(checked(apply(B::Index, {"v", "b"}, integer)) == "the index has the type Bool where Int is wanted");
  CHECK(checked(apply(B::Unzip, {"s"}, tuple({integers}))) == "unzip of {Int}");
  CHECK(checked(apply(B::Sep, {"s"}, sequence_of(integers))) == "sep of {Int}");
  CHECK(checked(apply(B::Flagpart, {"s", "s"}, sequence_of(integers))) ==
        "the flags has the type {Int} where {Bool} is wanted");
  CHECK(checked(at(core::Apply{B::Reduce, {}, Monoid::Or, {"s"}}, integer)) == "or on Int");
  CHECK(checked(at(core::Apply{B::Scan, {}, Monoid::Plus, {"ss"}}, sequence_of(integers))) == "plus on {Int}");
  CHECK(checked(apply(B::ReadFile, {"v"}, sequence_of(prim(Prim::Char)))) ==
        "a file name has the type [Int] where [Char] is wanted");
}

}  // namespace snesl_core_test
