// The question that others ask of the analysis (streamable.h): clocks and constraints, solved, or explained.
#include "translate/streamability/streamable.h"

#include "translate/streamability/analysis.h"
#include "translate/streamability/explain.h"

namespace lockstep::streaming {

Checked<std::vector<std::int64_t>> analyse(const svcode::Program& p, svcode::Rows rows) {
  Analysis a(p, rows);
  auto slack = slack_of(a);
  if (!slack) return tl::unexpected(Diagnostics{explain(p, a.traversals, slack.error())});
  return std::move(*slack);
}

}  // namespace lockstep::streaming
