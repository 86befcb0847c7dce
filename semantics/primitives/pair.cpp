// pair, fst, snd (DPIA Fig. 4a): data pairs and their components.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef pair_primitive() {
  const auto component = [](int k) {
    return [k](const Instance&, Path p) { return replace_front(p, 0, {PathProjection{k}}); };  // Fig. 6b, pairAcc_k
  };
  const auto written = [](int k) { return [k](const auto&, const Acceptor& a) { return component_of(a, k); }; };
  return std::make_shared<const Primitive>(
      Primitive{"pair", "two values as one, (a, b)",
                View{
                    .type = "'a -> 'b -> ('a, 'b)",
                    .equation = "pair x y = (x, y)",
                    .meaning = [](const auto&, std::span<const Value> args) { return pair_value(args[0], args[1]); },
                    .read =
                        [](PathReader& r, const Instance&, Path p) {
                          return r.read(static_cast<std::size_t>(component_of(p.at(0)) - 1), replace_front(p, 1, {}));
                        },
                    .acceptors = {{"pairAcc1", 0, component(1), written(1)}, {"pairAcc2", 1, component(2), written(2)}},
                    .made_of = MadeOf::Components,
                },
                Notation::Form});
}

namespace {
PrimitiveRef projection(int k, const std::string& name, const char* type, const char* summary) {
  return std::make_shared<const Primitive>(Primitive{
      name, summary,
      View{
          .type = type,
          .equation = name + " x = " + name + " x",
          .meaning = [k](const auto&,
                         std::span<const Value> args) { return k == 1 ? first_of(args[0]) : second_of(args[0]); },
          .read = [k](PathReader& r, const Instance&,
                      Path p) { return r.read(0, replace_front(p, 0, {PathProjection{k}})); },
          .component = k,
      }});
}
}  // namespace

PrimitiveRef fst_primitive() { return projection(1, "fst", "('a, 'b) -> 'a", "the first component"); }
PrimitiveRef snd_primitive() { return projection(2, "snd", "('a, 'b) -> 'b", "the second component"); }

}  // namespace lockstep
