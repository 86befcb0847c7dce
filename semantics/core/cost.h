// The algebra of costs: polynomials in the sizes.
#pragma once
#include "semantics/core/size.h"

namespace lockstep {

// At least as large as both, which are natural at all sizes: coefficient by coefficient the larger; where something is
// taken away in one of them, their sum.
Size upper_maximum(const Size& a, const Size& b);
// The same of sizes that may say one thing in two ways, n and 2*(n/2) where n % 2 == 0.
inline Size upper_maximum(const SizeContext& known, const Size& a, const Size& b) {
  return upper_maximum(known.simplify(a), known.simplify(b));
}

}  // namespace lockstep
