// && || not on bools. The meaning of an operator takes all its operands; that && and || evaluate only what they need is
// their facet, decided_by.
#include "semantics/scalars/operator.h"

namespace lockstep::scalars {
namespace {

ScalarOp connective(std::string symbol, std::string identifier, std::string summary, Operation operation,
                    bool (*of)(bool, bool), bool decided_by) {
  const auto meaning = [=](const Domain&, ScalarType, Arguments x) {
    return make_bool(of(x[0].bits != 0, x[1].bits != 0));
  };
  return ScalarOp{.name = symbol,
                  .summary = std::move(summary),
                  .word = std::move(identifier),
                  .arity = 2,
                  .operands = Operands::Bool,
                  .meaning = meaning,
                  .definition = defined_by(operation),
                  .laws = {true, true, decided_by ? 0 : 1},
                  .decided_by = decided_by};
}

ScalarOp complement() {
  const auto meaning = [](const Domain&, ScalarType, Arguments x) { return make_bool(x[0].bits == 0); };
  const auto defined = [](ScalarType t) { return negation(argument(0, t)); };
  return ScalarOp{.name = "not",
                  .summary = "the other truth value, !x",
                  .arity = 1,
                  .operands = Operands::Bool,
                  .meaning = meaning,
                  .definition = defined,
                  .negates = true,
                  .sign = "!"};
}

}  // namespace

std::vector<ScalarOp> logic() {
  return {
      connective(
          "&&", "and", "and; x && y evaluates y where x is true", Operation::Both,
          [](bool a, bool b) { return a && b; }, false),
      connective(
          "||", "or", "or; x || y evaluates y where x is false", Operation::Either,
          [](bool a, bool b) { return a || b; }, true),
      complement(),
  };
}

}  // namespace lockstep::scalars
