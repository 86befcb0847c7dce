// Clocks compared (clocks.h).
#include "translate/streamability/clocks.h"

#include <algorithm>

namespace lockstep::streaming {

std::optional<bool> Predicates::constant(Predicate p) const {
  const auto found = constants_.find(p.key);
  return found == constants_.end() ? std::nullopt : std::optional(found->second == p.positive);
}

bool Predicates::constant_in_parts(Predicate p, ClockId sequence, ConstantParts& found) const {
  if (const auto value = constant(p)) {
    if (*value) found.holds.push_back(sequence);
    found.all.push_back(sequence);
    return true;
  }
  const auto parts = parts_.find(p.key);
  return parts != parts_.end() && std::all_of(parts->second.begin(), parts->second.end(), [&](const Part& x) {
           return constant_in_parts(p.positive ? x.predicate : !x.predicate, x.clock, found);
         });
}

Clocks::Clocks(const Predicates& predicates) : predicates_(predicates) { add({}); }

ClockId Clocks::add(Clock c) {
  c.begins = now_;
  all_.add(std::move(c));
  return classes_.add();
}

ClockId Clocks::part(ClockId base, Predicate p) {
  if (predicates_.constant(p) == true) return base;
  const auto [at, is_new] = parts_.try_emplace(p);
  if (is_new) {
    Clock c;
    c.kind = Clock::Kind::Part;
    c.base = base;
    c.predicate = p;
    at->second = add(std::move(c));
  }
  return at->second;
}

void Clocks::join(ClockId kept, ClockId gone) {
  classes_.join(kept, gone);
  compared_.clear();
}

bool Clocks::same(ClockId a, ClockId b) {
  if (find(a) == find(b)) return true;
  const Clock &x = (*this)[a], &y = (*this)[b];
  const bool composed = x.kind == Clock::Kind::Flags || x.kind == Clock::Kind::Sequence;
  if (x.kind != y.kind || !composed) return false;
  // Different until shown to be the same: clocks may contain themselves where a program is about to be refused.
  if (!compared_.insert(std::minmax(find(a), find(b))).second) return false;
  bool equal = false;
  if (x.kind == Clock::Kind::Flags) equal = alike(*x.base, *y.base) && alike(*x.parent, *y.parent);
  if (x.kind == Clock::Kind::Sequence && x.parts.size() == y.parts.size()) {
    equal = same(*x.parent, *y.parent);
    for (std::size_t k = 0; equal && k < x.parts.size(); ++k) equal = alike(x.parts[k].clock, y.parts[k].clock);
  }
  if (equal) join(a, b);
  return equal;
}

bool Clocks::alike(ClockId a, ClockId b) { return same(a, b) || single_within(a, b) || single_within(b, a); }

void Clocks::unite(ClockId kept, ClockId gone) {
  if (find(kept) == find(gone)) return;
  Clock& k = (*this)[kept];
  const Clock& g = (*this)[gone];
  k.traversed.insert(k.traversed.end(), g.traversed.begin(), g.traversed.end());
  if (!k.single_in) k.single_in = g.single_in;
  join(kept, gone);
}

std::vector<ClockId> Clocks::picked_from(ClockId c) const {
  std::vector<ClockId> result;
  for (std::set<ClockId> seen; seen.insert(find(c)).second; c = *(*this)[c].base) {  // may be parts of one another
    result.push_back(c);
    if ((*this)[c].kind != Clock::Kind::Part) break;
  }
  return result;
}

// (Later parts may end pieces that begin before them.)
ClockId Clocks::first_part(ClockId c) const {
  const Clock& part = (*this)[c];
  if (part.kind != Clock::Kind::Part) return c;
  Predicates::ConstantParts found;
  const bool known = predicates_.constant_in_parts(part.predicate, *part.base, found);
  return known && found.holds.size() == 1 && found.holds[0] == found.all[0] ? found.holds[0] : c;
}

std::optional<TraversalId> Clocks::traversal_within(ClockId clock, ClockId parent) {
  struct Step {
    ClockId clock;
    std::optional<TraversalId> traversal;
  };
  std::vector<Step> steps = {{clock, std::nullopt}};
  std::set<ClockId> seen;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto [c, t] = steps[k];
    if (!seen.insert(find(c)).second) continue;
    if (same(c, parent)) return t;
    if ((*this)[c].kind == Clock::Kind::Part) steps.push_back({*(*this)[c].base, t});
    for (const Clock::Around& a : (*this)[c].traversed) steps.push_back({a.parent, a.traversal});
  }
  return std::nullopt;
}

InstrIndex Clocks::origin(ClockId c) const {
  const Clock* clock = &(*this)[c];
  while (clock->kind == Clock::Kind::Flags) clock = &(*this)[*clock->base];
  return clock->begins;
}

}  // namespace lockstep::streaming
