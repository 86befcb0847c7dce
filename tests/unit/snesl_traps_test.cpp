// Which traps a SNESL program may report, whatever order it runs in.
#include <catch2/catch.hpp>

#include "props/snesl/results.h"
#include "tests/unit/snesl_streams.h"

namespace snesl_traps_test {
using namespace lockstep;
using streaming::test::prepare;

namespace {

// Sorted, a line each.
std::string traps(const std::string& program, const std::vector<std::string>& arguments = {}) {
  const auto p = prepare({program, arguments});
  svcode::test::MemoryFiles files;
  std::set<std::string> lines;
  for (const Trap& t : snesl::traps_of(p.core, p.arguments, files).traps)
    lines.insert(t.primitive + ": " + t.message + "\n");
  std::string out;
  for (const std::string& line : lines) out += line;
  // A program traps exactly where some trap may be reported.
  svcode::test::MemoryFiles again;
  CHECK(snesl::evaluate(p.core, p.arguments, again).has_value() == lines.empty());
  return out;
}
std::string by_zero(int n) { return "/: division by zero: " + std::to_string(n) + " / 0\n"; }

}  // namespace

TEST_CASE("each element's trap may be reported, and that of what goes on beside it") {
  CHECK(traps("fun f(a) = {10 / x : x in a}", {"{1, 0, 2, 0}"}) == by_zero(10));
  CHECK(traps("fun f(a) = {x / (x - 1) : x in a}", {"{1, 3, 1}"}) == by_zero(1));
  CHECK(traps("fun f(a) = {x / (x % 2) : x in a}", {"{2, 3, 4}"}) == by_zero(2) + by_zero(4));
  CHECK(traps("fun f(a) = (1 / #tab(a), 2 / (#tab(a) - 2))", {"{7, 8}"}) == by_zero(2));
  CHECK(traps("fun f(a) = let s = {10 / x : x in a} in sum(s) + 7 / (sum(a) - 2)", {"{0, 2}"}) ==
        by_zero(10) + by_zero(7));
  CHECK(traps("fun f(a) = {10 / x : x in a}", {"{1, 2}"}).empty());
}

TEST_CASE("what needs a lost value is not reached, what needs another is") {
  CHECK(traps("fun f(x) = 5 / (1 / x)", {"0"}) == by_zero(1));
  // An if is `the` of what one of two guards lets through, and of a guard that is lost perhaps nothing.
  CHECK(traps("fun f(x) = if 1 / x == 2 then 3 / x else 4 / x", {"0"}) ==
        by_zero(1) + "the: the sequence has 0 elements, not one\n");
  CHECK(traps("fun f(a) = let s = {10 / x : x in a} in {20 / (y - 5) : y in s}", {"{0, 2}"}) ==
        by_zero(10) + by_zero(20));
  CHECK(traps("fun f(a) = let s = {10 / x : x in a} in 3 / (#tab(s) - 2)", {"{0, 2}"}) == by_zero(10) + by_zero(3));
  // A sum is known up to what is lost.
  CHECK(traps("fun f(a) = let s = {10 / x : x in a} in {30 / p : p in scan-plus(s)}", {"{1, 0, 2}"}) ==
        by_zero(10) + by_zero(30));
  CHECK(traps("fun f(a) = let v = tab({10 / x : x in a}) in (40 / (v ! 0 - 10), 50 / (v ! 1 - 3), v ! 5)",
              {"{1, 0}"}) == "!: index 5 is outside [0, 2)\n" + by_zero(10) + by_zero(40));
}

TEST_CASE("what lengths a trap leaves open is open: what there is goes on") {
  const std::string negative = "&: the number -1 is negative\n";
  CHECK(traps("fun f(n) = the({0 : y in &n | false})", {"-1"}) ==
        negative + "the: the sequence has 0 elements, not one\n");
  CHECK(traps("fun f(n) = the({0 : y in &n})", {"-1"}) == negative);
  // Flags say how many pieces there are, and what is beside a sequence how many rows.
  for (const std::string many : {"flagpart(&1, {false, true}) ++ flagpart(&n, {true})", "zip(&n, {1, 2})"})
    CHECK(traps("fun f(n) = the(" + many + ")", {"-1"}) == negative + "the: the sequence has 2 elements, not one\n");
  CHECK(traps("fun f(n) = {1 / sum(p) : p in flagpart(&n, {true, false, true})}", {"-1"}) == negative + by_zero(1));
  CHECK(traps("fun f(a, b) = {x / y : x in a; y in b}", {"{1, 2, 3}", "{0, 1}"}) ==
        by_zero(1) + "zip: sequences of unequal lengths, 2 and more\n");
  CHECK(traps("fun f(a, b) = {{1 / x : x in p} : p in flagpart(a, b)}", {"{0, 2, 3}", "{false, true}"}) ==
        by_zero(1) + "flagpart: the elements and the false flags are not as many, 1 and more\n");
  CHECK(traps("fun f(n) = {1 / x : x in concat({&y : y in {1, n, 2}})}", {"-3"}) ==
        "&: the number -3 is negative\n" + by_zero(1));
  // Two that are known do not fit, whatever the third is.
  for (const std::string known : {"{0}, {0 | false}, &n", "&n, {0}, {0 | false}", "{0}, &n, {0 | false}"})
    CHECK(traps("fun f(n) = zip(" + known + ")", {"-1"}) ==
          "&: the number -1 is negative\nzip: sequences of unequal lengths, 0 and more\n");
  // Flags that are known do not end, whatever the elements are.
  CHECK(traps("fun f(n) = flagpart(&n, {x > 0 : x in {1, 0}})", {"-1"}) ==
        "&: the number -1 is negative\nflagpart: the last flag, 1, is not true\n");
  CHECK(traps("fun f(n) = flagpart(&n, {x > 0 : x in {0, 1}})", {"-1"}) == "&: the number -1 is negative\n");
  CHECK(traps("fun f(n) = the(&n)", {"-1"}) == "&: the number -1 is negative\n");
  CHECK(traps("fun f(a) = the(flagpart(a, {true | false}))", {"{1, 2}"}) ==
        "flagpart: the elements and the false flags are not as many, 0 and more\nthe: the sequence has 0 elements, not "
        "one\n");
  CHECK(traps("fun f(a) = {1 / sum(w) : w in sep({(x, 10 / x > 2) : x in a})}", {"{1, 0, 3}"}) == by_zero(10));
}

TEST_CASE("a trap that is reported must be one of those: primitive, values and place") {
  using props::stream::agree, props::stream::StreamingResult;
  const auto p = prepare({"fun f(a) = {x / (x % 2) : x in a}", {"{2, 3, 4}"}});
  svcode::test::MemoryFiles files;
  const snesl::MayTrap may = snesl::traps_of(p.core, p.arguments, files);
  const std::vector<Trap>& all = may.traps;
  REQUIRE(all.size() == 2);
  const auto agrees = [&](const std::function<void(Trap&)>& change) {
    StreamingResult expected{tl::unexpected(all[0])}, found{tl::unexpected(all[1])};
    expected.may = may;
    change(found.value.error());
    return agree(found, expected);
  };
  CHECK(agrees([](Trap&) {}));
  CHECK_FALSE(agrees([](Trap& t) { t.primitive = "%"; }));
  CHECK_FALSE(agrees([](Trap& t) { t.message = "division by zero: 3 / 0"; }));
  CHECK_FALSE(agrees([](Trap& t) { ++t.region.begin; }));
  CHECK_FALSE(agrees([](Trap& t) { t.region.source = nullptr; }));
}

TEST_CASE("where lengths do not fit another trap will do, of what can trap at that place") {
  using props::stream::agree, props::stream::StreamingResult;
  const auto p = prepare({"fun f(a, b) = {x / y + #tab({x}) : x in a; y in b}", {"{1, 2, 3}", "{4, 5}"}});
  svcode::test::MemoryFiles files;
  const snesl::MayTrap may = snesl::traps_of(p.core, p.arguments, files);
  REQUIRE(may.lengths);
  REQUIRE(may.traps.size() == 1);
  const auto division =
      std::find_if(may.places.begin(), may.places.end(), [](const Trap& t) { return t.primitive == "/"; });
  REQUIRE(division != may.places.end());
  const auto agrees = [&](const Trap& found) {
    StreamingResult expected{tl::unexpected(may.traps[0])};
    expected.may = may;
    return agree({tl::unexpected(found)}, expected);
  };
  CHECK(agrees({"/", "division by zero: 3 / 0", division->region}));
  CHECK_FALSE(agrees({"%", "division by zero: 3 / 0", division->region}));
  CHECK_FALSE(agrees({"/", "division by zero: 3 / 0", may.traps[0].region}));
  CHECK_FALSE(agrees({"/", "division by zero: 3 / 0", {}}));
  CHECK_FALSE(agrees({"+", "", division->region}));
  // No place is taken for one of another where they fit.
  const auto fits = prepare({"fun f(a) = {x / (x - 1) : x in a}", {"{1}"}});
  CHECK(snesl::traps_of(fits.core, fits.arguments, files).places.empty());
}

TEST_CASE("what can trap in a program is called as its traps are") {
  const std::map<std::string, std::string> programs{{"the", "the({0 : i in &n})"},
                                                    {"zip", "zip({1, 2}, &n)"},
                                                    {"flagpart", "flagpart(&n, {true})"},
                                                    {"&", "&(0 - 1 - n)"},
                                                    {"!", "[1] ! n"},
                                                    {"/", "1 / (n - 4)"},
                                                    {"%", "1 % (n - 4)"},
                                                    {"int", "int(0.0 / real(n - 4))"},
                                                    {"char", "char(real(n) * 1e30)"},
                                                    {"maximum", "maximum(&(n - 4))"},
                                                    {"minimum", "minimum(&(n - 4))"},
                                                    {"reduce1-max", "reduce1-max(&(n - 4))"},
                                                    {"reduce1-plus", "reduce1-plus(&(n - 4))"},
                                                    {"read_file", "#read_file(\"none\")"}};
  for (const auto& [primitive, body] : programs) {
    const auto p = prepare({"fun f(n) = (" + body + ", zip({1}, {1, 2}))", {"4"}});
    svcode::test::MemoryFiles files;
    const snesl::MayTrap may = snesl::traps_of(p.core, p.arguments, files);
    INFO(primitive);
    REQUIRE(may.lengths);
    CHECK(std::any_of(may.traps.begin(), may.traps.end(),
                      [&, name = primitive](const Trap& t) { return t.primitive == name; }));
    for (const Trap& t : may.traps)
      CHECK(std::any_of(may.places.begin(), may.places.end(), [&](const Trap& at) {
        return same_trap(at, {t.primitive, "", t.region});
      }));
  }
}

}  // namespace snesl_traps_test
