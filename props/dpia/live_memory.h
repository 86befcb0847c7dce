// What of a block's memory is needed at one time, from a kernel's text: the measure of the places that arrays get. With
// nothing of the stage that gives them (translate/dpia/places.cpp). In: a kernel in which each array has its own place.
//
// An array's live range is from its first access in the text to its last; of a loop that it is accessed in, and
// allocated outside, all of the loop. Two arrays are live together where their ranges meet, and between barriers also
// where no barrier parts the one from the other: a thread may be at the second when others are at the first.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "semantics/kernel/syntax.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

struct LiveSet {
  std::vector<std::string> arrays;  // in the order of their first accesses
  Size bytes;                       // of a block; in a warp loop of all its warps
};
// Of one launch: what is live when an array is accessed for the first time, for each.
struct LiveMemory {
  std::vector<LiveSet> in_order;          // as one thread comes to them
  std::vector<LiveSet> between_barriers;  // the same arrays, at least
};
// Of all launches, in the order of the text (block_memory.h); of arrays whose counts are sizes.
std::vector<LiveMemory> live_memories(const kernel::Program& program);
// Of the kernel that `places` is given, with the barriers that it would have.
std::vector<LiveMemory> live_memories(const DpiaTrace& trace);
bool has_shared(const std::vector<LiveMemory>& memories);  // whether a launch has arrays in a block's memory

// The bytes of the greatest of these sets.
std::int64_t greatest_live(const std::vector<LiveSet>& sets, const SizeValues& sizes);
// Whatever the sizes: of each set that is not shown to have no more than another.
std::vector<Size> greatest_for_all(const std::vector<LiveSet>& sets, const std::vector<SizeFact>& known);

// The kernel of a trace for the GPU that `places` is given: no barriers stand in it yet.
const kernel::Program& before_places(const DpiaTrace& trace);

// Whether arrays that are live together have a place together: `after` has fewer bytes than are needed at one time
// before.
std::optional<std::string> overlaid(const std::vector<LiveMemory>& before, const kernel::Program& after,
                                    const SizeValues& sizes);

}  // namespace lockstep::props
