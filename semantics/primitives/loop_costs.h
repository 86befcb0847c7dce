// Costs of loops, compositional: from the cost of one call of the function argument.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

inline Size scalars_in(const Type& t) {
  Size n = 0;
  for (const Leaf& leaf : leaves_of(t)) n = n + element_count(leaf);
  return n;
}
// n calls at once, one result of type d for each: space for all results.
inline Cost parallel_calls(const Size& n, const Cost& f, const Type& d) {
  return {n * f.work + n, f.depth + Size(1), n * f.space + n * scalars_in(d)};
}
// n calls one after another over a state of type d.
inline Cost sequential_calls(const Size& n, const Cost& f, const Type& d) {
  return {n * f.work + n, n * f.depth + Size(1), f.space + scalars_in(d) * Size(2)};
}
// What is written where a result that a temporary holds is copied to an acceptor.
inline Size copies(const Type& d, bool copied) { return copied ? scalars_in(d) : Size(0); }

}  // namespace lockstep
