// The infix operators of L0 (l0.md §1, binop), loosest first, in the order of Infix; and what they are on scalars.
#pragma once
#include "semantics/l0/syntax.h"
#include "semantics/text/operators.h"

namespace lockstep::l0 {

inline constexpr int equality_level = 40;
inline constexpr std::array<reading::Operator, 20> operators = {{{"||", 10},
                                                                 {"&&", 20},
                                                                 {"&", 30},
                                                                 {"^", 30},
                                                                 {"|", 30},
                                                                 {"==", equality_level, reading::Chain::None},
                                                                 {"!=", equality_level, reading::Chain::None},
                                                                 {"<", equality_level, reading::Chain::None},
                                                                 {"<=", equality_level, reading::Chain::None},
                                                                 {">", equality_level, reading::Chain::None},
                                                                 {">=", equality_level, reading::Chain::None},
                                                                 {"<<", 50},
                                                                 {">>", 50},
                                                                 {"+", 60},
                                                                 {"-", 60},
                                                                 {"*", 70},
                                                                 {"/", 70},
                                                                 {"%", 70},
                                                                 {"pow", 80},
                                                                 {"=", equality_level, reading::Chain::None}}};
constexpr const reading::Operator& row_of(Infix op) { return operators[static_cast<std::size_t>(op)]; }
constexpr Infix infix_written(std::string_view symbol) {
  if (symbol == "=") return Infix::Eq;
  return static_cast<Infix>(reading::operator_of(operators, symbol) - operators.data());
}
static_assert(row_of(Infix::BitOr).symbol == "|" && row_of(Infix::Ge).symbol == ">=");
static_assert(row_of(Infix::Pow).symbol == "pow" && infix_written("<<") == Infix::Shl);

constexpr bool is_comparison(Infix op) { return op >= Infix::Eq && op <= Infix::Ge; }

}  // namespace lockstep::l0
