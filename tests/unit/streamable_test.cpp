// Streamability (SNESL §2.3.3): what must stream, what must not, and that the slack found is enough and needed.
#include <algorithm>
#include <chrono>

#include "streamable_programs.h"
#include "translate/simplify/simplify.h"
#include "translate/streamability/streamable.h"

namespace streamable_test {
using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;
using streaming::test::Outcome;

namespace {

using Order = svcode::ChunkOptions::Order;
using Slack = std::vector<std::int64_t>;

Outcome run(const Prepared& p, const svcode::Program& s, const Slack& slack, std::int64_t chunk,
            Order order = Order::Loop) {
  return chunked(s, p, {chunk, slack, order, 23}, files);
}
bool stuck(const Outcome& o) { return o.shown.starts_with("deadlock"); }
bool streams(const svcode::Program& p) { return analyse(p).has_value(); }

void runs_with_its_slack(const Prepared& p, const svcode::Program& s) {
  INFO(svcode::print(s));
  const Slack slack = got(analyse(s));
  const Outcome expected = meaning(p, files);
  for (const std::int64_t chunk : {1, 2, 7})
    for (const Order order : {Order::Loop, Order::Reverse, Order::Random})
      CHECK(run(p, s, slack, chunk, order) == expected);
}

svcode::Program parsed(const std::string& text) { return got(svcode::parse(source(text))); }

}  // namespace

TEST_CASE(
    "the programs of the thesis and of the contract stream, with chunks of one and no more slack than was found") {
  for (const Case& c : accepted) {
    DYNAMIC_SECTION(shown(c)) {
      const Prepared p = prepare(c);
      runs_with_its_slack(p, p.streams);
    }
  }
}

TEST_CASE("what streams does so after it is simplified") {
  for (const Case& c : accepted) {
    DYNAMIC_SECTION(shown(c)) {
      const Prepared p = prepare(c);
      runs_with_its_slack(p, simplify(p.streams, streams));
    }
  }
}

TEST_CASE("users-snesl B: what is refused still, though it has a meaning that buffers of a few elements give") {
  for (const Case& c : still_refused) {
    DYNAMIC_SECTION(shown(c)) {
      const Prepared p = prepare(c);
      CHECK_FALSE(analyse(p.streams));
      CHECK(run(p, p.streams, Slack(p.streams.instructions.size(), 100), 1) == meaning(p, files));
    }
  }
}

TEST_CASE("a refusal names the two traversals and mends them; what is refused does not run in constant space") {
  for (const Refusal& r : refused) {
    DYNAMIC_SECTION(shown(r.program)) {
      const Prepared p = prepare(r.program);
      const auto verdict = analyse(p.streams);
      REQUIRE_FALSE(verdict);
      REQUIRE(verdict.error().size() == 1);
      const Diagnostic& d = verdict.error().front();
      CHECK(d.message.find(r.late + " and " + r.other) != std::string::npos);
      CHECK(d.mend.find("tab") != std::string::npos);
      CHECK(d.mend.find("seq") != std::string::npos);
      CHECK(d.region.source != nullptr);
      INFO(render(d));
      svcode::Program generated = p.streams;  // has no text
      for (svcode::Instr& i : generated.instructions) i.region = {};
      CHECK_FALSE(analyse(generated));
      const auto everywhere = [&](std::int64_t slack) { return Slack(p.streams.instructions.size(), slack); };
      CHECK(stuck(run(p, p.streams, everywhere(5), 1)));
      CHECK(run(p, p.streams, everywhere(100), 1) == meaning(p, files));
      const Prepared mended = prepare({r.mended, r.program.arguments});
      runs_with_its_slack(mended, mended.streams);
    }
  }
}

TEST_CASE("the slack is needed: some program deadlocks with one element less") {
  const Prepared p = prepare(text("(a) = wc(a)", {"\"a\""}));
  const Slack slack = got(analyse(p.streams));
  int needed = 0;
  for (std::size_t k = 0; k < slack.size(); ++k) {
    if (slack[k] == 0) continue;
    CHECK(slack[k] == 1);
    Slack less = slack;
    --less[k];
    needed += stuck(run(p, p.streams, less, 1));
  }
  CHECK(needed > 0);
  CHECK_FALSE(stuck(run(p, p.streams, slack, 1)));
}

TEST_CASE("what is too long traps, and does not deadlock, with chunks of one") {
  for (const std::string program :
       {"fun f(n) = {the(&(60 + k)) + k : k in &n}",
        "fun f(n) = {{y + k : y in the(sep({(x, x == k) : x in &n}))} : k in &n}", "fun f(n) = the(&n) + n",
        "fun f(n) = {zip(&n, &(n + k)) : k in &n}", "fun f(n) = flagpart(&n, {false, true} ++ {x < 0 : x in &n})",
        "fun f(n) = {let v = tab(&k) in v ! (40 - k) : k in &n}", "fun f(n) = {maximum(&(n - k - 1)) : k in &n}"}) {
    INFO(program);
    const Prepared p = prepare({program, {"50"}});
    CHECK(meaning(p).shown.starts_with("trap"));
    runs_with_its_slack(p, p.streams);
  }
}

TEST_CASE("what no element is picked from ends with the whole, and does not meet it flag by flag") {
  for (const std::string program : {"fun f(n) = let s = &n in zip(s, {x : x in s | false})",
                                    "fun f(n) = let s = &n in if reduce-and({false : x in s | false}) then s else {}",
                                    "fun f(n) = let s = &n in {s | empty({0 : _ in s | false})}",
                                    "fun f(n) = let s = &n in flagpart(s, {false : x in s | false})",
                                    "fun f(n) = let s = &n; t = &5 in zip(s ++ t, s ++ {x : x in t | false})"}) {
    INFO(program);
    const Prepared p = prepare({program, {"3"}});
    const auto verdict = analyse(p.streams);
    REQUIRE_FALSE(verdict);
    CHECK(stuck(run(p, p.streams, Slack(p.streams.instructions.size(), 0), 1)));
  }
  for (const std::string program :
       {"fun f(n) = let s = &n in zip({x : x in s | false}, {x : x in s | false})",
        "fun f(n) = zip({x : x in &n | false}, {x : x in &(n - 3) | false})",
        "fun f(n) = zip(&n, {x : x in &4 | false})", "fun f(n) = zip(&(n - 3), {x : x in &4 | false})"}) {
    INFO(program);
    const Prepared p = prepare({program, {"3"}});
    runs_with_its_slack(p, p.streams);
    runs_with_its_slack(p, simplify(p.streams, streams));
  }
}

TEST_CASE("a sequence of one sequence goes through it in its element, whatever is appended before") {
  for (const std::string program :
       {"fun f(n) = let s = &n in {s} ++ {{} : x in s}", "fun f(n) = let s = &n in {} ++ {s} ++ {{} : x in s}",
        "fun f(n) = let s = &n in {{{s}}} ++ {{{s}}}",
        "fun f(n) = let s = &n in if reduce-and({sum(w) > 9 : w in {s | n > 2}}) then s else {}",
        "fun f(n) = let s = &n in {sum(w) : w in {w : w in {s | n > 2} | true}} ++ s",
        "fun f(n) = let s = &n in {} ++ {s | n > 0} ++ {{} : x in s}",
        "fun f(n) = let s = &n in {} ++ ({{}} ++ {s}) ++ {{x} : x in s}"}) {
    INFO(program);
    const Prepared p = prepare({program, {"3"}});
    CHECK_FALSE(streams(p.streams));
    CHECK(stuck(run(p, p.streams, Slack(p.streams.instructions.size(), 1), 1)));
  }
  const Prepared p = prepare({"fun f(n) = let s = &n in {} ++ {s} ++ {{} : x in &n}", {"3"}});
  runs_with_its_slack(p, p.streams);
}

// The campaign's program 147 at seed 7.
TEST_CASE("a sequence that a branch gives, and again after it, is gone through twice") {
  for (const std::string program : {"fun f(n) = let s = &n in (if n > 90 then {} else {s}) ++ {s | true}",
                                    "fun f(n) = let s = &n in (if false then {} else {s}) ++ {s | true}"}) {
    INFO(program);
    const Prepared p = prepare({program, {"9"}});
    CHECK_FALSE(streams(p.streams));
    CHECK(stuck(run(p, p.streams, Slack(p.streams.instructions.size(), 1), 1)));
  }
}

// The campaign's program 51 at seed 1.
TEST_CASE("a sequence that stands twice in the only element of another is gone through twice") {
  for (const std::string program :
       {"fun f(n) = let s = &n in {{y} ++ {y} : y in {s}}", "fun f(n) = let s = &n in {{y} ++ {y} : y in {{s}}}",
        "fun f(n) = let s = &n in {{y.1} ++ {y.1} : y in {(s, n)}}"}) {
    INFO(program);
    const Prepared p = prepare({program, {"9"}});
    CHECK_FALSE(streams(p.streams));
    CHECK(stuck(run(p, p.streams, Slack(p.streams.instructions.size(), 1), 1)));
  }
  CHECK(streams(prepare({"fun f(n) = let s = &n in {{y} : y in {s}}", {"9"}}).streams));
  CHECK(streams(prepare({"fun f(n) = let s = &n in {{sum(y)} ++ {sum(y)} : y in {s}}", {"9"}}).streams));
}

// The campaign's programs 14019, 23025 and 37095 at seed 20261202.
TEST_CASE("what is in the only element of a sequence is gone through in it, under a guard, too") {
  for (const std::string program :
       {"fun f(n) = let s = &n in {{s} | n > 0} ++ {{s}}", "fun f(n) = let s = &n in {{{s}} | n > 0} ++ {{{s}}}",
        "fun f(n) = let s = &n in {{#s > 0 | true}} ++ {{false} : x in s}",
        "fun f(n) = let s = &n in sep(if n > 0 then {(#s, false) | true} else {}) ++ {{0 | true} : x in s}",
        // 61293 at seed 20261204: what a condition lets through, three deep.
        "fun f(n) = let s = &n in (if n < 0 then {} else {{s}}) ++ {{&0} : x in s}",
        // 49798 at seed 20261205: what it lets through waits for the end.
        "fun f(n) = let s = &n in (if n > 2 then {{#s | n > 2}} else {{9}}) ++ {{0} : x in s}"}) {
    INFO(program);
    const Prepared p = prepare({program, {"9"}});
    CHECK_FALSE(streams(p.streams));
    CHECK(stuck(run(p, p.streams, Slack(p.streams.instructions.size(), 1), 1)));
  }
  CHECK(streams(prepare({"fun f(n) = let s = &n in {{s} | n > 0} ++ {{&n}}", {"9"}}).streams));
  CHECK(streams(prepare({"fun f(n) = let s = &n in {{#s > 0 | true}} ++ {{false} : x in &n}", {"9"}}).streams));
}

// The campaign's program 64428 at seed 20261205: who knows that a piece ends is one element behind, and so are its
// segments.
TEST_CASE("the segments of pieces are as late as what cuts them") {
  const Prepared p = prepare({"fun f(n) = {} ++ sep({({x}, x % 2 == 0) : x in &n})", {"9"}});
  const Slack slack = got(analyse(p.streams));
  CHECK_FALSE(stuck(run(p, p.streams, slack, 1)));
  CHECK(stuck(run(p, p.streams, Slack(p.streams.instructions.size(), 0), 1)));
}

// The campaign's program 85848 at seed 20261205: what a piece of one element gives is as late as the piece's end, also
// where the piece is concatenated with another sequence.
TEST_CASE("what is given by pieces that are concatenated is as late as they are") {
  const Prepared p =
      prepare({"fun f(x) = tab({minimum(s ++ {}) : s in sep(let g = {false | x < 1} in "
               "zip({0 : _ in g}, tail_flags(g)))})",
               {"0"}});
  const svcode::Program optimised = simplify(p.streams, streams);
  CHECK_FALSE(stuck(run(p, optimised, got(analyse(optimised)), 1)));
  CHECK(stuck(run(p, optimised, Slack(optimised.instructions.size(), 0), 1)));
}

// The campaign's program 64728 at seed 8861123: what a condition picks is gone through in elements and in the program's
// one element, which makes a vector of as many; a range of that vector's length says nothing of the elements.
TEST_CASE("of two traversals of one sequence that which is around both says which lengths are equal") {
  for (const std::string program : {"fun f(b) = [tab({[x] : x in &2 | b}), if 1 > 0 then [] else [[0]]]",
                                    "fun f(b) = [tab({[x] : x in &3 | b}), if 1 > 0 then [] else [[0]]]",
                                    "fun f(b) = [tab({[x] : x in {7, 8} | b}), if 1 > 0 then [] else [[0]]]"}) {
    INFO(program);
    const Prepared p = prepare({program, {"true"}});
    runs_with_its_slack(p, simplify(p.streams, streams));
  }
}

TEST_CASE("a constant condition's branches are the one that is there") {
  for (const std::string program :
       {"fun f(n) = [if true then n else 1, 0] ! 0", "fun f(n) = seq(if true then [n] else [0])",
        "fun f(n) = min(n, if !true then 6 * 5 else if false then 0 else 2)",
        "fun f(n) = let s = &n in zip(s, if false then &4 else {x + 1 : x in s})",
        "fun f(n) = let s = &n in if true then s else {sum(s)}",
        "fun f(n) = {if x > n then (if true then x else 1) else (if false then x else 2) : x in &5}"}) {
    INFO(program);
    const Prepared p = prepare({program, {"3"}});
    runs_with_its_slack(p, p.streams);
    runs_with_its_slack(p, simplify(p.streams, streams));
  }
  for (const std::string program : {"fun f(n) = let s = &n in zip(s, if true then {sum(s)} else s)",
                                    "fun f(n) = let s = &n; m = sum(s) in if true then {x - m : x in s} else s"}) {
    INFO(program);
    CHECK_FALSE(streams(prepare({program, {"3"}}).streams));
  }
}

TEST_CASE("what constants pick from a concatenation is its first part, and not what ends pieces of that") {
  for (const std::string program :
       {"fun f(n) = let s = {x : x in &n | x > 2} in flagpart(s, {false : _ in s} ++ {true})",
        "fun f(n) = {let s = &k in flagpart(s, {false : _ in s} ++ {true}) : k in &n}",
        "fun f(n) = let s = {n | n > 9} in flagpart(s, {false : _ in s} ++ {true})",
        "fun f(n) = let s = &n; w = flagpart(s, {false : _ in s} ++ {true}) in zip(s, concat({{x + 1 : x in p} : p in "
        "w}))",
        "fun f(n) = let ws = {&k : k in &n} in flagpart(concat(ws), concat({{false : _ in w} ++ {true} : w in ws}))"}) {
    INFO(program);
    const Prepared p = prepare({program, {"5"}});
    runs_with_its_slack(p, p.streams);
    runs_with_its_slack(p, simplify(p.streams, streams));
  }
  for (const std::string program :
       {"fun f(n) = let s = &n; m = sum(s); w = flagpart(s, {false : _ in s} ++ {true}) in {{x - m : x in p} : p in w}",
        "fun f(n) = let s = &n; t = {sum(s)}; w = flagpart(s, {false : _ in s} ++ {true : _ in t}) in {{x - m : x in "
        "p} "
        ": p in w; m in t}",
        "fun f(n) = let s = &n; t = {sum(s)}; e = {false : _ in s} ++ {true : _ in t}; z = zip({x : x in e | x}, t) in "
        "({{x - m : x in p} : p in flagpart(s, e); m in t}, z)",
        // What is picked where a piece ends, before the pieces are cut.
        "fun f(n) = let s = &n; e = {x == n - 1 : x in s}; t = {x : x in s; b in e | b}; "
        "w = {x : x in s; b in e | !b} in {{x + y : x in p} : p in flagpart(w, e); y in t}"}) {
    INFO(program);
    const Prepared p = prepare({program, {"5"}});
    CHECK_FALSE(streams(p.streams));
    CHECK(stuck(run(p, p.streams, Slack(p.streams.instructions.size(), 1), 1)));
  }
}

TEST_CASE("the only element of one sequence meets that of another, and what is inside it is a traversal of its own") {
  for (const std::string program : {"fun f(n) = the({the({n})})", "fun f(n) = seq(the({[n]}))",
                                    "fun f(n) = let v = tab(the({&n})) in zip(seq(v), {v ! i : i in &#v})",
                                    "fun f(n) = let s = &n; x = the({sum(s)}) in the({the({x})}) + n",
                                    "fun f(n) = tab({[v, n, v] : v in scan-max({0})})",
                                    "fun f(n) = let s = &n; v = the({[x, n] : x in s}) in zip(seq(v), &2)"}) {
    INFO(program);
    for (const std::string n : {"1", "4"}) {
      const Prepared p = prepare({program, {n}});
      runs_with_its_slack(p, p.streams);
      runs_with_its_slack(p, simplify(p.streams, streams));
    }
  }
  for (const std::string program : {"fun f(n) = let s = &n; x = the({the({sum(s)})}) in zip(s, {x : _ in s})",
                                    "fun f(n) = let s = the({&n}); v = tab(s) in zip(s, {v ! i : i in &#v})",
                                    "fun f(n) = let s = &n; t = {[v, v] : v in scan-max({sum(s)})} in concat({{x + 1 : "
                                    "x in seq(v)} : v in t}) ++ s",
                                    "fun f(n) = let s = &n; m = sum(s); v = the({[m, n, n]}) in zip(seq(v), s)"}) {
    INFO(program);
    CHECK_FALSE(streams(prepare({program, {"3"}}).streams));
  }
}

TEST_CASE("pieces of one element each end with it") {
  const std::string program = R"(svcode f (n : Int) : {{Int}}
s0 : Unit := ctrl
s1 : Int := input 0
s2 : Int := constant 7 1
s3 : Int := constant 2 1
s4 : Int := pmerge s2 s1
s5 : Int := pmerge s2 s1
s6 : Int := reduce_max s4
s7 : Bool := constant true 1
s8 : Bool := ends s7
s9 : Bool := to_flags s3
s10 : Bool := to_flags s3
s11 : Bool := umerge s8 s9
s12 : Int := segmerge s8 s6 s9 OPERAND
result ((s12, s11), s10)
)";
  const auto with = [&](const std::string& operand) {
    std::string t = program;
    return parsed(t.replace(t.find("OPERAND"), 7, operand));
  };
  MemoryFiles none;
  CHECK(streams(with("s5")));
  CHECK_FALSE(streams(with("s4")));
  const auto r = svcode::run_chunked(with("s4"), {{snesl::int_atom(3)}}, none, {});
  REQUIRE(r);
  CHECK(r->deadlock);
}

