// The table of targets.
#include "codegen/targets/target.h"

#include <algorithm>

#include "codegen/runtime/compiler.h"
#include "codegen/targets/hip.h"
#include "codegen/targets/openmp.h"

namespace lockstep {
namespace {

std::string later() { return "it arrives with a later version"; }
std::vector<std::string> always_fits(const kernel::Program&) { return {}; }

}  // namespace

const std::vector<Target>& kernel_targets() {
  static const std::vector<Target> targets = {
      {"openmp", "CPU threads, by a C++ compiler", Machine::Cpu,
       [] {
         const auto compiler = find_compiler();
         return compiler ? std::string() : compiler.error();
       },
       always_fits, "C++ with OpenMP", openmp_files, load_openmp},
      {"hip-cpu", "the HIP text on CPU threads", Machine::Gpu, later, hip_unfit, "", nullptr, nullptr},
      {"opencl", "an OpenCL device", Machine::Gpu, later, always_fits, "", nullptr, nullptr},
      {"hip", "an AMD or NVIDIA GPU", Machine::Gpu,
       [] { return std::string("it runs with a later version; 'lockstep emit --target hip' writes its text"); },
       hip_unfit, "HIP", hip_files, nullptr},
  };
  return targets;
}

const Target* find_target(const std::string& name) {
  const auto& all = kernel_targets();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Target& t) { return t.name == name; });
  return it == all.end() ? nullptr : &*it;
}

tl::expected<Executable, MachineFailure> load_on(const Target& target, const kernel::Program& program,
                                                 const Type& result) {
  if (const std::string why = target.unavailable(); !why.empty()) return tl::unexpected(MachineFailure{why});
  if (!target.load) throw Bug("the target " + target.name + " says that it runs programs, and loads none");
  auto made = target.load(program, result);
  if (made) return std::move(*made);
  if (made.error().kind == CompileFailure::Kind::Failed)
    throw Bug("the generated code does not compile: " + made.error().message);
  return tl::unexpected(MachineFailure{made.error().message});
}

}  // namespace lockstep
