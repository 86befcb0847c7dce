// .fcl text to programs, with recovery (several errors in one run; at most 1,000 deep, by a counter), and back.
#pragma once
#include "semantics/fcl/syntax.h"

namespace lockstep::fcl {

// As written: names and types are not looked at yet (infer.h).
Checked<Program> parse_program(SourceRef source);
Checked<Type> parse_type(SourceRef source);
// Prints what parses to the same tree.
std::string print(const Program& p);
std::string print(const Definition& d);
std::string print(const Expr& e);

}  // namespace lockstep::fcl
