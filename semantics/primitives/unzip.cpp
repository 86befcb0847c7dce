// unzip: an array of pairs as a pair of arrays.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef unzip_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "unzip", "an array of pairs as a pair of arrays",
      View{
          .type = "[n]('a, 'b) -> ([n]'a, [n]'b)",
          .equation = "fst (unzip xs) ! i = fst (xs ! i); snd (unzip xs) ! i = snd (xs ! i)",
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const Value xs = args[0];
                return pair_value(
                    delayed_array(sizes[0], [xs](std::int64_t i) { return first_of(element_of(xs, i)); }),
                    delayed_array(sizes[0], [xs](std::int64_t i) { return second_of(element_of(xs, i)); }));
              },
          .read =
              [](PathReader& r, const Instance&, Path p) {
                const PathStep component = p.at(0), i = p.at(1);
                return r.read(0, replace_front(p, 2, {i, component}));
              },
          .acceptors = {{"unzipAcc", 0,
                         [](const Instance&, Path p) {
                           const PathStep i = p.at(0), component = p.at(1);
                           return replace_front(p, 2, {component, i});
                         },
                         [](const auto& sizes, const Acceptor& a) {  // \i. (A.1 i, A.2 i)
                           return acceptor_array(sizes[0], [a](std::int64_t i) {
                             return acceptor_pair(element_of(component_of(a, 1), i), element_of(component_of(a, 2), i));
                           });
                         }}},
      }});
}

}  // namespace lockstep
