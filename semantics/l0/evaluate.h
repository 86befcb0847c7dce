// The meaning of L0 (§2.1; l0.md §1, the table of constructs): strict, from the left to the right, reductions and scans
// as left folds; and what it costs, counted.
#pragma once
#include <limits>
#include <tl/expected.hpp>

#include "semantics/l0/syntax.h"
#include "semantics/l0/value.h"

namespace lockstep::l0 {

// Work and depth as l0.md §1 has them; the scalars that arrays were made of.
struct Counts {
  std::int64_t work = 0, depth = 0, allocated = 0;
  std::int64_t views = 0;  // of the work, what looks at arrays otherwise: zip, size, split, transpose, flatten …
};
struct Evaluation {
  const Domain& domain = ieee_domain();
  Counts* counts = nullptr;
  // What an update consumes is overwritten with numbers that stand nowhere: a program that keeps to uniqueness gives
  // the same.
  bool poisons = false;
  // Of an array that iota or replicate makes: a larger one is memory that is not there.
  std::int64_t most_scalars = std::numeric_limits<std::int64_t>::max();
};
inline constexpr std::int64_t most_calls =
    100'000;  // within one another; a call of itself that comes last does not count

// Of a typed program's function, on a value of each parameter's type. What the domain cannot decide is an
// UndecidedSignal.
tl::expected<Value, Trap> evaluate(const Program& program, const Function& function, Values arguments,
                                   const Evaluation& how = {});

}  // namespace lockstep::l0
