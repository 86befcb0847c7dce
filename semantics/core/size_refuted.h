// Goals about sizes that some values refute (size_refuted.cpp). Private to size_context.cpp.
#pragma once
#include "semantics/core/size.h"

namespace lockstep {

// All that is known holds for some values of the names, naturals, and the goal does not: less work than to look for a
// proof that there is not. Few values are tried, so that false says nothing.
bool is_refuted(const SizeContext& known, const SizeFact& goal);

}  // namespace lockstep
