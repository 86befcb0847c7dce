// Devices that run HIP's texts, and what compiles kernels for them. Nothing of either is needed to build lockstep:
// drivers and compilers are opened when they are asked for.
#pragma once
#include <optional>

#include "codegen/runtime/compile.h"

namespace lockstep {

struct HipDevice {
  bool cuda = false;     // NVIDIA's driver, or AMD's
  int number = 0;        // LOCKSTEP_HIP_DEVICE, or the first
  std::string name{};    // "NVIDIA H200"
  std::string arch{};    // "sm_90", "gfx90a"
  int driver_major = 0;  // the CUDA or HIP that the driver is made for
  std::string driver{};  // "CUDA 12.8"
};
// The first device of NVIDIA's driver, or else of AMD's; or why there is none.
tl::expected<HipDevice, std::string> hip_device();

struct KernelCompiler {
  enum class By { Nvrtc, Hiprtc, Clang };
  By by = By::Clang;
  std::string path;  // of the library or the program
  std::string name;  // "NVRTC 13.0"
  std::string arch;  // for which it compiles: the device's, or one of whose code the driver makes the device's
  std::vector<std::string> flags{};  // beyond those that a text needs
};
// clang++, for every device from sm_75 on; nothing of NVIDIA's is needed.
std::optional<KernelCompiler> clang_for_nvidia();
// Of NVIDIA's NVRTC, or else clang++, which knows no functions such as exp; of AMD's hiprtc. Or why there is none.
tl::expected<KernelCompiler, std::string> kernel_compiler(const HipDevice& device);

// A kernel, with what stands before it, and how the host's part of a program calls it: "kernel_1<int32_t>".
struct KernelModule {
  std::string program;
  std::string text;
  std::vector<std::string> names;
};
// As a header for driver/hip_runtime.h, each compiled in a process of its own, several at a time.
tl::expected<CompileRequest::Header, CompileFailure> compile_kernels(const HipDevice& device,
                                                                     const KernelCompiler& compiler,
                                                                     const std::vector<KernelModule>& modules);
// "NVIDIA H200 (sm_90), driver for CUDA 12.8, kernels by NVRTC 12.8 for sm_90"
std::string made_by(const HipDevice& device, const KernelCompiler& compiler);
// What decides what compile_kernels makes, but for the texts; a header that nothing includes, to be part of a key.
CompileRequest::Header how_made(const HipDevice& device, const KernelCompiler& compiler);

}  // namespace lockstep
