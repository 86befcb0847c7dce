// What can run here, and why the others cannot.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "codegen/runtime/compiler.h"
#include "driver/snesl.h"

namespace lockstep::driver {

std::vector<Runner> all_targets() {
  std::vector<Runner> out{{"interpreter", "this program", ""}};
  for (const Target& t : kernel_targets()) {
    const auto compiler = t.name == "openmp" ? find_compiler() : tl::unexpected(std::string());
    out.push_back({t.name, compiler ? "CPU threads, compiled by " + compiler->path : t.runs_on, t.unavailable(), &t});
  }
  return out;
}

Runner target_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Runner& t : all_targets()) {
    names.push_back(t.name);
    if (t.name != name) continue;
    if (!t.unavailable.empty())
      fail(machine, "the target " + name + " cannot run here: " + t.unavailable,
           "'lockstep targets' lists those that can");
    return t;
  }
  for (const Runner& t : streaming_targets())
    if (t.name == name)
      fail(invalid, "the target " + name + " is for .snesl programs",
           "the targets are interpreter, openmp, hip-cpu, opencl and hip");
  const std::string near = nearest_name(name, names);
  fail(invalid, "there is no target " + name,
       near.empty() ? "the targets are interpreter, openmp, hip-cpu, opencl and hip" : "did you mean " + near + "?");
}

void refuse_given(const Options& options, const std::set<std::string>& names, const std::string& why,
                  const std::string& help) {
  for (const std::string& name : names)
    if (options.given.contains(name)) fail(invalid, name + " " + why, help);
}

std::string default_target() {
  for (const Target& t : kernel_targets())
    if (t.unavailable().empty()) return t.name;
  return "interpreter";
}

int targets_command(const Options& options) {
  Table table({"programs", "target", "available", "runs on"});
  Json json = Json::array();
  const auto list = [&](const std::string& programs, const std::vector<Runner>& targets) {
    for (const Runner& t : targets) {
      const bool can = t.unavailable.empty();
      table.row({programs, t.name, {can ? "yes" : "no: " + t.unavailable, can ? Tone::Good : Tone::Faint}, t.runs_on});
      Json j{{"programs", programs}, {"target", t.name}, {"available", can}, {"runs_on", t.runs_on}};
      if (!can) j["why_not"] = t.unavailable;
      json.push_back(std::move(j));
    }
  };
  list(".dpia", all_targets());
  list(".snesl", streaming_targets());
  if (options.json)
    print(Json{{"targets", std::move(json)}});
  else
    print(table.text(on_terminal(1)));
  return done;
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print(const Json& json) { print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }
Json json_of(const SizeValues& sizes) {
  Json j = Json::object();
  for (const auto& [name, n] : sizes) j[name] = n;
  return j;
}

}  // namespace lockstep::driver
