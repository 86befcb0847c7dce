// cvc5 as a program that reads SMT-LIB. In: a question; out: a verdict. Where there is no such program, or what it
// prints is no answer, the verdict is unknown and says why.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "proofs/smt/smtlib.h"
#include "proofs/smt/solver.h"

namespace lockstep::proofs::smt {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// What the program prints on `input`; nothing, with errno, where it cannot be run.
std::optional<std::string> printed(std::vector<std::string> words, const std::string& input, rlim_t seconds) {
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
  const rlimit time{seconds, seconds}, memory{rlim_t{4} << 30, rlim_t{4} << 30};
  prlimit(child, RLIMIT_CPU, &time, nullptr);
  prlimit(child, RLIMIT_AS, &memory, nullptr);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  std::rewind(out.get());
  std::string text;
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, out.get())) > 0;) text.append(part, n);
  return text;
}

class Cvc5 : public Solver {
 public:
  std::string name() const override { return "cvc5"; }
  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override {
    const unsigned ms = budget.milliseconds;
    const auto text =
        printed({"cvc5", "--lang=smt2", "--tlimit=" + std::to_string(ms)}, script_of(assertions), ms / 1000 + 2);
    if (!text) return {Verdict::Unknown, {}, std::string("cvc5 cannot be run: ") + std::strerror(errno)};
    const std::string first = text->substr(0, text->find('\n'));
    if (first == "unsat") return {Verdict::Proved};
    if (first == "sat") return {Verdict::Refuted, values_in(text->substr(4), assertions)};
    // Interrupted by its own limit it says so; by the system's nothing.
    if (first == "unknown" || first.empty() || first.starts_with("cvc5 interrupted")) return {};
    return {Verdict::Unknown, {}, "cvc5 says: " + first};
  }
};

}  // namespace

const Solver& cvc5() {
  static const Cvc5 solver;
  return solver;
}

std::optional<std::string> cvc5_version() {
  const auto text = printed({"cvc5", "--version"}, "", 10);
  constexpr std::string_view before = "cvc5 version ";
  const std::size_t at = text ? text->find(before) : std::string::npos;
  if (at == std::string::npos) return {};
  const std::string rest = text->substr(at + before.size());
  return rest.substr(0, rest.find_first_of(" \n"));
}

}  // namespace lockstep::proofs::smt
