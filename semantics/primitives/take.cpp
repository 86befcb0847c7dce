// take, drop: the first k elements, and the others.
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef take_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"take", "the first k elements",
                View{
                    .type = "(k : nat) -> [k+m]'a -> [k]'a",
                    .equation = "take k xs ! i = xs ! i",
                    .elements = Elements::Some,
                    .meaning =
                        [](const auto& sizes, std::span<const Value> args) {
                          return delayed_array(sizes[0], [xs = args[0]](std::int64_t i) { return element_of(xs, i); });
                        },
                    .read = [](PathReader& r, const Instance&, Path p) { return r.read(0, std::move(p)); },
                }});
}

PrimitiveRef drop_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "drop", "all but the first k elements",
      View{
          .type = "(k : nat) -> [k+m]'a -> [m]'a",
          .equation = "drop k xs ! i = xs ! (k + i)",
          .elements = Elements::Some,
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                return delayed_array(sizes[1],
                                     [k = sizes[0], xs = args[0]](std::int64_t i) { return element_of(xs, k + i); });
              },
          .read = [](PathReader& r, const Instance& at,
                     Path p) { return r.read(0, replace_front(p, 1, {PathIndex{at.size(0) + index_of(p.at(0))}})); },
      }});
}

}  // namespace lockstep
