// verify on .snesl: every program of the trace and every target beside the big-step semantics, on the same inputs, and
// what is counted beside the bounds of SNESL's chapter 5.
#pragma once
#include "driver/frontend.h"
#include "driver/languages/snesl/arguments.h"
#include "props/snesl/toolchain.h"

namespace lockstep::driver {

// By the interpreters and the stages of networks of these.
props::Report verify_streaming(const StreamingFile& file, const snesl::EntryPoint& entry, const VerifyRequest& request,
                               const props::Listener& listener,
                               const props::stream::Toolchain& tools = props::stream::Toolchain::standard());

}  // namespace lockstep::driver
