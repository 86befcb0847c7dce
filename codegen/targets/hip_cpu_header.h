// The text of hip_cpu/hip_runtime.h.
#pragma once
#include <string_view>

namespace lockstep {

extern const std::string_view hip_cpu_header;

}  // namespace lockstep
