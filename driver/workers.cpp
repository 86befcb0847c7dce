// Threads with large stacks: trees may be deep and are walked by recursion; a stack is only taken where it is used.
#include "driver/workers.h"

#include <pthread.h>

#include <algorithm>
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
  for (Call& c : calls) start(c);
  for (Call& c : calls) c.thread ? void(pthread_join(*c.thread, nullptr)) : c.run();
  for (const Call& c : calls)
    if (c.thrown) std::rethrow_exception(c.thrown);
}

}  // namespace lockstep::driver
