// Which parallel loops stand where the machine's hierarchy has no place for them.
#pragma once
#include "semantics/core/diagnostic.h"
#include "semantics/core/phrase.h"

namespace lockstep {

// body: a functional phrase. mapGlobal and mapWorkgroup stand in no parallel loop, mapWarp directly in mapWorkgroup,
// mapLocal in either or in none, mapPar in mapPar or in none.
Diagnostics hierarchy_errors(const PhraseRef& body);
// The first mapWarp, toLocal or collective that stands in no mapWorkgroup, or collective of no number of elements: what
// calls the function may put it into one, and give it a number.
std::optional<Diagnostic> outside_blocks(const PhraseRef& body);

}  // namespace lockstep
