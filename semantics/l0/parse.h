// .l0 text to programs, with recovery (several errors in one run; at most 1,000 deep, by a counter), and back.
#pragma once
#include "semantics/l0/syntax.h"
#include "semantics/l0/value.h"

namespace lockstep::l0 {

// As written: types are not yet noted (check.h).
Checked<Program> parse_program(SourceRef source);
// Prints what parses to the same tree.
std::string print(const Program& p);
std::string print(const Function& f);
std::string print(const Expr& e);

// A value as the command line gives it (12, -1.5, 'c', "text", (1,2), [1,2], true), read at the given type: an integer
// literal fits a real, [char] takes a text. Diagnostics point into the value's own source.
Checked<Value> parse_value(SourceRef source, const Type& type);
Value text_value(std::string_view bytes);  // [char]

}  // namespace lockstep::l0
