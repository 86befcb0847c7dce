// Host programs as C++ that calls an OpenCL 1.2 device, with the kernels as a text of OpenCL C in it.
#pragma once
#include <string>

#include "codegen/c/entry.h"
#include "codegen/targets/target.h"
#include "semantics/host/program.h"

namespace lockstep {

struct OpenClText {
  std::string kernel;               // OpenCL C
  std::string host;                 // C++, in which it is a string
  std::string header;               // C
  std::vector<TextPlace> places{};  // of `host`
};
// Of what a device says of its f32 (CL_DEVICE_SINGLE_FP_CONFIG): why it cannot be a target, "" where it can.
std::string opencl_without(std::uint64_t floats);
std::vector<std::string> opencl_unfit(const kernel::Program& program);
OpenClText opencl_text(const host::Program& program);
// Of a text, which may have been changed.
tl::expected<Executable, CompileFailure> load_opencl(const std::string& text, const kernel::Program& program,
                                                     const Type& result, std::vector<TextPlace> places = {});

// What stands before the kernels, and before the host's part.
std::string opencl_device_prologue(const kernel::Program& program);
std::string opencl_host_prologue(const kernel::Program& program, const std::string& kernels,
                                 const std::string& refusals);

}  // namespace lockstep
