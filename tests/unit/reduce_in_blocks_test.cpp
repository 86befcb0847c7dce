// Reductions in blocks: which are, in what order, and that the order is the one that is stated, at every length.
#include <catch2/catch.hpp>
#include <cmath>

#include "codegen/targets/target.h"
#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"
#include "translate/rewriting/claims.h"

namespace reduce_in_blocks_test {
using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr ReductionOrder small{4, 12, 128, 2};

PhraseProgram reduced(PhraseProgram p, const ReductionOrder& order = small) {
  p.order = order;
  return reduced_in_blocks(p, calculus());
}
void becomes(const std::string& text, const std::string& expected, const ReductionOrder& order = small) {
  CAPTURE(text);
  const PhraseProgram made = reduced(entry(text), order);
  CAPTURE(print(source_of(*made.body, calculus(), Suffixes::Never)));
  CHECK(alpha_equal(*made.body, *entry(expected).body));
}
void stays(const std::string& text) { becomes(text, text); }
bool changes(const std::string& text) {
  const PhraseProgram p = entry(text);
  return !alpha_equal(*reduced(p).body, *p.body);
}

// The stated order, by loops over indices.
float sum_of(const std::vector<float>& xs, float start, const ReductionOrder& order) {
  const auto n = static_cast<std::int64_t>(xs.size());
  const auto add = [&](float x, float acc) { return x + acc; };
  float acc = start;
  std::int64_t at = 0;
  const auto columns_into = [&](float from, std::int64_t to) {
    float out = from;
    std::vector<float> sums(static_cast<std::size_t>(order.columns), 0.0F);
    for (std::int64_t i = at; i < to; ++i) {
      float& s = sums[static_cast<std::size_t>((i - at) % order.columns)];
      s = add(xs[static_cast<std::size_t>(i)], s);
    }
    for (const float s : sums) out = add(s, out);
    at = to;
    return out;
  };
  if (n >= order.columns) {
    while (at + order.block <= n) acc = add(columns_into(0.0F, at + order.block), acc);
    acc = columns_into(acc, n / order.columns * order.columns);
  }
  for (; at < n; ++at) acc = add(xs[static_cast<std::size_t>(at)], acc);
  return acc;
}
// Any other order of these gives another sum, soon.
std::vector<float> numbers(std::int64_t n) {
  std::vector<float> out;
  for (std::int64_t i = 0; i < n; ++i)
    out.push_back((i % 3 == 1 ? -1.0F : 1.0F) * (0.1F + static_cast<float>(i * 7919 % 1009) * 1.7F));
  return out;
}
std::vector<double> doubles(const std::vector<float>& xs) { return {xs.begin(), xs.end()}; }

std::size_t maps_in(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  std::size_t out = x && x->primitive->name == "map";
  for_each_child(p, [&](const PhraseRef& c) { out += maps_in(*c); });
  return out;
}

const char* const sum = "fun f [n] (xs : [n]f32) : f32 = reduce (+) 3 xs";

}  // namespace

TEST_CASE("a sum has the bits of the stated order at every length up to three blocks") {
  const PhraseProgram made = reduced(entry(sum)), written = entry(sum);
  std::size_t others = 0;
  for (std::int64_t n = 0; n <= 3 * small.block + small.columns; ++n) {
    CAPTURE(n);
    const std::vector<float> xs = numbers(n);
    const float wanted = sum_of(xs, 3, small);
    const auto found = denote(made, {{"n", n}}, {f32s(doubles(xs))}, ieee_domain());
    CHECK(show(*found, ieee_domain()) == show(scalar_value(make_ieee(ScalarType::F32, wanted)), ieee_domain()));
    others += show(*found, ieee_domain()) !=
              show(*denote(written, {{"n", n}}, {f32s(doubles(xs))}, ieee_domain()), ieee_domain());
  }
  CHECK(others > 10);  // the fold has other bits: the lengths tell orders apart
}

