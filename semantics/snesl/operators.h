// The infix operators of .snesl, loosest first; after `++` they are those of surface::Infix, in its order.
#pragma once
#include "semantics/snesl/syntax.h"
#include "semantics/text/operators.h"

namespace lockstep::snesl {

inline constexpr int append_level = 5;
inline constexpr auto operators = reading::operators_and(reading::Operator{"++", append_level});

constexpr const reading::Operator& row_of(surface::Infix op) { return operators[static_cast<std::size_t>(op) + 1]; }
constexpr surface::Infix infix_written(std::string_view symbol) {
  const reading::Operator* row = reading::operator_of(operators, symbol);
  return static_cast<surface::Infix>(row - operators.data() - 1);
}
static_assert(row_of(surface::Infix::OpOr).symbol == "||" && row_of(surface::Infix::Ge).symbol == ">=");
static_assert(row_of(surface::Infix::Mod).symbol == "%" && infix_written("<<") == surface::Infix::Shl);

}  // namespace lockstep::snesl
