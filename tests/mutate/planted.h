// Included by every file of the copy in which mistakes stand: which of them this run makes, LOCKSTEP_PLANTED says. A
// run that makes none may say which it came by: it adds their numbers to the file LOCKSTEP_REACHED, a line each.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace lockstep_mistakes {

struct Asked {
  int number = std::getenv("LOCKSTEP_PLANTED") ? std::atoi(std::getenv("LOCKSTEP_PLANTED")) : -1;
  const char* reached = std::getenv("LOCKSTEP_REACHED");
};
inline const Asked& asked() {
  static const Asked now;
  return now;
}

// At once: a program may be killed, or end itself.
inline void reached(int number) {
  static std::array<std::atomic<bool>, 100000> known{};
  if (number >= 100000 || known[static_cast<std::size_t>(number)].exchange(true)) return;
  char line[16];
  const int size = std::snprintf(line, sizeof line, "%d\n", number);
  const int file = ::open(asked().reached, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  [[maybe_unused]] const auto written = ::write(file, line, static_cast<std::size_t>(size));
  ::close(file);
}

// Where the compiler computes, there is no mistake.
constexpr bool planted(int number) {
  if (std::is_constant_evaluated()) return false;
  if (asked().reached) reached(number);
  return asked().number == number;
}

}  // namespace lockstep_mistakes
