// Definitions at the types and levels at which they are used (Dybdal et al., §3.3, "polymorphic in the
// level-variable").
#pragma once
#include "semantics/fcl/language.h"

namespace lockstep::fcl {

// Every definition with its inferred type as a `sig`.
Entry with_signatures(const Entry& e);

// Of the prelude and the program what the entry uses, each once for every instance, with a `sig` that leaves nothing
// open; the entry last, at its own instance. What a local definition leaves open stays open.
Entry instantiated(const Entry& e);

}  // namespace lockstep::fcl
