// Host programs as HIP. A launch of a parallel loop becomes a device kernel: Workgroup a block an iteration, with Local
// loops over its threads; Global and Par a thread an iteration.
#pragma once
#include <string>

#include "codegen/c/entry.h"
#include "codegen/c/places.h"
#include "codegen/targets/hip_device.h"
#include "codegen/targets/target.h"
#include "semantics/host/program.h"

namespace lockstep {

struct HipText {
  std::string kernel;  // the device code
  std::string host;    // the entry point; stands after the kernel's text in one file
  std::string header;  // C
  // Each kernel of `kernel` alone, with what stands before all.
  std::vector<KernelModule> modules;
  std::vector<TextPlace> places;  // of `kernel`
  std::string source() const { return kernel + host; }
};
// Why there is no such text, in the user's words; empty where there is. A block has 48 KiB of memory: what is known to
// need more is refused here, what a launch's sizes decide by the entry point.
std::vector<std::string> hip_unfit(const kernel::Program& program);
HipText hip_text(const host::Program& program);
// A text, which may be another's, on the GPU that there is.
tl::expected<Executable, CompileFailure> load_hip(const HipText& text, const kernel::Program& program,
                                                  const Type& result);
CSource hip_source(const AnyProgram& program);               // of a host program
std::vector<TextFile> hip_files(const AnyProgram& program);  // of a host program

}  // namespace lockstep
