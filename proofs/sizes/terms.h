// Sizes, and index arithmetic of the kernel language, as terms.
#pragma once
#include "proofs/smt/term.h"
#include "semantics/core/size.h"
#include "semantics/kernel/syntax.h"

namespace lockstep::proofs {

// Names that stand for numbers of the program are looked up in `numbers`.
smt::Term term_of(const Size& s, const std::map<std::string, smt::Term>& numbers = {});
smt::Term term_of(const SizeFact& f, const std::map<std::string, smt::Term>& numbers = {});

smt::Term arithmetic(kernel::ArithOp op, const smt::Term& a, const smt::Term& b);

}  // namespace lockstep::proofs
