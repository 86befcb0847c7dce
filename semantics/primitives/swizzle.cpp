// swizzle, unswizzle: each row of a matrix turned by its number, so that neighbours of a column lie in different banks
// of a block's memory. Each is the other's inverse.
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {
namespace {

using Column = Size (*)(const Size& i, const Size& j, const Size& n);  // of i, j in rows of n

Size further(const Size& i, const Size& j, const Size& n) { return modulo(i + j, n); }
Size back(const Size& i, const Size& j, const Size& n) { return modulo(j + n - modulo(i, n), n); }

Path turned(const Instance& x, Path p, Column column) {
  const Size i = index_of(p.at(0)), j = index_of(p.at(1));
  return replace_front(p, 2, {PathIndex{i}, PathIndex{column(i, j, x.size(1))}});
}

// Element i, j of the result is i, `read` of the argument's; written, element i, j goes to i, `written`. The meaning:
// i, j + steps * i, for steps 1 or -1.
struct Turning {
  const char *name, *summary, *equation, *acceptor;
  Column read, written;
  std::int64_t steps;
};
PrimitiveRef turning(const Turning& how) {
  return std::make_shared<const Primitive>(
      Primitive{how.name, how.summary,
                View{
                    .type = "[m][n]'a -> [m][n]'a",
                    .equation = how.equation,
                    .meaning =
                        [steps = how.steps](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                          return delayed_array(sizes[0], [steps, n = sizes[1], xs = args[0]](std::int64_t i) {
                            return delayed_array(n, [=](std::int64_t j) {
                              return element_of(element_of(xs, i), ((j + steps * (i % n)) % n + n) % n);
                            });
                          });
                        },
                    .read = [column = how.read](PathReader& r, const Instance& x,
                                                Path p) { return r.read(0, turned(x, std::move(p), column)); },
                    .acceptors = {{how.acceptor, 0,
                                   [column = how.written](const Instance& x, Path p) {
                                     return turned(x, std::move(p), column);
                                   }}},
                }});
}

}  // namespace

PrimitiveRef swizzle_primitive() {
  return turning({"swizzle", "row i of a matrix turned by i: its element j stands at (i + j) % n",
                  "swizzle xs ! i ! j = xs ! i ! ((j + n - i % n) % n)", "swizzleAcc", back, further, -1});
}
PrimitiveRef unswizzle_primitive() {
  return turning({"unswizzle", "row i of a matrix turned back by i: its element j is at (i + j) % n",
                  "unswizzle xs ! i ! j = xs ! i ! ((i + j) % n)", "unswizzleAcc", further, back, 1});
}

}  // namespace lockstep
