// What the analysis finds of a program, as text: clocks, traversals, what waits for what, and the order solved, or the
// circle for which there is none. For people; README.md has it of small programs, held to what is computed by a test.
#pragma once
#include "semantics/svcode/program.h"

namespace lockstep::streaming {

std::string drawn(const svcode::Program& p);

}  // namespace lockstep::streaming
