// What the costs of loops are made of: rounds, states, checks.
#pragma once
#include "semantics/core/cost.h"
#include "semantics/primitives/constant.h"

namespace lockstep {

inline Size scalars_in(const Type& t) {
  Size n = 0;
  for (const Leaf& leaf : leaves_of(t)) n = n + element_count(leaf);
  return n;
}
// Scalars and short vectors.
inline Size elements_in(const Type& t) {
  Size n = 0;
  for (const Leaf& leaf : leaves_of(t)) n = n + floor_div(element_count(leaf), leaf.width);
  return n;
}
inline Cost with_space(const Size& s, Cost c) {
  c.space = c.space + s;
  return c;
}
using Projections = std::vector<int>;  // what is still to be projected, outermost first
// Of one scalar or short vector that the projections choose from d: the widest where they choose none.
inline Size widest_leaf(const Type& d, const Projections& path = {}) {
  int width = 1;
  for (const Leaf& leaf : leaves_of(d)) {
    const std::size_t common = std::min(path.size(), leaf.projections.size());
    if (std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(common), leaf.projections.begin()))
      width = std::max(width, leaf.width);
  }
  return width;
}
// An operation on a scalar or short vector, its lanes one after another.
inline Cost of_lanes(const Type& d) {
  const auto* v = as<VectorType>(d);
  const Size lanes = v ? v->width : Size(1);
  return {lanes, lanes, 0};
}
// A value of type d is read and written, no scalar or short vector after another; `read`: of the one that projections
// choose. By induction on d, as in §4.1.
template <class Read>
Cost moved_by_leaves(const SizeContext& known, const Type& d, const Read& read, const Projections& path = {}) {
  if (const auto* t = as<ArrayType>(d)) {
    const Cost one = moved_by_leaves(known, *t->element, read, path);
    return {t->length * one.work, one.depth, one.space};
  }
  const auto* t = as<PairType>(d);
  if (!t) return of_lanes(d) + read(path);
  const auto component = [&](const Type& of, int k) {
    Projections inner = path;
    inner.push_back(k);
    return moved_by_leaves(known, of, read, inner);
  };
  const Cost first = component(*t->first, 1), second = component(*t->second, 2);
  return {first.work + second.work, upper_maximum(known, first.depth, second.depth), first.space + second.space};
}
// Its short vectors have their lanes from as many scalars.
inline bool made_of_scalars(const Phrase& e, const View& v) {
  return v.vectors == ShortVectors::Made && as<ArrayType>(data_of(e));
}
// How often argument k of a view is read for what is read of e: an index that a run finds stands in the path of every
// lane.
inline Size times_read(const Phrase& e, const View& v, std::size_t k, const Projections& path) {
  const bool index = (v.element && k == 1) || (v.indexed && v.indexed->argument == k);
  return index ? widest_leaf(data_of(e), path) : Size(1);
}
// A step into a fresh variable of type d, which is copied back.
inline Cost copied_back(const Type& d, const Cost& step) {
  return with_space(scalars_in(d), step + Cost{scalars_in(d) * Size(2), widest_leaf(d) * Size(2), 0});
}
// Where a constant's expansion does it in order, not side by side.
inline Cost one_by_one(const Cost& c) { return {c.work, c.work, c.space}; }
inline Cost stepped_in_order(const Type& d, const Cost& step) {
  const Size n = scalars_in(d) * Size(2);
  return with_space(scalars_in(d), step + Cost{n, n, 0});
}
// A state of type d with this start, the rounds on it, and the result where it goes somewhere else.
inline Cost over_state(SourceCosts& costs, const Type& d, const PhraseRef& start, const Cost& rounds, bool copied) {
  const Cost result = copied ? costs.assigned(ident("", exp_type(d))) : Cost{0, 0, 0};
  return with_space(scalars_in(d), costs.moved(d, start) + rounds + result);
}
// 0 <= i && i < n, twice a read of i: three operators.
inline Cost inside_cost(SourceCosts& costs, const PhraseRef& i) {
  const Cost read = costs.read(i);
  return Cost{3, 3, 0} + read + read;
}
// What is written where a result that a temporary holds is copied to an acceptor.
inline Size copies(const Type& d, bool copied) { return copied ? scalars_in(d) : Size(0); }

}  // namespace lockstep
