// The laws of scalar operators, as obligations about their definitions as terms.
#pragma once
#include "proofs/calculus/obligation.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs {

enum class Law { Commutative, Associative, Identity };
// That the operator obeys the law at these types. Of floats: up to IEEE equality, NaNs being one.
Obligation operator_law(const std::string& name, const ScalarOp& op, Law law, const std::vector<ScalarType>& types,
                        std::int64_t identity = 0);
// That + or * of floats commutes, as IEEE 754 §4.3 defines it: the rounding of the exact result. Through the floats'
// bits Z3 needs half a minute for f32 and much more for f64.
Obligation commutative_by_definition(const std::string& op, const std::vector<ScalarType>& floats);
// The types of arguments at which the operator has a term.
std::vector<ScalarType> types_with_term(const ScalarOp& op);
// That the operator's meaning is its definition, as a term: on edge values and `random` drawn ones for each such type.
Outcome meanings_agree(const ScalarOp& op, int random = 40);

}  // namespace lockstep::proofs
