// Scans in blocks: which are, in what order, and that the order is the one that is stated, at every length.
#include <catch2/catch.hpp>

#include "codegen/targets/target.h"
#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace scan_in_blocks_test {
using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr ReductionOrder small{2, 4, 0, 2};

PhraseProgram reduced(PhraseProgram p, const rewriting::LawOracle& laws = {}) {
  p.order = small;
  return reduced_in_blocks(p, calculus(), nullptr, laws);
}
bool changes(const std::string& text, const rewriting::LawOracle& laws = {}) {
  const PhraseProgram p = entry(text);
  return !alpha_equal(*reduced(p, laws).body, *p.body);
}
void stays(const std::string& text) {
  CAPTURE(text);
  CHECK_FALSE(changes(text));
}
std::string result_of(const PhraseProgram& p, std::int64_t n, const std::vector<Value>& arguments) {
  return show(*denote(p, {{"n", n}}, arguments, ieee_domain()), ieee_domain());
}
// What the order leaves as it is has the value of the scan as it is written.
void is_as_written(const std::string& text, const std::function<std::vector<Value>(std::int64_t)>& arguments,
                   const rewriting::LawOracle& laws = {}) {
  const PhraseProgram written = entry(text), made = reduced(written, laws);
  CAPTURE(text);
  CHECK_FALSE(alpha_equal(*made.body, *written.body));
  for (std::int64_t n = 0; n <= 3 * small.block * small.abreast + 1; ++n) {
    CAPTURE(n);
    const std::vector<Value> given = arguments(n);
    CHECK(result_of(made, n, given) == result_of(written, n, given));
  }
}
std::vector<std::int64_t> integers(std::int64_t n) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(i * 7919 % 101 - 50);
  return out;
}

// The stated order, by loops over indices.
std::vector<double> sums_of(const std::vector<float>& xs, float start, const ReductionOrder& order, bool exclusive) {
  const auto n = static_cast<std::int64_t>(xs.size()), group = order.block * order.abreast;
  const auto x = [&](std::int64_t i) { return xs[static_cast<std::size_t>(i)]; };
  std::vector<double> out;
  float before = start;
  for (std::int64_t from = 0; from < n; from += order.block) {
    const bool last = from >= n / group * group;
    float acc = before;
    for (std::int64_t i = from; i < (last ? n : from + order.block); ++i) {
      if (exclusive) out.push_back(acc);
      acc = x(i) + acc;
      if (!exclusive) out.push_back(acc);
    }
    if (last) break;
    float sum = 0;
    for (std::int64_t column = 0; column < order.columns; ++column) {
      float one = 0;
      for (std::int64_t i = from + column; i < from + order.block; i += order.columns) one = x(i) + one;
      sum = one + sum;
    }
    before = sum + before;
  }
  return out;
}
// Any other order of these gives another sum, soon.
std::vector<float> numbers(std::int64_t n) {
  std::vector<float> out;
  for (std::int64_t i = 0; i < n; ++i)
    out.push_back((i % 3 == 1 ? -1.0F : 1.0F) * (0.1F + static_cast<float>(i * i * 7919 % 100003) * 1.7F));
  return out;
}
std::string scan_of(bool exclusive, const std::string& f) {
  return std::string("fun f [n] (xs : [n]f32) : [n]f32 = ") + (exclusive ? "scanExclusive " : "scan ") + f + " 3 xs";
}

}  // namespace

TEST_CASE("a scan of floats has the bits of the stated order at every length up to three groups") {
  for (const bool exclusive : {false, true}) {
    const PhraseProgram written = entry(scan_of(exclusive, "(+)")), made = reduced(written);
    std::size_t others = 0;
    for (std::int64_t n = 0; n <= 3 * small.block * small.abreast + small.columns; ++n) {
      CAPTURE(exclusive, n);
      const std::vector<float> xs = numbers(n);
      const std::vector<Value> given{f32s({xs.begin(), xs.end()})};
      CHECK(result_of(made, n, given) == show(f32s(sums_of(xs, 3, small, exclusive)), ieee_domain()));
      others += result_of(made, n, given) != result_of(written, n, given);
    }
    CHECK(others > 10);  // the order that is written has other bits
  }
}

