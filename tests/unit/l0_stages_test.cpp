// The stages of L0: on programs that use every construct, each gives what the source gives, has its form, keeps to
// types and uniqueness, and is read back.
#include <catch2/catch.hpp>

#include "tests/unit/l0_program.h"
#include "translate/l0/inline.h"
#include "translate/l0/normalise.h"
#include "translate/l0/pipeline.h"
#include "translate/l0/traps.h"

namespace l0_stages_test {
using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

// Each gives main, without parameters.
const std::vector<std::string>& programs() {
  static const std::vector<std::string> all = {
      // Fig. 15, before
      R"(fun int redplus1([int] a) = reduce(op +, 0, a)
fun [int] redplus2([[int]] a) = map(redplus1, a)
fun [int] mul1([int] a, [int] b) = map(op *, zip(a, b))
fun [[int]] mul2([[int]] a, [[int]] b) = map(mul1, zip(a, b))
fun [[int]] replin(int N, [int] a) = replicate(N, a)
fun [[int]] matmultFun(int N, [[int]] x, [[int]] y) =
  let yt = replicate(N, transpose(y)) in
  let ar = map(replin(N), x) in
  let abr = map(mul2, zip(ar, yt)) in
  map(redplus2, abr)
fun [[int]] main() = matmultFun(2, {{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}))",
      // §2.3.1
      R"(fun real dot([real] a) = reduce(op +, 0.0, map(op *, map(fn (real, real) (real x) => (x, ~x), a)))
fun real main() = dot({1.5, 2.0, ~3.0}))",
      // nested tuples, arrays of tuples, rows of them
      R"(fun [(int, (real, [int]))] make(int n) = map(fn (int, (real, [int])) (int i) => (i, (toReal(i), {i, i + 1})), iota(n))
fun (int, [(int, (real, [int]))], (real, [int])) main() =
  let a = make(3) in
  let (i, p) = a[1] in
  let b = concat(a, replicate(2, (9, p))) in
  let (first, rest) = split(2, b) in
  let c = copy(rest) in
  let c[0] = (7, (8.5, {5, 6})) in
  (size(a) + i, c, p))",
      // folds of tuples
      R"(fun (int, int) add((int, int) x, (int, int) y) = let (a, b) = x in let (c, d) = y in (a + c, b * d)
fun ((int, int), [(int, int)]) main() =
  let pairs = zip({1, 2, 3}, {4, 5, 6}) in
  (reduce(add, (0, 1), pairs), scan(add, (0, 1), filter(fn bool (int a, int b) => a != 2, pairs))))",
      // loops, updates, branches that give tuples
      R"(fun ([int], int) main() =
  let a = replicate(4, 0) in
  loop ((a, s) = (a, 0)) = for i < 4 do
    let (v, t) = if i % 2 == 0 then (i * 10, s) else let w = s + i in (w, w) in
    let a[i] = v in
    (a, t)
  in (a, s))",
      // && and || with calls; shifts of dimensions; partial applications
      R"(fun bool positive(int x) = x > 0 && 10 / x > 1
fun int add3(int a, int b, int c) = a + b + c
fun ([bool], [[[int]]], [int], int) main() =
  let t = transpose(1, 2, {{{1, 2}, {3, 4}}}) in
  (map(positive, {0, 3, 20}), t, map(add3(1, 2), flatten(2, {{1}, {2}})),
   if positive(0) || (let (a, b) = (positive(5), 1) in a) then 1 else 2))",
      // recursion; a consumed row; a text
      R"(fun int fact(int n) = if n == 0 then 1 else n * fact(n - 1)
fun ([[int]], int, [char]) main() =
  let m = replicate(2, iota(2)) in
  (map(fn *[int] (*[int] r) => let r[0] = fact(4) in r, m), size("abc"), concat("ab", {'c'})))",
      // core forms, as they stand in files
      R"(fun (int, [int], [int]) main() =
  let (a, b) = map2(fn (int, int) (int x, int y) => (x + y, x * y), iota(3), {4, 5, 6}) in
  let (c, d) = filter2(fn bool (int x, int y) => x < y, a, b) in
  (redomap2(op +, fn int (int e, int x, int y) => e + x * y, 0, c, d), c, d))",
      // what is decided by the left side
      R"(fun bool positive(int x) = x > 0
