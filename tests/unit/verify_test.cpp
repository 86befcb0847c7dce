// verify on programs that are right, and on calculi with one rule wrong: it must say no, and name the stage.
#include <catch2/catch.hpp>

#include "proofs/kernel/obligations.h"
#include "props/dpia/mutants/parts.h"
#include "props/dpia/verify.h"
#include "semantics/kernel/cost.h"
#include "tests/unit/dpia_program.h"

namespace verify_test {
using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

props::VerifyReport verified(const std::string& text, const Calculus& calculus) {
  const auto e = test::elaborated(text, calculus);
  REQUIRE(e.has_value());
  return props::verify(e->entries.back(), calculus, {.targets = {}});
}

std::string first_wrong_stage(const props::VerifyReport& r) {
  for (const props::Row& s : r.stages)
    if (s.disagreement || !s.ill_formed.empty()) return s.name;
  return "";
}

// The standard calculus with one view changed.
Calculus with_view(const std::string& name, const std::function<void(View&)>& change) {
  Calculus c = standard_calculus();
  Primitive p = *c.primitive(name);
  change(std::get<View>(p.kind));
  c.add(std::make_shared<const Primitive>(std::move(p)));
  return c;
}

const std::string pairs =
    "fun f [n] (xs : [n]i32) (ys : [n]i32) : [n](i32, i32) = map (\\(x, y) -> (x - y, x + y)) (zip xs ys)";

}  // namespace

TEST_CASE("a right program agrees at every stage") { CHECK(verified(pairs, standard_calculus()).agrees()); }

TEST_CASE("what reorders floats is held to the source on the reals, and what comes behind it to its bits") {
  const std::string sum = "fun f [n] (xs : [n]f32) : f32 = reduce (+) 0 xs";
  const auto row = [](const props::VerifyReport& r, const std::string& name) {
    const auto found = std::find_if(r.stages.begin(), r.stages.end(), [&](const auto& s) { return s.name == name; });
    REQUIRE(found != r.stages.end());
    return *found;
  };
  const props::VerifyReport right = verified(sum, standard_calculus());
  CHECK(right.agrees());
  CHECK(row(right, "reduce-in-blocks").reassociated > 0);
  CHECK(row(right, "paths").reassociated == 0);
  CHECK(row(right, "paths").same == "computes what the program after reduce-in-blocks does, bit for bit");
  CHECK(row(right, "fuse-loops").same == "computes what the source does, bit for bit");
  // integers have their bits
  const props::VerifyReport whole = verified("fun f [n] (xs : [n]i32) : i32 = reduce (+) 0 xs", standard_calculus());
  CHECK(whole.agrees());
  CHECK(row(whole, "reduce-in-blocks").reassociated == 0);
  CHECK(std::any_of(right.inputs.sizes.begin(), right.inputs.sizes.end(),
                    [](const SizeValues& s) { return s.at("n") > 2048; }));  // blocks are met
}

TEST_CASE("a read path with its components swapped is found at the stage that uses paths") {
  const Calculus wrong = with_view("zip", [](View& v) {
    v.read = [](PathReader& r, const Instance&, Path p) {
      const PathStep i = p.at(0);
      const int k = std::get<PathProjection>(p.at(1)).component;
      Path rest{i};
      rest.insert(rest.end(), p.begin() + 2, p.end());
      return r.read(static_cast<std::size_t>(2 - k), rest);
    };
  });
  const props::VerifyReport r = verified(pairs, wrong);
  CHECK_FALSE(r.agrees());
  CHECK(first_wrong_stage(r) == "paths");
  for (const props::Row& s : r.stages) {  // with the programs before and after it
    if (s.name != "paths") continue;
    CHECK(s.before.find("parfor") != std::string::npos);
    CHECK(s.after.find("kernel f(n)") != std::string::npos);
  }
}

TEST_CASE("a view that reads outside its array is found") {
  const Calculus wrong = with_view("reverse", [](View& v) {
    v.read = [](PathReader& r, const Instance& at, Path p) {
      p[0] = PathIndex{at.size(0) - std::get<PathIndex>(p[0]).index};
      return r.read(0, std::move(p));
    };
  });
  const props::VerifyReport r = verified("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x + 1) (reverse xs)", wrong);
  CHECK_FALSE(r.agrees());
  CHECK(first_wrong_stage(r) == "paths");
}

