// The stages of L0, in order (seed: Henriksen, Oancea, Fig. 5).
#pragma once
#include "semantics/l0/language.h"
#include "translate/l0/fuse.h"
#include "translate/pipeline/trace.h"

namespace lockstep::l0 {

inline constexpr std::size_t fuses_after = 5;  // so many stages come before fusion, in all modes
// `paper` fuses once, `full` until nothing changes: its last three stages again.
Trace trace_of(const Entry& entry, FusionMode mode = FusionMode::Full, const fusion::Parts& parts = {});

// What was decided of each pair of operations on the way.
std::vector<fusion::Decision> fusions_of(const Entry& entry, FusionMode mode);

}  // namespace lockstep::l0
