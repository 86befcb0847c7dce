// What stands before a HIP program's kernels, and before its entry point.
#pragma once
#include <string>
#include <vector>

#include "codegen/c/entry.h"

namespace lockstep {

std::string hip_device_prologue(const kernel::Program& program);
std::string hip_host_prologue(const kernel::Program& program, const std::vector<Precondition>& preconditions);

}  // namespace lockstep
