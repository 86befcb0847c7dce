// Work, depth and space of a functional program, compositional, as polynomials in its sizes: upper bounds where a
// branch or a `while` depends on data (its iterations are the name "#iterations"). Unit: one scalar operation; a loop
// costs one more an element for moving it; space counts scalars of what is stored, views being free.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

Cost cost(const PhraseProgram& program);

}  // namespace lockstep
