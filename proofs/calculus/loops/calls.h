// Calls of a loop, as programs: what its type allows, with functions that tell their arguments apart.
#pragma once
#include "proofs/calculus/terms.h"
#include "semantics/core/phrase.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::proofs {

inline constexpr std::int64_t largest_of_calls = 3;  // size
// Every choice of sizes up to it that satisfies the facts.
std::vector<SizeValues> small_sizes(const std::vector<std::string>& names, const std::vector<SizeFact>& facts);

// The loop called with everything that its type asks for, its type variables being `element`; bound: to a name that is
// used twice, so that the continuation translation is tried. One for all sizes; where a call is accepted at numbers
// only, as of mapUnroll, one for each. Throws NotUnderstood where there is none.
std::vector<PhraseProgram> calls_of(const std::string& loop, const Calculus& calculus, const Type& element, bool bound);

}  // namespace lockstep::proofs
