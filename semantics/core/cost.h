// The algebra of costs: polynomials in the sizes.
#pragma once
#include "semantics/core/size.h"

namespace lockstep {

// Coefficient by coefficient the larger: at least as large as both for all natural sizes.
Size upper_maximum(const Size& a, const Size& b);

}  // namespace lockstep
