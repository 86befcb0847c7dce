// Fusion of .dpia programs: what becomes one loop, what stays and why, and that nothing is lost.
#include <catch2/catch.hpp>

#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace fuse_test {
using namespace lockstep;
using namespace lockstep::test;

namespace {

// The program's body behind the stage is that of `expected`, up to names.
void becomes(const std::string& text, const std::string& expected) {
  CAPTURE(text);
  const PhraseProgram made = fused(entry(text), calculus());
  CAPTURE(print(source_of(*made.body, calculus(), Suffixes::Never)));
  CHECK(alpha_equal(*made.body, *entry(expected).body));
}
void stays(const std::string& text) { becomes(text, text); }

}  // namespace

TEST_CASE("a map of a map, or of more, is one map") {
  becomes("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x * 2) (map (\\x -> x + 1) xs)",
          "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> (x + 1) * 2) xs");
  becomes("fun f [n] (xs : [n]i32) : [n]i32 = xs |> map (\\x -> x + 1) |> map (\\x -> x * 2) |> map (\\x -> x - 3)",
          "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> (x + 1) * 2 - 3) xs");
}

TEST_CASE("what the function takes more than once is computed once") {
  becomes("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x * x) (map (\\x -> x + 1) xs)",
          "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> let y = x + 1 in y * y) xs");
}

TEST_CASE("reductions of one array that stand side by side are one of pairs") {
  const std::string head = "fun f [n] (c : i32) (xs ys : [n]i32) : i32 = ";
  const std::string both = "reduce (\\x (s, p) -> (x + s, x * x + p)) (0, 1) xs";
  const std::string first = "reduce (+) 0 xs", second = "reduce (\\x p -> x * x + p) 1 xs";
  becomes(head + first + " - " + second, head + "let b = " + both + " in fst b - snd b");
  becomes(head + "let m = " + first + " / c in m - " + second,
          head + "let b = " + both + " in let m = fst b / c in m - snd b");
  becomes(head + "c + (" + first + " - " + second + ") * reduce (*) 2 xs",
          head +
              "let t = reduce (\\x ((s, p), q) -> ((x + s, x * x + p), x * q)) ((0, 1), 2) xs in\n"
              "let b = fst t in c + (fst b - snd b) * snd t");
  becomes(
      head + "reduce (\\(x, y) acc -> x * y + acc) 0 (zip xs ys) - reduce (\\(x, y) acc -> x - y + acc) 0 (zip xs ys)",
      head +
          "let b = reduce (\\z (s, p) -> (fst z * snd z + s, fst z - snd z + p)) (0, 0) (zip xs ys) in fst b - snd b");
  // in a branch, and in a function, by themselves
  becomes(head + "if c > 0 then " + first + " - " + second + " else 1",
          head + "if c > 0 then (let b = " + both + " in fst b - snd b) else 1");
}

TEST_CASE("reductions stay apart of two arrays, of which one needs the other, or is evaluated only sometimes") {
  const std::string head = "fun f [n] (c : i32) (xs ys : [n]i32) : i32 = ";
  for (const char* const body :
       {"reduce (+) 0 xs - reduce (+) 0 ys", "reduce (+) (reduce (*) 1 xs) xs",
        "let m = reduce (+) 0 xs in reduce (\\x acc -> (x - m) * (x - m) + acc) 0 xs",
        "if c > 0 then reduce (+) 0 xs else reduce (*) 1 xs",
        "reduce (+) 0 xs - (if c > 0 then reduce (*) 1 xs else 2)",
        "if reduce (+) 0 xs > 0 && reduce (*) 1 xs > 0 then 1 else 2", "reduce (+) 0 xs - reduceSeq (*) 1 xs",
        "reduce (+) 0 xs - reduce (\\x acc -> 2 * acc + x) 0 xs",
        "reduce (+) 0 (scan (+) 0 xs) - reduce (*) 1 (scan (+) 0 xs)"})
    stays(head + body);
  // In their order all go together, but where one of them reads no element: there is nothing to be saved.
  const auto in_order = [&](const std::string& body) {
    PhraseProgram p = entry(head + body);
    p.in_order = true;
    return alpha_equal(*fused(p, calculus()).body, *p.body);
  };
  CHECK_FALSE(in_order("reduce (-) 1 xs - reduce (+) 0 xs"));
  CHECK(in_order("reduce (-) 1 xs - reduce (\\x acc -> acc) 0 xs"));
  CHECK(in_order("reduce (\\x acc -> acc + 1) 1 xs - reduce (-) 0 xs"));
  CHECK(in_order("reduce (\\x acc -> if x > c then acc else replicate 3 x) (replicate 3 (reduce (-) 0 xs)) xs ! 0"));
  // A start that is computed needs a name in a pair, and the accumulator of one alone is computed where it stands.
  const auto starts = [](const std::string& a, const std::string& b) {
    return "fun f [n] (xs : [n+1]i32) : i32 = let s = xs ! 0 in reduce min (" + a + ") xs - reduce max (" + b + ") xs";
  };
  stays(starts("xs ! 0", "s"));
  stays(starts("3", "s + 1"));
  becomes(starts("s", "s"),
          "fun f [n] (xs : [n+1]i32) : i32 = let s = xs ! 0 in\n"
          "let b = reduce (\\x (a, b) -> (min x a, max x b)) (s, s) xs in fst b - snd b");
}

