// Programs after reports of what went wrong in fusion elsewhere (github.com/diku-dk/futhark/issues, by number; l0.md
// §6): what is decided, and that every stage and the calculus give what the source gives. Which of them have no
// construct here is said in translate/l0/README.md.
#include "props/l0/generate.h"
#include "tests/unit/l0_agrees.h"
#include "translate/l0/pipeline.h"

namespace l0_reports_test {
using namespace lockstep;
using test::l0_errors;

namespace {

// "x -> y: map∘map; " in full fusion, and that it is right.
std::string decided(const std::string& text) {
  CHECK(test::l0_agrees(text, 30).lowered >= 2);
  const l0::Program p = test::l0_program(text);
  std::string out;
  for (const fusion::Decision& d : l0::fusions_of({p, p.functions.back().name}, l0::FusionMode::Full))
    out += d.producer + " -> " + d.consumer + ": " + (d.obstacle ? "stays" : d.rule) + "; ";
  return out;
}

const std::string added = "map(fn [real] ([real] r) => map(op +, zip(v, r)), m)";

}  // namespace

TEST_CASE("2474: a reduction does not go into the map behind it, square or not") {
  CHECK(
      decided("fun [real] main([[real]] m, [real] v) = let moved = " + added +
              " in let sums = reduce(fn [real] ([real] p, [real] q) => map(op +, zip(p, q)), replicate(size(v), 0.0), "
              "moved) in map(op + (2.0), sums)") == "sums -> t_3: stays; moved -> sums: stays; ");
}

TEST_CASE("599, 164: scans of tuples from starts that are not neutral mean what is written") {
  CHECK(
      decided("fun [int] main(int n, [int] xs) = let s = scan(fn (int, int) ((int, int) x, (int, int) y) => let (a, b) "
              "= x in let (c, d) = y in (a * c + b, c + 2 * d), (1, 2), zip(xs, map(op + (n), xs))) in map(fn int "
              "((int, int) x) => let (a, b) = x in a + 1, s)")
          .find("stays; ") != std::string::npos);
  CHECK(
      decided("fun [(int, int)] main([int] xs) = scan(fn (int, int) ((int, int) x, (int, int) y) => let (most, trace) "
              "= x in let (value, other) = y in (most + value, 0), (0, 0), map(fn (int, int) (int x) => (x, x), xs))")
          .find("stays; ") != std::string::npos);
}

TEST_CASE("2204, 2119: a start that is not neutral is used once, and an operator that is not associative in order") {
  CHECK(decided("fun int main(int n, [int] xs) = reduce(op +, n, map(op + (1), xs))") == "t -> t_1: reduce∘map; ");
  CHECK(
      decided("fun (real, real) main([real] xs) = reduce(fn (real, real) ((real, real) a, (real, real) b) => let (low, "
              "high) = a in let (x, y) = b in (min(low, x), max(high, x)), (1e300, ~1e300), map(fn (real, real) (real "
              "x) => (x, 0.0), xs))") == "t, t_1 -> t_2, t_3: reduce∘map; ");
}

TEST_CASE("1358: what reads an array comes before what consumes it, row by row or not at all") {
  const std::string filled = "map(fn *[int] (*[int] r) => loop (r) = for i < size(r) do let r[i] = 1 in r in r, m)";
  CHECK(decided("fun [[int]] main(*[[int]] m) = let sums = map(fn int ([int] r) => reduce(op +, 0, r), m) in let n = " +
                filled + " in map(fn [int] ([int] r, int s) => map(op + (s), r), zip(n, sums))") ==
        "n -> t_3: map∘map; sums -> t_3: map∘map; ");
  CHECK(decided("fun [[int]] main(*[[int]] m) = let k = size(m) in let sums = map(fn int (int i) => reduce(op +, i, "
                "m[k - 1 - i]), iota(k)) in let n = " +
                filled + " in map(fn [int] ([int] r, int s) => map(op + (s), r), zip(n, sums))") ==
        "n -> t_4: map∘map; sums -> t_4: stays; ");
}

TEST_CASE("224: an array that somebody else has is not made a row that is consumed") {
  CHECK(l0_errors("fun *[[[real]]] main([[[real]]] a) = let b = map(fn [[real]] ([[real]] x) => transpose(x), a) in "
                  "map(fn *[[real]] (*[[real]] y) => let y[0] = copy(y[1]) in y, b)")
            .find("`b` may share data with `a`, which is a parameter without `*`") != std::string::npos);
  CHECK(l0_errors("fun [[int]] main([int] a, [bool] t) = let c = map(fn [int] (bool b) => if b then iota(size(a)) else "
                  "a, t) in map(fn [int] (*[int] r) => let r[0] = 42 in r, c)")
            .find("`c` may share data with `a`") != std::string::npos);
  CHECK(decided("fun [[int]] main([int] a, [bool] t) = let c = map(fn [int] (bool b) => if b then iota(size(a)) else "
                "copy(a), t) in map(fn [int] (*[int] r) => loop (r) = for i < size(r) do let r[i] = 4 in r in r, c)") !=
        "");
}

TEST_CASE("367: a row that is consumed is one of its own for each element") {
  CHECK(
      decided("fun [[int]] main(int n, [int] xs) = let row = map(op + (n), xs) in let a = replicate(size(xs), row) in "
              "map(fn *[int] (*[int] r, int x) => loop (r) = for i < size(r) do let r[i] = x + r[i] in r in r, zip(a, "
              "xs))") == "a -> t_1: stays; ");
}

TEST_CASE("526: a loop that turns a square around, and maps of its rows by number") {
  CHECK(decided("fun [[bool]] main([[int]] m, int n) = loop (t = m) = for i < n do transpose(t) in let rows = map(fn "
                "[int] (int i) => m[i], iota(size(m))) in map(fn [bool] ([int] p, [int] q) => map(op =, zip(p, q)), "
                "zip(t, rows))") == "rows -> t_5: map∘map; ");
}

TEST_CASE("762, 760: two that go over one map's arrays, or over one array, stay apart") {
  CHECK(decided(
            "fun ([real], real, real) main([real] x, [real] y) = let (a, b, c) = unzip(map(fn (real, real, real) (real "
            "p, real q) => (p + q, p - q, p * q), zip(x, y))) in (map(op + (1.0), a), reduce(op +, 0.0, b) + 2.0, "
            "reduce(op *, 1.0, c))") == "a, b, c -> t_2: stays; a, b, c -> t_1: stays; a, b, c -> t: stays; ");
  CHECK(
      decided("fun (int, int) main([int] xs) = let foo = map(op + (1), xs) in let bar = map(op + (2), xs) in (foo[0], "
              "bar[0])") == "");
}

TEST_CASE("182: a filter goes into the reduction behind it") {
  CHECK(decided("fun int main([int] xs) = reduce(op +, 0, filter(op < (0), xs))") == "t -> t_1: reduce∘filter; ");
  CHECK(decided("fun int main([int] xs) = reduce(max, 0, map(op * (2), filter(op > (5), filter(op < (0), xs))))") ==
        "t_2 -> t_3: reduce∘map; t_1 -> t_3: redomap∘filter; t -> t_3: redomap∘filter; ");
}

TEST_CASE("2444: what is simplified between two rounds of fusion fuses, and a second time nothing does") {
  const std::string text =
      "fun int dot([int] x, [int] y) = reduce(op +, 0, map(op *, zip(x, y)))\n"
      "fun [[int]] times([[int]] a, [[int]] b) = map(fn [int] ([int] r) => map(fn int ([int] c) => dot(r, c), "
      "transpose(b)), a)\n"
      "fun [[int]] main([[int]] w, [[int]] a, [[int]] b) = map(fn [int] ([int] p, [int] q) => map(op -, zip(p, q)), "
      "zip(times(w, a), times(w, b)))";
  CHECK(decided(text) ==
        "t_8_2 -> t_1_1_2: reduce∘map; t_5_2 -> t_7: map∘map; t_8_1 -> t_1_1_1: reduce∘map; t_5_1 -> t_7: map∘map; "
        "t_4_2 -> t_6: map∘map; t_4_1 -> t_6: map∘map; ");
  const l0::Entry last = l0::trace_of({test::l0_program(text), "main"}).last().as<l0::Entry>();
  CHECK(fusion::counts(l0::fusions_of(last, l0::FusionMode::Full)).empty());
}

TEST_CASE("1213, 485, 2018: what is updated is not read as it was before") {
  CHECK(decided(
            "fun [bool] main([int] xs) = map(fn bool (int x) => let ys = replicate(2, 0) in let ys[0] = x in let all = "
            "reduce(op &&, true, map(fn bool (int y) => y = 0, ys)) in let same = reduce(op &&, true, map(fn bool "
            "(int i) => ys[i] = 0, iota(2))) in all && same, xs)") ==
        "t_2 -> same: reduce∘map; t -> all: reduce∘map; ");
  CHECK(decided(
            "fun [int] main([int] xs) = let n = size(xs) in let a = map(op + (1), xs) in let v = map(fn int (int i) => "
            "a[n - 1 - i], iota(n)) in loop (a) = for i < n do let a[i] = v[i] + a[i] in a in a") == "");
  CHECK(decided(
            "fun *[[int]] main(*[[int]] m, [int] xs) = loop (m) = for i < size(m) - 1 do let r = copy(m[i]) in let m[i "
            "+ 1] = copy(r) in m in m") == "");
}

TEST_CASE("398, 708, 714, 1700: arrays of nothing keep the lengths that are known") {
  CHECK(decided("fun [[int]] main([int] xs, [int] ys) = let z = map(fn [int] (int x) => iota(size(ys)), xs) in map(fn "
                "[int] ([int] r) => map(op + (1), r), z)") == "z -> t_3: map∘map; ");
  CHECK(decided("fun [[int]] main([[int]] m) = map(fn [int] ([int] r) => map(op + (1), r), transpose(m))") == "");
  CHECK(test::l0_run("fun [[int]] main() = transpose(replicate(0, iota(4)))") == "[[], [], [], []] [4][0]");
  CHECK(test::l0_run("fun int main() = let m = transpose(replicate(0, iota(4))) in size(m)") == "4");
}

TEST_CASE("397: a check is not dropped with what is not used, nor with the array that it is of") {
  for (const char* text : {"fun int main([int] a, int i) = let d = a[i] in 5",
                           "fun int main([int] a, [int] b) = let t = map(op +, zip(a, b)) in size(a)",
                           "fun [int] main([int] a, [int] b) = let t = map(op /, zip(a, b)) in map(op + (1), t)",
                           "fun int main([int] a) = let r = map(fn [int] (int x) => iota(x), a) in size(r)"}) {
    INFO(text);
    const l0::Program p = test::l0_program(text);
    std::size_t trapped = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const auto in = props::l0::random_arguments(p.functions.back(), seed);
      const l0::Entry last = l0::trace_of({p, "main"}).last().as<l0::Entry>();
      const bool before = !l0::language()->meaning(AnyProgram(l0::language(), l0::Entry{p, "main"}), in, {});
      CHECK(before == !l0::language()->meaning(AnyProgram(l0::language(), last), in, {}));
      trapped += before;
    }
    CHECK(trapped > 5);
  }
}

TEST_CASE("1381, 1941: a wrong use is told with the consumption, the use, and the name between them") {
  CHECK(l0_errors("fun int main(*[int] a) = let b = a in let a[0] = 1 in b[0]") ==
        "1:55 `b` is used here, and `a`, with which it may share data, is consumed at p.l0:1:43\n");
}

TEST_CASE("810: what a loop hands on without a change may be updated behind it") {
  CHECK(
      decided(
          "fun *[int] main(int m, [int] a) = loop (b = copy(a)) = for d < m do b in loop (b) = for i < size(b) do let "
          "b[i] = 0 in b in b") == "");
}

}  // namespace l0_reports_test
