// The meaning of FCL without levels (fcl.md §1 and 2): array operations, the prelude, traps; errata by counterexamples.
#include <catch2/catch.hpp>

#include "tests/unit/fcl_program.h"

namespace fcl_evaluate_test {
using namespace lockstep;
using test::fcl_run;
using test::fcl_value;

namespace {

std::string list(const std::vector<int>& all) {
  std::string out;
  for (const int x : all) out += (out.empty() ? "[" : ", ") + std::to_string(x);
  return out.empty() ? "[]" : out + "]";
}
std::vector<int> counted(int n, int from = 0) {
  std::vector<int> out;
  for (int k = 0; k < n; ++k) out.push_back(from + k);
  return out;
}

}  // namespace

TEST_CASE("the paper's programs give what they should") {
  CHECK(fcl_run(test::fcl_example("reverse"), {"2", "[1,2,3,4]"}) == "[4, 3, 2, 1]");
  CHECK(fcl_run(test::fcl_example("transpose"), {"1", "3", "2", "[0,1,2,3,4,5]"}) == "[0, 3, 1, 4, 2, 5]");
  const std::string sum = test::fcl_example("reduction");
  CHECK(fcl_run(sum, {"[1,2,3,4,5,6,7,8]"}, {.launch = {.block = 2}}) == "[10, 26]");
  CHECK(fcl_run(sum, {"[1,2,3,4,5]"}, {.launch = {.block = 2}}) ==
        "trap: splitUp: q * n == length xs does not hold: q = 1, n = 4, length xs = 5 (p.fcl:18:6)");
}

TEST_CASE("tiles of every size transpose every matrix that they fit, by loops") {
  for (int t = 1; t <= 3; ++t)
    for (int n = 0; n <= 3; ++n)
      for (int m = 0; m <= 3; ++m) {
        const int cols = n * t, rows = m * t;
        std::vector<int> expected;
        for (int c = 0; c < cols; ++c)
          for (int r = 0; r < rows; ++r) expected.push_back(r * cols + c);
        CHECK(fcl_run(test::fcl_example("transpose"), {std::to_string(t), std::to_string(cols), std::to_string(rows),
                                                       list(counted(rows * cols))}) == list(expected));
      }
}

TEST_CASE("a sum is that of its chunks, at every length and several block sizes") {
  for (int block = 1; block <= 8; block *= 2)
    for (int n = 0; n <= 4 * block + 1; ++n) {
      const std::string found =
          fcl_run(test::fcl_example("reduction"), {list(counted(n, 5))}, {.launch = {.block = block}});
      std::vector<int> expected;
      for (int k = 0; k < n; ++k) {
        if (k % (2 * block) == 0) expected.push_back(0);
        expected.back() += k + 5;
      }
      INFO(n << " in blocks of " << block);
      if (n % (2 * block) == 0)
        CHECK(found == list(expected));
      else
        CHECK(found.starts_with("trap: splitUp"));
    }
}

TEST_CASE("pull arrays are computed where they are used, push arrays where they are forced") {
  CHECK(fcl_value("index (generate 2 (fn i => 1 div i)) 1") == "1");
  CHECK(fcl_value("index [1 div 0, 7] 1") == "7");
  CHECK(fcl_value("length (push <block> (generate 3 (fn i => 1 div 0)))") == "3");
  CHECK(fcl_value("let x = force (push <thread> (generate 1 (fn i => 1 div i))) in 5") ==
        "trap: /: division by zero: 1 / 0 (p.fcl:1:62)");
  CHECK(fcl_value("let x = index [1] 1 in 5").starts_with("trap: index: index 1 is outside [0, 1)"));
  CHECK(fcl_value("mapPush (fn x => x * 2) (push <warp> [1, 2])") == "[2, 4]");
  CHECK(fcl_value("index (generate (0 - 1) (fn i => i)) 0").starts_with("trap: generate: the length is negative: -1"));
  CHECK(fcl_value("false && 1 div 0 == 1") == "false");
  CHECK(fcl_value("true || 1 div 0 == 1") == "true");
  CHECK(fcl_value("2147483647 + 1") == "-2147483648");
  CHECK(fcl_value("(0 - 7) / 2") == "-3");
  CHECK(fcl_value("(0 - 7) % 2") == "-1");
}

TEST_CASE("push arrays are mapped element by element, as (37) has it") {
  // found by random programs: the second element traps otherwise, the first in the function
  CHECK(fcl_run("fun f xs = mapPush (fn x => 0 / 0) (push <block> (map (fn x => index xs x) xs))", {"[0,5]"})
            .starts_with("trap: /"));
  CHECK(fcl_run("fun f xs = mapPush (fn x => 0 / 0) (concat 2 [push <warp> (map (fn x => index xs x) xs)])", {"[0,5]"})
            .starts_with("trap: /"));
  CHECK(fcl_value("mapPush (fn x => x + 1) (concat 1 (map (fn x => push <thread> [x * 2]) [1, 2]))") == "[3, 5]");
}

TEST_CASE("interleave puts each element in its place, or traps") {
  CHECK(fcl_value("interleave 2 (fn p => snd p * 2 + fst p) [push <thread> [1, 2], push <thread> [3, 4]]") ==
        "[1, 3, 2, 4]");
  CHECK(fcl_value("lengthPush (interleave 2 (fn p => 0) [push <thread> [1, 2], push <thread> [3, 4]])") == "4");
  CHECK(fcl_value("concat 0 (generate 0 (fn i => push <warp> [i]))") == "[]");
  // erratum 4
  CHECK(fcl_value("concat 1 [push <thread> [7, 8], push <thread> [9]]") ==
        "trap: concat: chunk 0 has 2 elements, not 1 (p.fcl:1:12)");
  CHECK(fcl_value("concat 2 [push <thread> [7]]").starts_with("trap: concat: chunk 0 has 1 elements, not 2"));
  CHECK(fcl_value("interleave 1 (fn p => 0) [push <thread> [1], push <thread> [2]]") ==
        "trap: interleave: elements (0, 0) and (1, 0) both go to 0 (p.fcl:1:12)");
  CHECK(fcl_value("interleave 1 (fn p => 2) [push <thread> [1], push <thread> [2]]") ==
        "trap: interleave: element (0, 0) goes to 2, outside [0, 2) (p.fcl:1:12)");
  for (const char* n : {"(-1)", "2000000000"})  // a length that no chunk has takes no memory
    CHECK(test::fcl_run("fun f = interleave " + std::string(n) + " (fn p => snd p) [push <thread> [7]]")
              .starts_with("trap: interleave: chunk 0 has 1 elements, not "));
}

TEST_CASE("while goes on as long as its condition holds; what outgrows the first, and what never ends, traps") {
  CHECK(fcl_value("while (fn x => 1 < length x) (fn x => push <block> (fst (halve x))) (push <block> [1, 2, 3, 4])") ==
        "[1]");
  CHECK(fcl_value(
            "while (fn x => index x 0 < 100) (fn x => push <thread> (map (fn y => y * 2) x)) (push <thread> [3])") ==
        "[192]");
  CHECK(fcl_value("while (fn x => length x < 3) (fn x => push <thread> (append x x)) (push <thread> [1])")
            .starts_with("trap: while: a round makes 2 elements, and there is room for the first 1"));
  CHECK(fcl_value("while (fn x => true) (fn x => push <thread> x) (push <thread> [1, 2])")
            .starts_with("trap: while: endless: the condition holds for 2 elements, and a round leaves as many"));
  // what the elements are does not count: the step forces, and its length is known without
  CHECK(
      fcl_value("while (fn x => 0 < length x) (fn x => push <thread> (force (push <thread> (map (fn y => y + 1) x)))) "
                "(push <thread> [1])")
          .starts_with("trap: while: endless"));
  // erratum 2: of 0 elements the condition always holds; of 1 the halves are not equally long
  const std::string red =
      "fun step f arr = let x = halve arr in push <block> (zipWith f (fst x) (snd x))\n"
      "fun red arr = while (fn arr => 1 != lengthPull arr) (step (+)) (step (+) arr) |> push <block>";
  CHECK(fcl_run(red, {"[]"}).starts_with("trap: while: endless"));
  CHECK(fcl_run(red, {"[7]"}).starts_with("trap: zipWith"));
  CHECK(fcl_run(red, {"[1,2,3]"}).starts_with("trap: zipWith"));
  CHECK(fcl_run(red, {"[1,2,3,4]"}) == "[10]");
}

TEST_CASE("the prelude") {
  CHECK(fcl_value("iota 3") == "[0, 1, 2]");
  CHECK(fcl_value("take 2 [1, 2, 3]") == "[1, 2]");
  CHECK(fcl_value("drop 2 [1, 2, 3]") == "[3]");
  CHECK(fcl_value("take 4 [1, 2, 3]") ==
        "trap: take: 0 <= k && k <= length xs does not hold: k = 4, length xs = 3 (p.fcl:1:12)");
  CHECK(fcl_value("splitAt 1 [1, 2, 3]") == "([1], [2, 3])");
  CHECK(fcl_value("halve [1, 2, 3]") == "([1], [2, 3])");
  CHECK(fcl_value("evenOdds [1, 2, 3]") == "([1, 3], [2])");
  CHECK(fcl_value("splitUp 2 [1, 2, 3, 4]") == "[[1, 2], [3, 4]]");
  CHECK(fcl_value("splitUp 0 [1]").starts_with("trap: splitUp: division by zero: 1 / 0"));
  CHECK(fcl_value("zipWith (fn x y => (x, y)) [1, 2] [true, false]") == "[(1, true), (2, false)]");
  CHECK(fcl_value("zipWith (+) [1] [1, 2]")
            .starts_with("trap: zipWith: length xs == length ys does not hold: length xs = 1, length ys = 2"));
  CHECK(fcl_value("reverse [1, 2, 3]") == "[3, 2, 1]");
  CHECK(fcl_value("pad 4 9 [1, 2, 3, 4, 5]") == "[1, 2, 3, 4, 5, 9, 9, 9]");
  CHECK(fcl_value("append [1] [2, 3]") == "[1, 2, 3]");
  CHECK(fcl_value("coalesce 3 [1, 2, 3, 4, 5, 6]") == "[[1, 3, 5], [2, 4, 6]]");
  CHECK(fcl_value("concatMap 2 (fn x => push <thread> [x, x * x]) [2, 3]") == "[2, 4, 3, 9]");
  CHECK(fcl_value("backpermute 2 (fn k => (1 - k, k)) [[1, 2], [3, 4]]") == "[3, 2]");
  CHECK(fcl_value("foldl (fn a b => a * 10 + b) 0 [1, 2, 3]") == "[123]");
  CHECK(fcl_value("foldl (fn a b => a * 10 + b) 7 []") == "[7]");
  CHECK(fcl_value("scanl (+) 1 [1, 2, 3]") == "[1, 2, 4, 7]");
  CHECK(fcl_value("id 5") == "5");
  for (int n = 0; n < 20; ++n) {
    // of what is associative and not commutative: the first, and the last
    INFO(n);
    CHECK(fcl_run("fun f xs = reduce <block> (fn p q => (fst p, snd q)) (0, 0) (map (fn x => (x, x)) xs)",
                  {list(counted(n, 1))}) == (n == 0 ? "[(0, 0)]" : "[(1, " + std::to_string(n) + ")]"));
    CHECK(fcl_run("fun f xs = reduce <warp> (+) 0 xs", {list(counted(n))}) == list({n * (n - 1) / 2}));
  }
}

TEST_CASE("erratum 1: the transpose that the paper prints is right for square matrices alone") {
  const std::string printed =
      "fun transpose cols rows arr = generate (cols * rows) (fn n => let i = n div rows  j = n mod "
      "rows in index arr (j * rows + i))\n";
  CHECK(fcl_run(printed + "fun f c r xs = push <grid> (transpose c r xs)", {"3", "2", "[0,1,2,3,4,5]"}) ==
        "[0, 2, 1, 3, 2, 4]");
  CHECK(fcl_run(printed + "fun f c r xs = push <grid> (transpose c r xs)", {"1", "2", "[0,1]"})
            .starts_with("trap: index: index 2 is outside [0, 2)"));
  CHECK(fcl_run("fun f c r xs = push <grid> (transpose c r xs)", {"3", "2", "[0,1,2,3,4,5]"}) == "[0, 3, 1, 4, 2, 5]");
}

TEST_CASE("what is called in the program traps at its own place, and what the prelude calls back") {
  CHECK(fcl_value("zipWith (fn x y => x / y) [1] [0]") == "trap: /: division by zero: 1 / 0 (p.fcl:1:31)");
  CHECK(fcl_run("fun g n xs = splitUp n xs\nfun f xs = g 2 xs", {"[1]"}).ends_with("(p.fcl:1:14)"));
}

TEST_CASE("doubles are those of every number domain") {
  CHECK(fcl_value("foldl (+) 0.0 [0.1, 0.2, 0.3]") == "[0.6000000000000001]");
  CHECK(fcl_value("sqrt 2.0 * double 3") == "4.242640687119286");
  CHECK(fcl_value("int 2.9") == "2");
  CHECK(fcl_value("int 1e10").starts_with("trap: int:"));
  CHECK(fcl_value("isnan (0.0 / 0.0)") == "true");
}

}  // namespace fcl_evaluate_test