TEST_CASE("stages run with iterations and threads that change places, small inputs in every order") {
  const props::VerifyReport r = verified(pairs, standard_calculus());
  std::size_t imperative = 0, kernels = 0, explored = 0;
  for (const props::Row& s : r.stages) {
    if (s.language == "imperative") imperative += s.interleaved;
    if (s.language == "kernel") kernels += s.interleaved, explored += s.explored;
    CHECK(s.interleaved <= s.runs);
  }
  CHECK(imperative > 0);
  CHECK(kernels > 0);
  CHECK(explored > 0);
  // What was left out is said where the runs are.
  std::size_t least = explored;
  for (const props::Row& s : r.stages)
    if (s.language == "kernel" && s.explored > 0) least = std::min(least, s.explored);
  CHECK(least < r.inputs.seeds.size());
  CHECK_THAT(r.notes.at(0), Catch::StartsWith("each kernel ran in every order of iterations and threads, up to "
                                              "equivalence, on " +
                                              std::to_string(least) + " input"));
  CHECK_THAT(r.notes.at(0), Catch::Contains("; on " + std::to_string(r.inputs.seeds.size() - least) + " more, "));
  CHECK_THAT(r.notes.at(0), Catch::Contains("over 24 scalars, 60 orders or 200 accesses to shared memory, in "));
  CHECK_THAT(r.notes.at(0), Catch::EndsWith("at most 64 iterations of a loop under way"));
}

namespace {

std::string combining(const std::string& type, const std::string& f) {
  return "fun f [n] (xs : [n]" + type + ") : [2]" + type + " = permute " + f +
         " (replicate 2 1) (map (\\i -> i % 2) (iota n)) xs";
}
std::size_t reassociated(const props::VerifyReport& r) {
  std::size_t n = 0;
  for (const props::Row& s : r.stages) n += s.reassociated;
  return n;
}

}  // namespace

TEST_CASE("floats that permute adds up in another order are reassociated, within the bound") {
  const props::VerifyReport floats = verified(combining("f32", "(\\x acc -> x + acc)"), standard_calculus());
  CHECK(floats.ok());
  CHECK(reassociated(floats) > 0);
  for (const props::Row& s : floats.stages) {
    CHECK(s.rounding.error <= s.rounding.bound);
    if (s.language != "imperative" && s.name != "reduce-in-blocks") CHECK(s.reassociated == 0);
  }
  const props::VerifyReport whole = verified(combining("i32", "(\\x acc -> x + acc)"), standard_calculus());
  CHECK(whole.ok());
  CHECK(reassociated(whole) == 0);
}

TEST_CASE("a permute whose function needs its order is found") {
  for (const char* type : {"f32", "i32"}) {
    const props::VerifyReport r = verified(combining(type, "(\\x acc -> x - acc)"), standard_calculus());
    CHECK_FALSE(r.agrees());
    std::string found;
    for (const props::Row& s : r.stages)
      if (s.disagreement && found.empty()) found = s.disagreement->found;
    CHECK(found.find("has to be associative and commutative") != std::string::npos);
  }
}

// ------------------------------------------------------------------------------------------------ loops, values

namespace {

props::VerifyReport verified_with(const std::string& text, const props::VerifyOptions& options) {
  const auto e = test::elaborated(text);
  REQUIRE(e.has_value());
  return props::verify(e->entries.back(), test::calculus(), options);
}

const std::string collatz =
    "fun collatz (start : i64) : i64 = snd (while (\\(y, _) -> y != 1) "
    "(\\(y, s) -> (if y % 2 == 0 then y / 2 else 3 * y + 1, s + 1)) (start, 0))";
const std::string newton =
    "fun newton (x : f64) : f64 = snd (while (\\(old, new) -> abs (new - old) > 1e-12) "
    "(\\(old, new) -> (new, 0.5 * (new + x / new))) (0, x))";

}  // namespace

TEST_CASE("users-dpia B1: inputs on which a loop does not end are drawn again") {
  for (const std::string& text :
       {collatz, newton, std::string("fun f (x : i32) : i32 = while (\\y -> y != 0) (\\y -> y - 2) x")}) {
    CAPTURE(text);
    const props::VerifyReport r = verified_with(text, {.targets = {}});
    CHECK(r.ok());
    CHECK(r.inputs.again.endless > 0);
    CHECK(r.inputs.values >= 6);
    for (const props::Row& s : r.stages) CHECK(s.values == r.inputs.values);
  }
}

