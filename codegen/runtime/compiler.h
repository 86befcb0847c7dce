// The system's C++ compiler as a child process: found, identified and run without a shell.
#pragma once
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace lockstep {

struct Compiler {
  std::string path;      // absolute
  std::string identity;  // changes when the compiler does: resolved path, size, time of change
};

// The first line of its --version, "g++ (Debian 12.2.0-14) 12.2.0"; its identity where it says nothing.
std::string version_of(const Compiler& compiler);

// $LOCKSTEP_CXX (a path or a name on PATH), else the first of g++, c++ and clang++ on PATH. The error says how to get
// one.
tl::expected<Compiler, std::string> find_compiler();

// Where the program of that name is.
std::optional<std::string> on_path(const std::string& name);

struct ChildResult {
  int exit_status = 0;  // meaningless if `signal` is not 0
  int signal = 0;
  bool late = false;   // it was ended, as its time was over
  std::string output;  // standard error and output together, the first 64 KiB
};

// Runs argv[0], which is a path, to its end: standard input empty, messages in English, temporary files under
// `scratch`. With `seconds` it is ended after so many. The error is why it could not be started.
tl::expected<ChildResult, std::string> run_child(const std::vector<std::string>& argv, const std::string& scratch,
                                                 std::optional<double> seconds = {});

}  // namespace lockstep
