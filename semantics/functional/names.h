// Names that a program has.
#pragma once
#include "semantics/core/phrase.h"

namespace lockstep {

// Every name that the program binds, so that fresh ones stay apart.
Names names_of(const PhraseProgram& program);
// The program, each name that its body binds bound once.
PhraseProgram with_own_names(PhraseProgram program);

}  // namespace lockstep
