// Places in a surface expression, counted in preorder, and what may stand there instead.
#pragma once
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::props {

const surface::Expr* subtree(const surface::Expr& e, std::size_t k);
surface::Expr replaced(const surface::Expr& e, std::size_t k, const surface::Expr& by);
// Expressions with fewer nodes, or smaller literals. Whether their type fits is left to inference.
std::vector<surface::Expr> simpler_expressions(const surface::Expr& e);
// Grows with the literals' size, below what a node counts.
std::size_t weight_of_literals(const surface::Expr& e);

}  // namespace lockstep::props