TEST_CASE("folds and scans take what a map makes of an element") {
  becomes("fun f [n] (xs : [n]i32) : i32 = reduce (+) 0 (map (\\x -> x * x) xs)",
          "fun f [n] (xs : [n]i32) : i32 = reduce (\\x acc -> x * x + acc) 0 xs");
  becomes("fun f [n] (xs : [n]i32) : [n]i32 = scan (+) 0 (map (\\x -> x * x) xs)",
          "fun f [n] (xs : [n]i32) : [n]i32 = scan (\\x acc -> x * x + acc) 0 xs");
  becomes("fun f (k : nat) : i64 = reduce (+) 0 (map (\\i -> i * i) (iota k))",
          "fun f (k : nat) : i64 = reduce (\\i acc -> i * i + acc) 0 (iota k)");
}

TEST_CASE("what is generated is made on the way, too") {
  becomes("fun f [n] (xs : [n]i32) : i32 = reduce (+) 0 (generate n (\\i -> xs ! i * 2))",
          "fun f [n] (xs : [n]i32) : i32 = reduce (\\i acc -> xs ! i * 2 + acc) 0 (indices n)");
  becomes("fun f [n] (xs : [n]i32) : [n]i32 = map (\\(x, y) -> x - y) (zip xs (generate n (\\i -> i32 i)))",
          "fun f [n] (xs : [n]i32) : [n]i32 = map (\\(x, i) -> x - i32 i) (zip xs (indices n))");
  becomes("fun f (n : nat) : [n]i64 = map (\\x -> x * x) (generate n (\\i -> i + 1))",
          "fun f (n : nat) : [n]i64 = generate n (\\i -> let x = i + 1 in x * x)");
  stays(
      "fun f (n : nat) : [n]i64 = let xs = generate n (\\i -> i * i) in generate n (\\i -> xs ! i + xs ! (n - 1 - i))");
}

TEST_CASE("each array that is gone over beside others may be made on the way") {
  becomes("fun f [n] (xs ys : [n]i32) : i32 = reduce (\\(x, y) acc -> x * y + acc) 0 (zip (map (\\x -> x + 1) xs) ys)",
          "fun f [n] (xs ys : [n]i32) : i32 = reduce (\\(x, y) acc -> (x + 1) * y + acc) 0 (zip xs ys)");
  becomes(
      "fun f [n] (xs : [n](i32, i32)) (ys : [n]i32) : [n]i32 =\n"
      "  map (\\(a, b) -> a - b) (zip (map (\\(x, y) -> x * y) xs) (map (\\y -> y + 1) ys))",
      "fun f [n] (xs : [n](i32, i32)) (ys : [n]i32) : [n]i32 = map (\\((x, y), z) -> x * y - (z + 1)) (zip xs ys)");
}

