// slide: overlapping windows of w elements, each s after the one before.
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef slide_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "slide", "windows of w elements, s apart",
      View{
          .type = "(w : nat) -> (s : nat) -> [w+s*m]'a -> [m+1][w]'a where w, s",
          .equation = "slide w s xs ! i ! j = xs ! (i*s + j)",
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t w = sizes[0], s = sizes[1];
                return delayed_array(sizes[2] + 1, [w, s, xs = args[0]](std::int64_t i) {
                  return delayed_array(w, [i, s, xs](std::int64_t j) { return element_of(xs, i * s + j); });
                });
              },
          .read =
              [](PathReader& r, const Instance& at, Path p) {
                return r.read(0, replace_front(p, 2, {PathIndex{index_of(p.at(0)) * at.size(1) + index_of(p.at(1))}}));
              },
      }});
}

}  // namespace lockstep
