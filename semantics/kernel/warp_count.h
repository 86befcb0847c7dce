// What gpu_cost.h says, counted: the second interpreter (crowd.h) runs the kernel, and the accesses that the lanes of a
// warp make to one instruction in the same iterations of all loops around are an issue, whose sectors or turns are
// counted from the addresses. Nothing is shared with the analysis but GpuModel, so that each is an oracle of the other.
#pragma once
#include "semantics/kernel/gpu_model.h"
#include "semantics/kernel/run.h"

namespace lockstep::kernel {

// Of the issues in which so many lanes take part.
struct IssueCount {
  std::int64_t issues = 0;
  std::int64_t least = 0, most = 0, total = 0;  // sectors in global memory, turns in a block's, 0 in a thread's
};
struct AccessCount {
  std::optional<Place> place{};  // nothing: never made
  std::map<std::int64_t, IssueCount> by_lanes{};
  std::int64_t issues() const;
};
struct BranchCount {
  std::int64_t issues = 0;
  std::int64_t parted = 0;  // in which the condition held for some lanes and not for others
};
// Accesses and branches by instruction, in the order in which a thread evaluates them: that of GpuCost.
struct WarpCounts {
  std::vector<AccessCount> accesses;
  std::vector<BranchCount> branches;
  std::int64_t barriers = 0, warp_barriers = 0;  // that all blocks, and all warps, come to
  std::int64_t shuffles = 0;                     // that all warps come to
};

// As run_interleaved(), with all threads of the launch; races are not looked for.
tl::expected<WarpCounts, Stop> count_warps(const Program& program, const SizeValues& sizes, const Buffers& inputs,
                                           const Domain& domain, const GpuModel& model = {},
                                           std::uint64_t while_limit = 0);

}  // namespace lockstep::kernel
