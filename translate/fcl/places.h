// Where things are computed (Dybdal et al., §3.1 and 5.2; the place rule of fcl.md): the host, a block, a warp, a
// thread.
#pragma once
#include "semantics/fcl/language.h"

namespace lockstep::fcl {

// Of a program after fusion: what is made where its level is too high. A `force` or `while` is made where it stands,
// the result at the host; chunks of an `interleave` one level below it; what is of one element by a thread.
std::optional<Diagnostic> misplaced(const Entry& fused);

}  // namespace lockstep::fcl