TEST_CASE("users-dpia B1: a loop that ends on no input is said not to end, and nothing is called tested") {
  for (const char* text :
       {"fun f (x : i32) : i32 = while (\\y -> true) (\\y -> y + 1) x",
        "fun f [n] (xs : [n]f32) : [n]f32 = while (\\ys -> true) (\\ys -> map (\\y -> y + 1) ys) xs"}) {
    CAPTURE(text);
    const props::VerifyReport r = verified_with(text, {.limit = 1000, .targets = {}});
    CHECK_FALSE(r.ok());
    CHECK(r.inputs.sizes.empty());
    CHECK(r.inputs.endless > 0);
    REQUIRE(r.inputs.not_tested());
    CHECK_THAT(*r.inputs.not_tested(), Contains("not end within 1000 rounds of `while`") && Contains("--limit N"));
  }
}

TEST_CASE("users-dpia B1: the limit is of a loop's rounds, those of loops inside it included") {
  // x + 1 rounds of the outer loop, x * (x + 1) of the inner one.
  const std::string nested =
      "fun f (x : idx(4)) : i64 = fst (while (\\(y, _) -> y >= 0) (\\(y, s) -> (y - 1, "
      "while (\\z -> z % 4 != 3) (\\z -> z + 1) s)) (3, 0))";
  CHECK(verified_with(nested, {.limit = 7, .targets = {}}).ok());
  CHECK_FALSE(verified_with(nested, {.limit = 6, .targets = {}}).ok());
  // Many loops beside each other, each short.
  CHECK(verified_with("fun f [n] (xs : [n]i64) : [n]i64 = map (\\x -> while (\\y -> y < 200) (\\y -> y + 1) x) xs",
                      {.limit = 300, .targets = {}})
            .ok());
}

TEST_CASE("users-dpia B1: a stage that loops for ever disagrees") {
  Calculus wrong = standard_calculus();
  Primitive p = *wrong.primitive("while");
  auto& loop = std::get<Loop>(p.kind);
  const auto standing = [](PrimPhrase e) {  // the step is left out
    const PhraseType d = exp_type(e.types[0]);
    e.arguments[1] = lambda("standing", d, ident("standing", d));
    return e;
  };
  loop.acceptor = [standing, acceptor = loop.acceptor](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
    return acceptor(t, standing(e), a);
  };
  loop.continuation = [standing, continuation = loop.continuation](Translation& t, const PrimPhrase& e,
                                                                   const std::function<PhraseRef(PhraseRef)>& c) {
    return continuation(t, standing(e), c);
  };
  wrong.add(std::make_shared<const Primitive>(std::move(p)));
  const props::VerifyReport r =
      verified("fun f (x : i32) : i32 = while (\\y -> y > 0) (\\y -> y - 2) (if x < 0 then 3 else 4)", wrong);
  CHECK_FALSE(r.agrees());
  CHECK(first_wrong_stage(r) == "translate");
}

TEST_CASE("users-dpia B2: indices fit constant and compound sizes, and inputs that trap are drawn again") {
  for (const char* text :
       {"fun a [n] (is : [n]i64) (xs : [5]f32) : [n]f32 where n >= 20 = map (\\x -> x * x) (gather is xs)",
        "fun h [n] (is : [n]i64) (xs : [n]f32) : [4]f32 = permute (+) (replicate 4 0) is xs",
        "fun p [n m] (is : [n]i64) (xs : [n*m]i32) : [n]i32 where n >= 1, m >= 1 = map (\\i -> xs ! i) is",
        "fun s [n] (is : [n]i64) (xs : [n]i32) : [5]i32 = scatter (replicate 5 0) is xs",
        "fun bitonic [n] (log2n : nat) (xs : [n]i32) : [n]i32 = snd (while (\\(k, _) -> k <= log2n) (\\(k, a) -> (k + "
        "1, "
        "snd (while (\\(j, _) -> j >= 0) (\\(j, a) -> (j - 1, map (\\i -> let l = i ^ (1 << j) in "
        "let up = (i & (1 << k)) == 0 in let x = a ! i in let y = a ! l in "
        "if (l > i) == up then min x y else max x y) (iota n))) (k - 1, a)))) (1, xs))"}) {
    CAPTURE(text);
    const props::VerifyReport r = verified_with(text, {.targets = {}});
    CHECK(r.ok());
    CHECK(r.inputs.values >= 6);
    CHECK(2 * r.inputs.values >= r.inputs.all());
    for (const props::Row& s : r.stages) CHECK(s.values == r.inputs.values);
  }
}

