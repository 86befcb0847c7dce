// What may stand in the place of a surface expression.
#pragma once
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::props {

// Expressions with fewer nodes, or smaller literals. Whether their type fits is left to inference.
std::vector<surface::Expr> simpler_expressions(const surface::Expr& e);
// Grows with the literals' size, below what a node counts.
std::size_t weight_of_literals(const surface::Expr& e);

}  // namespace lockstep::props
