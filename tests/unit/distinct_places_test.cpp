// Places that are known to be distinct: which are, which only look like it, and that none that are found occur twice.
#include <catch2/catch.hpp>

#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"
#include "translate/rewriting/terms.h"

namespace distinct_places_test {
using namespace lockstep;
using namespace lockstep::test;

namespace {

bool has(const Phrase& p, const std::string& loop) {
  bool found = rewriting::as_call(p, loop) != nullptr;
  for_each_child(p, [&](const PhraseRef& c) { found = found || has(*c, loop); });
  return found;
}
PhraseProgram made(const std::string& text) { return with_distinct_places(fused(entry(text), calculus()), calculus()); }
bool is_known(const std::string& text) {
  const PhraseProgram p = made(text);
  CHECK(has(*p.body, "scatterDistinct") != (has(*p.body, "scatterBy") || has(*p.body, "scatter")));
  return has(*p.body, "scatterDistinct");
}

// xs, of which places are made, onto n places, or more.
std::string onto(const std::string& places, const std::string& size = "n") {
  return "fun f [n] (k : i64) (xs : [n]i32) (ys : [n]i64) : [" + size + "]i32 =\n  " + places +
         "  scatter (replicate (" + size + ") 0) places xs";
}
std::string each(const std::string& place, const std::string& definitions = "") {
  return definitions + "let places = map (\\(i, x, y) -> " + place + ") (zip (iota n) (zip xs ys)) in\n";
}
std::string by_sums(const std::string& place, const std::string& adds, const std::string& scan = "scanExclusive") {
  return "let s = " + scan + " (\\x acc -> acc + " + adds + ") 0 xs in\n" + "  let places = map (\\(i, x, s) -> " +
         place + ") (zip (iota n) (zip xs s)) in\n";
}
const std::string ones =
    "let ones = map (\\x -> i64 (x > 1)) xs in\n  let s = scanExclusive (+) 0 ones in\n"
    "  let t = reduce (+) 0 ones in\n";
std::string split(const std::string& place, const std::string& definitions = ones) {
  return definitions + "  let places = map (\\(i, one, s) -> " + place + ") (zip (iota n) (zip ones s)) in\n";
}

// What a program gives for every array of `most` numbers from 0 to 3, and those that are shorter: a trap that says that
// an index occurs twice, if there is one.
std::string twice(const PhraseProgram& p, std::int64_t most = 5) {
  for (std::int64_t n = 0; n <= most; ++n)
    for (std::int64_t all = 0; all < std::int64_t{1} << (2 * n); ++all) {
      std::vector<std::int64_t> xs;
      for (std::int64_t i = 0; i < n; ++i) xs.push_back(all >> (2 * i) & 3);
      const auto v =
          denote(p, {{"n", n}}, {scalar_value(make_integer(ScalarType::I64, 2)), i32s(xs), i64s(xs)}, ieee_domain());
      if (!v && v.error().message.find("occurs twice") != std::string::npos) return v.error().message;
    }
  return "";
}
void distinct(const std::string& places, const std::string& size = "n") {
  const std::string text = onto(places, size);
  CAPTURE(text);
  CHECK(is_known(text));
  CHECK(twice(made(text)).empty());
}
// Not known, and rightly: some array has one place twice.
void may_meet(const std::string& places, const std::string& size = "n") {
  const std::string text = onto(places, size);
  CAPTURE(text);
  CHECK_FALSE(is_known(text));
  CHECK_FALSE(twice(entry(text)).empty());
}
void is_not_known(const std::string& places) {
  CAPTURE(places);
  CHECK_FALSE(is_known(onto(places)));
}

}  // namespace

TEST_CASE("places that go on by a number are distinct") {
  for (const char* const place : {"i", "n - 1 - i", "i + k", "k - i", "i - 2 * (i - k)", "-i + n"})
    distinct(each(place));
  distinct(each("2 * i"), "2 * n");
  distinct(each("i * 3 - i + 1"), "2 * n + 1");
  distinct(each("255 * i"), "255 * n");
  distinct("let places = iota n in\n");
  distinct("let places = generate n (\\i -> n - 1 - i64 i) in\n");
  distinct(each("if x > 1 then i else -1"));
  may_meet(each("k"));
  may_meet(each("y"));
  may_meet(each("i * k - 2 * i"));
  may_meet(each("(i - i) * 3"));
  may_meet(each("i / 2"));
  may_meet(each("i + y"));
  may_meet(each("if x > 1 then i else 0"));
  may_meet(each("i64 (u8 (128 * i))"), "1000");
}

TEST_CASE("places that wrap are not known") {
  is_not_known(each("256 * i"));
  is_not_known(each("-256 * i"));
  is_not_known(each("i * i"));
  is_not_known(each("i64 (i32 i)"));
}

TEST_CASE("the places of what is counted are distinct") {
  distinct(by_sums("if x > 1 then s else -1", "i64 (x > 1)"));
  distinct(by_sums("if x <= 1 then -7 else s", "i64 (x > 1)"));
  distinct(by_sums("if !(x > 1) then -1 else s", "i64 (x > 1)"));
  distinct(by_sums("if x > 1 then s - 1 else -1", "i64 (x > 1)", "scan"));
  distinct(by_sums("if x > 1 && i64 x <= k then s else -1", "i64 (x > 1)"));
  distinct(by_sums("if x > 1 then s else -1", "(if x > 1 then 1 else 0)"));
  distinct(by_sums("if x > 1 then k + s else -1", "i64 (x > 1)"), "n + 2");
  distinct(by_sums("if x > 1 then n - 1 - s else -1", "i64 (x > 1)"));
  distinct(by_sums("if (x & 3) != 0 then s else -1", "i64 (x & 3)"), "3 * n");
  distinct(by_sums("if i64 (x & 3) >= 1 then s else -1", "i64 (x & 3)"), "3 * n");
  distinct(by_sums("if x > 1 then (if x > 1 then s else 0) else -1", "i64 (x > 1)"));
  distinct(by_sums("s", "1"));
  distinct(by_sums("s", "(if x > 1 then 1 else 2)"), "2 * n");
  distinct(split("if one == 1 then s else -1"));
  distinct(split("if one > 0 then s else -1"));
  distinct(split("if one != 0 then s else -1"));
  distinct(split("if 1 == one then s else -1"));
  distinct(split("if one < 1 then -1 else s"));
  distinct(split("if one <= 0 then -1 else s"));
  distinct(split("if one == 0 || one == 2 then -1 else s"));
}

TEST_CASE("of what is counted otherwise than chosen, some places are one") {
  may_meet(by_sums("if x > 0 then s else -1", "i64 (x > 1)"));
  may_meet(by_sums("if x <= 1 then s else -1", "i64 (x > 1)"));
  may_meet(by_sums("s", "i64 (x > 1)"));
  may_meet(by_sums("if x > 1 then s else 0", "i64 (x > 1)"));
  may_meet(by_sums("if x > 1 then s / 2 else -1", "i64 (x > 1)"));
  may_meet(by_sums("if x > 1 then s else -1", "i64 (x > 1) - i64 (x == 0)"));
  may_meet(by_sums("if x > 0 then s else -1", "i64 (x & 2)"));
  may_meet(by_sums("if x > 1 then s + i * k - 3 * i else -1", "i64 (x > 1)"));
  may_meet(split("if one == 0 then s else -1"));
  may_meet(split("if one < 2 then s else -1"));
  may_meet(split("if one >= 0 then s else -1"));
  may_meet(split("if one != 1 then s else -1"));
  may_meet(split("if one == 1 || i == 0 then s else -1"));
}

TEST_CASE("sums that may wrap are not known") {
  is_not_known(by_sums("if x > 1 then s else -1", "(if x > 1 then 256 else 0)"));
  is_not_known(by_sums("if x > 1 then s else -1", "i64 x"));
  is_not_known(by_sums("if x > 1 then 2 * s else -1", "i64 (x > 1)"));
}

TEST_CASE("an array that is split in two has places of its own for both") {
  distinct(split("if one == 1 then n - t + s else i - s"));
  distinct(split("if one == 1 then s else t + i - s"));
  distinct(split("if one != 1 then t + (i - s) else s"));
  distinct(split("if one == 0 then i - s + k else n - t + s + k"), "n + 2");
  distinct(split("if one == 1 then -1 else i - s"));
  distinct(split("if one == 1 then -1 else n - 1 - (i - s)"));
  may_meet(split("if one == 1 then s else i - s"));
  may_meet(split("if one == 1 then n - t + s else i - s + 1"), "n + 1");
  may_meet(split("if one == 1 then n - 2 - s else i - s"));
  may_meet(split("if one == 1 then t + s else i - s"), "2 * n");
  may_meet(split("if one == 0 then s else t + i - s"), "2 * n");
  may_meet(split("if one == 1 then -1 else i - 2 * s"));
  is_not_known(split("if one == 1 then -1 else 256 * i - s"));  // it may wrap
  // What is counted of those in front is more than what those behind them leave out.
  const std::string counted =
      "let s = scanExclusive (\\x acc -> acc + i64 (x > 1)) 0 xs in\n"
      "  let t = reduce (\\x acc -> acc + i64 (x > 1)) 0 xs in\n";
  const auto of = [&](const std::string& other) {
    return counted + "  let u = scanExclusive (\\x acc -> acc + i64 (x > " + other + ")) 0 xs in\n" +
           "  let places = map (\\(i, x, s, u) -> if x > 1 then n - t + s else i - u) (zip (iota n) (zip xs (zip s "
           "u))) in\n";
  };
  distinct(of("1"));
  may_meet(of("2"));
  may_meet(split("i - s"));
  const std::string twos =
      "let ones = map (\\x -> if x > 1 then 2 else 0) xs in\n  let s = scanExclusive (+) 0 ones in\n";
  may_meet(split("if one == 0 then i - s + 4 else -1", twos), "n + 4");
  const std::string part =
      "let ones = map (\\x -> i64 (x > 1)) xs in\n  let s = scanExclusive (+) 0 ones in\n"
      "  let t = reduce (+) 0 (map (\\x -> i64 (x > 2)) xs) in\n";
  may_meet(split("if one == 1 then s else t + i - s", part));
  const std::string some =
      "let ones = map (\\i -> i64 (i < k)) (iota n) in\n  let s = scanExclusive (+) 0 ones in\n"
      "  let t = reduce (+) 0 (map (\\i -> i64 (i < k)) (iota 1)) in\n";
  may_meet(split("if one == 1 then s else t + i - s", some));
  const std::string with_own =
      "let ones = map (\\x -> i64 (x > 1)) xs in\n  let s = scan (+) 0 ones in\n"
      "  let t = reduce (+) 0 ones in\n";
  distinct(split("if one == 1 then s - 1 else t + i - s", with_own));
  may_meet(split("if one == 1 then s else t + i - s", with_own), "n + 1");
}

TEST_CASE("a kernel has marks for places that are not known, and none for those that are") {
  const auto marks = [](const std::string& text) {
    std::size_t n = 0;
    const DpiaTrace trace = dpia_trace(entry(text), calculus(), Machine::Cpu);
    kernel::each_statement(trace.kernel().body, [&](const kernel::Stmt& s) {
      const auto* c = std::get_if<kernel::Check>(&s.node);
      n += c && c->message.find("twice") != std::string::npos ? 1 : 0;
    });
    return n;
  };
  CHECK(marks(onto(split("if one == 1 then s else -1"))) == 0);
  CHECK(marks(onto(split("if one < 2 then s else -1"))) == 1);
}

}  // namespace distinct_places_test
