// What a kernel costs as a GPU's programmer reads it: sectors and bank turns of a warp for each access, branches that
// part a warp, barriers, and what occupancy hangs on. In: a kernel program, as it is launched; out: polynomials over
// its sizes. No program is run; warp_count.h counts the same by an interpreter.
//
// A warp's threads issue an access together: what one of them does in an iteration of the loops around, those of the
// warp that run the iteration do at once. Iterations of a local or global loop are dealt to threads one by one, so that
// lane l of a warp has the iteration base + l, base a multiple of the warp where blocks are (units.h).
#pragma once
#include "semantics/kernel/syntax.h"
#include "semantics/kernel/warp_access.h"

namespace lockstep::kernel {

// Not exact: at most so many. Names beside the sizes are those of cost.h.
struct Times {
  Size n = 1;
  bool exact = true;
};

struct GpuKernel {  // an outermost parallel loop: a launch
  Region region{};
  Times launches{};
  Times blocks{};            // that have something to do, of one launch; a launch has `grid` at most, which take turns
  std::int64_t threads = 0;  // of a block
  Times block_bytes{0};      // of the block's memory, all that is allocated
  Times thread_bytes{0};     // of the buffers that each thread has; variables are not counted
  Times barriers{0};         // of the block, that a block comes to
  Times warp_barriers{0};    // of its warps, all of them together
  Times shuffles{0};         // of its warps, all of them together
};
struct GpuAccess {
  std::optional<std::size_t> kernel{};  // by number; nothing: outside parallel loops, by one thread
  std::string buffer;
  Region region{};
  bool write = false;
  Place place = Place::Global;
  std::int64_t bytes = 4, elements = 1;  // of an element; elements that a lane moves
  std::vector<std::int64_t> lanes{0};    // that can take part, in order
  Times issues{};                        // of all launches, by all warps together
  WarpCost cost{};      // of an issue: sectors in global memory, turns in the block's, none of a thread's
  bool atomic = false;  // an update: a read and a write at once
};
struct GpuBranch {  // an `if`, a choice, a `while` or a check
  std::optional<std::size_t> kernel{};
  Region region{};
  Times issues{};
  bool may_part = false;  // the condition depends on the lane; a check never parts lanes that go on
};
// Updates of one scalar by several lanes take turns in the block's memory: at most one turn a lane for each of its
// words, whatever the index. In global memory what they take is the contention, which is of the data: an input, not
// counted here.
// Accesses and branches in the order of evaluation, each once.
struct GpuCost {
  std::vector<GpuKernel> kernels;
  std::vector<GpuAccess> accesses;
  std::vector<GpuBranch> branches;
};

// Sizes that are given are numbers, so that more is exact. `program` passes check().
GpuCost gpu_cost(const Program& program, const GpuModel& model = {}, const SizeValues& sizes = {});

}  // namespace lockstep::kernel
