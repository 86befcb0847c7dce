// Clocks and spans of the streamability analysis: when two clocks are equal, and what is traversed with what.
#include <algorithm>
#include <set>

#include "translate/streamability/analysis.h"

namespace lockstep::streaming {

int Analysis::add_clock(Clock c) {
  c.instr = now_;
  clocks_.push_back(std::move(c));
  return clock_classes_.add();
}

void Analysis::join_clocks(int kept, int gone) {
  clock_classes_.join(clock(kept), clock(gone));
  differing_.clear();
}

bool Analysis::same(int a, int b) {
  if (clock(a) == clock(b)) return true;
  const Clock &x = of(a), &y = of(b);
  const bool composed = x.kind == Clock::Kind::Flags || x.kind == Clock::Kind::Sequence;
  if (x.kind != y.kind || !composed) return false;
  // Different until shown to be the same: clocks may contain themselves where a program is about to be refused.
  if (!differing_.insert(std::minmax(clock(a), clock(b))).second) return false;
  bool equal = false;
  if (x.kind == Clock::Kind::Flags) equal = alike(x.base, y.base) && alike(x.parent, y.parent);
  if (x.kind == Clock::Kind::Sequence && x.parts.size() == y.parts.size()) {
    equal = same(x.parent, y.parent);
    for (std::size_t k = 0; equal && k < x.parts.size(); ++k) equal = alike(x.parts[k].clock, y.parts[k].clock);
  }
  if (equal) join_clocks(a, b);
  return equal;
}

// One clock, or one has exactly one element for each of the other.
bool Analysis::alike(int a, int b) {
  std::vector<int> spans;
  return same(a, b) || one_way(a, b, &spans) || one_way(b, a, &spans);
}

int Analysis::add_span() {
  Span s;
  s.start = order_.add(), s.ready = order_.add(), s.end = order_.add();
  order_.before(s.start, s.ready, now_);
  order_.before(s.ready, s.end, now_);
  order_.together(s.start, s.ready);
  order_.together(s.start, s.end);
  spans_.push_back(s);
  together_.add();
  return locksteps_.add();
}

void Analysis::traverse(int child, int parent, int span) { of(child).traversed.push_back({parent, span}); }

// The traversal of the clock's elements in each element of the parent, which is somewhere around it.
int Analysis::span_between(int child, int parent) {
  std::vector<int> within;
  std::set<int> seen;  // clocks that have met may lie around each other
  const auto find = [&]() -> int {
    for (int at = child; seen.insert(clock(at)).second;) {
      std::vector<int> spans;
      for (const Clock::Traversed& t : of(at).traversed)
        if (same(t.parent, parent) || (of(t.parent).for_parent && one_way(t.parent, parent, &spans))) return t.span;
      within.push_back(at);
      const Clock& c = of(at);
      at = c.kind == Clock::Kind::Part || c.kind == Clock::Kind::Flags ? c.base : c.parent;
      if (at < 0 || same(at, parent)) break;
    }
    return add_span();
  };
  const int result = find();
  for (auto c = within.rbegin(); c != within.rend(); ++c) traverse(*c, parent, result);
  return result;
}

// The traversal around what the clock counts, in which an element of the parent is the same: none where the clock
// itself counts the parent's elements, or some of them.
std::optional<int> Analysis::span_within(int child, int parent) {
  struct Step {
    int clock;
    std::optional<int> span;
  };
  std::vector<Step> steps = {{child, std::nullopt}};
  std::set<int> seen;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto [c, s] = steps[k];
    if (!seen.insert(clock(c)).second) continue;
    if (same(c, parent)) return s;
    if (of(c).kind == Clock::Kind::Part) steps.push_back({of(c).base, s});
    for (const Clock::Traversed& t : of(c).traversed) steps.push_back({t.parent, t.span});
  }
  return std::nullopt;
}

int Analysis::new_source(int parent) {
  Clock c;
  c.kind = Clock::Kind::Source;
  c.parent = parent;
  const int result = add_clock(std::move(c));
  traverse(result, parent, add_span());
  return result;
}

int Analysis::part(int base, Predicate p) {
  const auto constant = constants_.find(p.key);
  if (constant != constants_.end() && constant->second == p.positive) return base;
  const auto [at, is_new] = parts_.try_emplace(p, 0);
  if (is_new) {
    Clock c;
    c.kind = Clock::Kind::Part;
    c.base = base;
    c.predicate = p;
    at->second = add_clock(std::move(c));
  }
  return at->second;
}

