// lockstep stages, cost, emit: the program after each stage, what it costs, and its last text.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "codegen/runtime/files.h"
#include "driver/commands/commands.h"

namespace lockstep::driver {
namespace {

void keep_only(std::vector<StageText>& texts, const std::string& stage) {
  std::vector<std::string> names;
  for (const StageText& t : texts) names.push_back(t.name);
  std::erase_if(texts, [&](const StageText& t) { return t.name != stage; });
  if (!texts.empty()) return;
  fail(invalid, "there is no stage " + stage, did_you_mean(stage, names, "the stages are " + comma_list(names)));
}

}  // namespace

std::vector<std::string> write_into(const std::string& folder, std::vector<std::pair<std::string, std::string>> files) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (auto& [name, contents] : files) {
    if (!folder.empty()) name = folder + (folder.ends_with('/') ? "" : "/") + name;
    paths.push_back(name);
    const fs::path in = fs::path(name).parent_path();
    std::error_code error;
    if (!in.empty()) fs::create_directories(in, error);
    if (error) fail(machine, "cannot create the folder " + in.string() + ": " + error.message());
  }
  if (const auto written = write_files_atomically(files); !written) fail(machine, written.error());
  return paths;
}

int stages_command(const Options& options) {
  const Loaded loaded = load(options, "stages");
  std::vector<StageText> texts = loaded.entry->stages(options);
  if (!options.stage.empty()) keep_only(texts, options.stage);
  const std::string unit = loaded.language->unit();
  if (options.json) {
    Json stages = Json::array();
    for (const StageText& t : texts) {
      Json j{{"stage", t.name}, {"cite", t.cite}, {"text", t.body}};
      if (t.nodes) j[unit + "s"] = *t.nodes;
      stages.push_back(std::move(j));
    }
    print(
        Json{{"language", loaded.language->name()}, {"function", loaded.entry->head()}, {"stages", std::move(stages)}});
    return done;
  }
  std::string out;
  for (const StageText& t : texts) {
    const std::string head = "-- " + t.name + " (" + t.cite + ")" + (t.nodes ? ", " + show_count(*t.nodes, unit) : "");
    out += (out.empty() ? "" : "\n") + tone(head, Tone::Head, on_terminal(1)) + "\n" + trimmed(t.body) + "\n";
  }
  print(out);
  return done;
}

namespace {

int printed(const Said& said, const Options& options) {
  if (options.json)
    print(said.json);
  else
    print(said.text);
  return done;
}

}  // namespace

int cost_command(const Options& options) { return printed(load(options, "cost").entry->cost(options), options); }
int fusion_command(const Options& options) { return printed(load(options, "fusion").entry->fusion(options), options); }

int emit_command(const Options& options) {
  const Loaded loaded = load(options, "emit");
  EmittedText emitted = loaded.entry->emit(options);
  const std::vector<std::string> paths = write_into(options.output, std::move(emitted.files));
  Json list = Json::array();
  std::string text;
  for (const std::string& path : paths) {
    list.push_back(path);
    text += path + "\n";
  }
  if (options.json) {
    Json json{{"language", loaded.language->name()},
              {"function", loaded.entry->name()},
              {"target", emitted.target},
              {"files", std::move(list)}};
    json.update(emitted.more);
    print(json);
  } else {
    print(text);
  }
  return done;
}

}  // namespace lockstep::driver
