// lockstep bench on .snesl: how fast a program is on a target.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/bandwidth.h"
#include "driver/snesl.h"
#include "driver/snesl_arguments.h"
#include "driver/snesl_engine.h"

namespace lockstep::driver {
namespace {

std::size_t bytes_of(const snesl::Value& v) {
  if (v.kind == snesl::Value::Kind::Atom)
    return v.atom.type == snesl::Prim::Int || v.atom.type == snesl::Prim::Real ? 8 : 1;
  std::size_t n = 0;
  for (std::size_t k = 0; k < v.size(); ++k) n += bytes_of(v[k]);
  return n;
}

// Of the files that the arguments name, those that are regular: what the engine reads and writes.
std::size_t bytes_named(const snesl::Values& values) {
  std::size_t n = 0;
  for (const snesl::Value& v : values) {
    std::string name;
    for (std::size_t k = 0;
         k < v.size() && v[k].kind == snesl::Value::Kind::Atom && v[k].atom.type == snesl::Prim::Char; ++k)
      name += static_cast<char>(v[k].atom.integer);
    std::error_code none;
    if (!name.empty() && std::filesystem::is_regular_file(name, none)) n += std::filesystem::file_size(name, none);
  }
  return n;
}

struct StreamingTiming {
  std::vector<double> seconds;  // ascending
  StreamingResult result{tl::unexpected(Trap{})};
};

template <class Run>
StreamingTiming timed_streaming(const std::string& target, std::size_t runs, const Run& run) {
  StreamingTiming t;
  Progress progress;
  const Stopwatch whole;
  while (runs > 0 ? t.seconds.size() < runs : t.seconds.empty() || (whole.seconds() < 1 && t.seconds.size() < 1000)) {
    const Stopwatch watch;
    t.result = run();
    t.seconds.push_back(watch.seconds());
    if (!t.result.value) fail(t.result.value.error());
    progress.step("timing " + target, t.seconds.size(), runs > 0 ? runs : t.seconds.size());
  }
  std::sort(t.seconds.begin(), t.seconds.end());
  return t;
}

}  // namespace

int snesl_bench(const Options& options) {
  const ProgramName name = program_name(options.program);
  const StreamingFile file = load_streaming(name.file);
  const snesl::EntryPoint& entry = entry_point(file, name);
  const std::string target =
      options.target.empty() ? default_streaming_target() : streaming_target_named(options.target).name;
  refuse_chunks(target, options);
  const BoundArguments bound = bind_arguments(file, entry, options.arguments);
  const std::vector<SvcodeStage> stages = svcode_stages(bound.program);
  const svcode::Program& program = simplest(stages);
  svcode::ChunkOptions how;
  how.chunk = options.chunk > 0 ? options.chunk : default_chunk;
  how.slack = slack_of(program);
  KeptFiles files = kept_machine_files();
  std::optional<streaming::Engine> engine;
  if (target == "engine") engine = load_engine(program);
  const StreamingTiming timing = timed_streaming(target, options.runs, [&] {
    if (engine) return run_compiled(*engine, program, bound.values, {options.chunk, options.threads});
    if (target == "interpreter") return evaluated(bound.program, bound.values, files);
    return target == "eager" ? run_eagerly(program, bound.values, files)
                             : run_in_chunks(program, bound.values, files, how);
  });
  std::size_t bytes = bytes_of(*timing.result.value) + (engine ? bytes_named(bound.values) : files.bytes_read());
  for (const snesl::Value& v : bound.values) bytes += bytes_of(v);
  for (const auto& [path, content] : timing.result.written) bytes += content.size();
  const double median = timing.seconds[timing.seconds.size() / 2], rate = static_cast<double>(bytes) / median;
  const double bandwidth = engine ? measured_bandwidth() : 0;
  if (options.json) {
    Json row{{"target", target},
             {"runs", timing.seconds.size()},
             {"median_seconds", median},
             {"least_seconds", timing.seconds.front()},
             {"bytes_per_second", rate}};
    if (bandwidth > 0) row["share_of_bandwidth"] = rate / bandwidth;
    print(Json{{"language", "snesl"},
               {"function", bound.program.name},
               {"bytes", bytes},
               {"machine_bytes_per_second", bandwidth},
               {"targets", Json::array({std::move(row)})}});
    return done;
  }
  Table table({"target", ">median", ">least", ">runs", ">GB/s", ">of the machine's"});
  table.row({target, show_seconds(median), show_seconds(timing.seconds.front()), std::to_string(timing.seconds.size()),
             fmt::format("{:.3g}", rate / 1e9), bandwidth > 0 ? fmt::format("{:.1f}%", 100 * rate / bandwidth) : ""});
  std::string head = bound.program.name + ": " + std::to_string(bytes) + " bytes of arguments, files and results";
  if (bandwidth > 0) head += fmt::format("; this machine's memory: {:.1f} GB/s, measured now", bandwidth / 1e9);
  print(head + "\n\n" + table.text(on_terminal(1)));
  return done;
}

}  // namespace lockstep::driver
