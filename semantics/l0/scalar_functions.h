// Scalars of L0: what its operators and built-in functions take, give and compute, by the rows of semantics/scalars.
#pragma once
#include <span>

#include "semantics/l0/syntax.h"
#include "semantics/scalars/operator.h"

namespace lockstep::l0 {

// toReal, trunc, sqrt ...: a definition of the same name replaces one.
struct ScalarFunction {
  std::string_view name;
  std::string_view row;  // of semantics/scalars
  std::size_t arity;
  std::vector<ScalarType> takes;    // operands of one of these types
  std::optional<ScalarType> gives;  // nothing: what it takes
  const char* summary;
};
const std::vector<ScalarFunction>& scalar_functions();
const ScalarFunction* scalar_function_named(std::string_view name);  // null where there is none

// Of operands of type t; nothing where they are not taken.
std::optional<ScalarType> result_of(Infix op, ScalarType t);
std::optional<ScalarType> result_of(Prefix op, ScalarType t);
std::optional<ScalarType> result_of(const ScalarFunction& f, ScalarType t);
// Their rows of semantics/scalars: "+". A power of ints has none.
std::string_view row_name(Infix op);
std::string_view row_name(Prefix op);
// "two ints or two reals", for errors.
std::string operands_of(Infix op);

// Throw TrapSignal with the region. Of Or and And both operands are evaluated.
Scalar apply(Infix op, const Scalar& a, const Scalar& b, const Region& region, const Domain& domain);
Scalar apply(Prefix op, const Scalar& a, const Region& region, const Domain& domain);
Scalar apply(const ScalarFunction& f, std::span<const Scalar> arguments, const Region& region, const Domain& domain);
bool can_trap(Infix op, ScalarType t);
bool can_trap(const ScalarFunction& f, ScalarType t);

}  // namespace lockstep::l0
