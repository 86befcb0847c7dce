// Why a program does not stream, as the analysis finds it: instructions, by their places. explain.h says it in words.
#pragma once
#include <variant>
#include <vector>

#include "translate/streamability/constraints.h"

namespace lockstep::streaming {

// Two traversals meet that are not one and cannot be made one. Thrown where it is found.
struct DifferentPaces {
  InstrIndex meeting, one, other;  // `one` and `other`: where the traversals begin
};
// Edges in which every event waits for itself, and the instruction that closed them.
struct Circle {
  std::vector<Edge> edges;
  InstrIndex closed_by;
};
// Traversals that `meeting` made one, of which a part waits for a part of the other.
struct PartsWait {
  InstrIndex meeting;
};
// `meeting` needs what `late` has only in a later iteration.
struct TooLate {
  InstrIndex late, meeting;
};
using Conflict = std::variant<DifferentPaces, Circle, PartsWait, TooLate>;

}  // namespace lockstep::streaming