TEST_CASE("users-dpia B2: a program whose inputs all trap is not tested, with what to give") {
  const auto why = [](const char* text, const props::VerifyOptions& options) {
    const props::VerifyReport r = verified_with(text, options);
    CHECK(r.agrees());
    CHECK_FALSE(r.ok());
    CHECK(r.inputs.values == 0);
    REQUIRE(r.insufficient());
    return *r.insufficient();
  };
  const char* of_sizes = "fun f [n] (xs : [n]i32) : [n]i32 where n >= 1 = map (\\x -> x / (x - x)) xs";
  CHECK_THAT(why(of_sizes, {.targets = {}}), Contains("not tested: 0 of 12 inputs gave values") &&
                                                 Contains("12 trap; the first") && Contains("give sizes") &&
                                                 Contains("where d >= 1"));
  CHECK_THAT(why(of_sizes, {.asked = {{{"n", 3}}, {}, {}}, .targets = {}}), Contains("give other sizes"));
  const std::string of_numbers = why("fun f (x : i32) : i32 = x / 0", {.targets = {}});
  CHECK_THAT(of_numbers, Contains("0 of 12 inputs gave values") && Contains("12 trap; the first"));
  CHECK_THAT(of_numbers, !Contains("size") && !Contains("where"));
}

TEST_CASE("users-dpia B2: sizes that satisfy a fact about a remainder are more than the smallest one") {
  for (const char* facts : {"n % 4 == 3", "n % 64 == 5", "n % 5 == 4", "n % 6 == 2", "n % 4 == 3, n >= 4"}) {
    const auto p = test::entry("fun f [n] (xs : [n]i32) : i32 where " + std::string(facts) + " = reduce (+) 0 xs");
    props::VerifyOptions how;
    how.targets = {};
    how.interleave = false;
    const auto report = props::verify(p, standard_calculus(), how);
    const std::set<SizeValues> sizes(report.inputs.sizes.begin(), report.inputs.sizes.end());
    INFO(facts);
    CHECK(sizes.size() >= 6);
  }
}

TEST_CASE("users-dpia B2: an input that is tried in the place of an empty one is not counted beside it") {
  const auto p =
      test::entry("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> let y = while (\\z -> z != 0) (\\z -> z) 1 in x) xs");
  props::VerifyOptions how;
  how.targets = {};
  const auto report = props::verify(p, standard_calculus(), how);
  CHECK(report.inputs.all() == how.inputs);
  CHECK(report.inputs.needed == 6);
}

TEST_CASE("users-dpia B2: a program without sizes and parameters is run once, and told of in words that fit") {
  const props::VerifyReport traps = verified_with("fun f : i32 = 1 / 0", {.targets = {}});
  CHECK(traps.inputs.all() == 1);
  CHECK(traps.inputs.again.all() == 0);
  REQUIRE(traps.insufficient());
  CHECK(*traps.insufficient() ==
        "not tested: 0 of 1 inputs gave values, 1 have to\n  1 traps; the first: trap: /: division by zero: 1 / 0, at "
        "test.dpia:1:15, on no "
        "arguments");
  const props::VerifyReport endless =
      verified_with("fun f : i32 = while (\\x -> x > 0) (\\x -> x) 1", {.limit = 50, .targets = {}});
  CHECK(endless.inputs.endless == 1);
  CHECK(endless.inputs.again.all() == 0);
  REQUIRE(endless.insufficient());
  CHECK_THAT(*endless.insufficient(), Contains("1 does not end within 50 rounds of `while`; the first: no arguments") &&
                                          Contains("help: --limit N allows more rounds") && !Contains("sizes"));
}

TEST_CASE("users-dpia B2: half of the inputs have to give values, and six or as many as are asked for") {
  CHECK(props::values_needed(12, 12, true) == 6);
  CHECK(props::values_needed(14, 12, true) == 7);
  CHECK(props::values_needed(3, 3, true) == 3);
  CHECK(props::values_needed(2, 12, true) == 6);
  CHECK(props::values_needed(1, 12, false) == 1);
  CHECK(verified_with("fun f (x : i32) : i32 = x + 1", {.inputs = 1, .targets = {}}).ok());
  CHECK(verified_with("fun f : i32 = 1 + 1", {.targets = {}}).ok());
  // Facts that only large sizes satisfy: six inputs all the same.
  CHECK(verified_with("fun f [n] (xs : [n]u8) : u8 where n % 60000 == 0 = reduce (+) 0 xs", {.targets = {}})
            .inputs.values >= 6);
}