TEST_CASE("what is compiled has the bits of the usual order at every length up to three blocks") {
  const ReductionOrder usual;
  const PhraseProgram program = entry(sum);
  const DpiaTrace trace = dpia_trace(program, calculus(), Machine::Cpu);
  const auto compiled = load_on(*find_target("openmp"), trace.last(), program.result);
  REQUIRE(compiled);
  const std::vector<float> all = numbers(3 * usual.block + usual.columns);
  for (std::int64_t n = 0; n <= static_cast<std::int64_t>(all.size()); ++n) {
    Arguments arguments{{{"n", n}}, {}};
    arguments.values.push_back(allocate_leaves(program.parameters[0].second, arguments.sizes, "xs").value());
    auto* xs = const_cast<float*>(static_cast<const float*>(arguments.values[0][0].data));
    std::copy(all.begin(), all.begin() + n, xs);
    const auto found = compiled->run(arguments);
    REQUIRE(found);
    const float wanted = sum_of({all.begin(), all.begin() + n}, 3, usual);
    if (scalar_at(found->front(), 0).ieee() != static_cast<double>(wanted)) FAIL_CHECK("at n = " << n);
  }
}

TEST_CASE("blocks are side by side, and one after another in a loop that is parallel") {
  const auto maps = [&](const std::string& facts) {
    return maps_in(
        *reduced(entry("fun f [m n] (a : [m][n]f32) : [m]f32" + facts + " = map (\\xs -> reduce (+) 0 xs) a")).body);
  };
  CHECK(maps(" where m >= 16") == 1);  // the one that was there
  CHECK(maps(" where n <= 23") == 1);  // too few for two blocks
  CHECK(maps("") == 2);                // chosen when it runs
  CHECK(maps(" where m >= 15") == 2);
  CHECK(maps(" where n <= 24") == 2);
  CHECK(maps(" where m <= 15, n >= 24") == 1);  // the blocks of one row after another
  CHECK(maps_in(*reduced(entry(sum)).body) == 1);
  // and one after another in a loop in order, where there are threads for them
  CHECK(maps_in(*reduced(entry("fun f [n] (xs : [n]f32) : f32 = iterate 3 (\\x -> reduce (+) x xs) 0")).body) == 1);
}

TEST_CASE("which of two nested loops is parallel changes no bit") {
  const PhraseProgram made = reduced(entry("fun f [m n] (a : [m][n]f32) : [m]f32 = map (reduce (+) 3) a"));
  for (const std::int64_t m : {0, 1, 15, 16, 17})
    for (const std::int64_t n : {0, 5, 23, 24, 25, 61}) {
      CAPTURE(m, n);
      const std::vector<float> all = numbers(m * n);
      std::vector<double> wanted;
      for (std::int64_t i = 0; i < m; ++i)
        wanted.push_back(sum_of({all.begin() + i * n, all.begin() + (i + 1) * n}, 3, small));
      std::vector<Value> rows;
      for (std::int64_t i = 0; i < m; ++i)
        rows.push_back(f32s(doubles({all.begin() + i * n, all.begin() + (i + 1) * n})));
      CHECK(show(*denote(made, {{"m", m}, {"n", n}}, {array_value(rows)}, ieee_domain()), ieee_domain()) ==
            show(f32s(wanted), ieee_domain()));
    }
}

TEST_CASE("few long rows are taken one after another, and few elements are not") {
  const auto texts = [&](const char* argument) {
    const PhraseProgram made = reduced(entry(
        "fun f [m n] (a b : [m][n]f32) : [m]f32 = map (\\xs -> reduce (+) 0 xs) (" + std::string(argument) + ")"));
    return print(source_of(*made.body, calculus(), Suffixes::Never));
  };
  CHECK(texts("a").find("m <= 15 && 24 <= n") != std::string::npos);
  CHECK(texts("map (scan (+) 0) a").find("let rows =") != std::string::npos);  // made once
}

TEST_CASE("a scan whose groupings all have the same bits stays one loop") {
  for (const std::string scan : {"i32 = scan (+) 0 xs", "i32 = scan min 5 xs", "f32 = scan max 0 xs"})
    stays("fun f [n] (xs : [n]" + scan.substr(0, 3) + ") : [n]" + scan);
  const PhraseProgram sums = reduced(entry("fun f [n] (xs : [n]f32) : [n]f32 = scan (+) 0 xs"));
  CHECK(print(source_of(*sums.body, calculus(), Suffixes::Never)).find("scanExclusive") != std::string::npos);
}

