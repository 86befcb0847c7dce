// Index arithmetic of the kernel language as solver terms.
#pragma once
#include "proofs/term.h"
#include "semantics/kernel/syntax.h"

namespace lockstep::proofs {

Term arithmetic(kernel::ArithOp op, const Term& a, const Term& b);

}  // namespace lockstep::proofs
