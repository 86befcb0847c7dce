// concat: one array after another.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef concat_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"concat", "one array after another",
                View{
                    .type = "[n]'a -> [m]'a -> [n+m]'a",
                    .equation = "concat xs ys ! i = if i < n then xs ! i else ys ! (i - n)",
                    .meaning =
                        [](const auto& sizes, std::span<const Value> args) {
                          const std::int64_t n = sizes[0];
                          return delayed_array(n + sizes[1], [n, a = args[0], b = args[1]](std::int64_t i) {
                            return i < n ? element_of(a, i) : element_of(b, i - n);
                          });
                        },
                    .read =
                        [](PathReader& r, const Instance& at, Path p) {
                          const Size i = index_of(p.at(0)), n = at.size(0);
                          const SizeFact first{i, SizeRelation::Less, n};
                          const auto one = [&] { return r.read(0, p); };
                          const auto other = [&] { return r.read(1, replace_front(p, 1, {PathIndex{i - n}})); };
                          if (const auto known = r.decide(first)) return *known ? one() : other();
                          return r.choose(r.test(first), one, other);
                        },
                    .acceptors = {{"concatAcc1", 0, [](const Instance&, Path p) { return p; },
                                   [](const auto& sizes, const Acceptor& a) {
                                     return acceptor_array(sizes[0], [a](std::int64_t i) { return element_of(a, i); });
                                   }},
                                  {"concatAcc2", 1,
                                   [](const Instance& at, Path p) {
                                     return replace_front(p, 1, {PathIndex{at.size(0) + index_of(p.at(0))}});
                                   },
                                   [](const auto& sizes, const Acceptor& a) {
                                     return acceptor_array(
                                         sizes[1], [a, n = sizes[0]](std::int64_t i) { return element_of(a, n + i); });
                                   }}},
                    .read_cost = 1,
                }});
}

}  // namespace lockstep
