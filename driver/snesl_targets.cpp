// What .snesl programs run on.
#include <fstream>
#include <nlohmann/json.hpp>

#include "codegen/runtime/compiler.h"
#include "driver/snesl.h"
#include "driver/snesl_program.h"

namespace lockstep::driver {

std::vector<Runner> streaming_targets() {
  const auto compiler = find_compiler();
  return {{"interpreter", "this program: the big-step semantics", ""},
          {"eager", "this program: SVCODE, one instruction after another", ""},
          {"chunked", "this program: SVCODE, buffers of --chunk elements", ""},
          {"engine", compiler ? "CPU threads, compiled by " + compiler->path : "CPU threads, by a C++ compiler",
           compiler ? "" : compiler.error()}};
}

Runner streaming_target_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Runner& t : streaming_targets()) {
    names.push_back(t.name);
    if (t.name != name) continue;
    if (!t.unavailable.empty())
      fail(machine, "the target " + name + " cannot run here: " + t.unavailable,
           "'lockstep targets' lists those that can");
    return t;
  }
  for (const Runner& t : all_targets())
    if (t.name == name)
      fail(invalid, "the target " + name + " is for .dpia programs",
           "for .snesl the targets are interpreter, eager, chunked and engine");
  const std::string near = nearest_name(name, names);
  fail(invalid, "there is no target " + name,
       near.empty() ? "for .snesl the targets are interpreter, eager, chunked and engine"
                    : "did you mean " + near + "?");
}

std::string default_streaming_target() {
  for (const Runner& t : streaming_targets())
    if (t.name == "engine" && t.unavailable.empty()) return t.name;
  return "chunked";
}

void refuse_chunks(const std::string& target, const Options& options) {
  if (options.chunk > 0 && target != "chunked" && target != "engine")
    fail(invalid, "--chunk is for the targets chunked and engine, not for " + target);
  if (options.threads > 0 && target != "engine") fail(invalid, "--threads is for the target engine, not for " + target);
}

bool is_certificate_of_snesl(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const Json c = in ? Json::parse(in, nullptr, false) : Json();
  return c.is_object() && c.value("language", Json()) == "snesl";
}

bool is_of_snesl(const Options& options) {
  if (!options.replay.empty()) return is_certificate_of_snesl(options.replay);
  return !options.program.empty() && names_snesl(options.program);
}

}  // namespace lockstep::driver
