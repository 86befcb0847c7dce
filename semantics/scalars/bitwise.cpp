// & | ^ on integers and bools; << >> on integers, by the second operand modulo the width, >> of signed ones keeping the
// sign.
#include <bit>

#include "semantics/scalars/operator.h"

namespace lockstep::scalars {
namespace {

using WordOperation = std::uint64_t (*)(std::uint64_t, std::uint64_t);

// The identity of & is -1, all ones: true as a bool.
ScalarOp bitwise(std::string symbol, std::string identifier, std::string summary, Operation operation,
                 WordOperation word, std::int64_t identity) {
  const auto meaning = [=](const Domain&, ScalarType t, Arguments x) {
    return make_integer(t, word(x[0].bits, x[1].bits));
  };
  return ScalarOp{.name = symbol,
                  .summary = std::move(summary),
                  .word = std::move(identifier),
                  .arity = 2,
                  .operands = Operands::Integer,
                  .bools = true,
                  .meaning = meaning,
                  .definition = defined_by(operation),
                  .laws = {true, true, identity, operation != Operation::Xor}};
}

Scalar shifted(bool left, ScalarType t, Arguments x) {
  const std::uint64_t by = x[1].bits & static_cast<std::uint64_t>(bits_of(t) - 1);
  if (left) return make_integer(t, x[0].bits << by);
  return make_integer(t, is_signed(t) ? static_cast<std::uint64_t>(x[0].integer() >> by) : x[0].bits >> by);
}

ScalarOp shift(std::string symbol, std::string identifier, std::string summary, bool left) {
  const auto meaning = [=](const Domain&, ScalarType t, Arguments x) { return shifted(left, t, x); };
  const auto defined = [=](ScalarType t) {
    const Definition by = apply(Operation::And, argument(1, t), constant(t, bits_of(t) - 1));
    return apply(left ? Operation::ShiftLeft : Operation::ShiftRight, argument(0, t), by);
  };
  return ScalarOp{.name = std::move(symbol),
                  .summary = std::move(summary),
                  .word = std::move(identifier),
                  .arity = 2,
                  .operands = Operands::Integer,
                  .meaning = meaning,
                  .definition = defined};
}

ScalarType without_sign(ScalarType t) {
  for (const ScalarType u : scalar_types)
    if (is_integer(u) && !is_signed(u) && bits_of(u) == bits_of(t)) return u;
  throw Bug("an integer type that has no other without a sign");
}
std::uint64_t bits_in(const Scalar& x) { return make_integer(without_sign(x.type), x.bits).bits; }
Definition bits_defined(ScalarType t, std::size_t k) {
  const ScalarType u = without_sign(t);
  return t == u ? argument(k, t) : convert(u, argument(k, t));
}
Definition back(ScalarType t, Definition d) { return d.type == t ? d : convert(t, std::move(d)); }

ScalarOp of_bits(std::string name, std::string summary, std::uint64_t (*count)(std::uint64_t bits, int width),
                 Definition (*defined)(const Definition& bits)) {
  const auto meaning = [=](const Domain&, ScalarType t, Arguments x) {
    return make_integer(t, count(bits_in(x[0]), bits_of(t)));
  };
  return ScalarOp{.name = std::move(name),
                  .summary = std::move(summary),
                  .arity = 1,
                  .operands = Operands::Integer,
                  .meaning = meaning,
                  .definition = [=](ScalarType t) { return back(t, defined(bits_defined(t, 0))); }};
}

ScalarOp rotation(std::string name, std::string summary, bool left) {
  const auto meaning = [=](const Domain&, ScalarType t, Arguments x) {
    const int width = bits_of(t);
    const std::uint64_t bits = bits_in(x[0]);
    std::uint64_t out = 0;  // bit by bit, each to its place
    const auto by = static_cast<int>(x[1].bits & static_cast<std::uint64_t>(width - 1));
    for (int k = 0; k < width; ++k) out |= (bits >> k & 1) << ((k + (left ? by : width - by)) % width);
    return make_integer(t, out);
  };
  const auto defined = [=](ScalarType t) {
    const Definition bits = bits_defined(t, 0), mask = constant(bits.type, bits_of(t) - 1);
    const Definition by = apply(Operation::And, bits_defined(t, 1), mask);
    const Definition rest = apply(Operation::And, negative(by), mask);
    return back(t, apply(Operation::Or, apply(Operation::ShiftLeft, bits, left ? by : rest),
                         apply(Operation::ShiftRight, bits, left ? rest : by)));
  };
  return ScalarOp{.name = std::move(name),
                  .summary = std::move(summary),
                  .arity = 2,
                  .operands = Operands::Integer,
                  .meaning = meaning,
                  .definition = defined};
}

ScalarOp other_bits() {
  const auto meaning = [](const Domain&, ScalarType t, Arguments x) { return make_integer(t, ~x[0].bits); };
  const auto defined = [](ScalarType t) { return apply(Operation::Xor, argument(0, t), constant(t, -1)); };
  return ScalarOp{.name = "complement",
                  .summary = "every bit the other, ~x",
                  .arity = 1,
                  .operands = Operands::Integer,
                  .meaning = meaning,
                  .definition = defined,
                  .sign = "~"};
}

}  // namespace

std::vector<ScalarOp> bitwise() {
  return {
      bitwise(
          "&", "bitand", "bitwise and, of bools too", Operation::And,
          [](std::uint64_t a, std::uint64_t b) { return a & b; }, -1),
      bitwise(
          "|", "bitor", "bitwise or, of bools too", Operation::Or,
          [](std::uint64_t a, std::uint64_t b) { return a | b; }, 0),
      bitwise(
          "^", "bitxor", "bitwise exclusive or, of bools too", Operation::Xor,
          [](std::uint64_t a, std::uint64_t b) { return a ^ b; }, 0),
      shift("<<", "shl", "shift to the left, modulo the width", true),
      shift(">>", "shr", "shift to the right, modulo the width", false),
      other_bits(),
      rotation("rotl", "bits turned to the left, by the second modulo the width", true),
      rotation("rotr", "bits turned to the right, by the second modulo the width", false),
      of_bits(
          "popcount", "how many bits are set",
          [](std::uint64_t bits, int) { return static_cast<std::uint64_t>(std::popcount(bits)); },
          [](const Definition& bits) { return unary(Operation::PopCount, bits); }),
      of_bits(
          "clz", "how many bits stand above the highest that is set",
          [](std::uint64_t bits, int width) {
            return static_cast<std::uint64_t>(std::countl_zero(bits) - (64 - width));
          },
          [](const Definition& bits) {
            return choose(apply(Operation::Equal, bits, constant(bits.type, 0)),
                          constant(bits.type, bits_of(bits.type)), unary(Operation::LeadingZeros, bits));
          }),
  };
}

}  // namespace lockstep::scalars
