// The compiler is asked by a loop that it turns into vectors, up to the assembler's output (compiler_flags.h).
#include "codegen/runtime/compiler_flags.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "codegen/runtime/files.h"
#include "codegen/runtime/sha256.h"

namespace lockstep {
namespace {

bool is_in_doubt(const std::string& flag) { return flag.starts_with("-march=") || flag == "-fno-finite-loops"; }

bool takes(const Compiler& compiler, const std::vector<std::string>& flags, const std::string& scratch) {
  const std::string source = scratch + "/flags-asked.cpp";
  std::ofstream(source) << "void scale(float* p, long n) { for (long i = 0; i < n; ++i) p[i] = p[i] * 3 + 1; }\n";
  std::vector<std::string> argv{compiler.path, source, "-O3", "-c", "-o", scratch + "/flags-asked.o"};
  argv.insert(argv.end(), flags.begin(), flags.end());
  const auto run = run_child(argv, scratch);
  return run && run->signal == 0 && run->exit_status == 0;
}

std::vector<std::string> asked(const Compiler& compiler, const std::vector<std::string>& flags,
                               const std::string& scratch) {
  if (takes(compiler, flags, scratch)) return flags;
  std::vector<std::string> out;
  for (const std::string& flag : flags)
    if (takes(compiler, {flag}, scratch)) out.push_back(flag);
  return out;
}

// An answer that was kept: a line for each flag, and a last one, without which it was cut short.
std::vector<std::string> kept_or_asked(const Compiler& compiler, const std::vector<std::string>& flags,
                                       const std::string& scratch, const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const auto known = [&](const std::string& f) { return std::find(flags.begin(), flags.end(), f) != flags.end(); };
  if (!lines.empty() && lines.back() == "end") {
    lines.pop_back();
    if (std::all_of(lines.begin(), lines.end(), known)) return lines;
  }
  std::vector<std::string> out = asked(compiler, flags, scratch);
  std::string text;
  for (const std::string& f : out) text += f + "\n";
  // A compiler that could not be asked, for want of memory or room, has not answered.
  const bool answered = out == flags || takes(compiler, {}, scratch);
  if (!path.empty() && answered)
    (void)write_files_atomically({{path, text + "end\n"}});  // where it cannot be kept, it is asked again
  return out;
}

}  // namespace

std::vector<std::string> with_architecture(const std::vector<std::string>& flags) {
  const char* given = std::getenv("LOCKSTEP_MARCH");
  std::vector<std::string> out = flags;
  if (given && *given)
    std::replace(out.begin(), out.end(), std::string("-march=native"), "-march=" + std::string(given));
  return out;
}

std::string processor() {
  // From the head of a file that is slow to read whole on a machine with many.
  static constexpr std::string_view kept[] = {"vendor_id", "cpu family", "model", "stepping",
                                              "flags",     "Features",   "CPU "};
  std::ifstream in("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(in, line) && !line.empty();)
    if (std::any_of(std::begin(kept), std::end(kept), [&](std::string_view key) { return line.starts_with(key); }))
      text += line + "\n";
  return text;
}

std::string processor_name() {
  std::istringstream in(processor());
  for (std::string line; std::getline(in, line);)
    if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown";
}

std::vector<std::string> flags_taken(const Compiler& compiler, const std::vector<std::string>& flags,
                                     const std::string& scratch, const std::string& cache) {
  std::vector<std::string> doubtful;
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(doubtful), is_in_doubt);
  if (doubtful.empty()) return flags;
  std::string question = compiler.identity + "\n" + processor();
  for (const std::string& f : doubtful) question += "\n" + f;
  static std::mutex one_at_a_time;
  static std::map<std::string, std::vector<std::string>> answers;
  const std::lock_guard lock(one_at_a_time);
  auto answer = answers.find(question);
  if (answer == answers.end()) {
    const std::string path = cache.empty() ? "" : cache + "/flags-" + sha256(question).substr(0, 32);
    answer = answers.emplace(question, kept_or_asked(compiler, doubtful, scratch, path)).first;
  }
  const std::vector<std::string>& taken = answer->second;
  std::vector<std::string> out;
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(out), [&](const std::string& f) {
    return !is_in_doubt(f) || std::find(taken.begin(), taken.end(), f) != taken.end();
  });
  return out;
}

}  // namespace lockstep
