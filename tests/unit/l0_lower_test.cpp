// L0 in the calculus: what each form becomes, which ints are sizes, which sizes have to be equal, what stays on the
// interpreter.
#include <catch2/catch.hpp>

#include "proofs/sizes/solver.h"
#include "props/l0/compiled.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/l0_agrees.h"
#include "translate/l0/lower/lower.h"
#include "translate/l0/pipeline.h"

namespace l0_lower_test {
using namespace lockstep;

namespace {

tl::expected<InCalculus, NotLowered> lowered(const std::string& text) {
  const l0::Program p = test::l0_program(text);
  const l0::Entry last = l0::trace_of({p, p.functions.back().name}).last().as<l0::Entry>();
  return l0::in_calculus(last, standard_calculus(), proofs::z3_size_solver());
}
std::string text_of(const std::string& text) {
  const auto made = lowered(text);
  return made ? print(program_of(made->lowered)) : "stays: " + made.error().why;
}
bool has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}
// Random inputs, through every program up to the kernel.
void agrees(const std::string& text) {
  const props::l0::CheckCounts counts = test::l0_agrees(text, 6);
  CHECK(counts.lowered >= 2);
  CHECK(counts.met > 0);
}

}  // namespace

TEST_CASE("what L0 did not fuse is not fused behind it") {
  CHECK(lowered("fun [int] f([int] a) = map(op * (2), map(op + (1), a))")->program.fused);
}

TEST_CASE("forms of L0 in the calculus") {
  has(text_of("fun int f([int] a) = reduce(op +, 7, a)"), "reduceSeq (\\x_1 x -> x + x_1) 7i64 a");
  has(text_of("fun [int] f([int] a) = scan(op +, 7, a)"), "scan (\\x_1 x -> x + x_1) 7i64 a");
  has(text_of("fun [[int]] f([[int]] a) = transpose(a)"), "transpose a");
  has(text_of("fun [[[int]]] f([[[int]]] a) = transpose(2, 1, a)"), "map (\\row -> transpose row) a");
  has(text_of("fun [int] f([[int]] a) = flatten(2, a)"), "join a");
  has(text_of("fun int f([int] a, int i) = a[i]"), "a ! i");
  has(text_of("fun *[int] f(*[int] a, int i) = let a[i] = 1 in a"), "update a i 1i64");
  has(text_of("fun *[[int]] f(*[[int]] a, int i, int j) = let a[i, j] = 1 in a"), "update a i (update (a ! i) j 1i64)");
  has(text_of("fun int f(int k) = loop (s = 0) = for i < k do s + i in s"), "reduceSeq (\\i s -> s + i) 0i64 (iota k)");
  has(text_of("fun int f(int k) = loop (s = 0) = for i < k * k - 3 * k do s + i in s"), "iota (");
  has(text_of("fun int f([int] a) = loop (s = 0) = for i < a[0] do s + i in s"), "while");
  has(text_of("fun int f(int a, int b) = a pow b"), "integer_power a b");
}

TEST_CASE("an int that is a length is a size, and one that is none is a number") {
  const std::string text = text_of("fun [int] f(int n, int k) = map(op +(k), iota(n))");
  has(text, "(n : nat)");
  has(text, "(k : i64)");
  has(text_of("fun (int, [int]) f(int n) = (n, iota(n - 1))"), "where 1 <= n");
}

TEST_CASE("lengths that have to be equal are one, and what has to hold of others is a condition") {
  const auto made = lowered("fun [int] f([int] a, [int] b) = map(op +, zip(a, b))");
  REQUIRE(made);
  CHECK(made->lowered.arguments[0].lengths == made->lowered.arguments[1].lengths);
  const auto arguments = [&](const char* a, const char* b) {
    l0::Values leaves;
    for (const char* text : {a, b})
      leaves.push_back(*l0::parse_value(test::l0_source(text), l0::array_of(l0::int_type)));
    const auto found = props::l0::arguments_in_calculus(*made, leaves);
    return found ? "sizes " + show(found->sizes) : found.error();
  };
  CHECK(arguments("[1, 2]", "[3, 4]") == "sizes n = 2");
  CHECK(arguments("[1, 2]", "[3]") == "the length of b is 1, and n is 2");
  // what is asserted, where no operation goes over both
  const auto asserted = lowered("fun int f([int] a, [int] b) = let d = assertZip(a, b) in a[0] + b[0]");
  REQUIRE(asserted);
  CHECK(asserted->lowered.arguments[0].lengths == asserted->lowered.arguments[1].lengths);
  has(text_of("fun ([int], [int]) f([int] a, int k) = split(k, a)"), "where k <= n");
  // ... or a length of so many parts, whose name nothing else has
  const std::string halves = text_of(
      "fun [int] f([int] b, int n_parts) = map(fn int (int x, int y) => x + y * n_parts, zip(iota(size(b) / 2 * 2), "
      "b))");
  has(halves, "[n_parts] (b : [2*n_parts]i64) (n_parts_1 : i64)");
  has(text_of("fun [int] f([int] a, int k) = concat(iota(k), a)"), ": [");
}

