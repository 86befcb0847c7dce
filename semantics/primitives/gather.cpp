// gather: the elements at given indices.
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

PrimitiveRef gather_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "gather", "the elements at the indices given, which are checked; indices first",
      View{
          .type = "[n]i64 -> [m]'a -> [n]'a",
          .equation = "gather is xs ! i = xs ! (is ! i)",
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                return delayed_array(sizes[0], [is = args[0], xs = args[1]](std::int64_t i) {
                  return element_of(xs, as_scalar(force(element_of(is, i))).integer());
                });
              },
          .read =
              [](PathReader& r, const Instance&, Path p) {
                const PathStep i = p.at(0);
                return r.read(1, replace_front(p, 1, {PathIndex{r.opaque(r.read(0, {i}))}}));
              },
          .read_cost = 1,
          // A loop of its own: the view is lazy, the trap is not.
          .check =
              [](Translation& t, const Instance& at, const std::vector<PhraseRef>& args) {
                return for_loop(Level::Seq, at.size(0), t.fresh("i"), [&](const PhraseRef& i) {
                  const PhraseRef k = idx_of(t.primitive("idx"), args[0], i);
                  return check(inside(t, k, at.size(1)), "gather", "index {0} is outside [0, {1})",
                               {k, nat(at.size(1))}, t.where());
                });
              },
          .check_cost = [](SourceCosts& costs,
                           const PrimPhrase& e) { return repeated(e.sizes[0], inside_cost(costs, e.arguments[0])); },
          .check_meaning =
              [](const auto& sizes, std::span<const Value> args) {
                Traps traps;
                for (std::int64_t i = 0; i < sizes[0]; ++i)
                  traps.among([&] {
                    const std::int64_t k = as_scalar(force(element_of(args[0], i))).integer();
                    if (k < 0 || k >= sizes[1])
                      throw TrapSignal{
                          {"gather",
                           "index " + std::to_string(k) + " is outside [0, " + std::to_string(sizes[1]) + ")",
                           {}}};
                  });
                traps.raise();
              },
          .indexed = Indexed{.argument = 0, .length = 1},
      }});
}

}  // namespace lockstep
