// select: one of two values, both evaluated.
#include "semantics/primitives/list.h"

namespace lockstep {

PrimitiveRef select_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "select", "the second or the third argument, both evaluated",
      View{
          .type = "bool -> 'a -> 'a -> 'a",
          .equation = "select b x y = if b then x else y",
          .meaning = [](const auto&,
                        std::span<const Value> args) { return as_scalar(force(args[0])).bits ? args[1] : args[2]; },
          .read =
              [](PathReader& r, const Instance&, Path p) {
                return r.choose(
                    r.read(0, {}), [&] { return r.read(1, p); }, [&] { return r.read(2, p); });
              },
          .read_cost = 1,
          .chooses = true,
      }});
}

}  // namespace lockstep
