// pad: l copies of a value before an array and r after it.
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef pad_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"pad", "an array with l copies of a value before it and r after it",
                View{
                    .type = "(l : nat) -> (r : nat) -> 'a -> [n]'a -> [l+n+r]'a",
                    .equation = "pad l r x xs ! i = if l <= i && i < l + n then xs ! (i - l) else x",
                    .meaning =
                        [](const auto& sizes, std::span<const Value> args) {
                          const std::int64_t l = sizes[0], n = sizes[2];
                          return delayed_array(l + n + sizes[1], [l, n, x = args[0], xs = args[1]](std::int64_t i) {
                            return i >= l && i < l + n ? element_of(xs, i - l) : x;
                          });
                        },
                    .read =
                        [](PathReader& r, const Instance& at, Path p) {
                          const Size i = index_of(p.at(0)), l = at.size(0), n = at.size(2);
                          const auto edge = [&] { return r.read(0, replace_front(p, 1, {})); };
                          const auto middle = [&] { return r.read(1, replace_front(p, 1, {PathIndex{i - l}})); };
                          const SizeFact after{l, SizeRelation::LessEqual, i}, before{i, SizeRelation::Less, l + n};
                          const auto known_after = r.decide(after), known_before = r.decide(before);
                          if (known_after == false || known_before == false) return edge();
                          if (known_after && known_before) return middle();
                          if (known_after) return r.choose(r.test(before), middle, edge);
                          if (known_before) return r.choose(r.test(after), middle, edge);
                          const kernel::Expr is_after = r.test(after), is_before = r.test(before);
                          return r.choose(kernel::arith(kernel::ArithOp::And, is_after, is_before), middle, edge);
                        },
                    .read_cost = 2,
                }});
}

}  // namespace lockstep
