// transpose: rows become columns; mapTranspose: those of each matrix of an array.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef transpose_primitive() {
  const auto swap = [](Path p) {
    const PathStep i = p.at(0), j = p.at(1);
    return replace_front(p, 2, {j, i});
  };
  return std::make_shared<const Primitive>(Primitive{
      "transpose", "rows as columns",
      View{
          .type = "[n][m]'a -> [m][n]'a",
          .equation = "transpose xs ! i ! j = xs ! j ! i",
          .elements = Elements::OfRowsInRows,
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t n = sizes[0];
                return delayed_array(sizes[1], [n, xs = args[0]](std::int64_t j) {
                  return delayed_array(n, [j, xs](std::int64_t i) { return element_of(element_of(xs, i), j); });
                });
              },
          .read = [swap](PathReader& r, const Instance&, Path p) { return r.read(0, swap(std::move(p))); },
          .acceptors = {{"transposeAcc", 0, [swap](const Instance&, Path p) { return swap(std::move(p)); },
                         [](const auto& sizes, const Acceptor& a) {  // \i j. A j i, from A : [m][n]
                           return acceptor_array(sizes[0], [a, m = sizes[1]](std::int64_t i) {
                             return acceptor_array(m,
                                                   [a, i](std::int64_t j) { return element_of(element_of(a, j), i); });
                           });
                         }}},
      }});
}

PrimitiveRef map_transpose_primitive() {
  const auto swap = [](Path p) {
    const PathStep i = p.at(0), j = p.at(1), k = p.at(2);
    return replace_front(p, 3, {i, k, j});
  };
  return std::make_shared<const Primitive>(Primitive{
      "mapTranspose", "each matrix of an array with its rows as columns",
      View{
          .type = "[l][n][m]'a -> [l][m][n]'a",
          .equation = "mapTranspose xs ! i ! j ! k = xs ! i ! k ! j",
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                return delayed_array(sizes[0], [n = sizes[1], m = sizes[2], xs = args[0]](std::int64_t i) {
                  return delayed_array(m, [=](std::int64_t j) {
                    return delayed_array(
                        n, [=](std::int64_t k) { return element_of(element_of(element_of(xs, i), k), j); });
                  });
                });
              },
          .read = [swap](PathReader& r, const Instance&, Path p) { return r.read(0, swap(std::move(p))); },
          .acceptors = {{"mapTransposeAcc", 0, [swap](const Instance&, Path p) { return swap(std::move(p)); },
                         [](const auto& sizes, const Acceptor& a) {  // \i j k. A i k j, from A : [l][m][n]
                           return acceptor_array(sizes[0], [a, n = sizes[1], m = sizes[2]](std::int64_t i) {
                             return acceptor_array(n, [=](std::int64_t j) {
                               return acceptor_array(
                                   m, [=](std::int64_t k) { return element_of(element_of(element_of(a, i), k), j); });
                             });
                           });
                         }}},
      }});
}

}  // namespace lockstep
