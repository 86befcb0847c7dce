// & | ^ on integers and bools; << >> on integers, by the second operand modulo the width, >> of signed ones keeping the
// sign.
#include "semantics/primitives/operators.h"

namespace lockstep {
namespace {

using operators::Arguments;
using operators::Definition;
using operators::Operation;

using WordOperation = std::uint64_t (*)(std::uint64_t, std::uint64_t);

// The identity of & is -1, all ones: true as a bool.
PrimitiveRef bitwise(std::string symbol, std::string summary, Operation operation, WordOperation word,
                     std::int64_t identity) {
  const auto meaning = [=](const Domain&, ScalarType t, Arguments x) {
    return make_integer(t, word(x[0].bits, x[1].bits));
  };
  return operators::make(symbol, std::move(summary),
                         ScalarOp{.arity = 2,
                                  .operands = Operands::Integer,
                                  .bools = true,
                                  .meaning = meaning,
                                  .definition = operators::defined_by(operation),
                                  .laws = {true, true, identity}});
}

Scalar shifted(bool left, ScalarType t, Arguments x) {
  const std::uint64_t by = x[1].bits & static_cast<std::uint64_t>(bits_of(t) - 1);
  if (left) return make_integer(t, x[0].bits << by);
  return make_integer(t, is_signed(t) ? static_cast<std::uint64_t>(x[0].integer() >> by) : x[0].bits >> by);
}

PrimitiveRef shift(std::string symbol, std::string summary) {
  const bool left = symbol == "<<";
  const auto meaning = [=](const Domain&, ScalarType t, Arguments x) { return shifted(left, t, x); };
  const auto defined = [=](ScalarType t) {
    const Definition by = scalars::apply(Operation::And, scalars::argument(1, t), scalars::constant(t, bits_of(t) - 1));
    return scalars::apply(left ? Operation::ShiftLeft : Operation::ShiftRight, scalars::argument(0, t), by);
  };
  return operators::make(
      symbol, std::move(summary),
      ScalarOp{.arity = 2, .operands = Operands::Integer, .meaning = meaning, .definition = defined});
}

}  // namespace

std::vector<PrimitiveRef> bitwise_operators() {
  static const std::vector<PrimitiveRef> list = {
      bitwise(
          "&", "bitwise and, of bools too", Operation::And, [](std::uint64_t a, std::uint64_t b) { return a & b; }, -1),
      bitwise(
          "|", "bitwise or, of bools too", Operation::Or, [](std::uint64_t a, std::uint64_t b) { return a | b; }, 0),
      bitwise(
          "^", "bitwise exclusive or, of bools too", Operation::Xor,
          [](std::uint64_t a, std::uint64_t b) { return a ^ b; }, 0),
      shift("<<", "shift to the left, modulo the width"),
      shift(">>", "shift to the right, modulo the width"),
  };
  return list;
}

}  // namespace lockstep
