// Traversals, as events and edges of an Order (constraints.h).
#include "translate/streamability/constraints.h"

#include <set>

namespace lockstep::streaming {

TraversalId Traversals::add() {
  Traversal t;
  t.start = order_.add(), t.ready = order_.add(), t.end = order_.add();
  order_.before(t.start, t.ready);
  order_.before(t.ready, t.end);
  order_.together(t.start, t.ready);
  order_.together(t.start, t.end);
  together_.add();
  lockstep_.add();
  return all_.add(std::move(t));
}

void Traversals::contain(TraversalId outer, TraversalId inner) {
  const Traversal &o = (*this)[outer], &i = (*this)[inner];
  order_.before(o.start, i.start);
  order_.before(o.ready, i.ready);
  order_.before(i.end, o.end);
  beside(outer, inner);
  all_[find(outer)].inner.push_back(inner);
}

void Traversals::follow(TraversalId outer, TraversalId first, TraversalId second) {
  const Traversal::Seam seam{(*this)[first].end, (*this)[second].start};
  order_.before(seam.end, seam.start);
  all_[find(outer)].seams.push_back(seam);
}

void Traversals::beside(TraversalId a, TraversalId b) {
  order_.together((*this)[a].start, (*this)[b].start);
  together_.join(a, b);
}

std::optional<TraversalId> Traversals::segment_of(TraversalId inside) const {
  const auto found = first_of_.find(inside);
  return found == first_of_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Traversal::Seam> Traversals::seams_of(TraversalId t) const {
  std::vector<TraversalId> open = {find(t)};
  std::set<TraversalId> seen(open.begin(), open.end());
  std::vector<Traversal::Seam> seams;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const Traversal& here = (*this)[open[k]];
    seams.insert(seams.end(), here.seams.begin(), here.seams.end());
    for (const TraversalId inner : here.inner)
      if (seen.insert(find(inner)).second) open.push_back(find(inner));
  }
  return seams;
}

void Traversals::merge(TraversalId a, TraversalId b) {
  Forbidden there{{}, {}, order_.now()}, back{{}, {}, order_.now()};
  for (const Traversal::Seam& s : seams_of(a)) there.from.push_back(s.end), back.to.push_back(s.start);
  for (const Traversal::Seam& s : seams_of(b)) there.to.push_back(s.start), back.from.push_back(s.end);
  if (!there.from.empty() && !there.to.empty()) {
    forbidden_.push_back(std::move(there));
    forbidden_.push_back(std::move(back));
  }
  Traversal& x = all_[find(a)];
  const Traversal& y = all_[find(b)];
  order_.identify(x.start, y.start);
  order_.identify(x.ready, y.ready);
  order_.identify(x.end, y.end);
  beside(a, b);
  x.seams.insert(x.seams.end(), y.seams.begin(), y.seams.end());
  x.inner.insert(x.inner.end(), y.inner.begin(), y.inner.end());
  lockstep_.join(a, b);
}

}  // namespace lockstep::streaming
