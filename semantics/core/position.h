// Positions of many regions of one source: the lines of the source that was asked for last are known.
#pragma once
#include "semantics/core/diagnostic.h"

namespace lockstep {

// Of where the region begins, in its source.
Position position_of(const Region& region);

}  // namespace lockstep
