// What stands before a HIP program's kernels, and before its entry point.
#pragma once
#include <string>
#include <vector>

#include "codegen/c/entry.h"

namespace lockstep {

// Why none of it was run.
inline constexpr std::string_view hip_untried = "it runs nothing on a GPU yet";

std::string hip_device_prologue(const kernel::Program& program);
std::string hip_host_prologue(const kernel::Program& program, const std::vector<Precondition>& preconditions);

}  // namespace lockstep
