// check and prove of .snesl: the functions' types, and whether each streams.
#include <nlohmann/json.hpp>

#include "driver/languages/snesl/snesl.h"

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

std::string table_of(const StreamingFile& file, const std::vector<StreamingVerdict>& verdicts,
                     const std::vector<std::size_t>& shown) {
  const bool any_open =
      std::any_of(shown.begin(), shown.end(), [&](std::size_t k) { return !file.functions[k].closed; });
  Table table({"function", "verdict"});
  for (const std::size_t k : shown) {
    const StreamingVerdict& v = verdicts[k];
    table.row({head_of(file.functions[k]), {verdict_of(file.functions[k], v), streams(v) ? Tone::Good : Tone::Faint}});
  }
  return table.text(on_terminal(1)) + (any_open ? "a, b, ...: types that the values given decide\n" : "");
}

}  // namespace

Said checked(const StreamingFile& file, const std::string& function) {
  const std::vector<StreamingVerdict> verdicts = streaming_verdicts(file, function);
  std::vector<std::size_t> shown;
  const snesl::EntryPoint* only = function.empty() ? nullptr : &entry_point(file, {file.source->name, function});
  for (std::size_t k = 0; k < verdicts.size(); ++k)
    if (!only || only == &file.functions[k]) shown.push_back(k);
  Json functions = Json::array();
  for (const std::size_t k : shown) functions.push_back(json_of(file.functions[k], verdicts[k]));
  return {table_of(file, verdicts, shown) + "\n" + file.source->name + ": " + show_count(verdicts.size(), "function") +
              ", all of them stream; " + show_seconds(file.seconds) + "\n",
          Json{{"ok", true},
               {"language", "snesl"},
               {"file", file.source->name},
               {"functions", std::move(functions)},
               {"seconds", file.seconds}}};
}

// What there is to prove: that no chunk size deadlocks. That rests on the soundness of the analysis, which is tested.
Said proofs_of(const StreamingFile& file, const std::string& function, const Options& options) {
  Json obligations = Json::array();
  Table table({"function", "obligation", "verdict", "method"});
  const std::vector<StreamingVerdict> verdicts = streaming_verdicts(file, function);
  for (std::size_t k = 0; k < verdicts.size(); ++k) {
    const StreamingVerdict& v = verdicts[k];
    const std::string& name = file.functions[k].name;
    if (!function.empty() && name != function) continue;
    if (!streams(v)) continue;  // judged where it is called
    const std::string what = "runs at every chunk size from 1 on, with " +
                             show_count(static_cast<std::size_t>(v.slack), "element") + " of slack";
    const std::string method = "clocks and lags of its streams, an analysis that is tested";
    table.row({name, what, "tested", method});
    obligations.push_back({{"function", name}, {"obligation", what}, {"verdict", "tested"}, {"method", method}});
  }
  return {table.text(on_terminal(1)) +
              "\nThat the analysis of clocks and lags is sound is tested (semantics/snesl/README.md), not proved. That "
              "the stages\nkeep the program's meaning is tested too: 'lockstep verify " +
              options.program + "'.\n",
          Json{{"ok", true},
               {"language", "snesl"},
               {"file", file.source->name},
               {"obligations", std::move(obligations)},
               {"seconds", file.seconds}}};
}

}  // namespace lockstep::driver
