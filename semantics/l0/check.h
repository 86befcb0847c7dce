// Types of L0 (§2.1, §2.1.1; l0.md §1): first order, monomorphic, all written.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// The program with its types noted; where anything is wrong, all that is. Stars are not looked at: see uniqueness.h.
Checked<Program> typed(const Program& program);

// What of SOACs' typing its users ask for, of one whose types are noted.
const Type& result_of(const Fn& f);

}  // namespace lockstep::l0
