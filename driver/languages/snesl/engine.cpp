// Running the engine.
#include "driver/languages/snesl/engine.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

#include "codegen/runtime/files.h"
#include "driver/report.h"
#include "driver/temporary_folder.h"

namespace lockstep::driver {
namespace {

namespace fs = std::filesystem;

// What `files` has read, under other names in a folder of its own, and there too what is written.
class FilesApart : public engine::EngineFiles {
 public:
  explicit FilesApart(const KeptFiles& files) : files_(files) {
    for (const auto& [known, content] : files.all_read())
      std::ofstream(place(known.c_str()), std::ios::binary) << content;
  }

  const char* place(const char* name) const override {
    const std::lock_guard held(held_);
    // What is made up to be read has other contents for each name, what is written is of a file.
    const bool by_name = files_.all_read().contains(name) || std::strcmp(name, "-") == 0;
    const auto [it, fresh] = places_.try_emplace(by_name ? name : snesl::place_of_file(name));
    if (fresh) it->second = folder_.path(std::to_string(places_.size()));
    return it->second.c_str();
  }
  int once(const char* name) const override {
    const auto which = files_.once(name);
    if (!which) return -1;
    const std::lock_guard held(held_);
    return onces_.try_emplace(*which, static_cast<int>(onces_.size())).first->second;
  }
  std::map<std::string, std::string> contents(const std::map<std::string, std::string>& written) const {
    std::map<std::string, std::string> paths, out;
    for (const auto& [name, expected] : written) paths.emplace(place(name.c_str()), name);
    for (auto& [path, content] : contents_of_files(paths)) out.emplace(paths.at(path), std::move(content));
    return out;
  }

 private:
  const KeptFiles& files_;
  const TemporaryFolder folder_{"verify"};
  mutable std::mutex held_;
  mutable std::map<std::string, std::string> places_;
  mutable std::map<std::string, int> onces_;
};

// Whether a file can have the name.
bool names_a_file(const std::string& name) {
  return !name.empty() && name.size() <= 4096 && name.find('\0') == std::string::npos;
}

}  // namespace

engine::Engine load_engine(const transducer::Program& program, engine::Engine::Effort effort) {
  effort.optimise = effort.optimise && program.whole.code->instructions.size() <= 500;
  auto engine = engine::Engine::load(program, effort);
  if (!engine) fail(machine, engine.error().message);
  return std::move(*engine);
}

StreamingResult run_compiled(const engine::Engine& engine, const svcode::Program& program, const snesl::Values& values,
                             const engine::EngineOptions& options) {
  const auto run = engine.run(inputs_of(program, values), options);
  StreamingResult out{tl::unexpected(Trap{})};
  if (run) {
    out.value = svcode::value_of(run->result(), program.result_type);
  } else if (const auto* trap = std::get_if<Trap>(&run.error())) {
    out.value = tl::unexpected(*trap);
  } else {
    fail(machine, std::get<engine::EngineFailure>(run.error()).message);
  }
  return out;
}

std::map<std::string, std::string> contents_of_files(const std::map<std::string, std::string>& names) {
  std::map<std::string, std::string> out;
  for (const auto& [name, expected] : names) {
    std::error_code ignored;
    if (!fs::is_regular_file(name, ignored)) continue;
    out[name] = contents_of(name).value_or("");
  }
  return out;
}

std::optional<StreamingResult> run_apart(const engine::Engine& engine, const svcode::Program& program,
                                         const snesl::Values& values, const KeptFiles& files,
                                         const std::map<std::string, std::string>& written,
                                         engine::EngineOptions options) {
  for (const auto* names : {&files.all_read(), &written})
    for (const auto& [name, content] : *names)
      if (!names_a_file(name)) return {};
  const FilesApart apart(files);
  options.apart = &apart;
  StreamingResult out = run_compiled(engine, program, values, options);
  if (out.value) out.written = apart.contents(written);
  return out;
}

}  // namespace lockstep::driver
