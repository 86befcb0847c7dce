// The stages of L0, in order (seed: Henriksen, Oancea, Fig. 5).
#pragma once
#include "semantics/l0/language.h"
#include "translate/l0/fuse.h"
#include "translate/pipeline/trace.h"

namespace lockstep::l0 {

// Each once: what `paper` runs, and `full` until nothing changes; without fusion, those before it.
std::vector<Stage> stages(FusionMode mode);
Trace trace_of(const Entry& entry, FusionMode mode = FusionMode::Full, const FusionParts& parts = {});

// What was decided of each pair of operations on the way.
struct Fusions {
  std::vector<FusionDecision> decisions;
  std::map<std::string, std::size_t> counts() const;  // by rule, as Fig. 18 has them; "interesting" beside them
};
Fusions fusions_of(const Entry& entry, FusionMode mode);

}  // namespace lockstep::l0
