// Fusion of L0: what is fused and what is not, by which rule and for which case (seed: Henriksen, Oancea, Fig. 8, 9,
// 14, 15, 18; l0.md §2 and 5), and that what comes out gives what the source gives.
#include <catch2/catch.hpp>

#include "tests/unit/l0_agrees.h"
#include "translate/l0/pipeline.h"

namespace l0_fusion_test {
using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

const std::string functions = R"(fun real f(real p) = p + 1.0
fun real g(real p) = p * 2.0
fun real h(real p) = p - 3.0
fun real g1(real p) = p * 4.0
fun real g2(real p) = p * 5.0
fun bool c1(real p) = p > 0.0
fun bool c2(real p) = p < 9.0
fun real add(real p, real q) = p + q
fun int addi(int p, int q) = p + q
)";

l0::Entry entry(const std::string& text) {
  l0::Program p = test::l0_program(text);
  std::string last = p.functions.back().name;
  return {std::move(p), std::move(last)};
}

// "x -> y: map∘map; z -> y: case 4; " of each pair, in the order in which they are decided.
std::string decided(const std::string& text, l0::FusionMode mode = l0::FusionMode::Paper) {
  static constexpr const char* cases[] = {"case 1", "case 2", "case 3", "case 4", "case 5", "case 6",
                                          "(5)",    "(6)",    "(7)",    "view",   "no rule"};
  std::string out;
  for (const fusion::Decision& d : l0::fusions_of(entry(text), mode))
    out += d.producer + " -> " + d.consumer + ": " +
           (d.obstacle ? cases[static_cast<std::size_t>(d.obstacle->why)] : d.rule) + "; ";
  return out;
}
std::string decided_of(const std::string& main) { return decided(functions + main); }

std::string counted(const std::string& text, l0::FusionMode mode = l0::FusionMode::Paper) {
  std::string out;
  for (const auto& [rule, n] : fusion::counts(l0::fusions_of(entry(text), mode)))
    out += rule + " " + std::to_string(n) + "; ";
  return out;
}

}  // namespace

TEST_CASE("what must not be fused is not, and the case is told (Fig. 9)") {
  // 1, also in a branch, a loop, an operation that consumes (E3)
  CHECK(decided_of("fun [real] main(*[real] a) = let x = map(f, a) in let a[1] = 3.33 in let y = map(g, x) in y") ==
        "x -> y: case 1; ");
  CHECK(decided_of("fun [real] main(*[real] a, bool t) = let x = map(f, a) in let b = if t then (let a[0] = 1.0 in a) "
                   "else a in let y = map(add, zip(x, b)) in y") == "x -> y: case 1; ");
  CHECK(decided_of("fun [real] main(*[real] a, int n) = let x = map(f, a) in loop (a) = for i < n do let a[i] = 0.5 in "
                   "a in let y = map(add, zip(x, a)) in y") == "x -> y: case 1; ");
  CHECK(
      decided_of("fun [real] main(*[[real]] m) = let x = map(fn real ([real] r) => r[0], m) in let y = map(fn *[real] "
                 "(*[real] r) => let r[0] = 1.0 in r, m) in let z = map(fn real (real p, [real] q) => p + q[0], "
                 "zip(x, y)) in z") == "y -> z: map∘map; x -> z: case 1; ");
  // 2
  CHECK(decided_of("fun [real] main([real] a, [real] b) = let x = filter(c1, a) in let y = filter(c2, b) in let z = "
                   "map(add, zip(x, y)) in z") == "y -> z: case 2; x -> z: case 2; ");
  CHECK(decided_of("fun [real] main([real] a) = let x = map(f, a) in let y = filter(c1, x) in y") ==
        "x -> y: case 2; ");
  // 3, in a loop and in a function
  CHECK(decided_of("fun [real] main([real] a, *[real] b, int n) = let x = map(f, a) in loop (b) = for i < n do let y = "
                   "map(op +, zip(b, x)) in y in b") == "x -> y: case 3; ");
  CHECK(decided_of("fun [[real]] main([real] a, [[real]] b) = let x = map(f, a) in map(fn [real] ([real] r) => let y = "
                   "map(op +, zip(r, x)) in y, b)") == "x -> y: case 3; ");
  // 4; without what comes behind, both branches fuse it
  const std::string branches =
      "fun ([real], [real]) main([real] a, bool c) = let x = map(f, a) in let w = if c then (let u = map(g1, x) in u) "
      "else (let v = map(g2, x) in v) in ";
  CHECK(decided_of(branches + "let z = map(h, x) in (w, z)") == "x -> z: case 4; x -> u: case 4; x -> v: case 4; ");
  CHECK(decided_of(branches + "(w, a)") == "x -> u: map∘map; x -> v: map∘map; ");
  CHECK(
      decided_of("fun ([real], [real]) main([real] a) = let x = map(f, a) in let y = map(g, x) in let z = map(h, x) in "
                 "(y, z)") == "x -> z: case 4; x -> y: case 4; ");
  // 5
  CHECK(decided_of("fun real main([real] a, int i) = let x = map(f, a) in let y = map(g, x) in x[i] + y[i]") ==
        "x -> y: case 5; ");
  // 6
  CHECK(
      decided_of("fun (real, real) main([real] a) = let (x, y) = map2(fn (real, real) (real p) => (p + 1.0, p * 2.0), "
                 "a) in let u = reduce(op +, 0.0, x) in let v = reduce(op *, 1.0, y) in (u, v)") ==
      "x, y -> v: case 6; x, y -> u: case 6; ");
  // no rule
  CHECK(
      decided_of("fun [real] main([real] a) = let x = map(f, a) in let y = scan(op +, 0.0, x) in let z = map(g, y) in "
                 "z") == "y -> z: no rule; x -> y: no rule; ");
  CHECK(decided_of("fun [real] main([[real]] m, [real] s) = let x = reduce(fn [real] ([real] p, [real] q) => map(op +, "
                   "zip(p, q)), s, m) in let y = map(g, x) in y") == "x -> y: no rule; ");
}