TEST_CASE("an array with a name is made on the way where one loop takes it and nothing else does") {
  becomes("fun f [n] (xs : [n]i32) : i32 = let ys = map (\\x -> x * x) xs in reduce (+) 0 ys",
          "fun f [n] (xs : [n]i32) : i32 = reduce (\\x acc -> x * x + acc) 0 xs");
  // as two components of one element: it would be computed twice
  stays("fun f [n] (xs : [n]i32) : [n]i32 = let ys = map (\\x -> x + 1) xs in map (\\(a, b) -> a * b) (zip ys ys)");
  // nor by way of two maps
  becomes(
      "fun f [n] (xs : [n]i32) : [n]i32 =\n"
      "  let ys = map (\\x -> x * x + 1) xs in\n"
      "  map (\\(a, b) -> a - b) (zip (map (\\y -> y + 2) ys) (map (\\y -> y * 3) ys))",
      "fun f [n] (xs : [n]i32) : [n]i32 =\n"
      "  let ys = map (\\x -> x * x + 1) xs in map (\\(a, b) -> (a + 2) - b * 3) (zip ys ys)");
  // two loops take it
  stays(
      "fun f [n] (xs : [n]i32) : (i32, i32) =\n"
      "  let ys = map (\\x -> x * x) xs in (reduce (+) 0 ys, reduceSeq (\\y acc -> max y acc) 0 ys)");
  // that become one
  becomes(
      "fun f [n] (xs : [n]i32) : (i32, i32) =\n"
      "  let ys = map (\\x -> x * x) xs in (reduce (+) 0 ys, reduce (\\y acc -> max y acc) 0 ys)",
      "fun f [n] (xs : [n]i32) : (i32, i32) =\n"
      "  let b = reduce (\\x (s, m) -> let y = x * x in (y + s, max y m)) (0, 0) xs in (fst b, snd b)");
  // and an element is read
  stays("fun f [n] (xs : [n]i32) : i32 where n >= 1 = let ys = map (\\x -> x * x) xs in reduce (+) (ys ! 0) ys");
  // and it is the result, too
  stays("fun f [n] (xs : [n]i32) : ([n]i32, i32) = let ys = map (\\x -> x * x) xs in (ys, reduce (+) 0 ys)");
}

TEST_CASE("scatter and permute take places and values that maps make of an element") {
  const std::string head = "fun f [n] (is : [n]i64) (xs : [n]i32) : [9]i32 = ";
  becomes(head + "permute (+) (replicate 9 0) (map (\\i -> i * 2) is) xs",
          head + "permuteBy (\\(i, _) -> i * 2) (\\(_, x) acc -> x + acc) (replicate 9 0) (zip is xs)");
  becomes(head + "permute (+) (replicate 9 0) (map (\\i -> i * 2) is) (map (\\x -> x * x) xs)",
          head + "permuteBy (\\(i, _) -> i * 2) (\\(_, x) acc -> x * x + acc) (replicate 9 0) (zip is xs)");
  becomes(head + "scatter (replicate 9 0) is (map (\\x -> x * x) xs)",
          head + "scatterBy (\\(i, _) -> i) (\\(_, x) -> x * x) (replicate 9 0) (zip is xs)");
  // what traps does, whatever the place: places are found for each element
  becomes(head + "scatter (replicate 9 0) (map (\\i -> 10 / i) is) xs",
          head + "scatterBy (\\(i, _) -> 10 / i) (\\(_, x) -> x) (replicate 9 0) (zip is xs)");
  // through two maps
  becomes(head + "scatterBy (\\i -> i) (\\_ -> 1) (replicate 9 0) (map (\\i -> i + 1) (map (\\i -> i * 2) is))",
          head + "scatterBy (\\i -> i * 2 + 1) (\\_ -> 1) (replicate 9 0) is");
}

TEST_CASE("a value of which no place is wanted traps as it did, and nothing is made for place and value") {
  const std::string head = "fun f [n] (is : [n]i64) (xs : [n]i32) : [9]i32 = ";
  stays(head + "permute (+) (replicate 9 0) is (map (\\x -> 10 / x) xs)");
  stays(head + "scatter (replicate 9 0) is (map (\\x -> 10 / x) xs)");
  stays(head + "scatterBy (\\i -> i) (\\i -> i32 i) (replicate 9 0) (map (\\i -> i * i) is)");
  becomes(head + "let ys = map (\\x -> i64 x) xs in permute (+) (replicate 9 0) ys (map i32 ys)",
          head +
              "let ys = map (\\x -> i64 x) xs in\n"
              "permuteBy (\\(y, _) -> y) (\\(_, y) acc -> i32 y + acc) (replicate 9 0) (zip ys ys)");
}

