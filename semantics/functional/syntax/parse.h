// .dpia text to surface syntax, with recovery: every error that can be found in one run is reported, one a definition
// at least. Nesting deeper than 1,000 is refused, by a counter and not by the stack.
#pragma once
#include "semantics/functional/syntax/syntax.h"

namespace lockstep {

Checked<surface::Program> parse_program(SourceRef source);
Checked<surface::Expr> parse_expression(SourceRef source);
// The type of a primitive, as in "(k : nat) -> [k*m]'a -> [m][k]'a"; explicit nat parameters are listed in order.
struct TypeScheme {
  std::vector<std::string> nats;  // explicit size arguments, leftmost first; they all precede the data arguments
  Type type;                      // the rest, a curried function type
};
Checked<TypeScheme> parse_scheme(std::string_view text);
Checked<Type> parse_type(SourceRef source);

}  // namespace lockstep
