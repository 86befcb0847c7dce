// A loop: pairwise f xs is f on every element and the one after it. Its acceptor translation is written in imperative
// phrases; the continuation translation (allocate, accept, continue) follows.
#include "primitives.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {
namespace {

// \xs -> E
PhraseRef of_array(const PrimPhrase& e, const std::string& xs, const PhraseRef& body) {
  return lambda(xs, exp_type(array(e.sizes[0] + Size(1), e.types[0])), body);
}

}  // namespace

PrimitiveRef pairwise_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"pairwise", "a function on every element and the one after it",
                Loop{
                    .type = "('a -> 'a -> 'b) -> [n+1]'a -> [n]'b",
                    .meaning =
                        [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                          std::vector<Value> out;
                          for (std::int64_t i = 0; i < sizes[0]; ++i) {
                            const Value both[2] = {element_of(args[1], i), element_of(args[1], i + 1)};
                            out.push_back(stored(call(args[0], both)));
                          }
                          return array_value(std::move(out));
                        },
                    .cost =
                        [](SourceCosts& costs, const PrimPhrase& e, bool) {
                          const Size& n = e.sizes[0];
                          const auto* f = as<LambdaPhrase>(*e.arguments[0]);
                          const std::string name = f ? f->name + " of" : "xs";
                          const PhraseRef xs = ident(name, exp_type(array(n + Size(1), e.types[0])));
                          const Cost elements = costs.before(e.arguments[1]);
                          costs.bind(of_array(e, name, xs), e.arguments[1]);
                          const PhraseRef element = idx_of(idx_primitive(), xs, index_at(0, n + Size(1)));
                          const Cost one = costs.call(e.arguments[0], {element, element});
                          return elements + side_by_side(n, one);
                        },
                    // A[pairwise f E](A) = C[E](\xs. parfor n A (\i o. A[f (idx xs i) (idx xs (i+1))](o)))
                    .acceptor =
                        [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                          return t.continuation(e.arguments[1], [&](const PhraseRef& given) {
                            const Size n = e.sizes[0];
                            const std::string name = t.fresh("xs");
                            const PhraseRef xs = ident(name, exp_type(array(n + Size(1), e.types[0])));
                            const PhraseRef windows = prim(t.primitive("slide"), {2, 1, n - Size(1)}, {e.types[0]},
                                                           {xs}, array(n, array(2, e.types[0])));
                            const PrimitiveRef& idx = t.primitive("idx");
                            const std::string index = t.fresh("i"), out = t.fresh("o");
                            return par_for(Level::Auto, a, index, out, [&](const PhraseRef& i, const PhraseRef& o) {
                              const PhraseRef window = idx_of(idx, windows, i);
                              const PhraseRef here = idx_of(idx, window, index_at(0, 2)),
                                              next = idx_of(idx, window, index_at(1, 2));
                              const PhraseRef both = apply(apply(e.arguments[0], here), next);
                              return t.acceptor(t.call(of_array(e, name, both), given), o);
                            });
                          });
                        },
                }});
}

}  // namespace lockstep