TEST_CASE("scatter and permute of which nothing is made stay as they are written") {
  const std::string head = "fun f [n] (is : [n]i64) (xs : [n]i32) : [9]i32 = ";
  stays(head + "permute (+) (replicate 9 0) is xs");
  stays(head + "permute (\\x acc -> x - 2 * acc) (replicate 9 0) is xs");
  stays(head + "scatter (replicate 9 0) is xs");
  stays(head + "permuteBy (\\(i, _) -> i) (\\(i, x) acc -> i32 i + x + acc) (replicate 9 0) (zip is xs)");
  stays(
      "fun f [n] (is : [n]i64) (xs : [n](i32, f32)) : [9](i32, f32) =\n"
      "  permute (\\(a, b) (c, d) -> (a + c, b * d)) (replicate 9 (0, 1)) is xs");
}

TEST_CASE("what a function around would compute again stays") {
  stays(
      "fun f [m n] (xs : [n]i32) (zs : [m]i32) : [m]i32 =\n"
      "  let ys = map (\\x -> x * x) xs in map (\\z -> reduce (\\y acc -> y * z + acc) 0 ys) zs");
  stays(
      "fun f [n] (xs : [n]i32) : [n][n]i32 =\n"
      "  let ys = map (\\x -> x * x) xs in map (\\x -> map (\\y -> x + y) ys) xs");
  // within the function a map goes into a map
  becomes("fun f [m n] (xss : [m][n]i32) : [m][n]i32 = map (\\xs -> map (\\x -> x + 1) (map (\\x -> x * x) xs)) xss",
          "fun f [m n] (xss : [m][n]i32) : [m][n]i32 = map (\\xs -> map (\\x -> x * x + 1) xs) xss");
  // and behind such a function it goes again
  becomes(
      "fun f [m n] (xss : [m][n]i32) (xs : [n]i32) : ([m]i32, i32) =\n"
      "  (map (\\ys -> reduce (+) 0 ys) xss, reduce (\\x acc -> 2 * acc + x) 0 (map (\\x -> x * x) xs))",
      "fun f [m n] (xss : [m][n]i32) (xs : [n]i32) : ([m]i32, i32) =\n"
      "  (map (\\ys -> reduce (+) 0 ys) xss, reduce (\\x acc -> 2 * acc + x * x) 0 xs)");
}

TEST_CASE("in the function of a loop a fold takes a map where laws give it lanes") {
  const std::string map = "(map (\\x -> x * x) xs)";
  const auto of = [](const std::string& level, const std::string& fold) {
    return "fun f [m n] (xss : [m][n]i32) : [m]i32 = " + level + " (\\xs -> " + fold + ") xss";
  };
  becomes(of("map", "reduce (+) 0 " + map), of("map", "reduce (\\x acc -> x * x + acc) 0 xs"));
  // in order it leaves it where it is near, and has lanes: of operators without laws, and where a level is written
  stays(of("map", "reduce (\\x acc -> 2 * acc + x) 0 " + map));
  stays(of("map", "reduceSeq (+) 0 " + map));
  stays(of("mapPar", "reduce (+) 0 " + map));
  PhraseProgram strict = entry(of("map", "reduce (+) 0 " + map));
  strict.in_order = true;
  CHECK(alpha_equal(*fused(strict, calculus()).body, *strict.body));
}

TEST_CASE("what is taken more than once, or beside others, stays") {
  const std::string head = "fun f [n m] (is : [m]i64) (xs : [n]i32) : ";
  stays(head + "[n-2]i32 where n >= 3 = map (\\w -> w ! 0 + w ! 2) (slide 3 1 (map (\\x -> x * x) xs))");
  stays(head + "[m]i32 = map (\\x -> x + 1) (gather is (map (\\x -> x * x) xs))");
  stays(head + "[n+1]i32 = map (\\x -> x + 1) (pad 1 0 0 (map (\\x -> x * x) xs))");
  stays(head + "i32 = reduce (+) 0 (concat (map (\\x -> x * x) xs) xs)");
}

