// && || not on bools. The meaning of an operator takes all its operands; that && and || evaluate only what they need is
// their facet, decided_by.
#include "semantics/primitives/operators.h"

namespace lockstep {
namespace {

using operators::Arguments;
using operators::Operation;

PrimitiveRef connective(std::string symbol, std::string summary, Operation operation, bool (*of)(bool, bool),
                        bool decided_by) {
  const auto meaning = [=](const Domain&, ScalarType, Arguments x) {
    return make_bool(of(x[0].bits != 0, x[1].bits != 0));
  };
  return operators::make(symbol, std::move(summary),
                         ScalarOp{.arity = 2,
                                  .operands = Operands::Bool,
                                  .meaning = meaning,
                                  .definition = operators::defined_by(operation),
                                  .laws = {true, true, decided_by ? 0 : 1},
                                  .decided_by = decided_by});
}

PrimitiveRef complement() {
  const auto meaning = [](const Domain&, ScalarType, Arguments x) { return make_bool(x[0].bits == 0); };
  const auto defined = [](ScalarType t) { return scalars::negation(scalars::argument(0, t)); };
  return operators::make("not", "the other truth value, !x",
                         ScalarOp{.arity = 1,
                                  .operands = Operands::Bool,
                                  .meaning = meaning,
                                  .definition = defined,
                                  .negates = true,
                                  .sign = "!"});
}

}  // namespace

std::vector<PrimitiveRef> logic_operators() {
  static const std::vector<PrimitiveRef> list = {
      connective(
          "&&", "and; x && y evaluates y where x is true", Operation::Both, [](bool a, bool b) { return a && b; },
          false),
      connective(
          "||", "or; x || y evaluates y where x is false", Operation::Either, [](bool a, bool b) { return a || b; },
          true),
      complement(),
  };
  return list;
}

}  // namespace lockstep
