// The indices that a kernel is printed with against the paths that they come from: each expression and each place
// stored to is composed again from the views' read and write paths (DPIA Fig. 6), one name for the index at each view
// and nothing simplified, and proved equal by Z3 under the ranges of the loops.
#pragma once
#include "proofs/kernel/obligations.h"
#include "translate/dpia/paths.h"

namespace lockstep::proofs::kernels {

// Of an expression or a store, as imperative_to_kernel recorded it while it made the kernel.
ProgramObligation index_obligation(const PathRecord& record, Prover& prover);

}  // namespace lockstep::proofs::kernels
