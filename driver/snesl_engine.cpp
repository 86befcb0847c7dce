// Running the engine.
#include "driver/snesl_engine.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/runtime/files.h"
#include "driver/report.h"

namespace lockstep::driver {
namespace {

namespace fs = std::filesystem;

// A folder that is the current one until the end of the scope.
class Apart {
 public:
  Apart() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "lockstep-verify-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      fail(machine, "cannot make a folder in " + fs::temp_directory_path().string() + ": " + system_message(errno));
    folder_ = name;
    fs::current_path(folder_);
  }
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;
  ~Apart() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
    fs::remove_all(folder_, ignored);
  }

 private:
  fs::path before_, folder_;
};

// A plain name of a file, which no folder before it and no special meaning leads elsewhere.
bool stays(const std::string& name) {
  return !name.empty() && name != "-" && name != "." && name != ".." && name.size() < 200 &&
         name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

}  // namespace

streaming::Engine load_engine(const svcode::Program& program, bool optimise) {
  auto engine = streaming::Engine::load(program, {optimise && program.instructions.size() <= 500, true});
  if (!engine) fail(machine, engine.error().message);
  return std::move(*engine);
}

StreamingResult run_compiled(const streaming::Engine& engine, const svcode::Program& program,
                             const snesl::Values& values, const streaming::EngineOptions& options) {
  const auto run = engine.run(inputs_of(program, values), options);
  StreamingResult out{tl::unexpected(Trap{})};
  if (run) {
    out.value = svcode::value_of(run->result, program.result_type);
  } else if (const auto* trap = std::get_if<Trap>(&run.error())) {
    out.value = tl::unexpected(*trap);
  } else {
    fail(machine, std::get<streaming::EngineFailure>(run.error()).message);
  }
  return out;
}

std::map<std::string, std::string> contents_of(const std::map<std::string, std::string>& names) {
  std::map<std::string, std::string> out;
  for (const auto& [name, expected] : names) {
    std::error_code ignored;
    if (!fs::is_regular_file(name, ignored)) continue;
    std::ifstream in(name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    out[name] = text.str();
  }
  return out;
}

std::optional<StreamingResult> run_apart(const streaming::Engine& engine, const svcode::Program& program,
                                         const snesl::Values& values, const KeptFiles& files,
                                         const std::map<std::string, std::string>& written,
                                         const streaming::EngineOptions& options) {
  for (const auto* names : {&files.all_read(), &written})
    for (const auto& [name, content] : *names)
      if (!stays(name)) return {};
  const Apart apart;
  for (const auto& [name, content] : files.all_read()) std::ofstream(name, std::ios::binary) << content;
  StreamingResult out = run_compiled(engine, program, values, options);
  if (out.value) out.written = contents_of(written);
  return out;
}

}  // namespace lockstep::driver
