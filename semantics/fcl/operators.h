// The infix operators of FCL (languages.md §1), loosest first, in the order of Infix; and the words that stand for two.
#pragma once
#include "semantics/fcl/syntax.h"
#include "semantics/text/operators.h"

namespace lockstep::fcl {

// `div` and `mod`, which the paper writes too, are read as `/` and `%`.
inline constexpr std::array<reading::Operator, 20> operators = [] {
  std::array<reading::Operator, 20> all{};
  for (std::size_t k = 0; k < reading::shared_operators.size(); ++k) all[k] = reading::shared_operators[k];
  const int products = reading::level_of(reading::shared_operators, "/");
  all[18] = {"div", products};
  all[19] = {"mod", products};
  return all;
}();
constexpr const reading::Operator& row_of(Infix op) { return operators[static_cast<std::size_t>(op)]; }
constexpr Infix infix_written(std::string_view symbol) {
  if (symbol == "div") return Infix::Div;
  if (symbol == "mod") return Infix::Mod;
  return static_cast<Infix>(reading::operator_of(operators, symbol) - operators.data());
}
static_assert(row_of(Infix::BitOr).symbol == "|" && row_of(Infix::Ge).symbol == ">=");
static_assert(row_of(Infix::Mod).symbol == "%" && infix_written("mod") == Infix::Mod);

constexpr bool is_comparison(Infix op) { return op >= Infix::Eq && op <= Infix::Ge; }

}  // namespace lockstep::fcl
