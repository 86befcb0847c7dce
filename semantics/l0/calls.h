// Which functions of a program call which.
#pragma once
#include <set>

#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Those that stand in an expression: of a call, or in the place of a function. Built-ins included.
std::set<std::string> callees_of(const Expr& e);
// The functions of the program that come to be called when this one is; itself where it may come to call itself.
std::set<std::string> reached_from(const Program& p, const std::string& function);

}  // namespace lockstep::l0
