// .snesl text to surface syntax, with recovery (several errors in one run; at most 1,000 deep, by a counter), and back.
#pragma once
#include "semantics/snesl/syntax.h"
#include "semantics/snesl/value.h"

namespace lockstep::snesl {

Checked<surface::Program> parse_program(SourceRef source);
Checked<surface::Expr> parse_expression(SourceRef source);
// Prints what parses to the same tree.
std::string print(const surface::Program& p);
std::string print(const surface::Expr& e);

// A value as the command line gives it (12, -1.5, 'c', "text", (1,2), [1,2], {1,2}, true), read at the given type: an
// integer literal fits a Real, a vector of Char takes a text. Diagnostics point into the value's own source.
Checked<Value> parse_value(SourceRef source, const Type& type);
// The most plausible type of a value's text (languages.md: a parameter that several types would fit takes the type of
// the value given): 12 Int, 1.5 Real, 'c' Char, "ab" [Char]; of an empty {} or [] nothing is known,
// and it is refused or taken for one of Ints.
enum class Empty : unsigned char { Refused, Ints };
Checked<Type> type_of_value(SourceRef source, Empty empty = Empty::Refused);

}  // namespace lockstep::snesl
