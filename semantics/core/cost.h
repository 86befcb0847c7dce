// The algebra of costs: polynomials in the sizes.
#pragma once
#include "semantics/core/size.h"

namespace lockstep {

// At least s, and natural at all sizes where it is so with none and with one that is large, as the extent of a loop in
// a branch need not be where that is not taken.
Size natural_bound(const SizeContext& known, const Size& s);

// At least as large as both, which are natural at all sizes: the one that is known to be the larger; else their sum, or
// what is known to be less: one and what the other has more, but for a constant or for all that is taken away.
Size upper_maximum(const SizeContext& known, const Size& a, const Size& b);

}  // namespace lockstep
