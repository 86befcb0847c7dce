// The question that others ask of the analysis (streamable.h): clocks and constraints, solved, or explained.
#include "translate/streamability/streamable.h"

#include "translate/streamability/analysis.h"
#include "translate/streamability/explain.h"
#include "translate/streamability/solve.h"

namespace lockstep::streaming {

Checked<std::vector<std::int64_t>> analyse(const svcode::Program& p) {
  Analysis a(p);
  const auto refused = [&](const Conflict& c) { return tl::unexpected(Diagnostics{explain(p, a.traversals, c)}); };
  try {
    constrain(a);
  } catch (const DifferentPaces& met) {
    return refused(met);
  }
  auto slack = solve(a.order, a.traversals, a.uses, p.instructions.size());
  if (!slack) return refused(slack.error());
  return std::move(*slack);
}

}  // namespace lockstep::streaming