TEST_CASE("what the report names as the mend of a case makes it fuse") {
  struct Mend {
    const char *stays, *why, *mended, *rule;
  };
  const Mend all[] = {
      {"fun [real] main(*[real] a) = let x = map(f, a) in let a[1] = 3.33 in let y = map(g, x) in y", "case 1",
       "fun [real] main([real] a) = let x = map(f, a) in let b = copy(a) in let b[1] = 3.33 in let y = map(g, x) in y",
       "map∘map"},
      {"fun [real] main([real] a) = let x = filter(c1, a) in let y = map(f, x) in y", "case 2",
       "fun real main([real] a) = let x = filter(c1, a) in let y = reduce(add, 0.0, x) in y", "reduce∘filter"},
      {"fun [real] main([real] a, *[real] b, int n) = let x = map(f, a) in loop (b) = for i < n do let y = map(op +, "
       "zip(b, x)) in y in b",
       "case 3",
       "fun [real] main([real] a, *[real] b, int n) = let x = map(f, a) in let y = map(op +, zip(b, x)) in loop (y) = "
       "for i < n do map(g, y) in y",
       "map∘map"},
      {"fun ([real], [real]) main([real] a) = let x = map(f, a) in let y = map(g, x) in let z = map(h, x) in (y, z)",
       "case 4",
       "fun ([real], [real]) main([real] a) = let x = map(f, a) in let (y, z) = map2(fn (real, real) (real p) => "
       "(g(p), h(p)), x) in (y, z)",
       "map∘map"},
      {"fun real main([real] a, int i) = let x = map(f, a) in let y = map(g, x) in x[i] + y[i]", "case 5",
       "fun real main([real] a, int i) = let x = map(f, a) in let y = map(g, x) in y[i]", "map∘map"},
      {"fun (real, real) main([real] a) = let (x, y) = map2(fn (real, real) (real p) => (p + 1.0, p * 2.0), a) in let "
       "u "
       "= reduce(op +, 0.0, x) in let v = reduce(op *, 1.0, y) in (u, v)",
       "case 6",
       "fun (real, real) main([real] a) = let (x, y) = map2(fn (real, real) (real p) => (p + 1.0, p * 2.0), a) in let "
       "(u, "
       "v) = reduce2(fn (real, real) (real s, real t, real p, real q) => (s + p, t * q), 0.0, 1.0, x, y) in (u, v)",
       "reduce∘map"},
      {"fun [[real]] main(int n, [real] v) = let x = replicate(n, v) in let y = map(fn *[real] (*[real] q) => let q[0] "
       "= "
       "1.0 in q, x) in y",
       "(5)",
       "fun [[real]] main(int n, [real] v) = let x = replicate(n, v) in let y = map(fn [real] ([real] q) => let r = "
       "copy(q) in let r[0] = 1.0 in r, x) in y",
       "map∘replicate"},
      {"fun [int] main([int] a) = let x = map(fn [int] (int k) => iota(k), a) in let y = map(fn int ([int] r) => "
       "reduce(op +, 0, r), x) in y",
       "(6)",
       "fun [int] main([int] a) = let x = map(fn [int] (int k) => replicate(3, k), a) in let y = map(fn int ([int] r) "
       "=> "
       "reduce(op +, 0, r), x) in y",
       "map∘map"},
      {"fun real main([real] a) = let x = filter(c1, a) in let y = reduce(add, 0.0, x) in y / toReal(size(x))", "(7)",
       "fun real main([real] a) = let n = reduce(op +, 0, map(fn int (real p) => if c1(p) then 1 else 0, a)) in let x "
       "= "
       "filter(c1, a) in let y = reduce(add, 0.0, x) in y / toReal(n)",
       "reduce∘filter"},
  };
  for (const Mend& m : all) {
    INFO(m.why << ": " << m.mended);
    CHECK(decided_of(m.stays).find(std::string(m.why) + "; ") != std::string::npos);
    CHECK(decided_of(m.mended).find(": " + std::string(m.rule) + "; ") != std::string::npos);
  }
}

