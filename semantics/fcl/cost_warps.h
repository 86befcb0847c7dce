// What threads do, and what of it the threads of a warp do together. Private to cost*.cpp.
#pragma once
#include "semantics/fcl/cost.h"

namespace lockstep::fcl::costing {

struct Item;
using Does = std::vector<Item>;  // of a thread, in order
struct Access {
  std::size_t row;    // of Costs::accesses
  std::size_t array;  // each array that is made has its own
  std::int64_t index, bytes;
};
struct Branch {
  std::int64_t way;
  Does inside;
};
struct Loop {
  bool is_while;
  std::vector<Does> rounds;  // of a `while` the last is the condition that does not hold
};
struct Item {
  std::variant<Access, Branch, Loop> node;
};

// Threads of a warp, by lanes: an item of one is issued with those of the others that have come as far by the same
// branches. Behind a branch and a loop they go on together.
struct Lane {
  std::int64_t lane;
  const Does* does;
};
void issue_together(const std::vector<Lane>& lanes, Costs& costs);
// An access of one thread, for a whole unit.
void issue_alone(const Access& access, Costs& costs);

}  // namespace lockstep::fcl::costing
