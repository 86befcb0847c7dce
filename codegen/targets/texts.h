// Texts that stand in what is printed, and that texts are compiled against, as the files of their names have them.
#pragma once
#include <string_view>

namespace lockstep {

// hip_cpu/hip_runtime.h, hip_cpu/threads.h, hip_cpu/faults.h
extern const std::string_view hip_cpu_header, hip_cpu_threads, hip_cpu_faults;
extern const std::string_view nvidia_header;                                   // nvidia/hip_runtime.h
extern const std::string_view driver_header;                                   // driver/hip_runtime.h
extern const std::string_view compile_kernels_text;                            // driver/compile_kernels.cpp
extern const std::string_view pool_text;                                       // device/pool.h
extern const std::string_view limit_text;                                      // device/limit.h
extern const std::string_view hip_text_of_device;                              // device/hip.h
extern const std::string_view opencl_text_of_device, opencl_text_of_launches;  // device/opencl.h, opencl_launch.h

}  // namespace lockstep