TEST_CASE("Fig. 8: three operations go into one, in this order, and what two want stays") {
  CHECK(decided_of(R"(fun ([real], [real]) main([real] w, [real] x2) =
  let x1 = map(f, w) in
  let u = map(g, x1) in
  let (y1, y2, y3) = map2(fn (real, real, real) (real a, real b) => (a + b, a - b, a * b), x1, x2) in
  let (z1, z2) = map2(fn (real, real) (real a, real b) => (a + b, a - b), y1, y2) in
  let (q1, q2) = map2(fn (real, real) (real a, real b, real c, real d) => (a + b, c - d), y3, z1, y2, y3) in
  let res = map2(fn real (real a, real b, real c, real d, real e) => a + b + c + d + e, q1, q2, z2, y1, y3) in
  (res, u))") ==
        "q1, q2 -> res: map∘map; z1, z2 -> res: map∘map; y1, y2, y3 -> res: map∘map; x1 -> res: case 4; x1 -> u: case "
        "4; ");
}

namespace {

const std::string p3 = R"(fun int redmin1([int] a) = reduce(min, 1200, a)
fun [int] redmin2([[int]] a) = map(redmin1, a)
fun [int] plus1([int] a, [int] b) = map(op +, zip(a, b))
fun [[int]] plus2([[int]] a, [[int]] b) = map(plus1, zip(a, b))
fun [int] mins1([int] a, [int] b) = map(min, zip(a, b))
fun [[int]] replin(int N, [int] a) = replicate(N, a)
fun [[int]] shortest(int N, [[int]] D) =
  let D3 = replicate(N, transpose(D)) in
  let D2 = map(replin(N), D) in
  let abr = map(plus2, zip(D3, D2)) in
  let partial = map(redmin2, abr) in
  map(mins1, zip(partial, D))
)";
// The same by two loops, which its file also held: its minimum is the second reduce∘map of Fig. 18.
const std::string p3_loops = R"(fun [[int]] loops(int N, *[[int]] D) =
  loop (D) = for i < N do
    loop (D) = for j < N do
      let columns = transpose(D) in
      let row = D[i] in
      let column = columns[j] in
      let sumrow = map(op +, zip(row, column)) in
      let minrow = reduce(min, 1200, sumrow) in
      let D[i, j] = min(D[i, j], minrow) in
      D in
    D in
  D
)";
const std::string p4 = R"(fun int redplus1([int] a) = reduce(op +, 0, a)
fun [int] redplus2([[int]] a) = map(redplus1, a)
fun [int] mul1([int] a, [int] b) = map(op *, zip(a, b))
fun [[int]] mul2([[int]] a, [[int]] b) = map(mul1, zip(a, b))
fun [[int]] replin(int N, [int] a) = replicate(N, a)
fun [[int]] matmultFun(int N, [[int]] x, [[int]] y) =
  let yt = replicate(N, transpose(y)) in
  let ar = map(replin(N), x) in
  let abr = map(mul2, zip(ar, yt)) in
  map(redplus2, abr)
)";
const std::string p5 = R"(fun int max(int x, int y) = if x < y then y else x
fun (int, int, int, int) reduceOp((int, int, int, int) x, (int, int, int, int) y) =
  let (mssx, misx, mcsx, tsx) = x in
  let (mssy, misy, mcsy, tsy) = y in
  (max(mssx, max(mssy, mcsx + misy)), max(misx, tsx + misy), max(mcsy, mcsx + tsy), tsx + tsy)
