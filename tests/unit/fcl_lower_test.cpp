// FCL in the calculus (fcl.md §3): levels as strategies, forces as places of memory, ints as sizes and indices; the
// program that comes out, and every stage after it, gives what the source gives.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "codegen/runtime/arrays.h"
#include "proofs/sizes/solver.h"
#include "props/dpia/lowered_arguments.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/language/arrays.h"
#include "tests/unit/fcl_program.h"
#include "translate/dpia/stage.h"
#include "translate/fcl/lower/lower.h"
#include "translate/fcl/pipeline.h"

namespace fcl_lower_test {
using namespace lockstep;

namespace {

const CalculusRef& calculus() {
  static const CalculusRef it = std::make_shared<const Calculus>(standard_calculus());
  return it;
}

tl::expected<InCalculus, NotLowered> lowered(const std::string& text, const std::string& type = "int",
                                             Launch launch = {}) {
  fcl::Entry e{test::fcl_program(text), "", {}, launch};
  e.definition = e.program.program.definitions.back().name;
  for (const auto& o : fcl::scheme_of(e).types)
    e.instance.types.emplace(o.name, *fcl::parse_type(test::fcl_source(type)));
  const fcl::Traced traced = fcl::trace_of(e);
  if (traced.stopped) throw Bug(traced.stopped->why);
  return fcl::in_calculus(traced.trace.last().as<fcl::Entry>(), *calculus(), proofs::z3_size_solver());
}
std::string text_of(const std::string& text, const std::string& type = "int") {
  const auto made = lowered(text, type);
  return made ? print(program_of(made->lowered)) : "stays: " + made.error().why;
}

struct Given {
  std::vector<Value> values;
  Leaves leaves;
};
Given given(const std::vector<std::string>& arguments) {
  Given out;
  for (const std::string& a : arguments) {
    fcl::Bound seen;
    REQUIRE_FALSE(fcl::note_types(test::fcl_source(a), fcl::named_type("a"), seen));
    out.values.push_back(*fcl::parse_value(test::fcl_source(a), seen.at("a")));
    const auto leaves = leaves_from(out.values.back(), fcl::shaped(seen.at("a"), out.values.back()), {}, ieee_domain());
    REQUIRE(leaves);
    out.leaves.insert(out.leaves.end(), leaves->begin(), leaves->end());
  }
  return out;
}

// What the source gives, if all programs after it do: on the CPU's way and the GPU's.
std::string through(const std::string& text, const std::vector<std::string>& arguments, const std::string& type = "int",
                    Launch launch = {}) {
  INFO(text);
  const auto made = lowered(text, type, launch);
  INFO((made ? print(program_of(made->lowered)) : made.error().why));
  REQUIRE(made);
  const Given g = given(arguments);
  const fcl::Inferred source = test::fcl_program(text);
  const auto expected = fcl::evaluate(source, source.program.definitions.back().name, g.values, {.launch = launch});
  const auto in_sizes = props::arguments_in_calculus(*made, g.leaves);
  if (!in_sizes) return (expected ? "" : "trap, ") + in_sizes.error();
  const PhraseProgram& p = made->program;
  const auto wanted = expected ? std::optional(flatten(*expected, p.result, in_sizes->sizes)) : std::nullopt;
  for (const Machine machine : {Machine::Cpu, Machine::Gpu})
    for (const Step& s : dpia_trace(p, *calculus(), machine).steps) {
      INFO(s.name << "\n" << s.program.language().print(s.program));
      CHECK(s.program.language().check(s.program, implied_by(proofs::z3_size_solver())).empty());
      const ArrayInput in{in_sizes->sizes, [&] { return values_of(p, *in_sizes); },
                          [&] {
                            Scalars out;
                            for (const Leaves& leaves : in_sizes->values)
                              for (const LeafArray& leaf : leaves) {
                                out.emplace_back();
                                for (std::int64_t k = 0; k < count_of(leaf); ++k)
                                  out.back().push_back(scalar_at(leaf, k));
                              }
                            return out;
                          }};
      const auto& language = array_language(s.program);
      if (!language.meaning) continue;
      const Attempt got = language.meaning(s.program, in, ieee_domain(), {});
      REQUIRE(got);
      REQUIRE(got->has_value() == wanted.has_value());
      if (!wanted) continue;
      REQUIRE((*got)->size() == wanted->size());
      for (std::size_t k = 0; k < wanted->size(); ++k) {
        REQUIRE((**got)[k].size() == (*wanted)[k].size());
        for (std::size_t j = 0; j < (*wanted)[k].size(); ++j) CHECK((**got)[k][j].bits == (*wanted)[k][j].bits);
      }
    }
  return expected ? show(*expected, ieee_domain()) : "trap: " + expected.error().primitive;
}
void has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("levels are strategies, and a level below its place is its first unit's") {
  has(text_of("fun f xs = push <grid> (reverse xs)"), "mapGlobal");
  has(text_of("fun f xs = push <block> (reverse xs)"), "(\\_ -> mapLocal");
  has(text_of("fun f xs = push <warp> (reverse xs)"), "mapWarp");
  has(text_of("fun f xs = push <thread> (reverse xs)"), "mapSeq");
  const std::string chunks = text_of(test::fcl_example("reverse"));
  has(chunks, "mapWorkgroup");
  has(chunks, "(arr : [chunkSize*n_parts]i32) : [chunkSize*n_parts]i32");
  has(chunks, "where 1 <= chunkSize =");
}

TEST_CASE("what is forced is written to the memory of its place") {
  has(text_of("fun f n xs = splitUp n xs |> map (fn c => push <block> (reverse (force (push <block> c)))) |> concat n"),
      "toLocal");
  has(text_of("fun f xs = push <grid> (map (fn x => index (force (push <thread> [x, x * 2])) 1) xs)"), "toPrivate");
  const std::string rounds = text_of(
      "fun f n xs = splitUp n xs |> map (fn c => push <block> (while (fn a => length a > 0 && index a 0 < 9) (fn a => "
      "push <block> (map (fn x => x + 1) a)) (push <block> c))) |> concat n");
  has(rounds.substr(rounds.find("while")), "(toLocal");  // what the rounds begin with
  const std::string reduced = text_of("fun f n xs = splitUp n xs |> map (reduce <block> (+) 0) |> concat 1");
  has(reduced.substr(reduced.find("while")), "(toLocal");
}

TEST_CASE("programs of FCL give in the calculus, and at every stage after it, what they give") {
  CHECK(through(test::fcl_example("reverse"), {"2", "[1,2,3,4]"}) == "[4, 3, 2, 1]");
  CHECK(through(test::fcl_example("reverse"), {"2", "[1,2,3]"}) ==
        "trap, the length of arr is 3, and is to be chunkSize*n_parts");
  CHECK(through(test::fcl_example("reverse"), {"2", "[]"}) == "[]");
  CHECK(through("fun f k xs = push <grid> (map (fn x => k * x) xs)", {"3", "[1,2]"}) == "[3, 6]");
  CHECK(through("fun f ps = push <grid> (map (fn p => (snd p, fst p)) ps)", {"[(1,true),(2,false)]"}, "int") != "");
  CHECK(through("fun f xs = let y = force (push <grid> (reverse xs)) in push <grid> (zipWith (+) y xs)", {"[1,2,3]"}) ==
        "[4, 4, 4]");
  CHECK(through("fun f xs = push <grid> (map (fn x => index (force (push <thread> [x, x * 2])) 1) xs)", {"[1,2]"}) ==
        "[2, 4]");
  CHECK(through(
            "fun f n xs = splitUp n xs |> map (fn c => push <block> (reverse (force (push <block> (map (fn x => x + 1) "
            "c))))) |> concat n",
            {"2", "[1,2,3,4]"}) == "[3, 2, 5, 4]");
  CHECK(through(
            "fun f n xs = splitUp n xs |> map (fn c => splitUp 2 c |> map (fn w => push <warp> (reverse w)) |> concat "
            "2) |> concat n",
            {"4", "[1,2,3,4,5,6,7,8]"}) == "[2, 1, 4, 3, 6, 5, 8, 7]");
  CHECK(through("fun f xs = push <thread> (reverse xs)", {"[1,2,3]"}) == "[3, 2, 1]");
  CHECK(through("fun f c xs = if c then push <grid> xs else push <grid> (reverse xs)", {"false", "[1,2]"}) == "[2, 1]");
  CHECK(through("fun f c xs = push <grid> (if c then xs else reverse xs)", {"true", "[1,2]"}) == "[1, 2]");
  CHECK(through("fun f n = push <grid> (generate n (fn i => i * i * i))", {"5"}) == "[0, 1, 8, 27, 64]");
  CHECK(through("fun f xs = push <grid> (map (fn x => sqrt x + double (int x)) xs)", {"[2.0,4.5]"}) ==
        "[3.414213562373095, 6.121320343559642]");
  CHECK(through("fun f m = push <grid> (map (fn r => index r 0 + length r) m)", {"[[1,2],[3,4]]"}) == "[3, 5]");
  CHECK(through("fun f k xs = push <grid> (map (fn x => k / x) xs)", {"5", "[1,0]"}) == "trap: /");
  CHECK(through("fun f xs ys = push <grid> (append xs ys)", {"[1]", "[2,3]"}) == "[1, 2, 3]");
  CHECK(through("fun f k xs = push <grid> (pad k 0 xs)", {"4", "[1,2,3]"}) == "[1, 2, 3, 0]");
  CHECK(through("fun f xs = push <grid> (map (fn x => index xs x) xs)", {"[1,0]"}) == "[0, 1]");
  CHECK(through("fun f xs = push <grid> (map (fn x => index xs x) xs)", {"[1,2]"}) == "trap: index");
  CHECK(through("fun f xs = push <grid> (map (fn x => assert (x > 0) x) xs)", {"[1,2]"}) == "[1, 2]");
  CHECK(through("fun f xs = push <grid> (map (fn x => assert (x > 0) x) xs)", {"[1,0]"}) == "trap: assert");
}

TEST_CASE("a loop whose rounds the block size decides is straight code, in any block") {
  for (int block = 1; block <= 64; block *= 2) {
    std::string xs;
    std::vector<int> sums;
    for (int k = 0; k < 4 * block; ++k) {
      xs += (xs.empty() ? "[" : ",") + std::to_string(3 * k - 7);
      if (k % (2 * block) == 0) sums.push_back(0);
      sums.back() += 3 * k - 7;
    }
    INFO("block " << block);
    CHECK(through(test::fcl_example("reduction"), {xs + "]"}, "int", {.block = block}) ==
          "[" + std::to_string(sums[0]) + ", " + std::to_string(sums[1]) + "]");
    CHECK(through(test::fcl_example("reduction"), {"[]"}, "int", {.block = block}) == "[]");
  }
  // halves of 31 are not equally long
  has(text_of(test::fcl_example("reduction"), "int"), "toLocal");
}

TEST_CASE("a length that something divides is so many parts, in a number as in an array") {
  const std::string program = "fun f k n = assert (n / k * k == n) (push <grid> (generate n (fn i => i / k)))";
  has(text_of(program), "fun f [n_parts] (k : nat) : [k*n_parts]i32");
  CHECK(through(program, {"2", "4"}) == "[0, 0, 1, 1]");
  CHECK(through(program, {"2", "5"}) == "trap, n is 5, and is to be k*n_parts");
}

TEST_CASE("what nothing reads is computed where it may trap") {
  const std::string program = "fun f k xs = let d = 1 / index xs 0 in push <grid> (reverse xs)";
  CHECK(through(program, {"1", "[2,3]"}) == "[3, 2]");
  CHECK(through(program, {"1", "[0]"}) == "trap: /");
  // found by random programs: an index that is a literal, and outside
  CHECK(through(
            "fun f k = concat 3 (map (fn c => push <block> (map (fn x => index c 2) c)) (splitUp 3 (pad 3 0 [k, 0])))",
            {"1"}) == "[0, 0, 0]");
  CHECK(through("fun f k xs = push <grid> (map (fn x => index [1, 2] 2) xs)", {"1", "[3]"}) == "trap: index");
}

TEST_CASE("ints wrap where FCL's do, also those that indices are made of") {
  CHECK(through("fun f xs = push <grid> (map (fn x => x * x + 1) xs)", {"[65536,2147483647]"}) == "[1, 2]");
  // i * 1000000 * 1000000 wraps: what is below a bound stays one, what may not be is an i32
  CHECK(through("fun f n = push <grid> (generate n (fn i => i * 1000000 * 1000000))", {"3"}) ==
        "[0, -727379968, -1454759936]");
  // as a length it is a condition that it does not
  CHECK(through("fun f n = push <grid> (generate (n * n) (fn i => i))", {"2"}) == "[0, 1, 2, 3]");
  CHECK(through("fun f n = push <grid> (generate (n * n) (fn i => i))", {"65536"}) ==
        "n*n <= 2147483647 does not hold");
  // one that never holds is not left out for what would follow from it
  CHECK(text_of("fun f xs = push <grid> [length (generate ((2 * length xs + 1) * 65536 * 65536) (fn i => i)) / 2]") ==
        "stays: on the sizes at which it runs, no sizes satisfy the facts of f");
}

TEST_CASE("loops go over an array whose length stays, or over a length and an array") {
  CHECK(through("fun f xs = foldl (fn a b => a * 10 + b) 0 xs", {"[1,2,3]"}) == "[123]");
  CHECK(through("fun f xs = foldl (+) 7 xs", {"[]"}) == "[7]");
  CHECK(through("fun f xs = scanl (+) 1 xs", {"[1,2,3]"}) == "[1, 2, 4, 7]");
  CHECK(through("fun f n xs = concat 1 (map (fn c => foldl (+) 0 c) (splitUp n xs))", {"2", "[1,2,3,4]"}) == "[3, 7]");
  for (const char* level : {"thread", "warp", "block", "grid"})
    for (int n : {0, 1, 2, 3, 5, 8}) {
      std::string xs;
      for (int k = 0; k < n; ++k) xs += (k ? "," : "") + std::to_string(k + 1);
      INFO(level << " " << n);
      CHECK(through("fun f xs = reduce <" + std::string(level) + "> (+) 0 xs", {"[" + xs + "]"}) ==
            "[" + std::to_string(n * (n + 1) / 2) + "]");
    }
  CHECK(through("fun f n xs = concat 1 (map (fn c => reduce <block> (fn a b => a * 10 + b) 0 c) (splitUp n xs))",
                {"3", "[1,2,3,4,5,6]"}) == "[123, 456]");
  // a whole reduction of blocks' reductions, chunks as many as there are
  const std::string whole =
      "fun f xs = let once = fn ys => splitUp 4 ys |> map (fn c => reduce <block> (+) 0 c) |> concat 1 in while (fn ys "
      "=> length ys > 1) once (once xs) |> (fn ys => push <grid> (generate 1 (fn i => index ys 0)))";
  CHECK(through(whole, {"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]"}) == "[136]");
  CHECK(through(whole, {"[1,2,3,4,5,6,7,8]"}) == "trap: splitUp");
  // odd-even transposition
  CHECK(through("fun f n xs = while (fn s => fst (index s 0) < n) (fn s => push <grid> (generate (length s) (fn i => "
                "let k = fst (index s 0) p = (i + k) mod 2 j = if p == 0 then min (i + 1) (length s - 1) else max (i - "
                "1) 0 a = snd (index s i) b = snd (index s j) in (k + 1, if p == 0 then min a b else max a b)))) (push "
                "<grid> (map (fn x => (0, x)) xs)) |> map (fn p => snd p) |> push <grid>",
                {"6", "[5,4,1,3,2,0]"}) == "[0, 1, 2, 3, 4, 5]");
  const auto loop = [](const std::string& condition, const std::string& step) {
    return "fun f xs = let y = while (fn a => " + condition + ") (fn a => push <grid> (" + step +
           ")) (push <grid> xs) in push <grid> (generate 1 (fn i => index y 0))";
  };
  CHECK(through(loop("length a > 1", "snd (halve a)"), {"[1,2,3,4,5]"}) == "[5]");
  CHECK(through(loop("length a > 0", "drop 1 a"), {"[1,2]"}) == "trap: index");
  CHECK(through(loop("length a > 0", "a"), {"[1,2]"}) == "trap: while");  // endless
  CHECK(through(loop("length a > 1", "take (length a / 2 * 2) a"), {"[1,2,3]"}) == "trap: while");
  CHECK(through(loop("length a < 9", "append a a"), {"[1,2]"}) == "trap: while");  // it outgrows
  CHECK(through(loop("index a 0 < 9", "map (fn x => x + x) (reverse a)"), {"[1,2]"}) == "[16]");
}

TEST_CASE("examples of FCL sort, scan, multiply and reduce, at every stage") {
  std::uint32_t seed = 7;
  const auto drawn = [&](int n) {
    std::vector<int> out;
    for (int k = 0; k < n; ++k) out.push_back(static_cast<int>((seed = seed * 1664525 + 1013904223) >> 24) - 100);
    return out;
  };
  const auto text = [](const auto& xs, const char* point = "") {
    std::string out;
    for (const auto& x : xs) out += (out.empty() ? "" : ", ") + std::to_string(x) + point;
    return "[" + out + "]";
  };
  for (int n : {0, 1, 2, 4, 7, 8, 16}) {
    INFO(n);
    const std::vector<int> xs = drawn(n);
    std::vector<int> sorted = xs;
    std::sort(sorted.begin(), sorted.end());
    const std::string program = test::fcl_example("sort");
    if ((n & (n - 1)) == 0) CHECK(through(program, {text(xs)}) == text(sorted));
    CHECK(through(program.substr(0, program.find("sig bitonic")), {text(xs)}) == text(sorted));
  }
  for (const auto& [chunk, chunks] : {std::pair(1, 3), {2, 2}, {5, 2}, {8, 1}, {3, 0}}) {
    INFO(chunk << " " << chunks);
    const std::vector<int> xs = drawn(chunk * chunks);
    std::vector<int> sums = xs;
    for (int k = 0; k < chunk * chunks; ++k)
      if (k % chunk > 0) sums[static_cast<std::size_t>(k)] += sums[static_cast<std::size_t>(k - 1)];
    CHECK(through(test::fcl_example("scan"), {std::to_string(chunk), text(xs)}) == text(sums));
  }
  for (const auto& [t, n] : {std::pair(1, 1), {1, 2}, {2, 2}, {2, 4}}) {
    INFO(t << " " << n);
    const std::vector<int> a = drawn(n * n), b = drawn(n * n);
    std::vector<int> c;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        c.push_back(0);
        for (int k = 0; k < n; ++k)
          c.back() += a[static_cast<std::size_t>(i * n + k)] * b[static_cast<std::size_t>(k * n + j)];
      }
    CHECK(through(test::fcl_example("matmul"), {std::to_string(t), std::to_string(n), text(a, ".0"), text(b, ".0")}) ==
          text(c, ".0"));
  }
  const std::vector<int> xs = drawn(16);
  CHECK(through(test::fcl_example("reduction_whole"), {text(xs)}, "int", {.block = 2}) ==
        "[" + std::to_string(std::accumulate(xs.begin(), xs.end(), 0)) + "]");
}

TEST_CASE("an interleave whose places are digits of its indices in another order is transposed") {
  for (const auto& [t, cols, rows] : {std::array{1, 3, 2}, {2, 4, 2}, {2, 4, 6}, {3, 3, 9}}) {
    std::string matrix, transposed;
    for (int k = 0; k < cols * rows; ++k) {
      matrix += (k ? "," : "[") + std::to_string(k);
      transposed += (k ? ", " : "[") + std::to_string(k % rows * cols + k / rows);
    }
    INFO(t << " " << cols << " " << rows);
    CHECK(through(test::fcl_example("transpose"),
                  {std::to_string(t), std::to_string(cols), std::to_string(rows), matrix + "]"}) == transposed + "]");
  }
  const std::string text = text_of(test::fcl_example("transpose"));
  has(text, "|> mapTranspose");
  CHECK(text.find("mat ! x") != std::string::npos);
  CHECK(text.find(") ! ") == std::string::npos);  // no index that is checked
  const auto placed = [](const std::string& place) {
    return "fun f n xs = let m = length xs / n in splitUp n xs |> map (push <block>) |> interleave n (fn p => " +
           place + ")";
  };
  const std::vector<std::string> six = {"3", "[0,1,2,3,4,5]"}, twelve = {"4", "[0,1,2,3,4,5,6,7,8,9,10,11]"};
  CHECK(through(placed("snd p * m + fst p"), six) == "[0, 3, 1, 4, 2, 5]");
  CHECK(through(placed("snd p + n * fst p"), six) == "[0, 1, 2, 3, 4, 5]");
  // digits that count down
  CHECK(through(placed("(m - 1 - fst p) * n + snd p"), six) == "[3, 4, 5, 0, 1, 2]");
  CHECK(through(placed("fst p * n + n - 1 - snd p"), six) == "[2, 1, 0, 5, 4, 3]");
  CHECK(through(placed("length xs - 1 - (fst p * n + snd p)"), six) == "[5, 4, 3, 2, 1, 0]");
  CHECK(through(placed("(n - 1 - snd p) * m + fst p"), six) == "[2, 5, 1, 4, 0, 3]");
  CHECK(text_of(placed("(n - 1 - snd p) * m + m - 1 - fst p")).find("spread") == std::string::npos);
  // elements of chunk i turned by i, and one chunk more than there are elements in each
  for (const char* place : {"fst p * n + (fst p + snd p) % n", "fst p * n + n - 1 - (snd p + fst p) % n",
                            "(fst p + snd p) % n * m + fst p"}) {
    INFO(place);
    CHECK(text_of(placed(place)).find("swizzle") != std::string::npos);
    CHECK(text_of(placed(place)).find("spread") == std::string::npos);
  }
  CHECK(through(placed("fst p * n + (fst p + snd p) % n"), six) == "[0, 1, 2, 5, 3, 4]");
  CHECK(through(placed("fst p * n + n - 1 - (snd p + fst p) % n"), six) == "[2, 1, 0, 4, 3, 5]");
  CHECK(through(placed("(fst p + snd p) % n * m + fst p"), six) == "[0, 5, 1, 3, 2, 4]");
  CHECK(through(placed("fst p * n + (fst p + snd p) % n"), {"2", "[0,1,2,3,4,5]"}) == "[0, 1, 3, 2, 4, 5]");
  // by another length, and beside the element itself
  CHECK(through(placed("fst p * n + (fst p + snd p) % m"), six) == "trap: interleave");
  CHECK(through(placed("(fst p + snd p) % n + snd p"), six) == "trap: interleave");
  CHECK(through(placed("fst p * n + (fst p + snd p) % n + snd p * n"), six) == "trap: interleave");
  CHECK(through(placed("(fst p + snd p) % n + 2 * fst p + (2 * m - 2) * (snd p / 2)"), {"4", "[0,1,2,3,4,5,6,7]"}) ==
        "trap: interleave");
  // one further than that
  CHECK(through(placed("length xs - (fst p * n + snd p)"), six) == "trap: interleave");
  // the elements' digits apart
  CHECK(through(placed("(snd p mod 2 * m + fst p) * (n / 2) + snd p / 2"), twelve) ==
        "[0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]");
  CHECK(through(placed("(snd p / 2 * m + fst p) * 2 + snd p % 2"), twelve) == "[0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11]");
}

TEST_CASE(
    "an interleave by any other function takes elements from where it finds them, or two that meet, or one "
    "outside") {
  const auto placed = [](const std::string& place) {
    return "fun f n xs = splitUp n xs |> map (push <block>) |> interleave n (fn p => " + place + ")";
  };
  const std::vector<std::string> nine = {"3", "[0,1,2,3,4,5,6,7,8]"};
  CHECK(through(placed("fst p * n + (fst p + snd p) % n"), nine) == "[0, 1, 2, 5, 3, 4, 7, 8, 6]");
  CHECK(through(placed("length xs - 1 - (fst p * n + snd p)"), nine) == "[8, 7, 6, 5, 4, 3, 2, 1, 0]");
  CHECK(through(placed("fst p * n + (if snd p == 0 then 1 else if snd p == 1 then 0 else 2)"), nine) ==
        "[1, 0, 2, 4, 3, 5, 7, 6, 8]");
  // an int that wraps, to where the element belongs
  CHECK(through(placed("(fst p * n + snd p) * 65536 * 65536 + fst p * n + snd p"), nine) ==
        "[0, 1, 2, 3, 4, 5, 6, 7, 8]");
  // what was tried before, that 2 divides n, is no condition
  CHECK(through(placed("fst p * n + snd p / 2 * 3"), {"1", "[4,5]"}) == "[4, 5]");
  CHECK(through(placed("fst p * n + (fst p + snd p + 1) % n"), nine) == "[2, 0, 1, 4, 5, 3, 6, 7, 8]");
  // no step by one thread
  const std::string text = text_of(placed("fst p * n + (fst p + snd p + 1) % n"));
  has(text, "spreadGlobal");
  CHECK(text.find("Seq") == std::string::npos);
  for (const char* place : {"snd p * snd p", "fst p * n + snd p * snd p", "fst p + snd p", "fst p * n",
                            "snd p * 4 + fst p", "fst p * n - snd p", "0 - 1 - fst p * n - snd p"}) {
    INFO(place);
    CHECK(through(placed(place), nine) == "trap: interleave");
  }
  CHECK(through(placed("fst p / (snd p - 1)"), nine) == "trap: /");
  // at each level, of pairs
  for (const char* level : {"block", "warp"})
    CHECK(
        through("fun f xs = concat 4 (map (fn c => " +
                    std::string(level == std::string("block") ? "" : "push <block> (force (") +
                    "mapPush (fn q => fst q * 10 + snd q) (interleave 2 (fn p => fst p * 2 + (fst p + snd p) % 2) (map "
                    "(fn b => push <" +
                    (level == std::string("block") ? "warp" : "thread") +
                    "> (map (fn x => (x, x + 1)) b)) (splitUp 2 c)))" + (level == std::string("block") ? "" : "))") +
                    ") (splitUp 4 xs))",
                {"[0,1,2,3]"}) == "[1, 12, 34, 23]");
}

TEST_CASE("what stays on the interpreter says why") {
  has(text_of("fun f xs = push <grid> (while (fn a => length a > 1) (fn a => push <grid> (fst (halve a))) (push "
              "<grid> xs))"),
      "stays: the length of a push array is known only when it runs");
  has(text_of("fun f xs = let y = while (fn a => length a > 1) (fn a => concat 3 (map (push <block>) (splitUp 2 a))) "
              "(push <grid> xs) in push <grid> (generate 1 (fn i => index y 0))"),
      "stays: chunks of a `while` that do not fill what it began with");
  has(text_of("fun f xs = push <grid> (generate (index xs 0) (fn i => i))"),
      "stays: the length of an array is known only when it runs");
}

}  // namespace fcl_lower_test
