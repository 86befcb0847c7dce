// The indices that a kernel is printed with against the paths that they come from: each expression and each place
// stored to is composed again from the views' read and write paths (DPIA Fig. 6), one name for the index at each view
// and nothing simplified, and proved equal by Z3 under the ranges of the loops.
#pragma once
#include "proofs/program_obligations.h"
#include "translate/paths.h"

namespace lockstep::program_proofs {

// One obligation; the phrase is one that imperative_to_kernel recorded.
ProgramObligation index_obligation(const PathRecord& record, Prover& prover);
// Of every expression and store of the kernel that the program (the last before paths) becomes.
std::vector<ProgramObligation> index_obligations(const PhraseProgram& program, const Calculus& calculus,
                                                 Prover& prover);

}  // namespace lockstep::program_proofs
