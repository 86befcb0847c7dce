// The rules for one traversal after another, a segment of each. Each is headed by what waits for what.
#include "translate/streamability/rules.h"

#include <algorithm>

#include "translate/streamability/descriptors.h"
#include "translate/streamability/reading.h"

namespace lockstep::streaming::rules {
namespace {

using Values = std::vector<ValueId>;

// Of two descriptors each is empty where the other is not.
bool alternate(const std::vector<Descriptor>& ds) {
  return ds.size() == 2 && ds[0].guard && ds[1].guard && *ds[0].guard == !*ds[1].guard;
}

// What two that alternate make up: the one that is there always, or what both are parts of by a predicate and its
// negation.
std::optional<ClockId> made_up_by(Analysis& a, const Descriptor& d, const Descriptor& other) {
  if (const auto there = a.predicates.constant(*d.guard)) return *there ? d.child : other.child;
  const Clock &x = a.clocks[d.child], &y = a.clocks[other.child];
  const bool parts = x.kind == Clock::Kind::Part && y.kind == Clock::Kind::Part;
  if (parts && x.predicate == !y.predicate && a.clocks.same(*x.base, *y.base)) return x.base;
  return std::nullopt;
}

ClockId concatenated(Analysis& a, const std::vector<Descriptor>& ds) {
  Clock c;
  c.kind = Clock::Kind::Sequence;
  c.parent = ds[0].parent;
  for (const Descriptor& d : ds) c.parts.push_back({d.child, d.traversal});
  return a.clocks.add(std::move(c));
}

// A segment of each descriptor in turn; where one of two is empty always, it is the other.
Clock::Traversed in_turn(Analysis& a, const std::vector<Descriptor>& ds, const Values& values) {
  const bool either = alternate(ds);
  const auto [at, is_new] = a.concatenations.try_emplace(values);
  if (is_new) {
    const std::optional<ClockId> clock = either ? made_up_by(a, ds[0], ds[1]) : std::nullopt;
    const bool one = std::all_of(
        ds.begin(), ds.end(), [&](const Descriptor& d) { return a.traversals.merged(d.traversal, ds[0].traversal); });
    at->second = {clock ? *clock : concatenated(a, ds), one && clock ? ds[0].traversal : a.traversals.add()};
    if (!clock) traverse(a, {at->second.clock, ds[0].parent, at->second.traversal, {}});
  }
  // Equal values may be gone through in other traversals, so each concatenation of them has its own order.
  const TraversalId whole = at->second.traversal;
  for (std::size_t k = 0; k < ds.size(); ++k) {
    if (a.traversals.merged(ds[k].traversal, whole)) continue;
    a.traversals.contain(whole, ds[k].traversal);
    if (const auto segment = a.traversals.segment_of(ds[k].traversal))
      a.order.before(a.traversals[ds[k].traversal].end, a.traversals[*segment].end);
    if (!either && k > 0) a.traversals.follow(whole, ds[k - 1].traversal, ds[k].traversal);
  }
  return at->second;
}

// A descriptor that may count pieces: as late as they are.
void define_counting(Analysis& a, const Descriptor& d, Stream& now) {
  if (d.counts_pieces) a.counting[a.clocks.find(d.child)].push_back(now.event);
  define(a, d, now);
}

}  // namespace

// umerge f1 ... fk: the segments of all in turn, k for each element of the parent.
void umerge(Analysis& a, const Instr& i, Stream& now) {
  std::vector<Descriptor> ds;
  Values values;
  for (const StreamId f : i.arguments) {
    ds.push_back(descriptor(a, f));
    values.push_back(a.streams[f].value);
    parents_meet(a, ds.back().parent, ds[0].parent, a.traversals[ds.back().traversal].start);
    reads(a, a.streams[f], now.event);
  }
  const Clock::Traversed all = in_turn(a, ds, values);
  const Descriptor parents = new_source(a, ds[0].parent);
  a.traversals.contain(parents.traversal, all.traversal);
  const Descriptor d{all.clock, parents.child, a.traversals.add(), {}};
  a.traversals.beside(d.traversal, all.traversal);
  traverse(a, d);
  define(a, d, now);
}

// uappend f1 ... fk; segmerge f1 s1 ... fk sk.
void merge_segments(Analysis& a, const Instr& i, Stream& now) {
  const bool elements = i.opcode == Opcode::Segmerge;
  std::vector<Descriptor> ds;
  Values values;
  std::vector<Predicates::Part> parts;
  for (std::size_t k = 0; k < i.arguments.size(); k += elements ? 2 : 1) {
    const Stream& f = a.streams[i.arguments[k]];
    const Descriptor d = descriptor(a, i.arguments[k]);
    ds.push_back(d);
    values.push_back(f.value);
    parents_meet(a, d.parent, ds[0].parent, a.traversals[d.traversal].start, d.traversal);
    uses(a, f, now.event);
    carries(a, f, now);
    if (!elements) {
      a.order.before(f.event, now.event);
      continue;
    }
    const Stream& s = a.streams[i.arguments[k + 1]];
    meet(a, s, d.child, now.event);
    reads(a, s, now.event);
    parts.push_back({s.predicate, d.child});
    if (d.picks || at_most_one(a, d)) waits(a, s, a.traversals[d.traversal].end);
  }
  const Clock::Traversed all = in_turn(a, ds, values);
  now.clock = all.clock;
  if (elements) {
    a.predicates.set_parts(now.predicate.key, std::move(parts));
    return;
  }
  Descriptor d{all.clock, ds[0].parent, all.traversal, {}};
  for (const Descriptor& part : ds) d.counts_pieces |= part.counts_pieces;
  define_counting(a, d, now);
}

// usegmerge f1 g1 ... fk gk: as segmerge, and the elements are the segments of g.
void usegmerge(Analysis& a, const Instr& i, Stream& now) {
  std::vector<Descriptor> outer, inner, all;
  Values outer_values, all_values;
  for (std::size_t k = 0; k < i.arguments.size(); k += 2) {
    const StreamId f = i.arguments[k], g = i.arguments[k + 1];
    outer.push_back(descriptor(a, f));
    inner.push_back(descriptor(a, g));
    outer_values.push_back(a.streams[f].value);
    Instr flattened;
    flattened.opcode = Opcode::Usegsum, flattened.type = snesl::Prim::Bool;  // as the program has it
    flattened.arguments = {f, g};
    all_values.push_back(value_of(a, flattened));
    all.push_back(flat(a, outer.back(), inner.back(), all_values.back()));
    parents_meet(a, outer.back().parent, outer[0].parent, a.traversals[outer.back().traversal].start);
    parents_meet(a, inner.back().parent, outer.back().child, a.traversals[inner.back().traversal].ready);
    before_segment(a, a.streams[f], inner.back(), now);
    reads(a, a.streams[g], now.event);
  }
  const Clock::Traversed parents = in_turn(a, outer, outer_values), children = in_turn(a, all, all_values);
  // What is gone through with the only element of a segment is gone through in it.
  for (std::size_t k = 0; k < inner.size(); ++k)
    if (at_most_one(a, outer[k]) || a.clocks.single_within(outer[k].child, inner[k].parent))
      a.traversals.contain(parents.traversal, inner[k].traversal);
  TraversalId traversal = inner[0].traversal;
  if (a.clocks.same(parents.clock, outer[0].parent)) {
    traversal = children.traversal;
  } else if (!std::all_of(inner.begin(), inner.end(),
                          [&](const Descriptor& d) { return a.traversals.merged(d.traversal, inner[0].traversal); })) {
    traversal = a.traversals.add();
    for (const Descriptor& d : inner) a.traversals.contain(traversal, d.traversal);
  }
  Descriptor d{children.clock, parents.clock, traversal, {}};
  d.all = Clock::Around{outer[0].parent, children.traversal};
  traverse(a, d);
  for (const Descriptor& part : inner) d.pieces |= part.pieces;
  for (const Descriptor& part : all) d.counts_pieces |= part.counts_pieces;
  define_counting(a, d, now);
}

}  // namespace lockstep::streaming::rules
