// A solver of Z3 that ends. Included where z3++.h is.
#pragma once
#include <z3++.h>

namespace lockstep {

// Limited by steps, not by time, and Z3's core alone: in 4.8.12 its timers, "timeout" and those of the default solver's
// tactics, can deadlock; and steps are the same on every machine and under any load.
inline z3::solver limited_solver(z3::context& context, unsigned steps, unsigned megabytes) {
  z3::solver solver(context, z3::solver::simple());
  z3::params limits(context);
  limits.set("rlimit", steps);
  limits.set("max_memory", megabytes);
  solver.set(limits);
  return solver;
}

}  // namespace lockstep
