// Z3 for what normalisation leaves of the sizes' obligations: natural names, polynomials, floor division. Under a limit
// of steps and memory; "unknown" is never "proved".
#pragma once
#include "proofs/smt/solver.h"
#include "semantics/functional/inference/infer.h"

namespace lockstep::proofs {

SizeSolver z3_size_solver(unsigned timeout_ms = 2000);

// Whether it holds for all naturals that satisfy the facts.
smt::Question size_question(const std::vector<SizeFact>& facts, const SizeFact& goal);

}  // namespace lockstep::proofs
