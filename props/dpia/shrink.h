// Smaller and smaller programs that still fail: parts of the surface tree are left out, pulled up, or replaced by
// literals, and what no longer type-checks does not fail in the same way.
#pragma once
#include <functional>

#include "props/engine/shrink.h"
#include "semantics/functional/syntax/syntax.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::props {

// The last definition stays the entry point.
surface::Program shrink(surface::Program program, const Calculus& calculus,
                        const std::function<bool(const surface::Program&)>& still_fails,
                        const ShrinkLimits& limits = {});

}  // namespace lockstep::props
