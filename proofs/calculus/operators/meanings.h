// The scalar operators' meanings a second time, as terms over bits and IEEE floats: what their laws are proved of.
#pragma once
#include "proofs/calculus/terms.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs {

Sort sort_of(ScalarType t);
// A value of the IEEE domain.
Term value_term(const Scalar& s);
// The operator on arguments of type t; nothing where it has no such meaning here: the library functions that are not
// exactly rounded, fmod, and conversions that can trap. A division is meant where the divisor is not zero.
std::optional<Term> operator_term(std::string_view op, ScalarType t, const std::vector<Term>& x);
// The types that an operator takes.
std::vector<ScalarType> operand_types(const ScalarOp& op);

}  // namespace lockstep::proofs