TEST_CASE("users-dpia B2: inputs that trap are compared in addition to those that give values") {
  const props::VerifyReport r =
      verified_with("fun f (x : i32) (y : i32) : i32 = if x < y then x else x / (y - y)", {.targets = {}});
  CHECK(r.ok());
  CHECK(r.inputs.values == 12);
  CHECK(r.inputs.trapped == 2);
  for (const props::Row& s : r.stages) CHECK(s.tested == 14);
}

TEST_CASE("house A3: a stage that costs more than its relation allows fails verify, and is named") {
  const auto e = test::elaborated(pairs);
  REQUIRE(e.has_value());
  const PhraseProgram& p = e->entries.back();
  const props::VerifyReport right = props::verify(p, standard_calculus(), {.targets = {}});
  CHECK(right.ok());
  for (const props::Row& s : right.stages) {
    REQUIRE(s.related.size() == 1);
    CHECK(s.related[0].inputs == right.inputs.sizes.size());
  }

  const auto wrong_with = [&](const Cost& more) {  // of every kernel
    props::VerifyOptions how;
    how.targets = {};
    how.languages = props::with_kernels([&more](Language& l) {
                      l.cost = [right = l.cost, more](const AnyProgram& k) { return right(k) + more; };
                    }).languages;
    const props::VerifyReport report = props::verify(p, standard_calculus(), how);
    CHECK_FALSE(report.agrees());
    std::string first;
    for (const props::Row& s : report.stages)
      if (const auto* wrong = s.cost_wrong(); wrong && first.empty()) first = s.name + ": " + wrong->wrong->found;
    return first;
  };
  CHECK_THAT(wrong_with({Size(0) - Size::name("n"), 0, 1}), Catch::Matchers::StartsWith("paths: work: "));  // its own
  CHECK_THAT(wrong_with({0, 100, 0}), Catch::Matchers::StartsWith("paths: depth grows from "));
}

// The larger of 2*n and 4*((m + n)/2) is bounded by 4*n in one language and by 2*n + 4*((m + n)/2) in the other.
TEST_CASE("two branches of which either may take longer cost at the sizes of a run what the longer one does") {
  const props::VerifyReport r = verified(
      "fun main [n m] (x0 : [(m + n)/2](i32, i32)) : [(m + n)/2][(m + n)/2](i32, i32) where m + 1 <= n =\n"
      "  take ((m + n) / 2) (transpose\n"
      "    (if true\n"
      "     then let x1 = toGlobal (mapGlobal (\\x5 -> x0)) (replicate ((m + n) / 2 + 1) 0) in\n"
      "          mapGlobal (\\x2 -> generate n (\\i4 -> (0, 0))) (take ((m + n) / 2) x1)\n"
      "     else join (mapTranspose (map (\\x6 -> replicate n [x6]) x0))))\n",
      standard_calculus());
  CHECK(r.agrees());
}

TEST_CASE("house A17: what is proved is what was tested: the proofs run no stage again") {
  int translations = 0;
  Calculus calculus = standard_calculus();
  Primitive map = *calculus.primitive("mapSeq");
  Loop& loop = std::get<Loop>(map.kind);
  loop.acceptor = [&translations, acceptor = loop.acceptor](Translation& t, const PrimPhrase& x, const PhraseRef& a) {
    ++translations;
    return acceptor(t, x, a);
  };
  calculus.add(std::make_shared<const Primitive>(std::move(map)));
  const auto e = test::elaborated("fun f [n] (xs : [n]i32) : [n]i32 = mapSeq (\\x -> x + 1) xs", calculus);
  REQUIRE(e.has_value());
  const props::VerifyReport report = props::verify(e->entries.back(), calculus, {.targets = {}});
  CHECK(report.ok());
  CHECK(translations == 2);  // once for each machine
  const auto proved = proofs::kernels::program_obligations(report.traces);
  CHECK(translations == 2);
  REQUIRE(proved.size() == 2);
  for (const auto& m : proved) {
    const auto t = proofs::kernels::tally_of(m.obligations, proofs::kernels::ObligationKind::Indices);
    CHECK(t.all() > 0);
    CHECK(t.proved == t.all());
  }
}

}  // namespace verify_test
