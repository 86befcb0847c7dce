// A stage is a value (design.md). It takes a program to a program, says where it comes from, and nothing else; what is
// checked after it is decided by who runs it.
#pragma once
#include <functional>
#include <variant>

#include "semantics/core/machine.h"
#include "semantics/core/phrase.h"
#include "semantics/kernel/syntax.h"
#include "semantics/primitives/calculus.h"

namespace lockstep {

struct PhraseStage {
  std::string name;
  std::string cite;  // paper, section, figure
  std::function<PhraseProgram(const PhraseProgram&, const Calculus&, Machine)> run;
};
struct KernelStage {
  std::string name;
  std::string cite;
  std::function<kernel::Program(const kernel::Program&)> run;
};

// functional -> functional
PhraseStage strategies();
// functional -> imperative
PhraseStage functional_to_imperative();
// imperative -> imperative
PhraseStage loops();
PhraseStage hoist();
// imperative -> kernel (Fig. 6)
std::string paths_cite();
kernel::Program imperative_to_kernel(const PhraseProgram& program, const Calculus& calculus,
                                     const std::function<void(struct PathRecord)>& recorder = {});
// kernel -> kernel
KernelStage in_place();
// for the GPU
KernelStage lift();
KernelStage barriers();

// Every name that the program binds, so that fresh ones stay apart.
Names names_of(const PhraseProgram& program);
// What runs a piece of a program: the whole machine, the threads of one block together, or one thread.
enum class Runs { Machine, Block, Thread };
Runs runs_inside(Level loop, Runs around, Machine machine);

// Every program of the pipeline, the source first.
struct Pipeline {
  struct PhraseStep {
    std::string name, cite;
    PhraseProgram program;
    double seconds = 0;
  };
  struct KernelStep {
    std::string name, cite;
    kernel::Program program;
    double seconds = 0;
    bool synchronised = true;  // has its barriers: races are looked for
  };
  Machine machine = Machine::Cpu;
  std::vector<PhraseStep> phrases;
  std::vector<KernelStep> kernels;
  // How the indices of the first kernel came about (paths.h), where they were asked for.
  std::shared_ptr<const std::vector<struct PathRecord>> paths{};
};
Pipeline run_pipeline(const PhraseProgram& source, const Calculus& calculus, Machine machine);
Pipeline run_pipeline_with_paths(const PhraseProgram& source, const Calculus& calculus, Machine machine);
// The same; `after_each` sees the pipeline after every stage and may alter the program that the next one is given.
using PipelineWatcher = std::function<void(Pipeline&)>;
Pipeline run_watched_pipeline(const PhraseProgram& source, const Calculus& calculus, Machine machine,
                              const PipelineWatcher& after_each, bool with_paths = false);

}  // namespace lockstep