TEST_CASE("what is compiled has the bits of the usual order around each group's end") {
  const ReductionOrder usual;
  const std::int64_t group = usual.block * usual.abreast;
  for (const bool exclusive : {false, true}) {
    const PhraseProgram program = entry(scan_of(exclusive, "(+)"));
    const auto compiled =
        load_on(*find_target("openmp"), dpia_trace(program, calculus(), Machine::Cpu).last(), program.result);
    REQUIRE(compiled);
    for (const std::int64_t n :
         {std::int64_t{0}, std::int64_t{1}, group - 1, group, group + 1, 2 * group - 1, 2 * group, 3 * group + 17}) {
      const std::vector<float> all = numbers(n);
      Arguments arguments{{{"n", n}}, {}};
      arguments.values.push_back(allocate_leaves(program.parameters[0].second, arguments.sizes, "xs").value());
      std::copy(all.begin(), all.end(), const_cast<float*>(static_cast<const float*>(arguments.values[0][0].data)));
      const auto found = compiled->run(arguments);
      REQUIRE(found);
      const std::vector<double> wanted = sums_of(all, 3, usual, exclusive);
      for (std::int64_t i = 0; i < n; ++i)
        if (scalar_at(found->front(), i).ieee() != wanted[static_cast<std::size_t>(i)]) FAIL("at " << i << " of " << n);
    }
  }
}

TEST_CASE("sums of blocks come first, and blocks from what stands before them, some abreast") {
  const std::string head = "fun f [n] (xs : [n]f32) : [n]f32 =\n";
  const PhraseProgram made = reduced(entry(head + "scan (+) 3 xs"));
  CAPTURE(print(source_of(*made.body, calculus(), Suffixes::Never)));
  CHECK(alpha_equal(
      *made.body,
      *entry(
           head +
           "let sums = map (\\block -> reduceSeq (+) 0\n"
           "  (reduceSeq (\\row sums -> mapSeq (\\(x, s) -> x + s) (zip row sums)) (replicate 2 0) (split 2 block)))\n"
           "  (split 4 (take (n/8*8) xs)) in\n"
           "let starts = scanExclusive (+) 3 (pad 0 1 0 sums) in\n"
           "concat\n"
           "  (join (join (map (\\(group, from) -> transpose (scan\n"
           "     (\\row sums -> mapSeq (\\(x, s) -> x + s) (zip row sums)) from (transpose group)))\n"
           "     (zip (split 2 (split 4 (take (n/8*8) xs))) (split 2 (take (n/8*2) starts))))))\n"
           "  (scan (+) (starts ! (n/8*2)) (drop (n/8*8) xs))")
           .body));
}

TEST_CASE("maxima and choices by a strict order have the values of the scan as it is written") {
  const auto one = [](std::int64_t n) { return std::vector{i32s(integers(n))}; };
  for (const char* const scan : {"scan", "scanExclusive"}) {
    const std::string head = "fun f [n] (xs : [n]i32) : [n]i32 = " + std::string(scan);
    is_as_written(head + " (\\x acc -> if x > acc then x else acc) 3 xs", one);
    is_as_written(head + " (\\x acc -> if x * x < acc then x * x else acc) 90 xs", one);
    is_as_written("fun f [n] (xs : [n]i32) : [n](i32, i32) = " + std::string(scan) +
                      " (\\x (low, high) -> (min x low, max x high)) (90, 3) xs",
                  one);
    is_as_written("fun f [n] (xs : [n]i32) : [n](i64, i32) = " + std::string(scan) +
                      " (\\(i, x) (k, best) -> if x > best then (i, x) else (k, best)) (0 - 1, 2) (zip (iota n) xs)",
                  one);
  }
}

TEST_CASE("sums that begin again have the values of the scan as it is written") {
  const auto segments = [](std::int64_t n) {
    std::vector<Value> starts;
    for (std::int64_t i = 0; i < n; ++i) starts.push_back(scalar_value(make_bool(i * i % 11 == 3)));
    return std::vector{array_value(starts), i32s(integers(n))};
  };
  const std::string head = "fun f [n] (starts : [n]bool) (xs : [n]i32)";
  for (const char* const scan : {"scan", "scanExclusive"}) {
    const std::string over = std::string(scan) + " (\\(start, x) ";
    is_as_written(head + " : [n](bool, i32) = " + over +
                      "(_, acc) -> (start, if start then x else acc + x)) (true, 5) (zip starts xs)",
                  segments);
    is_as_written(head + " : [n]i32 = " + over + "acc -> if start then x else x * acc) 5 (zip starts xs)", segments);
    // beside what goes on, and below a name
    is_as_written(head + " : [n](i32, (i32, i32)) = " + over +
                      "(a, (b, c)) -> let y = x * x in\n"
                      "  (if start || y < 50 then y else a + y, (b ^ y, if start || y < 50 then x else x + c)))\n"
                      "  (1, (2, 3)) (zip starts xs)",
                  segments);
  }
  const std::string over = " : [n](i32, i32) = scan (\\(start, x) (a, b) -> ";
  stays(head + over + "(if start then x else a + x, if x < 3 then x else b + x)) (0, 0) (zip starts xs)");
  stays(head + over + "(if start then x else a - x, b + x)) (0, 0) (zip starts xs)");
  stays(head + over + "(if start then x else b + x, b + x)) (0, 0) (zip starts xs)");
  stays(head + over + "(if start then a else a + x, b + x)) (0, 0) (zip starts xs)");
  stays(head + over + "(if a < 3 then x else a + x, b + x)) (0, 0) (zip starts xs)");
  stays(head + over + "(if start then x else max a x, b + x)) (0, 0) (zip starts xs)");
  stays(head + over + "let y = a in (if y < 3 then x else a + x, b + x)) (0, 0) (zip starts xs)");
}

