// A view: rotate k xs begins at element k and goes on at the front. Everything that a view needs is in this file; both
// translations, the index arithmetic in the generated code, the random programs and what is proved follow from it.
#include "primitives.h"

#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef rotate_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "rotate", "the array from element k on, then the first k",
      View{
          .type = "(k : nat) -> [n]'a -> [n]'a",
          .equation = "rotate k xs ! i = xs ! ((i + k) % n)",
          // The specification: trusted.
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t k = sizes[0], n = sizes[1];
                return delayed_array(n, [k, n, xs = args[0]](std::int64_t i) { return element_of(xs, (i + k) % n); });
              },
          // The lowering: checked against the meaning after every stage.
          .read =
              [](PathReader& r, const Instance& at, Path p) {
                return r.read(0, replace_front(p, 1, {PathIndex{modulo(index_of(p.at(0)) + at.size(0), at.size(1))}}));
              },
      }});
}

}  // namespace lockstep
