// One definition, from its body as it is written to the phrase.
#include "semantics/functional/inference/elaborate.h"

#include "semantics/core/size_limit.h"
#include "semantics/functional/inference/expressions.h"
#include "semantics/functional/inference/finish.h"

namespace lockstep::inference {

PhraseRef definition(Work& w, const surface::Expr& body, const Type& result) {
  const Typed t = expression(w, body, result);
  w.operands.close(w.constraints);
  w.constraints.refuse_unknowns(w.bindings.unused());
  w.operands.refuse_misfits(w.constraints);
  w.constraints.collect();
  return finish(w, substitute_sizes(t.phrase, w.types().size_solution(), w.types().type_solution()));
}

PhraseRef expanded(Work& w, const PhraseRef& body, std::size_t nodes) {
  std::size_t left = nodes;
  const std::function<PhraseRef(const PhraseRef&)> go = [&](const PhraseRef& p) -> PhraseRef {
    const Defined* d = w.in.defined.called_by(*p);
    if (!d) return map_children(p, go);
    const auto& x = *as<PrimPhrase>(*p);
    if (d->nodes > left) throw TooManyNodes{p->region};
    SizeSubstitution sizes;
    TypeSubstitution types;
    const std::vector<std::string> names = sizes_of(*d);
    for (std::size_t k = 0; k < names.size(); ++k) sizes.insert_or_assign(names[k], x.sizes[k]);
    for (std::size_t k = 0; k < x.types.size(); ++k) types.insert_or_assign(d->type_variables[k], x.types[k]);
    // Arguments are atoms and functions, which are expanded where they have come to stand.
    PhraseRef made = skip();
    try {
      made = instance_of(*d, sizes, types, x.arguments, w.in.names);
    } catch (const SizeTooLarge&) {
      w.fail(p->region, "this makes a size that is too large to reason about", "coefficients below 2^63");
    }
    // A function that is an argument stands wherever it is used.
    const std::size_t nodes_made = node_count(*made);
    if (nodes_made > left) throw TooManyNodes{p->region};
    left -= nodes_made;
    return go(finish(w, made));
  };
  return go(body);
}

}  // namespace lockstep::inference