fun (bool, bool) main() = (0 < 1 || positive(1 / 0), 1 < 0 && positive(1 / 0)))",
      // names that hide others
      R"(fun int main() = let x = 1 in let y = (let x = x + 1 in x * 2) in let x = x + y in
  reduce(fn int (int x, int y) => x + y, x, map(fn int (int x) => x + 1, iota(3))))",
      // a trap, and rows of nothing
      R"(fun [(int, [int])] main() = map(fn (int, [int]) (int i) => (i, iota(i)), iota(3)))",
      R"(fun ([(int, [int])], [[real]]) main() =
  (map(fn (int, [int]) (int i) => (i, iota(4)), iota(0)), transpose(replicate(0, {1.0, 2.0}))))",
      R"(fun [(int, int)] main() = zip(iota(2), iota(3)))",
  };
  return all;
}

std::string shown(const tl::expected<l0::Values, Trap>& result) {
  if (!result) return "trap";  // which one is told of several, and under which name, may change
  std::string out;
  for (const l0::Value& leaf : *result) {
    const auto* a = std::get_if<l0::Array>(&leaf.node);
    const l0::Type type = a ? l0::leaf_type({a->type, a->shape.rank(), false}) : l0::scalar(l0::as_scalar(leaf).type);
    out += l0::show(leaf, type, ieee_domain()) + (a ? l0::show(a->shape.dimensions()) : "") + "; ";
  }
  return out;
}

bool has_tuple_type(const l0::Type& t, bool result) {
  if (const auto* tuple = l0::as<l0::TupleType>(t))
    return !result || std::any_of(tuple->items.begin(), tuple->items.end(),
                                  [](const l0::Type& item) { return has_tuple_type(item, false); });
  const l0::Type* e = l0::element_of(t);
  return e && has_tuple_type(*e, false);
}

}  // namespace

TEST_CASE("each stage of L0 gives what the source gives, and a program of its form") {
  for (const std::string& text : programs()) {
    INFO(text);
    const l0::Entry source{test::l0_program(text), "main"};
    const Trace trace = l0::trace_of(source);
    const std::string expected = shown(l0::language()->meaning(trace.steps[0].program, {}, {}));
    for (const Step& s : trace.steps) {
      INFO(s.name << "\n" << l0::language()->print(s.program));
      CHECK(shown(l0::language()->meaning(s.program, {}, {})) == expected);
      CHECK(shown(l0::language()->meaning(s.program, {}, {.poisons = true})) == expected);
      CHECK(wrong_read_back(s.program) == "");
      CHECK(l0::language()->check(s.program, {}).empty());
    }
    const l0::Program& flat = trace.after("tuples")->as<l0::Entry>().program;
    for (const l0::Function& f : flat.functions) {
      CHECK_FALSE(has_tuple_type(f.result, true));
      for (const l0::Parameter& p : f.parameters) CHECK_FALSE(has_tuple_type(p.type, false));
    }
    for (const char* stage : {"normalise", "inline", "simplify"})
      CHECK(l0::why_not_normal(trace.after(stage)->as<l0::Entry>().program) == "");
  }
}

TEST_CASE("what is not in normal form is told") {
  const auto why = [](const std::string& text) { return l0::why_not_normal(test::l0_program(text)); };
  CHECK_THAT(why("fun int f(int a) = f(a + 1)"), Contains("no operation on names"));
  CHECK_THAT(why("fun int f(int a) = let b = f(a + 1) in b"), Contains("an argument is no name or constant"));
  CHECK_THAT(why("fun int f(int a) = let b = (let c = a in c) in b"), Contains("a block"));
  CHECK_THAT(why("fun int f(int a) = let b = 1 + size(iota(a)) in b"), Contains("an operand"));
  CHECK(why("fun int f(int a) = let b = a + 1 in let c = f(b) in c * 2") == "");
}

