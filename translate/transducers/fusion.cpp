// Several instructions as one, of which the engine has a kernel: counts of Booleans and flags of pieces, of which
// nothing is stored in between.
#include "translate/transducers/rules.h"
#include "translate/transducers/stages.h"

namespace lockstep::transducer {
namespace {

using svcode::Monoid;

bool is_one_segment(const Rewriting& r, StreamId f) {
  const Instr& i = r.at(f);
  return i.opcode == Opcode::Terminated || (i.opcode == Opcode::Usegsum && is_one_segment(r, i.arguments[0]));
}

// The Booleans b where s is map_i64 b.
const Instr* counted(const Rewriting& r, StreamId s) {
  const Instr& i = r.at(s);
  if (i.opcode != Opcode::Map || i.op() != scalars::row<"i64">()) return nullptr;
  const Instr& b = r.at(i.arguments[0]);
  return b.type == Prim::Bool && !is_constant(b) ? &b : nullptr;
}

// With `cons true e` for b where that would come too late.
std::optional<StreamId> flags_of_pieces(const Instr& i, const Rewriting& r) {
  const std::optional<StreamId> b = pieces_of(i, r);
  if (!b) return std::nullopt;
  const StreamId given = r.same(r.at(i.arguments[1]).arguments[0]);
  return given == *b || may_tell_at_ends(i, *b, r) ? *b : given;
}

std::optional<Replacement> count_of_pieces(const Instr& i, const Rewriting& r) {
  const std::optional<StreamId> b = flags_of_pieces(i, r);
  if (!b || r.at(i.arguments[0]).opcode != Opcode::Terminated) return std::nullopt;
  return instead(i, Opcode::TerminatedCount, {*b});
}
std::optional<Replacement> pieces(const Instr& i, const Rewriting& r) {
  const std::optional<StreamId> b = flags_of_pieces(i, r);
  return b ? std::optional<Replacement>(instead(i, Opcode::UsegsumB2u, {i.arguments[0], *b})) : std::nullopt;
}
std::optional<Replacement> all_of(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Usegsum || !is_one_segment(r, i.arguments[0])) return std::nullopt;
  return instead(i, Opcode::AllOf, {i.arguments[1]});
}
std::optional<Replacement> last_flag(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Short || r.at(i.arguments[0]).opcode != Opcode::Terminated) return std::nullopt;
  return instead(i, Opcode::LastFlag, {r.at(i.arguments[0]).arguments[0]});
}
std::optional<Replacement> segments_counted(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Segreduce || i.monoid() != Monoid::Plus) return std::nullopt;
  const Instr* b = counted(r, i.arguments[0]);
  return b ? std::optional<Replacement>(instead(i, Opcode::Segcount, {b->id, i.arguments[1]})) : std::nullopt;
}
std::optional<Replacement> all_counted(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Reduce || i.monoid() != Monoid::Plus) return std::nullopt;
  const Instr* b = counted(r, i.arguments[0]);
  return b ? std::optional<Replacement>(instead(i, Opcode::CountTrue, {b->id})) : std::nullopt;
}

constexpr Rule rules[] = {
    {"usegsum (terminated s) (b2u b) = terminated_count b", count_of_pieces},
    {"usegsum f (b2u b) = usegsum_b2u f b", pieces},
    {"usegsum f g = all_of g, f of one segment", all_of},
    {"short (terminated s) = last_flag s", last_flag},
    {"segreduce_plus (map_i64 b) f = segcount b f", segments_counted},
    {"reduce_plus (map_i64 b) = count_true b", all_counted},
};

// Counts of Booleans before each element of its segment, compared with a number for each segment.
std::optional<Replacement> counts_compared(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Map || !snesl::is_comparison(i.op())) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    const Instr &count = r.at(i.arguments[k]), &number = r.at(i.arguments[1 - k]);
    if (count.opcode != Opcode::Segscan || count.type != Prim::Int || count.monoid() != Monoid::Plus) continue;
    const Instr* b = counted(r, count.arguments[0]);
    if (!b || number.opcode != Opcode::Pdist || r.operand_of(number, 1) != Operand{count.arguments[1], true}) continue;
    Instr fused = instead(i, Opcode::CountCompare, {b->id, count.arguments[1], number.arguments[0]});
    fused.payload = svcode::Comparison{i.op(), static_cast<std::int64_t>(1 - k == 0)};
    return fused;
  }
  return std::nullopt;
}

std::optional<Replacement> one_at_each_end(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Segmerge || i.arguments.size() != 4 || i.type == Prim::Bool) return std::nullopt;
  if (!is_one_each(r, i.arguments[2]) || !is_constant(r.at(i.arguments[3]))) return std::nullopt;
  if (r.operand_of(i, 0).is_short || r.operand_of(i, 2).is_short) return std::nullopt;
  Instr ended = instead(i, Opcode::Ended, {i.arguments[0], i.arguments[1]});
  ended.payload = r.at(i.arguments[3]).atom();
  return ended;
}

constexpr Rule rules_by_form[] = {
    {"map_op (segscan_plus (map_i64 b) e) (pdist n (ends e)) = count_compare_op b e n", counts_compared},
    {"segmerge f s (to_flags 1) (rep a t) = ended a f s", one_at_each_end},
};

}  // namespace

// Those that begin pieces, `cons true e`, stand for those that end them, e, where e holds at the ends of f: there are
// as many in each segment.
std::optional<StreamId> pieces_of(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Usegsum) return std::nullopt;
  const Instr& g = r.at(i.arguments[1]);
  if (g.opcode != Opcode::B2u) return std::nullopt;
  const Instr& b = r.at(g.arguments[0]);
  if (b.opcode == Opcode::Cons && b.atom().integer && holds_at_ends(r, b.arguments[0], i.arguments[0]))
    return r.same(b.arguments[0]);
  return b.id;
}

std::span<const Rule> fusion_rules() { return rules; }
std::span<const Rule> fusion_by_form_rules() { return rules_by_form; }
Network fused(const Network& n) { return rewritten(n, rules); }
Network fused_by_form(const Network& n) { return rewritten(n, rules_by_form); }

}  // namespace lockstep::transducer
