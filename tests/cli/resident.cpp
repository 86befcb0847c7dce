// Runs a command and holds its resident memory against a bound.
//   resident MIB COMMAND [ARGUMENT ...]
// The command's status; 99 where it had more than so many MiB, which is said.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>

extern char** environ;

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("resident MIB COMMAND [ARGUMENT ...]\n", stderr);
    return 2;
  }
  pid_t child = 0;
  if (posix_spawnp(&child, argv[2], nullptr, nullptr, argv + 2, environ) != 0) return 127;
  int status = 0;
  rusage usage{};  // at least what this small program has
  wait4(child, &status, 0, &usage);
  const long mib = usage.ru_maxrss / 1024;
  if (mib > std::atol(argv[1])) {
    std::fprintf(stderr, "resident: %ld MiB, more than %s\n", mib, argv[1]);
    return 99;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
