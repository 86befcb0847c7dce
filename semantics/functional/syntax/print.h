// Surface syntax back to text: parse_program(print(p)) == p for every p. Wadler-style layout, 100 columns.
#pragma once
#include "semantics/functional/syntax/syntax.h"

namespace lockstep {

std::string print(const surface::Program& program);
std::string print(const surface::Definition& definition);
std::string print(const surface::Expr& expression);

}  // namespace lockstep
