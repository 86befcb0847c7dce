// check of .l0; the stages of a program as text; what they cost; what is proved of its kernels.
#include <nlohmann/json.hpp>

#include "driver/kernels/kernels.h"
#include "driver/languages/l0/arguments.h"
#include "driver/languages/l0/compiled.h"
#include "driver/languages/l0/l0.h"
#include "driver/units.h"
#include "props/l0/compiled.h"
#include "semantics/kernel/words_moved.h"
#include "translate/l0/pipeline.h"

namespace lockstep::driver {
namespace {

const std::vector<Unit>& units() {
  static const std::vector<Unit> all{
      {"work",
       "scalar operations, scalars that arrays are made of, and one for each element that a function is called for"},
      {"depth", "the same one after another; calls of map and filter side by side, of reduce and scan in a tree"},
      {"space", "scalars of all arrays that are made"}};
  return all;
}

// For all sizes and at these; nothing where it is not taken to kernels, or data decides.
std::optional<std::pair<Size, std::optional<std::int64_t>>> words_of_kernel(const L0File& file, const l0::Entry& last,
                                                                            const l0::Values& leaves) {
  const auto made = in_calculus(file, last);
  const auto arguments = made ? props::l0::arguments_in_calculus(*made, leaves) : tl::unexpected(std::string());
  if (!made || !arguments) return {};
  const auto words = kernel::words_moved(dpia_trace(made->program, *lowered_calculus(), Machine::Cpu).kernel());
  if (!words) return {};
  return std::pair(*words, evaluate(*words, arguments->sizes));
}

}  // namespace

Said checked(const L0File& file, const std::string& function) {
  const l0::Function* only = function.empty() ? nullptr : &entry_point(file, {file.source->name, function});
  Json functions = Json::array();
  Table table({"function"});
  for (const l0::Function& f : file.program.functions) {
    if (only && only != &f) continue;
    table.row({head_of(f)});
    Json parameters = Json::array();
    for (const l0::Parameter& p : f.parameters) parameters.push_back({{"name", p.name}, {"type", l0::show(p.type)}});
    functions.push_back({{"function", f.name}, {"parameters", std::move(parameters)}, {"result", l0::show(f.result)}});
  }
  return {table.text(on_terminal(1)) + "\n" + file.source->name + ": " +
              show_count(file.program.functions.size(), "function") + ", types and uniqueness hold; " +
              show_seconds(file.seconds) + "\n",
          Json{{"ok", true},
               {"language", "l0"},
               {"file", file.source->name},
               {"functions", std::move(functions)},
               {"seconds", file.seconds}}};
}

std::vector<StageText> stages_of(const L0File& file, const l0::Function& entry, const Options& options) {
  const Trace trace = l0::trace_of({file.program, entry.name}, fusion_mode(options.fusion));
  std::vector<StageText> out = texts_of_steps(trace);
  if (!has_stage(out, options.stage))
    add_lowered(out, entry.name, "//", in_calculus(file, trace.last().as<l0::Entry>()), options);
  return out;
}

Said cost_of(const L0File& file, const l0::Function& entry, const Options& options) {
  const l0::Values leaves = leaves_of_all(bind_arguments(entry, options.arguments));
  Table table({"stage", "paper", ">work", ">depth", ">space"});
  Json stages = Json::array();
  const Trace trace = l0::trace_of({file.program, entry.name}, fusion_mode(options.fusion));
  for (const Step& s : trace.steps) {
    l0::Counts counts;
    const auto result = l0::language()->meaning(s.program, leaves, {.counts = &counts});
    if (!result) fail(result.error());
    table.row({s.name,
               {s.cite, Tone::Faint},
               std::to_string(counts.work),
               std::to_string(counts.depth),
               std::to_string(counts.allocated)});
    stages.push_back({{"stage", s.name},
                      {"cite", s.cite},
                      {"work", counts.work},
                      {"depth", counts.depth},
                      {"space", counts.allocated}});
  }
  Said out{
      table.text(on_terminal(1)) + "counted while it ran on these arguments\n" + text_of(units()),
      Json{{"language", "l0"}, {"function", entry.name}, {"units", json_of(units())}, {"stages", std::move(stages)}}};
  if (const auto words = words_of_kernel(file, trace.last().as<l0::Entry>(), leaves)) {
    const auto& [formula, here] = *words;
    out.text += "array words that the kernel reads and writes: " + show(formula) +
                (here ? ", on these arguments " + std::to_string(*here) : "") + "\n";
    out.json["words"] = {{"all", show(formula)}, {"here", here ? Json(*here) : Json()}};
  }
  return out;
}

Said proofs_of(const L0File& file, const l0::Function& entry, const Options& options) {
  const auto made = in_calculus(file, l0::trace_of({file.program, entry.name}).last().as<l0::Entry>());
  const std::string help = "'lockstep verify " + file.source->name + ":" + entry.name + "' tests every stage of it";
  return proofs_of(proved(file, entry, lowered_or_fail(entry.name, made, help)), options);
}

EmittedText emitted(const L0File& file, const l0::Function& entry, const Options& options) {
  const Target& target = target_with_text(options.target);
  const Trace trace = l0::trace_of({file.program, entry.name}, fusion_mode(options.fusion));
  const auto made = in_calculus(file, trace.last().as<l0::Entry>());
  return text_files(target, lowered_or_fail(entry.name, made), entry.name);
}

}  // namespace lockstep::driver