// Found by the campaign, program 2507 at seed 20261203.
TEST_CASE("of two concatenations of equal streams, each goes through its own") {
  const auto with = [&](const std::string& second, const std::string& elements) {
    return parsed(R"(svcode f (v : [Int]) : ({{Int}}, {{Int}})
s0 : Unit := ctrl
s1 : Int := input 0
s2 : Int := constant 2 1
s3 : Bool := terminated s1
s4 : Bool := terminated s1
s5 : Bool := umerge s3 s4
s6 : Int := segmerge s3 s1 s4 s1
s7 : Bool := to_flags s2
s8 : Bool := to_flags s2
s9 : Bool := umerge )" +
                  second + "\ns10 : Int := segmerge " + elements +
                  "\ns11 : Bool := to_flags s2\nresult (((s6, s5), s8), ((s10, s9), s11))\n");
  };
  CHECK_FALSE(streams(with("s3 s3", "s3 s1 s3 s1")));
  CHECK(streams(with("s3 s4", "s3 s1 s4 s1")));
}

TEST_CASE("lookahead of lookahead adds up") {
  const std::string twice =
      "fun f(n) = let s = &n; t = {x : x in s; l in tail_flags(s) | !l} in {x + int(l) : x in t; l in tail_flags(t)}";
  const Prepared p = prepare({twice, {"9"}});
  const Slack slack = got(analyse(p.streams));
  CHECK(*std::max_element(slack.begin(), slack.end()) == 1);  // one element of s, one of t
  CHECK(std::count(slack.begin(), slack.end(), 1) >= 2);
}

