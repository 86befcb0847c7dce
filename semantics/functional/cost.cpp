// Costs of functional phrases, in the order of the forms.
#include "semantics/functional/cost.h"

#include "semantics/core/cost.h"

namespace lockstep {
namespace {

Cost operator+(const Cost& a, const Cost& b) { return {a.work + b.work, a.depth + b.depth, a.space + b.space}; }
Cost either(const Cost& a, const Cost& b) {
  return {upper_maximum(a.work, b.work), upper_maximum(a.depth, b.depth), upper_maximum(a.space, b.space)};
}

// Scalar operations for each element read through the views of e.
Size read_cost(const Phrase& e) {
  const auto* p = as<PrimPhrase>(e);
  const auto* v = p ? std::get_if<View>(&p->primitive->kind) : nullptr;
  if (!v) return 0;
  Size out = v->read_cost;
  for (const PhraseRef& a : p->arguments) out = out + read_cost(*a);
  return out;
}

Cost cost_of(const Phrase& e);

Cost cost_of_function(const Phrase& f) {
  const Phrase* body = &f;
  while (const auto* l = as<LambdaPhrase>(*body)) body = &*l->body;
  return cost_of(*body);
}

Cost cost_of_primitive(const PrimPhrase& p) {
  Cost out{0, 0, 0};
  Size reads = 0;
  std::vector<Cost> functions;
  for (const PhraseRef& a : p.arguments) {
    if (as<LambdaPhrase>(*a)) {
      functions.push_back(cost_of_function(*a));
      continue;
    }
    out = out + cost_of(*a);
    if (const auto* t = as<ExpType>(a->type))
      if (const auto* array_type = as<ArrayType>(t->data)) reads = reads + array_type->length * read_cost(*a);
  }
  return match(
      p.primitive->kind,
      [&](const ScalarOp&) {
        const auto* v = as<VectorType>(p.types.at(0));
        return out + Cost{v ? v->width : Size(1), 1, 0};
      },
      [&](const View& v) {
        if (!v.check) return out;
        // The check looks at each index once.
        const Size n = p.sizes.empty() || v.element ? Size(1) : p.sizes[0];
        return out + Cost{n, 1, 0};
      },
      [&](const Loop& l) {
        return out + Cost{reads, 0, 0} + l.cost(Instance{p}, functions);
      });
}

Cost cost_of(const Phrase& e) {
  return match(
      e.node,
      [](const Ident&) {
        return Cost{0, 0, 0};
      },
      [](const LiteralPhrase&) {
        return Cost{0, 0, 0};
      },
      [](const NatPhrase&) {
        return Cost{0, 0, 0};
      },
      [](const LambdaPhrase& x) { return cost_of(*x.body); },
      [](const ApplyPhrase&) -> Cost { throw Bug("the cost of an application that is not in normal form"); },
      [](const LetPhrase& x) { return cost_of(*x.value) + cost_of(*x.body); },
      [](const IfPhrase& x) {
        return cost_of(*x.condition) + Cost{1, 1, 0} + either(cost_of(*x.then), cost_of(*x.otherwise));
      },
      [](const PairPhrase&) -> Cost { throw Bug("the functional cost of a phrase pair"); },
      [](const ProjPhrase&) -> Cost { throw Bug("the functional cost of a projection"); },
      [](const PrimPhrase& x) { return cost_of_primitive(x); },
      [](const ImpPhrase&) -> Cost { throw Bug("the functional cost of a command"); });
}

}  // namespace

Cost cost(const PhraseProgram& program) {
  const SizeContext context = context_of(program);
  const Cost c = cost_of(*program.body);
  return {context.simplify(c.work), context.simplify(c.depth), context.simplify(c.space)};
}

}  // namespace lockstep
