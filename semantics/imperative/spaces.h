// Where a variable of a space can stand and from where it can be used (DPIA §6.2, where it is left open): typing rules
// on the parallel loops around. In: a space, the loops around a variable and around its use; out: what is wrong, with
// the loop that put it there and what could stand.
//
// A block's memory is its own, so that what is outside every block is not local; a thread's registers are its own, so
// that what is private is used by no other thread: not by those of a loop that starts them, and written by none of a
// block's or a warp's, each of which has a copy. The threads of a CPU have one memory.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "semantics/core/hierarchy.h"

namespace lockstep::spaces {

struct Around {  // a parallel loop
  Level level;
  std::string name;  // "parforWorkgroup over `i`"
};
using Loops = std::vector<Around>;  // outermost first

// A loop of this level and name directly in these.
std::optional<std::string> wrong_nesting(const Around& loop, const Loops& around);
// A variable of this space that is allocated in these.
std::optional<std::string> misplaced(Space s, const Loops& around);
// A use, inside `loops`, of a variable that stands in the first `depth` of them. `chosen`: spaces are, so that Private
// is no wish that is still to be met.
struct Use {
  std::string variable;
  Space space;
  std::size_t depth;
  bool written;
};
std::optional<std::string> out_of_reach(const Use& use, const Loops& loops, bool chosen);

}  // namespace lockstep::spaces
