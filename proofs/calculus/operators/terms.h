// The scalar operators' definitions as terms over bits and IEEE floats: what their laws are proved of.
#pragma once
#include "proofs/calculus/terms.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs {

Sort sort_of(ScalarType t);
// A value of the IEEE domain.
Term value_term(const Scalar& s);
// The operator on arguments of type t; nothing where solvers have no such function: those of a library that are not
// exactly rounded, and conversions that can trap. A division is meant where the divisor is not zero.
std::optional<Term> operator_term(const ScalarOp& op, ScalarType t, const std::vector<Term>& x);

}  // namespace lockstep::proofs
