// The stages of a .dpia program as text; what each costs; its last text as files.
#include <nlohmann/json.hpp>

#include "driver/kernels/costs.h"
#include "driver/kernels/kernels.h"
#include "driver/languages/dpia/arguments.h"
#include "driver/languages/dpia/derivation.h"
#include "driver/languages/dpia/dpia.h"
#include "proofs/laws/compiling.h"
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
  const DpiaTrace trace = proofs::lawful_trace(program, loaded.calculus, target.machine);
  for (StageText& t : texts_of_steps(trace)) out.push_back(std::move(t));
  StageText& inferred = *(out.end() - static_cast<std::ptrdiff_t>(trace.steps.size()));
  inferred.name = "inferred", inferred.cite = "types and sizes inferred, calls expanded";
  if (std::none_of(out.begin(), out.end(), [&](const StageText& t) { return t.name == only; }))
    out.push_back(text_stage(target, trace));
  return out;
}

}  // namespace

std::vector<StageText> stages_of(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options) {
  return texts_of(loaded, program, options.strategy, target_with_text(options.target), options.stage);
}

Said cost_of(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options) {
  const SizeValues sizes = bind_sizes(program, options.arguments);
  return costs_of({"dpia", program, loaded.calculus}, sizes, options);
}

EmittedText emitted(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options) {
  const Target& target = target_with_text(options.target);
  return text_files(target, proofs::lawful_trace(program, loaded.calculus, target.machine), program.name);
}

}  // namespace lockstep::driver
