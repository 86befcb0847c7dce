// The command's own allocations (memory.h). The kernel grants what it does not have, and ends the process when it is
// touched: so before a large block, and each time that many small ones have come together, what there is is looked at.
#include "driver/commands/memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "codegen/runtime/memory.h"

namespace lockstep::driver {
namespace {

constexpr std::size_t many = std::size_t{64} << 20;  // bytes, from which on a look costs little beside their use
constexpr std::size_t reserve = std::size_t{16} << 20;
thread_local std::size_t since = 0;  // below `many`
thread_local std::uint64_t held_when_refused = 0;

// What is resident, found without asking for memory.
std::uint64_t held() {
  char text[128] = {};
  const int statm = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (statm < 0) return 0;
  const bool some = ::read(statm, text, sizeof text - 1) > 0;
  ::close(statm);
  unsigned long long all = 0, resident = 0;
  if (!some || std::sscanf(text, "%llu %llu", &all, &resident) != 2) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

[[noreturn]] void refuse(std::size_t bytes) {
  held_when_refused = held();
  throw NotEnoughMemory(bytes);
}

void* allocated(std::size_t bytes) {
  if (bytes < many - since) {
    since += bytes;
  } else {
    since = 0;
    if (sum_of_bytes(bytes, reserve) > available_memory()) refuse(bytes);
  }
  void* const block = std::malloc(bytes == 0 ? 1 : bytes);
  if (!block) refuse(bytes);
  return block;
}

}  // namespace

std::string message_of(const NotEnoughMemory& e) {
  return "not enough memory: " + show_bytes(e.bytes) + " asked for beside " +
         show_bytes(std::max(held(), held_when_refused)) + " that are held, and " + show_bytes(available_memory()) +
         " are available; use smaller inputs or a machine with more memory";
}

}  // namespace lockstep::driver

void* operator new(std::size_t bytes) { return lockstep::driver::allocated(bytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
