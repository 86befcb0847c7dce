// spread: what it means, that kernels of both machines do that, and whether a function of row and column is proved to
// be a bijection or shown to be none.
#include <catch2/catch.hpp>
#include <set>

#include "proofs/kernel/parts.h"
#include "semantics/imperative/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace spread_test {
using namespace lockstep;
using Catch::Matchers::Contains;
using Place = std::function<std::int64_t(std::int64_t i, std::int64_t j, std::int64_t m, std::int64_t n)>;

namespace {

std::string program(const std::string& place, const std::string& name = "spread") {
  return "fun f [m n] (xs : [m][n]i32) : [m*n]i32 = " + name + " n (\\p -> let i = fst p in let j = snd p in " + place +
         ") xs";
}

// What a kernel of it gives on 0, 1, 2, ...; "trap: ..." with what it says.
std::string given(const PhraseProgram& source, Machine machine, std::int64_t m, std::int64_t n) {
  const kernel::Program p = dpia_trace(source, test::calculus(), machine, false).kernel();
  kernel::Buffers in;
  for (std::int64_t k = 0; k < m * n; ++k)
    in["xs"].push_back(make_integer(ScalarType::I32, static_cast<std::uint64_t>(k)));
  in["xs"];
  kernel::RunOptions how;
  how.detect_races = true;
  const auto r = kernel::run(p, {{"m", m}, {"n", n}}, in, ieee_domain(), how);
  if (!r) {
    if (const auto* fault = std::get_if<kernel::Fault>(&r.error())) return "fault: " + fault->message;
    const Trap& t = std::get<Trap>(r.error());
    return "trap: " + t.primitive + ": " + t.message;
  }
  std::string out;
  for (const Scalar& s : r->at(p.outputs[0].name)) out += (out.empty() ? "" : " ") + std::to_string(s.integer());
  return out;
}
std::string expected(const Place& place, std::int64_t m, std::int64_t n) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) out.at(static_cast<std::size_t>(place(i, j, m, n))) = i * n + j;
  std::string text;
  for (const std::int64_t x : out) text += (text.empty() ? "" : " ") + std::to_string(x);
  return text;
}

std::vector<proofs::kernels::MarkedOnce> marked(const PhraseProgram& source) {
  proofs::kernels::Prover prover(1000);
  const DpiaTrace trace = dpia_trace(source, test::calculus(), Machine::Cpu, false);
  return proofs::kernels::marked_once(trace.after("paths")->as<kernel::Program>(), prover);
}
proofs::kernels::MarkedOnce only(const std::string& text) {
  const auto all = marked(test::entry(text));
  REQUIRE(all.size() == 1);
  return all[0];
}

}  // namespace

TEST_CASE("spread takes each element to its place, on both machines") {
  const std::vector<std::pair<std::string, Place>> places = {
      {"i * i64 n + j", [](auto i, auto j, auto, auto n) { return i * n + j; }},
      {"j * i64 m + i", [](auto i, auto j, auto m, auto) { return j * m + i; }},
      {"(i64 m - 1 - i) * i64 n + (i + j) % i64 n",
       [](auto i, auto j, auto m, auto n) { return (m - 1 - i) * n + (i + j) % n; }},
      {"i * i64 n + (if j * 2 < i64 n then j * 2 else (i64 n - 1 - j) * 2 + 1)",
       [](auto i, auto j, auto, auto n) { return i * n + (j * 2 < n ? j * 2 : (n - 1 - j) * 2 + 1); }}};
  for (const auto& [text, place] : places)
    for (const char* name : {"spread", "spreadGlobal"})
      for (const Machine machine : {Machine::Cpu, Machine::Gpu})
        for (const auto& [m, n] : {std::pair{0, 3}, {3, 0}, {1, 1}, {2, 3}, {5, 4}, {3, 70}}) {
          INFO(text << " by " << name << ", m = " << m << ", n = " << n);
          CHECK(given(test::entry(program(text, name)), machine, m, n) == expected(place, m, n));
        }
  const PhraseProgram in_blocks = test::entry(
      "fun f [m n] (xs : [m][4*n]i32) : [m*(4*n)]i32 where 1 <= n = join (mapWorkgroup (\\b -> spreadLocal n (\\p -> "
      "snd p * 4 + fst p) "
      "(split n b)) xs)");
  for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
    const kernel::Program p = dpia_trace(in_blocks, test::calculus(), machine, false).kernel();
    kernel::Buffers in;
    for (int k = 0; k < 24; ++k) in["xs"].push_back(make_integer(ScalarType::I32, static_cast<std::uint64_t>(k)));
    kernel::RunOptions how;
    how.detect_races = true;
    const auto r = kernel::run(p, {{"m", 2}, {"n", 3}}, in, ieee_domain(), how);
    REQUIRE(r);
    for (int k = 0; k < 24; ++k)
      CHECK(r->at(p.outputs[0].name)[static_cast<std::size_t>(k)].integer() == k / 12 * 12 + k % 4 * 3 + k % 12 / 4);
  }
}

