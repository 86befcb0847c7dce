// HIP's texts for NVIDIA's GPUs, where there is none: kernels compile by clang++ for sm_75 without CUDA, and by NVRTC
// for sm_90 where that is installed. All examples with ./dev test --long, three of them always.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/targets/hip.h"
#include "tests/unit/device_program.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/long_run.h"
#include "translate/dpia/stage.h"

namespace nvidia_test {
using namespace lockstep;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
namespace fs = std::filesystem;

namespace {

struct Example {
  std::string name;
  host::Program program;
};
// Each entry point that has a HIP text.
const std::vector<Example>& examples() {
  static const std::vector<Example> all = [] {
    std::vector<Example> out;
    std::vector<fs::path> files;
    for (const auto& f : fs::directory_iterator(LOCKSTEP_SOURCE_DIR "/examples"))
      if (f.path().extension() == ".dpia" && (test::long_run() || f.path().stem() == "dot_gpu" ||
                                              f.path().stem() == "scan_gpu" || f.path().stem() == "blackscholes_gpu"))
        files.push_back(f.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      std::stringstream text;
      text << std::ifstream(file).rdbuf();
      const auto program = test::elaborated(text.str());
      if (!program) throw std::runtime_error(test::errors(text.str()));
      const PhraseProgram& last = program->entries.back();
      const auto trace = dpia_trace(last, test::calculus(), Machine::Gpu);
      if (hip_unfit(trace.kernel()).empty()) out.push_back({file.stem(), hosted(trace.kernel())});
    }
    return out;
  }();
  return all;
}
const host::Program& example(const std::string& name) {
  for (const Example& e : examples())
    if (e.name == name) return e.program;
  throw std::runtime_error("no example " + name);
}

KernelModule whole(const HipText& t) {
  KernelModule out{"", t.source(), {}};
  for (const KernelModule& m : t.modules) out.names.insert(out.names.end(), m.names.begin(), m.names.end());
  return out;
}
// A call that there is not, where the first kernel with a barrier has its first.
const char *const wrong_from = "__syncthreads();", *const wrong_to = "__syncthread";
std::vector<KernelModule> with_mistake(const HipText& t) {
  for (KernelModule m : t.modules)
    if (m.text.find(wrong_from) != std::string::npos)
      return {{m.program, test::replaced(m.text, wrong_from, wrong_to + std::string("();")), m.names}};
  throw std::runtime_error("no kernel has a barrier");
}
// "" where it takes them.
std::string said_of(const KernelCompiler& compiler, const std::vector<KernelModule>& modules) {
  const auto made = compile_kernels({.cuda = true}, compiler, modules);
  return made ? "" : made.error().message;
}

std::optional<KernelCompiler> clang() {
  auto found = clang_for_nvidia();
  if (!found) WARN("not run: there is no clang++");
  if (found) found->flags = {"-Wall", "-Werror"};
  return found;
}

}  // namespace

TEST_CASE("texts compile by clang++ for sm_75, the host's part too, without CUDA and without a warning") {
  const auto compiler = clang();
  if (!compiler) return;
  std::size_t linked = 0;
  for (const Example& e : examples()) {
    INFO(e.name);
    // It has no exp and its like: they are called by name, and nothing else is.
    const std::string own = functions_in(e.program.of), said = said_of(*compiler, {whole(hip_text(e.program))});
    CHECK_THAT(said, own.empty() ? StartsWith("") : StartsWith("its kernels call "));
    CHECK(said.empty() == own.empty());
    linked += said.empty();
  }
  CHECK(linked >= (test::long_run() ? 35u : 2u));
}

TEST_CASE("what clang++ does not take is an error with the line of the whole text") {
  const auto compiler = clang();
  if (!compiler) return;
  const HipText t = hip_text(example("scan_gpu"));
  const auto at = t.kernel.begin() + static_cast<std::ptrdiff_t>(t.kernel.find(wrong_from));
  const std::string line = std::to_string(1 + std::count(t.kernel.begin(), at, '\n'));
  CHECK_THAT(said_of(*compiler, with_mistake(t)),
             Contains("does not take the kernel kernel_") && Contains(".hip:" + line + ":") && Contains(wrong_to));
}

TEST_CASE("kernels compile by NVRTC for sm_90 where it is installed") {
  const auto compiler = kernel_compiler({.cuda = true, .arch = "sm_90", .driver_major = 99});
  if (!compiler || compiler->by != KernelCompiler::By::Nvrtc) {
    WARN("not run: NVRTC is not installed");
    return;
  }
  WARN("by " + compiler->name + " for " + compiler->arch);
  for (const Example& e : examples()) {
    INFO(e.name);
    CHECK(said_of(*compiler, hip_text(e.program).modules) == "");
  }
  CHECK_THAT(said_of(*compiler, with_mistake(hip_text(example("scan_gpu")))), Contains(wrong_to));
}

}  // namespace nvidia_test
