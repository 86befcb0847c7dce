// Smaller programs that may fail too: parts of the surface tree are left out, pulled up, or replaced by literals, and
// what no longer type-checks does not fail in the same way. The last definition stays the entry point.
#pragma once
#include "semantics/functional/syntax/syntax.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::props {

std::vector<surface::Program> smaller_programs(const surface::Program& program, const Calculus& calculus);
std::size_t measure(const surface::Program& program);

}  // namespace lockstep::props
