// Work, depth and space of imperative programs, as polynomials in the sizes: upper bounds where a branch depends on
// data. Name beside the sizes: "#iterations_k" of the k-th while loop, in the order of the program.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep::imperative {

// Work: scalar operations, reads and writes, one for each lane; views and index arithmetic that views do are free but
// for their read cost. Depth: the same along the longest path, the iterations of a parallel loop side by side. Space:
// scalars allocated by `new`, each iteration of a parallel loop having its own. A functional program has its own cost.
// in_order: depth is not less whether loops without a level, and copies of several scalars, do one after the other or
// side by side.
Cost cost(const PhraseProgram& program, bool in_order = false);

}  // namespace lockstep::imperative
