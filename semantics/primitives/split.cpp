// split (DPIA Fig. 4a): [k*m]a as m rows of k. The paper's Fig. 6b divides by the wrong one of its two sizes; here the
// row length k divides in both directions.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef split_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "split", "an array cut into rows of k elements",
      View{
          .type = "(k : nat) -> [k*m]'a -> [m][k]'a where k",
          .equation = "split k xs ! i ! j = xs ! (i*k + j)",
          .elements = Elements::Rows,
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t k = sizes[0];
                return delayed_array(sizes[1], [k, xs = args[0]](std::int64_t i) {
                  return delayed_array(k, [k, i, xs](std::int64_t j) { return element_of(xs, i * k + j); });
                });
              },
          .read =
              [](PathReader& r, const Instance& at, Path p) {  // Fig. 6c
                return r.read(0, replace_front(p, 2, {PathIndex{index_of(p.at(0)) * at.size(0) + index_of(p.at(1))}}));
              },
          .acceptors =
              {{"splitAcc", 0,
                [](const Instance& at, Path p) {  // Fig. 6b
                  const Size i = index_of(p.at(0));
                  return replace_front(p, 1, {PathIndex{floor_div(i, at.size(0))}, PathIndex{modulo(i, at.size(0))}});
                },
                [](const auto& sizes, const Acceptor& a) {  // \i. A (i / k) (i % k), from A : [m][k]
                  const std::int64_t k = sizes[0];
                  return acceptor_array(k * sizes[1],
                                        [a, k](std::int64_t i) { return element_of(element_of(a, i / k), i % k); });
                }}},
      }});
}

}  // namespace lockstep
