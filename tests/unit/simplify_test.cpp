// Optimisations of SVCODE (SNESL §4.3, §4.3.1): each keeps the result, the failure and the work; where each fires, and
// where it must not.
#include "translate/simplify/simplify.h"
#include "streaming_cases.h"
#include "translate/simplify/facts.h"
#include "translate/streamability/streamable.h"

namespace simplify_test {
using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;
using streaming::test::Outcome;

namespace {

struct Pair {  // before, after
  int first, second;
};
bool operator==(Pair a, Pair b) { return a.first == b.first && a.second == b.second; }
std::ostream& operator<<(std::ostream& out, Pair p) { return out << p.first << " and then " << p.second; }

svcode::ChunkOptions smallest(const svcode::Program& p) {
  return {1, std::vector<std::int64_t>(p.instructions.size(), 8), svcode::ChunkOptions::Order::Loop, 0};
}
// That the program runs at chunk 1 on the case's own arguments, for what the analysis says of all.
Streamable runs_on(const Prepared& p) {
  return [&p](const svcode::Program& s) { return !chunked(s, p, smallest(s)).shown.starts_with("deadlock"); };
}

void keeps(const Stage& stage, const svcode::Program& before, const svcode::Program& after, const Prepared& p) {
  INFO(stage.name << "\n" << svcode::print(before) << "becomes\n" << svcode::print(after));
  REQUIRE(svcode::check(after).empty());
  svcode::Counts cost, less;
  const Outcome expected = eager(before, p, {}, &cost);
  CHECK(eager(after, p, {}, &less) == expected);
  CHECK(less.work <= cost.work);
  for (const auto& options : chunkings(after, 8)) {
    INFO("chunk " << options.chunk << ", order " << static_cast<int>(options.order));
    CHECK(chunked(after, p, options) == expected);
  }
}

// Inputs: s0 : Int of any length with the descriptor s1, s2 : Bool and s3 : Bool of another, s4 : Real.
std::string prints(const std::string& lines, const std::string& result, const std::string& types) {
  const std::string text =
      "svcode t (s : {Int}, b : {Bool}, r : {Real}) : (" + types +
      ")\n  s0 : Int := input 0\n  s1 : Bool := input 1\n  s2 : Bool := input 2\n  s3 : Bool := input 3\n" +
      "  s4 : Real := input 4\n  s5 : Bool := input 5\n  s6 : Unit := ctrl\n" + lines + "  result (" + result + ")\n";
  return text;
}
svcode::Program program(const std::string& text) { return got(svcode::parse(source(text))); }
// What a stage makes of instructions after s6, and that it makes nothing of what it should leave.
void becomes(const Stage& stage, const std::string& lines, const std::string& result, const std::string& types,
             const std::string& new_lines, const std::string& new_result) {
  INFO(lines);
  // The streams that only the old lines need would go with dead code: they are kept by the result.
  const std::string kept = "s0, s1, s2, s3, s4, s5, ", kept_types = "Int, Bool, Bool, Bool, Real, Bool, ";
  const auto before = program(prints(lines, kept + result, kept_types + types));
  const auto after = program(prints(new_lines, kept + new_result, kept_types + types));
  REQUIRE(svcode::check(before).empty());
  CHECK(svcode::print(apply(stage, before)) == svcode::print(after));
}
void stays(const Stage& stage, const std::string& lines, const std::string& result, const std::string& types) {
  becomes(stage, lines, result, types, lines, result);
}

}  // namespace

TEST_CASE("each optimisation alone keeps result, failure and work, at every chunk size") {
  for (const Case& c : cases) {
    DYNAMIC_SECTION(shown(c)) {
      const Prepared p = prepare(c);
      for (const Stage& stage : simplifications(runs_on(p))) keeps(stage, p.streams, apply(stage, p.streams), p);
    }
  }
}

TEST_CASE("all optimisations together keep the meaning of the source, and none adds work") {
  for (const Case& c : cases) {
    DYNAMIC_SECTION(shown(c)) {
      const Prepared p = prepare(c);
      svcode::Program now = p.streams;
      for (const Stage& stage : simplifications(runs_on(p))) {
        const svcode::Program next = apply(stage, now);
        keeps(stage, now, next, p);
        now = next;
      }
      CHECK(eager(now, p) == meaning(p));
      CHECK(svcode::print(simplify(p.streams, runs_on(p))) == svcode::print(now));
    }
  }
}

TEST_CASE("what takes an instruction's place has a place in the source") {
  const auto nowhere = [](const svcode::Program& p) {
    return std::count_if(p.instructions.begin(), p.instructions.end(),
                         [](const svcode::Instr& i) { return i.region.begin == i.region.end; });
  };
  for (const Case& c : cases) {
    svcode::Program now = prepare(c).streams;
    for (const Stage& stage : simplifications()) {
      const svcode::Program next = apply(stage, now);
      INFO(stage.name << "\n" << svcode::print(now) << "becomes\n" << svcode::print(next));
      CHECK(nowhere(next) <= nowhere(now));
      now = next;
    }
    CHECK(nowhere(now) <= 1);  // the control stream
  }
}

TEST_CASE("the rules on descriptors fire, and leave what only looks like them") {
  const Stage s = special_cases();
  SECTION("conditional") {
    const std::string flags = "  s7 : Bool := b2u s2\n  s8 : Bool := map_not s2\n  s9 : Bool := b2u s8\n";
    becomes(s, flags + "  s10 : Int := segmerge s7 s0 s9 s0\n", "s7, s9, s10", "Bool, Bool, Int",
            flags + "  s10 : Int := unpack s2 s0 s0\n", "s7, s9, s10");
    becomes(s, flags + "  s10 : Int := segmerge s9 s0 s7 s0\n", "s7, s9, s10", "Bool, Bool, Int",
            flags + "  s10 : Int := unpack s8 s0 s0\n", "s7, s9, s10");
    stays(s, "  s7 : Bool := b2u s2\n  s8 : Int := segmerge s7 s0 s7 s0\n", "s8", "Int");
    stays(s,
          "  s7 : Bool := b2u s2\n  s8 : Bool := map_not s3\n  s9 : Bool := b2u s8\n  s10 : Int := segmerge s7 s0 s9 "
          "s0\n",
          "s10", "Int");
  }
  SECTION("segments of one") {
    const std::string one = "  s7 : Int := rep 1 s0\n  s8 : Bool := to_flags s7\n";
    becomes(s, one + "  s9 : Int := pdist s0 s8\n  s10 : Int := segreduce_max s0 s8\n  s11 : Bool := usegsum s8 s1\n",
            "s8, s9, s10, s11", "Bool, Int, Int, Bool", one, "s8, s0, s0, s1");
    becomes(s, one + "  s9 : Int := segmerge s8 s0 s8 s0\n  s10 : Bool := usegmerge s8 s1 s8 s3\n", "s8, s9, s10",
            "Bool, Int, Bool", one + "  s9 : Int := pmerge s0 s0\n  s10 : Bool := umerge s1 s3\n", "s8, s9, s10");
    stays(s, one + "  s9 : Real := segreduce_plus s4 s8\n", "s8, s9", "Bool, Real");  // -0.0
    const std::string two = "  s7 : Int := rep 2 s0\n  s8 : Bool := to_flags s7\n";
    stays(s, two + "  s9 : Int := pdist s0 s8\n  s10 : Int := segreduce_max s0 s8\n  s11 : Bool := usegsum s8 s1\n",
          "s8, s9, s10, s11", "Bool, Int, Int, Bool");
  }
  SECTION("distribution") {
    becomes(s, "  s7 : Bool := b2u s2\n  s8 : Int := pdist s0 s7\n", "s7, s8", "Bool, Int",
            "  s7 : Bool := b2u s2\n  s8 : Int := pack s0 s2\n", "s7, s8");
    becomes(s,
            "  s7 : Unit := usum s1\n  s8 : Int := rep 5 s2\n  s9 : Int := pdist s8 s1\n  s10 : Char := rep 'a' s7\n",
            "s9, s10", "Int, Char", "  s7 : Unit := usum s1\n  s8 : Int := rep 5 s7\n  s9 : Char := rep 'a' s7\n",
            "s8, s9");
    stays(s, "  s7 : Int := rep 5 s2\n  s8 : Int := pdist s7 s1\n", "s8", "Int");  // there is no usum s1
  }
  SECTION("sums and scans of ones") {
    becomes(s, "  s7 : Int := rep 1 s0\n  s8 : Int := segreduce_plus s7 s1\n", "s8", "Int", "  s7 : Int := lens s1\n",
            "s7");
    const std::string scan = "  s7 : Int := rep 1 s0\n  s8 : Bool := short s1\n  s9 : Int := segscan_plus s7 s8\n";
    becomes(s, scan, "s9", "Int", "  s7 : Int := iotas s1\n", "s7");
    const std::string several = "  s7 : Bool := to_flags s0\n  s8 : Unit := usum s7\n  s9 : Int := rep ";
    stays(s, several + "2 s8\n  s10 : Int := segreduce_plus s9 s7\n", "s10", "Int");
    stays(s, several + "1 s8\n  s10 : Bool := short s7\n  s11 : Int := segscan_plus s9 s10\n", "s10, s11",
          "Bool, Int");  // the short form is there anyway
  }
  SECTION("one segment") {  // a parameter's descriptor has one, b2u b as many as b has elements
    becomes(s, "  s7 : Real := segreduce_plus s4 s5\n", "s7", "Real", "  s7 : Real := reduce_plus s4\n", "s7");
    becomes(s, "  s7 : Bool := short s1\n  s8 : Int := segscan_max s0 s7\n", "s8", "Int", "  s7 : Int := scan_max s0\n",
            "s7");
    stays(s, "  s7 : Bool := b2u s2\n  s8 : Int := segreduce_max s0 s7\n", "s8", "Int");
    stays(s, "  s7 : Int := segscan_max s0 s2\n", "s7", "Int");  // no descriptor says where the segments end
  }
  SECTION("forms of descriptors") {
    becomes(
        s,
        "  s7 : Int := reduce_max s0\n  s8 : Int := range s7\n  s9 : Bool := terminated s8\n  s10 : Int := lens s9\n",
        "s9, s10", "Bool, Int", "  s7 : Int := reduce_max s0\n  s8 : Int := range s7\n  s9 : Bool := terminated s8\n",
        "s9, s7");
    stays(s, "  s7 : Bool := terminated s0\n  s8 : Int := lens s7\n", "s8", "Int");

    becomes(s, "  s7 : Bool := ends s2\n  s8 : Bool := short s7\n", "s7, s8", "Bool, Bool", "  s7 : Bool := ends s2\n",
            "s7, s2");
    becomes(s, "  s7 : Bool := to_flags s0\n  s8 : Int := lens s7\n", "s7, s8", "Bool, Int",
            "  s7 : Bool := to_flags s0\n", "s7, s0");
    becomes(s, "  s7 : Bool := b2u s2\n  s8 : Int := lens s7\n  s9 : Bool := uempty s7\n", "s7, s8, s9",
            "Bool, Int, Bool", "  s7 : Bool := b2u s2\n  s8 : Int := map_int s2\n  s9 : Bool := map_not s2\n",
            "s7, s8, s9");
    stays(s, "  s7 : Bool := short s1\n  s8 : Int := lens s1\n  s9 : Bool := uempty s1\n", "s7, s8, s9",
          "Bool, Int, Bool");
    becomes(s,
            "  s7 : Int := rep 4 s6\n  s8 : Int := range s7\n  s9 : Bool := terminated s8\n  s10 : Int := iotas s9\n",
            "s9, s10", "Bool, Int", "  s7 : Int := rep 4 s6\n  s8 : Int := range s7\n  s9 : Bool := terminated s8\n",
            "s9, s8");
    stays(s, "  s7 : Bool := terminated s0\n  s8 : Int := iotas s7\n", "s8", "Int");
  }
  SECTION("all or nothing chosen") {
    const std::string all = "  s7 : Bool := rep true s0\n";
    becomes(s, all + "  s8 : Int := pack s0 s7\n  s9 : Bool := upack s1 s7\n  s10 : Int := unpack s7 s0 s0\n",
            "s8, s9, s10", "Int, Bool, Int", "", "s0, s1, s0");
    stays(s, "  s7 : Int := pack s0 s2\n  s8 : Bool := upack s1 s2\n  s9 : Int := unpack s2 s0 s0\n", "s7, s8, s9",
          "Int, Bool, Int");
  }
  SECTION("control streams") {
    becomes(s, "  s7 : Int := map_add s0 s0\n  s8 : Int := map_mul s7 s0\n  s9 : Char := rep 'a' s8\n", "s9", "Char",
            "  s7 : Char := rep 'a' s0\n", "s7");
  }
}

TEST_CASE("identities of scalar operators fire, of Reals only those that hold bit for bit") {
  const Stage s = special_cases();
  const std::string n = "  s7 : Int := rep 0 s0\n  s8 : Int := rep 1 s0\n", nn = "Int, Int, ";
  becomes(s,
          n + "  s9 : Int := map_add s0 s7\n  s10 : Int := map_sub s0 s7\n  s11 : Int := map_mul s8 s0\n  s12 : Int := "
              "map_div s0 s8\n",
          "s7, s8, s9, s10, s11, s12", nn + "Int, Int, Int, Int", n, "s7, s8, s0, s0, s0, s0");
  stays(s, n + "  s9 : Int := map_sub s7 s0\n  s10 : Int := map_div s8 s0\n  s11 : Int := map_add s0 s8\n",
        "s7, s8, s9, s10, s11", nn + "Int, Int, Int");
  const std::string x = "  s7 : Real := rep 0.0 s4\n  s8 : Real := rep 1.0 s4\n", xx = "Real, Real, ";
  becomes(s, x + "  s9 : Real := map_sub s4 s7\n  s10 : Real := map_mul s4 s8\n", "s7, s8, s9, s10", xx + "Real, Real",
          x, "s7, s8, s4, s4");
  stays(s, x + "  s9 : Real := map_add s4 s7\n  s10 : Real := map_mul s4 s7\n", "s7, s8, s9, s10", xx + "Real, Real");
  becomes(s, "  s7 : Bool := map_not s2\n  s8 : Bool := map_not s7\n", "s7, s8", "Bool, Bool",
          "  s7 : Bool := map_not s2\n", "s7, s2");
}

TEST_CASE("a zero that stands for a check is not dropped while the check stands") {
  const std::string checked =
      "  s7 : Unit := check s2 \"&\" \"negative\"\n  s8 : Int := rep 0 s7\n  s9 : Int := map_add s0 s8\n";
  for (const Stage& stage : {special_cases(), constants(), check_removal(), dead_code()})
    stays(stage, checked, "s9", "Int");
  const std::string passed =
      "  s7 : Bool := rep true s0\n  s8 : Unit := check s7 \"&\" \"negative\"\n  s9 : Int := rep 0 s8\n  s10 : Int := "
      "map_add s0 s9\n";
  becomes(check_removal(), passed, "s10", "Int",
          "  s7 : Bool := rep true s0\n  s8 : Int := rep 0 s7\n  s9 : Int := map_add s0 s8\n", "s9");
}

TEST_CASE("no constant takes the place of what waits for a check") {
  const std::string checked =
      "  s7 : Bool := reduce_or s2\n  s8 : Unit := check s7 \"!\" \"outside\"\n  s9 : Int := rep 1 s8\n"
      "  s10 : Bool := to_flags s9\n  s11 : Int := lens s10\n  s12 : Int := pdist s11 s10\n"
      "  s13 : Bool := map_eq s12 s12\n  s14 : Int := pack s12 s13\n";
  for (const Stage& stage : {constants(), special_cases(), check_removal(), dead_code()}) {
    const svcode::Program p = apply(stage, program(prints(checked, "s14", "Int")));
    Facts facts(p.parameters);
    int gates = 0;
    for (const auto& i : p.instructions) {
      facts.add(i);
      if (i.opcode == svcode::Opcode::Check) gates = facts.of(i.id).gates;
    }
    CHECK(gates != 0);
    CHECK(facts.waits_for(gates, svcode::leaves_of(p.result)[0]));
  }
}

TEST_CASE("checks of what is known to be true are removed, and no others") {
  const auto left = [](const Case& c) {
    const Prepared p = prepare(c);
    return Pair{count(p.streams, svcode::Opcode::Check), count(simplify(p.streams), svcode::Opcode::Check)};
  };
  CHECK(left({"fun f() = &3"}) == Pair{1, 0});
  CHECK(left({"fun f(n) = &n", {"3"}}) == Pair{1, 1});
  CHECK(left({"fun f() = &(-3)"}) == Pair{1, 1});
  CHECK(left({"fun f(v) = {v ! i : i in &(#v)}", {"[1, 2]"}}) == Pair{2, 0});
  CHECK(left({"fun f(v) = {{w ! i : i in &(#w)} : w in seq(v)}", {"[[1, 2], []]"}}) == Pair{2, 0});
  CHECK(left({"fun f(v) = {v ! (i + 1) : i in &(#v)}", {"[1]"}}).second == 1);
  CHECK(left({"fun f(v, w) = {w ! i : i in &(#v)}", {"[1]", "[1]"}}).second == 1);
  CHECK(left({"fun f(s) = {if x > 2 then x else 0 : x in s}", {"{1, 3}"}}) == Pair{1, 0});
  CHECK(left({"fun f(s) = {the({y : y in {x} | y > 1}) : x in s}", {"{2, 3}"}}) == Pair{1, 1});
  CHECK(left({"fun f(v) = zip({x : x in seq(v)}, {x + 1 : x in seq(v)})", {"[1]"}}) == Pair{1, 0});
  CHECK(left({"fun f(v, w) = zip({x : x in seq(v)}, {x + 1 : x in seq(w)})", {"[1]", "[1]"}}) == Pair{1, 1});
  CHECK(left({"fun f(s) = zip({x : x in s | x > 1}, {x : x in s | x > 1})", {"{1, 2}"}}) == Pair{1, 0});
  CHECK(left({"fun f(s) = zip({x : x in s | x > 1}, {x : x in s | x > 2})", {"{3, 3}"}}) == Pair{1, 1});
  CHECK(left({"fun f() = maximum({1, 2})"}) == Pair{1, 0});
  CHECK(left({"fun f(s) = maximum(s)", {"{1}"}}) == Pair{1, 1});
  CHECK(left({"fun f(s) = maximum(s ++ {0})", {"{1}"}}) == Pair{1, 0});
  CHECK(left({"fun f(s) = {maximum({#w}) : w in sep({(x, x > 1) : x in s})}", {"{1, 2}"}}) == Pair{1, 0});
  CHECK(left({"fun f(s) = {maximum(w) : w in sep({(x, x > 1) : x in s})}", {"{1, 2}"}}) == Pair{1, 0});
  CHECK(left({"fun f(s) = {maximum({x : x in w}) : w in flagpart(s, {true, false, true})}", {"{1}"}}).second > 1);
}

TEST_CASE("a check that a number is natural stays where it is made of a Real, and goes where it is made of a Char") {
  const auto left = [](const std::string& program, std::vector<std::string> arguments) {
    return count(simplify(prepare({program, std::move(arguments)}).streams), svcode::Opcode::Check);
  };
  CHECK(left("fun f(x) = &int(x)", {"-1.5"}) == 1);
  CHECK(left("fun f(s) = {&int(x) : x in s}", {"{-1.5}"}) == 1);
  CHECK(left("fun f(s) = {&int(x) : x in s}", {"{'a'}"}) == 0);
  CHECK(left("fun f(s) = {&int(x) : x in s}", {"{true}"}) == 0);
}

TEST_CASE("checks that segments of one length make needless are removed, and no others") {
  const auto left = [](const std::string& program, std::vector<std::string> arguments) {
    const Prepared p = prepare({program, std::move(arguments)});
    return Pair{count(p.streams, svcode::Opcode::Check), count(simplify(p.streams), svcode::Opcode::Check)};
  };
  const std::vector<std::string> two = {"3", "4"};
  // Those of & with n or m stay, that of zip goes, or that of an index.
  const std::string rows = "fun f(m, n) = zip(concat({&n : i in &m}), ";
  CHECK(left(rows + "concat({{i + j : j in &n} : i in &m}))", two) == Pair{5, 3});
  CHECK(left(rows + "concat({{i + j : j in &m} : i in &n}))", two) == Pair{5, 4});  // n rows of m are as many
  CHECK(left(rows + "&(m * n))", two) == Pair{4, 4});                               // which may wrap
  CHECK(left("fun f(n) = zip(&n ++ {n}, {n} ++ &n)", {"3"}) == Pair{3, 1});
  CHECK(left("fun f(n) = zip(&n ++ {n}, &(n + 1))", {"3"}) == Pair{3, 2});
  CHECK(left("fun f(n) = zip(&n ++ {n}, &(n + 2))", {"3"}) == Pair{3, 3});
  CHECK(left("fun f(n) = let k = n + n in zip(&n ++ &n, &k)", {"3"}) == Pair{4, 3});  // of two negative ones may wrap
  const std::string indices = "fun f(m, n) = let v = tab(&n) in {{v ! j : j in ";
  CHECK(left(indices + "&n} : i in &m}", two) == Pair{4, 3});
  CHECK(left(indices + "&m} : i in &m}", two) == Pair{4, 4});
  CHECK(left(indices + "&(n + 1)} : i in &m}", two) == Pair{4, 4});
  CHECK(left("fun f(v, n) = {v ! (i % #v) : i in &n}", {"[1]", "4"}) == Pair{2, 1});
  CHECK(left("fun f(v, n) = {v ! (i % (#v + 1)) : i in &n}", {"[1]", "4"}) == Pair{2, 2});
  CHECK(left("fun f(v, n) = {v ! (-i % #v) : i in &n}", {"[1]", "4"}) == Pair{2, 2});
  CHECK(left("fun f(s) = let t = tab(&256) in {t ! int(c) : c in s}", {"{'a'}"}) == Pair{2, 0});
  CHECK(left("fun f(s) = let t = tab(&255) in {t ! int(c) : c in s}", {"{'a'}"}) == Pair{2, 1});
}

TEST_CASE("the lengths of traversals are numbers, those of Ints are taken modulo 2^64") {
  // m * n is 0: without the check the rows would meet a traversal that has ended.
  const Prepared p = prepare({"fun f(m, n) = zip(concat({&n : i in &m}), &(m * n))", {"4294967296", "4294967296"}});
  for (const svcode::Program& s : {p.streams, simplify(p.streams, runs_on(p))})
    CHECK(chunked(s, p, smallest(s)).shown == "trap zip");
}

TEST_CASE("traversals of one shape become one, and what only looks like them stays") {
  const Stage s = common_traversals([](const svcode::Program&) { return true; });
  const std::string n = "  s7 : Int := reduce_max s0\n  s8 : Int := pdist s7 s3\n";
  const std::string f = n + "  s9 : Bool := to_flags s8\n";
  SECTION("segments of one length") {
    const std::string again =
        "  s10 : Int := map_add s8 s8\n  s11 : Int := map_sub s10 s8\n  s12 : Bool := to_flags s11\n";
    becomes(s, f + again, "s9, s12", "Bool, Bool", f, "s9, s9");
    becomes(s, f + "  s10 : Int := lens s9\n", "s9, s10", "Bool, Int", f, "s9, s8");
    stays(s, f + "  s10 : Int := map_add s8 s8\n  s11 : Bool := to_flags s10\n", "s9, s11", "Bool, Bool");
    stays(s, f + "  s10 : Int := pdist s7 s5\n  s11 : Bool := to_flags s10\n", "s9, s11",
          "Bool, Bool");  // as many each, of others
    stays(s, "  s7 : Bool := to_flags s0\n  s8 : Int := map_add s0 s0\n  s9 : Bool := to_flags s8\n", "s7, s9",
          "Bool, Bool");
  }
  SECTION("segments of segments") {
    const std::string inner =
        "  s10 : Int := pdist s8 s9\n  s11 : Bool := to_flags s10\n  s12 : Bool := usegsum s9 s11\n";
    const std::string turned = "  s13 : Bool := usegsum s11 s9\n";
    becomes(s, f + inner + "  s13 : Int := pdist s8 s9\n  s14 : Bool := to_flags s13\n  s15 : Bool := usegsum s9 s14\n",
            "s12, s15", "Bool, Bool", f + inner + "  s13 : Bool := usegsum s9 s11\n", "s12, s13");
    stays(s, f + inner + turned, "s12, s13", "Bool, Bool");
    // n * n segments, but as a product of Ints it may wrap.
    stays(s, f + inner + "  s13 : Int := map_mul s8 s8\n  s14 : Bool := to_flags s13\n", "s12, s14", "Bool, Bool");
  }
  SECTION("what waits for a check is not replaced by what does not") {
    const std::string checked =
        "  s7 : Int := reduce_max s0\n  s8 : Bool := reduce_or s2\n  s9 : Unit := check s8 s7 \"&\" \"negative\"\n"
        "  s10 : Int := rep 0 s9\n  s11 : Int := map_add s7 s10\n";
    stays(s, checked + "  s12 : Int := range s7\n  s13 : Int := range s11\n", "s12, s13", "Int, Int");
    becomes(s, checked + "  s12 : Int := range s11\n  s13 : Int := range s7\n", "s12, s13", "Int, Int",
            checked + "  s12 : Int := range s11\n", "s12, s12");
  }
  SECTION("nobody says that they may") {
    const std::string twice = "  s7 : Int := reduce_max s0\n  s8 : Int := range s7\n  s9 : Int := range s7\n";
    stays(common_traversals({}), twice, "s8, s9", "Int, Int");
    becomes(s, twice, "s8, s9", "Int, Int", "  s7 : Int := reduce_max s0\n  s8 : Int := range s7\n", "s8, s8");
  }
}

TEST_CASE("traversals become one only where the program stays streamable") {
  const auto ranges = [](const std::string& program) {
    const Prepared p = prepare({program, {"30"}});
    const Stage s = common_traversals(runs_on(p));
    return Pair{
        count(p.streams, svcode::Opcode::Range),
        count(apply(dead_code(), apply(common_subexpressions(), apply(s, apply(common_subexpressions(), p.streams)))),
              svcode::Opcode::Range)};
  };
  CHECK(ranges("fun f(n) = zip(&n, {x * x : x in &n})") == Pair{2, 1});
  CHECK(ranges("fun f(n) = (sum(&n), sum({x * x : x in &n}))") == Pair{2, 1});
  CHECK(ranges("fun f(n) = let m = sum(&n) in {x - m : x in &n}") == Pair{2, 2});
  CHECK(ranges("fun f(n) = &n ++ &n") == Pair{2, 2});
}

TEST_CASE("no traversal becomes one with what reads a vector made of it, or with one of another pace") {
  const Streamable streams = [](const svcode::Program& s) { return analyse(s).has_value(); };
  for (const std::string program :
       {"{{{0}}, {{}}, {}}", "tab({[[0.0, 0.0, 1.0]], [[]], [[]]})",
        "tab(let v = [[[1.0]], [[0.0]]] in {v ! 1 : i in &2})",
        "if true then seq(tab(if false then {} else {[0, 2]})) else {[] | false}",
        "if true then [[], [0.0, 1.0]] else []", "[tab({[0, 0, 1], []}), [[]]]",
        "if false then [] else tab(concat({{[0, x] : x in &4} : n in &2})) ! 6",
        "[[[false, false, false]], [[false], [false, false, false]], [[false, false, true], [false]]]"}) {
    INFO(program);
    const Prepared p = prepare({"fun f() = " + program});
    const svcode::Program s = simplify(p.streams, streams);
    INFO(svcode::print(s));
    const auto slack = analyse(s);
    REQUIRE(slack);
    CHECK(chunked(s, p, {1, *slack}) == meaning(p));
  }
}

TEST_CASE("the thesis's example of constants becomes two constants and a descriptor") {
  const Prepared p = prepare({"fun f() = {3 + 4 : _ in &100}"});
  const svcode::Program s = simplify(p.streams);
  CHECK(svcode::print(s) ==
        "svcode f () : {Int}\ns0 : Unit := ctrl\ns1 : Int := constant 100 1\ns2 : Int := range s1\n"
        "s3 : Bool := terminated s2\ns4 : Int := constant 7 100\nresult (s4, s3)\n");
}

TEST_CASE("two traversals of a vector are not made one where the first ends before the second begins") {
  // The condition of §4.3.1, that only instructions without stream arguments are kept apart, is not enough.
  const Prepared p = prepare({"fun f(v) = let m = sum(seq(v)) in {x - m : x in seq(v)}", {"[1, 2, 3]"}});
  const svcode::Program s = apply(common_subexpressions(), p.streams);
  CHECK(count(s, svcode::Opcode::Range) == count(p.streams, svcode::Opcode::Range));
  CHECK(chunked(s, p, smallest(s)) == meaning(p));
  svcode::Program merged = s;
  std::optional<svcode::StreamId> first;
  for (svcode::Instr& i : merged.instructions) {
    for (svcode::StreamId& a : i.arguments)
      if (first && merged.instructions[a].opcode == svcode::Opcode::Range) a = *first;
    if (i.opcode == svcode::Opcode::Range && !first) first = i.id;
  }
  merged = apply(dead_code(), apply(common_subexpressions(), merged));
  CHECK(eager(merged, p) == meaning(p));
  const svcode::ChunkOptions one{1, {}};
  CHECK(chunked(merged, p, one).shown.starts_with("deadlock"));
}

TEST_CASE("a normal descriptor saves the gather, only of vectors in order and where the program stays streamable") {
  const auto gathers = [](const Case& c) {
    const Prepared p = prepare(c);
    const Stage s = normal_descriptors(runs_on(p));
    return Pair{count(p.streams, svcode::Opcode::Gather), count(apply(s, p.streams), svcode::Opcode::Gather)};
  };
  CHECK(gathers({"fun f(s) = seq(tab(s))", {"{1, 2}"}}) == Pair{1, 0});
  CHECK(gathers({"fun f(s) = {seq(tab(t)) : t in s}", {"{{1}, {2, 3}}"}}) == Pair{1, 0});
  CHECK(gathers({"fun f(s) = {seq(tab({(x, x) : x in t})) : t in s}", {"{{1}, {2, 3}}"}}) == Pair{2, 0});
  CHECK(gathers({"fun f(v) = sum(seq(v))", {"[1, 2]"}}) == Pair{1, 0});
  CHECK(gathers({"fun f(s) = {seq(v) : v in {tab(t) : t in s}}", {"{{1}, {2, 3}}"}}) == Pair{1, 0});
  CHECK(gathers({"fun f(s) = {seq(v) : v in {v : v in {tab(t) : t in s} | #v > 1}}", {"{{1}, {2, 3}}"}}).second > 0);
  CHECK(gathers({"fun f(s) = let v = tab(s) in {seq(v) : i in &2}", {"{1, 2}"}}) == Pair{1, 1});
  CHECK(
      gathers({"fun f(s) = let v = tab(s); m = sum(seq(v)) in {x - m : x in seq(v)}",
               {"{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26}"}}) ==
      Pair{2, 1});
  const Prepared p = prepare({"fun f(s) = seq(tab(s))", {"{1, 2}"}});
  CHECK(svcode::print(apply(normal_descriptors({}), p.streams)) ==
        svcode::print(p.streams));  // nobody says that it may
}

TEST_CASE("dead code is what nothing needs, never a check, a file, or an operator that can trap") {
  const auto size = [](const Case& c) { return apply(dead_code(), prepare(c).streams).instructions.size(); };
  CHECK(size({"fun f(n) = let unused = n + 1 in n", {"3"}}) == 2);   // ctrl and the input
  CHECK(size({"fun f(n) = let unused = 10 / n in n", {"3"}}) == 4);  // and the constant, and the division
  CHECK(size({"fun f(n) = let unused = 10.0 / real(n) in n", {"3"}}) == 2);
  CHECK(count(apply(dead_code(), prepare({"fun f(n) = let unused = &n in n", {"3"}}).streams), svcode::Opcode::Check) ==
        1);
  CHECK(count(apply(dead_code(), prepare({"fun f(n) = let u = read_file(\"a\") in n", {"3"}}).streams),
              svcode::Opcode::ReadWhole) == 1);
}

}  // namespace simplify_test
