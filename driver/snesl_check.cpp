// lockstep check, prove and derive on .snesl: the functions' types, and whether each streams.
#include <nlohmann/json.hpp>

#include "driver/snesl.h"
#include "driver/snesl_program.h"

namespace lockstep::driver {
namespace {

std::string first_line(const Diagnostics& d) {
  const std::string where = show_position(d.front().region);
  return d.front().message + (where.empty() ? "" : " (" + where + ")");
}

bool streams(const StreamingVerdict& v) { return v.judged && v.typed && v.refused.empty(); }

std::string verdict_of(const snesl::EntryPoint& e, const StreamingVerdict& v) {
  if (!v.judged)
    return "as it is called: " + show_count(static_cast<std::size_t>(e.expanded), "operation") + ", its calls expanded";
  if (!v.typed) return "as it is called: its type is open";
  if (!v.refused.empty()) return "only as it is called: " + first_line(v.refused);
  return "streams, " +
         (v.slack == 0 ? "without slack" : "slack of " + show_count(static_cast<std::size_t>(v.slack), "element"));
}

Json json_of(const snesl::EntryPoint& e, const StreamingVerdict& v) {
  Json parameters = Json::array();
  for (std::size_t k = 0; k < e.parameters.size(); ++k)
    parameters.push_back({{"name", e.parameters[k]}, {"type", e.types[k]}});
  Json j{{"function", e.name}, {"parameters", std::move(parameters)}, {"result", e.result}, {"closed", e.closed}};
  j["streams"] = v.judged && v.typed ? Json(v.refused.empty()) : Json(nullptr);
  if (streams(v)) j["slack"] = v.slack, j["instructions"] = v.instructions;
  if (!v.refused.empty()) j["why_not"] = first_line(v.refused);
  return j;
}

// The whole file.
ProgramName whole_file(const Options& options) {
  ProgramName name = program_name(options.program);
  if (!name.function.empty())
    fail(invalid, "the whole file is checked: give " + name.file + " without :" + name.function);
  return name;
}

std::string table_of(const StreamingFile& file, const std::vector<StreamingVerdict>& verdicts) {
  const bool any_open =
      std::any_of(file.functions.begin(), file.functions.end(), [](const auto& e) { return !e.closed; });
  Table table({"function", "verdict"});
  for (std::size_t k = 0; k < verdicts.size(); ++k) {
    const StreamingVerdict& v = verdicts[k];
    table.row({head_of(file.functions[k]), {verdict_of(file.functions[k], v), streams(v) ? Tone::Good : Tone::Faint}});
  }
  return table.text(on_terminal(1)) + (any_open ? "a, b, ...: types that the values given decide\n" : "");
}

}  // namespace

int snesl_check(const Options& options) {
  const StreamingFile file = load_streaming(whole_file(options).file);
  const std::vector<StreamingVerdict> verdicts = streaming_verdicts(file);
  if (options.json) {
    Json functions = Json::array();
    for (std::size_t k = 0; k < verdicts.size(); ++k) functions.push_back(json_of(file.functions[k], verdicts[k]));
    print(Json{{"ok", true},
               {"language", "snesl"},
               {"file", file.source->name},
               {"functions", std::move(functions)},
               {"seconds", file.seconds}});
    return done;
  }
  print(table_of(file, verdicts) + "\n" + file.source->name + ": " + show_count(verdicts.size(), "function") +
        ", all of them stream; " + show_seconds(file.seconds) + "\n");
  return done;
}

// What there is to prove: that no chunk size deadlocks. The analysis is the proof, under its own soundness, which is
// tested.
int snesl_prove(const Options& options) {
  refuse_given(options, {"--all"}, "is of .dpia programs: of .snesl everything is listed", "leave it out");
  refuse_given(options, {"--solver"}, "is of .dpia programs: no solver is asked of .snesl", "leave it out");
  if (!options.only.empty()) fail(invalid, "--only picks obligations of the calculus: give it without FILE");
  const StreamingFile file = load_streaming(program_name(options.program).file);
  const std::string only = program_name(options.program).function;
  if (!only.empty()) entry_point(file, {file.source->name, only});
  Json obligations = Json::array();
  Table table({"function", "obligation", "verdict", "method"});
  const std::vector<StreamingVerdict> verdicts = streaming_verdicts(file, only);
  for (std::size_t k = 0; k < verdicts.size(); ++k) {
    const StreamingVerdict& v = verdicts[k];
    const std::string& name = file.functions[k].name;
    if (!only.empty() && name != only) continue;
    if (!streams(v)) continue;  // judged where it is called
    const std::string what = "runs at every chunk size from 1 on, with " +
                             show_count(static_cast<std::size_t>(v.slack), "element") + " of slack";
    table.row({name, what, {"proved", Tone::Good}, "clocks and lags of its streams"});
    obligations.push_back({{"function", name},
                           {"obligation", what},
                           {"verdict", "proved"},
                           {"method", "clocks and lags of its streams"}});
  }
  if (options.json)
    print(Json{{"ok", true},
               {"language", "snesl"},
               {"file", file.source->name},
               {"obligations", std::move(obligations)},
               {"seconds", file.seconds}});
  else
    print(table.text(on_terminal(1)) +
          "\nThat the analysis of clocks and lags is sound is tested (semantics/snesl/README.md), not proved. That the "
          "stages\n" +
          "keep the program's meaning is tested too: 'lockstep verify " + options.program + "'.\n");
  return done;
}

int snesl_derive(const Options& options) {
  fail(machine, options.program + ": strategies rewrite .dpia programs, not for .snesl yet",
       "'lockstep stages " + options.program + "' shows what the compiler does to it");
}

}  // namespace lockstep::driver
