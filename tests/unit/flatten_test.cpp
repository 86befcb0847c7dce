// Translation to SVCODE (Fig. 4.2): what a translated program computes is what the big-step semantics says, for every
// built-in, unlifted and under one and two levels of iteration, at every chunk size.
#include "snesl_streams.h"

namespace flatten_test {
using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;
using streaming::test::Outcome;

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
    "flagpart(&n, {x % 3 == 2 || x == 2 * n - 1 : x in &0}) ++ {{n}}",
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
    "(reduce1-plus({x * x : x in &(n + 1)}), reduce1-times({x + 1 : x in &(n + 1)}))",
    "(reduce1-max({x * (4 - x) : x in &(n + 1)}), reduce1-min({n} ++ &n))",
    "(reduce1-or({x > 2 : x in &(n + 1)}), reduce1-and({x > 2 : x in &(n + 1)}))",
    "{reduce1-plus({0.1 * real(y) : y in &(x + 1)}) : x in &n}",
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
    "let v = tab(&(n + 1)) in {{v ! i, x} : x in &2; i in {0, n - 1}}",
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
    "let s = &n in {s | n > 1} ++ {&2}",
    "{n | n > 1 && 10 / (n - 1) > 3}",
};

std::vector<Case> at_every_depth(const std::string& body) {
  const std::string f = "fun f(n) = " + body + "\n";
  return {{f, {"0"}},
          {f, {"1"}},
          {f, {"4"}},
          {f + "fun g(ns) = {f(n) : n in seq(ns)}", {"[3, 0, 5, 1, 2]"}},
          {f + "fun g(ns) = {f(n) : n in ns ++ &0}", {"{}"}},
          {f + "fun g(ns) = {{f(n) : n in s} : s in ns}", {"{{2}, {}, {0, 4}, {}}"}},
          {f + "fun g(ns) = {{(f(n), n) | n > 2} : n in seq(ns)}", {"[3, 0, 5, 1, 2]"}},
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

TEST_CASE("the one element of a conditional is not looked for, that of sequences which only look like one is") {
  const auto looked_for = [](const std::string& body) {
    return count(prepare({"fun f(n) = {let b = x > 2; c = x > 3 in the(" + body + ") : x in &n}", {"6"}}).streams,
                 svcode::Opcode::Pack);
  };
  const int of_two = looked_for("{x | b} ++ {10 - x | !b}");
  CHECK(looked_for("{x | b} ++ {10 - x | c}") == of_two + 1);
  CHECK(looked_for("{x | b} ++ {10 - x | !c}") == of_two + 1);
  CHECK(looked_for("{x | b} ++ {10 - x | b == c}") == of_two + 1);
}

TEST_CASE("a program fails where the big-step semantics does, at every depth and chunk size") {
  const std::vector<std::string> failing = {
      "tab(&n) ! n",
      "tab(&n) ! (n - 3)",
      "tab({tab(&x) : x in &n}) ! 1 ! 1",
      "&(2 - n)",
      "10 / (n - 2)",
      "{10 % (x - 2) : x in &n}",
      "int(1.0e300 * real(n) * 1.0e10)",
      "the(&n)",
      "the({{x} : x in &n | x > 1})",
      "zip(&n, &2)",
      "zip({1, 2}, &n, {1, 2})",
      "concat({{x + y : x in &n; y in {1, 2}} : z in &2})",
      "concat({{x + y : x in s; y in {1, 2}} : s in {&n, {1, 1}}})",
      "{maximum(&x) : x in &n}",
      "maximum({x : x in &n | x > 2})",
      "minimum({real(x) : x in &n | x > 1})",
      "reduce1-plus({x : x in &n | x > 2})",
      "{reduce1-times({real(y) : y in &x}) : x in &n}",
      "reduce1-or({x > 2 : x in &n | x > 2})",
      "flagpart(&n, {true, false, false})",
      "flagpart(&n, {false, true})",
      "flagpart(&n, {x == 2 : x in &n})",
      "flagpart({}, {false | n > 2}) ++ {{1}}",
      "if n > 2 then 1 / (n - 3) else n",
      "{if x > 1 then tab(&n) ! (x + 1) else 0 : x in &n}",
      "(10 / n, 3).2",
      "let unused = 10 / n in 3",
      "#read_file(\"no such file\") + n",
  };
  int trapped = 0;
  for (const std::string& body : failing) {
    DYNAMIC_SECTION(body) {
      for (const Case& c : at_every_depth(body)) {
        const Prepared p = prepare(c);
        trapped += meaning(p).shown.starts_with("trap");
        agrees(c);
      }
      CHECK(trapped > 0);
    }
  }
}

TEST_CASE("a failed check says what the big-step semantics says, where it does") {
  const auto message = [](const std::string& body, const std::string& n) {
    const Prepared p = prepare({"fun f(n) = " + body, {n}});
    MemoryFiles files;
    const auto expected = snesl::evaluate(p.core, p.arguments, files);
    const auto run = svcode::run_eager(p.streams, p.inputs, files);
    REQUIRE_FALSE(expected);
    REQUIRE_FALSE(run);
    CHECK(run.error().message == expected.error().message);
    CHECK(run.error().primitive == expected.error().primitive);
    CHECK(run.error().region.begin == expected.error().region.begin);
    CHECK(run.error().region.end == expected.error().region.end);
    return render(run.error());
  };
  message("tab(&n) ! n", "5");
  message("{tab(&x) ! 2 : x in &n}", "3");
  message("&(0 - n)", "5");
  message("the(&n)", "3");
  message("the(&n)", "0");
  message("maximum(&n)", "0");
  message("minimum(&n)", "0");
  for (const std::string r : {"plus", "times", "max", "min"}) message("reduce1-" + r + "(&n)", "0");
  for (const std::string r : {"or", "and"}) message("reduce1-" + r + "({x > 1 : x in &n})", "0");
  message("{reduce1-plus(&x) : x in &n}", "3");
  message("10 / n", "0");
}

TEST_CASE("files are read and written, unlifted and lifted, and a file that is not there is a trap") {
  const Contents contents = {{"a", "one two\nthree"}, {"b", ""}, {"c", "\n\n"}, {"d", std::string("\xff\0x", 3)}};
  agrees({"fun f(name) = read_file(name)", {"\"a\""}}, contents);
  agrees({"fun f(name) = #read_file(name)", {"\"b\""}}, contents);
  agrees({"fun f(x) = {#read_file([c]) : c in seq(x)}", {"\"abcd\""}}, contents);
  agrees({"fun f(x) = {sep({(c, c == '\\n') : c in read_file(name)}) : name in seq(x)}", {"[\"a\", \"b\", \"c\"]"}},
         contents);
  agrees({"fun f(x) = {#read_file(name) : name in seq(x)}", {"[\"a\", \"absent\", \"c\"]"}}, contents);
  agrees({"fun f(x) = write_file(\"out\", {c : c in read_file(x) | c != '\\n'})", {"\"a\""}}, contents);
  agrees({"fun f(x) = {write_file(name, read_file(name) ++ {'!'}) : name in seq(x)}", {"[\"a\", \"b\", \"c\"]"}},
         contents);
  agrees({"fun f(x) = {write_file([c], {c, c}) : c in seq(x)}", {"\"xyz\""}});
  agrees({"fun f(x) = let u = write_file(x, {'a'}); v = 1 / 0 in (u, v)", {"\"out\""}});
}

TEST_CASE("the text programs of the thesis compute what they mean") {
  const std::string text = "It is a truth universally acknowledged\n\n\tthat  a single man \n  in possession";
  const Contents contents = {{"a", text}, {"b", ""}, {"c", "\n"}};
  const std::string lines = "fun lines(cs) = sep({(c, c == '\\n') : c in cs})\n";
  const std::string wc =
      "fun ws(c) = c == ' ' || c >= '\\t' && c <= '\\r'\n"
      "fun pc(c) = c <= '~' && c > ' '\n"
      "fun pw(w) = reduce-or({pc(c) : c in w})\n"
      "fun wc(file) = let cs = read_file(file) in sum({int(pw(w)) : w in sep({(c, ws(c)) : c in cs})})";
  const std::string longest =
      lines +
      "fun round_to_8(n) = (n | 7) + 1\n"
      "fun line_len(l) = let ws = sep({(c, c == '\\t') : c in l}) in\n"
      "  sum({let n = #w - 1 in (is_last ? n : round_to_8(n)) : w in ws; is_last in tail_flags(ws)})\n"
      "fun max_ll(file) = let cs = read_file(file) in maximum({0} ++ {line_len(l) : l in lines(cs)})";
  const std::string rev =
      lines +
      "fun rev_line(w) = let v = tab(w); n = #v - 1 in {v ! (i == n ? i : n - 1 - i) : i in &(#v)}\n"
      "fun rev(file) = let cs = read_file(file) in write_file(\"out\", concat({rev_line(l) : l in lines(cs)}))";
  const std::string cut =
      lines +
      "fun row(l) = tab({tab(f) : f in sep({(x, x == ' ') : x in l})})\n"
      "fun index_field(r, ix) = let n = #r; i = n == 1 ? 0 : ix in if i < n then r ! i else [' ']\n"
      "fun cut(file) = let cs = read_file(file); res = {\n"
      "  let f = index_field(row(l), 1) in {(c == ' ' ? '\\n' : c) : c in seq(f)} : l in lines(cs)}\n"
      "  in write_file(\"out\", concat(res))";
  for (const std::string& program : {wc, longest, rev, cut})
    for (const std::string file : {"\"a\"", "\"b\"", "\"c\""}) agrees({program, {file}}, contents);
}

TEST_CASE("inner vectors stay in memory as long as the outer one: the thesis's segtab releases their base too early") {
  const Case backwards{"fun f(s) = {let v = tab({tab(&x) : x in t}) in {seq(v ! (1 - i)) : i in &2} : t in s}",
                       {"{{2, 3}, {1, 2}}"}};
  agrees(backwards);
  // As in segtab_[tau] of §4.3, grouped by the inner vectors: read backwards at chunk 1, the first of them is gone.
  Prepared p = prepare(backwards);
  int changed = 0;
  for (svcode::Instr& i : p.streams.instructions) {
    if (i.opcode != svcode::Opcode::Segtab) continue;
    const svcode::Instr& f = p.streams.instructions[i.arguments[1]];
    if (f.opcode == svcode::Opcode::Usegsum) i.arguments[1] = f.arguments[1], ++changed;
  }
  CHECK(changed == 1);
  CHECK(eager(p.streams, p) == meaning(p));
  const svcode::ChunkOptions one{1, std::vector<std::int64_t>(p.streams.instructions.size(), 8)};
  CHECK_THROWS_AS(chunked(p.streams, p, one), Bug);
  // Inner vectors that share, permute and skip parts of their base.
  agrees(
      {"fun f(n) = let v = tab({tab(&x) : x in &n}) in\n"
       "  {let w = tab({v ! i, v ! (n - 1), v ! i}) in {#(w ! 1), w ! 2 ! 0} : i in {2, 1, 2}}",
       {"4"}});
}

}  // namespace flatten_test
