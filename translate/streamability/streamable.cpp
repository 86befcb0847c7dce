// The questions that others ask of the analysis (streamable.h). In: a program; out: the slack of each buffer, or where
// it does not stream.
#include "translate/streamability/streamable.h"

#include <algorithm>

#include "translate/streamability/analysis.h"

namespace lockstep::streaming {

// A buffer holds what has come since the element that its latest reader is at.
std::vector<std::int64_t> Analysis::slack() {
  if (const auto circle = order_.circle()) refuse_circle(*circle);
  for (const Forbidden& f : forbidden_)
    if (order_.leads(f.from, f.to)) refuse_parts(f.instr);
  const Order::Lags lags = order_.lags();
  const auto lag = [&](Node v) { return lags.lag[static_cast<std::size_t>(v)]; };
  if (lags.impossible) refuse_lag(lags.impossible->instr, lags.impossible->instr);
  // Pieces are iterations of what they cut up: nothing makes them later.
  for (const int s : pinned_) {
    if (lag(span(s).ready) == 0) continue;
    Edge late{};
    for (const Edge& e : order_.edges())
      if (e.weight > 0 && lag(e.to) <= lag(span(s).ready)) late = e;
    int meeting = late.instr;
    for (const Edge& e : order_.edges())
      if (e.to == span(s).ready && lag(e.from) > 0 && e.from != span(s).start) meeting = e.instr;
    refuse_lag(late.instr, meeting);
  }
  std::vector<std::int64_t> result(streams_.size(), 0);
  for (const Use& u : uses_) {
    const Stream& s = stream(u.stream);
    std::int64_t& r = result[index_.at(u.stream)];
    const bool counts_pieces = s.descriptor && s.descriptor->counts_pieces;
    if (!s.unbounded) r = std::max(r, lag(u.at) - (u.since ? lag(*u.since) : counts_pieces ? 0 : lag(s.node)));
  }
  return result;
}

Checked<std::vector<std::int64_t>> analyse(const svcode::Program& p) {
  try {
    return Analysis(p).slack();
  } catch (const Refused& r) {
    return tl::unexpected(Diagnostics{r.diagnostic});
  }
}

}  // namespace lockstep::streaming
