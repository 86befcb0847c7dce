// A loop: pairwise f xs is f on every element and the one after it. Its acceptor translation is written in imperative
// phrases; the continuation translation (allocate, accept, continue) follows.
#include "primitives.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {

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
                    .cost = [](const Instance& at,
                               const std::vector<Cost>& f) { return parallel_calls(at.size(0), f[0], at.type(1)); },
                    // A[pairwise f E](A) = C[E](\xs. parfor n A (\i o. A[f (idx xs i) (idx xs (i+1))](o)))
                    .acceptor =
                        [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                          return t.continuation(e.arguments[1], [&](const PhraseRef& xs) {
                            const Size n = e.sizes[0];
                            const PhraseRef windows = prim(t.primitive("slide"), {2, 1, n - Size(1)}, {e.types[0]},
                                                           {xs}, array(n, array(2, e.types[0])));
                            const PrimitiveRef& idx = t.primitive("idx");
                            const std::string index = t.fresh("i"), out = t.fresh("o");
                            return par_for(Level::Auto, a, index, out, [&](const PhraseRef& i, const PhraseRef& o) {
                              const PhraseRef window = idx_of(idx, windows, i);
                              const PhraseRef here = idx_of(idx, window, index_at(0, 2)),
                                              next = idx_of(idx, window, index_at(1, 2));
                              return t.acceptor(apply(apply(e.arguments[0], here), next), o);
                            });
                          });
                        },
                }});
}

}  // namespace lockstep
