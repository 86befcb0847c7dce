// Shapes of expressions.
#include "semantics/functional/shape.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"

namespace lockstep {

bool is_scalar_data(const Type& d) { return as<ScalarType>(d) || as<IndexType>(d) || as<VectorType>(d); }

bool is_atom(const Phrase& e) {
  return match(
      e.node, [](const Ident&) { return true; }, [](const LiteralPhrase&) { return true; },
      [](const NatPhrase&) { return true; }, [](const LambdaPhrase&) { return false; },
      [](const ApplyPhrase&) { return false; }, [](const LetPhrase&) { return false; },
      [](const IfPhrase&) { return false; }, [](const PairPhrase&) { return false; },
      [](const ProjPhrase& x) { return is_atom(*x.phrase); },
      [](const PrimPhrase& x) { return component_taken(x) && is_atom(*x.arguments[0]); },
      [](const ImpPhrase&) { return false; });
}

bool can_trap(const ScalarOp& op, const Type& operand) { return op.can_trap(operand_scalar(operand)); }

namespace {
bool can_trap(const PrimPhrase& p) {
  if (const auto* v = std::get_if<View>(&p.primitive->kind)) return static_cast<bool>(v->check);
  const auto* op = std::get_if<ScalarOp>(&p.primitive->kind);
  return op && can_trap(*op, p.types.at(0));
}
}  // namespace

bool is_simple(const Phrase& e) {
  if (is_atom(e)) return true;
  if (const auto* x = as<IfPhrase>(e))
    return is_simple(*x->condition) && is_simple(*x->then) && is_simple(*x->otherwise);
  const auto* p = as<PrimPhrase>(e);
  if (!p || can_trap(*p) || std::holds_alternative<Loop>(p->primitive->kind)) return false;
  bool simple = true;
  for (const PhraseRef& a : p->arguments) simple = simple && is_simple(*a);
  return simple;
}

Size read_cost(const Phrase& e) {
  const auto* p = as<PrimPhrase>(e);
  const auto* v = p ? std::get_if<View>(&p->primitive->kind) : nullptr;
  if (!v) return 0;
  Size cost = v->read_cost;
  for (const PhraseRef& a : p->arguments) cost = cost + read_cost(*a);
  return cost;
}

}  // namespace lockstep
