// Kernels written by hand for what examples compute, as texts that are loaded as theirs are: tests/bench/gpu/NAME.hip
// behind the heads of HIP's texts, with the interface of the example's program.
#pragma once
#include <fstream>
#include <regex>
#include <sstream>

#include "codegen/c/host.h"
#include "codegen/targets/hip.h"
#include "codegen/targets/hip_prologue.h"
#include "proofs/sizes/solver.h"
#include "semantics/functional/inference/infer.h"
#include "translate/dpia/stage.h"

namespace lockstep::bench {

struct GpuProgram {
  PhraseProgram source;
  host::Program hosted;
};
// The last function of examples/NAME.dpia, for a GPU.
inline GpuProgram gpu_example(const std::string& name, const Calculus& calculus) {
  std::stringstream text;
  text << std::ifstream(LOCKSTEP_SOURCE_DIR "/examples/" + name + ".dpia").rdbuf();
  const auto parsed = parse_program(std::make_shared<const Source>(Source{name + ".dpia", text.str()}));
  if (!parsed) throw std::runtime_error(name + ".dpia does not parse");
  const auto elaborated = infer(*parsed, calculus, proofs::z3_size_solver());
  if (!elaborated) throw std::runtime_error(name + ".dpia is refused");
  const PhraseProgram& last = elaborated->entries.back();
  return {last, hosted(dpia_trace(last, calculus, Machine::Gpu).kernel())};
}

// Before and behind the line "// ---- host".
inline std::pair<std::string, std::string> handwritten_parts(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(LOCKSTEP_SOURCE_DIR "/tests/bench/gpu/" + file).rdbuf();
  const std::string all = text.str(), mark = "// ---- host\n";
  const std::size_t at = all.find(mark);
  if (at == std::string::npos) throw std::runtime_error("tests/bench/gpu/" + file + " has no host's part");
  return {all.substr(0, at), all.substr(at + mark.size())};
}

// `common` is the file of what it shares with others.
inline HipText handwritten(const std::string& name, const kernel::Program& of, const std::string& common_file) {
  const auto common = handwritten_parts(common_file), own = handwritten_parts(name + ".hip");
  HipText out;
  out.kernel = hip_device_prologue(of) + "namespace {\n" + common.first + own.first + "}\n";
  out.host = hip_host_prologue(of, {}) + "namespace {\n" + common.second + "}\n" + own.second + device_exports(of);
  out.modules.push_back({loader_name(of), out.kernel, {}});
  const std::regex kernel("__global__ void ([a-z_]+)\\(");
  const std::string kernels = common.first + own.first;
  for (std::sregex_iterator k(kernels.begin(), kernels.end(), kernel); k != std::sregex_iterator(); ++k)
    out.modules.front().names.push_back((*k)[1].str());
  return out;
}
inline HipText handwritten_kernels(const std::string& name, const kernel::Program& of) {
  return handwritten(name, of, "common.h");
}
// A call of the vendor's library, which is opened by the name `library`.
inline HipText library_call(const std::string& name, const kernel::Program& of, const std::string& library) {
  HipText out = handwritten("blas_" + name, of, "blas.h");
  out.host = "#define BLAS_LIBRARY " + c_string(library) + "\n" + out.host;
  return out;
}

}  // namespace lockstep::bench
