// The rules for descriptors: what they distribute, pick and cut. Each is headed by what waits for what.
#include "translate/streamability/rules.h"

#include "translate/streamability/descriptors.h"
#include "translate/streamability/reading.h"

namespace lockstep::streaming::rules {
namespace {

// A predicate in each element of the segments of f.
Predicate spread(Analysis& a, const Stream& b, const Stream& f) {
  const auto number = [](ValueId v) { return static_cast<std::int64_t>(v.number()); };
  const ValueId key = a.values.of({static_cast<std::int64_t>(Opcode::Pdist), number(b.predicate.key), number(f.value)});
  const Predicate result{key, b.predicate.positive};
  if (const auto value = a.predicates.constant(b.predicate)) a.predicates.set_constant(result, *value);
  return result;
}

}  // namespace

// pdist s f. Where f is of pieces, s may be as late as what counts the pieces.
void pdist(Analysis& a, const Instr& i, Stream& now) {
  const Stream &s = a.streams[i.arguments[0]], &f = a.streams[i.arguments[1]];
  const Descriptor d = descriptor(a, i.arguments[1]);
  before_traversal(a, s, d, now);
  reads(a, f, now.event);
  if (d.pieces)
    for (const ClockId c : a.clocks.picked_from(d.parent))
      for (const Event v : a.counting[a.clocks.find(c)]) {
        a.order.before(v, now.event);
        if (!s.in_memory) a.uses.push_back({s.instr, v, now.event});
      }
  now.clock = d.child;
  now.predicate = spread(a, s, f);
}

// upack f b: whole segments.
void upack(Analysis& a, const Instr& i, Stream& now) {
  const Stream &f = a.streams[i.arguments[0]], &b = a.streams[i.arguments[1]];
  Descriptor d = descriptor(a, i.arguments[0]);
  before_traversal(a, b, d, now);
  reads(a, f, now.event);
  d.child = a.clocks.part(d.child, spread(a, b, f));
  d.parent = picked(a, b.clock, i.arguments[1]);
  if (const Clock& c = a.clocks[d.parent]; c.stands_for_parent)
    a.traversals.first_of(d.traversal, c.single_in->traversal);
  d.guard.reset();
  traverse(a, d);
  define(a, d, now);
}

// b2u b: one element where b, none elsewhere. Where b ends pieces, its element comes with the end of the piece; where b
// is `cons T ends`, with the beginning: the same clock.
void b2u(Analysis& a, const Instr& i, Stream& now) {
  const Stream& b = a.streams[i.arguments[0]];
  const Instr& definition = a.streams.instr(i.arguments[0]);
  const bool heads = definition.opcode == Opcode::Cons && definition.atom() == snesl::bool_atom(true);
  const Predicate p = heads ? a.streams[definition.arguments[0]].predicate : b.predicate;
  Descriptor d{a.clocks.part(b.clock, p), b.clock, a.traversals.add(), p};
  d.picks = true;
  d.counts_pieces = heads;
  if (heads) d.guard.reset();
  uses(a, b, now.event);
  carries(a, b, now);
  a.order.before(b.event, a.traversals[d.traversal].start);
  if (!heads) a.piece_ends.pick(p, now.event);
  a.counting[a.clocks.find(d.child)].push_back(now.event);
  traverse(a, d);
  define(a, d, now);
}

// ends e: pieces of the traversal of e.
void ends(Analysis& a, const Instr& i, Stream& now) {
  const Stream& e = a.streams[i.arguments[0]];
  const Predicate p = e.predicate;
  Descriptor d{e.clock, a.clocks.part(e.clock, p), a.traversals.add(), {}};
  d.picks = a.predicates.constant(p) == true;  // each is a piece
  d.pieces = true;
  reads(a, e, now.event);
  cut(a, d, p);
  define(a, d, now);
}

// usegsum f g: an element of f, then its segment of g.
void usegsum(Analysis& a, const Instr& i, Stream& now) {
  const Stream &f = a.streams[i.arguments[0]], &g = a.streams[i.arguments[1]];
  const Descriptor df = descriptor(a, i.arguments[0]), dg = descriptor(a, i.arguments[1]),
                   d = flat(a, df, dg, value_of(a, i));
  parents_meet(a, dg.parent, df.child, a.traversals[dg.traversal].ready);
  before_segment(a, f, dg, now);
  reads(a, g, now.event);
  a.order.before(g.event, now.event);
  a.order.before(f.event, now.event);
  if (dg.picks) {
    waits(a, f, now.event);
    a.counting[a.clocks.find(d.child)].push_back(now.event);
    a.clocks[d.child].begins = a.order.now();  // reports name the whole comprehension
  }
  traverse(a, d);
  define(a, d, now);
}

// uempty f: with the first flag of each segment.
void uempty(Analysis& a, const Instr& i, Stream& now) {
  const StreamId f = i.arguments[0];
  const Descriptor d = descriptor(a, f);
  consumed(a, {f});
  a.order.before(a.traversals[d.traversal].start, now.event);
  now.clock = d.parent;
  now.first_flags = {{f, a.streams[f].event, d.child, d.traversal}};
}

}  // namespace lockstep::streaming::rules
