// Meetings in the streamability analysis: streams of two clocks that are used together, and traversals that are one
// from there on.
#include <algorithm>
#include <set>

#include "translate/streamability/analysis.h"

namespace lockstep::streaming {

// Whether each element of `to` has exactly one of `from`, which is then inside the spans returned. `constructed`: also
// where the clocks around are equal by construction.
bool Analysis::one_way(int from, int to, std::vector<int>* spans, bool constructed) {
  std::set<int> seen;  // merged traversals of one element each may stand around one another
  for (int c = from; of(c).single_in && seen.insert(clock(c)).second; c = of(c).single_in->parent) {
    spans->push_back(of(c).single_in->span);
    const int around = of(c).single_in->parent;
    if (same(around, to) || (constructed && by_construction(around, to))) return true;
  }
  return false;
}

// A stream counted by one clock is used where another is expected: an element outside may be used for the only one
// inside, before that traversal; and the only one inside for the element outside, after it.
void Analysis::agree(StreamId x, int expected, Node consumer) {
  const int found = stream(x).clock;
  if (same(found, expected) || stream(x).unbounded || stream(x).keeps_any_pace) return;
  for (const bool constructed : {false, true}) {
    std::vector<int> spans;
    if (one_way(expected, found, &spans, constructed)) {
      for (const int s : spans) waits(x, span(s).ready);
      return;
    }
    spans.clear();
    if (one_way(found, expected, &spans, constructed)) {
      for (const int s : spans) order_.before(span(s).end, consumer, now_);
      return;
    }
    if (!constructed && by_construction(found, expected)) return;
  }
  // Each is the only one in an element of what is around both.
  std::set<int> seen;  // as in one_way
  for (int around = found; of(around).single_in && seen.insert(clock(around)).second && !same(around, root_clock);) {
    around = of(around).single_in->parent;
    std::vector<int> left, entered;
    if (!one_way(found, around, &left) || !one_way(expected, around, &entered)) continue;
    for (const int s : left)
      for (const int t : entered) order_.before(span(s).end, span(t).ready, now_);
    return;
  }
  refuse_meeting(found, expected);
}

// Equal lengths without a check: known to the translation (a literal sequence) or proved by an optimisation. What lies
// around them is then one traversal as well: in {[x] : x in {1, 6}} the literal's elements and its descriptor's meet at
// [x].
void Analysis::unchecked(int a, int b) {
  if (!by_construction(a, b)) refuse_meeting(a, b);
}

// `nesting` ends it where merged traversals stand around one another.
bool Analysis::by_construction(int a, int b, int nesting) {
  for (const Clock::Traversed& s : std::vector(of(a).traversed))
    for (const Clock::Traversed& t : std::vector(of(b).traversed)) {
      std::vector<int> around;  // of which one is the only element
      const bool in_one = same(s.parent, t.parent) || one_way(s.parent, t.parent, &around) ||
                          (around.clear(), one_way(t.parent, s.parent, &around)) ||
                          (nesting > 0 && by_construction(s.parent, t.parent, nesting - 1));
      if (!in_one || !merge(a, b, s.span, t.span)) continue;
      for (const int o : around) contain(o, t.span);
      return true;
    }
  return false;
}

void Analysis::parents_agree(int a, int b, Node consumer, int inside) {
  if (same(a, b)) return;
  std::vector<int> spans;
  if (one_way(a, b, &spans) || (spans.clear(), one_way(b, a, &spans))) {
    // What is in the first of a segment, `inside`, does not wait for the segment's end.
    const auto first = within_.find(inside);
    for (const int s : spans)
      if (first == within_.end() || !locksteps_.same(s, first->second)) order_.before(span(s).end, consumer, now_);
    return;
  }
  unchecked(a, b);
}

// Sequences of the same parts but for one are one traversal if those are.
bool Analysis::merge_parts(int a, int b) {
  const std::vector<Clock::Piece> ps = of(a).parts, qs = of(b).parts;
  if (ps.size() != qs.size() || ps.empty() || !same(of(a).parent, of(b).parent)) return false;
  std::optional<std::size_t> other;
  for (std::size_t k = 0; k < ps.size(); ++k) {
    if (alike(ps[k].clock, qs[k].clock)) continue;
    if (other) return false;
    other = k;
  }
  if (other && ps.size() == 1) return false;
  if (other && !merge(ps[*other].clock, qs[*other].clock, ps[*other].span, qs[*other].span)) return false;
  return same(a, b);
}

// One traversal from now on, unless both are parts of one traversal already.
bool Analysis::merge(int a, int b, int span_a, int span_b) {
  const bool together = locksteps_.same(span_a, span_b) || together_.same(span_a, span_b);
  if (together && same(a, b)) return true;
  if (const int x = part_picked(a), y = part_picked(b); together && (x != a || y != b) && same(x, y)) {
    for (const int c : {y, a, b}) one_clock(x, c);
    return true;
  }
  // Clocks that have met may be parts of one another: such are refused.
  if (merging_ >= 64) return false;
  ++merging_;
  const bool by_parts = merge_parts(a, b);
  --merging_;
  if (by_parts) return true;
  if (locksteps_.same(span_a, span_b)) return false;
  // Sequences that go through something in common, at distances that are not constant, whatever the spans are.
  const auto gone_through = [&](int c) {
    std::set<int> sources;
    std::vector<int> open = {clock(c)};
    for (std::set<int> seen; !open.empty();) {
      const int at = open.back();
      open.pop_back();
      if (!seen.insert(at).second) continue;
      if (of(at).kind == Clock::Kind::Part) open.push_back(clock(of(at).base));
      for (const Clock::Piece& p : of(at).parts) open.push_back(clock(p.clock));
      if (of(at).kind == Clock::Kind::Source) sources.insert(at);
    }
    return sources;
  };
  const auto is_sequence = [&](int c) { return of(picked_from(c).back()).kind == Clock::Kind::Sequence; };
  if (is_sequence(a) || is_sequence(b)) {
    const std::set<int> x = gone_through(a), y = gone_through(b);
    if (std::any_of(x.begin(), x.end(), [&](int c) { return y.count(c); })) return false;
  }
  // Parts of one may lie beside any part of the other, so none may wait for the other's.
  Forbidden there{{}, {}, now_}, back{{}, {}, now_};
  for (const Span::Seam& s : seams_of(span_a)) there.from.push_back(s.end), back.to.push_back(s.start);
  for (const Span::Seam& s : seams_of(span_b)) there.to.push_back(s.start), back.from.push_back(s.end);
  if (!there.from.empty() && !there.to.empty()) {
    forbidden_.push_back(std::move(there));
    forbidden_.push_back(std::move(back));
  }
  const Span x = span(span_a), y = span(span_b);
  order_.identify(x.start, y.start, now_);
  order_.identify(x.ready, y.ready, now_);
  order_.identify(x.end, y.end, now_);
  order_.together(x.start, y.start);
  together_.join(span_a, span_b);
  locksteps_.join(span_a, span_b);
  Span& both = span(span_a);
  both.seams.insert(both.seams.end(), y.seams.begin(), y.seams.end());
  both.inner.insert(both.inner.end(), y.inner.begin(), y.inner.end());

  const bool free = of(a).kind == Clock::Kind::Source;
  one_clock(free ? b : a, free ? a : b);
  return true;
}

// What is known of either is known of both.
void Analysis::one_clock(int kept, int gone) {
  if (clock(kept) == clock(gone)) return;
  Clock& k = of(kept);
  const Clock& g = of(gone);
  k.traversed.insert(k.traversed.end(), g.traversed.begin(), g.traversed.end());
  if (!k.single_in) k.single_in = g.single_in;
  join_clocks(kept, gone);
}

void Analysis::same_traversal(const Descriptor& a, const Descriptor& b) {
  parents_agree(a.parent, b.parent, span(b.span).start);
  if (!merge(a.child, b.child, a.span, b.span)) refuse_meeting(a.child, b.child);
}

}  // namespace lockstep::streaming