TEST_CASE("elements of few long rows are side by side, and not what has a loop or is long") {
  const auto of = [](const std::string& row) {
    return "fun f [m n] (a : [m][n]i32) : [m][n]i32 = map (\\xs -> " + row + ") a";
  };
  becomes(of("map (\\x -> x * 2) xs"),
          "fun f [m n] (a : [m][n]i32) : [m][n]i32 =\n"
          "  if m <= 15 && 24 <= n then mapSeq (\\xs -> map (\\x -> x * 2) xs) a\n"
          "  else map (\\xs -> map (\\x -> x * 2) xs) a");
  becomes("fun f (m : nat) (n : nat) : [m][n]i64 = generate m (\\i -> generate n (\\j -> i64 i * 2))",
          "fun f (m : nat) (n : nat) : [m][n]i64 =\n"
          "  if m <= 15 && 24 <= n then mapSeq (\\i -> generate n (\\j -> i64 i * 2)) (indices m)\n"
          "  else map (\\i -> generate n (\\j -> i64 i * 2)) (indices m)");
  stays("fun f (m : nat) (n : nat) (c : i64) : [m][n]i64 = generate m (\\i -> generate n (\\j -> c))");
  stays("fun f [n] (a : [n][n]i32) : [n][n]i32 = map (\\xs -> map (\\x -> x * 2) xs) a");  // as many of both
  stays(of("map (\\x -> x * 2) (scan (+) 0 xs)"));
  stays(of("mapSeq (\\x -> x * 2) xs"));
  stays(of("map (\\x -> x) xs"));
  stays(of("map (\\x -> iterate 3 (\\y -> y * 2) x) xs"));
  std::string sum = "x";
  for (int k = 0; k < 12; ++k) sum += " + x";
  stays(of("map (\\x -> " + sum + ") xs"));
}

TEST_CASE("what is left of a length that is known is left out") {
  // 24 elements are two blocks, and 6 rows
  const auto text = [&](int n) {
    const PhraseProgram made = reduced(entry("fun f (xs : [" + std::to_string(n) + "]i32) : i32 = reduce (+) 0 xs"));
    return print(source_of(*made.body, calculus(), Suffixes::Never));
  };
  CHECK(text(24).find("drop") == std::string::npos);
  CHECK(text(24).find("if") == std::string::npos);
  CHECK(text(26).find("drop 24") != std::string::npos);
  CHECK(text(8).find("split 12") == std::string::npos);
  CHECK(text(3) == "reduce (+) 0 xs");
}

TEST_CASE("operators that claim the laws are reordered, alone and in pairs, of what is made of an element") {
  CHECK(changes("fun f [n] (xs : [n]i32) : i32 = reduce (*) 1 xs"));
  CHECK(changes("fun f [n] (xs : [n]bool) : bool = reduce (&&) true xs"));
  CHECK(changes("fun f [n] (xs : [n]f64) : f64 = reduce (\\x acc -> acc + x * x) 0.0 xs"));
  CHECK(changes("fun f [n] (xs : [n]f64) : f64 = reduce (\\x acc -> let d = x - 1.0 in d * d + acc) 0.0 xs"));
  CHECK(changes("fun f [n] (xs : [n]f64) : (f64, f64) = reduce (\\x (s, t) -> (x + s, x * x + t)) (0.0, 0.0) xs"));
  CHECK(changes("fun f [n] (xs : [n](i32, i32)) : (i32, i32) = reduce (\\(x, y) (s, t) -> (x + s, y * t)) (0, 1) xs"));
}

TEST_CASE("what claims no law, or has no neutral element, stays as it is written") {
  stays("fun f [n] (xs : [n]i32) : i32 = reduce (-) 0 xs");
  stays("fun f [n] (xs : [n]i32) : i32 = reduce (\\x acc -> 2 * acc + x) 0 xs");
  stays("fun f [n] (xs : [n]i32) : (i32, i32) = reduce (\\x (s, t) -> (x + t, x + s)) (0, 0) xs");
  stays("fun f [n] (xs : [n]i32) : (i32, i32) = reduce (\\x (s, t) -> (x + s, s + t)) (0, 0) xs");
  stays("fun f [n] (xs : [n]i32) : i32 = reduce (\\x acc -> let d = acc + x in d + acc) 0 xs");
  stays("fun f [n] (xs : [n]i32) : i32 = reduceSeq (+) 0 xs");
}

