// if: evaluates only the branch that is taken. Interpreters and translations treat its laziness themselves.
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {

PrimitiveRef if_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "if", "if c then x else y, one of two branches; the other is not evaluated",
      Loop{
          .type = "bool -> 'a -> 'a -> 'a",
          .meaning = [](const std::vector<std::int64_t>&,
                        std::span<const Value> args) { return as_scalar(force(args[0])).bits ? args[1] : args[2]; },
          .cost =
              [](const Instance&, const std::vector<Cost>&) {
                return Cost{1, 1, 0};
              },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                return t.continuation(e.arguments[0], [&](const PhraseRef& c) {
                  const PhraseRef then = t.acceptor(e.arguments[1], a);
                  return cond(c, then, t.acceptor(e.arguments[2], a));
                });
              },
      },
      Notation::Form});
}

}  // namespace lockstep