TEST_CASE("a condition's flag is not read by what its traversal has to end for") {
  const std::string shared = R"(svcode f (n : Int) : {Int}
s0 : Unit := ctrl
s1 : Int := input 0
s2 : Int := rep 1 s1
s3 : Bool := map_gt s1 s2
s4 : Bool := b2u s3
s5 : Int := pack s1 s3
s6 : Bool := to_flags s5
s7 : Int := iotas s6
s8 : Bool := map_not s3
s9 : Bool := b2u s8
s10 : Int := pack s1 s8
s11 : Bool := to_flags s10
s12 : Int := iotas s11
s13 : Bool := usegsum s4 s6
s14 : Bool := usegsum s9 s11
s15 : Int := segmerge s13 s7 s14 s12
s16 : Int := reduce_plus s15
s17 : Int := pack s16 s3
s18 : Int := segmerge SECOND s17 s14 s12
s19 : Bool := uappend SECOND s14
result (s18, s19)
)";
  const auto with = [&](const std::string& second) {
    std::string t = shared;
    for (std::size_t at; (at = t.find("SECOND")) != std::string::npos;) t.replace(at, 6, second);
    return parsed(t);
  };
  MemoryFiles none;
  const svcode::Program one = with("s4");
  CHECK_FALSE(streams(one));
  const auto r = svcode::run_chunked(one, {{snesl::int_atom(3)}}, none, {});
  REQUIRE(r);
  CHECK(r->deadlock);
}

