// iota, indices, replicate: arrays that are not stored anywhere.
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

namespace {

PrimitiveRef counting(std::string name, std::string summary, std::string type) {
  const std::string equation = name + " n ! i = i";
  return std::make_shared<const Primitive>(
      Primitive{std::move(name), std::move(summary),
                View{
                    .type = std::move(type),
                    .equation = equation,
                    .meaning =
                        [](const auto& sizes, std::span<const Value>) {
                          return delayed_array(sizes[0], [](std::int64_t i) {
                            return scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(i)));
                          });
                        },
                    .read = [](PathReader& r, const Instance&, Path p) { return r.number(index_of(p.at(0))); },
                }});
}

}  // namespace

PrimitiveRef iota_primitive() { return counting("iota", "0, 1, ..., n-1", "(n : nat) -> [n]i64"); }

PrimitiveRef indices_primitive() {
  return counting("indices", "0, 1, ..., n-1, as indices that need no check where there are n elements",
                  "(n : nat) -> [n]idx(n)");
}

PrimitiveRef replicate_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"replicate", "n times one value",
                View{
                    .type = "(n : nat) -> 'a -> [n]'a",
                    .equation = "replicate n x ! i = x",
                    .meaning =
                        [](const auto& sizes, std::span<const Value> args) {
                          return delayed_array(sizes[0], [x = args[0]](std::int64_t) { return x; });
                        },
                    .read = [](PathReader& r, const Instance&, Path p) { return r.read(0, replace_front(p, 1, {})); },
                }});
}

}  // namespace lockstep
