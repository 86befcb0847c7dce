// The order solved: one iteration of the program, its events one after the other as their constraints want it.
#pragma once
#include "translate/streamability/analysis.h"

namespace lockstep::streaming {

struct Moment {
  Event event;
  std::optional<InstrIndex> stream;         // whose element it is
  std::optional<TraversalId> starts, ends;  // whose start or end it is
  std::optional<TraversalId> inside;        // where it has its place
};
// In each traversal what its clock counts, where that can be. There must be no circle in the order.
std::vector<Moment> schedule(const Analysis& a);

}  // namespace lockstep::streaming
