// What reading the lowerings as terms has in common.
#pragma once
#include "proofs/calculus/terms.h"
#include "semantics/kernel/syntax.h"

namespace lockstep::proofs {

// Thrown by what reads a command, a check or a kernel as terms, and caught where that begins.
struct NotUnderstood {
  std::string what;
};

// Index arithmetic of the kernel language.
Term arithmetic(kernel::ArithOp op, const Term& a, const Term& b);

}  // namespace lockstep::proofs