TEST_CASE("of what is taken in part as much is made, where that may not trap") {
  const std::string head = "fun f [n] (xs ys : [n]i32) : ";
  becomes(head + "[n-1]i32 where n >= 1 = map (\\x -> x * 2) (drop 1 (map (\\x -> x + 1) xs))",
          head + "[n-1]i32 where n >= 1 = map (\\x -> (x + 1) * 2) (drop 1 xs)");
  becomes(head + "i32 where n >= 5 = let zs = map (\\x -> x * x) xs in reduce (+) 0 (take 5 (reverse zs))",
          head + "i32 where n >= 5 = reduce (\\x acc -> x * x + acc) 0 (take 5 (reverse xs))");
  stays(head + "[n-1]i32 where n >= 1 = map (\\x -> x * 2) (drop 1 (map (\\x -> 7 / x) xs))");
  becomes(head + "[n]i32 = map (\\x -> x * 2) (reverse (map (\\x -> 7 / x) xs))",
          head + "[n]i32 = map (\\x -> 7 / x * 2) (reverse xs)");
  // what goes into what is taken in part, too
  stays(head + "i32 where n >= 1 = reduce (+) 0 (take 1 (map (\\x -> 7 / x) xs))");
  becomes(head + "i32 where n >= 1 = reduce (+) 0 (take 1 (map (\\x -> x + 1) (map (\\x -> 7 / x) xs)))",
          head + "i32 where n >= 1 = reduce (+) 0 (take 1 (map (\\x -> 7 / x + 1) xs))");
  becomes(
      head + "i32 where n >= 1 =\n  let ys = map (\\x -> 7 / x) xs in reduce (+) 0 (take 1 (map (\\x -> x + 1) ys))",
      head + "i32 where n >= 1 =\n  let ys = map (\\x -> 7 / x) xs in reduce (\\x acc -> x + 1 + acc) 0 (take 1 ys)");
  // beside others
  becomes(head + "[n-1]i32 where n >= 1 = map (\\(x, y) -> x - y) (drop 1 (zip ys (map (\\x -> x + 1) xs)))",
          head + "[n-1]i32 where n >= 1 = map (\\(y, x) -> y - (x + 1)) (zip (drop 1 ys) (drop 1 xs))");
  stays(head +
        "i32 where n >= 1 = let zs = map (\\x -> x * x) xs in\n"
        "  reduce (\\(x, y) acc -> x * y + acc) 0 (zip (drop 1 zs) (take (n - 1) zs))");
}

TEST_CASE("a view of a map is a map of the view, and has no element twice, where it says so") {
  const std::string f = "(\\x -> x * x + 1)", map = "map " + f, rows = "map (\\row -> " + map + " row)";
  std::size_t views = 0;
  for (const std::string& name : calculus().names()) {
    const auto* view = std::get_if<View>(&calculus().primitive(name)->kind);
    if (!view || view->elements == Elements::Other) continue;
    ++views;
    CAPTURE(name);
    const bool of_rows = view->elements == Elements::OfRows || view->elements == Elements::OfRowsInRows;
    const bool by_size = view->elements == Elements::Some || view->elements == Elements::Rows;
    const bool in_rows = view->elements == Elements::Rows || view->elements == Elements::OfRowsInRows;
    const std::string type = view->elements == Elements::Some           ? "[3]i64"
                             : view->elements == Elements::OfRowsInRows ? "[3][2]i64"
                             : in_rows                                  ? "[2][3]i64"
                                                                        : "[6]i64";
    const std::string head = "fun f (xs : " + std::string(of_rows ? "[2][3]i64" : "[6]i64") + ") : " + type + " = ";
    const std::string call = name + (by_size ? " 3 " : " ");
    const std::vector<Value> xs{of_rows ? array_value({i64s({1, 5, 2}), i64s({9, 0, 4})}) : i64s({1, 5, 2, 9, 0, 4})};
    CHECK(meaning(head + call + "(" + (of_rows ? rows : map) + " xs)", xs, {}) ==
          meaning(head + (in_rows ? rows : map) + " (" + call + "xs)", xs, {}));
    const std::string all = meaning(head + call + "xs", xs, {});
    for (const char digit : std::string("152904")) CHECK(std::count(all.begin(), all.end(), digit) <= 1);
  }
  CHECK(views == 6);
}

