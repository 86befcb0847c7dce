// Finding the compiler on PATH and running it through posix_spawn: arguments are a vector and no text is ever parsed.
#include "codegen/runtime/compiler.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "codegen/runtime/files.h"

namespace lockstep {
namespace {

bool is_program(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string absolute(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  std::string result = real ? real : path;
  std::free(real);
  return result;
}

}  // namespace

std::optional<std::string> on_path(const std::string& name) {
  const char* given = std::getenv("PATH");
  std::string_view folders = given ? given : "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    const auto colon = folders.find(':');
    const std::string_view folder = folders.substr(0, colon);
    // Relative folders and the empty one, which is the current, are passed over: a program may lie beside a source.
    const std::string candidate = std::string(folder) + "/" + name;
    if (folder.starts_with('/') && is_program(candidate)) return candidate;
    if (colon == std::string_view::npos) return std::nullopt;
    folders.remove_prefix(colon + 1);
  }
}

namespace {

Compiler identified(std::string path) {
  // Not resolved for running: a driver may look at the name it is called by.
  const std::string real = absolute(path);
  const auto slash = path.find_last_of('/');
  if (path.front() != '/') path = absolute(path.substr(0, slash + 1)) + path.substr(slash);
  struct stat found {};
  ::stat(real.c_str(), &found);
  return {path, path + " " + real + " " + std::to_string(found.st_size) + " " + std::to_string(found.st_mtim.tv_sec) +
                    "." + std::to_string(found.st_mtim.tv_nsec)};
}

// The environment with what would change messages or temporary files replaced.
class Environment {
 public:
  explicit Environment(const std::string& scratch) : text_{"LC_ALL=C", "TMPDIR=" + scratch} {
    for (char** entry = environ; *entry; ++entry) {
      const std::string_view e = *entry;
      if (!e.starts_with("LC_ALL=") && !e.starts_with("TMPDIR=") && !e.starts_with("LANGUAGE=")) text_.emplace_back(e);
    }
    for (auto& entry : text_) pointers_.push_back(entry.data());
    pointers_.push_back(nullptr);
  }
  char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> text_;
  std::vector<char*> pointers_;
};

// Files and signals of the child. Every descriptor of ours closes itself on exec.
class SpawnSettings {
 public:
  explicit SpawnSettings(int output) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, output, 1);
    posix_spawn_file_actions_adddup2(&files_, output, 2);
    posix_spawn_file_actions_addopen(&files_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

using Clock = std::chrono::steady_clock;

// To its end; false where that does not come before the deadline.
bool read_output(int fd, std::optional<Clock::time_point> deadline, std::string& output) {
  constexpr std::size_t most = std::size_t{64} << 10;
  std::array<char, 4096> block{};
  for (;;) {
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      pollfd waits{fd, POLLIN, 0};
      const int ready = left <= 0 ? 0 : ::poll(&waits, 1, static_cast<int>(std::min<std::int64_t>(left, 1'000'000)));
      if (ready == 0 && left <= 1'000'000) return false;
      if (ready <= 0) continue;
    }
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    // What is too much is read all the same, or the child would wait for ever.
    if (output.size() < most) output.append(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

tl::expected<Compiler, std::string> find_compiler() {
  const char* asked = std::getenv("LOCKSTEP_CXX");
  if (asked && *asked) {
    const std::string name = asked;
    if (name.find('/') != std::string::npos) {
      if (is_program(name)) return identified(name);
    } else if (const auto found = on_path(name)) {
      return identified(*found);
    }
    return tl::unexpected("LOCKSTEP_CXX is '" + name +
                          "', which is no program; give the path of a C++ compiler, or unset it to use g++");
  }
  for (const char* name : {"g++", "c++", "clang++"})
    if (const auto found = on_path(name)) return identified(*found);
  return tl::unexpected(
      std::string("no C++ compiler: none of g++, c++ and clang++ is on PATH; install g++, or set LOCKSTEP_CXX to the "
                  "path of a compiler"));
}

tl::expected<ChildResult, std::string> run_child(const std::vector<std::string>& argv, const std::string& scratch,
                                                 std::optional<double> seconds) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected("cannot make a pipe: " + system_message(errno));
  const Descriptor out(ends[0]);
  Descriptor in(ends[1]);
  std::vector<std::string> words = argv;
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const Environment environment(scratch);
  const SpawnSettings settings(in.get());
  pid_t child = 0;
  const int error = ::posix_spawn(&child, pointers.front(), settings.files(), settings.attributes(), pointers.data(),
                                  environment.get());
  if (error != 0) return tl::unexpected("cannot run '" + argv.front() + "': " + system_message(error));
  in = Descriptor();
  ChildResult result;
  std::optional<Clock::time_point> deadline;
  if (seconds)
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
  result.late = !read_output(out.get(), deadline, result.output);
  if (result.late) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return tl::unexpected("lost '" + argv.front() + "': " + system_message(errno));
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exit_status = WEXITSTATUS(status);
  return result;
}

std::string version_of(const Compiler& compiler) {
  const auto said = run_child({compiler.path, "--version"}, "/tmp");
  if (!said || said->signal != 0 || said->exit_status != 0) return compiler.identity;
  const std::string line = said->output.substr(0, said->output.find('\n'));
  return line.empty() ? compiler.identity : line;
}

}  // namespace lockstep