TEST_CASE("an associative operator keeps the order of its elements") {
  // functions a * y + b, one after another: who says that it is associative, with (1, 0) neutral, and does not commute
  const rewriting::LawOracle laws = [](const rewriting::LawQuestion& q) {
    const bool neutral = q.element && print(source_of(**q.element, calculus(), Suffixes::Never)) == "(1, 0)";
    const bool holds = q.law == rewriting::Law::Associative || (q.law == rewriting::Law::Neutral && neutral);
    return rewriting::LawAnswer{holds, rewriting::Knowledge::Assumed, false, ""};
  };
  const std::string text =
      "fun f [n] (a : [n]i32) (b : [n]i32) : [n](i32, i32) =\n"
      "  scan (\\(a, b) (c, d) -> (a * c, a * d + b)) (2, 3) (zip a b)";
  is_as_written(
      text,
      [](std::int64_t n) {
        std::vector<std::int64_t> b = integers(n);
        std::reverse(b.begin(), b.end());
        return std::vector{i32s(integers(n)), i32s(b)};
      },
      laws);
  stays(text);  // nobody says so
}

TEST_CASE("scans of integers, of few elements, in parallel loops and without a law stay") {
  stays("fun f [n] (xs : [n]i32) : [n]i32 = scan (+) 0 xs");
  stays("fun f [n] (xs : [n]i32) : [n]i32 = scan (\\x acc -> x * x ^ acc) 0 xs");
  CHECK(changes("fun f [n] (xs : [n](i32, i32)) : [n](i32, i32) = scan (\\(x, y) (a, b) -> (x + a, y + b)) (0, 0) xs"));
  stays(scan_of(false, "(-)"));
  stays("fun f [n] (a : [n][3]f32) : [n]f32 = scan (\\row acc -> reduceSeq (+) 0 row + acc) 0 a");
  stays(scan_of(false, "(\\x acc -> acc * 0.5 + x)"));
  stays("fun f [n] (xs : [n]f32) : [n]f32 where n <= 7 = scan (+) 0 xs");
  CHECK(changes("fun f [n] (xs : [n]f32) : [n]f32 where n <= 8 = scan (+) 0 xs"));
  stays("fun f [m n] (a : [m][n]f32) : [m][n]f32 = map (scan (+) 0) a");
  CHECK(changes("fun f [m n] (a : [m][n]f32) : [m][n]f32 = mapSeq (scan (+) 0) a"));
  CHECK(changes("fun f [n] (xs : [n]f32) : [n]f32 = iterate 3 (scan (+) 0) xs"));
  PhraseProgram p = entry(scan_of(false, "(+)"));
  p.in_order = true;
  CHECK(alpha_equal(*reduced(p).body, *p.body));
}

TEST_CASE("laws that scans rely on are owed") {
  LawsHold relied;
  reduced_in_blocks(entry(scan_of(false, "(+)")), calculus(), &relied);
  REQUIRE(relied.questions.size() == 3);
  CHECK(relied.questions[2].law == rewriting::Law::Neutral);
  relied.questions.clear();
  reduced_in_blocks(entry("fun f [n] (xs : [n]f32) : [n]f32 = scan (\\x acc -> if x < 0 then 0 else x + acc) 0 xs"),
                    calculus(), &relied);
  REQUIRE(relied.questions.size() == 2);
  CHECK(relied.questions[0].law == rewriting::Law::Associative);
}

}  // namespace scan_in_blocks_test
