// Places in a surface expression of SNESL, counted in preorder: what stands there, and putting something else there.
#pragma once
#include "semantics/snesl/syntax.h"

namespace lockstep::props::stream {

using snesl::surface::Expr;

std::vector<const Expr*> children(const Expr& e);
Expr with_child(const Expr& e, std::size_t k, const Expr& child);
std::size_t node_count(const Expr& e);
std::size_t node_count(const snesl::surface::Program& p);
const Expr& subtree(const Expr& e, std::size_t k);
Expr replaced(const Expr& e, std::size_t k, const Expr& by);

}  // namespace lockstep::props::stream
