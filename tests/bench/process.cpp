// Starting other programs and waiting for them (process.h).
#include "tests/bench/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

extern char** environ;

namespace lockstep::bench {
namespace {

pid_t start(std::vector<std::string> arguments, const Ends& ends, int output_descriptor = -1) {
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (ends.input_descriptor >= 0)
    posix_spawn_file_actions_adddup2(&actions, ends.input_descriptor, 0);
  else
    posix_spawn_file_actions_addopen(&actions, 0, ends.input.c_str(), O_RDONLY, 0);
  if (output_descriptor >= 0)
    posix_spawn_file_actions_adddup2(&actions, output_descriptor, 1);
  else
    posix_spawn_file_actions_addopen(&actions, 1, ends.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) != 0) {
    std::fprintf(stderr, "bench: cannot run %s\n", argv[0]);
    std::exit(4);
  }
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

std::int64_t peak_now(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  std::string line;
  while (std::getline(status, line))
    if (line.starts_with("VmHWM:")) return std::atoll(line.c_str() + 6);
  return 0;
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Process run(const std::vector<std::string>& arguments, const Ends& ends) {
  const auto now = std::chrono::steady_clock::now();
  const pid_t child = start(arguments, ends);
  Process p;
  rusage usage{};
  wait4(child, &p.status, 0, &usage);
  p.seconds = since(now);
  p.peak_kib = usage.ru_maxrss;
  return p;
}

// The kernel's account of a child's peak is the child's own only where it is more than this process has ever held; so
// the child's peak is looked at while it runs, too.
Process run_watched(const std::vector<std::string>& arguments, const Ends& ends) {
  const auto now = std::chrono::steady_clock::now();
  const pid_t child = start(arguments, ends);
  Process p;
  rusage usage{};
  for (const std::string pid = std::to_string(child);; usleep(2000)) {
    const std::int64_t peak = peak_now(pid);
    if (wait4(child, &p.status, WNOHANG, &usage) == child) break;
    // Before it becomes the program it is a copy of this one.
    std::error_code error;
    if (std::filesystem::read_symlink("/proc/" + pid + "/exe", error).filename() ==
        std::filesystem::path(arguments.front()).filename())
      p.peak_kib = std::max(p.peak_kib, peak);
  }
  p.seconds = since(now);
  if (usage.ru_maxrss > peak_now("self")) p.peak_kib = std::max<std::int64_t>(p.peak_kib, usage.ru_maxrss);
  return p;
}

Process run_piped(const std::vector<std::string>& source, const std::vector<std::string>& arguments) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) std::abort();
  const pid_t writer = start(source, {}, pipe_ends[1]);
  close(pipe_ends[1]);
  Ends ends;
  ends.input_descriptor = pipe_ends[0];
  const Process p = run_watched(arguments, ends);
  close(pipe_ends[0]);
  int status;
  waitpid(writer, &status, 0);  // it ends at once where nobody reads any more
  return p;
}

double median_seconds(const std::vector<std::string>& arguments, int rounds) {
  std::vector<double> t;
  for (int k = 0; k < rounds; ++k) t.push_back(run(arguments).seconds);
  std::nth_element(t.begin(), t.begin() + rounds / 2, t.end());
  return t[static_cast<std::size_t>(rounds / 2)];
}

std::string output_of(const std::vector<std::string>& arguments, const std::string& input) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) std::abort();
  Ends ends;
  ends.input = input;
  const pid_t child = start(arguments, ends, pipe_ends[1]);
  close(pipe_ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(pipe_ends[0]);
  int status;
  waitpid(child, &status, 0);
  if (status != 0) {
    std::fprintf(stderr, "bench: %s failed\n", arguments.front().c_str());
    std::exit(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text;
}

bool same_content(const std::string& a, const std::string& b) {
  std::ifstream in[2] = {std::ifstream(a, std::ios::binary), std::ifstream(b, std::ios::binary)};
  std::vector<char> part[2] = {std::vector<char>(1 << 20), std::vector<char>(1 << 20)};
  if (!in[0] || !in[1]) return false;
  for (;;) {
    for (const int k : {0, 1}) in[k].read(part[k].data(), static_cast<std::streamsize>(part[k].size()));
    if (in[0].gcount() != in[1].gcount()) return false;
    if (in[0].gcount() == 0) return true;
    if (std::memcmp(part[0].data(), part[1].data(), static_cast<std::size_t>(in[0].gcount())) != 0) return false;
  }
}

}  // namespace lockstep::bench
