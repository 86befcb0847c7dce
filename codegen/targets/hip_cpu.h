// HIP texts on the CPU (hip_cpu/hip_runtime.h).
#pragma once
#include "codegen/targets/hip.h"

namespace lockstep {

// A text, host and kernels in one, of this program: it is compiled as it stands, so that tests can make it wrong.
tl::expected<Executable, CompileFailure> load_hip_on_cpu(const std::string& text, const kernel::Program& program,
                                                         const Type& result, DeviceFacts facts = {});

}  // namespace lockstep
