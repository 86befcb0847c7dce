// The stages of FCL.
#pragma once
#include "semantics/fcl/language.h"
#include "translate/fcl/fuse.h"
#include "translate/pipeline/trace.h"

namespace lockstep::fcl {

struct Traced {
  Trace trace;                            // all of its programs are of FCL
  std::optional<NotFused> stopped{};      // why it ends before fusion
  std::optional<Diagnostic> misplaced{};  // why it ends behind it: the place rule, or literal places
};
Traced trace_of(const Entry& entry);
Traced traced_from(Trace instantiated);  // from fusion on

}  // namespace lockstep::fcl
