// A conflict in the words of the source: what meets where, and the `tab` and `seq` that mend it.
#pragma once
#include "semantics/svcode/program.h"
#include "translate/streamability/conflict.h"

namespace lockstep::streaming {

Diagnostic explain(const svcode::Program& p, const Traversals& traversals, const Conflict& c);

}  // namespace lockstep::streaming
