// Contraction (IEEE 754-2019, §10.4; as -ffp-contract=fast has it, but stated): a product of floats that is added to
// something, or taken from it, or something from it, is rounded with the sum, by `fma`. On the reals nothing changes.
#include "translate/dpia/stage.h"

#include "semantics/primitives/operators.h"
#include "translate/rewriting/terms.h"

namespace lockstep {
namespace {

bool is_of_floats(const Phrase& p) {
  const auto* data = as<ExpType>(p.type);
  return data && (as<ScalarType>(data->data) || as<VectorType>(data->data)) && is_float(operand_scalar(data->data));
}

class Contraction {
 public:
  explicit Contraction(const Calculus& c) : fma_(c.primitive("fma")), negate_(c.primitive("neg")) {}

  PhraseRef run(const PhraseRef& p) const {
    const auto* x = as<PrimPhrase>(*p);
    const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
    // Whether there is another round is decided as it is written: an end that hangs on a rounding stays one.
    const Phrase* decides = loop && loop->round ? &*x->arguments[1 - *loop->round] : nullptr;
    const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return &*c == decides ? c : run(c); });
    if (!is_of_floats(*q)) return q;
    if (const PrimPhrase* sum = rewriting::as_call(*q, "+")) return added(q, sum->arguments[0], sum->arguments[1]);
    if (const PrimPhrase* rest = rewriting::as_call(*q, "-")) return taken(q, rest->arguments[0], rest->arguments[1]);
    return q;
  }

 private:
  static const PrimPhrase* product(const PhraseRef& p) { return rewriting::as_call(*p, "*"); }
  PhraseRef negated(const PhraseRef& p) const { return apply_operator(negate_, {p}); }
  PhraseRef fused(const PhraseRef& x, const PhraseRef& y, const PhraseRef& z, const Region& region) const {
    return with_region(apply_operator(fma_, {x, y, z}), region);
  }
  // Of two products the first: what comes before is usually what has been added up.
  PhraseRef added(const PhraseRef& sum, const PhraseRef& a, const PhraseRef& b) const {
    if (const PrimPhrase* x = product(a)) return fused(x->arguments[0], x->arguments[1], b, sum->region);
    if (const PrimPhrase* x = product(b)) return fused(x->arguments[0], x->arguments[1], a, sum->region);
    return sum;
  }
  PhraseRef taken(const PhraseRef& difference, const PhraseRef& a, const PhraseRef& b) const {
    const Region& region = difference->region;
    if (const PrimPhrase* x = product(a)) return fused(x->arguments[0], x->arguments[1], negated(b), region);
    if (const PrimPhrase* x = product(b)) return fused(negated(x->arguments[0]), x->arguments[1], a, region);
    return difference;
  }

  const PrimitiveRef fma_, negate_;
};

}  // namespace

PhraseProgram contracted(const PhraseProgram& p, const Calculus& calculus) {
  PhraseProgram out = p;
  if (!p.in_order) out.body = Contraction(calculus).run(p.body);
  return out;
}

Stage contract(const DpiaLanguages& l) {
  return stage_of<PhraseProgram, PhraseProgram>(
      "contract", "IEEE 754 §10.4, ours", l.functional, l.functional,
      [c = l.calculus](const PhraseProgram& p, Owed*) { return contracted(p, *c); }, {}, Rounding::Contracted);
}

}  // namespace lockstep
