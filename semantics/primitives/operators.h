// The scalar operators (semantics/scalars) as primitives: one Primitive each, the same object at every call, so that
// identity is equality.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "semantics/primitives/primitive.h"

namespace lockstep {

const std::vector<PrimitiveRef>& scalar_operators();
// By its name; a Bug where there is none.
const PrimitiveRef& scalar_operator(std::string_view name);

// The operator on arguments of one type, a scalar or short vector; idx(n) counts as i64.
PhraseRef apply_operator(const PrimitiveRef& primitive, std::vector<PhraseRef> arguments);
// The scalar type that an operator works on: of a short vector its lanes', of idx(n) i64.
ScalarType operand_scalar(const Type& operand);
Type operator_result(const ScalarOp& op, const Type& operand);
// A definition that calls no library, over arguments.
PhraseRef phrase_of(const scalars::Definition& d, const std::vector<PhraseRef>& arguments);

}  // namespace lockstep
