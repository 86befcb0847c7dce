// The stages of a .dpia program as text; what each costs; its last text as files.
#include <nlohmann/json.hpp>

#include "driver/kernels/kernels.h"
#include "driver/languages/dpia/arguments.h"
#include "driver/languages/dpia/derivation.h"
#include "driver/languages/dpia/dpia.h"
#include "driver/languages/dpia/gpu_cost_text.h"
#include "driver/units.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::driver {
namespace {

// What stands before the entry point may be called by it.
StageText source_text(const LoadedProgram& loaded, const std::string& function) {
  surface::Program shown;
  for (const surface::Definition& d : loaded.surface.definitions) {
    shown.definitions.push_back(d);
    if (d.name == function) break;
  }
  return {"source", "semantics/functional", lockstep::print(shown), {}};
}

// The program that a strategy derives; a text for each of its steps.
PhraseProgram derived(const LoadedProgram& loaded, const PhraseProgram& program, const std::string& strategy,
                      std::vector<StageText>& into) {
  const CheckedDerivation d = derive_by(strategy, loaded, program, {});
  refuse_wrong(d);
  for (std::size_t k = 0; k < d.steps.size(); ++k) {
    const PhraseProgram& p = d.report.steps[k].program.program;
    into.push_back({title_of(d.steps[k]), "step " + std::to_string(k + 1) + " of the strategy",
                    d.report.steps[k].program.text, node_count(*p.body)});
  }
  return d.steps.empty() ? program : d.report.steps.back().program.program;
}

std::vector<StageText> texts_of(const LoadedProgram& loaded, const PhraseProgram& source, const std::string& strategy,
                                const Target& target, const std::string& only) {
  std::vector<StageText> out{source_text(loaded, source.name)};
  const PhraseProgram program = strategy.empty() ? source : derived(loaded, source, strategy, out);
  const DpiaTrace trace = dpia_trace(program, loaded.calculus, target.machine);
  for (StageText& t : texts_of_steps(trace)) out.push_back(std::move(t));
  StageText& inferred = *(out.end() - static_cast<std::ptrdiff_t>(trace.steps.size()));
  inferred.name = "inferred", inferred.cite = "types and sizes inferred, calls expanded";
  if (std::none_of(out.begin(), out.end(), [&](const StageText& t) { return t.name == only; }))
    out.push_back(text_stage(target, trace));
  return out;
}

// At the sizes given; names such as threads and iterations stay.
Size at(const Size& s, const SizeValues& sizes) {
  SizeSubstitution by;
  for (const auto& [name, n] : sizes) by.emplace(name, Size(n));
  return substitute(s, by);
}

}  // namespace

std::vector<StageText> stages_of(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options) {
  return texts_of(loaded, program, options.strategy, target_with_text(options.target), options.stage);
}

// Of the names in a cost that are no sizes, too.
std::vector<Unit> units_of(const DpiaTrace& trace) {
  std::vector<Unit> out{
      {"work", "scalar operations, reads and writes, one for each lane"},
      {"depth", "the same one after another, iterations of parallel loops and of loops without a level side by side"},
      {"space", "scalars that are stored, without parameters and result"}};
  std::set<std::string> names;
  for (const Step& s : trace.steps) {
    const Cost cost = s.program.language().cost(s.program);
    for (const Size& x : {cost.work, cost.depth, cost.space}) collect_names(x, names);
  }
  const auto occurs = [&](const std::string& start) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return n.starts_with(start); });
  };
  if (occurs("#iterations"))
    out.push_back({"#iterations_k", "rounds of the k-th `while`, in the order of the program"});
  if (occurs("#extent")) out.push_back({"#extent_k", "iterations of the k-th loop whose number is read from data"});
  if (occurs("#threads")) out.push_back({"#threads", "threads that each have such memory of their own"});
  return out;
}

// The kernel whose cost on a GPU is said beside: of every target but another machine's that was asked for.
static std::optional<kernel::Program> gpu_kernel(const LoadedProgram& loaded, const PhraseProgram& program,
                                                 const DpiaTrace& trace, const Options& options) {
  if (trace.machine == Machine::Gpu) return trace.kernel();
  if (!options.target.empty()) return {};
  return dpia_trace(program, loaded.calculus, Machine::Gpu).kernel();
}

Said cost_of(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options) {
  const SizeValues sizes = bind_sizes(program, options.arguments);
  const DpiaTrace trace = dpia_trace(program, loaded.calculus, target_with_text(options.target).machine);
  const auto on_gpu = gpu_kernel(loaded, program, trace, options);
  if (options.json) {
    Json stages = Json::array();
    for (const Step& s : trace.steps) {
      const Cost cost = s.program.language().cost(s.program);
      Json j{{"stage", s.name}, {"cite", s.cite}};
      j["work"] = show(cost.work), j["depth"] = show(cost.depth), j["space"] = show(cost.space);
      if (!sizes.empty())
        j["at"] = {{"work", show(at(cost.work, sizes))},
                   {"depth", show(at(cost.depth, sizes))},
                   {"space", show(at(cost.space, sizes))}};
      stages.push_back(std::move(j));
    }
    Json json{{"language", "dpia"},
              {"function", program.name},
              {"sizes", sizes_json(sizes)},
              {"units", json_of(units_of(trace))},
              {"stages", std::move(stages)}};
    if (auto gpu = on_gpu ? gpu_cost_json(*on_gpu, sizes) : std::nullopt) json["gpu"] = std::move(*gpu);
    return {"", std::move(json)};
  }
  Table table({"stage", "paper", sizes.empty() ? "work" : ">work", sizes.empty() ? "depth" : ">depth",
               sizes.empty() ? "space" : ">space"});
  for (const Step& s : trace.steps) {
    const Cost cost = s.program.language().cost(s.program);
    table.row({s.name,
               {s.cite, Tone::Faint},
               show(at(cost.work, sizes)),
               show(at(cost.depth, sizes)),
               show(at(cost.space, sizes))});
  }
  const bool colour = on_terminal(1);
  return {(sizes.empty() ? "" : "at " + show(sizes) + "\n") + table.text(colour) + text_of(units_of(trace)) +
              (on_gpu ? gpu_cost_text(*on_gpu, sizes, colour) : ""),
          {}};
}

EmittedText emitted(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options) {
  const Target& target = target_with_text(options.target);
  return text_files(target, dpia_trace(program, loaded.calculus, target.machine), program.name);
}

}  // namespace lockstep::driver
