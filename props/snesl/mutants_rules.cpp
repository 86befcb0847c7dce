// Rules on networks made wrong: a row before the right ones, or one of these without a condition.
#include "props/snesl/mutant_parts.h"
#include "translate/transducers/rules.h"

namespace lockstep::props::stream {
namespace {

using transducer::is_constant;
using transducer::Network;
using transducer::Replacement;
using transducer::Rule;
using Rules = transducer::Rewriting;
using Became = std::optional<Replacement>;

Network with_rows(const Network& n, std::vector<Rule> rows, std::span<const Rule> right) {
  rows.insert(rows.end(), right.begin(), right.end());
  return rewritten(n, rows);
}
Mutant row(const std::string& stage, const std::string& name, const std::string& description, std::vector<Rule> wrong,
           std::vector<std::string> directed, std::span<const Rule> right) {
  Mutant m = mutant(
      "rules", name, description,
      [&](Toolchain& t) {
        t.alter_network(stage, [wrong, right](transducer::Program after, const transducer::Program& before) {
          after.whole = with_rows(before.whole, wrong, right);
          return after;
        });
      },
      std::move(directed));
  m.stage = stage;
  m.in_row = true;
  return m;
}
Mutant same(const std::string& name, const std::string& description, Rule wrong,
            std::vector<std::string> directed = {}) {
  return row("same-streams", name, description, {wrong}, std::move(directed), transducer::same_stream_rules());
}
Mutant fuse(const std::string& name, const std::string& description, Rule wrong,
            std::vector<std::string> directed = {}) {
  return row("fuse", name, description, {wrong}, std::move(directed), transducer::fusion_rules());
}
Mutant by_form(const std::string& name, const std::string& description, Rule wrong,
               std::vector<std::string> directed = {}) {
  return row("fuse-by-form", name, description, {wrong}, std::move(directed), transducer::fusion_by_form_rules());
}

template <Opcode Outer, Opcode Inner, std::size_t Argument>
Became inverse(const Instr& i, const Rules& r) {
  if (i.opcode != Outer || r.at(i.arguments[Argument]).opcode != Inner) return {};
  return r.at(i.arguments[Argument]).arguments[0];
}
template <Opcode O, std::size_t Argument>
Became argument(const Instr& i, const Rules&) {
  return i.opcode == O ? Became(i.arguments[Argument]) : std::nullopt;
}
// The one opcode in the place of the other, of these arguments.
template <Opcode From, Opcode To, std::size_t... Arguments>
Became becomes(const Instr& i, const Rules&) {
  if (i.opcode != From) return {};
  return transducer::instead(i, To, {i.arguments[Arguments]...});
}
// Of Booleans of which the numbers are summed up, whatever the monoid; in this order.
template <Opcode From, Opcode To, bool Exchanged>
Became as_count(const Instr& i, const Rules& r) {
  if (i.opcode != From) return {};
  const Instr& n = r.at(i.arguments[0]);
  if (n.opcode != Opcode::Map || n.op() != scalars::row<"i64">() || is_constant(r.at(n.arguments[0]))) return {};
  if (r.at(n.arguments[0]).type != svcode::Prim::Bool) return {};
  std::vector<StreamId> arguments{n.arguments[0]};
  if (i.arguments.size() > 1) arguments.insert(Exchanged ? arguments.begin() : arguments.end(), i.arguments[1]);
  return transducer::instead(i, To, std::move(arguments));
}
Became whole_vector(const Instr& i, const Rules& r) {
  if (i.opcode != Opcode::Gather || r.at(i.arguments[2]).opcode != Opcode::Segtab) return {};
  if (r.at(i.arguments[0]).opcode != Opcode::Pdist || r.at(i.arguments[1]).opcode != Opcode::Iotas) return {};
  return r.at(i.arguments[2]).arguments[0];
}
Became pieces(const Instr& i, const Rules& r, StreamId (*flags)(const Instr&, const Rules&)) {
  if (i.opcode != Opcode::Usegsum || r.at(i.arguments[1]).opcode != Opcode::B2u) return {};
  return transducer::instead(i, Opcode::UsegsumB2u,
                             {i.arguments[0], flags(r.at(r.at(i.arguments[1]).arguments[0]), r)});
}
Became ended(const Instr& i, const Rules& r, bool ones, std::int64_t more) {
  if (i.opcode != Opcode::Segmerge || i.arguments.size() != 4 || i.type == svcode::Prim::Bool) return {};
  const Instr& a = r.at(i.arguments[3]);
  if (!is_constant(a) || (ones && !transducer::is_one_each(r, i.arguments[2]))) return {};
  if (r.operand_of(i, 0).is_short || (!ones && r.operand_of(i, 2).is_short)) return {};
  Instr e = transducer::instead(i, Opcode::Ended, {i.arguments[0], i.arguments[1]});
  e.payload = a.atom();
  e.atom().integer += more;
  return e;
}
Became compared(const Instr& i, const Rules& r, std::int64_t number) {
  for (const Rule& rule : transducer::fusion_by_form_rules()) {
    Became found = rule.apply(i, r);
    if (!found || !std::holds_alternative<Instr>(*found)) continue;
    auto fused = std::get<Instr>(*found);
    if (fused.opcode != Opcode::CountCompare) continue;
    fused.payload = svcode::Comparison{fused.op(), number};
    return fused;
  }
  return {};
}

const char* const in_pieces = "fun main() = {#w : w in sep({(x, x % 5 == 3) : x in &23})}";
const char* const nested =
    "fun main() = {{#w : w in sep({(x, x % 3 == 1) : x in v})} : v in sep({(y, y % 7 == 6) : y in &23})}";
const char* const counts =
    "fun main() = {let n = sum({1 : x in w}) % 4; xs = seq(tab(w)) in ({x : x in xs; c in scan-plus({int(x % 3 == 1) : "
    "x "
    "in xs}) | c < n}, {x : x in xs; c in scan-plus({int(x % 3 == 1) : x in xs}) | n < c}) : w in sep({(x, x % 9 == 8) "
    ": "
    "x in &40})}";
const char* const numbered = "fun main() = {sum({int(x % 3 == 1) : x in w}) : w in sep({(x, x % 7 == 6) : x in &40})}";
const char* const whole =
    "fun main() = {let cs = seq(tab(w)); m = sum(w) in {c - m : c in cs} : w in sep({(x, x % 30 == 29) : x in &60})}";
const char* const one_more = "fun main() = {{y : y in &x | y % 2 == 0} ++ {7} : x in &6}";

std::vector<Mutant> wrong_streams() {
  return {
      same("short is general", "the short form of a descriptor is the descriptor", {"", argument<Opcode::Short, 0>},
           {in_pieces}),
      same("a descriptor is its last", "usegsum f g is g", {"", argument<Opcode::Usegsum, 1>}, {nested}),
      same("a descriptor is its first", "usegsum f g is f", {"", argument<Opcode::Usegsum, 0>}, {in_pieces}),
      same("ends are units", "a descriptor of pieces is what parts them", {"", argument<Opcode::Ends, 0>}, {in_pieces}),
      same("distributed is there", "what is distributed over a descriptor is as long as it was",
           {"", argument<Opcode::Pdist, 0>}),
      same("lengths of pieces are those of all", "lens (usegsum f g) is lens f, by its flags",
           {"", inverse<Opcode::ToFlags, Opcode::Map, 0>}),
      same("any traversal is the whole", "a slice is all of its vector", {"", whole_vector, true},
           {"fun main() = {{x + y : x in seq(v)} : v in {tab(&3), tab(&5)}; y in &2}",
            "fun main() = let vs = tab({tab(&k) : k in &4}) in {{x : x in seq(v)} : v in {vs ! 2, vs ! 1}}"}),
      row("same-streams", "whole vectors come in time",
          "seq(tab(x)) is x, and its descriptor that of x, in windows that do not grow",
          {{"", transducer::same_stream_rules()[2].apply, false},
           {"", transducer::same_stream_rules()[3].apply, false}},
          {whole}, transducer::same_stream_rules()),
      same("lengths come in time", "to_flags (lens f) is f in a window that does not grow",
           {"", transducer::same_stream_rules()[2].apply, false},
           {"fun main() = {sum({10 * i : i in &#w}) : w in sep({(x, x % 40 == 39) : x in &80})}"}),
      same("pieces of pieces are joined", "usegsum (usegsum f g) h is f wherever it stands",
           {"", inverse<Opcode::Usegsum, Opcode::Usegsum, 0>}, {nested}),
      same("longer is short", "the short form of f ++ g is f, whatever g",
           {"", inverse<Opcode::Short, Opcode::Uappend, 0>},
           {"fun main() = {scan-plus({y : y in &x} ++ {1, 2, 3}) : x in &4}"}),
  };
}

std::vector<Mutant> wrong_fusions() {
  return {
      fuse("beginnings are ends", "pieces that begin where `cons` says are those that end there",
           {"",
            [](const Instr& i, const Rules& r) {
              return pieces(
                  i, r, [](const Instr& b, const Rules&) { return b.opcode == Opcode::Cons ? b.arguments[0] : b.id; });
            }},
           {"fun main() = {{y + k : y in the(sep({(x, x == k) : x in &30}))} : k in {40}}",
            "fun main() = let ws = sep({(x, x % 25 == 24) : x in &50}) in {{c + k : c in w} : w in ws; k in "
            "scan-plus({1 : _ in ws})}"}),
      fuse("counts of all pieces are one", "the pieces of all segments as those of one",
           {"",
            [](const Instr& i, const Rules& r) -> Became {
              if (i.opcode != Opcode::Usegsum || r.at(i.arguments[1]).opcode != Opcode::B2u) return {};
              return transducer::instead(i, Opcode::TerminatedCount, {r.at(i.arguments[1]).arguments[0]});
            }},
           {nested}),
      fuse("all segments are one", "usegsum as if its first operand had one segment",
           {"", becomes<Opcode::Usegsum, Opcode::AllOf, 1>}, {nested}),
      fuse("all of the outer", "all_of of the first operand", {"", becomes<Opcode::Usegsum, Opcode::AllOf, 0>},
           {in_pieces}),
      fuse("the last flag of a descriptor", "a flag for the end too", {"", becomes<Opcode::Short, Opcode::LastFlag, 0>},
           {in_pieces}),
      fuse("maxima are counts", "segreduce_max of map_i64 b as a count",
           {"", as_count<Opcode::Segreduce, Opcode::Segcount, false>},
           {"fun main() = {maximum({int(x % 3 < 2) : x in w}) : w in sep({(x, x % 7 == 6) : x in &40})}"}),
      fuse("flags are counted", "segcount of the descriptor over the Booleans",
           {"", as_count<Opcode::Segreduce, Opcode::Segcount, true>}, {numbered}),
      fuse("a maximum is a count", "reduce_max of map_i64 b as a count",
           {"", as_count<Opcode::Reduce, Opcode::CountTrue, false>},
           {"fun main() = maximum({int(x % 3 < 2) : x in &9})"}),
      fuse("pieces of their flags", "the operands of usegsum_b2u exchanged",
           {"",
            [](const Instr& i, const Rules& r) -> Became {
              if (i.opcode != Opcode::Usegsum || r.at(i.arguments[1]).opcode != Opcode::B2u) return {};
              return transducer::instead(i, Opcode::UsegsumB2u, {r.at(i.arguments[1]).arguments[0], i.arguments[0]});
            }},
           {nested}),
      fuse("no flag of pieces", "pieces by the negation of what parts them",
           {"",
            [](const Instr& i, const Rules& r) {
              return pieces(i, r, [](const Instr& b, const Rules&) {
                return b.opcode == Opcode::Map && b.type == svcode::Prim::Bool ? b.arguments[0] : b.id;
              });
            }},
           {"fun main() = {{y : y in &x | !(y % 2 == 0)} : x in &6}"}),
      by_form("counts are on the left", "n > count as count > n",
              {"", [](const Instr& i, const Rules& r) { return compared(i, r, 0); }}, {counts}),
      by_form("counts are on the right", "count < n as n < count",
              {"", [](const Instr& i, const Rules& r) { return compared(i, r, 1); }}, {counts}),
      by_form("one of any is one", "what is added to each segment is one, however many it was",
              {"", [](const Instr& i, const Rules& r) { return ended(i, r, false, 0); }},
              {"fun main() = {{y : y in &x} ++ {7 : _ in &k} : x in &6; k in {2, 0, 3, 1, 1, 0}}"}),
      by_form("another at each end", "what is added is one more",
              {"", [](const Instr& i, const Rules& r) { return ended(i, r, true, 1); }}, {one_more}),
  };
}

// What the stage of short forms gives, instruction by instruction.
Mutant forms(const std::string& name, const std::string& description, void (*change)(Instr&, svcode::Forms&),
             std::vector<std::string> directed) {
  Mutant m = mutant(
      "rules", name, description,
      [&](Toolchain& t) {
        t.alter_network("short-forms", [change](transducer::Program after, const transducer::Program&) {
          svcode::Program code = *after.whole.code;
          svcode::Forms now = after.whole.forms;
          for (Instr& i : code.instructions) change(i, now);
          after.whole = Network(std::move(code), std::move(now));
          return after;
        });
      },
      std::move(directed));
  m.stage = "short-forms";
  return m;
}
std::vector<Mutant> wrong_forms() {
  return {
      forms("a short form is taken for general", "who reads a short form is not told",
            [](Instr&, svcode::Forms& f) { f.short_operands.clear(); }, {in_pieces}),
      forms("a general form is taken for short", "distributions are told of short forms that are none",
            [](Instr& i, svcode::Forms& f) {
              if (i.opcode == Opcode::Pdist) f.short_operands.insert({i.id, 1});
            },
            {"fun main() = {{x + y : y in &x} : x in &6}"}),
      forms("pieces in short form are all", "pieces of pieces are told of in short form, unseen by who reads them",
            [](Instr& i, svcode::Forms&) {
              if (i.opcode == Opcode::UsegsumB2u) i.opcode = Opcode::EndsAmong;
            },
            {nested}),
      forms("pieces are general again", "pieces in short form that who reads them knows, in general form",
            [](Instr& i, svcode::Forms&) {
              if (i.opcode == Opcode::EndsAmong) i.opcode = Opcode::UsegsumB2u;
            },
            {"fun main() = {sum({#w * #w : w in sep({(x, x % 3 == 1) : x in v})}) : v in sep({(y, y % 7 == 6) : y in "
             "&23})}"}),
  };
}

}  // namespace

std::vector<Mutant> rule_mutants() {
  std::vector<Mutant> all = wrong_streams();
  for (auto more : {wrong_fusions, wrong_forms})
    for (Mutant& m : more()) all.push_back(std::move(m));
  return all;
}

}  // namespace lockstep::props::stream