fun (int, int, int, int) mapOp(int x) = (max(x, 0), max(x, 0), max(x, 0), x)
fun int mssp([int] xs) = let (x, _, _, _) = reduce(reduceOp, (0, 0, 0, 0), map(mapOp, xs)) in x
)";

// With names as they come: n0, n1, ...; what is asserted of two arrays in one order or the other.
std::string up_to_names(const std::string& text) {
  static const std::set<std::string> words = {"fun",  "let",      "in",        "fn",   "int",
                                              "map2", "redomap2", "assertZip", "iota", "transpose"};
  std::map<std::string, std::string> names;
  std::string out, word;
  const auto end_word = [&] {
    if (!word.empty() && !words.contains(word) && std::isdigit(static_cast<unsigned char>(word[0])) == 0)
      word = names.emplace(word, "n" + std::to_string(names.size())).first->second;
    out += std::exchange(word, {});
  };
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    end_word();
    if (!std::isspace(static_cast<unsigned char>(c)))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  end_word();
  return out;
}

}  // namespace

TEST_CASE("P3, P4 and P5 have Fig. 18's counts") {
  CHECK(counted(p3) == "map∘map 5; map∘replicate 2; reduce∘map 1; ");
  CHECK(counted(p3_loops) == "reduce∘map 1; ");
  CHECK(counted(p4) == "map∘map 3; map∘replicate 2; reduce∘map 1; ");
  CHECK(counted(p5) == "reduce∘map 1; ");
}

