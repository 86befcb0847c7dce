// Which parallel loops stand where the machine's hierarchy has no place for them.
#pragma once
#include "semantics/core/diagnostic.h"
#include "semantics/core/phrase.h"

namespace lockstep {

// body: a functional phrase. mapGlobal and mapWorkgroup stand in no parallel loop, mapLocal directly in mapWorkgroup or
// in none, mapPar in mapPar or in none.
Diagnostics hierarchy_errors(const PhraseRef& body);

}  // namespace lockstep