TEST_CASE("rows of what a map makes are made in the loop that takes them, whole and once") {
  const std::string head = "fun f [m n] (xs : [m*n]i32) (xss : [m][n]i32) : ", facts = " where n >= 1 = ";
  const std::string rows = "split n (map (\\x -> x * x) xs)", sum = "reduce (\\x acc -> x * x + acc) 0 ";
  becomes(head + "[m]i32" + facts + "map (reduce (+) 0) (" + rows + ")",
          head + "[m]i32" + facts + "map (\\xs -> " + sum + "xs) (split n xs)");
  becomes(
      head + "[m]i32" + facts + "let rows = " + rows + " in map (\\row -> (let s = reduce (+) 0 row in s * s)) rows",
      head + "[m]i32" + facts + "map (\\xs -> (let s = " + sum + "xs in s * s)) (split n xs)");
  becomes(head + "[m][n]i32" + facts + "map (\\row -> map (\\x -> x + 1) row) (" + rows + ")",
          head + "[m][n]i32" + facts + "map (\\row -> map (\\x -> x * x + 1) row) (split n xs)");
  const std::string of_rows = "map (\\row -> map (\\x -> x * x) row) xss";
  becomes(head + "[n]i32" + facts + "map (reduce (+) 0) (transpose (" + of_rows + "))",
          head + "[n]i32" + facts + "map (\\column -> " + sum + "column) (transpose xss)");
  becomes(head + "i32" + facts + "reduce (+) 0 (join (" + of_rows + "))", head + "i32" + facts + sum + "(join xss)");
  becomes(head + "i32" + facts + "reduce (+) 0 (join (" + rows + "))",
          head + "i32" + facts + sum + "(join (split n xs))");
  // in two, or by a part of them, or in an order that leaves the map its lanes; and where levels are written
  for (const std::string f : {"\\row -> reduce (+) 0 row - row ! 0", "\\row -> reduceSeq (+) 0 row",
                              "\\row -> reduce (\\x acc -> 2 * acc + x) 0 row"})
    stays(head + "[m]i32" + facts + "map (" + f + ") (" + rows + ")");
  stays(head + "[m][3]i32" + facts + "map (\\row -> map (\\i -> reduce (+) 0 row) (iota 3)) (" + rows + ")");
  stays(head + "[m]i32" + facts + "mapPar (reduce (+) 0) (" + rows + ")");
  // what makes whole rows makes them
  const std::string sums = "(map (\\row -> scan (+) 0 row) xss)";
  becomes(head + "[m*n]i32" + facts + "map (\\x -> x * 2) (join (map (\\row -> map (\\x -> x * x) row) " + sums + "))",
          head + "[m*n]i32" + facts + "map (\\x -> x * x * 2) (join " + sums + ")");
  stays(head + "i32" + facts + "reduce (+) 0 (join (map (\\row -> reverse row) xss))");
  becomes(head + "i32" + facts +
              "reduce (+) 0 (join (map (\\row -> map (\\x -> x * x) row) (map (\\row -> scan (+) 0 row) xss)))",
          head + "i32" + facts + "reduce (\\x acc -> x * x + acc) 0 (join (map (\\row -> scan (+) 0 row) xss))");
}

TEST_CASE("a loop that has a level is not moved to another") {
  stays("fun f [n] (xs : [n]i32) : i32 = reduce (+) 0 (mapPar (\\x -> x * x) xs)");
  becomes("fun f [n] (xs : [n]i32) : [n]i32 = mapPar (\\x -> x * 2) (map (\\x -> x + 1) xs)",
          "fun f [n] (xs : [n]i32) : [n]i32 = mapPar (\\x -> (x + 1) * 2) xs");
}

TEST_CASE("in a branch goes what cannot trap") {
  becomes(
      "fun f [n] (c : bool) (xs : [n]i32) : i32 =\n"
      "  let ys = map (\\x -> x * x) xs in if c then reduce (+) 0 ys else reduce (\\y acc -> max y acc) 0 ys",
      "fun f [n] (c : bool) (xs : [n]i32) : i32 =\n"
      "  if c then reduce (\\x acc -> x * x + acc) 0 xs else reduce (\\x acc -> max (x * x) acc) 0 xs");
  stays(
      "fun f [n] (c : bool) (xs : [n]i32) : i32 =\n"
      "  let ys = map (\\x -> 7 / x) xs in if c then reduce (+) 0 ys else 0");
  // where it is computed anyway it may
  becomes("fun f [n] (xs : [n]i32) : i32 = reduce (+) 0 (map (\\x -> 7 / x) xs)",
          "fun f [n] (xs : [n]i32) : i32 = reduce (\\x acc -> 7 / x + acc) 0 xs");
}

