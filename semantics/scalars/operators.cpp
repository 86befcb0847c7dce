// The list of all rows (operator.h).
#include <algorithm>

#include "semantics/scalars/operator.h"

namespace lockstep {

bool ScalarOp::takes(ScalarType t) const {
  switch (operands) {
    case Operands::Numeric:
      return t != ScalarType::Bool;
    case Operands::Float:
      return is_float(t);
    case Operands::Integer:
      return is_integer(t) || (bools && t == ScalarType::Bool);
    case Operands::Bool:
      return t == ScalarType::Bool;
    case Operands::Any:
      return true;
    case Operands::Words:
      return t == ScalarType::U32 || t == ScalarType::U64;
  }
  throw Bug("operands of no kind");
}

ScalarType ScalarOp::result(ScalarType t) const {
  if (gives_bool) return ScalarType::Bool;
  if (gives) return *gives;
  return gives_bits ? scalars::bits_type(t) : t;
}

std::vector<ScalarType> ScalarOp::types() const {
  std::vector<ScalarType> out(scalar_types.begin(), scalar_types.end());
  std::erase_if(out, [&](ScalarType t) { return !takes(t); });
  return out;
}

}  // namespace lockstep

namespace lockstep::scalars {

const std::vector<ScalarOp>& operators() {
  static const std::vector<ScalarOp> all = [] {
    std::vector<ScalarOp> joined;
    for (const auto& family : {arithmetic(), comparisons(), logic(), bitwise(), math(), conversions()})
      joined.insert(joined.end(), family.begin(), family.end());
    return joined;
  }();
  return all;
}

const ScalarOp& operator_named(std::string_view name) {
  const auto found =
      std::find_if(operators().begin(), operators().end(), [&](const ScalarOp& op) { return op.name == name; });
  if (found == operators().end()) throw Bug("no scalar operator " + std::string(name));
  return *found;
}

std::function<Definition(ScalarType)> defined_by(Operation op) {
  return [op](ScalarType t) { return apply(op, argument(0, t), argument(1, t)); };
}

}  // namespace lockstep::scalars
