// Whether evaluating an expression of L0 can trap, or not end.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Of a typed expression: false only where it cannot. A call of a function of the program can.
bool can_trap(const Expr& e);
bool can_trap(const Fn& f);

}  // namespace lockstep::l0
