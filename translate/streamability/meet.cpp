// Streams of two clocks that are used together, and traversals that are one from there on (meet.h).
#include "translate/streamability/meet.h"

#include <algorithm>
#include <set>

#include "translate/streamability/conflict.h"

namespace lockstep::streaming {
namespace {

[[noreturn]] void refuse(const Loops& l, ClockId a, ClockId b) {
  throw DifferentPaces{l.order.now(), l.clocks.origin(a), l.clocks.origin(b)};
}

// Sequences of the same parts but for one are one traversal if those are.
bool merge(Loops& l, Clock::Traversed a, Clock::Traversed b, int nesting);
bool merge_parts(Loops& l, ClockId a, ClockId b, int nesting) {
  const std::vector<Clock::Traversed> ps = l.clocks[a].parts, qs = l.clocks[b].parts;
  if (ps.size() != qs.size() || ps.empty() || !l.clocks.same(*l.clocks[a].parent, *l.clocks[b].parent)) return false;
  std::optional<std::size_t> other;
  for (std::size_t k = 0; k < ps.size(); ++k) {
    if (l.clocks.alike(ps[k].clock, qs[k].clock)) continue;
    if (other) return false;
    other = k;
  }
  if (other && ps.size() == 1) return false;
  if (other && !merge(l, ps[*other], qs[*other], nesting)) return false;
  return l.clocks.same(a, b);
}

// The traversals of their own that a clock's elements are made of.
std::set<ClockId> sources_of(const Clocks& clocks, ClockId c) {
  std::set<ClockId> sources, seen;
  std::vector<ClockId> open = {clocks.find(c)};
  while (!open.empty()) {
    const ClockId at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    if (clocks[at].kind == Clock::Kind::Part) open.push_back(clocks.find(*clocks[at].base));
    for (const Clock::Traversed& p : clocks[at].parts) open.push_back(clocks.find(p.clock));
    if (clocks[at].kind == Clock::Kind::Source) sources.insert(at);
  }
  return sources;
}

// Sequences that go through something in common, at distances that are not constant, whatever their traversals are.
bool at_other_distances(const Clocks& clocks, ClockId a, ClockId b) {
  const auto is_sequence = [&](ClockId c) {
    return clocks[clocks.picked_from(c).back()].kind == Clock::Kind::Sequence;
  };
  if (!is_sequence(a) && !is_sequence(b)) return false;
  const std::set<ClockId> x = sources_of(clocks, a), y = sources_of(clocks, b);
  return std::any_of(x.begin(), x.end(), [&](ClockId c) { return y.contains(c); });
}

// One traversal from now on, unless both are parts of one traversal already.
bool merge(Loops& l, Clock::Traversed a, Clock::Traversed b, int nesting = 0) {
  const bool merged = l.traversals.merged(a.traversal, b.traversal);
  const bool together = merged || l.traversals.together(a.traversal, b.traversal);
  if (together && l.clocks.same(a.clock, b.clock)) return true;
  const ClockId x = l.clocks.first_part(a.clock), y = l.clocks.first_part(b.clock);
  if (together && (x != a.clock || y != b.clock) && l.clocks.same(x, y)) {
    for (const ClockId c : {y, a.clock, b.clock}) l.clocks.unite(x, c);
    return true;
  }
  // Clocks that have met may be parts of one another: such are refused.
  constexpr int deepest = 64;
  if (nesting >= deepest) return false;
  if (merge_parts(l, a.clock, b.clock, nesting + 1)) return true;
  if (l.traversals.merged(a.traversal, b.traversal)) return false;
  if (at_other_distances(l.clocks, a.clock, b.clock)) return false;
  l.traversals.merge(a.traversal, b.traversal);
  const bool of_its_own = l.clocks[a.clock].kind == Clock::Kind::Source;
  if (of_its_own)
    l.clocks.unite(b.clock, a.clock);
  else
    l.clocks.unite(a.clock, b.clock);
  return true;
}

// Equal lengths without a check: known to the translation (a literal sequence) or proved by an optimisation. What lies
// around them is then one traversal as well: in {[x] : x in {1, 6}} the literal's elements and its descriptor's meet at
// [x]. Traversals of one clock are asked before those whose clocks would have to become one: of two that are gone
// through in the one element of the program and in elements of it, the former says which lengths are equal. `nesting`
// ends it where merged traversals stand around one another.
bool by_construction(Loops& l, ClockId a, ClockId b, int nesting = 3) {
  const std::vector<Clock::Around> xs = l.clocks[a].traversed, ys = l.clocks[b].traversed;
  for (const bool around_too : {false, true})
    for (const Clock::Around& s : xs)
      for (const Clock::Around& t : ys) {
        Clocks::Nesting around;  // of which one is the only element
        const auto single = [&](ClockId inner, ClockId outer) {
          around = l.clocks.single_within(inner, outer);
          return around.holds;
        };
        const bool in_one = l.clocks.same(s.parent, t.parent) || single(s.parent, t.parent) ||
                            single(t.parent, s.parent) ||
                            (around_too && nesting > 0 && by_construction(l, s.parent, t.parent, nesting - 1));
        if (!in_one || !merge(l, {a, s.traversal}, {b, t.traversal})) continue;
        for (const TraversalId outer : around.traversals) l.traversals.contain(outer, t.traversal);
        return true;
      }
  return false;
}

Clocks::Nesting single_by_construction(Loops& l, ClockId inner, ClockId outer) {
  return l.clocks.single_within_any(
      inner, [&](ClockId around) { return l.clocks.same(around, outer) || by_construction(l, around, outer); });
}

// Each is the only one in an element of what is around both: that inside one traversal, after the other.
bool meet_around(Loops& l, ClockId found, ClockId expected) {
  std::set<ClockId> seen;  // merged traversals of one element each may stand around one another
  ClockId around = found;
  while (l.clocks[around].single_in && seen.insert(l.clocks.find(around)).second &&
         !l.clocks.same(around, root_clock)) {
    around = l.clocks[around].single_in->parent;
    const Clocks::Nesting out = l.clocks.single_within(found, around);
    if (!out) continue;
    const Clocks::Nesting in = l.clocks.single_within(expected, around);
    if (!in) continue;
    for (const TraversalId s : out.traversals)
      for (const TraversalId t : in.traversals) l.order.before(l.traversals[s].end, l.traversals[t].ready);
    return true;
  }
  return false;
}

}  // namespace

TraversalId traversal_between(Loops& l, ClockId child, ClockId parent) {
  std::vector<ClockId> within;
  std::set<ClockId> seen;  // clocks that have met may lie around each other
  const auto find = [&]() -> TraversalId {
    for (ClockId at = child; seen.insert(l.clocks.find(at)).second;) {
      for (const Clock::Around& t : l.clocks[at].traversed)
        if (l.clocks.same(t.parent, parent) ||
            (l.clocks[t.parent].stands_for_parent && l.clocks.single_within(t.parent, parent)))
          return t.traversal;
      within.push_back(at);
      const Clock& c = l.clocks[at];
      const auto& outer = c.kind == Clock::Kind::Part || c.kind == Clock::Kind::Flags ? c.base : c.parent;
      if (!outer || l.clocks.same(*outer, parent)) break;
      at = *outer;
    }
    return l.traversals.add();
  };
  const TraversalId result = find();
  for (auto c = within.rbegin(); c != within.rend(); ++c) l.clocks[*c].traversed.push_back({parent, result});
  return result;
}

void traverse(Loops& l, const Descriptor& d) { l.clocks[d.child].traversed.push_back({d.parent, d.traversal}); }

Descriptor new_source(Loops& l, ClockId parent) {
  Clock c;
  c.kind = Clock::Kind::Source;
  c.parent = parent;
  const Descriptor d{l.clocks.add(std::move(c)), parent, l.traversals.add(), {}};
  traverse(l, d);
  return d;
}

void waits(Loops& l, const Stream& x, Event v) {
  l.order.before(x.event, v, x.counts_pieces() ? other_loop : 0);
  for (const FirstFlag& f : x.first_flags) l.order.before(l.traversals[f.traversal].end, v);
}

void meet(Loops& l, const Stream& x, ClockId expected, Event consumer) {
  const ClockId found = x.clock;
  if (l.clocks.same(found, expected) || x.in_memory || x.keeps_any_pace) return;
  for (const bool constructed : {false, true}) {
    const auto single = [&](ClockId inner, ClockId outer) {
      return constructed ? single_by_construction(l, inner, outer) : l.clocks.single_within(inner, outer);
    };
    if (const Clocks::Nesting in = single(expected, found)) {
      for (const TraversalId t : in.traversals) waits(l, x, l.traversals[t].ready);
      return;
    }
    if (const Clocks::Nesting out = single(found, expected)) {
      for (const TraversalId t : out.traversals) l.order.before(l.traversals[t].end, consumer);
      return;
    }
    if (!constructed && by_construction(l, found, expected)) return;
  }
  if (!meet_around(l, found, expected)) refuse(l, found, expected);
}

void parents_meet(Loops& l, ClockId a, ClockId b, Event consumer, std::optional<TraversalId> inside) {
  if (l.clocks.same(a, b)) return;
  Clocks::Nesting nesting = l.clocks.single_within(a, b);
  if (!nesting) nesting = l.clocks.single_within(b, a);
  if (nesting) {
    const auto segment = inside ? l.traversals.segment_of(*inside) : std::nullopt;
    for (const TraversalId t : nesting.traversals)
      if (!segment || !l.traversals.merged(t, *segment)) l.order.before(l.traversals[t].end, consumer);
    return;
  }
  if (!by_construction(l, a, b)) refuse(l, a, b);
}

void same_traversal(Loops& l, const Descriptor& a, const Descriptor& b) {
  parents_meet(l, a.parent, b.parent, l.traversals[b.traversal].start);
  if (!merge(l, {a.child, a.traversal}, {b.child, b.traversal})) refuse(l, a.child, b.child);
}

}  // namespace lockstep::streaming
