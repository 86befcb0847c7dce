// Work, depth and space of a functional program, compositional, as polynomials in its sizes: what the clauses of Fig. 5
// run, said of the source. Upper bounds where a branch or a `while` depends on data (rounds of the k-th `while`, in the
// order of the program: the name "#iterations_k"). Units are those of every stage: work counts scalar operations, reads
// and writes, one for each lane; depth the same one after another, loops without a level and at parallel levels having
// their iterations side by side; space scalars that are stored, the result and the parameters not counted.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

Cost cost(const PhraseProgram& program);

}  // namespace lockstep
