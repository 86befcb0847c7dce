// Laws while programs are compiled: what operators claim, and, of steps of the user's own, what is proved at once.
#pragma once
#include "translate/dpia/stage.h"

namespace lockstep::proofs {

// Claims first (rewriting::claimed_laws). What they leave, of scalars and tuples of them, is refuted by a few values,
// or else asked of Z3, with so few steps that no program takes long: only what is proved holds, so that the answer is
// the same on every machine. Answers are kept.
rewriting::LawOracle compiling_laws();

// The languages, and a trace, of every command that compiles: by these laws.
DpiaLanguages lawful_languages(std::shared_ptr<const Calculus> calculus);
DpiaTrace lawful_trace(const PhraseProgram& source, const Calculus& calculus, Machine machine, bool owed = false);

}  // namespace lockstep::proofs
