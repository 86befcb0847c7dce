// Of `interleave` where all is literal: whether each element has a place of its own (fcl.md §1).
#pragma once
#include "semantics/fcl/language.h"

namespace lockstep::fcl {

// In a normal form: of the first `interleave` of literal lengths, by a function of nothing but literals, that fails
// whenever it runs, the two elements that meet, or the one that goes outside. Of more than 2^14 elements nothing.
std::optional<Diagnostic> never_apart(const Entry& fused);

}  // namespace lockstep::fcl
