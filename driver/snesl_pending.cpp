// Stands in for the streamability analysis until translate/streaming has it: every program is refused.
#include "translate/streaming/streamable.h"

namespace lockstep::streaming {

Checked<std::vector<std::int64_t>> analyse(const svcode::Program&) {
  return tl::unexpected(Diagnostics{{{}, "whether programs stream is not decided in this build yet", "", ""}});
}

}  // namespace lockstep::streaming
