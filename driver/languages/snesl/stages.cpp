// The stages of a .snesl program as text; what each costs; its last text as files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "codegen/streaming/engine.h"
#include "driver/languages/snesl/arguments.h"
#include "driver/languages/snesl/engine.h"
#include "driver/languages/snesl/snesl.h"
#include "driver/units.h"
#include "semantics/snesl/parse.h"
#include "semantics/svcode/text.h"

namespace lockstep::driver {
namespace {

// Of networks, which are long, the last, and of the engine's text nothing, where no stage is asked for.
std::vector<StageText> texts_of(const StreamingFile& file, const snesl::EntryPoint& entry, const std::string& asked) {
  const snesl::core::Program core = instance_of(file, entry);
  std::vector<StageText> out{{"source", "semantics/snesl", snesl::print(file.program), {}}};
  const streaming::SneslTrace trace = trace_of(file, entry, core);
  const Trace networks = network_trace(trace);
  std::vector<Step> steps = trace.steps;
  steps.insert(steps.end(), asked.empty() ? networks.steps.end() - 1 : networks.steps.begin() + 1,
               networks.steps.end());
  for (const Step& s : steps) {
    const Language& language = s.program.language();
    out.push_back({s.name, s.cite, language.print(s.program),
                   language.nodes ? std::optional(language.nodes(s.program)) : std::nullopt});
  }
  out[1].cite = "SNESL §2.2.1: types inferred, functions expanded, sugar gone";
  const bool wanted = asked == "engine";
  if (!asked.empty())
    out.push_back({"engine", "C++", wanted ? engine::engine_source(streaming::network_of(networks)) : "", {}});
  return out;
}

// What was counted of one program on one input.
struct Counted {
  std::string name, cite;
  std::size_t instructions = 0;
  svcode::Counts eager, one, chunked;
};

std::vector<Counted> counts_of(const streaming::SneslTrace& trace, const BoundArguments& bound, KeptFiles& files,
                               std::int64_t chunk, const StreamingResult& expected) {
  std::vector<Counted> out;
  for (const Step& s : trace.steps) {
    const auto* program = s.program.as_if<svcode::Program>();
    if (!program) continue;
    Counted c{s.name, s.cite, program->instructions.size(), {}, {}, {}};
    svcode::ChunkOptions how;
    const auto& slack = trace.slack_of(*program);
    if (!slack)
      throw Failure{disagrees, "the program after " + s.name +
                                   " does not stream, which the one before it does: " + slack.error().front().message};
    how.slack = *slack;
    const auto counted = [&](const StreamingResult& r) {
      if (!agree(r, expected))
        throw Failure{disagrees,
                      "the program after " + s.name + " gives " + show(r) + ", the source " + show(expected)};
      return r.counts;
    };
    c.eager = counted(run_eagerly(*program, bound.values, files));
    how.chunk = 1;
    c.one = counted(run_in_chunks(*program, bound.values, files, how));
    how.chunk = chunk;
    c.chunked = counted(run_in_chunks(*program, bound.values, files, how));
    out.push_back(std::move(c));
  }
  return out;
}

const std::vector<Unit>& units() {
  static const std::vector<Unit> all{
      {"W",
       "work of the source: scalars and ends of sequences that built-ins give, or that concat and reductions read"},
      {"D", "depth of the source: built-ins one after another, elements of a comprehension side by side"},
      {"M", "space that grows with the chunk, in scalars: at a chunk of one"},
      {"N", "space of vectors, which are whole in memory, in scalars"},
      {"L", "space of all streams at once, in scalars"},
      {"work", "elements that instructions consume and produce, and one for each instruction"},
      {"depth", "instructions one after another whose streams are not empty"},
      {"space", "the most elements that are stored at one time: whole streams (eager), or buffers of the chunk"}};
  return all;
}

std::string ratio(std::int64_t n, std::int64_t of) {
  return of > 0 ? fmt::format("{:.2g}", static_cast<double>(n) / static_cast<double>(of)) : "";
}

}  // namespace

std::vector<StageText> stages_of(const StreamingFile& file, const snesl::EntryPoint& entry, const Options& options) {
  return texts_of(file, entry, options.stage);
}

Said cost_of(const StreamingFile& file, const snesl::EntryPoint& entry, const Options& options) {
  const BoundArguments bound = bind_arguments(file, entry, options.arguments);
  const std::int64_t chunk = options.chunk > 0 ? options.chunk : default_chunk;
  KeptFiles files = kept_machine_files();
  snesl::Cost cost;
  const StreamingResult source = evaluated(bound.program, bound.values, files, &cost);
  if (!source.value) fail(source.value.error());
  const auto nesl = snesl::nesl_cost(bound.program, bound.values, files);
  files.take_written();
  const std::vector<Counted> counted = counts_of(trace_of(file, entry, bound.program), bound, files, chunk, source);
  Json stages = Json::array();
  for (const Counted& c : counted)
    stages.push_back({{"stage", c.name},
                      {"cite", c.cite},
                      {"instructions", c.instructions},
                      {"work", c.eager.work},
                      {"depth", c.eager.depth},
                      {"eager_space", c.eager.space},
                      {"space_at_chunk_1", c.one.space},
                      {"chunked_space", c.chunked.space},
                      {"chunked_work", c.chunked.work}});
  Json j{{"language", "snesl"},
         {"function", bound.program.name},
         {"chunk", chunk},
         {"units", json_of(units())},
         {"source",
          {{"W", cost.work}, {"D", cost.depth}, {"M", cost.scalable}, {"N", cost.vectorial}, {"L", cost.parallel}}}};
  j["nesl"] = nesl && *nesl ? Json{{"W", (*nesl)->work}, {"D", (*nesl)->depth}} : Json(nullptr);
  j["stages"] = std::move(stages);
  const auto n = [](std::int64_t x) { return std::to_string(x); };
  Table source_table({"source", "paper", ">work W", ">depth D", ">M", ">N", ">L"});
  source_table.row({bound.program.name,
                    {"SNESL Fig. 2.3", Tone::Faint},
                    n(cost.work),
                    n(cost.depth),
                    n(cost.scalable),
                    n(cost.vectorial),
                    n(cost.parallel)});
  if (nesl && *nesl)
    source_table.row({"... in vectors only", {"μNESL, Fig. 1.4", Tone::Faint}, n((*nesl)->work), n((*nesl)->depth)});
  const std::string in_chunks = ">space at chunk " + n(chunk);
  Table table({"stage", "paper", ">instructions", ">work", ">/ W", ">depth", ">eager space", ">/ (1+L)",
               ">space at chunk 1", ">/ (1+M+N)", in_chunks});
  for (const Counted& c : counted)
    table.row({c.name,
               {c.cite, Tone::Faint},
               std::to_string(c.instructions),
               n(c.eager.work),
               ratio(c.eager.work, cost.work),
               n(c.eager.depth),
               n(c.eager.space),
               ratio(c.eager.space, 1 + cost.parallel),
               n(c.one.space),
               ratio(c.one.space, 1 + cost.scalable + cost.vectorial),
               n(c.chunked.space)});
  std::string text = source_table.text(on_terminal(1)) + "\n" + table.text(on_terminal(1)) +
                     "counted while it ran on these arguments\n" + text_of(units());
  return {std::move(text), std::move(j)};
}

EmittedText emitted(const StreamingFile& file, const snesl::EntryPoint& entry, const Options& options) {
  if (!options.target.empty() && options.target != "engine") {
    for (const Runner& t : snesl_language().targets())
      if (t.name == options.target)
        fail(invalid, "there is no generated text for the target " + t.name, "leave --target out, or give engine");
    target_named(options.languages, snesl_language(), options.target);
  }
  const streaming::SneslTrace trace = trace_of(file, entry, instance_of(file, entry));
  const svcode::Program& program = trace.last_streaming();
  // What names the entry, which no two functions share, where the function's own name could be another's.
  const bool reserved = entry.name.find('\'') != std::string::npos || entry.name.starts_with("snesl_") ||
                        entry.name.starts_with("sneslq_");
  const std::string stem = reserved ? engine::engine_entry(program) : entry.name;
  return {"engine",
          {{stem + ".cpp", engine::engine_source(streaming::network_of(network_trace(trace)))},
           {stem + ".h", engine::engine_header(program)}},
          Json{{"flags", engine::engine_flags()}}};
}

}  // namespace lockstep::driver
