// What an expression looks like to the translation and to its cost: whether it may be passed by name.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

bool is_scalar_data(const Type& d);  // a scalar, an index or a short vector
// A name, a literal, or a component of one: reading it twice costs nothing.
bool is_atom(const Phrase& e);
// Evaluated without a command: no loop, no trap, no let.
bool is_simple(const Phrase& e);
// Whether the operator can trap on arguments of this type; on short vectors, on any lane.
bool can_trap(const ScalarOp& op, const Type& operand);
// What one read through the views of e costs, 0 for a name.
Size read_cost(const Phrase& e);

}  // namespace lockstep
