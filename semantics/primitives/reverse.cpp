// reverse: the last element first.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef reverse_primitive() {
  const auto mirror = [](const Instance& at, Path p) {
    return replace_front(p, 1, {PathIndex{at.size(0) - Size(1) - index_of(p.at(0))}});
  };
  return std::make_shared<const Primitive>(Primitive{
      "reverse", "the last element first",
      View{
          .type = "[n]'a -> [n]'a",
          .equation = "reverse xs ! i = xs ! (n - 1 - i)",
          .elements = Elements::Same,
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t last = sizes[0] - 1;
                return delayed_array(sizes[0],
                                     [last, xs = args[0]](std::int64_t i) { return element_of(xs, last - i); });
              },
          .read = [mirror](PathReader& r, const Instance& at, Path p) { return r.read(0, mirror(at, std::move(p))); },
          .acceptors = {{"reverseAcc", 0, mirror,
                         [](const auto& sizes, const Acceptor& a) {
                           const std::int64_t last = sizes[0] - 1;
                           return acceptor_array(sizes[0],
                                                 [a, last](std::int64_t i) { return element_of(a, last - i); });
                         }}},
      }});
}

}  // namespace lockstep
