// Writing the file of a failure (failure_file.h). In: a finding and the program; out: its path.
#include "props/engine/failure_file.h"

#include <filesystem>
#include <fstream>

namespace lockstep::props {
namespace {

std::string as_comment(const std::string& text) {
  std::string out = "-- ";
  for (const char c : text) out += c == '\n' ? std::string("\n-- ") : std::string(1, c);
  return out + "\n";
}

}  // namespace

std::string write_failure(const FailureFile& f) {
  std::error_code error;
  std::filesystem::create_directories(f.folder, error);
  const std::string path =
      f.folder + "/seed" + std::to_string(f.seed) + "-program" + std::to_string(f.program) + f.extension;
  std::ofstream out(path);
  out << as_comment(f.property + " fails at " + f.stage) << as_comment(f.detail);
  if (!f.input.empty()) out << as_comment("input: " + f.input);
  out << as_comment("repeat: " + f.command);
  if (!f.more.empty()) out << as_comment(f.more);
  out << "\n" << f.text;
  return out.flush() ? path : "";
}

}  // namespace lockstep::props
