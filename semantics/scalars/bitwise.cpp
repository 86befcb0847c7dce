// & | ^ on integers and bools; << >> on integers, by the second operand modulo the width, >> of signed ones keeping the
// sign.
#include "semantics/scalars/operator.h"

namespace lockstep::scalars {
namespace {

using WordOperation = std::uint64_t (*)(std::uint64_t, std::uint64_t);

// The identity of & is -1, all ones: true as a bool.
ScalarOp bitwise(std::string symbol, std::string summary, Operation operation, WordOperation word,
                 std::int64_t identity) {
  const auto meaning = [=](const Domain&, ScalarType t, Arguments x) {
    return make_integer(t, word(x[0].bits, x[1].bits));
  };
  return ScalarOp{.name = symbol,
                  .summary = std::move(summary),
                  .arity = 2,
                  .operands = Operands::Integer,
                  .bools = true,
                  .meaning = meaning,
                  .definition = defined_by(operation),
                  .laws = {true, true, identity}};
}

Scalar shifted(bool left, ScalarType t, Arguments x) {
  const std::uint64_t by = x[1].bits & static_cast<std::uint64_t>(bits_of(t) - 1);
  if (left) return make_integer(t, x[0].bits << by);
  return make_integer(t, is_signed(t) ? static_cast<std::uint64_t>(x[0].integer() >> by) : x[0].bits >> by);
}

ScalarOp shift(std::string symbol, std::string summary) {
  const bool left = symbol == "<<";
  const auto meaning = [=](const Domain&, ScalarType t, Arguments x) { return shifted(left, t, x); };
  const auto defined = [=](ScalarType t) {
    const Definition by = apply(Operation::And, argument(1, t), constant(t, bits_of(t) - 1));
    return apply(left ? Operation::ShiftLeft : Operation::ShiftRight, argument(0, t), by);
  };
  return ScalarOp{.name = symbol,
                  .summary = std::move(summary),
                  .arity = 2,
                  .operands = Operands::Integer,
                  .meaning = meaning,
                  .definition = defined};
}

}  // namespace

std::vector<ScalarOp> bitwise() {
  return {
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
}

}  // namespace lockstep::scalars
