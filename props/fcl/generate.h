// Random programs of FCL: typed, and placed where their levels may be.
#pragma once
#include <cstdint>

#include "semantics/fcl/syntax.h"

namespace lockstep::props::fcl {

// Its last definition is `main k xs ys`, of an int and two arrays of ints. `depth`: of expressions.
lockstep::fcl::Program generate_program(std::uint64_t seed, int depth);

}  // namespace lockstep::props::fcl
