// The HIP text, host and kernels, compiled by the C++ compiler against hip_cpu/hip_runtime.h, where each thread of a
// GPU is a fiber: for checking, not for speed.
#include "codegen/targets/hip_cpu.h"
#include "codegen/runtime/compiler.h"
#include "codegen/targets/texts.h"
#include "semantics/host/language.h"

namespace lockstep {
namespace {

// The arrays of a block are pointers here, which other threads write behind a call: nothing is kept from before it.
std::vector<std::string> flags() {
  return {"-std=c++20", "-O1", "-ffp-contract=off", "-fwrapv", "-D__restrict__=", "-pthread"};
}

std::vector<CompileRequest::Header> headers() {
  return {{"hip/hip_runtime.h", std::string(hip_cpu_header)},
          {"hip/threads.h", std::string(hip_cpu_threads)},
          {"hip/faults.h", std::string(hip_cpu_faults)}};
}

tl::expected<Executable, CompileFailure> load(const AnyProgram& program, const Type& result) {
  const HipText text = hip_text(program.as<host::Program>());
  return load_hip_on_cpu(text.source(), host::called_as(program), result, {text.places, "line ", {}});
}

std::string unavailable() {
  const auto compiler = find_compiler();
  return compiler ? std::string() : compiler.error();
}

}  // namespace

tl::expected<Executable, CompileFailure> load_hip_on_cpu(const std::string& text, const kernel::Program& program,
                                                         const Type& result, DeviceFacts facts) {
  auto library = compile_cached({text, flags(), entry_name(program), true, headers()});
  if (!library) return tl::unexpected(library.error());
  return Executable(program, result, std::move(*library), std::move(facts));
}

Target hip_cpu_target() {
  return {"hip-cpu",
          "the HIP text on the CPU, a fiber for each thread of a GPU, by a C++ compiler",
          Machine::Gpu,
          unavailable,
          hip_unfit,
          "HIP",
          hip_files,
          load,
          true,
          true,
          {hip_source, flags(), headers(), {}, {Sanitizer::Thread, Sanitizer::Address}}};
}

}  // namespace lockstep