TEST_CASE("spread traps where an element goes outside or two meet, and each machine says one of them") {
  const auto meaning = [](const std::string& place) {
    return test::meaning("fun f : [6]i32 = spread 3 (\\p -> " + place + ") [[0, 1, 2], [3, 4, 5]]");
  };
  CHECK(meaning("fst p * 3 + snd p") == "[0, 1, 2, 3, 4, 5]");
  CHECK(meaning("fst p * 4 + snd p") == "trap: spread: element (1, 2) goes to 6, outside [0, 6)");
  CHECK(meaning("snd p - fst p - fst p") == "trap: spread: element (1, 0) goes to -2, outside [0, 6)");
  CHECK(meaning("fst p + snd p") == "trap: spread: elements (0, 1) and (1, 0) go to one place");
  CHECK(meaning("0 * fst p") == "trap: spread: elements (0, 0) and (0, 1) go to one place");
  CHECK(meaning("fst p / (snd p - 1)").starts_with("trap: /"));

  const auto both = [](const std::string& place) {
    return given(test::entry(program(place)), Machine::Cpu, 2, 3) + "\n" +
           given(test::entry(program(place, "spreadGlobal")), Machine::Gpu, 2, 3);
  };
  CHECK(both("i + j") ==
        "trap: spread: elements (0, 1) and (1, 0) go to one place\ntrap: spread: no element goes to 4");
  CHECK(both("i * 0") ==
        "trap: spread: elements (0, 0) and (0, 1) go to one place\ntrap: spread: no element goes to 1");
  CHECK(
      both("i * 3 + j + 1") ==
      "trap: spread: element (1, 2) goes to 6, outside [0, 6)\ntrap: spread: element (1, 2) goes to 6, outside [0, 6)");
  CHECK(both("i * 3 - j") ==
        "trap: spread: element (0, 1) goes to -1, outside [0, 6)\ntrap: spread: element (0, 1) goes to -1, outside [0, "
        "6)");
}

TEST_CASE("levels of spread stand where those of permute do") {
  CHECK_THAT(
      test::errors("fun f [n] (xs : [n][2][3]i32) : [n][6]i32 = mapGlobal (spreadGlobal 3 (\\p -> fst p * 3 + snd "
                   "p)) xs"),
      Contains("spreadGlobal runs over all threads"));
  CHECK(test::errors("fun f [n] (xs : [n][2][3]i32) : [n][6]i32 = mapWorkgroup (spreadLocal 3 (\\p -> fst p * 3 + snd "
                     "p)) xs")
            .empty());
  // outside blocks the threads of a block are all threads, as those of permute are
  for (const char* call :
       {"spreadLocal 3 (\\p -> fst p * 3 + snd p) [xs, xs]", "permuteLocal (+) (replicate 6 0) (map i64 xs) xs"}) {
    const PhraseProgram source = test::entry("fun f (xs : [3]i32) : [6]i32 = " + std::string(call));
    std::set<Level> levels;
    kernel::each_statement(dpia_trace(source, test::calculus(), Machine::Gpu, false).kernel().body,
                           [&](const kernel::Stmt& x) {
                             if (const auto* loop = std::get_if<kernel::ParallelFor>(&x.node))
                               levels.insert(loop->level);
                           });
    CHECK(levels == std::set{Level::Global});
  }
}

