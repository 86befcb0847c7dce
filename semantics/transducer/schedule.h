// A network that has steps, as the engine schedules it (SNESL §4.4.3): every step on windows of its streams, first to
// last and again, loops several times within a pass; bases lose what `ahead` and `groups` say; and where no step can go
// on, one of the `unbounded` windows grows.
#pragma once
#include "semantics/svcode/run.h"
#include "semantics/transducer/machine.h"

namespace lockstep::transducer {

struct WindowSize {
  std::int64_t chunk = 1;  // elements, of narrow streams one
  std::int64_t slack = 0;  // and so many more
};

// Throws TrapSignal; a Bug where no step can go on, where what has been let go of is read, or lengths do not fit.
// `fed`: to inputs that have no number. Of the counts, the space is that of windows and local states.
svcode::Run run_scheduled(const Network& n, const std::vector<svcode::Stream>& inputs, Fed fed, snesl::Files& files,
                          const WindowSize& size);

}  // namespace lockstep::transducer
