// Translation to SVCODE (Fig. 4.2): what a translated program computes is what the big-step semantics says, for every
// built-in, unlifted and under one and two levels of iteration, at every chunk size.
#include "snesl_streams.h"

using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;

namespace {

// Every program at depth 0, and as the body of comprehensions over arguments: each is a function of one parameter n (an
// Int) and what it computes is asked for several n at once.
const std::vector<std::string> bodies = {
    // scalars and tuples
    "n * 3 - 7",
    "(n, n == 2, 'c', 1.5)",
    "(n > 1 ? n : -n)",
    "int(floor(sqrt(real(n)) * 10.0))",
    "()",
    "let (a, (b, c)) = (n, (n + 1, n + 2)) in a * b - c",
    // sequences
    "{n, n + 1, 7}",
    "{}++{n}",
    "&n",
    "#&n",
    "{x * x : x in &n}",
    "{(x, n) : x in &n}",
    "{x : x in &n | x % 2 == 1}",
    "{{y : y in &x | y != n - 1} : x in &n}",
    "empty(&n)",
    "{empty({y : y in &x | y > 1}) : x in &n}",
    "the({n})",
    "the({x : x in &n | x == n - 1} ++ {9 | n == 0})",
    "&n ++ {n} ++ &2",
    "{{n}, {}, &n}",
    "{&n, {}, &2} ++ {{n}}",
    "{{&n}, {{}, {n}}, {}}",
    "{{{x}} : x in &n} ++ {{{}}, {}}",
    "zip(&n, {x * 2 : x in &n})",
    "zip(&n, {real(x) : x in &n}, {x > 1 : x in &n})",
    "unzip({(x, x + 1) : x in &n})",
    "unzip({(x, (x, 'a'), {x}) : x in &n})",
    "flagpart(&n, {x % 3 == 2 or x == 2 * n - 1 : x in &0}) ++ {{n}}",
    "flagpart({x : x in &n}, concat({{false, true} : x in &n}))",
    "flagpart({}, {true : x in &n}) ++ {{1}}",
    "flagpart({x : x in &n}, {false : x in &n} ++ {true, true})",
    "sep({(x, x % 3 == 1) : x in &n})",
    "sep({(x, x % 2 == 1) : x in &n})",
    "{#w : w in sep({(x, x % 3 == 0) : x in &n})}",
    "concat({&x : x in &n})",
    "concat({{&x, {x}} : x in &n})",
    "tail_flags(&n)",
    "{tail_flags(&x) : x in &n}",
    "(sum(&n), product({x + 1 : x in &n}))",
    "(maximum(&n ++ {-1}), minimum({n} ++ &n))",
    "(reduce-or({x > 2 : x in &n}), reduce-and({x > 2 : x in &n}))",
    "sum({1.5 * real(x) : x in &n})",
    "scan-plus(&n)",
    "(scan-times({x + 1 : x in &n}), scan-max({x * (3 - x) : x in &n}))",
    "scan-min({0.5 - real(x) : x in &n})",
    "(scan-or({x == 1 : x in &n}), scan-and({x != 1 : x in &n}))",
    "{scan-plus(&x) : x in &n}",
    // vectors
    "tab(&n)",
    "tab({(x, tab(&x)) : x in &n})",
    "[n, n + 1]",
    "[[n], [], [1, 2]]",
    "[]++[n]",
    "\"text\"",
    "(\"\", \"a\", [\"bc\", \"\", \"def\"])",
    "#\"text\" + n",
    "seq(tab(&n))",
    "seq(tab({tab(&x) : x in &n}))",
    "{sum(seq(v)) : v in seq(tab({tab(&x) : x in &n}))}",
    "tab(&(n + 1)) ! n",
    "tab({tab(&(x + 1)) : x in &(n + 1)}) ! n",
    "tab({tab(&(x + 1)) : x in &(n + 1)}) ! n ! n",
    "let v = tab({tab(&(x + 1)) : x in &(n + 1)}) in tab({v ! (n - x) : x in &(n + 1)})",
    "let v = tab({tab(&(x + 1)) : x in &(n + 1)}) in tab({tab({v ! (n - x), v ! x}) : x in &(n + 1)})",
    "let v = tab(&n) in {v ! (#v - 1 - i) : i in &(#v)}",
    "let v = tab(&n) in {{v ! i, x} : x in &2; i in {0, n - 1 | n > 1}}",
    "{tab({n}), tab(&n), [4, 5]}",
    "{tab({tab(&n)}), [[4], [5]], []}",
    "{tab(&n) | n > 1} ++ {[3]}",
    "(tab({(x, [x]) : x in &n}), n)",
    "{(v, #v) : v in {tab(&x) : x in &n} ++ {[n]}}",
    "concat({seq(v) : v in {tab(&x) : x in &n}})",
    "let m = sum(&n); v = tab(&n) in {x - m : x in seq(v)}",
    // conditionals
    "if n > 2 then n else 0",
    "if n > 2 then &n else {7, 7}",
    "if n > 2 then {&n, {}} else {{7}, &2}",
    "if n > 2 then tab(&n) else [8]",
    "if n > 2 then tab({tab(&n), [2]}) else [[8]]",
    "if n > 2 then (n, {n}, [n]) else (0, &n, [1, 2])",
    "if n > 2 then () else ()",
    "if n == 0 then 0 else 10 / n",
    "{if x == 0 then 0 else 10 / x : x in &n}",
    "let s = &n in if n > 2 then sum(s) else sum({x * x : x in s})",
    "let s = {&x : x in &n} in if n > 2 then concat(s) else {#t : t in s}",
    "if n > 1 then (if n > 2 then {n} else &n) else {0}",
    "{{x | x > 1} : x in &n}",
    "{s | n > 1} ++ {&2}",
    "{n | n > 1 && 10 / (n - 1) > 3}",
};

std::string body_of(std::string b) {  // one of them wants a name
  const auto at = b.find("{s | n > 1}");
  return at == std::string::npos ? b : "let s = &n in " + b;
}

std::vector<Case> at_every_depth(const std::string& body) {
  const std::string f = "fun f(n) = " + body_of(body) + "\n";
  return {{f, {"0"}},
          {f, {"1"}},
          {f, {"4"}},
          {f + "fun g(ns) = {f(n) : n in seq(ns)}", {"[3, 0, 5, 1, 2]"}},
          {f + "fun g(ns) = {f(n) : n in ns}", {"{}"}},
          {f + "fun g(ns) = {{f(n) : n in s} : s in ns}", {"{{2}, {}, {0, 4}, {}}"}},
          {f + "fun g(ns) = {{f(n) | n > 2} : n in seq(ns)}", {"[3, 0, 5, 1, 2]"}},
          {f + "fun g(ns) = {{{f(n) : n in &x} : x in s} : s in ns}", {"{{3}, {}, {0, 1}}"}}};
}

void agrees(const Case& c, const Contents& contents = {}) {
  INFO(c.program);
  for (const std::string& a : c.arguments) UNSCOPED_INFO("argument " << a);
  const Prepared p = prepare(c);
  INFO(svcode::print(p.streams));
  REQUIRE(svcode::check(p.streams).empty());
  const Outcome expected = meaning(p, contents);
  CHECK(eager(p.streams, p, contents) == expected);
  for (const auto& options : chunkings(p.streams, 8)) {
    INFO("chunk " << options.chunk << ", order " << static_cast<int>(options.order));
    CHECK(chunked(p.streams, p, options, contents) == expected);
  }
}

}  // namespace

TEST_CASE("every built-in computes what the big-step semantics says, at depths 0 to 3 and at every chunk size") {
  for (const std::string& body : bodies) {
    DYNAMIC_SECTION(body) {
      for (const Case& c : at_every_depth(body)) agrees(c);
    }
  }
}
