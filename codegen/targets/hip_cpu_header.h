// The texts of hip_cpu/hip_runtime.h and of what it includes, hip_cpu/threads.h.
#pragma once
#include <string_view>

namespace lockstep {

extern const std::string_view hip_cpu_header, hip_cpu_threads;

}  // namespace lockstep
