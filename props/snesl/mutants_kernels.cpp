// The engine's kernels made wrong: its text with one place changed. Programs are tried by the batch, for each is
// compiled.
#include "props/snesl/mutant_parts.h"

namespace lockstep::props::stream {
namespace {

std::string with_text(std::string text, const std::string& right, const std::string& wrong) {
  const std::size_t at = text.find(right);
  if (at == std::string::npos || text.find(right, at + 1) != std::string::npos)
    throw Bug("the engine's text does not have once: " + right);
  return text.replace(at, right.size(), wrong);
}
Mutant kernel(const std::string& name, const std::string& description, const std::string& right,
              const std::string& wrong, std::vector<std::string> directed) {
  return mutant(
      "kernels", name, description,
      [&](Toolchain& t) { t.engine_text = [=](std::string text) { return with_text(std::move(text), right, wrong); }; },
      std::move(directed));
}

const char* const parted = "fun main() = {#w : w in sep({(x, x % 37 == 3 || x % 5 == 0) : x in &400})}";
const char* const found =
    "fun main() = {reduce-or({x % 97 == 1 : x in w}) : w in sep({(x, x % 70 == 69) : x in &700})}";
const char* const reals =
    "fun main() = ({sum({real(y) / 3.0 : y in &x}) : x in &40}, scan-plus({real(x) / 7.0 : x in &300}), "
    "{scan-plus({real(y) / 7.0 : y in &x}) : x in &30}, {scan-plus({real(y) / 7.0 : y in w}) : w in "
    "sep({(y, y % 4 == 3 || y % 3 == 0) : y in &300})})";
const char* const slices = "fun main() = {let v = tab(&x) in {v ! (i < 7 ? x - 1 - i : i) : i in &x} : x in &40}";
const char* const counted =
    "fun main() = {let n = sum({1 : x in w}) % 4 + 50; xs = seq(tab(w)) in ({x : x in xs; c in scan-plus({int(x % 3 == "
    "1) "
    ": x in xs}) | c == n}, {x : x in xs; c in scan-plus({int(x % 3 == 1) : x in xs}) | c <= n}) : w in sep({(x, x % "
    "190 "
    "== 189 || x % 77 == 5 && x < 99) : x in &700})}";

}  // namespace

std::vector<Mutant> kernel_mutants() {
  return {
      kernel("lengths with their ends", "a general descriptor's T counts as an element",
             "*to++ = so_far + at - before - (Short ? 0 : 1);", "*to++ = so_far + at - before;",
             {"fun main() = {#tab({y : y in &x | y % 2 == 1}) : x in &9}", parted}),
      kernel("or's carry is lost", "a segment begins anew in each block of 64",
             "carry = n == 64 ? over1 || over2 : more >> n & 1;", "carry = false;", {found}),
      kernel("counts of a block only", "the true ones of the block before are forgotten", "to[0] = so_far + in_first;",
             "to[0] = in_first;",
             {"fun main() = {sum({int(x % 3 == 1) : x in w}) : w in sep({(x, x % 170 == 169) : x in &700})}"}),
      kernel("a count takes in the one before", "of two segments in a word the second counts the first's, too",
             "to[1] = in_both - in_first;", "to[1] = in_both;",
             {"fun main() = {sum({int(x % 3 == 1) : x in w}) : w in sep({(x, x % 29 == 28) : x in &700})}"}),
      kernel("ends are elements", "a unit for each flag", "all += elements_of<Short>(in.word(), n);", "all += n;",
             {"fun main() = {{7 : y in &x} : x in &5}", "fun main() = {{(y, 7) : y in {x} ++ {x}} : x in &5}"}),
      kernel("tokens exchanged", "a segment's end before its last element",
             "deposit_bits(element & low_bits(n), even) | deposit_bits(end & low_bits(n), odd);",
             "deposit_bits(element & low_bits(n), odd) | deposit_bits(end & low_bits(n), even);",
             {"fun main() = {y : y in &9 | y % 2 == 0}",
              "fun main() = {{y : y in w | y % 2 == 0} : w in sep({(x, x % 3 == "
              "0) : x in &10})}"}),
      kernel("the last is not checked", "a check leaves out the last of its block", "& low_bits(n - k);",
             "& low_bits(n - k - 1);", {"fun main() = {the({x : x in &n}) : n in &3}", "fun main() = the(&2)"}),
      kernel("runs copied forwards", "a gather's run backwards is copied forwards",
             "reversed(to + k, from + at[k + run - 1], run);", "copied(to + k, from + at[k + run - 1], run);",
             {"fun main() = let v = tab(&50) in {v ! (49 - i / 1) : i in &50}"}),
      kernel("slices copied forwards", "a slice backwards is copied forwards", "reversed(to, first - (n - 1), n);",
             "copied(to, first - (n - 1), n);", {slices}),
      kernel("a slice goes one too far", "the piece of a comparison has an element more", "end = x + i64(steps) + 1;",
             "end = lesser(end, x + i64(steps) + 2);", {slices}),
      kernel("a stride is one", "slices by strides are taken without", "to[k] = first[p.slope * k];",
             "to[k] = first[k];", {"fun main() = {let v = tab(&x); h = x / 3 in {v ! (3 * i) : i in &h} : x in &40}"}),
      kernel("counts before are forgotten", "a count goes on from the block's beginning",
             "before = ends ? 0 : before + ones;", "before = ends ? 0 : ones;", {counted}),
      kernel("at most is less", "a count that is equal does not count as at most",
             "return t == INT64_MAX ? ~u64(0) : count_below(v, t + 1, ones);",
             "return t == INT64_MAX ? ~u64(0) : count_below(v, t, ones);", {counted}),
      kernel("no element at the end", "what is added at each end is added at the first only",
             "*to++ = a;\n        at += run + 1;", "*to++ = a, a = T();\n        at += run + 1;",
             {"fun main() = {{y : y in &x | y % 2 == 0} ++ {7} : x in &6}"}),
      kernel("a prefix's carry by lanes", "the carry of each lane instead of the last's",
             "c = of_8(c, all_of_last(y), R());", "c = of_8(c, y, R());", {reals}),
      kernel("short segments run together", "the element before is of the same segment where it is not",
             "const u64 m1 = ~(flags << 1 | 1), m2", "const u64 m1 = ~(flags | 1), m2", {reals}),
      kernel("lanes begin anew", "in each chunk a segment's lanes are counted from the first",
             "put(count + i, x[i]);\n    count += n;", "put(count + i, x[i]);\n    count = 0;", {reals}),
      // A window that no group fills never grows, so what waits for all of one waits for ever.
      kernel("pack waits for the end", "nothing is packed before the last flag is there",
             "i64 at = s.pos, left = s.left(), room = out.room();",
             "i64 at = s.pos, left = b.s->done ? s.left() : 0, room = out.room();",
             {"fun main() = sum({x : x in &2000 | x % 3 == 0})"}),
      kernel("groups wait for the next request", "what passes without an element lets no group go",
             "return r.left() > 0 ? r.here() : after;", "return r.left() > 0 ? r.here() : 0;",
             {"fun main() = sum({let v = tab({x * i % 7 : x in &10}) in if i % 2000 == 1999 then v ! 5 else 0 : i in "
              "&4000})"}),
      kernel("merges forget the turn", "the second operand's turn never comes", "if (go) turn = (turn + 1) % k;",
             "if (go) turn = 0;",
             {"fun main() = {[x, x + 10] ! (x % 2) : x in &5}", "fun main() = {{x, x + 10} : x in &5}"}),
  };
}

}  // namespace lockstep::props::stream
