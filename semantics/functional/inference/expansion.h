// Entry points with their calls expanded, and how large they may become.
#pragma once
#include "semantics/functional/inference/infer.h"

namespace lockstep::inference {

// Binders as the source has them, numbered where there are several of a name.
PhraseRef renamed(const PhraseProgram& p);
void error_if_large(const Region& region, const std::string& name, const PhraseRef& body, Diagnostics& out);
// One entry point with its calls expanded, to at most so many nodes: TooManyNodes is thrown beyond.
Checked<PhraseProgram> expanded_within(const Elaboration& elaboration, std::size_t entry, const Calculus& calculus,
                                       std::size_t nodes);

}  // namespace lockstep::inference
