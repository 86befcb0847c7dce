// Indexing: idx (DPIA Fig. 4b) takes an index that is inside by its type; xs ! i checks when the program runs.
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/paths.h"

namespace lockstep {
namespace {

Value element(std::span<const Value> args) { return element_of(args[0], as_scalar(force(args[1])).integer()); }

kernel::Expr read_element(PathReader& r, const Instance&, Path p) {
  return r.read(0, replace_front(p, 0, {PathIndex{r.opaque(r.read(1, {}))}}));
}

}  // namespace

PrimitiveRef idx_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"idx", "xs ! i, the element at an index that is inside by its type",
                View{
                    .type = "[n]'a -> idx(n) -> 'a",
                    .equation = "idx xs x = xs ! x",
                    .meaning = [](const auto&, std::span<const Value> args) { return element(args); },
                    .read = read_element,
                    .element = true,
                },
                Notation::Form});
}

PrimitiveRef at_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "!", "xs ! i, the element at a number, checked when the program runs",
      View{
          .type = "[n]'a -> i64 -> 'a",
          .equation = "xs ! x = xs ! x",
          .meaning = [](const auto&, std::span<const Value> args) { return element(args); },
          .read = read_element,
          .read_cost = 0,
          .check =
              [](Translation& t, const Instance& at, const std::vector<PhraseRef>& args) {
                return check(inside(t, args[1], at.size(0)), "!", "index {0} is outside [0, {1})",
                             {args[1], nat(at.size(0))}, t.where());
              },
          .check_cost = [](SourceCosts& costs, const PrimPhrase& e) { return inside_cost(costs, e.arguments[1]); },
          .check_meaning =
              [](const auto& sizes, std::span<const Value> args) {
                const std::int64_t i = as_scalar(force(args[1])).integer();
                if (i < 0 || i >= sizes[0])
                  throw TrapSignal{
                      {"!", "index " + std::to_string(i) + " is outside [0, " + std::to_string(sizes[0]) + ")", {}}};
              },
          .indexed = Indexed{.argument = 1, .length = 0},
          .element = true,
      },
      Notation::Form});
}

}  // namespace lockstep
