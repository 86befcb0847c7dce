// Threads with large stacks: trees may be deep and are walked by recursion; a stack is only taken where it is used.
// What is alone has such a stack and no thread: the library counts references with atomic operations, which took a
// tenth of a campaign's time, from the first thread on.
#include "driver/workers.h"

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

namespace lockstep::driver {
namespace {

struct Call {
  const std::function<void(std::size_t)>* work = nullptr;
  std::size_t k = 0;
  std::exception_ptr thrown{};
  std::optional<pthread_t> thread{};  // nothing where none could be started

  void run() {
    try {
      (*work)(k);
    } catch (...) {
      thrown = std::current_exception();
    }
  }
};

// A sanitizer would have to be told where the stack is.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool only_threads = true;
#elif defined(__has_feature)
constexpr bool only_threads = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool only_threads = false;
#endif

// makecontext passes ints only: the pointer in two halves.
void begin(unsigned high, unsigned low) {
  reinterpret_cast<Call*>((static_cast<std::uintptr_t>(high) << 32) | low)->run();
}

// False where there is no such stack.
bool on_own_stack(Call& call) {
  constexpr std::size_t bytes = std::size_t{512} << 20, guard = std::size_t{64} << 10;
  void* const stack =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  ucontext_t here{}, there{};
  const bool ready = ::mprotect(stack, guard, PROT_NONE) == 0 && ::getcontext(&there) == 0;
  if (ready) {
    there.uc_stack.ss_sp = stack, there.uc_stack.ss_size = bytes, there.uc_link = &here;
    const auto at = reinterpret_cast<std::uintptr_t>(&call);
    ::makecontext(&there, reinterpret_cast<void (*)()>(begin), 2, static_cast<unsigned>(at >> 32),
                  static_cast<unsigned>(at));
    ::swapcontext(&here, &there);
  }
  ::munmap(stack, bytes);
  return ready;
}

void start(Call& call) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  for (const std::size_t megabytes : {512, 64}) {
    pthread_attr_setstacksize(&attributes, megabytes << 20);
    pthread_t thread;
    const auto run = [](void* p) -> void* { return static_cast<Call*>(p)->run(), nullptr; };
    if (pthread_create(&thread, &attributes, run, &call) != 0) continue;
    call.thread = thread;
    break;
  }
  pthread_attr_destroy(&attributes);
}

}  // namespace

std::size_t processors() { return std::max(1U, std::thread::hardware_concurrency()); }

void on_workers(std::size_t n, const std::function<void(std::size_t)>& work) {
  std::vector<Call> calls(n);
  for (std::size_t k = 0; k < n; ++k) calls[k].work = &work, calls[k].k = k;
  const bool alone = n == 1 && !only_threads && on_own_stack(calls[0]);
  if (!alone) {
    for (Call& c : calls) start(c);
    for (Call& c : calls) c.thread ? void(pthread_join(*c.thread, nullptr)) : c.run();
  }
  for (const Call& c : calls)
    if (c.thrown) std::rethrow_exception(c.thrown);
}

}  // namespace lockstep::driver
