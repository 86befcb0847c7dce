// Which traps a program may report, and that what is reported is one of them.
#include <catch2/catch.hpp>

#include "props/dpia/comparison.h"
#include "props/dpia/rounds.h"
#include "tests/unit/dpia_program.h"

namespace traps_test {
using namespace lockstep;
using namespace lockstep::test;

namespace {

// Sorted, a line each, with the text at the place.
std::string traps(const std::string& text, const std::vector<Value>& arguments = {}, const SizeValues& sizes = {}) {
  std::set<std::string> lines;
  for (const Trap& t : traps_of(entry(text), sizes, arguments, ieee_domain()))
    lines.insert(t.primitive + ": " + t.message + " | " + text.substr(t.region.begin, t.region.end - t.region.begin) +
                 "\n");
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}
Value i32(std::int64_t x) { return scalar_value(make_integer(ScalarType::I32, static_cast<std::uint64_t>(x))); }

}  // namespace

TEST_CASE("each element's trap may be the one that is reported, and no other") {
  const std::string text = "fun f (is : [4]i64) (xs : [3]i32) : [4]i32 = map (\\i -> xs ! i) is";
  CHECK(traps(text, {i64s({7, 1, -1, 7}), i32s({1, 2, 3})}) ==
        "!: index -1 is outside [0, 3) | xs ! i\n!: index 7 is outside [0, 3) | xs ! i\n");
  CHECK(traps(text, {i64s({2, 1, 0, 0}), i32s({1, 2, 3})}).empty());
  CHECK(traps("fun f (is : [4]i64) (xs : [3]i32) : [4]i32 = gather is xs", {i64s({7, 1, -1, 8}), i32s({1, 2, 3})}) ==
        "gather: index -1 is outside [0, 3) | gather is xs\ngather: index 7 is outside [0, 3) | gather is xs\n"
        "gather: index 8 is outside [0, 3) | gather is xs\n");
  CHECK(traps("fun f (is : [4]i64) (vs : [4]i32) (xs : [3]i32) : [3]i32 = scatter xs is vs",
              {i64s({1, 1, 3, -1}), i32s({1, 2, 3, 4}), i32s({1, 2, 3})}) ==
        "scatter: index 1 occurs twice | scatter xs is vs\nscatter: index 3 is outside [0, 3) | scatter xs is vs\n");
  // side by side, where each element has a place, only what has none is known
  CHECK(traps("fun f (xs : [1][2]i32) : [2]i32 = spread 2 (\\p -> 0) xs", {array_value({i32s({1, 2})})}) ==
        "spread: elements (0, 0) and (0, 1) go to one place | spread 2 (\\p -> 0) xs\n"
        "spread: no element goes to 1 | spread 2 (\\p -> 0) xs\n");
  CHECK(traps("fun f (xs : [1][2]i32) : [2]i32 = spread 2 (\\p -> 2) xs", {array_value({i32s({1, 2})})}) ==
        "spread: element (0, 0) goes to 2, outside [0, 2) | spread 2 (\\p -> 2) xs\n"
        "spread: element (0, 1) goes to 2, outside [0, 2) | spread 2 (\\p -> 2) xs\n");
}

TEST_CASE("what needs the value that a trap did not give is not reached, the rest is") {
  const std::vector<Value> zero{i32(0)};
  CHECK(traps("fun f (x : i32) : i32 = let y = 1 / x in let z = 2 % x in (y + z)", zero) ==
        "%: remainder by zero: 2 % 0 | 2 % x\n/: division by zero: 1 / 0 | 1 / x\n");
  CHECK(traps("fun f (x : i32) : i32 = (5 / (1 / x)) + (7 / x)", zero) ==
        "/: division by zero: 1 / 0 | (1 / x)\n/: division by zero: 7 / 0 | (7 / x)\n");
  CHECK(traps("fun f (x : i32) : i32 = if 1 / x == 1 then 2 / x else 3 / x", zero) ==
        "/: division by zero: 1 / 0 | 1 / x\n");
  CHECK(traps("fun f (x : i32) : i32 = if x == 0 then 2 / x else 3 / x", zero) ==
        "/: division by zero: 2 / 0 | 2 / x\n");
  CHECK(traps("fun f (x : i32) : bool = 1 / x == 1 && 2 / x == 1", zero) == "/: division by zero: 1 / 0 | 1 / x\n");
  // The accumulator is lost at the first element; what the others do without it is not.
  CHECK(traps("fun f (xs : [3]i32) : i32 = reduce (\\x acc -> acc + 6 / x) 0 xs", {i32s({0, 2, 0})}) ==
        "/: division by zero: 6 / 0 | 6 / x\n");
  CHECK(traps("fun f (xs : [3]i32) : i32 = reduce (\\x acc -> acc / x + 6 / x) 0 xs", {i32s({2, 0, 0})}) ==
        "/: division by zero: 3 / 0 | acc / x\n/: division by zero: 6 / 0 | 6 / x\n");
  // A loop that cannot know whether to go on stops.
  CHECK(traps("fun f (x : i32) : i32 = while (\\y -> y < 5) (\\y -> y / x) 1", zero) ==
        "/: division by zero: 1 / 0 | y / x\n");
}

// The campaign's programs 21177, 25476 and 54207 at seed 9.
TEST_CASE("what a view shows of an element that is lost is lost, and other elements are not") {
  CHECK(traps("fun f (is : [2][2]i64) (xs : [2]i32) : [2][1][2]i32 = map (\\i -> split 2 (gather i xs)) is",
              {array_value({i64s({7, 0}), i64s({0, 8})}), i32s({1, 2})}) ==
        "gather: index 7 is outside [0, 2) | (gather i xs)\ngather: index 8 is outside [0, 2) | (gather i xs)\n");
  CHECK(traps("fun f (is : [2]i64) (xs : [2]i32) : [2][2](i32, i32) =\n"
              "  map (\\i -> zip (permute (+) xs (replicate 2 i) xs) xs) is",
              {i64s({7, 8}), i32s({1, 2})}) ==
        "permute: index 7 is outside [0, 2) | (permute (+) xs (replicate 2 i) xs)\n"
        "permute: index 8 is outside [0, 2) | (permute (+) xs (replicate 2 i) xs)\n");
  CHECK(traps("fun f (is : [2]i64) (xs : [2]i32) : [2][2]i32 =\n"
              "  map (\\i -> transpose (split 1 (permute (+) xs (replicate 2 i) xs)) ! 0) is",
              {i64s({7, 8}), i32s({1, 2})}) ==
        "permute: index 7 is outside [0, 2) | (permute (+) xs (replicate 2 i) xs)\n"
        "permute: index 8 is outside [0, 2) | (permute (+) xs (replicate 2 i) xs)\n");
}

TEST_CASE("a trap is reported rightly where primitive, values and place are one's that may be") {
  const std::string text = "fun f (is : [2]i64) (xs : [3]i32) : [2]i32 = map (\\i -> xs ! i) is";
  const PhraseProgram p = entry(text);
  const std::vector<Value> arguments{i64s({7, 9}), i32s({1, 2, 3})};
  const auto all = traps_of(p, {}, arguments, ieee_domain());
  REQUIRE(all.size() == 2);
  const auto same = [&](const std::function<void(Trap&)>& change) {
    Trap t = all[1];
    change(t);
    return props::same_outcome(tl::unexpected(all[0]), all, tl::unexpected(t));
  };
  CHECK(same([](Trap&) {}));
  CHECK_FALSE(same([](Trap& t) { t.primitive = "gather"; }));
  CHECK_FALSE(same([](Trap& t) { t.message = "index 8 is outside [0, 3)"; }));
  CHECK_FALSE(same([](Trap& t) { ++t.region.begin; }));
  CHECK_FALSE(same([](Trap& t) { --t.region.end; }));
  CHECK_FALSE(same([](Trap& t) { t.region.source = nullptr; }));
  CHECK_FALSE(props::same_outcome(Scalars{}, {}, tl::unexpected(all[0])));
  CHECK_FALSE(props::same_outcome(tl::unexpected(all[0]), all, Scalars{}));
}

}  // namespace traps_test
