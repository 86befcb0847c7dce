// Contraction, made wrong: what is multiplied, what is added, and its sign; and what is within the error bound, and the
// same on the reals, but rounds more than a product and its sum together.
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/operators.h"
#include "translate/rewriting/terms.h"

namespace lockstep::props {
namespace {

using Operands = std::vector<PhraseRef>;
// Each fma of what the stage makes, with other operands.
Toolchain with_operands(const std::function<Operands(const Operands&)>& change) {
  return tools_with("contract", where_changed([change](const PhraseRef& p) {
                      const PrimPhrase* x = rewriting::as_call(*p, "fma");
                      return x ? apply_operator(x->primitive, change(x->arguments)) : p;
                    }));
}
PhraseRef without_sign(const PhraseRef& p) {
  const PrimPhrase* x = rewriting::as_call(*p, "neg");
  return x ? x->arguments[0] : p;
}
// (a * b) * y is a * (b * y)
Operands regrouped(const Operands& x) {
  const PrimPhrase* product = rewriting::as_call(*x[0], "*");
  if (!product) return x;
  return {product->arguments[0], apply_operator(product->primitive, {product->arguments[1], x[1]}), x[2]};
}
Operands slightly_more(const Operands& x) {
  const auto* t = as<ScalarType>(data_of(*x[2]));
  if (!t || *t != ScalarType::F32) return x;
  return {x[0], x[1], apply_operator(scalar_operator("*"), {x[2], literal(make_ieee(*t, 1.0000001192092896))})};
}

}  // namespace

void contraction_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "contraction");
  const auto body = [](const std::string& text) {
    return std::vector<DirectedProgram>{
        {"fun main [n] (xs ys : [n]f32) : [n]f32 =\n  map (\\(x, y) -> " + text + ") (zip xs ys)\n"}};
  };
  add("contraction-operands", "what is added and the second factor change places", with_operands([](const Operands& x) {
        return Operands{x[0], x[2], x[1]};
      }),
      body("x * y + 0.1"));
  add("contraction-square", "the first factor is both", with_operands([](const Operands& x) {
        return Operands{x[0], x[0], x[2]};
      }),
      body("x * y + 0.1"));
  add("contraction-forgets", "what is added is forgotten", with_operands([](const Operands& x) {
        return Operands{x[0], x[1], literal(make_ieee(operand_scalar(data_of(*x[2])), 0))};
      }),
      body("x * y + 0.1"));
  add("contraction-adds", "what is taken from a product is added to it", with_operands([](const Operands& x) {
        return Operands{x[0], x[1], without_sign(x[2])};
      }),
      body("x * y - 0.1"));
  add("contraction-takes", "a product that is taken from something is added to it",
      with_operands([](const Operands& x) {
        return Operands{without_sign(x[0]), x[1], x[2]};
      }),
      body("0.1 - x * y"));
  add("contraction-regroups", "products are regrouped on the way, which changes nothing on the reals",
      with_operands(regrouped), body("0.1 * x * y + x"));
  add("contraction-one-more-place", "what is added is one place too large", with_operands(slightly_more),
      body("x * y + y"));
}

}  // namespace lockstep::props
