// Streams that are there already under another name: traversals of a whole vector, forms of a descriptor that it was
// made of.
#include "translate/transducers/rules.h"
#include "translate/transducers/stages.h"

namespace lockstep::transducer {
namespace {

using svcode::Monoid;

// seq(tab(x)): the slices of all of the base, one after another.
std::optional<Replacement> whole_vector(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Gather) return std::nullopt;
  const Network& n = r.network();
  const Instr &starts = n.at(i.arguments[0]), &offsets = n.at(i.arguments[1]), &base = n.at(i.arguments[2]);
  if (starts.opcode != Opcode::Pdist || offsets.opcode != Opcode::Iotas || base.opcode != Opcode::Segtab)
    return std::nullopt;
  const Instr &sums = n.at(starts.arguments[0]), &flags = n.at(offsets.arguments[0]);
  if (starts.arguments[1] != flags.id || flags.opcode != Opcode::ToFlags || sums.opcode != Opcode::Scan)
    return std::nullopt;
  const Instr& lengths = n.at(flags.arguments[0]);
  const bool all = sums.monoid() == Monoid::Plus && sums.arguments[0] == lengths.id && lengths.opcode == Opcode::Lens &&
                   lengths.arguments[0] == base.arguments[1];
  return all ? std::optional<Replacement>(base.arguments[0]) : std::nullopt;
}

// What the one opcode makes of what the other has made.
template <Opcode Outer, Opcode Inner>
std::optional<Replacement> inverse(const Instr& i, const Rewriting& r) {
  if (i.opcode != Outer || r.at(i.arguments[0]).opcode != Inner) return std::nullopt;
  return r.at(i.arguments[0]).arguments[0];
}

std::optional<Replacement> joined_pieces(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Usegsum) return std::nullopt;
  const Instr& outer = r.at(i.arguments[0]);
  const Instr* inner = &r.at(i.arguments[1]);
  if (inner->opcode == Opcode::ToFlags) inner = &r.network().at(inner->arguments[0]);
  if (inner->opcode == Opcode::Lens) inner = &r.at(inner->arguments[0]);
  if (outer.opcode != Opcode::Usegsum || inner->opcode != Opcode::Ends) return std::nullopt;
  const std::optional<StreamId> b = pieces_of(outer, r);
  if (!b || *b != r.same(inner->arguments[0]) || !holds_at_ends(r, *b, outer.arguments[0])) return std::nullopt;
  return outer.arguments[0];
}

std::optional<Replacement> short_of_longer(const Instr& i, const Rewriting& r) {
  if (i.opcode != Opcode::Short || !ends_each(r, r.at(i.arguments[0]))) return std::nullopt;
  return r.at(i.arguments[0]).arguments[0];
}

constexpr Rule rules[] = {
    {"short (ends e) = e", inverse<Opcode::Short, Opcode::Ends>},
    {"lens (to_flags n) = n", inverse<Opcode::Lens, Opcode::ToFlags>},
    {"to_flags (lens f) = f", inverse<Opcode::ToFlags, Opcode::Lens>, true},
    {"so_gather (pdist (scan_plus n) (to_flags n)) (iotas (to_flags n)) (segtab x f) = x, n = lens f", whole_vector,
     true},
    {"usegsum (usegsum f (b2u b)) (ends b) = f, b at each end of f", joined_pieces},
    {"short (uappend f (to_flags 1)) = f", short_of_longer},
};

}  // namespace

std::span<const Rule> same_stream_rules() { return rules; }
Network same_streams(const Network& n) { return rewritten(n, rules); }

}  // namespace lockstep::transducer
