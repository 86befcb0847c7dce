// What may stand in the place of a program of L0 that fails.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::props::l0 {

// Typed, with right uses; each a little smaller somewhere.
std::vector<lockstep::l0::Program> smaller_programs(const lockstep::l0::Program& p);
std::size_t measure(const lockstep::l0::Program& p);

}  // namespace lockstep::props::l0