// Shrunk by a campaign: it was in the registers of each thread, of which the others know nothing.
TEST_CASE("what the threads of a block spread is in the block's memory, though one reads it afterwards") {
  const PhraseProgram source = test::entry(
      "fun f [a] (y : [3][1]i32) (z : [a]i32) : [a][2][3]i32 = mapWorkgroup (\\_ -> replicate 2 (spreadLocal 1 snd y)) "
      "z");
  const DpiaTrace trace = dpia_trace(source, test::calculus(), Machine::Gpu, false);
  const std::string hoisted = print(trace.after("hoist")->as<PhraseProgram>());
  INFO(hoisted);
  CHECK(hoisted.find("newLocal [3]i32 (\\tmp.") != std::string::npos);
}

TEST_CASE("a function of row and column is proved to be a bijection, or shown to be none at the least sizes") {
  for (const char* place :
       {"i * i64 n + j", "j * i64 m + i", "(i64 m - 1 - i) * i64 n + j", "i * i64 n + i64 n - 1 - j"}) {
    INFO(place);
    const auto found = only(program(place));
    INFO(found.detail);
    CHECK(found.standing == Standing::Proved);
  }
  // of each row by itself
  CHECK(only("fun f [k] (xs : [k][2][3]i32) : [k][6]i32 = map (\\r -> spread 3 (\\p -> snd p * 2 + fst p) r) xs")
            .standing == Standing::Proved);
  // which no solver decides
  CHECK(only(program("i * i64 n + (if j * 2 < i64 n then j * 2 else (i64 n - 1 - j) * 2 + 1)")).standing ==
        Standing::Unknown);
  const auto why = [](const std::string& place) {
    const auto found = only(program(place));
    CHECK(found.standing == Standing::Refuted);
    CHECK_FALSE(found.always);
    return found.detail;
  };
  CHECK(why("i * i64 m + j") == "at m = 2, n = 1, element (1, 0) goes to 2, outside");
  CHECK(why("i + j * i64 n") == "at m = 1, n = 2, element (0, 1) goes to 2, outside");
  CHECK(why("i * i64 n + j + 1") == "at m = 1, n = 1, element (0, 0) goes to 1, outside");
  // of data nothing is known
  const auto data =
      only("fun f [m n] (is : [m]i64) (xs : [m][n]i32) : [m*n]i32 = spread n (\\p -> (is ! fst p) * i64 n + snd p) xs");
  CHECK(data.standing == Standing::Tested);
  // without sizes it fails whenever it runs
  const auto literal = only("fun f (xs : [2][3]i32) : [6]i32 = spread 3 (\\p -> fst p * 2 + snd p) xs");
  CHECK(literal.always);
  CHECK(literal.detail == "elements (0, 2) and (1, 0) both go to 2");
  CHECK(marked(test::entry("fun f [n] (is : [n]i64) (xs : [n]i32) : [n]i32 = scatter xs is xs")).empty());
}

namespace {

std::optional<std::int64_t> by(char op, std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  if (!a || !b || ((op == '/' || op == '%') && *b == 0)) return {};
  return op == '+' ? *a + *b : op == '-' ? *a - *b : op == '*' ? *a * *b : op == '/' ? *a / *b : *a % *b;
}
using Operators = std::string;
using Computed = std::function<std::optional<std::int64_t>(const Operators&, std::int64_t i, std::int64_t j,
                                                           const SizeValues& sizes)>;

// Whether each element has a place of its own at sizes up to 3; nothing where an operator traps.
std::optional<bool> apart(const Computed& place, const Operators& ops, const SizeValues& sizes, std::int64_t m,
                          std::int64_t n) {
  std::set<std::int64_t> taken;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const auto at = place(ops, i, j, sizes);
      if (!at) return {};
      if (*at < 0 || *at >= m * n || !taken.insert(*at).second) return false;
    }
  return true;
}