TEST_CASE("what goes by threads or lanes is not made one after another where it is long") {
  // a loop
  stays("fun f [n] (xs : [n]i32) : i32 = reduce (+) 0 (map (\\x -> reduce (\\y acc -> x * y + acc) 0 xs) xs)");
  // a function that is called; a square root is an instruction
  stays("fun f [n] (xs : [n]f32) : f32 = reduce (+) 0 (map exp xs)");
  becomes("fun f [n] (xs : [n]f32) : f32 = reduce (+) 0 (map sqrt xs)",
          "fun f [n] (xs : [n]f32) : f32 = reduce (\\x acc -> sqrt x + acc) 0 xs");
  // many operations
  std::string sum = "x";
  for (int k = 0; k < 12; ++k) sum += " + x";
  stays("fun f [n] (xs : [n]i32) : i32 = reduce (\\x acc -> max x acc) 0 (map (\\x -> " + sum + ") xs)");
  // but into a map it goes
  becomes("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> max x 0) (map (\\x -> " + sum + ") xs)",
          "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> max (" + sum + ") 0) xs");
}

TEST_CASE("a loop in a function whose result nothing takes comes out, as it was written") {
  becomes("fun f [m n] (xss : [m][n]i32) : [m]i32 = map (\\s -> 7) (map (\\xs -> reduce (+) 0 xs) xss)",
          "fun f [m n] (xss : [m][n]i32) : [m]i32 = map (\\xs -> let s = reduce (+) 0 xs in 7) xss");
  becomes("fun f [n] (xs : [n]i32) : [n]i32 = map (\\y -> 7) (map (\\x -> x + 1) xs)",
          "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> 7) xs");
}

TEST_CASE("what a scan makes has to be made") {
  stays("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x * 2) (scan (+) 0 xs)");
}

TEST_CASE("the second operand of && and || is a branch") {
  for (const std::string op : {"&&", "||"})
    stays(
        "fun f [n] (c : bool) (xs : [n]i32) : bool =\n"
        "  let ys = map (\\x -> 7 / x) xs in c " +
        op + " reduce (\\y acc -> max y acc) 0 ys > 0");
  becomes(
      "fun f [n] (c : bool) (xs : [n]i32) : bool =\n"
      "  let ys = map (\\x -> 7 / x) xs in reduce (\\y acc -> max y acc) 0 ys > 0 && c",
      "fun f [n] (c : bool) (xs : [n]i32) : bool = reduce (\\x acc -> max (7 / x) acc) 0 xs > 0 && c");
}

TEST_CASE("what another language has fused stays as it is") {
  PhraseProgram p = entry("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x * 2) (map (\\x -> x + 1) xs)");
  p.fused = true;
  CHECK(*fused(p, calculus()).body == *p.body);
}

TEST_CASE("one that was fused lets others be") {
  // rows are made in one function then, where the first of the two has no array of its own
  becomes(
      "fun f [m n] (xss : [m][n]i32) : [m][n]i32 =\n"
      "  map (\\ys -> map (\\y -> y + 1) ys) (map (\\xs -> map (\\x -> x * x) xs) xss)",
      "fun f [m n] (xss : [m][n]i32) : [m][n]i32 = map (\\xs -> map (\\x -> x * x + 1) xs) xss");
}

TEST_CASE("what nobody reads, and may trap, is not made for a place") {  // found by the campaign
  const std::string head = "fun f [m] (xs : [m]f32) (is : [m]i64) : [m]f32 = scatterBy (\\x -> fst x) (\\x -> 0) xs ";
  stays(head + "(zip is (map (\\x -> i8 x) xs))");
  becomes(head + "(zip is (map (\\x -> x + 1) xs))", head + "(zip is xs)");
}

}  // namespace fuse_test
