// Descriptors made and read (descriptors.h).
#include "translate/streamability/descriptors.h"

#include <algorithm>

#include "translate/streamability/reading.h"

namespace lockstep::streaming::rules {

void cut(Analysis& a, const Descriptor& d, Predicate ends) {
  traverse(a, d);
  a.traversals.cut_up(d.traversal);
  a.piece_ends.cut(ends, d.traversal);
}

Descriptor descriptor(Analysis& a, StreamId s) {
  const Stream& x = a.streams[s];
  if (x.descriptor) return *x.descriptor;
  const Predicate p = x.predicate;
  const auto found = a.flags.find(p);
  if (found != a.flags.end()) return found->second;
  if (a.predicates.constant(p))  // all segments are empty
    return a.flags.emplace(p, new_source(a, x.clock)).first->second;
  Descriptor d{a.clocks.part(x.clock, !p), a.clocks.part(x.clock, p), a.traversals.add(), {}};
  d.pieces = true;
  cut(a, d, p);
  a.flags.emplace(p, d);
  return d;
}

void define(Analysis& a, const Descriptor& d, Stream& now) {
  Clock flags;
  flags.kind = Clock::Kind::Flags;
  flags.base = d.child;
  flags.parent = d.parent;
  now.clock = a.clocks.add(std::move(flags));
  now.descriptor = d;
  a.clocks.name_part(now.predicate, d.parent);
  a.clocks.name_part(!now.predicate, d.child);
}

void before_segment(Analysis& a, const Stream& x, const Descriptor& d, const Stream& now) {
  const Event ready = a.traversals[d.traversal].ready;
  uses(a, x, ready);
  a.order.before(x.event, ready, x.counts_pieces() ? other_loop : 0);
  for (const FirstFlag& f : x.first_flags) {
    const std::vector<ClockId> around = a.clocks.picked_from(d.child);
    const bool inside = std::any_of(around.begin(), around.end(), [&](ClockId c) { return a.clocks.same(c, f.child); });
    if (inside && a.traversals.merged(d.traversal, f.traversal))
      a.order.before(f.flag, now.event);
    else
      a.order.before(a.traversals[f.traversal].end, ready);
  }
}

void before_traversal(Analysis& a, const Stream& x, const Descriptor& d, const Stream& now) {
  meet(a, x, d.parent, a.traversals[d.traversal].ready);
  before_segment(a, x, d, now);
}

bool at_most_one(Analysis& a, const Descriptor& f) {
  if (f.counts_pieces) return false;
  const std::vector<ClockId> from = a.clocks.picked_from(f.child);
  return f.picks || std::any_of(from.begin(), from.end(), [&](ClockId c) { return a.clocks.same(c, f.parent); });
}

bool some_at_most_one(Analysis& a, const Descriptor& f) {
  const Clock& c = a.clocks[a.clocks.picked_from(f.child).back()];
  const std::vector<Clock::Traversed> parts = c.parts;
  return c.kind == Clock::Kind::Sequence && std::any_of(parts.begin(), parts.end(), [&](const Clock::Traversed& part) {
           const std::vector<ClockId> from = a.clocks.picked_from(part.clock);
           return std::any_of(from.begin(), from.end(), [&](ClockId x) { return a.clocks.same(x, f.parent); });
         });
}

Descriptor flat(Analysis& a, const Descriptor& f, const Descriptor& g, ValueId value) {
  Descriptor d{g.child, f.parent, f.traversal, f.guard, f.picks && g.picks};
  d.counts_pieces = g.counts_pieces;
  // Of the only element of a segment, also where a sequence of one says so.
  const bool around = !a.clocks.same(g.parent, f.child) && a.clocks.single_within(f.child, g.parent);
  if (at_most_one(a, f) || around) {
    const auto [known, is_new] = a.flattened.try_emplace(value);
    if (is_new) {
      known->second = a.traversals.add();
      a.traversals.contain(known->second, g.traversal);
      a.traversals.contain(known->second, f.traversal);
    }
    d.traversal = known->second;
  } else if (!a.clocks.same(g.parent, f.child) && a.clocks.alike(g.parent, f.parent)) {
    d.traversal = g.traversal;
  } else if (a.clocks[f.child].kind == Clock::Kind::Sequence && !a.traversals.merged(f.traversal, g.traversal)) {
    // What is appended ends with the segments of its last element.
    a.order.before(a.traversals[g.traversal].end, a.traversals[f.traversal].end);
    if (g.all && a.clocks.same(g.all->parent, f.parent))
      a.order.before(a.traversals[g.all->traversal].end, a.traversals[f.traversal].end);
  }
  return d;
}

ClockId picked(Analysis& a, ClockId c, StreamId b) {
  const ClockId result = a.clocks.part(c, a.streams[b].predicate);
  const Instr& first = a.streams.instr(b);
  if (first.opcode == Opcode::Map && first.op() == scalars::row<"==">() &&
      a.streams.instr(first.arguments[0]).opcode == Opcode::Iotas &&
      is_constant(a.streams.instr(first.arguments[1]), 0)) {
    const Descriptor d = descriptor(a, a.streams.instr(first.arguments[0]).arguments[0]);
    a.clocks[result].single_in = Clock::Around{d.parent, d.traversal};
    a.clocks[result].stands_for_parent = true;
  }
  return result;
}

}  // namespace lockstep::streaming::rules
