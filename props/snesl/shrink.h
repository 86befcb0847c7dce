// Smaller and smaller SNESL programs that still fail: parts of the surface tree are left out, pulled up or replaced by
// small ones, and what no longer has a type does not fail in the same way.
#pragma once
#include "props/engine/shrink.h"
#include "props/snesl/generate.h"

namespace lockstep::props::stream {

GeneratedProgram shrink(GeneratedProgram program, const std::function<bool(const GeneratedProgram&)>& still_fails,
                        const ShrinkLimits& limits = {});

}  // namespace lockstep::props::stream
