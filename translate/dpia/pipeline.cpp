// The list of stages for a machine, and what each makes.
#include <chrono>

#include "translate/dpia/paths.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {
double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void reserve_binders(const Phrase& p, Names& names) {
  if (const auto* l = as<LambdaPhrase>(p)) names.reserve(l->name);
  if (const auto* l = as<LetPhrase>(p)) names.reserve(l->name);
  for_each_child(p, [&](const PhraseRef& c) { reserve_binders(*c, names); });
}
}  // namespace

Names names_of(const PhraseProgram& program) {
  Names names;
  for (const std::string& s : program.sizes) names.reserve(s);
  for (const auto& [name, type] : program.parameters) names.reserve(name);
  names.reserve(program.output);
  reserve_binders(*program.body, names);
  return names;
}

Runs runs_inside(Level loop, Runs around, Machine machine) {
  if (!is_parallel(loop)) return around;
  return loop == Level::Workgroup && machine == Machine::Gpu ? Runs::Block : Runs::Thread;
}

Pipeline run_pipeline(const PhraseProgram& source, const Calculus& calculus, Machine machine) {
  return run_watched_pipeline(source, calculus, machine, [](Pipeline&) {});
}
Pipeline run_pipeline_with_paths(const PhraseProgram& source, const Calculus& calculus, Machine machine) {
  return run_watched_pipeline(
      source, calculus, machine, [](Pipeline&) {}, true);
}

Pipeline run_watched_pipeline(const PhraseProgram& source, const Calculus& calculus, Machine machine,
                              const PipelineWatcher& after_each, bool with_paths) {
  Pipeline out;
  out.machine = machine;
  out.phrases.push_back({"source", "semantics/functional", source, 0});
  for (const PhraseStage& stage : {strategies(), functional_to_imperative(), loops(), hoist()}) {
    const auto start = std::chrono::steady_clock::now();
    PhraseProgram next = stage.run(out.phrases.back().program, calculus, machine);
    out.phrases.push_back({stage.name, stage.cite, std::move(next), since(start)});
    after_each(out);
  }
  auto start = std::chrono::steady_clock::now();
  std::vector<PathRecord> paths;
  PathRecorder recorder;
  if (with_paths) recorder = [&](PathRecord r) { paths.push_back(std::move(r)); };
  kernel::Program k = imperative_to_kernel(out.phrases.back().program, calculus, recorder);
  if (with_paths) out.paths = std::make_shared<const std::vector<PathRecord>>(std::move(paths));
  out.kernels.push_back({"paths", paths_cite(), std::move(k), since(start)});
  after_each(out);
  std::vector<KernelStage> stages{in_place()};
  if (machine == Machine::Gpu) stages = {lift(), in_place(), barriers()};  // on the CPU a block is one thread
  for (const KernelStage& stage : stages) {
    start = std::chrono::steady_clock::now();
    kernel::Program next = stage.run(out.kernels.back().program);
    out.kernels.push_back({stage.name, stage.cite, std::move(next), since(start)});
    after_each(out);
  }
  if (machine == Machine::Gpu)
    for (std::size_t k = 0; k + 1 < out.kernels.size(); ++k) out.kernels[k].synchronised = false;
  return out;
}

}  // namespace lockstep
