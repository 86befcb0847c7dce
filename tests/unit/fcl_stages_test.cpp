// The stages of FCL: each gives what the source gives, traps and their places included, has types, and is read back;
// what comes out of fusion is in normal form; where something is made too high is told (errata 6, 7).
#include <catch2/catch.hpp>

#include "tests/unit/fcl_program.h"
#include "translate/fcl/normal_form.h"
#include "translate/fcl/pipeline.h"

namespace fcl_stages_test {
using namespace lockstep;
using fcl::Expr;

namespace {

// The last definition, its type variables of the given types, its levels all of this one.
fcl::Entry entry(const std::string& text, const fcl::Level& level = fcl::block_level, const std::string& type = "int",
                 Launch launch = {}) {
  fcl::Entry out{test::fcl_program(text), "", {}, launch};
  out.definition = out.program.program.definitions.back().name;
  const fcl::Scheme& s = fcl::scheme_of(out);
  for (const auto& o : s.types) out.instance.types.emplace(o.name, *fcl::parse_type(test::fcl_source(type)));
  for (const fcl::Parameter& p : fcl::definition_of(out).parameters)
    if (p.is_level) out.instance.levels.emplace(p.name, level);
  for (const std::string& l : s.levels) out.instance.levels.emplace(l, level);
  return out;
}

std::string given(const AnyProgram& p, const std::vector<std::string>& arguments) {
  std::vector<Value> values;
  for (const std::string& a : arguments) {
    fcl::Bound seen;
    REQUIRE_FALSE(fcl::note_types(test::fcl_source(a), fcl::named_type("a"), seen));
    values.push_back(*fcl::parse_value(test::fcl_source(a), seen.at("a")));
  }
  const auto v = fcl::language()->meaning(p, std::move(values), ieee_domain(), 0);
  return v ? show(*v, ieee_domain()) : "trap: " + v.error().primitive + in_parentheses(v.error().region);
}

// Through all stages; what the source gives.
std::string through(const fcl::Entry& e, const std::vector<std::string>& arguments) {
  const fcl::Traced traced = fcl::trace_of(e);
  INFO((traced.stopped ? traced.stopped->why : ""));
  CHECK_FALSE(traced.stopped);
  const std::string expected = given(traced.trace.steps[0].program, arguments);
  for (const Step& s : traced.trace.steps) {
    INFO(s.name << "\n" << s.program.language().print(s.program));
    CHECK(given(s.program, arguments) == expected);
    CHECK(wrong_read_back(s.program) == "");
    CHECK(s.program.language().check(s.program, {}).empty());
  }
  return expected;
}
std::string through(const std::string& text, const std::vector<std::string>& arguments) {
  return through(entry(text), arguments);
}

std::string misplaced(const std::string& text, const fcl::Level& level = fcl::block_level) {
  const fcl::Traced traced = fcl::trace_of(entry(text, level));
  const auto& wrong = traced.misplaced;
  return wrong ? show_position(wrong->region).substr(6) + " " + wrong->message + "; " + wrong->expected : "";
}

}  // namespace

TEST_CASE("the paper's programs through all stages") {
  CHECK(through(test::fcl_example("reverse"), {"2", "[1,2,3,4]"}) == "[4, 3, 2, 1]");
  CHECK(through(test::fcl_example("reverse"), {"2", "[1,2,3]"}) == "trap: splitUp (p.fcl:12:3)");
  CHECK(through(test::fcl_example("transpose"), {"1", "3", "2", "[0,1,2,3,4,5]"}) == "[0, 3, 1, 4, 2, 5]");
  CHECK(through(test::fcl_example("transpose"), {"2", "4", "2", "[0,1,2,3,4,5,6,7]"}) == "[0, 4, 1, 5, 2, 6, 3, 7]");
  CHECK(through(entry(test::fcl_example("reduction"), {}, "int", {.block = 2}), {"[1,2,3,4,5,6,7,8]"}) == "[10, 26]");
}

TEST_CASE("functions, levels, pairs and delayed arrays vanish") {
  const std::string texts[] = {
      test::fcl_example("reverse"),
      test::fcl_example("transpose"),
      test::fcl_example("reduction"),
      "fun f xs = reduce <block> (+) 0 xs",
      "fun f xs = scanl (+) 1 xs",
      "fun f c xs = push <grid> (if c then reverse xs else map (fn x => x + 1) xs)",
      "fun f c xs = if c then push <grid> xs else push <grid> (reverse xs)",
  };
  for (const std::string& text : texts) {
    const fcl::Traced traced = fcl::trace_of(entry(text));
    REQUIRE_FALSE(traced.stopped);
    const auto& last = traced.trace.last().as<fcl::Entry>();
    INFO(fcl::print(last.program.program));
    CHECK(last.program.program.definitions.size() == 1);
    CHECK(fcl::why_not_normal(*fcl::definition_of(last).body) == "");
    CHECK(fcl::why_not_normal(*fcl::definition_of(traced.trace.steps[0].program.as<fcl::Entry>()).body) != "");
  }
}

TEST_CASE("programs that use every construct agree at every stage") {
  CHECK(through("fun f xs = reduce <block> (+) 0 xs", {"[1,2,3,4,5]"}) == "[15]");
  CHECK(through("fun f xs = reduce <block> (+) 0 xs", {"[]"}) == "[0]");
  CHECK(through("fun f xs = foldl (fn a b => a * 10 + b) 0 xs", {"[1,2,3]"}) == "[123]");
  CHECK(through("fun f xs = scanl (+) 1 xs", {"[1,2,3]"}) == "[1, 2, 4, 7]");
  CHECK(through("fun f k = push <thread> [k, k + 1, 7]", {"5"}) == "[5, 6, 7]");
  // an assertion fails before what it is of
  CHECK(through("fun f n = push <thread> (generate (assert (n > 0) (1 / n)) (fn i => i))", {"0"})
            .starts_with("trap: assert"));
  CHECK(through("fun f k = push <thread> (map (fn p => fst p * snd p) [(k, 2), (3, k)])", {"5"}) == "[10, 15]");
  const std::string twice =
      "sig twice : (<l> -> [int] -> [int]<l>) -> [int] -> [int]<block>\n"
      "fun twice f xs = f <block> (force (f <block> xs))\n";
  CHECK(through(twice + "fun f xs = twice (fn <k> ys => push <k> (reverse ys)) xs", {"[1,2,3]"}) == "[1, 2, 3]");
  CHECK(through("fun f xs = (if length xs > 2 then push else fn <l> ys => push <l> (reverse ys)) <block> xs",
                {"[1,2]"}) == "[2, 1]");
  CHECK(through("fun f c xs = push <grid> (map (if c then (fn x => x + 1) else (fn x => 7 / x)) xs)",
                {"false", "[0]"}) == "trap: / (p.fcl:1:72)");
  CHECK(through("fun f xs = push <grid> (map (fn x => x > 0 && 10 / x > 3) xs)", {"[0,2,5]"}) ==
        "[false, true, false]");
  CHECK(through("fun f m = push <grid> (map (fn r => index r 1) m)", {"[[1,2],[3,4]]"}) == "[2, 4]");
  CHECK(through("fun f m = push <grid> (map (fn r => index r 1) m)", {"[[1],[3]]"}) == "trap: index (p.fcl:1:37)");
  CHECK(through("fun f ps = push <grid> (map (fn p => (snd p, fst p)) ps)", {"[(1,true)]"}) == "[(true, 1)]");
  CHECK(through("fun f n xs = interleave 2 (fn p => snd p * n + fst p) (map (push <block>) (splitUp 2 xs))",
                {"2", "[1,2,3,4]"}) == "[1, 3, 2, 4]");
  CHECK(through("fun f n xs = interleave 2 (fn p => snd p * n + fst p) (map (push <block>) (splitUp 2 xs))",
                {"1", "[1,2,3,4]"}) == "trap: interleave (p.fcl:1:14)");
  CHECK(through("fun f xs = concatMap 2 (fn x => push <block> [x, x * x]) xs", {"[2,3]"}) == "[2, 4, 3, 9]");
  CHECK(through("fun f n = push <grid> (generate n (fn i => 1))", {"-1"}) == "trap: generate (p.fcl:1:23)");
  CHECK(through("fun f n xs = push <grid> (take n xs)", {"-1", "[1]"}) == "trap: take (p.fcl:1:27)");
}

TEST_CASE("what is forced twice is made twice, and what is shared once") {
  const auto count = [](const std::string& text) {
    const fcl::Traced traced = fcl::trace_of(entry(text));
    const std::string last = traced.trace.last().language().print(traced.trace.last());
    std::size_t n = 0;
    for (std::size_t at = last.find("force"); at != std::string::npos; at = last.find("force", at + 1)) ++n;
    return n;
  };
  CHECK(count("fun f xs = let g = fn ys => force (push <block> (reverse ys)) in push <block> (zipWith (+) (g xs) (g "
              "xs))") == 2);
  CHECK(count("fun f xs = let y = force (push <block> (reverse xs)) in push <block> (zipWith (+) y y)") == 1);
}

TEST_CASE("a loop over constant lengths is straight code, and others stay loops") {
  const auto unrolled = [](const std::string& text, int block) {
    const fcl::Traced traced = fcl::trace_of(entry(text, {}, "int", {.block = block}));
    const std::string before = fcl::print(traced.trace.steps[3].program.as<fcl::Entry>().program.program);
    const std::string after = fcl::print(traced.trace.last().as<fcl::Entry>().program.program);
    CHECK(before.find("while") != std::string::npos);
    return after.find("while") == std::string::npos;
  };
  CHECK(unrolled(test::fcl_example("reduction"), 256));
  CHECK(unrolled(test::fcl_example("reduction"), 1));
  CHECK(unrolled("fun f x = reduce <block> (+) 0 [x, x, x]", 256));
  CHECK(unrolled(test::fcl_example("reduction"), 31));  // each round traps: its halves are not equally long
  CHECK_FALSE(unrolled("fun f xs = reduce <block> (+) 0 xs", 256));  // of any length
  CHECK_FALSE(unrolled("fun f xs = foldl (+) 0 xs", 256));           // elements decide
  CHECK_FALSE(
      unrolled("fun f x = push <block> (while (fn a => true) (fn a => push <block> a) (push <block> [x]))", 256));
}

TEST_CASE("what is computed before has a name, also in code that was put together from several definitions") {
  const fcl::Traced traced = fcl::trace_of(entry(test::fcl_example("transpose")));
  const std::string last = traced.trace.last().language().print(traced.trace.last());
  // of columns, rows and the tile once each
  CHECK(last.find("cols / tileDim") == last.rfind("cols / tileDim"));
  CHECK(last.find("rows / tileDim") == last.rfind("rows / tileDim"));
  CHECK(last.find("tileDim * tileDim") == last.rfind("tileDim * tileDim"));
}

TEST_CASE("what is made where its level is too high is told (the place rule)") {
  CHECK(
      misplaced(
          "fun f n xs = let g = fn a => force (push <grid> a) in concat n (mapPull (fn x => push <block> (g x)) xs)") ==
      "1:30 what this `force` writes is an array of grid, and stands in a block, into which `concat` (p.fcl:1:55) "
      "deals "
      "chunks; at most block there");
  CHECK(misplaced("fun f xs = push <thread> (map (fn x => index (force (push <block> [x])) 0) xs)")
            .starts_with("1:46 what this `force` writes is an array of block, and stands in one thread"));
  CHECK(misplaced("fun f xs = push <grid> (map (fn x => index (while (fn a => false) (fn a => push <warp> a) (push "
                  "<warp> [x])) 0) xs)")
            .find("this `while`") != std::string::npos);
  CHECK(misplaced("fun f xs = push <grid> (map (fn x => index (force (push <thread> [x])) 0) xs)") == "");
  CHECK(misplaced("fun f xs = push <grid> (force (push <thread> xs))") == "");  // a level below its place
  // where all is literal
  const auto placed = [](const std::string& place) {
    return misplaced("fun f xs = interleave 2 (fn p => " + place +
                     ") (generate 2 (fn i => push <block> [i, index xs i]))");
  };
  CHECK(placed("fst p * 2 + snd p") == "");
  CHECK(placed("snd p * 2 + fst p") == "");
  CHECK(placed("0 * fst p") ==
        "1:12 elements (0, 0) and (0, 1) of this `interleave` both go to 0; a place of its own for each element");
  CHECK(placed("fst p + snd p") ==
        "1:12 elements (0, 1) and (1, 0) of this `interleave` both go to 1; a place of its own for each element");
  CHECK(placed("fst p * 2 + snd p + 1") ==
        "1:12 element (1, 1) of this `interleave` goes to 4, outside [0, 4); a place of its own for each element");
  CHECK(placed("fst p * 2 - snd p") ==
        "1:12 element (0, 1) of this `interleave` goes to -1, outside [0, 4); a place of its own for each element");
  CHECK(placed("fst p / snd p") == "");              // it traps when it runs
  CHECK(placed("fst p * length xs + snd p") == "");  // right at one length
  CHECK(misplaced("fun f xs = let y = force (push <grid> xs) in push <grid> (reverse y)") == "");
  CHECK(misplaced("fun f xs = concat 2 (map (fn c => push <warp> (force (push <warp> c))) (splitUp 2 xs))") == "");
  const std::string any =
      "sig f : <l> -> [a] -> [a]<grid>\nfun f xs = concat 2 (map (fn c => push <block> (force (push <l> c))) (splitUp "
      "2 xs))";
  for (int l = 0; l <= fcl::most_above; ++l) CHECK((misplaced(any, fcl::Level{l}) == "") == (l <= 2));
}

TEST_CASE("arrays or functions chosen by a condition whose branches compute are refused") {
  const fcl::Traced traced =
      fcl::trace_of(entry("fun f c xs = push <grid> (if c then force (push <grid> xs) else xs)"));
  REQUIRE(traced.stopped);
  CHECK(traced.stopped->why.find("move it out of them") != std::string::npos);
}

}  // namespace fcl_stages_test