TEST_CASE("P4 is Fig. 15 after fusion, up to names, iota(N) in its own let, and the order in an assertZip") {
  const Trace trace = l0::trace_of(entry(p4), l0::FusionMode::Paper);
  CHECK(up_to_names(l0::language()->print(trace.last())) ==
        up_to_names(R"(fun [[int]] matmultFun(int N, [[int]] x, [[int]] y) =
  let yt = transpose(y) in
  let i = iota(N) in
  let d1 = assertZip(x, i) in
  let res =
    map2(fn [int] ([int] a) =>
      let i2 = iota(N) in
      let d2 = assertZip(i2, yt) in
      let t1 =
        map2(fn int ([int] t2) =>
          let d3 = assertZip(a, t2) in
          let t3 =
            redomap2(fn int (int u, int v) => u + v,
              fn int (int e, int t4, int t5) =>
                let p = t4 * t5 in
                e + p,
              0, a, t2) in
          t3,
        yt) in
      t1,
    x) in
  res
)"));
}

TEST_CASE("P5 allocates nothing when it is fused, P4 its results") {
  const auto words = [](const std::string& text, const l0::Values& leaves, l0::FusionMode mode) {
    l0::Counts counts;
    REQUIRE(l0::language()->meaning(l0::trace_of(entry(text), mode).last(), leaves, {.counts = &counts}));
    return counts.allocated;
  };
  const auto array = [](std::vector<std::int64_t> shape) {
    std::string text = "iota(" + std::to_string(shape[0]) + ")", type = "[int]";
    if (shape.size() == 2)
      text = "map(fn [int] (int i) => iota(" + std::to_string(shape[1]) + "), " + text + ")", type = "[[int]]";
    const l0::Program p = test::l0_program("fun " + type + " main() = " + text);
    return *l0::evaluate(p, p.functions[0], {});
  };
  CHECK(words(p5, {array({10})}, l0::FusionMode::Off) == 40);
  CHECK(words(p5, {array({10})}, l0::FusionMode::Paper) == 0);
  const l0::Value n = l0::int_value(4);
  CHECK(words(p4, {n, array({4, 4}), array({4, 4})}, l0::FusionMode::Off) == 3 * 64 + 2 * 16);
  // the product and a transpose, and what holds the lengths: iota(N), and one for each row
  CHECK(words(p4, {n, array({4, 4}), array({4, 4})}, l0::FusionMode::Paper) == 2 * 16 + 4 + 4 * 4);
}

namespace {

// What main gives, of the source, and of the program after all stages where that is another.
std::string given(const std::string& main) {
  const l0::Entry source = entry(functions + main);
  const std::string before = test::l0_run(functions + main);
  const auto after = l0::language()->meaning(l0::trace_of(source).last(), {}, {});
  std::string text = after ? "" : "trap: " + after.error().primitive + ": " + after.error().message;
  if (after) {
    std::size_t next = 0;
    text = l0::show(l0::value_of_leaves(source.entry().result, *after, next), source.entry().result, ieee_domain());
    for (const l0::Value& leaf : *after)
      if (const auto* a = std::get_if<l0::Array>(&leaf.node)) text += " " + l0::show(a->shape.dimensions());
  }
  return before == text || (before.starts_with("trap") && text.starts_with("trap")) ? before
                                                                                    : before + ", then " + text;
}

}  // namespace

TEST_CASE("errata: what the paper's rules would make wrong stays right") {
  // E2: a producer whose length alone is asked does not vanish
  CHECK(given("fun int main() = let x = map(f, replicate(3, 1.0)) in size(x)") == "3");
  // E3: what is updated in a branch, in a loop
  CHECK(given("fun [real] main() = let a = replicate(2, 1.0) in let x = map(f, a) in let b = if size(x) > 1 then (let "
              "a[0] = "
              "5.0 in a) else a in map(add, zip(x, b))") == "[7.0, 3.0] [2]");
  CHECK(given("fun [real] main() = let a = replicate(2, 1.0) in let x = map(f, a) in loop (a) = for i < 2 do let a[i] "
              "= 0.5 in "
              "a in map(add, zip(x, a))") == "[2.5, 2.5] [2]");
  // E4: a row that is consumed is nobody else's
  CHECK(given("fun ([[int]], [int]) main() = let v = iota(2) in let x = replicate(2, v) in (map(fn *[int] (*[int] q) "
              "=> let "
              "q[0] = 9 in q, x), v)") == "([[9, 1], [9, 1]], [0, 1]) [2][2] [2]");
  CHECK(given("fun [[int]] main() = let v = iota(2) in let x = map(fn [int] (int i) => v, iota(2)) in map(fn *[int] "
              "(*[int] q) "
              "=> let q[0] = q[0] + 9 in q, x)") == "[[9, 1], [9, 1]] [2][2]");
  // E5: the length of what a filter leaves
  CHECK(given("fun int main() = let x = filter(op < (1), iota(4)) in reduce(op +, 0, x) + size(x)") == "7");
  // E15, E16: rows that differ, a trap that no consumer waits for
  CHECK(
      given("fun [int] main() = map(fn int ([int] r) => reduce(op +, 0, r), map(fn [int] (int k) => iota(k), {1, 2}))")
          .starts_with("trap"));
  CHECK(
      given(
          "fun [real] main() = let x = map(fn real (int i) => toReal(i / 0), iota(2)) in if size(x) > 5 then map(g, x) "
          "else replicate(1, 0.0)")
          .starts_with("trap"));
  CHECK(given("fun int main() = let a = iota(3) in let d = a[10] in 5").starts_with("trap"));
  // E17: halves of an odd length
  CHECK(given("fun int main() = let x = map(addi(1), iota(3)) in let (a, b) = split(size(x) / 2, x) in reduce(op +, 0, "
              "map(addi, zip(a, b)))")
            .starts_with("trap"));
  // E18: replicates that are both updated; copies of nothing else
  CHECK(given("fun ([int], [int]) main() = let a = replicate(2, 0) in let b = replicate(2, 0) in let a[0] = 1 in let "
              "b[1] = 2 in "
              "(a, b)") == "([1, 0], [0, 2]) [2] [2]");
  CHECK(given("fun [int] main() = map(addi(1), replicate(3, 4))") == "[5, 5, 5] [3]");
}

TEST_CASE("what fusion must not change, found by random programs") {
  // what nobody wants may trap
  CHECK(given("fun int main() = let (x, y) = map2(fn (int, int) (int p) => (p, 1 / p), iota(2)) in reduce(op +, 0, x)")
            .starts_with("trap"));
  // a replicate's row is handed on: it is no copy any more
  CHECK(given("fun ([[int]], [int]) main() = let a = iota(2) in let r = replicate(2, a) in let x = map(fn [int] ([int] "
              "e) => e, r) "
              "in let m = map(fn *[int] (*[int] e) => let e[0] = 7 in e, x) in (m, a)") ==
        "([[7, 1], [7, 1]], [0, 1]) [2][2] [2]");
  // an array that is consumed, and read in the function that is put before
  CHECK(
      given(
          "fun [[int]] main() = let m = replicate(2, iota(2)) in let x = map(fn int ([int] r) => m[1, 1] + r[0], m) in "
          "map(fn *[int] (*[int] r, int s) => let r[0] = s in r, zip(m, x))") == "[[1, 1], [1, 1]] [2][2]");
  // over nothing: a number that is made of elements is known of no row, also where it is the same for all
  CHECK(given("fun [[int]] main() = map(fn [int] (int y) => iota(y), map(fn int (int x) => 3, iota(0)))") ==
        "[] [0][0]");
  CHECK(given("fun [[int]] main() = map(fn [int] (int y) => iota(y), replicate(0, 3))") == "[] [0][0]");
  // over nothing: arrays that are not equally long
  CHECK(given("fun [[int]] main() = map(fn [int] (int x) => map(addi, zip(iota(2), iota(3))), iota(0))") ==
        "[] [0][2]");
  CHECK(given("fun [[int]] main() = map(fn [int] (int x) => map(addi, zip(replicate(2, x), iota(3))), iota(0))") ==
        "[] [0][2]");
  // of which one is not looked at, beside one that is made of several: the least length of all
  CHECK(given("fun [[int]] main() = let a = iota(3) in let w = scan(op +, 0, a) in let b = iota(0) in map(fn [int] "
              "(int e) => "
              "let x = map2(fn int (int p, int q) => p, w, b) in map2(fn int (int p, int q) => p, x, a), b)") ==
        "[] [0][0]");
  // by another name, in a function, in a branch that is taken
  const std::string a_and_b = "fun [[int]] main() = let a = iota(4) in let b = iota(2) in map(fn [int] (int e) => ";
  CHECK(given(a_and_b + "let p = a in let d = assertZip(p, b) in a, iota(0))") == "[] [0][2]");
  CHECK(given("fun int same([int] p, [int] q) = let d = assertZip(p, q) in 0\n" + a_and_b +
              "let d = same(a, b) in a, iota(0))") == "[] [0][2]");
  CHECK(given(a_and_b + "let k = if true then (let d = assertZip(a, b) in 1) else 0 in a, iota(0))") == "[] [0][2]");
  // inside an operation that another goes into
  CHECK(given(a_and_b +
              "let x = map(fn int (int v) => let d = assertZip(a, b) in v, b) in let y = map(fn [int] (int v) => "
              "a, x) in y[0], iota(0))") == "[] [0][2]");
}

TEST_CASE(
    "a length is asked of what is there where it is asked, and where that stands in the end") {  // by the campaign
  // in a loop that consumes what the map goes over
  test::l0_agrees(
      "fun [int] main(*[int] a) = let x = map(fn int (int v) => v + 1, a) in loop (l = a) = for i < size(a) do "
      "let l[i] = size(x) in l in x",
      20);
  // in an operation that goes behind the consumption
  test::l0_agrees(
      "fun real main(*[real] a) = let (y, z) = map2(fn (bool, int) (real e) => (e == 0.0, 1), a) in let (p, "
      "q) = map2(fn (int, int) (int e) => (e, 0), z) in let d = assertZip(p, q) in let x = map2(fn real (int "
      "e) => 0.5, z) in let a[0] = 1.0 in reduce(op +, a[0], x)",
      20);
  // in the function of one, into which the operation that consumes goes
  test::l0_agrees(
      "fun [int] main(*[[int]] a) = let m = map2(fn *[int] (*[int] e) => let e[0] = 0 in e, a) in let x = "
      "map2(fn int ([int] e) => let s = redomap2(fn int (int c, int d) => 0, fn int (int c, [int] p, [int] q) "
      "=> 0, 0, m, m) in e[0], m) in let y = map2(fn int (int k) => k + 1, x) in y",
      20);
}

TEST_CASE("split, transpose and flatten of what a map makes are done to what it goes over (§4.1)") {
  CHECK(
      decided_of(
          "fun real main([real] a) = let x = map(f, a) in let (x1, x2) = split(size(a) / 2, x) in let s = reduce(op +, "
          "0.0, map(add, zip(x1, x2))) in s") == "t_1 -> s: reduce∘map; x2 -> s: redomap∘map; x1 -> s: redomap∘map; ");
  CHECK(
      decided_of(
          "fun [real] main([[real]] m) = let x = map(fn [real] ([real] r) => map(f, r), m) in let t = transpose(x) in "
          "let y = map(fn real ([real] c) => reduce(op +, 0.0, c), t) in y")
          .find("t -> y: map∘map") != std::string::npos);
  CHECK(
      decided_of(
          "fun [real] main([[real]] m) = let x = map(fn [real] ([real] r) => map(f, r), m) in let t = flatten(2, x) in "
          "let y = map(g, t) in y") == "t -> y: map∘map; ");
}
}  // namespace l0_fusion_test
