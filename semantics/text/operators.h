// Infix operators as data: one table a language, for its reader and its printer.
#pragma once
#include <array>
#include <span>
#include <string_view>

namespace lockstep::reading {

enum class Chain : unsigned char { Left, Right, None };  // a op b op c: (a op b) op c, a op (b op c), refused

struct Operator {
  std::string_view symbol;
  int level;  // the loosest has the least; always above 0
  Chain chain = Chain::Left;
};
using Operators = std::span<const Operator>;

constexpr const Operator* operator_of(Operators operators, std::string_view symbol) {
  for (const Operator& o : operators)
    if (o.symbol == symbol) return &o;
  return nullptr;
}
// 0 for what is no operator.
constexpr int level_of(Operators operators, std::string_view symbol) {
  const Operator* o = operator_of(operators, symbol);
  return o ? o->level : 0;
}

// The operators of languages.md §1, loosest first. In steps of ten, for what a language has between and around them.
inline constexpr int comparison_level = 30;
inline constexpr int above_operators = 100;
inline constexpr std::array<Operator, 18> shared_operators = {{{"||", 10},
                                                               {"&&", 20},
                                                               {"==", comparison_level, Chain::None},
                                                               {"!=", comparison_level, Chain::None},
                                                               {"<", comparison_level, Chain::None},
                                                               {"<=", comparison_level, Chain::None},
                                                               {">", comparison_level, Chain::None},
                                                               {">=", comparison_level, Chain::None},
                                                               {"|", 40},
                                                               {"^", 50},
                                                               {"&", 60},
                                                               {"<<", 70},
                                                               {">>", 70},
                                                               {"+", 80},
                                                               {"-", 80},
                                                               {"*", 90},
                                                               {"/", 90},
                                                               {"%", 90}}};

// The same, after some of a language's own.
template <class... Own>
constexpr auto operators_and(Own... own) {
  std::array<Operator, sizeof...(Own) + shared_operators.size()> all{own...};
  for (std::size_t k = 0; k < shared_operators.size(); ++k) all[sizeof...(Own) + k] = shared_operators[k];
  return all;
}

}  // namespace lockstep::reading
