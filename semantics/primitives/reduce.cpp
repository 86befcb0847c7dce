// reduce (DPIA Fig. 4a): a fold from the left, element first, accumulator second.
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {
namespace {

// Fig. 5b: C[reduce F I E](C) = C[E](\x. C[I](\y. reduceI (\x y o. A[F x y](o)) y x C))
PhraseRef continue_with(Translation& t, const PrimPhrase& e, const std::function<PhraseRef(PhraseRef)>& c) {
  const Type &d1 = e.types[0], &d2 = e.types[1];
  return t.continuation(e.arguments[2], [&](const PhraseRef& xs) {
    return t.continuation(e.arguments[1], [&](const PhraseRef& init) {
      const std::string r = t.fresh("r");
      const PhraseRef f = acceptor_of(t, e.arguments[0], {d1, d2}, d2);
      const PhraseRef k = lambda(r, exp_type(d2), c(ident(r, exp_type(d2))));
      return phrase_of({imp::ReduceI{}, {e.sizes[0]}, {d1, d2}, {f, init, xs, k}});
    });
  });
}

Value folded(const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
  Value acc = stored(args[1]);
  for (std::int64_t i = 0; i < sizes[0]; ++i) {
    const Value pair[2] = {element_of(args[2], i), acc};
    acc = stored(call(args[0], pair));
  }
  return acc;
}

PrimitiveRef named(const char* name, bool by_law, const char* summary) {
  return std::make_shared<const Primitive>(Primitive{
      name, summary,
      Loop{
          .type = "('a -> 'b -> 'b) -> 'b -> [n]'a -> 'b",
          .meaning = folded,
          .cost =
              [](SourceCosts& costs, const PrimPhrase& e, bool copied) {
                const Cost elements = costs.before(e.arguments[2]), start = costs.before(e.arguments[1]);
                const Cost step = copied_back(e.types[1], costs.call(e.arguments[0], {e.arguments[2]}));
                return elements + start +
                       over_state(costs, e.types[1], e.arguments[1], repeated(e.sizes[0], step), copied);
              },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                return continue_with(t, e, [&](const PhraseRef& r) { return t.assign(a, r); });  // Fig. 5a
              },
          .continuation = continue_with,
          .takes = 2,
          .in_order = true,
          .by_law = by_law,
          .total = true,
          .writes =
              [](DeclaredWrites& w, const PrimPhrase& e, bool copied) {
                const Size d = scalars_in(e.types[1]);
                const Size elements = w.before(e.arguments[2]), start = w.before(e.arguments[1]);
                return elements + start + d + e.sizes[0] * (w.body(e.arguments[0]) + d) + copies(e.types[1], copied);
              },
      }});
}

}  // namespace

std::vector<PrimitiveRef> reduce_primitives() {
  return {named("reduce", true,
                "a fold from the left, element first and accumulator second; a target may reorder an associative one"),
          named("reduceSeq", false, "a fold from the left, always one sequential loop")};
}

}  // namespace lockstep
