// Z3 for what normalisation leaves of the sizes' obligations: natural names, polynomials, floor division. Under a limit
// of steps and memory; "unknown" is never "proved".
#pragma once
#include "semantics/functional/inference/infer.h"

namespace lockstep::proofs {

SizeSolver z3_size_solver(unsigned timeout_ms = 2000);

}  // namespace lockstep::proofs