TEST_CASE("what takes a loop for an element stays in order, and the loop need not") {
  const std::string rows = "fun f [m n] (a : [m][n]f32) : f32 = reduce (\\row acc -> reduceSeq (+) 0 row + acc) 0 a";
  stays(rows);
  CHECK(changes("fun f [m n] (a : [m][n]f32) : f32 = reduce (\\row acc -> reduce (+) 0 row + acc) 0 a"));
}

TEST_CASE("an element that is evaluated only sometimes, and may trap, is not evaluated more often") {
  stays("fun f [n] (xs : [n]i32) : bool = reduce (\\x acc -> acc && 10 / x > 1) true xs");
  stays("fun f [n] (xs : [n]i32) : bool = reduce (\\x acc -> acc || 10 / x > 1) false xs");
  CHECK(changes("fun f [n] (xs : [n]i32) : bool = reduce (\\x acc -> acc && 10 * x > 1) true xs"));
  CHECK(changes("fun f [n] (xs : [n]i32) : bool = reduce (\\x acc -> 10 / x > 1 && acc) true xs"));
}

TEST_CASE("inside a loop whose level is written everything stays") {
  stays("fun f [m n] (a : [m][n]f32) : [m]f32 = mapPar (\\xs -> reduce (+) 0 xs) a");
  stays("fun f [m n] (a : [m][n]f32) : [m]f32 = mapWorkgroup (\\xs -> reduce (+) 0 xs) a");
  CHECK(changes("fun f [m n] (a : [m][n]f32) : [m]f32 = mapSeq (\\xs -> reduce (+) 0 xs) a"));
}

TEST_CASE("a program that is to stay in order does") {
  PhraseProgram p = entry(sum);
  p.in_order = true;
  CHECK(alpha_equal(*reduced(p).body, *p.body));
}

TEST_CASE("start and array are evaluated once, and the start before both branches") {
  becomes("fun f [n] (k : i32) (xs : [n]i32) : i32 = reduce (+) (10 / k) (scan (+) 0 xs)",
          "fun f [n] (k : i32) (xs : [n]i32) : i32 =\n"
          "  let start = 10 / k in\n"
          "  let ys = scan (+) 0 xs in\n"
          "  reduceSeq (+)\n"
          "    (if 2 <= n then\n"
          "       reduceSeq (+)\n"
          "         (reduceSeq (+) start\n"
          "           (map (\\block -> reduceSeq (+) 0\n"
          "              (reduceSeq (\\row sums -> mapSeq (\\(x, s) -> x + s) (zip row sums)) (replicate 2 0) (split 2 "
          "block)))\n"
          "             (split 4 (take (n/4*4) ys))))\n"
          "         (reduceSeq (\\row sums -> mapSeq (\\(x, s) -> x + s) (zip row sums)) (replicate 2 0)\n"
          "           (split 2 (drop (n/4*4) (take (n/2*2) ys))))\n"
          "     else start)\n"
          "    (drop (n/2*2) ys)",
          {2, 4});
}

TEST_CASE("what is checked before it is read is made once, and views are read where they are") {
  const auto lets = [](const std::string& text) {
    const PhraseProgram made = reduced(entry(text));
    const auto* l = as<LetPhrase>(*made.body);
    return l && as<PrimPhrase>(*l->value) ? as<PrimPhrase>(*l->value)->primitive->name : "";
  };
  CHECK(lets("fun f [m n] (is : [n]i64) (xs : [m]i32) : i32 = reduce (+) 0 (gather is xs)") == "gather");
  CHECK(lets("fun f [n] (xs ys : [n]i32) : i32 = reduce (\\(x, y) acc -> x * y + acc) 0 (zip xs (reverse ys))") == "");
}