TEST_CASE("what stays on the interpreter says why") {
  const auto stays = [](const std::string& text, const std::string& why) { has(text_of(text), "stays: " + why); };
  stays("fun [int] f([int] a) = filter(op <(0), a)", "the length of what filter gives is known only when it runs");
  stays("fun [int] f([int] a) = iota(a[0])", "the length of iota is known only when it runs");
  stays("fun [int] f([int] a) = replicate(a[0] + 1, 2)", "the length of replicate is known only when it runs");
  stays("fun [int] f([int] a) = let (b, c) = split(a[0], a) in b",
        "the length of the first part of split is known only when it runs");
  stays("fun int f(int n) = if n < 1 then 0 else 1 + f(n - 1)",
        "the call of f stays a call: it calls itself, and not as the last that it does");
  stays("fun int g(int n) = f(n - 1)\nfun int f(int n) = if n < 1 then 0 else g(n)",
        "the call of g stays a call: it calls itself, and not as the last that it does");
  stays("fun int f(int n) = f(n + 1)", "the call of f stays a call: it calls itself for ever");
  stays("fun [int] g([int] a, int n) = if n < 1 then a else g(concat(a, a), n - 1)\nfun [int] f([int] a) = g(a, 3)",
        "a length is n before a round and 2*n after it");
  stays("fun [int] f() = map(op +, zip(iota(2), iota(3)))", "the lengths 2 and 3 are never equal");
  stays("fun int f() = let a = iota(2) in a[2]", "the index 2 is outside an array of length 2");
  stays("fun [int] f([int] a) = loop (b = a) = for i < 3 do concat(b, b) in b",
        "a length is n before a round and 2*n after it");
}

TEST_CASE("a function that calls itself last is a loop") {
  has(text_of("fun int f(int n, int s) = if n < 1 then s else f(n - 1, s + n)"), "while");
  agrees(
      "fun int gcd(int a, int b) = if b == 0 then a else gcd(b, a % b)\n"
      "fun [int] main([int] xs, [int] ys) = map(fn int (int x, int y) => gcd(x, y), zip(xs, ys))");
  agrees(
      "fun int f(int n, int s) = if n < 1 then s else if n % 2 == 0 then f(n / 2, s + 1) else f(n - 1, s * 3)\n"
      "fun (int, int) main(int a, int b) = (f(a, b), f(b, a) + 1)");
  // what is given is computed from the last call's values, an array among them, which rounds update
  agrees(
      "fun *[int] fill(*[int] a, int i, int x) =\n"
      "  if i >= size(a) then let a[0] = x in a\n"
      "  else let a[i] = x in if x > 20 then fill(a, i + 2, x - 20) else fill(a, i + 1, x + i)\n"
      "fun [int] main([int] xs, int k) = fill(copy(xs), abs(k), 7)");
  // of two functions, one inside the other's rounds
  agrees(
      "fun int inner(int n, int s) = if n < 1 then s else inner(n - 1, s + 2)\n"
      "fun (int, [int]) outer(int n, int s, [int] a) =\n"
      "  if n < 1 then (s, a) else let t = inner(n % 5, s) in let b = map(op + (t), a) in outer(n - 1, t, b)\n"
      "fun (int, [int]) main([int] a, int k) = outer(k % 7, 1, a)");
}

TEST_CASE("programs of L0 give in the calculus what they give") {
  agrees(
      "fun [[int]] main([[int]] x, [[int]] y) = map(fn [int] ([int] r) => map(fn int ([int] c) =>\n"
      "  reduce(op +, 0, map(op *, zip(r, c))), transpose(y)), x)");
  agrees("fun (*[real], real) main(*[real] a, int k) = loop (a) = for i < k do let a[i] = a[i] + 1.0 in a in (a, 2.0)");
  agrees(
      "fun [int] main([int] a) = loop (b = copy(a)) = for i < size(a) do\n"
      "  loop (b) = for j < size(a) - i do let b[i + j] = b[i + j] + b[i] in b in b in b");
  agrees(
      "fun ([int], [bool], [char]) main([int] a, [bool] b, [char] c) =\n"
      "  unzip(map(fn (int, bool, char) (int x, bool y, char z) => (x + 1, not y, z), zip(a, b, c)))");
  agrees("fun ([int], int) main([int] a, int k) = let (x, y) = split(k, a) in (concat(y, x), size(y) * 3 + k % 2)");
  agrees("fun [[[int]]] main([[[int]]] a) = transpose(1, 2, transpose(2, ~1, a))");
  agrees("fun int main(int a, int b) = (a pow b) + (if a < b && b < 3 then min(a, b) else max(abs(a), b))");
  agrees("fun [real] main([real] a) = scan(fn real (real x, real y) => sqrt(abs(x)) + y, 1.5, a)");
  agrees(
      "fun (int, real) main([(int, real)] a) = reduce(fn (int, real) ((int, real) x, (int, real) y) =>\n"
      "  let (i, r) = x in let (j, s) = y in (i + j, r * s), (0, 1.0), a)");
  agrees("fun [[int]] main(int n, int m) = map(fn [int] (int i) => map(fn int (int j) => i * j, iota(m)), iota(n))");
}

}  // namespace l0_lower_test
