// verify on .snesl: every program of the trace and every target beside the big-step semantics, on the same inputs, and
// what is counted beside the bounds of SNESL's chapter 5.
#pragma once
#include "driver/frontend.h"
#include "driver/languages/snesl/arguments.h"

namespace lockstep::driver {

props::Report verify_streaming(const StreamingFile& file, const snesl::EntryPoint& entry, const VerifyRequest& request,
                               const props::Listener& listener);

}  // namespace lockstep::driver