TEST_CASE("claims are of operators, and of pairs component by component") {
  const rewriting::LawOracle laws = rewriting::claimed_laws();
  const auto of = [&](rewriting::Law law, const std::string& type, const std::string& f, const std::string& e = "") {
    const std::string start = e.empty() ? "z" : e;
    const PhraseProgram p = entry("fun f [n] (z : " + type + ") (xs : [n]" + type + ") : " + type + " = reduce (" + f +
                                  ") " + "(" + start + ") xs");
    const PrimPhrase& r = *as<PrimPhrase>(*p.body);
    return laws({law, r.arguments[0], e.empty() ? std::nullopt : std::optional(r.arguments[1])});
  };
  using rewriting::Law;
  CHECK(of(Law::Associative, "f32", "+").rounding);
  CHECK(of(Law::Associative, "f32<4>", "+").rounding);
  CHECK(of(Law::Associative, "i32", "+").holds);
  CHECK_FALSE(of(Law::Associative, "i32", "+").rounding);
  CHECK_FALSE(of(Law::Associative, "i32", "-").holds);
  const std::string both = "\\(a, b) (c, d) -> (a + c, b * d)";
  CHECK(of(Law::Commutative, "(i32, f32)", both).how == "claimed by + and *");
  CHECK(of(Law::Commutative, "(i32, f32)", both).rounding);
  CHECK(of(Law::Neutral, "(i32, f32)", both, "(0, 1)").holds);
  CHECK_FALSE(of(Law::Neutral, "(i32, f32)", both, "(0, 0)").holds);
  CHECK_FALSE(of(Law::Neutral, "(i32, f32)", both, "(1, 1)").holds);
  CHECK_FALSE(of(Law::Associative, "(i32, i32)", "\\(a, b) (c, d) -> (a + d, b + c)").holds);
  CHECK_FALSE(of(Law::Associative, "(i32, i32)", "\\(a, b) (c, d) -> (a + c, b - d)").holds);
}

TEST_CASE("permute goes by blocks onto places of their own, by operators that are lawful") {
  const std::string head = "fun f [n] (is : [n]i64) (xs : [n]i32) : [3]i32 = ";
  becomes(head + "permute (+) (replicate 3 7) is xs",
          head +
              "permuteBy (\\(i, _) -> i) (\\(_, x) acc -> x + acc)\n"
              "  (reduceSeq (\\row all -> mapSeq (\\(r, a) -> r + a) (zip row all)) (replicate 3 7)\n"
              "    (map (\\block -> permuteBy (\\(i, _) -> i) (\\(_, x) acc -> x + acc) (replicate 3 0) block)\n"
              "      (split 10 (take (n/10*10) (zip is xs)))))\n"
              "  (drop (n/10*10) (zip is xs))",
          {2, 4, 2});
  CHECK(changes(head + "permute (\\x acc -> acc ^ x) (replicate 3 7) is xs"));
  CHECK(changes(head + "permuteBy (\\i -> i + 1) (\\i acc -> i32 i * 2 + acc) (replicate 3 7) is"));
  const auto floats = [](const std::string& f) {
    return "fun f [n] (is : [n]i64) (xs : [n]f32) : [3]f32 = permute " + f + " (replicate 3 7) is xs";
  };
  CHECK(changes(floats("(+)")));
  stays(head + "permute (-) (replicate 3 7) is xs");
  stays(head + "permute max (replicate 3 7) is xs");  // from which element?
  // places that may trap come first
  stays("fun f [n] (k : i64) (is : [n]i64) (xs : [n]i32) : [3]i32 = permute (+) (update (replicate 3 7) k 1) is xs");
  CHECK(changes(head + "iterate 2 (\\d -> permute (+) d is xs) (replicate 3 7)"));
  stays(
      "fun f [m n] (is : [m][n]i64) (xs : [n]i32) : [m][3]i32 =\n"
      "  map (\\i -> permute (+) (replicate 3 7) i xs) is");
  stays("fun f (is : [9]i64) (xs : [9]i32) : [3]i32 = permute (+) (replicate 3 7) is xs");
  LawsHold relied;
  reduced_in_blocks(entry(head + "permute (+) (replicate 3 7) is xs"), calculus(), &relied);
  CHECK(relied.questions.size() == 3);
  reduced_in_blocks(entry(floats("(+)")), calculus(), &relied);
  CHECK(relied.questions.size() == 6);
}

TEST_CASE("a permute in blocks is that of the places one by one, at every length up to three blocks") {
  const std::string text = "fun f [n] (is : [n]i64) (xs : [n]i32) : [3]i32 = permute (+) (replicate 3 7) is xs";
  for (std::int64_t n = 0; n <= 3 * 10 + 1; ++n) {
    std::vector<std::int64_t> is, sums(3, 7), xs;
    for (std::int64_t j = 0; j < n; ++j) {
      is.push_back(j * j * 3 % 7 % 4 - 1);  // of which some are negative
      xs.push_back(j * j * j % 101);
      if (is.back() >= 0) sums.at(static_cast<std::size_t>(is.back())) += xs.back();
    }
    const PhraseProgram made = reduced(entry(text), {2, 4, 2});
    const auto found = denote(made, {{"n", n}}, {i64s(is), i32s(xs)}, ieee_domain());
    CHECK(show(*found, ieee_domain()) == show(i32s(sums), ieee_domain()));
  }
}

