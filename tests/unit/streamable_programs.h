// Programs that must stream (thesis §2.3.3, §2.4, §4.5, mended; the contract), and programs that must be refused.
#pragma once
#include "snesl_streams.h"

namespace lockstep::streaming::test {

inline const Contents files = {{"a", "one two\nthree\tx yy\n"}, {"b", ""}, {"c", " \n\nab  c"}};

inline const std::string text_programs = R"(
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
inline Case text(const std::string& call, std::vector<std::string> arguments) {
  return {text_programs + "fun main" + call, std::move(arguments)};
}

// Programs of the thesis (§2.3.3, §2.4, §4.5, mended) and of the contract.
inline const std::vector<Case> accepted = {
    // What is in a literal is counted by it, though nothing has met its elements and its descriptor before.
    {"fun f(n) = {[x] : x in {n, 6}}", {"1"}},
    {"fun f(n) = {sum({x}) : x in {n, 6}}", {"1"}},
    {"fun f(n) = {{{a}} ++ {{a}} : a in {n, 1}}", {"1"}},
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
    {"fun f(n) = let ws = sep({(x, x % 4 == 3) : x in &n}) in {{c + k : c in w} : w in ws; k in scan-plus({1 : _ in "
     "ws})}",
     {"19"}},
    {"fun f(n) = let ws = sep({(x, x % 4 == 3) : x in &n}) in concat({{c + 1 : c in w} ++ {0} : w in ws} ++ {{n}})",
     {"9"}},
    {"fun f(n) = flagpart(&n, concat({{false, true} : x in &n}))", {"4"}},
    // vectors
    {"fun f(n) = {{sum(seq(v)) + x : x in seq(v)} : v in {tab(&k) : k in &n}}", {"5"}},
    {"fun f(n) = let vs = tab({tab(&k) : k in &n}) in {sum(seq(v)) : v in seq(vs) | #v > 2}", {"5"}},
    {"fun f(x) = {write_file(name, read_file(name) ++ {'!'}) : name in seq(x)}", {"[\"a\", \"b\", \"c\"]"}},
    {"fun f(n) = let p = {&(n + x) : x in &1} in {7} ++ the(p) ++ {#p}", {"5"}},
};

// What must be refused, with the two traversals as the message names them, and mended.
struct Refusal {
  Case program;
  std::string late, other;
  std::string mended;
};
inline const std::vector<Refusal> refused = {
    {{"fun f(n) = let s = &n; m = sum(s) in {x - m : x in s}", {"30"}},
     "`sum(s)` (1:28)",
     "`{x - m : x in s}` (1:38)",
     "fun f(n) = let v = tab(&n); m = sum(seq(v)) in {x - m : x in seq(v)}"},
    {{"fun f(n) = let s = &n in s ++ scan-plus(s)", {"30"}},
     "`&n` (1:20)",
     "`scan-plus(s)` (1:31)",
     "fun f(n) = let v = tab(&n) in seq(v) ++ scan-plus(seq(v))"},
    {{"fun f(n) = let p = {&(n + x) : x in &1} in concat(p) ++ the(p)", {"30"}},
     "`&(n + x)` (1:21)",
     "`the(p)` (1:57)",
     "fun f(n) = let v = tab({tab(&(n + x)) : x in &1}) in concat({seq(w) : w in seq(v)}) ++ seq(the(seq(v)))"},
    {{"fun f(n) = let s = &n in flagpart({0} ++ s, if false then {} else {true : x in s})", {"30"}},
     "`{0} ++ s` (1:35)",
     "`if false then {} else {true : x in s}` (1:45)",
     "fun f(n) = let v = tab(&n) in flagpart({0} ++ seq(v), if false then {} else {true : x in seq(v)})"},
    {{"fun f(n) = let s = &n in zip({x : x in s | x < n / 2}, {x : x in s | x >= n / 2})", {"30"}},
     "`{x : x in s | x < n / 2}` (1:30)",
     "`{x : x in s | x >= n / 2}` (1:56)",
     "fun f(n) = let v = tab(&n) in zip({x : x in seq(v) | x < n / 2}, {x : x in seq(v) | x >= n / 2})"},
    {{"fun f(n) = let s = &n in {sum(s)} ++ s", {"30"}},
     "`{sum(s)}` (1:26)",
     "`&n` (1:20)",
     "fun f(n) = let v = tab(&n) in {sum(seq(v))} ++ seq(v)"},
    {{"fun f(n) = let s = &n; v = tab(s) in {x * #v : x in s}", {"30"}},
     "`tab(s)` (1:28)",
     "`{x * #v : x in s}` (1:38)",
     "fun f(n) = let s = &n; v = tab(s) in {x * #v : x in seq(v)}"},
    {{"fun f(n) = let s = &n; m = sum(s) in zip(s, {x - m : x in &n})", {"30"}},
     "`sum(s)` (1:28)",
     "`{x - m : x in &n}` (1:45)",
     "fun f(n) = let s = &n; v = tab(s); m = sum(s) in zip(seq(v), {x - m : x in &n})"},
    {{"fun f(n) = let s = &n in zip(s, {x : x in s | x > 12} ++ &13)", {"30"}},
     "`&n` (1:20)",
     "`{x : x in s | x > 12} ++ &13` (1:33)",
     "fun f(n) = let v = tab(&n) in zip(seq(v), {x : x in seq(v) | x > 12} ++ &13)"},
    {{"fun f(n) = let s = &n in if #s == 0 then 0 else maximum(s)", {"30"}},
     "`#s` (1:29)",
     "`maximum(s)` (1:49)",
     "fun f(n) = let v = tab(&n) in if #v == 0 then 0 else maximum(seq(v))"},
    {{"fun f(n) = {let t = &k; m = sum(t) in {x * m : x in t} : k in {n, n}}", {"30"}},
     "`sum(t)` (1:29)",
     "`{x * m : x in t}` (1:39)",
     "fun f(n) = {let v = tab(&k); m = sum(seq(v)) in {x * m : x in seq(v)} : k in {n, n}}"},
    {{"fun f(n) = let ws = sep({(x, x % 20 == 19) : x in &n}) in {{c + k : c in w} : w in ws; k in {#w : w in ws}}",
      {"60"}},
     "`#w` (1:94)",
     "`{c + k : c in w}` (1:60)",
     "fun f(n) = {let v = tab(w) in {c + #v : c in seq(v)} : w in sep({(x, x % 20 == 19) : x in &n})}"},
    {{"fun f(n) = let ws = sep({(x, x % 20 == 19) : x in &n}) in {{(c, l) : c in w} : w in ws; l in tail_flags(ws)}",
      {"60"}},
     "`tail_flags(ws)` (1:94)",
     "`{(c, l) : c in w}` (1:60)",
     "fun f(n) = let ws = sep({(x, x % 20 == 19) : x in &n}) in {{(c, l) : c in seq(v)} : v in {tab(w) : w in ws}; l "
     "in "
     "tail_flags(ws)}"},
};

// Programs of a user's findings (users-snesl B) that could run in constant space and are refused, with what of it the
// analysis does not know. A later change lifts these: what it accepts moves to `accepted`.
inline const std::string pieces = "let ws = sep({(x, x % 3 == 0) : x in &k}) in ";
inline const std::string lines = "fun lines(cs) = sep({(c, c == '\\n') : c in cs})\n";
inline const std::vector<Case> still_refused = {
    // B1: pieces numbered inside of anything; at the top they are accepted
    {"fun f(n) = {" + pieces + "{{(x, i) : x in w} : w in ws; i in scan-plus({1 : _ in ws})} : k in &n}", {"9"}},
    {"fun f(n) = {let ws = flagpart(&k, concat({{false, true} : _ in &k})) in {{(x, i) : x in w} : w in ws; i in "
     "scan-plus({1 : _ in ws})} : k in &n}",
     {"5"}},
    {"fun f(n) = {" + pieces + "{{x : x in w} : w in ws; i in scan-plus({1 : _ in ws}) | i == 1} : k in &n}", {"9"}},
    {"fun f(n) = {" + pieces + "{sum({x * i : x in w}) : w in ws; i in scan-plus({1 : _ in ws})} : k in &n}", {"9"}},
    {"fun f(n) = {" + pieces + "{if i > 1 then w else {} : w in ws; i in scan-plus({1 : _ in ws})} : k in &n}", {"9"}},
    {lines +
         "fun f(file) = {let ws = sep({(c, c == ' ') : c in l}) in concat({w : w in ws; i in scan-plus({1 : _ in ws}) "
         "| i == 1}) : l in lines(read_file(file))}",
     {"\"c\""}},
    // B2: the element before
    {"fun f(n) = let s = {x * x : x in &n} in {a - b : a in s ++ {0}; b in {0} ++ s}", {"9"}},
    {"fun f(n) = let s = {x * x : x in &(n + 1)} in zip(s, {0} ++ {x : x in s; l in tail_flags(s) | !l})", {"9"}},
    // B3: an exclusive scan of what pieces sum up to
    {lines +
         "fun f(file) = let ls = lines(read_file(file)) in concat({{(c, o) : c in l} : l in ls; o in scan-plus({#l : l "
         "in ls})})",
     {"\"a\""}},
    // B4: a guard of what is longer by one; as many elements for each element on both sides; flags computed of a
    // sequence
    {"fun f(n) = let s = &n in if empty(s) then {0} else s ++ {1}", {"5"}},
    {"fun f(n) = let s = &n in zip(concat({{x, -x} : x in s}), concat({{0, 1} : _ in s}))", {"5"}},
    {"fun f(n) = let s = &n in zip(s, concat({{x} : x in s}))", {"5"}},
    {"fun f(file) = let cs = read_file(file) in flagpart(cs, concat({{false} ++ {true | c == '\\n'} : c in cs}))",
     {"\"a\""}},
};

}  // namespace lockstep::streaming::test
