// lockstep stages, cost, emit on .snesl: the program after each stage, what it costs, and its last text.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "codegen/runtime/files.h"
#include "codegen/streaming/engine.h"
#include "driver/snesl.h"
#include "driver/snesl_arguments.h"
#include "driver/snesl_pipeline.h"
#include "semantics/snesl/parse.h"
#include "semantics/svcode/text.h"
#include "translate/streamability/streamable.h"

namespace lockstep::driver {
namespace {

struct StreamingText {
  std::string name, cite, body;
  std::optional<std::size_t> instructions;
};

// The engine's text, which is long, stands only where it is asked for.
std::vector<StreamingText> texts_of(const StreamingFile& file, const snesl::core::Program& core, bool engine) {
  std::vector<StreamingText> out{
      {"source", "languages.md §2", snesl::print(file.program), {}},
      {"core", "SNESL §2.2.1: types inferred, functions expanded, sugar gone", snesl::core::print(core), {}}};
  const std::vector<SvcodeStage> stages = svcode_stages(core);
  for (const SvcodeStage& s : stages)
    out.push_back({s.name, s.cite, svcode::print(s.program), s.program.instructions.size()});
  if (engine) out.push_back({"engine", "C++", streaming::engine_source(simplest(stages)), {}});
  return out;
}

void keep_only(std::vector<StreamingText>& texts, const std::string& stage) {
  std::vector<std::string> names;
  for (const StreamingText& t : texts) names.push_back(t.name);
  std::erase_if(texts, [&](const StreamingText& t) { return t.name != stage; });
  if (!texts.empty()) return;
  const std::string near = nearest_name(stage, names);
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  fail(invalid, "there is no stage " + stage, near.empty() ? "the stages are " + all : "did you mean " + near + "?");
}

// What was counted of one program on one input.
struct Counted {
  std::string name, cite;
  std::size_t instructions = 0;
  svcode::Counts eager, one, chunked;
};

std::vector<Counted> counts_of(const BoundArguments& bound, KeptFiles& files, std::int64_t chunk,
                               const StreamingResult& expected) {
  std::vector<Counted> out;
  for (const SvcodeStage& s : svcode_stages(bound.program)) {
    Counted c{s.name, s.cite, s.program.instructions.size(), {}, {}, {}};
    svcode::ChunkOptions how;
    const auto slack = streaming::analyse(s.program);
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
    c.eager = counted(run_eagerly(s.program, bound.values, files));
    how.chunk = 1;
    c.one = counted(run_in_chunks(s.program, bound.values, files, how));
    how.chunk = chunk;
    c.chunked = counted(run_in_chunks(s.program, bound.values, files, how));
    out.push_back(std::move(c));
  }
  return out;
}

std::string ratio(std::int64_t n, std::int64_t of) {
  return of > 0 ? fmt::format("{:.2g}", static_cast<double>(n) / static_cast<double>(of)) : "";
}

}  // namespace

int snesl_stages(const Options& options) {
  if (!options.strategy.empty()) fail(machine, "strategies rewrite .dpia programs, not for .snesl yet");
  if (!options.target.empty()) fail(invalid, "the stages of .snesl are the same for every target: leave --target out");
  const ProgramName name = program_name(options.program);
  const StreamingFile file = load_streaming(name.file);
  const snesl::EntryPoint& entry = entry_point(file, name);
  std::vector<StreamingText> texts = texts_of(file, instance_of(file, entry), options.stage == "engine");
  if (!options.stage.empty()) keep_only(texts, options.stage);
  if (options.json) {
    Json stages = Json::array();
    for (const StreamingText& t : texts) {
      Json j{{"stage", t.name}, {"cite", t.cite}, {"text", t.body}};
      if (t.instructions) j["instructions"] = *t.instructions;
      stages.push_back(std::move(j));
    }
    print(Json{{"language", "snesl"}, {"function", head_of(entry)}, {"stages", std::move(stages)}});
    return done;
  }
  std::string out;
  for (const StreamingText& t : texts) {
    const std::string head = "-- " + t.name + " (" + t.cite + ")" +
                             (t.instructions ? ", " + show_count(*t.instructions, "instruction") : "");
    out += (out.empty() ? "" : "\n") + tone(head, Tone::Head, on_terminal(1)) + "\n" + trimmed(t.body) + "\n";
  }
  print(out);
  return done;
}

int snesl_cost(const Options& options) {
  if (!options.target.empty()) fail(invalid, "cost counts the source and every stage: leave --target out");
  const ProgramName name = program_name(options.program);
  const StreamingFile file = load_streaming(name.file);
  const BoundArguments bound = bind_arguments(file, entry_point(file, name), options.arguments);
  const std::int64_t chunk = options.chunk > 0 ? options.chunk : default_chunk;
  KeptFiles files = kept_machine_files();
  snesl::Cost cost;
  const StreamingResult source = evaluated(bound.program, bound.values, files, &cost);
  if (!source.value) fail(source.value.error());
  const auto nesl = snesl::nesl_cost(bound.program, bound.values, files);
  files.take_written();
  const std::vector<Counted> counted = counts_of(bound, files, chunk, source);
  if (options.json) {
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
           {"source",
            {{"W", cost.work}, {"D", cost.depth}, {"M", cost.scalable}, {"N", cost.vectorial}, {"L", cost.parallel}}}};
    j["nesl"] = nesl && *nesl ? Json{{"W", (*nesl)->work}, {"D", (*nesl)->depth}} : Json(nullptr);
    j["stages"] = std::move(stages);
    print(j);
    return done;
  }
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
  print(source_table.text(on_terminal(1)) +
        "M: space that grows with the chunk; N: vectors, which are whole in memory; L: all streams at once\n\n" +
        table.text(on_terminal(1)) + "counted while it ran on these arguments; space in elements\n");
  return done;
}

int snesl_emit(const Options& options) {
  if (!options.target.empty() && options.target != "engine") {
    for (const Runner& t : streaming_targets())
      if (t.name == options.target)
        fail(invalid, "there is no generated text for the target " + t.name, "leave --target out, or give engine");
    streaming_target_named(options.target);
  }
  const ProgramName name = program_name(options.program);
  const StreamingFile file = load_streaming(name.file);
  const snesl::EntryPoint& entry = entry_point(file, name);
  const std::vector<SvcodeStage> stages = svcode_stages(instance_of(file, entry));
  const svcode::Program& program = simplest(stages);
  // What names the entry, which no two functions share, where the function's own name could be another's.
  const bool reserved = entry.name.find('\'') != std::string::npos || entry.name.starts_with("snesl_") ||
                        entry.name.starts_with("sneslq_");
  std::string folder = options.output;
  const std::string stem = reserved ? streaming::engine_entry(program) : entry.name;
  if (!folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) fail(machine, "cannot create the folder " + options.output + ": " + error.message());
    if (folder.back() != '/') folder += '/';
  }
  const std::vector<std::pair<std::string, std::string>> files{
      {folder + stem + ".cpp", streaming::engine_source(program)},
      {folder + stem + ".h", streaming::engine_header(program)}};
  if (const auto written = write_files_atomically(files); !written) fail(machine, written.error());
  if (options.json)
    print(Json{{"language", "snesl"},
               {"function", entry.name},
               {"target", "engine"},
               {"files", {files[0].first, files[1].first}},
               {"flags", streaming::engine_flags()}});
  else
    print(files[0].first + "\n" + files[1].first + "\n");
  return done;
}

}  // namespace lockstep::driver
