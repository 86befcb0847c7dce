// cvc5 as a program that reads SMT-LIB. In: a question; out: a verdict. Where there is no such program, or what it
// prints is no answer, the verdict is unknown and says why.
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "proofs/smt/smtlib.h"
#include "proofs/smt/solver.h"

namespace lockstep::proofs::smt {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// How a program came to its end: by itself, since it had used its time of the processor, by a signal, or since it did
// nothing for long.
struct End {
  enum Kind { Own, Limit, Signal, Idle } kind = Own;
  int signal = 0;
};

// Waits for its end, or ends it where it has used more of the processor's time: what else runs decides nothing. A
// program that waits for something uses none, and is ended by the time that passes.
End wait_for(pid_t child, unsigned ms) {
  using Clock = std::chrono::steady_clock;
  const auto latest = Clock::now() + 10 * std::chrono::milliseconds(ms) + std::chrono::seconds(5);
  End out;
  clockid_t clock{};
  const int ended = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  const bool has_clock = clock_getcpuclockid(child, &clock) == 0;
  // Without a descriptor of it, its end is looked for every ten milliseconds.
  for (int status = 0;;) {
    timespec t{};
    const bool running = waitpid(child, &status, WNOHANG) == 0;
    if (!running) {
      if (WIFSIGNALED(status) && out.kind == End::Own) out = {End::Signal, WTERMSIG(status)};
      if (out.signal == SIGXCPU) out.kind = End::Limit;
      break;
    }
    const bool known = has_clock && clock_gettime(clock, &t) == 0;
    const std::int64_t left = known ? ms - (std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000) : 1;
    if (left <= 0 || Clock::now() > latest) {
      kill(child, SIGKILL);
      out.kind = left <= 0 ? End::Limit : End::Idle;
    }
    pollfd what{ended, POLLIN, 0};
    poll(&what, ended >= 0 ? 1 : 0, ended >= 0 && known ? static_cast<int>(std::max<std::int64_t>(left, 1)) : 10);
  }
  if (ended >= 0) close(ended);
  return out;
}

struct Printed {
  std::string text;
  End end;
};
// What the program prints on `input`; nothing, with errno, where it cannot be run.
std::optional<Printed> printed(std::vector<std::string> words, const std::string& input, unsigned ms) {
  const File in(std::tmpfile(), std::fclose), out(std::tmpfile(), std::fclose);
  if (!in || !out || std::fwrite(input.data(), 1, input.size(), in.get()) != input.size()) return {};
  std::rewind(in.get());
  std::vector<char*> arguments;
  for (std::string& w : words) arguments.push_back(w.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(in.get()), 0);
  posix_spawn_file_actions_adddup2(&files, fileno(out.get()), 1);
  posix_spawn_file_actions_adddup2(&files, fileno(out.get()), 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return errno = error, std::nullopt;
  const rlim_t seconds = ms / 1000 + 2;
  const rlimit time{seconds, seconds}, memory{rlim_t{4} << 30, rlim_t{4} << 30};
  prlimit(child, RLIMIT_CPU, &time, nullptr);
  prlimit(child, RLIMIT_AS, &memory, nullptr);
  Printed all{"", wait_for(child, ms)};
  std::rewind(out.get());
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, out.get())) > 0;) all.text.append(part, n);
  return all;
}

class Cvc5 : public Solver {
 public:
  std::string name() const override { return "cvc5"; }
  std::string version() const override { return cvc5_version().value_or(""); }
  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override {
    const auto said = printed({"cvc5", "--lang=smt2"}, script_of(assertions), budget.milliseconds);
    if (!said) return {Verdict::Unknown, {}, std::string("cvc5 cannot be run: ") + std::strerror(errno)};
    const auto& [text, end] = *said;
    const std::string first = text.substr(0, text.find('\n'));
    if (first == "unsat") return {Verdict::Proved};
    if (first == "sat") return {Verdict::Refuted, values_in(text.substr(4), assertions)};
    if (end.kind == End::Idle) return {.by_chance = true};
    // Ended by a limit it says nothing, or that it is interrupted.
    if (first == "unknown" || end.kind == End::Limit || first.starts_with("cvc5 interrupted")) return {};
    if (end.kind == End::Signal)
      return {Verdict::Unknown, {}, "cvc5 was ended by signal " + std::to_string(end.signal)};
    return {Verdict::Unknown, {}, "cvc5 says: " + first};
  }
};

}  // namespace

const Solver& cvc5() {
  static const Cvc5 solver;
  return solver;
}

std::optional<std::string> cvc5_version() {
  static const auto once = []() -> std::optional<std::string> {
    const auto said = printed({"cvc5", "--version"}, "", 10000);
    constexpr std::string_view before = "cvc5 version ";
    const std::size_t at = said ? said->text.find(before) : std::string::npos;
    if (at == std::string::npos) return {};
    const std::string rest = said->text.substr(at + before.size());
    return rest.substr(0, rest.find_first_of(" \n"));
  }();
  return once;
}

}  // namespace lockstep::proofs::smt
