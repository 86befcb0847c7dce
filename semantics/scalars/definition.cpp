// Definitions, made and looked at (definition.h).
#include "semantics/scalars/definition.h"

#include "semantics/core/diagnostic.h"
#include "semantics/core/ref.h"

namespace lockstep::scalars {

bool gives_bool(Operation op) { return op >= Operation::Equal && op <= Operation::Not; }

ScalarType bits_type(ScalarType t) {
  if (is_float(t)) return t == ScalarType::F32 ? ScalarType::U32 : ScalarType::U64;
  return t == ScalarType::U32 ? ScalarType::F32 : ScalarType::F64;
}
Definition as_bits(Definition x) {
  const ScalarType t = bits_type(x.type);
  return {t, Definition::Apply{Operation::Bits, {std::move(x)}}};
}

Definition argument(std::size_t k, ScalarType t) { return {t, Definition::Argument{k}}; }

Definition constant(ScalarType t, std::int64_t n) {
  return constant(is_float(t) ? make_ieee(t, static_cast<double>(n)) : make_integer(t, static_cast<std::uint64_t>(n)));
}
Definition constant(const Scalar& value) { return {value.type, Definition::Constant{value}}; }

Definition apply(Operation op, Definition x, Definition y) {
  if (x.type != y.type) throw Bug("the operands of a definition differ in type");
  const ScalarType t = gives_bool(op) ? ScalarType::Bool : x.type;
  return {t, Definition::Apply{op, {std::move(x), std::move(y)}}};
}

Definition unary(Operation op, Definition x) {
  const ScalarType t = x.type;
  return {t, Definition::Apply{op, {std::move(x)}}};
}
Definition negative(Definition x) { return unary(Operation::Negate, std::move(x)); }

Definition negation(Definition x) { return {ScalarType::Bool, Definition::Apply{Operation::Not, {std::move(x)}}}; }

Definition convert(ScalarType to, Definition x) { return {to, Definition::Apply{Operation::Convert, {std::move(x)}}}; }

Definition choose(Definition condition, Definition then, Definition otherwise) {
  const ScalarType t = then.type;
  return {t, Definition::Choice{{std::move(condition), std::move(then), std::move(otherwise)}}};
}

Definition library(std::string name, bool correctly_rounded, std::vector<Definition> operands, bool instruction) {
  const ScalarType t = operands.at(0).type;
  return {t, Definition::Library{std::move(name), correctly_rounded, std::move(operands), instruction}};
}

const std::vector<Definition>& operands_of(const Definition& d) {
  static const std::vector<Definition> none;
  return match(
      d.node, [](const Definition::Argument&) -> auto& { return none; },
      [](const Definition::Constant&) -> auto& { return none; }, [](const auto& x) -> auto& { return x.operands; });
}

std::size_t uses(const Definition& d, std::size_t k) {
  if (const auto* a = std::get_if<Definition::Argument>(&d.node)) return a->k == k;
  std::size_t n = 0;
  for (const Definition& x : operands_of(d)) n += uses(x, k);
  return n;
}

}  // namespace lockstep::scalars
