// The analysis of a kernel's cost on a GPU against the interpreter's count of the same.
#pragma once
#include "semantics/kernel/gpu_cost.h"
#include "semantics/kernel/warp_count.h"

namespace lockstep::props {

// What the analysis says and the count refutes, a line each: equal where it says exactly, no more where it says at
// most. Names in it that are no sizes stand for nothing here.
std::vector<std::string> refuted_gpu_costs(const kernel::GpuCost& said, const kernel::WarpCounts& counted,
                                           const SizeValues& sizes);

// Both run: the analysis over the sizes and at them. Nothing where the program gives no outputs on the input.
// `said_of`: the model that the analysis is asked about; the count is of the usual one.
std::optional<std::vector<std::string>> gpu_cost_differences(const kernel::Program& program, const SizeValues& sizes,
                                                             const kernel::Buffers& inputs, const Domain& domain,
                                                             const kernel::GpuModel& said_of = {});

}  // namespace lockstep::props
