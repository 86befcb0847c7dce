// The list of all rows (operator.h).
#include <algorithm>
#include <array>

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

const ScalarOp& choice() {
  static const ScalarOp row{
      .name = "select",
      .summary = "the second where the first is true, else the third; both are evaluated",
      .arity = 3,
      .operands = Operands::Any,
      .chooses = true,
      .meaning = [](const Domain&, ScalarType, Arguments x) { return x[0].bits != 0 ? x[1] : x[2]; },
      .definition = [](ScalarType t) { return choose(argument(0, ScalarType::Bool), argument(1, t), argument(2, t)); }};
  return row;
}

namespace {

std::optional<Operation> one_operation(const ScalarOp& op, ScalarType t) {
  if (!op.takes(t)) return std::nullopt;
  const Definition d = op.definition(t);
  const auto* a = std::get_if<Definition::Apply>(&d.node);
  if (!a || static_cast<int>(a->operands.size()) != op.arity) return std::nullopt;
  for (std::size_t k = 0; k < a->operands.size(); ++k) {
    const auto* x = std::get_if<Definition::Argument>(&a->operands[k].node);
    if (!x || x->k != k) return std::nullopt;
  }
  return a->op;
}

}  // namespace

std::optional<Operation> operation_of(const ScalarOp& op, ScalarType t) {
  using Row = std::array<std::optional<Operation>, scalar_types.size()>;
  static const std::vector<Row> rows = [] {
    std::vector<Row> made(operators().size());
    for (std::size_t k = 0; k < made.size(); ++k)
      for (const ScalarType u : scalar_types) made[k][static_cast<std::size_t>(u)] = one_operation(operators()[k], u);
    return made;
  }();
  if (&op == &choice()) return std::nullopt;
  const std::ptrdiff_t k = &op - operators().data();
  if (k < 0 || static_cast<std::size_t>(k) >= rows.size())
    throw Bug("the operation of " + op.name + ", which is no row");
  return rows[static_cast<std::size_t>(k)][static_cast<std::size_t>(t)];
}

std::optional<std::string> why_ordered(const ScalarOp& op, ScalarType t) {
  const std::string name = "'" + op.name + "'", type(show(t));
  if (op.arity != 2 || op.chooses || !op.keeps()) return name + " does not take two values of one type to one of it";
  if (!op.takes(t)) return name + " is not on " + type;
  if (is_float(t))
    return name + " on " + type + " rounds, or tells zeros and NaNs apart: its result hangs on the order";
  if (!is_integer(t)) return name + " is on " + type + ", not on integers";
  if (op.can_trap(t)) return name + " can trap on " + type;
  if (!op.laws.commutative) return name + " does not commute";
  if (!op.laws.associative) return name + " is not associative";
  return std::nullopt;
}

std::function<Definition(ScalarType)> defined_by(Operation op) {
  return [op](ScalarType t) { return apply(op, argument(0, t), argument(1, t)); };
}

}  // namespace lockstep::scalars