struct Library {
  Operators right;
  std::function<std::string(const Operators&)> text;
  Computed place;
  std::vector<std::string> sizes;
  std::function<std::pair<std::int64_t, std::int64_t>(const SizeValues&)> chunks;
};

// With one operator changed: shown to be none, or proved where it is one at all small sizes.
void decided_with_one_operator_changed(const Library& of) {
  std::vector<Operators> all{of.right};
  for (std::size_t k = 0; k < of.right.size(); ++k)
    for (const char op : {'+', '-', '*', '/', '%'})
      if (op != of.right[k]) all.push_back(of.right), all.back()[k] = op;
  for (const Operators& ops : all) {
    bool always = true, traps = false;
    SizeValues sizes;
    const std::function<void(std::size_t)> each = [&](std::size_t k) {
      if (k == of.sizes.size()) {
        const auto [m, n] = of.chunks(sizes);
        const auto ok = apart(of.place, ops, sizes, m, n);
        always = always && ok.value_or(true), traps = traps || !ok;
        return;
      }
      for (std::int64_t s = 0; s <= 3; ++s) sizes[of.sizes[k]] = s, each(k + 1);
    };
    each(0);
    const auto found = only(of.text(ops));
    INFO(of.text(ops) << ": " << found.detail);
    if (!always)
      CHECK(found.standing == Standing::Refuted);
    else if (!traps)
      CHECK(found.standing == Standing::Proved);
  }
}

}  // namespace

TEST_CASE("FCL's maps of places with one operator changed are refuted, or proved where they are still bijections") {
  const auto o = [](const Operators& ops, std::size_t k) { return std::string(" ") + ops[k] + " "; };
  decided_with_one_operator_changed(
      {"*+",
       [&](const Operators& ops) { return program("(i" + o(ops, 0) + "i64 n)" + o(ops, 1) + "j"); },
       [](const Operators& ops, std::int64_t i, std::int64_t j, const SizeValues& s) {
         return by(ops[1], by(ops[0], i, s.at("n")), j);
       },
       {"m", "n"},
       [](const SizeValues& s) { return std::pair(s.at("m"), s.at("n")); }});
  // concat2DGrid: tiles of t by t, m of them beside each other
  decided_with_one_operator_changed(
      {"/*/+*%*+%+",
       [&](const Operators& ops) {
         return "fun f [r m t] (xs : [r*m][t*t]i32) : [r*m*(t*t)]i32 = spread (t*t) (\\p -> let g = fst p in let k = "
                "snd p "
                "in ((((g" +
                o(ops, 0) + "i64 m)" + o(ops, 1) + "i64 t)" + o(ops, 3) + "(k" + o(ops, 2) + "i64 t))" + o(ops, 4) +
                "i64 (m*t))" + o(ops, 7) + "((g" + o(ops, 5) + "i64 m)" + o(ops, 6) + "i64 t)" + o(ops, 9) + "(k" +
                o(ops, 8) + "i64 t)) xs";
       },
       [](const Operators& ops, std::int64_t g, std::int64_t k, const SizeValues& s) {
         const std::int64_t m = s.at("m"), t = s.at("t");
         const auto row = by(ops[3], by(ops[1], by(ops[0], g, m), t), by(ops[2], k, t));
         const auto column = by(ops[6], by(ops[5], g, m), t);
         return by(ops[9], by(ops[7], by(ops[4], row, m * t), column), by(ops[8], k, t));
       },
       {"r", "m", "t"},
       [](const SizeValues& s) { return std::pair(s.at("r") * s.at("m"), s.at("t") * s.at("t")); }});
}

}  // namespace spread_test
