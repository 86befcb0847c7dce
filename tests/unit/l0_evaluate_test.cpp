// The meaning of L0 (l0.md §1): constructs, traps, empty arrays, recursion and its limit, costs.
#include <catch2/catch.hpp>

#include "semantics/l0/check.h"
#include "tests/unit/l0_program.h"

namespace l0_evaluate_test {
using namespace lockstep;
using test::l0_run;
using test::l0_value;

TEST_CASE("constructs mean what the paper's table says") {
  CHECK(l0_value("int", "reduce(op +, 0, map(fn int (int x) => x * x, iota(5)))") == "30");
  CHECK(l0_value("[int]", "filter(op < (2), {1, 2, 3, 4})") == "[3, 4] [2]");
  CHECK(l0_value("[int]", "scan(op +, 10, {1, 2, 3})") == "[11, 13, 16] [3]");
  CHECK(l0_value("[int]", "scan(op -, 0, {1, 2, 3})") == "[-1, -3, -6] [3]");
  CHECK(l0_value("int", "redomap(op +, fn int (int a, int x) => a + x * x, 1, iota(4))") == "15");
  CHECK(l0_value("[(int, real)]", "zip(iota(2), {1.5, 2.5})") == "[(0, 1.5), (1, 2.5)] [2] [2]");
  CHECK(l0_value("([int], [bool])", "unzip({(1, true), (2, false)})") == "([1, 2], [true, false]) [2] [2]");
  CHECK(l0_value("[[int]]", "transpose({{1, 2, 3}, {4, 5, 6}})") == "[[1, 4], [2, 5], [3, 6]] [3][2]");
  CHECK(l0_value("([int], [int])", "split(2, iota(5))") == "([0, 1], [2, 3, 4]) [2] [3]");
  CHECK(l0_value("[int]", "concat(iota(2), iota(1))") == "[0, 1, 0] [3]");
  CHECK(l0_value("[[int]]", "replicate(2, iota(2))") == "[[0, 1], [0, 1]] [2][2]");
  CHECK(l0_value("int", "let a = {{1, 2}, {3, 4}} in a[1, 0] + size(a)") == "5");
  CHECK(l0_value("[int]", "let a = {{1, 2}, {3, 4}} in a[1]") == "[3, 4] [2]");
  CHECK(l0_value("[[int]]", "let a = {{1, 2}, {3, 4}} in let a[1] = {5, 6} in a") == "[[1, 2], [5, 6]] [2][2]");
  CHECK(l0_value("[char]", "\"ab\\n\"") == "\"ab\\n\" [3]");
  CHECK(l0_value("char", "'x'") == "'x'");
  CHECK(l0_value("(int, (real, bool))", "(~1, (1e~1, 3 > 2 && not (1 = 2)))") == "(-1, (0.1, true))");
  CHECK(l0_value("int", "loop (x = 1) = for i < 4 do x * 2 + i in x") == "27");
  CHECK(l0_value("int", "loop (x = 7) = for i < ~2 do 0 in x") == "7");
}

TEST_CASE("core forms of several arrays, transposes and flattening mean what stages print them for") {
  CHECK(l0_value("([int], [int])", "map2(fn (int, int) (int x, int y) => (x + y, x * y), iota(3), iota(3))") ==
        "([0, 2, 4], [0, 1, 4]) [3] [3]");
  CHECK(l0_value("([int], [int])", "filter2(fn bool (int x, int y) => x < y, {1, 5}, {2, 3})") == "([1], [2]) [1] [1]");
  CHECK(l0_value("(int, int)",
                 "reduce2(fn (int, int) (int a, int b, int x, int y) => (a + x, b * y), 0, 1, iota(3), {2, 3, 4})") ==
        "(3, 24)");
  CHECK(l0_value("([int], [int])",
                 "scan2(fn (int, int) (int a, int b, int x, int y) => (a + x, b * y), 0, 1, iota(3), {2, 3, 4})") ==
        "([0, 1, 3], [2, 6, 24]) [3] [3]");
  CHECK(l0_value("[[[int]]]", "transpose(1, 2, {{{1, 2}, {3, 4}, {5, 6}}})") ==
        "[[[1], [2]], [[3], [4]], [[5], [6]]] [3][2][1]");
  CHECK(l0_value("[[[int]]]", "transpose(3, ~2, {{{1, 2}, {3, 4}, {5, 6}}})") ==
        "[[[1, 3, 5]], [[2, 4, 6]]] [2][1][3]");
  CHECK(l0_value("[int]", "flatten(2, {{1, 2}, {3, 4}})") == "[1, 2, 3, 4] [4]");
  CHECK(l0_value("bool", "assertZip(iota(2), {true, false})") == "true");
}

TEST_CASE("a tuple is unpacked for a function with as many parameters (§2.1.1)") {
  CHECK(l0_value("[int]", "map(op +, zip(iota(3), iota(3)))") == "[0, 2, 4] [3]");
  CHECK(l0_value("[int]", "map(max, zip(iota(3), {5, 0, 0}))") == "[5, 1, 2] [3]");
  CHECK(l0_run("fun int f(int k, int a, real b) = k + a + trunc(b)\nfun [int] main() = map(f(10), zip(iota(2), {1.5, "
               "2.5}))") == "[11, 13] [2]");
}

TEST_CASE("operators: ints wrap, floats are IEEE's, and a power of ints has a natural exponent") {
  CHECK(l0_value("int", "9223372036854775807 + 1") == "-9223372036854775808");
  CHECK(l0_value("(int, int, int)", "(~7 / 2, ~7 % 2, 3 pow 4)") == "(-3, -1, 81)");
  CHECK(l0_value("int", "3 pow 41") == "-420491770248316829");
  CHECK(l0_value("int", "2 pow ~1") == "trap: pow: the exponent of an int is negative: 2 pow -1");
  CHECK(l0_value("int", "0x10 << 2 | 1") == "65");
  CHECK(l0_value("real", "1.0 / 0.0") == "inf");
}

TEST_CASE("a partial application evaluates its arguments once, where it stands") {
  CHECK(l0_value("[int]", "map(op + (1 / 0), iota(0))") == "trap: /: division by zero: 1 / 0");
  CHECK(l0_run("fun int f(int k, int x) = k + x\nfun [int] main() = map(f(1 / 0), iota(0))") ==
        "trap: /: division by zero: 1 / 0");
}

TEST_CASE("an update leaves the arrays that share data with it as they were") {
  // what is not checked for uses runs too: here b is used after a was consumed
  const auto p =
      l0::parse_program(test::l0_source("fun int main() = let a = iota(3) in let b = a in let a[0] = 7 in b[0]"));
  const l0::Program program = *l0::typed(*p);
  const auto v = l0::evaluate(program, program.functions.back(), {});
  REQUIRE(v);
  CHECK(l0::as_scalar(*v).integer() == 0);
  const auto poisoned = l0::evaluate(program, program.functions.back(), {}, {.poisons = true});
  REQUIRE(poisoned);
  CHECK(l0::as_scalar(*poisoned).integer() != 0);
}

TEST_CASE("traps stop a program: indices, lengths, irregular rows, negative sizes") {
  CHECK(l0_value("int", "let a = iota(3) in a[3]") == "trap: index: index [3] is outside an array of shape [3]");
  CHECK(l0_value("int", "let a = iota(3) in let a[~1] = 0 in a[0]") ==
        "trap: with: index [-1] is outside an array of shape [3]");
  CHECK(l0_value("[[int]]", "let a = {{1, 2}} in let a[0] = {1} in a") ==
        "trap: with: a value of shape [1] is put in the place of one of shape [2]");
  CHECK(l0_value("[(int, int)]", "zip(iota(2), iota(3))") == "trap: zip: the lengths differ: 2 and 3");
  CHECK(l0_value("[(int, [int])]", "{(1, iota(1)), (2, iota(2))}") ==
        "trap: {}: irregular: element 1 has shape [2], and those before [1]");
  CHECK(l0_value("[[int]]", "map(fn [int] (int x) => iota(x), iota(3))") ==
        "trap: map: irregular: element 1 has shape [1], and those before [0]");
  CHECK(l0_value("[int]", "iota(~1)") == "trap: iota: the length is negative: -1");
  CHECK(l0_value("[int]", "replicate(~1, 0)") == "trap: replicate: the length is negative: -1");
  CHECK(l0_value("[int]", "let (a, b) = split(4, iota(3)) in a") == "trap: split: cut at 4, outside an array of 3");
  CHECK(l0_value("[[int]]", "concat({{1}}, {{1, 2}})") == "trap: concat: the rows have shapes [1] and [2]");
  CHECK(l0_value("[[int]]", "scan(fn [int] ([int] x, [int] y) => concat(x, y), {1}, {{1}})") ==
        "trap: scan: the accumulator's shape changes from [1] to [2]");
  CHECK(l0_value("int", "let d = 1 / 0 in 5") == "trap: /: division by zero: 1 / 0");
  CHECK(l0_value("bool", "false && 1 / 0 = 1") == "false");
}

TEST_CASE("arrays of nothing keep the lengths that are known without their elements") {
  const std::string none = "let z = replicate(0, 1) in ";
  CHECK(l0_value("[[int]]", none + "map(fn [int] (int x) => iota(3), z)") == "[] [0][3]");
  CHECK(l0_value("[[int]]", none + "map(fn [int] (int x) => iota(x), z)") == "[] [0][0]");
  CHECK(l0_value("[[int]]", none + "let n = 4 in map(fn [int] (int x) => iota(n + size(z)), z)") == "[] [0][4]");
  CHECK(l0_value("[[int]]", none + "map(fn [int] (int x) => if x = 0 then iota(2) else replicate(2, x), z)") ==
        "[] [0][2]");
  CHECK(l0_value("[[int]]", none + "map(fn [int] (int x) => if x = 0 then iota(2) else iota(3), z)") == "[] [0][0]");
  CHECK(l0_value("[[int]]",
                 none + "map(fn [int] (int x) => loop (a = iota(2)) = for i < x do map(op + (1), a) in a, z)") ==
        "[] [0][2]");
  CHECK(l0_value("[[int]]", none + "map(fn [int] (int x) => loop (a = iota(2)) = for i < x do concat(a, a) in a, z)") ==
        "[] [0][0]");
  CHECK(l0_value("[[int]]", none + "map(fn [int] (int x) => iota(1 / 0), z)") == "[] [0][0]");
  CHECK(l0_value("[[int]]", "transpose(replicate(0, iota(3)))") == "[[], [], []] [3][0]");
  CHECK(l0_value("[[int]]", "filter(fn bool ([int] r) => false, {{1, 2}})") == "[] [0][2]");
  CHECK(l0_value("([int], [[real]])", "unzip(map(fn (int, [real]) (int x) => (x, {1.0, 2.0}), replicate(0, 1)))") ==
        "([], []) [0] [0][2]");
  CHECK(l0_value("int", "reduce(op +, 5, iota(0))") == "5");
  CHECK(l0_value("[[int]]", "scan(fn [int] ([int] x, [int] y) => x, iota(2), replicate(0, iota(2)))") == "[] [0][2]");
}

TEST_CASE("a branch that is decided without the elements gives the shape of nothing") {
  CHECK(l0_value("[[int]]", "map(fn [int] (int x) => if 1 > 2 then iota(2) else iota(3), iota(0))") == "[] [0][3]");
}

TEST_CASE("recursion goes 100,000 deep, and a call of itself that comes last is no deeper") {
  const std::string deep = "fun int deep(int n) = if n == 0 then 0 else 1 + deep(n - 1)\n";
  CHECK(l0_run(deep + "fun int main() = deep(99990)") == "99990");
  CHECK(l0_run(deep + "fun int main() = deep(100000)").substr(0, 10) == "trap: call");
  CHECK(l0_run("fun int f(int n) = if n == 0 then 0 else 1 + g(n - 1)\nfun int g(int n) = f(n)\n"
               "fun int main() = f(49000)") == "49000");
  CHECK(l0_run("fun int sum(int n, int acc) = if n == 0 then acc else sum(n - 1, acc + n)\nfun int main() = "
               "sum(1000000, 0)") == "500000500000");
}

TEST_CASE("costs are counted as l0.md has them") {
  const auto counts = [](const std::string& type, const std::string& expression) {
    l0::Counts c;
    l0_run("fun " + type + " main() = " + expression, {.counts = &c});
    return std::vector<std::int64_t>{c.work, c.depth, c.allocated};
  };
  CHECK(counts("int", "1 + 2 * 3") == std::vector<std::int64_t>{2, 2, 0});
  CHECK(counts("[int]", "iota(10)") == std::vector<std::int64_t>{10, 1, 10});
  // 4 for iota; 4 calls of one operation, and 4 for the map; the calls side by side
  CHECK(counts("[int]", "map(op + (1), iota(4))") == std::vector<std::int64_t>{12, 3, 8});
  // a tree of 3 levels
  CHECK(counts("int", "reduce(op +, 0, iota(4))") == std::vector<std::int64_t>{12, 5, 4});
  // the same with the map: as deep as one operation, then two levels that join; of nothing, and of one, none
  CHECK(counts("int", "reduce(op +, 0, map(op * (2), iota(4)))") == std::vector<std::int64_t>{20, 7, 8});
  CHECK(counts("int", "redomap(op +, fn int (int a, int x) => a + 2 * x, 0, iota(4))") ==
        std::vector<std::int64_t>{16, 6, 4});
  CHECK(counts("int", "redomap(op +, fn int (int a, int x) => a + 2 * x, 0, iota(1))") ==
        std::vector<std::int64_t>{4, 4, 1});
  CHECK(counts("int", "redomap(op +, fn int (int a, int x) => a + 2 * x, 0, iota(0))")[1] == 2);
  // what a trap of the first function would be is not asked: it is not applied
  CHECK(counts("int", "redomap(fn int (int a, int b) => a / (b - b), fn int (int a, int x) => a + x, 0, iota(4))") ==
        std::vector<std::int64_t>{12, 7, 4});
  // a transpose and rows of rows, which are counted once
  CHECK(counts("[[int]]", "map(fn [int] (int i) => iota(3), iota(2))")[2] == 2 + 2 * 3);
  CHECK(counts("[[int]]", "transpose({{1, 2}})")[2] == 2 + 2);
  // an update costs its indices and what it writes, not the array
  CHECK(counts("[int]", "let a = iota(100) in let a[1] = 5 in a") == std::vector<std::int64_t>{102, 2, 100});
}

}  // namespace l0_evaluate_test
