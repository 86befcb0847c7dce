#include "props/fcl/costs.h"

#include "semantics/fcl/cost.h"

namespace lockstep::props::fcl {

std::optional<WrongCost> wrong_cost(const Tests& tests, const Input& input) {
  std::optional<std::int64_t> before;
  bool is_closed = false;  // levels are numbers
  for (const Step& s : tests.trace.steps) {
    is_closed = is_closed || s.name == "instantiate";
    if (!is_closed) continue;
    const auto& e = s.program.as<language::Entry>();
    std::vector<Value> values;
    for (std::size_t k = 0; k < input.arguments.size(); ++k)
      values.push_back(value_of(tests.signature.parameters[k].type, input.arguments[k]));
    const auto costs = language::costs(e.program, e.definition, std::move(values),
                                       {.launch = e.launch, .levels = e.instance.levels, .rounds = tests.rounds});
    const LeafOutcome found = costs ? LeafOutcome(leaves_of(tests.signature.result, costs->result))
                                    : LeafOutcome(tl::unexpected(costs.error()));
    if (!same_leaves(found, input.expected))
      return WrongCost{s.name, "meaning",
                       "its cost's reading gives " + shown(found, tests.signature) + ", the source " +
                           shown(input.expected, tests.signature)};
    if (!costs) return {};
    const std::int64_t work = costs->work() - costs->of_units;
    if (before && work > *before)
      return WrongCost{s.name, "cost",
                       "its threads make " + std::to_string(work) + " operations, loads and stores, and before " +
                           std::to_string(*before)};
    before = work;
  }
  return {};
}

}  // namespace lockstep::props::fcl
