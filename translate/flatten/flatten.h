// Core SNESL to SVCODE: Fig. 4.2, with the translation of every built-in (§2.3.2, §4.3).
#pragma once
#include "semantics/snesl/core.h"
#include "semantics/svcode/program.h"

namespace lockstep::streaming {

svcode::Program flatten(const snesl::core::Program& p);

}  // namespace lockstep::streaming
