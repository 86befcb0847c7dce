// Z3 under limits that end it; for the .cpp files here that use Z3.
#pragma once
#include <z3++.h>

#include "proofs/smt/solver.h"

namespace lockstep::proofs::smt {

// Limited by steps, and on integers Z3's core alone: in 4.8.12 its timers, "timeout" and those of the default solver's
// tactics, can deadlock. `has_bits`: or floats.
z3::solver limited_solver(z3::context& context, bool has_bits, const Budget& budget);
// Interrupted where it takes more of the processor's time: on products of sizes a step may take a hundred times as
// long.
z3::check_result limited_check(z3::solver& solver, const Budget& budget);

}  // namespace lockstep::proofs::smt
