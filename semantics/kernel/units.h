// What a launch has that iterations of a parallel loop can be dealt out to: blocks, threads of all of them, warps of a
// block, threads of a block or lanes of a warp. A loop inside one that threads run has that thread alone.
#pragma once
#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

// As few, and as many, as there may be for a loop of this level directly in one of level `around` (Seq: in none): the
// last warp of a block may have fewer lanes than the others.
std::int64_t fewest_units(const Launch& launch, Level level, Level around);
std::int64_t most_units(const Launch& launch, Level level, Level around);
// The number, over the variable of `around` where warps differ. `around`: the parallel loop directly around, or
// nullptr.
Expr units_of(const Launch& launch, Level level, const ParallelFor* around);

// Whether a unit may run a second iteration, as far as the numbers say it.
bool has_rounds(const ParallelFor& p);

}  // namespace lockstep::kernel