TEST_CASE("a vector is read when it is there, also where its length is known before") {
  const std::string program = R"(svcode f (n : Int) : ({Int}, {Int})
s0 : Unit := ctrl
s1 : Int := input 0
s2 : Int := range s1
s3 : Bool := terminated s2
s4 : Int := segtab s2 s3
s5 : Int := range s1
s6 : Bool := terminated s5
s7 : Int := rep 0 s5
s8 : Int := so_gather s7 s5 s4
s9 : Bool := map_eq s3 s6
s10 : Unit := check s9 "zip" "of sequences of unequal lengths"
s11 : Int := map_add s2 s8
result ((s11, s3), (s8, s6))
)";
  CHECK_FALSE(streams(parsed(program)));
  std::string apart = program;
  apart.replace(apart.find("map_add s2 s8"), 13, "map_add s2 s2");
  apart.erase(apart.find("s9 :"), apart.find("s11 :") - apart.find("s9 :"));
  CHECK(streams(parsed(apart)));
}

TEST_CASE("a program of thousands of instructions is decided in well under a second") {
  std::string program = "fun f(n) = let s0 = &n";
  for (int k = 0; k < 330; ++k) {
    const std::string s = "s" + std::to_string(k), t = "s" + std::to_string(k + 1), x = "x" + std::to_string(k);
    program += k % 3 == 0   ? "; " + t + " = {" + x + " + 1 : " + x + " in " + s + " | " + x + " % 7 != 0}"
               : k % 3 == 1 ? "; " + t + " = " + s + " ++ {sum(" + s + ")}"
                            : "; " + t + " = (if n > " + std::to_string(k) + " then {" + x + " : " + x + " in " + s +
                                  "} else " + s + ")";
  }
  const Prepared p = prepare({program + " in sum(s330)", {"3"}});
  REQUIRE(p.streams.instructions.size() > 4000);
  const auto start = std::chrono::steady_clock::now();
  CHECK(streams(p.streams));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  CHECK(taken.count() < 0.5);
}

}  // namespace streamable_test
