// zip (DPIA Fig. 4a): element i of the result is the pair of elements i.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef zip_primitive() {
  const auto component = [](int k) {
    return [k](const Instance&, Path p) {  // Fig. 6b, zipAcc_k
      const PathStep i = p.at(0);
      return replace_front(p, 1, {i, PathProjection{k}});
    };
  };
  const auto written = [](int k) {  // \i. (A i).k
    return [k](const std::vector<std::int64_t>& sizes, const Acceptor& a) {
      return acceptor_array(sizes[0], [a, k](std::int64_t i) { return component_of(element_of(a, i), k); });
    };
  };
  return std::make_shared<const Primitive>(
      Primitive{"zip", "two arrays of one length as an array of pairs",
                View{
                    .type = "[n]'a -> [n]'b -> [n]('a, 'b)",
                    .equation = "zip xs ys ! i = (xs ! i, ys ! i)",
                    .meaning =
                        [](const auto& sizes, std::span<const Value> args) {
                          return delayed_array(sizes[0], [a = args[0], b = args[1]](std::int64_t i) {
                            Value first = element_of(a, i);
                            return pair_value(std::move(first), element_of(b, i));
                          });
                        },
                    .read =
                        [](PathReader& r, const Instance&, Path p) {  // Fig. 6c, zip
                          const PathStep i = p.at(0);
                          return r.read(static_cast<std::size_t>(component_of(p.at(1)) - 1), replace_front(p, 2, {i}));
                        },
                    .acceptors = {{"zipAcc1", 0, component(1), written(1)}, {"zipAcc2", 1, component(2), written(2)}},
                    .made_of = MadeOf::ComponentsOfElements,
                }});
}

}  // namespace lockstep
