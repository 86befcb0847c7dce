// The scalar operators: one Primitive each, the same object at every call, so that identity is equality.
// Families, a file each: scalar_arithmetic, _comparison, _logic, _bitwise, _math, _conversion.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "semantics/primitives/primitive.h"

namespace lockstep {

std::vector<PrimitiveRef> arithmetic_operators();  // + - * / % neg
std::vector<PrimitiveRef> comparison_operators();  // == != < <= > >=
std::vector<PrimitiveRef> logic_operators();       // && || not, all operands evaluated
std::vector<PrimitiveRef> bitwise_operators();     // & | ^ << >>
std::vector<PrimitiveRef> math_operators();        // sqrt exp log sin cos tanh pow abs min max floor ceil fma
std::vector<PrimitiveRef> conversion_operators();  // bool u8 i32 i64 u32 u64 f32 f64
std::vector<PrimitiveRef> scalar_operators();      // all of them, in this order

// By its name; a Bug where there is none.
const PrimitiveRef& scalar_operator(std::string_view name);

// The operator on arguments of one type, a scalar or short vector; idx(n) counts as i64.
PhraseRef apply_operator(const PrimitiveRef& primitive, std::vector<PhraseRef> arguments);
Type operator_result(const ScalarOp& op, const Type& operand);
// A definition that calls no library, over arguments.
PhraseRef phrase_of(const scalars::Definition& d, const std::vector<PhraseRef>& arguments);

// For the families' own use.
namespace operators {

using Arguments = std::span<const Scalar>;
using scalars::Definition;
using scalars::Operation;

PrimitiveRef make(std::string name, std::string summary, ScalarOp op);
// The operation itself, on two arguments.
std::function<Definition(ScalarType)> defined_by(Operation op);

}  // namespace operators
}  // namespace lockstep
