// The rows of semantics/scalars as primitives, and their application to phrases.
#include <algorithm>

#include "semantics/core/table.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"

namespace lockstep {
const std::vector<PrimitiveRef>& scalar_operators() {
  static const std::vector<PrimitiveRef> all = [] {
    std::vector<PrimitiveRef> made;
    for (const ScalarOp& row : scalars::operators())
      made.push_back(std::make_shared<const Primitive>(Primitive{row.name, row.summary, row}));
    return made;
  }();
  return all;
}

const PrimitiveRef& scalar_operator(std::string_view name) {
  const auto& all = scalar_operators();
  const auto found = std::find_if(all.begin(), all.end(), [&](const PrimitiveRef& p) { return p->name == name; });
  if (found == all.end()) throw Bug("no scalar operator " + std::string(name));
  return *found;
}

ScalarType operand_scalar(const Type& operand) {
  const auto* vector = as<VectorType>(operand);
  const auto* s = as<ScalarType>(vector ? *vector->element : operand);
  return s ? *s : ScalarType::I64;
}

Type operator_result(const ScalarOp& op, const Type& operand) {
  if (op.keeps()) return operand;
  const Type lane = scalar(op.result(operand_scalar(operand)));
  const auto* vector = as<VectorType>(operand);
  return vector ? vector_type(lane, vector->width) : lane;
}

PhraseRef apply_operator(const PrimitiveRef& primitive, std::vector<PhraseRef> arguments) {
  const auto* op = std::get_if<ScalarOp>(&primitive->kind);
  if (!op) throw Bug(primitive->name + " is no scalar operator");
  if (static_cast<int>(arguments.size()) != static_cast<const int&>(op->arity))
    throw Bug("arguments of " + primitive->name);
  const auto operand_of = [](const PhraseRef& p) {
    return as<IndexType>(data_of(*p)) ? scalar(ScalarType::I64) : data_of(*p);
  };
  const Type operand = operand_of(arguments.front());
  for (const PhraseRef& p : arguments) {
    if (!(operand_of(p) == operand)) throw Bug("the operands of " + primitive->name + " differ in type");
  }
  const Type result = operator_result(*op, operand);
  return Phrase{exp_type(result), PrimPhrase{primitive, -1, {}, {operand}, std::move(arguments)}};
}

PhraseRef phrase_of(const scalars::Definition& d, const std::vector<PhraseRef>& arguments) {
  using enum scalars::Operation;
  using scalars::Definition;
  static constexpr auto names = table<scalars::Operation>({{Add, "+"},
                                                           {Subtract, "-"},
                                                           {Multiply, "*"},
                                                           {Divide, "/"},
                                                           {Remainder, "%"},
                                                           {And, "&"},
                                                           {Or, "|"},
                                                           {Xor, "^"},
                                                           {ShiftLeft, "<<"},
                                                           {ShiftRight, ">>"},
                                                           {Equal, "=="},
                                                           {NotEqual, "!="},
                                                           {Less, "<"},
                                                           {LessEqual, "<="},
                                                           {Greater, ">"},
                                                           {GreaterEqual, ">="},
                                                           {Both, "&&"},
                                                           {Either, "||"},
                                                           {Not, "not"},
                                                           {Negate, "neg"},
                                                           {PopCount, "popcount"},
                                                           {LeadingZeros, "clz"},
                                                           {Bits, ""},
                                                           {Convert, ""}});
  std::vector<PhraseRef> x;
  for (const Definition& operand : operands_of(d)) x.push_back(phrase_of(operand, arguments));
  return match(
      d.node, [&](const Definition::Argument& a) -> PhraseRef { return arguments.at(a.k); },
      [&](const Definition::Constant& c) -> PhraseRef {
        return is_float(d.type) ? literal(c.value, show(c.value, ieee_domain())) : literal(c.value);
      },
      [&](const Definition::Apply& a) -> PhraseRef {
        if (a.op == Bits)
          return apply_operator(scalar_operator(is_float(d.type) ? "fromBits" : "toBits"), std::move(x));
        return apply_operator(scalar_operator(a.op == Convert ? lockstep::show(d.type) : names[a.op]), std::move(x));
      },
      [&](const Definition::Choice&) -> PhraseRef { return if_else(x[0], x[1], x[2], {}); },
      [&](const Definition::Library& l) -> PhraseRef { throw Bug("no phrase calls the library's " + l.name); });
}

}  // namespace lockstep
