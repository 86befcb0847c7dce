// The stages of L0, in order (seed: Henriksen, Oancea, Fig. 5).
#pragma once
#include "semantics/l0/language.h"
#include "translate/pipeline/trace.h"

namespace lockstep::l0 {

const std::vector<Stage>& stages();
Trace trace_of(const Entry& entry);

}  // namespace lockstep::l0
