// Applications: primitives, operators, defined functions (expanded here, their arguments evaluated once), and functions
// that are parameters.
#pragma once
#include "semantics/functional/inference/arguments.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::inference {

Typed call(Work& w, const surface::Expr& e, const std::optional<Type>& expected);
Typed call_head(Work& w, const surface::Expr& head, const std::vector<Argument>& arguments, const Region& region,
                const std::optional<Type>& expected);
Typed call_primitive(Work& w, const Calculus::Entry& entry, const std::vector<Argument>& arguments,
                     const Region& region, const std::optional<Type>& expected);
Typed call_operator(Work& w, const PrimitiveRef& op, const std::vector<Argument>& arguments, const Region& region,
                    const std::optional<Type>& expected);
Typed call_defined(Work& w, const Defined& d, const std::vector<Argument>& arguments, const Region& region);

}  // namespace lockstep::inference
