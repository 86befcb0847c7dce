// Short vectors (DPIA §6.2): asVector, asScalar, splat, lanes. An array of short vectors lies in memory as its scalars.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {
namespace {

Size lane_name() { return Size::name("$lane"); }

}  // namespace

PrimitiveRef as_vector_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "asVector", "w scalars at a time as a short vector",
      View{
          .type = "(w : nat) -> [w*m]'s -> [m]'s<w> where w",
          .equation = "asVector w xs ! i ! l = xs ! (i*w + l)",
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t w = sizes[0];
                return delayed_array(sizes[1], [w, xs = args[0]](std::int64_t i) {
                  return delayed_value([w, xs, i] {
                    Lanes lanes;
                    for (std::int64_t l = 0; l < w; ++l) lanes.push_back(as_scalar(force(element_of(xs, i * w + l))));
                    return lanes_value(std::move(lanes));
                  });
                });
              },
          .read =
              [](PathReader& r, const Instance& at, Path p) {
                const Size i = index_of(p.at(0)), w = at.size(0);
                const auto scalar_at = [&](const Size& lane) { return r.read(0, path_of({PathIndex{i * w + lane}})); };
                if (p.size() == 2) return scalar_at(std::get<PathLane>(p[1]).lane);
                return r.lanes(static_cast<int>(*w.constant()), scalar_at);
              },
          .acceptors = {{"asVectorAcc", 0,
                         [](const Instance& at, Path p) {  // a scalar into one lane
                           const Size i = index_of(p.at(0)), w = at.size(0);
                           return replace_front(p, 1, {PathIndex{floor_div(i, w)}, PathLane{modulo(i, w)}});
                         },
                         [](const auto& sizes, const Acceptor& a) {  // \i. lane i % w of A (i / w), from A : [m]s<w>
                           const std::int64_t w = sizes[0];
                           return acceptor_array(w * sizes[1], [a, w](std::int64_t i) {
                             return element_of(element_of(a, i / w), i % w);
                           });
                         }}},
          .vectors = ShortVectors::Made,
      }});
}

PrimitiveRef as_scalar_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "asScalar", "the lanes of short vectors one after the other",
      View{
          .type = "[m]'s<w> -> [w*m]'s",
          .equation = "asScalar xs ! i = xs ! (i/w) ! (i%w)",
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t m = sizes[0], w = sizes[1];
                return delayed_array(w * m, [w, xs = args[0]](std::int64_t i) {
                  return delayed_value([w, xs, i] {
                    return scalar_value(as_lanes(force(element_of(xs, i / w))).at(static_cast<std::size_t>(i % w)));
                  });
                });
              },
          .read =
              [](PathReader& r, const Instance& at, Path p) {
                const Size i = index_of(p.at(0)), w = at.size(1);
                return r.read(0, path_of({PathIndex{floor_div(i, w)}, PathLane{modulo(i, w)}}));
              },
          .acceptors = {{.name = "asScalarAcc",
                         .argument = 0,
                         .path =
                             [](const Instance& at, Path p) {  // a short vector, or one lane of it
                               const Size i = index_of(p.at(0)), w = at.size(1);
                               if (p.size() == 2) return path_of({PathIndex{i * w + std::get<PathLane>(p[1]).lane}});
                               return path_of({PathIndex{i * w + lane_name()}});
                             },
                         .meaning =
                             [](const auto& sizes, const Acceptor& a) {  // \i. <l. A (i w + l)>, from A : [w m]s
                               const std::int64_t w = sizes[1];
                               return acceptor_array(sizes[0], [a, w](std::int64_t i) {
                                 return acceptor_array(w,
                                                       [a, w, i](std::int64_t l) { return element_of(a, i * w + l); });
                               });
                             }}},
          .vectors = ShortVectors::Taken,
      }});
}

PrimitiveRef splat_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"splat", "one scalar in every lane",
                View{
                    .type = "(w : nat) -> 's -> 's<w>",
                    .equation = "splat w x ! l = x",
                    .meaning =
                        [](const auto& sizes, std::span<const Value> args) {
                          return lanes_value(Lanes(static_cast<std::size_t>(sizes[0]), as_scalar(force(args[0]))));
                        },
                    .read =
                        [](PathReader& r, const Instance& at, Path p) {
                          kernel::Expr x = r.read(0, {});
                          if (!p.empty()) return x;
                          const int width = static_cast<int>(*at.size(0).constant());
                          return kernel::Expr{{x.type.scalar, width}, kernel::Splat{width, x}};
                        },
                    .vectors = ShortVectors::Made,
                }});
}

PrimitiveRef lanes_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"lanes", "the lanes of a short vector as an array",
                View{
                    .type = "'s<w> -> [w]'s",
                    .equation = "lanes x ! l = x ! l",
                    .meaning =
                        [](const auto& sizes, std::span<const Value> args) {
                          return delayed_array(sizes[0], [v = args[0]](std::int64_t i) {
                            return delayed_value(
                                [v, i] { return scalar_value(as_lanes(force(v)).at(static_cast<std::size_t>(i))); });
                          });
                        },
                    .read = [](PathReader& r, const Instance&,
                               Path p) { return r.read(0, path_of({PathLane{index_of(p.at(0))}})); },
                    .vectors = ShortVectors::Taken,
                }});
}

}  // namespace lockstep
