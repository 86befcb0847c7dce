// What the source gives, held against the same on the reals: within the error of any order of its operations. The
// domain shares no arithmetic of Reals with what it is compared with.
#pragma once
#include "props/engine/bounds.h"
#include "props/snesl/results.h"

namespace lockstep::props::stream {

struct OnReals {
  Comparison comparison;
  std::optional<std::string> undecided{};  // what rounding decides, so that nothing is compared
};
// `found`: the source's result; a trap has to be one on the reals, too.
OnReals on_reals(const Toolchain& tools, const snesl::core::Program& core, const snesl::Values& values, KeptFiles files,
                 const StreamingResult& found);

}  // namespace lockstep::props::stream
