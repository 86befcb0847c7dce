// Streamability (SNESL §2.3.3): what must stream, what must not, and that the slack found is enough and needed.
#include <algorithm>
#include <chrono>

#include "snesl_streams.h"
#include "translate/streaming/simplify.h"
#include "translate/streaming/streamable.h"

using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;

namespace {

using Order = svcode::ChunkOptions::Order;
using Slack = std::vector<std::int64_t>;

const Contents files = {{"a", "one two\nthree\tx yy\n"}, {"b", ""}, {"c", " \n\nab  c"}};

const std::string text_programs = R"(
fun ws(c) = c == ' ' || c >= '\t' && c <= '\r'
fun pc(c) = c <= '~' && c > ' '
fun pw(w) = reduce-or({pc(c) : c in w})
fun wc(file) = let cs = read_file(file) in sum({int(pw(w)) : w in sep({(c, ws(c)) : c in cs})})
fun lines(cs) = sep({(c, c == '\n') : c in cs})
fun round_to_8(n) = (n | 7) + 1
fun line_len(l) =
  let ws = sep({(c, c == '\t') : c in l})
  in sum({let n = #w - 1 in (is_last ? n : round_to_8(n)) : w in ws; is_last in tail_flags(ws)})
fun max_ll(file) = let cs = read_file(file) in maximum({line_len(l) : l in lines(cs)} ++ {0})
fun rev_line(w) =
  let v = tab(w); ends = int(v ! (#v - 1) == '\n'); n = #v - ends
  in {v ! (i < n ? n - 1 - i : i) : i in &(#v)}
fun rev(file_in, file_out) =
  let cs = read_file(file_in); res = {rev_line(l) : l in lines(cs)} in write_file(file_out, concat(res))
fun row(l) = tab({tab(f) : f in sep({(x, x == ' ') : x in l})})
fun index_field(r, ix) = let n = #r; i = (n == 1 ? 0 : ix) in if i < n then r ! i else [' ']
fun cut(file_in, file_out, ix) =
  let cs = read_file(file_in);
      res = {let f = index_field(row(l), ix) in {(c == ' ' ? '\n' : c) : c in seq(f)} : l in lines(cs)}
  in write_file(file_out, concat(res))
fun grep(file, pat) =
  sum({let v = tab(l); k = #v - #pat + 1
       in int(reduce-or({reduce-and({v ! (i + j) == pat ! j : j in &(#pat)}) : i in &(k > 0 ? k : 0)}))
       : l in lines(read_file(file))})
fun digits(f) = sum({(c >= '0' && c <= '9' ? c - '0' : 0) : c in f})
fun csv(file) = sum({let v = tab({digits(f) : f in sep({(c, c == ',') : c in l})}) in (#v > 1 ? v ! 1 : 0)
                     : l in lines(read_file(file))})
)";
Case text(const std::string& call, std::vector<std::string> arguments) {
  return {text_programs + "fun main" + call, std::move(arguments)};
}

// Programs of the thesis (§2.3.3, §2.4, §4.5, mended) and of the contract.
const std::vector<Case> accepted = {
    {"fun logsum(n) = sum({log(real(i+1)) : i in &n})\nfun f(m) = sum({logsum(10 * (n + 1) / m) : n in &m})", {"6"}},
    {"fun f(n) = let s = {log(real(x + 1)) : x in &n}; m = sum(s) in sum({x * x : x in s}) + real(#s) * m", {"7"}},
    {"fun f(n) = let v = tab({x * x : x in &n}); m = sum(seq(v)) in sum({x * x + m : x in seq(v)})", {"7"}},
    {"fun number(s) = zip(s, scan-plus({1 : _ in s}))\nfun f(n) = number({x * x : x in &n})", {"6"}},
    {"fun sum3(s) = let (x, y, z) = unzip(s) in (sum(x), sum(y), sum(z))\n"
     "fun f(a, b) = let (x, y, z) = a; (p, q, r) = b; d = (x-p)*(x-p) + (y-q)*(y-q) + (z-r)*(z-r) + 0.01\n"
     "              in ((x-p)/d, (y-q)/d, (z-r)/d)\n"
     "fun g(x, v) = sum3({f(x, y) : y in seq(v)})\n"
     "fun nbody(v) = {g(x, v) : x in seq(v)}",
     {"[(1.0,2.0,3.0),(0.0,1.0,0.0),(2.0,2.0,2.0)]"}},
    text("(a) = wc(a)", {"\"a\""}),
    text("(a) = max_ll(a)", {"\"a\""}),
    text("(a, b) = rev(a, b)", {"\"a\"", "\"out\""}),
    text("(a, b, i) = cut(a, b, i)", {"\"c\"", "\"out\"", "1"}),
    text("(a, p) = grep(a, p)", {"\"a\"", "\"thr\""}),
    text("(a) = csv(a)", {"\"a\""}),
    {"fun f(a, b) = {{sum({x * (b ! k) ! j : x in seq(r); k in &(#b)}) : j in &(#(b ! 0))} : r in seq(a)}",
     {"[[1,2,3],[4,5,6]]", "[[7,8],[1,2],[0,1]]"}},
    {"fun q0(v) = v\n"
     "fun q1(v) = if #v < 2 then v else let p = v ! (#v / 2); l = tab({x : x in seq(v) | x < p}); g = tab({x : x in "
     "seq(v) | x > p}) in tab(seq(q0(l)) ++ {x : x in seq(v) | x == p} ++ seq(q0(g)))\n"
     "fun q2(v) = if #v < 2 then v else let p = v ! (#v / 2); l = tab({x : x in seq(v) | x < p}); g = tab({x : x in "
     "seq(v) | x > p}) in tab(seq(q1(l)) ++ {x : x in seq(v) | x == p} ++ seq(q1(g)))",
     {"[3,1,2,5,4,4,0]"}},
    {"fun f(n) = let small = tab({i + 2 : i in &(int(floor(sqrt(real(n)))))})\n"
     "           in {i : i in &n | i > 1 && !reduce-or({i > d && i % d == 0 : d in seq(small)})}",
     {"30"}},
    {"fun f(n) = scan-max({(x * 7) % 5 : x in &n})", {"9"}},
    {"fun f(v, k) = {sum({int(x % k == b) : x in seq(v)}) : b in &k}", {"[1,5,2,3,8]", "3"}},
    // ++, several reductions, what is known before
    {"fun f(s) = (s ++ {sum(s)}, scan-plus(s) ++ {sum(s)}, sum(s) / (#s + 1), maximum({x * 2 : x in s}))", {"{1,4,2}"}},
    {"fun f(n) = let s = &n; m = sum(s) in {x - m : x in &n}", {"9"}},
    {"fun f(n) = let s = &n; t = &(sum(s)) in s ++ t", {"4"}},
    {"fun f(n) = {let t = &k in {x * n : x in t} ++ {sum(t)} : k in &n}", {"6"}},
    // one traversal out of several
    {"fun f(n) = zip(&n, &n)", {"9"}},
    {"fun f(n) = let s = &n in zip(s ++ {1}, {x * 2 : x in s} ++ {2})", {"5"}},
    {"fun f(n) = let s = &n in zip({x * 2 : x in s | x % 3 > 0}, {x + 1 : x in s | x % 3 > 0})", {"9"}},
    {"fun f(n) = zip({x : x in &n | x < 3}, {x : x in &n | x >= n - 3})", {"9"}},
    {"fun f(n) = {x + y : x in concat({&k : k in &n}); y in &(n * (n - 1) / 2)}", {"5"}},
    {"fun f(n) = let q = {&n, &2} in {{x + i : x in t} : t in q; i in {10, 20}}", {"4"}},
    // conditionals
    {"fun f(n) = let s = &n in zip(s, if n > 3 then {x * 2 : x in s} else {x + 1 : x in s})", {"5"}},
    {"fun f(n) = let s = &n in (if n > 9 then s else s ++ {sum(s)}) ++ {#s}", {"5"}},
    {"fun f(n) = let s = &n in if n > 3 then (if n > 5 then s else {x * 2 : x in s}) else {x - 1 : x in s}", {"5"}},
    {"fun f(n) = let s = &n in zip(s, {if x > 2 then x * 2 else x / 3 : x in s})", {"6"}},
    {"fun f(n) = let s = {&k : k in &n} in zip(s, if n > 2 then {sum(t) : t in s} else {#t : t in s})", {"5"}},
    {"fun f(n) = {let s = {x : x in &k | x % 3 == 1} in if empty(s) then -1 else maximum(s) : k in &n}", {"9"}},
    {"fun f(n) = let s = &n in if n > 2 then let v = tab(s); m = sum(seq(v)) in {x - m : x in seq(v)} else s", {"5"}},
    {"fun f(n) = let s = {x : x in &n | x == 2} in the(s) + sum(s)", {"5"}},
    // lookahead and pieces
    {"fun f(n) = let s = &n in {(x, l, m) : x in s; l in tail_flags(s); m in tail_flags({x : x in s})}", {"5"}},
    {"fun f(n) = let s = {x : x in &n; l in tail_flags(&n) | !l} in zip(s, tail_flags(s))", {"8"}},
    {"fun f(n) = let s = &n in {{(i, l) : i in &k} : k in s; l in tail_flags(s)}", {"5"}},
    {"fun f(s) = {{(y, l) : y in t} : t in s; l in tail_flags(s)}", {"{{1,2},{},{3}}"}},
    {"fun f(n) = let ws = sep({(x, x % 4 == 3) : x in &n}) in {{c + k : c in w} : w in ws; k in scan-plus({1 : _ in ws})}",
     {"19"}},
    {"fun f(n) = let ws = sep({(x, x % 4 == 3) : x in &n}) in concat({{c + 1 : c in w} ++ {0} : w in ws} ++ {{n}})", {"9"}},
    {"fun f(n) = flagpart(&n, concat({{false, true} : x in &n}))", {"4"}},
    // vectors
    {"fun f(n) = {{sum(seq(v)) + x : x in seq(v)} : v in {tab(&k) : k in &n}}", {"5"}},
    {"fun f(n) = let vs = tab({tab(&k) : k in &n}) in {sum(seq(v)) : v in seq(vs) | #v > 2}", {"5"}},
    {"fun f(x) = {write_file(name, read_file(name) ++ {'!'}) : name in seq(x)}", {"[\"a\", \"b\", \"c\"]"}},
};

// What must be refused, with the two traversals as the message names them, and mended.
struct Refusal {
  Case program;
  std::string late, other;
  std::string mended;
};
const std::vector<Refusal> refused = {
    {{"fun f(n) = let s = &n; m = sum(s) in {x - m : x in s}", {"30"}},
     "`sum(s)` (1:28)", "`{x - m : x in s}` (1:38)",
     "fun f(n) = let v = tab(&n); m = sum(seq(v)) in {x - m : x in seq(v)}"},
    {{"fun f(n) = let s = &n in s ++ scan-plus(s)", {"30"}},
     "`&n` (1:20)", "`scan-plus(s)` (1:31)",
     "fun f(n) = let v = tab(&n) in seq(v) ++ scan-plus(seq(v))"},
    {{"fun f(n) = let s = &n in zip({x : x in s | x < n / 2}, {x : x in s | x >= n / 2})", {"30"}},
     "`{x : x in s | x < n / 2}` (1:30)", "`{x : x in s | x >= n / 2}` (1:56)",
     "fun f(n) = let v = tab(&n) in zip({x : x in seq(v) | x < n / 2}, {x : x in seq(v) | x >= n / 2})"},
    {{"fun f(n) = let s = &n in {sum(s)} ++ s", {"30"}},
     "`sum(s)` (1:27)", "`&n` (1:20)",
     "fun f(n) = let v = tab(&n) in {sum(seq(v))} ++ seq(v)"},
    {{"fun f(n) = let s = &n; v = tab(s) in {x * #v : x in s}", {"30"}},
     "`tab(s)` (1:28)", "`{x * #v : x in s}` (1:38)",
     "fun f(n) = let s = &n; v = tab(s) in {x * #v : x in seq(v)}"},
    {{"fun f(n) = let s = &n; m = sum(s) in zip(s, {x - m : x in &n})", {"30"}},
     "`sum(s)` (1:28)", "`{x - m : x in &n}` (1:45)",
     "fun f(n) = let s = &n; v = tab(s); m = sum(s) in zip(seq(v), {x - m : x in &n})"},
    {{"fun f(n) = let s = &n in zip(s, {x : x in s | x > 12} ++ &13)", {"30"}},
     "`&n` (1:20)", "`{x : x in s | x > 12} ++ &13` (1:33)",
     "fun f(n) = let v = tab(&n) in zip(seq(v), {x : x in seq(v) | x > 12} ++ &13)"},
    {{"fun f(n) = let s = &n in if #s == 0 then 0 else maximum(s)", {"30"}},
     "`#s` (1:29)", "`maximum(s)` (1:49)",
     "fun f(n) = let v = tab(&n) in if #v == 0 then 0 else maximum(seq(v))"},
    {{"fun f(n) = {let t = &k; m = sum(t) in {x * m : x in t} : k in {n, n}}", {"30"}},
     "`sum(t)` (1:29)", "`{x * m : x in t}` (1:39)",
     "fun f(n) = {let v = tab(&k); m = sum(seq(v)) in {x * m : x in seq(v)} : k in {n, n}}"},
    {{"fun f(n) = let ws = sep({(x, x % 20 == 19) : x in &n}) in {{c + k : c in w} : w in ws; k in {#w : w in ws}}", {"60"}},
     "`#w` (1:94)", "`{c + k : c in w}` (1:60)",
     "fun f(n) = {let v = tab(w) in {c + #v : c in seq(v)} : w in sep({(x, x % 20 == 19) : x in &n})}"},
    {{"fun f(n) = let ws = sep({(x, x % 20 == 19) : x in &n}) in {{(c, l) : c in w} : w in ws; l in tail_flags(ws)}", {"60"}},
     "`tail_flags(ws)` (1:94)", "`{(c, l) : c in w}` (1:60)",
     "fun f(n) = let ws = sep({(x, x % 20 == 19) : x in &n}) in {{(c, l) : c in seq(v)} : v in {tab(w) : w in ws}; l in "
     "tail_flags(ws)}"},
};

Outcome run(const Prepared& p, const svcode::Program& s, const Slack& slack, std::int64_t chunk, Order order = Order::Loop) {
  return chunked(s, p, {chunk, slack, order, 23}, files);
}
bool stuck(const Outcome& o) { return o.shown.starts_with("deadlock"); }
bool streams(const svcode::Program& p) { return analyse(p).has_value(); }

void runs_with_its_slack(const Prepared& p, const svcode::Program& s) {
  INFO(svcode::print(s));
  const Slack slack = got(analyse(s));
  const Outcome expected = meaning(p, files);
  for (const std::int64_t chunk : {1, 2, 7})
    for (const Order order : {Order::Loop, Order::Reverse, Order::Random}) CHECK(run(p, s, slack, chunk, order) == expected);
}

svcode::Program parsed(const std::string& text) { return got(svcode::parse(source(text))); }

}  // namespace

TEST_CASE("the programs of the thesis and of the contract stream, with chunks of one and no more slack than was found") {
  for (const Case& c : accepted) {
    DYNAMIC_SECTION(c.program.substr(c.program.rfind("fun "))) {
      const Prepared p = prepare(c);
      runs_with_its_slack(p, p.streams);
    }
  }
}

TEST_CASE("what streams does so after it is simplified") {
  for (const Case& c : accepted) {
    DYNAMIC_SECTION(c.program.substr(c.program.rfind("fun "))) {
      const Prepared p = prepare(c);
      runs_with_its_slack(p, simplify(p.streams, streams));
    }
  }
}

TEST_CASE("a refusal names the two traversals and mends them; what is refused does not run in constant space") {
  for (const Refusal& r : refused) {
    DYNAMIC_SECTION(r.program.program) {
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
s10 : Unit := check s9 "zip of sequences of unequal lengths"
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
                            : "; " + t + " = (if n > " + std::to_string(k) + " then {" + x + " : " + x + " in " + s + "} else " + s + ")";
  }
  const Prepared p = prepare({program + " in sum(s330)", {"3"}});
  REQUIRE(p.streams.instructions.size() > 4000);
  const auto start = std::chrono::steady_clock::now();
  CHECK(streams(p.streams));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  CHECK(taken.count() < 0.5);
}
