// Parallel loops of the kernel interpreter as closures over a Machine: a block's, a warp's, those of threads and lanes.
#pragma once
#include <functional>

#include "semantics/kernel/run_expressions.h"

namespace lockstep::kernel {

using Step = Closure<void(Machine&)>;

// Of a unit: first, first + step, ... below end.
struct Rounds {
  std::int64_t first, end, step;
};
using Unit = std::function<void(Machine&, const Rounds&)>;
struct Dealt {
  std::size_t at;  // the loop's variable
  Word extent, units;
  const Region *from, *body;
};
// Where a loop begins. Without units every iteration is one of its own.
struct Deal {
  std::int64_t extent, units;
};
Deal deal(const Dealt& d, Machine& m);

Step parallel_loop(const Dealt& d, Unit unit);
// A block: its threads' accesses since the last barrier are a context of their own.
Unit of_block(Unit unit, const Region* body);
// A warp's: its lanes' since the last barrier of the warp, and as threads of the block.
Unit of_warp(Unit unit, const Region* body);
Step local_loop(const Dealt& d, Unit unit);

}  // namespace lockstep::kernel