// The clock and those that it is a part of, each a part of the next. Clocks that have met may be parts of one another.
std::vector<int> Analysis::picked_from(int c) {
  std::vector<int> result;
  for (std::set<int> seen; seen.insert(clock(c)).second; c = of(c).base) {
    result.push_back(c);
    if (of(c).kind != Clock::Kind::Part) break;
  }
  return result;
}

// Whether p is constant in each part of the sequence whose elements a clock counts, and in which it holds.
bool Analysis::constant_parts(Predicate p, int c, std::vector<int>* holds, std::vector<int>* all) {
  if (const auto constant = constants_.find(p.key); constant != constants_.end()) {
    if (constant->second == p.positive) holds->push_back(c);
    all->push_back(c);
    return true;
  }
  const auto parts = sequences_.find(p.key);
  return parts != sequences_.end() && std::all_of(parts->second.begin(), parts->second.end(), [&](const Part& x) {
           return constant_parts(p.positive ? x.predicate : !x.predicate, x.clock, holds, all);
         });
}

// What is picked from a sequence where that is its first part, as `!f` picks s in f = {false : _ in s} ++ {true}.
// (Later parts may end pieces that begin before them.)
int Analysis::part_picked(int c) {
  std::vector<int> holds, all;
  const bool known = of(c).kind == Clock::Kind::Part && constant_parts(of(c).predicate, of(c).base, &holds, &all);
  return known && holds.size() == 1 && holds[0] == all[0] ? holds[0] : c;
}

void Analysis::contain(int outer, int inner) {
  order_.before(span(outer).start, span(inner).start, now_);
  order_.before(span(outer).ready, span(inner).ready, now_);
  order_.before(span(inner).end, span(outer).end, now_);
  order_.together(span(outer).start, span(inner).start);
  together_.join(outer, inner);
  span(outer).inner.push_back(inner);
}

std::vector<Span::Seam> Analysis::seams_of(int s) {
  std::vector<int> spans = {locksteps_.find(s)};
  std::set<int> seen(spans.begin(), spans.end());
  std::vector<Span::Seam> seams;
  for (std::size_t k = 0; k < spans.size(); ++k) {
    const Span& here = span(spans[k]);
    seams.insert(seams.end(), here.seams.begin(), here.seams.end());
    for (const int inner : here.inner)
      if (seen.insert(locksteps_.find(inner)).second) spans.push_back(locksteps_.find(inner));
  }
  return seams;
}

// A segment of each descriptor in turn; where one of two is empty always, it is the other. Parts of one clock by a
// predicate and by its negation make that clock again.
Clock::Piece Analysis::in_turn(const std::vector<Descriptor>& ds, const std::vector<int>& values) {
  const auto [at, is_new] = in_turn_.try_emplace(values, Clock::Piece{});
  if (!is_new) return at->second;
  const int parent = ds[0].parent;
  const bool either = ds.size() == 2 && ds[0].guard && ds[1].guard && *ds[0].guard == !*ds[1].guard;
  int clock_of_all = -1;
  const auto constant = either ? constants_.find(ds[0].guard->key) : constants_.end();
  if (constant != constants_.end()) {
    clock_of_all = ds[constant->second == ds[0].guard->positive ? 0 : 1].child;
  } else if (either) {
    const Clock &x = of(ds[0].child), &y = of(ds[1].child);
    const bool parts = x.kind == Clock::Kind::Part && y.kind == Clock::Kind::Part;
    if (parts && x.predicate == !y.predicate && same(x.base, y.base)) clock_of_all = x.base;
  }
  const bool one =
      std::all_of(ds.begin(), ds.end(), [&](const Descriptor& d) { return locksteps_.same(d.span, ds[0].span); });
  if (either && one && clock_of_all >= 0) return at->second = {clock_of_all, ds[0].span};

  const int whole = add_span();
  for (std::size_t k = 0; k < ds.size(); ++k) {
    contain(whole, ds[k].span);
    // What is in the first of a segment (`the`) is gone through within the segment, so not after it.
    if (const auto first = within_.find(ds[k].span); first != within_.end())
      order_.before(span(ds[k].span).end, span(first->second).end, now_);
    if (either || k == 0) continue;
    const Span::Seam seam{span(ds[k - 1].span).end, span(ds[k].span).start};
    order_.before(seam.end, seam.start, now_);
    span(whole).seams.push_back(seam);
  }
  if (clock_of_all < 0) {
    Clock c;
    c.kind = Clock::Kind::Sequence;
    c.parent = parent;
    for (const Descriptor& d : ds) c.parts.push_back({d.child, d.span});
    clock_of_all = add_clock(std::move(c));
    traverse(clock_of_all, parent, whole);
  }
  return at->second = {clock_of_all, whole};
}

}  // namespace lockstep::streaming
