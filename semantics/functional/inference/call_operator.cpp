// Calls of scalar operators: their operands are of one type, which use, result or the operands themselves say.
#include "semantics/functional/inference/advice.h"
#include "semantics/functional/inference/calls.h"
#include "semantics/functional/inference/expressions.h"
#include "semantics/functional/inference/literals.h"
#include "semantics/functional/inference/refusals.h"

namespace lockstep::inference {

using namespace surface;

namespace {

std::size_t operand_count(const ScalarOp& op) { return static_cast<std::size_t>(static_cast<int>(op.arity)); }

void refuse_count(Work& w, const ScalarOp& op, const std::string& shown, const std::vector<Argument>& arguments,
                  const Region& region) {
  const std::size_t arity = operand_count(op);
  if (arguments.empty())
    w.fail(region, shown + " takes " + plural(arity, "operand") + ", none is given", plural(arity, "operand"),
           "it stands after the name, a negative number in parentheses: " + shown + " (-1)");
  if (arguments.size() == 1 && arity == 2 && arguments[0].expression && !arguments[0].made &&
      as<ArrayType>(w.types().shallow(expression(w, *arguments[0].expression, std::nullopt).type)))
    w.fail(region, shown + " takes 2 operands, and this is an array of them", "2 operands",
           "over an array: reduce " + (std::isalpha(static_cast<unsigned char>(shown[0])) ? shown : "(" + shown + ")") +
               " start xs");
  if (arguments.size() != arity) wrong_count(w, {shown, "", region}, arity, arguments);
}

// The type of the operands as far as the operator and the place of its result say it.
Type operand_type_of(Work& w, const ScalarOp& op, const std::string& shown, const Region& region,
                     const std::optional<Type>& expected) {
  const Type out = w.types().fresh_type(region, "the operands of " + shown);
  if (op.keeps() && expected) {
    const Type want = w.types().shallow(*expected);
    if (as<ScalarType>(want) || as<VectorType>(want)) w.unify(out, want, region, "the result of " + shown);
  }
  if (op.operands == Operands::Bool) w.unify(out, scalar(ScalarType::Bool), region, shown);
  if (op.gives_bits && expected)
    if (const auto from = operands_of_bits(op, w.types().shallow(*expected))) w.unify(out, *from, region, shown);
  return out;
}

Type result_of(Work& w, const ScalarOp& op, const Type& operand_type) {
  if (op.keeps()) return operand_type;
  const Type operands = w.types().shallow(operand_type);
  if (op.gives_bits) return result_of_bits(op, operands);
  const auto* known = as<ScalarType>(operands);
  return scalar(op.result(known && op.takes(*known) ? *known : ScalarType::I64));
}

}  // namespace

Typed call_operator(Work& w, const PrimitiveRef& op, const std::vector<Argument>& arguments, const Region& region,
                    const std::optional<Type>& expected) {
  const auto& facets = std::get<ScalarOp>(op->kind);
  const std::string shown = facets.sign.empty() ? op->name : facets.sign;
  refuse_count(w, facets, shown, arguments, region);
  if (arguments.size() == 2 && arguments[0].expression && arguments[1].expression)
    w.infix = {arguments[0].expression->region, shown, arguments[1].expression};
  const bool conversion = facets.gives && arguments.size() == 1;
  const Type operand_type = operand_type_of(w, facets, shown, region, expected);
  w.operands.of_operator(operand_type, facets, shown, region);
  std::vector<PhraseRef> done;
  std::vector<Type> types;
  for (const Argument& a : arguments) {
    const Type known = w.types().shallow(operand_type);
    std::optional<Type> want;
    if (!conversion && as<ScalarType>(known) && a.expression && std::holds_alternative<Literal>(a.expression->node))
      want = known;
    if (conversion && a.expression && !a.made) want = literal_under(*a.expression, *facets.gives);
    const Typed t = a.made ? *a.made : expression(w, *a.expression, want);
    types.push_back(t.type);
    if (const Type shape = w.types().shallow(t.type); as<ArrayType>(shape) || as<PairType>(shape))
      operator_on_array(w, shown, arguments, types);
    if (conversion && as<IndexType>(w.types().shallow(t.type)))
      w.unify(operand_type, t.type, region, shown);
    else
      w.operands.operand(operand_type, t.type, a.expression ? a.expression->region : region,
                         "this operand of " + shown);
    done.push_back(t.phrase);
  }
  w.operands.settle(w.constraints);
  const bool open = facets.gives_bits && Unifier::is_unknown(w.types().shallow(operand_type));
  const Type result =
      open ? w.types().fresh_type(region, "the result of " + shown) : result_of(w, facets, operand_type);
  if (open) w.operands.bits(operand_type, result, facets, shown, region);
  return {prim(op, {}, {operand_type}, std::move(done), result, region), result};
}

}  // namespace lockstep::inference
