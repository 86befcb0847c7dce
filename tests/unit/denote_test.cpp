// The denotation of each primitive on small values worked out by hand from the table of languages.md.
#include <catch2/catch.hpp>

#include "tests/unit/dpia_program.h"

namespace denote_test {
using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("folds and scans run from the left, element first") {
  const Value xs = i32s({1, 2, 3});
  CHECK(meaning("fun f (xs : [3]i32) : i32 = reduce (\\x acc -> 10 * acc + x) 0 xs", {xs}) == "123");
  CHECK(meaning("fun f (xs : [3]i32) : [3]i32 = scan (\\x acc -> 10 * acc + x) 0 xs", {xs}) == "[1, 12, 123]");
  CHECK(meaning("fun f (xs : [3]i32) : [3]i32 = scanExclusive (\\x acc -> 10 * acc + x) 7 xs", {xs}) == "[7, 71, 712]");
}

TEST_CASE("views move elements as their table says") {
  const Value xs = i32s({1, 2, 3, 4, 5, 6});
  CHECK(meaning("fun f (xs : [6]i32) : [3][2]i32 = split 2 xs", {xs}) == "[[1, 2], [3, 4], [5, 6]]");
  CHECK(meaning("fun f (xs : [6]i32) : [2][3]i32 = transpose (split 2 xs)", {xs}) == "[[1, 3, 5], [2, 4, 6]]");
  CHECK(meaning("fun f (xs : [6]i32) : [6]i32 = join (transpose (split 2 xs))", {xs}) == "[1, 3, 5, 2, 4, 6]");
  CHECK(meaning("fun f (xs : [6]i32) : [6]i32 = reverse xs", {xs}) == "[6, 5, 4, 3, 2, 1]");
  CHECK(meaning("fun f (xs : [6]i32) : [2][3]i32 = slide 3 3 xs", {xs}) == "[[1, 2, 3], [4, 5, 6]]");
  CHECK(meaning("fun f (xs : [6]i32) : [4][3]i32 = slide 3 1 xs", {xs}) ==
        "[[1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]]");
  CHECK(meaning("fun f (xs : [6]i32) : [9]i32 = pad 1 2 0 xs", {xs}) == "[0, 1, 2, 3, 4, 5, 6, 0, 0]");
  CHECK(meaning("fun f (xs : [6]i32) : [6]i32 = concat (drop 4 xs) (take 4 xs)", {xs}) == "[5, 6, 1, 2, 3, 4]");
  CHECK(meaning("fun f (xs : [6]i32) : ([6]i32, [6]i64) = unzip (zip xs (iota 6))", {xs}) ==
        "([1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5])");
  CHECK(meaning("fun f : [3]i32 = replicate 3 7") == "[7, 7, 7]");
}

TEST_CASE("gather, scatter and permute follow their indices and trap on bad ones") {
  const Value xs = i32s({10, 20, 30});
  CHECK(meaning("fun f (is : [2]i64) (xs : [3]i32) : [2]i32 = gather is xs", {i64s({2, 0}), xs}) == "[30, 10]");
  CHECK(meaning("fun f (is : [2]i64) (xs : [3]i32) : [2]i32 = gather is xs", {i64s({2, 3}), xs}) ==
        "trap: gather: index 3 is outside [0, 3)");
  const std::string scatter = "fun f (is : [2]i64) (vs : [2]i32) (xs : [3]i32) : [3]i32 = scatter xs is vs";
  CHECK(meaning(scatter, {i64s({2, -1}), i32s({1, 2}), xs}) == "[10, 20, 1]");
  CHECK(meaning(scatter, {i64s({2, 2}), i32s({1, 2}), xs}) == "trap: scatter: index 2 occurs twice");
  CHECK(meaning(scatter, {i64s({2, 3}), i32s({1, 2}), xs}) == "trap: scatter: index 3 is outside [0, 3)");
  const std::string by = "fun f (vs xs : [3]i32) : [3]i32 = scatterBy (\\x -> i64 x - 2) (\\x -> x * x) xs vs";
  CHECK(meaning(by, {i32s({4, 1, 3}), i32s({10, 20, 30})}) == "[10, 9, 16]");
  CHECK(meaning(by, {i32s({4, 5, 3}), i32s({10, 20, 30})}) == "trap: scatter: index 3 is outside [0, 3)");
  CHECK(meaning(by, {i32s({3, 4, 3}), i32s({10, 20, 30})}) == "trap: scatter: index 1 occurs twice");
  const std::string sums = "fun f (vs xs : [3]i32) : [3]i32 = permuteBy (\\x -> i64 x - 2) (\\x s -> s * 2 + x) xs vs";
  CHECK(meaning(sums, {i32s({3, 1, 3}), i32s({10, 20, 30})}) == "[10, 89, 30]");
  CHECK(meaning(sums, {i32s({3, 5, 3}), i32s({10, 20, 30})}) == "trap: permute: index 3 is outside [0, 3)");
  const std::string permute = "fun f (is : [4]i64) (vs : [4]i32) (xs : [3]i32) : [3]i32 = permute (+) xs is vs";
  CHECK(meaning(permute, {i64s({2, 2, -1, 0}), i32s({1, 2, 4, 8}), xs}) == "[18, 20, 33]");
}

TEST_CASE("state of tuples steps all at once") {
  // Writing the first component before the second is read would give (512, 1024).
  CHECK(meaning("fun fib : (i32, i32) = iterate 10 (\\(a, b) -> (b, a + b)) (0, 1)") == "(55, 89)");
  CHECK(meaning("fun f : (i32, i32) = while (\\(i, x) -> i < 5) (\\(i, x) -> (i + 1, x * 2)) (0, 1)") == "(5, 32)");
}

TEST_CASE("&&, || and if evaluate only what they need; select evaluates both") {
  const Value zero = scalar_value(make_integer(ScalarType::I32, 0));
  CHECK(meaning("fun f (x : i32) : bool = x != 0 && 10 / x > 1", {zero}) == "false");
  CHECK(meaning("fun f (x : i32) : bool = x == 0 || 10 / x > 1", {zero}) == "true");
  CHECK(meaning("fun f (x : i32) : i32 = if x == 0 then 0 else 10 / x", {zero}) == "0");
  CHECK(meaning("fun f (x : i32) : i32 = select (x == 0) 0 (10 / x)", {zero}) == "trap: /: division by zero: 10 / 0");
}

TEST_CASE("a value that nobody reads is evaluated once all the same") {
  const Value zero = scalar_value(make_integer(ScalarType::I32, 0));
  CHECK(meaning("fun f (x : i32) : i32 = let unused = 1 / x in 3", {zero}) == "trap: /: division by zero: 1 / 0");
  CHECK(meaning("fun k (x : i32) (y : i32) : i32 = x\nfun f (x : i32) : i32 = k 3 (1 / x)", {zero}) ==
        "trap: /: division by zero: 1 / 0");
}

TEST_CASE("short vectors compute lane by lane and lie as their scalars") {
  CHECK(meaning("fun f (xs : [8]f32) : [8]f32 = asScalar (map (\\v -> v * splat 4 2.0) (asVector 4 xs))",
                {f32s({1, 2, 3, 4, 5, 6, 7, 8})}) == "[2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0]");
  CHECK(meaning("fun f (xs : [3]f32) : f32 = reduce (+) 0 (lanes (asVector 3 xs ! 0))", {f32s({1, 2, 3})}) == "6.0");
}

TEST_CASE("empty arrays are legal") {
  CHECK(meaning("fun f [n] (xs : [n]i32) : i32 = reduce (+) 5 xs", {i32s({})}, {{"n", 0}}) == "5");
  CHECK(meaning("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x) xs", {i32s({})}, {{"n", 0}}) == "[]");
}

}  // namespace denote_test
