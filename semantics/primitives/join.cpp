// join (DPIA Fig. 4a): m rows of k elements as one array.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef join_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "join", "the rows of an array one after the other",
      View{
          .type = "[m][k]'a -> [m*k]'a",
          .equation = "join xs ! i = xs ! (i/k) ! (i%k)",
          .elements = Elements::OfRows,
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t k = sizes[1];
                return delayed_array(sizes[0] * k, [k, xs = args[0]](std::int64_t i) {
                  return element_of(element_of(xs, i / k), i % k);
                });
              },
          .read =
              [](PathReader& r, const Instance& at, Path p) {  // Fig. 6c
                const Size i = index_of(p.at(0));
                return r.read(
                    0, replace_front(p, 1, {PathIndex{floor_div(i, at.size(1))}, PathIndex{modulo(i, at.size(1))}}));
              },
          .acceptors = {{"joinAcc", 0,
                         [](const Instance& at, Path p) {  // Fig. 6b
                           return replace_front(p, 2, {PathIndex{index_of(p.at(0)) * at.size(1) + index_of(p.at(1))}});
                         },
                         [](const auto& sizes, const Acceptor& a) {  // \i j. A (i k + j), from A : [m k]
                           const std::int64_t k = sizes[1];
                           return acceptor_array(sizes[0], [a, k](std::int64_t i) {
                             return acceptor_array(k, [a, k, i](std::int64_t j) { return element_of(a, i * k + j); });
                           });
                         }}},
      }});
}

}  // namespace lockstep