TEST_CASE("what calls itself stays, and what is too large") {
  const auto left = [](const std::string& text) {
    const Trace trace = l0::trace_of({test::l0_program(text), "main"});
    std::string out;
    for (const std::string& call : l0::calls_left(trace.last().as<l0::Entry>().program)) out += call + "; ";
    return out;
  };
  CHECK(left("fun int f(int n) = if n == 0 then 0 else 1 + f(n - 1)\nfun int g(int n) = f(n) + 1\nfun int main() = "
             "g(3)") == "f calls f; main calls f; ");
  CHECK(left("fun bool even(int n) = if n == 0 then true else odd(n - 1)\n"
             "fun bool odd(int n) = if n == 0 then false else even(n - 1)\nfun bool main() = even(4)") ==
        "even calls odd; odd calls even; main calls even; ");
  CHECK(left("fun int f(int n) = n * n\nfun [int] main() = map(f, iota(3))").empty());
  const Trace trace = l0::trace_of(
      {test::l0_program("fun int f(int n) = if n == 0 then 0 else 1 + f(n - 1)\nfun int main() = f(3)"), "main"});
  const std::string text = l0::language()->print(trace.last());
  CHECK_THAT(text.substr(text.find("main")), Contains("f(3)") && !Contains("if"));
  std::string doubling = "fun int f0(int n) = n + 1\n";
  for (int k = 1; k <= 20; ++k) {
    const std::string before = "f" + std::to_string(k - 1) + "(n)";
    doubling += "fun int f" + std::to_string(k) + "(int n) = " + before + " * " + before + "\n";
  }
  CHECK_THAT(left(doubling + "fun int main() = f20(1)"), Contains("main calls f"));
}

TEST_CASE("operations on constants are folded unless they trap, and a branch that is decided is chosen") {
  const auto last = [](const std::string& type, const std::string& e) {
    const Trace trace = l0::trace_of({test::l0_program("fun " + type + " main(int n, bool b) = " + e), "main"});
    const std::string text = l0::language()->print(trace.last());
    return text.substr(text.find(" =") + 3, text.size() - text.find(" =") - 4);
  };
  CHECK(last("int", "let x = 2 in let y = x * 3 in y + n") == "6 + n");
  CHECK(last("int", "if 1 < 2 then n else n + 1") == "n");
  CHECK(last("bool", "true || b") == "true");
  CHECK(last("bool", "false && b") == "false");
  CHECK(last("bool", "true && b") == "b");
  CHECK(last("int", "1 / 0") == "1 / 0");
  CHECK(last("real", "1.0 / 0.0") == "1.0 / 0.0");
  CHECK(last("int", "let unused = n * 2 in 5") == "5");
  CHECK_THAT(last("int", "let unused = 1 / n in 5"), Contains("1 / n"));
  CHECK_THAT(last("int", "let unused = map(op + (1), iota(3)) in 5"), !Contains("map2"));
  CHECK_THAT(last("int", "let unused = map(op / (1), iota(3)) in 5"), Contains("map2"));
}

TEST_CASE("what cannot trap is known, and nothing else") {
  const auto traps = [](const std::string& e) {
    const l0::Program p = test::l0_program("fun [int] f(*[int] a, *[[int]] m, int n, real x) = let v = " + e + " in a");
    return l0::can_trap(*std::get<l0::LetBinding>(l0::as<l0::BlockExpr>(*p.functions[0].body)->bindings[0].node).value);
  };
  for (const char* e :
       {"n + 1", "n / 2", "x / 0.0", "n pow 3", "iota(3)", "size(a)", "copy(m)", "map(op + (1), a)",
        "reduce(op +, 0, a)", "filter(op < (0), a)", "scan(op *, 1, a)", "{1, n}", "concat(a, a)", "toReal(n)"})
    CHECK_FALSE(traps(e));
  for (const char* e :
       {"n / 0", "1 / n", "1 pow n", "iota(n)", "a[0]", "trunc(x)", "split(1, a)", "zip(a, a)", "assertZip(a, a)",
        "map(op / (1), a)", "map(fn [int] (int i) => iota(3), a)", "concat(m, m)", "{a, a}", "replicate(n, 0)"})
    CHECK(traps(e));
}

TEST_CASE("the example of §2.3.1 comes out as the paper prints it, up to names") {
  const Trace trace = l0::trace_of({test::l0_program(programs()[1]), "main"});
  const std::string text = l0::language()->print(*trace.after("tuples"));
  CHECK_THAT(text, Contains("let (t, t_1) = map2(fn (real, real) (real x) => (x, ~x), a) in"));
  CHECK_THAT(text, Contains("reduce2(op +, 0.0, map2(op *, t, t_1))"));
}

}  // namespace l0_stages_test