TEST_CASE("laws that are relied on are owed") {
  LawsHold relied;
  PhraseProgram p = entry(sum);
  reduced_in_blocks(p, calculus(), &relied);
  REQUIRE(relied.questions.size() == 3);
  CHECK(relied.questions[0].law == rewriting::Law::Associative);
  CHECK(relied.questions[1].law == rewriting::Law::Commutative);
  CHECK(relied.questions[2].law == rewriting::Law::Neutral);
}

TEST_CASE("maxima begin with the start in every column, and have the value of the order that is written") {
  for (const char* const f : {"max", "min", "\\x acc -> max (x * x) acc"}) {
    const std::string text = "fun f [n] (xs : [n]i32) : i32 = reduce (" + std::string(f) + ") 3 xs";
    CHECK(changes(text));
    for (std::int64_t n = 0; n <= 2 * small.block + small.columns; ++n) {
      CAPTURE(text, n);
      std::vector<std::int64_t> xs;
      for (std::int64_t i = 0; i < n; ++i) xs.push_back(i * 7919 % 101 - 50);
      const auto at = [&](const PhraseProgram& p) {
        return show(*denote(p, {{"n", n}}, {i32s(xs)}, ieee_domain()), ieee_domain());
      };
      CHECK(at(reduced(entry(text))) == at(entry(text)));
    }
  }
  CHECK(
      changes("fun f [n] (xs : [n](f32, f32)) : (f32, f32) = reduce (\\(a, b) (c, d) -> (a + c, max b d)) (0, 1) xs"));
  stays("fun f [n] (xs : [n](i32, i32)) : (i32, i32) = reduce (\\(a, b) (c, d) -> (a - c, max b d)) (0, 1) xs");
}

TEST_CASE("a choice by a strict order goes by blocks, and of equals the first is chosen, NaNs passed over") {
  const auto text = [](const std::string& by) {
    return "fun f [n] (xs : [n]f32) : (i64, f32) =\n"
           "  reduce (\\(i, x) (k, best) -> if x " +
           by + " best then (i, x) else (k, best)) (0 - 1, 2) (zip (iota n) xs)";
  };
  for (const char* const by : {">", "<"})
    for (std::int64_t n = 0; n <= 3 * small.block * small.abreast; ++n) {
      CAPTURE(by, n);
      std::vector<double> xs;
      for (std::int64_t i = 0; i < n; ++i) xs.push_back(i % 5 == 3 ? std::nan("") : static_cast<double>(i * 7 % 9 - 3));
      const auto at = [&](const PhraseProgram& p) {
        return show(*denote(p, {{"n", n}}, {f32s(xs)}, ieee_domain()), ieee_domain());
      };
      CHECK(at(reduced(entry(text(by)))) == at(entry(text(by))));
    }
  CHECK(maps_in(*reduced(entry(text(">"))).body) == 1);
  stays(text(">="));
  CHECK(changes("fun f [n] (xs : [n]f32) : f32 = reduce (\\x acc -> if acc > x then x else acc) 0 xs"));
  stays("fun f [n] (xs : [n]f32) : f32 = reduce (\\x acc -> if x > acc then acc else x) 0 xs");
  CHECK(changes("fun f [n] (xs : [n]f32) : f32 = reduce (\\x acc -> if x < acc then x else acc) 0 xs"));
  CHECK(
      changes("fun f [n] (xs : [n]f32) : f32 = reduce (\\x acc -> let y = x * x in if y < acc then y else acc) 9 xs"));
  stays("fun f [n] (xs : [n]f32) : f32 = reduce (\\x acc -> if x * x < acc then x else acc) 9 xs");
  // it keeps its order, and so it stays where there are no threads for its blocks
  const std::string rows =
      "fun f [m n] (a : [m][n]f32) : [m]f32 = map (reduce (\\x acc -> if x < acc then x else acc) 0) a";
  stays(rows);
}

}  // namespace reduce_in_blocks_test
