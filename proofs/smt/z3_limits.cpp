// Steps, memory and the processor's time. In: a solver of Z3; out: what it says within them.
#include "proofs/smt/z3_limits.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

namespace lockstep::proofs::smt {
namespace {

// Interrupts a query that takes more of the processor's time: what else runs on the machine decides nothing.
class Watch {
 public:
  Watch(z3::context& context, unsigned ms)
      : thread_([&context, ms, clock = clock_of_this_thread()](const std::stop_token& stop) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any over;
          for (const std::int64_t limit = milliseconds_of(clock) + ms; !stop.stop_requested();) {
            const std::int64_t used = milliseconds_of(clock);
            if (used >= limit) return context.interrupt();
            over.wait_for(lock, stop, std::chrono::milliseconds(limit - used), [] { return false; });
          }
        }) {}

 private:
  static clockid_t clock_of_this_thread() {
    clockid_t c = CLOCK_MONOTONIC;
    return pthread_getcpuclockid(pthread_self(), &c) == 0 ? c : CLOCK_MONOTONIC;
  }
  static std::int64_t milliseconds_of(clockid_t clock) {
    timespec t{};
    return clock_gettime(clock, &t) == 0 ? std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000 : 0;
  }

  std::jthread thread_;
};

}  // namespace

z3::solver limited_solver(z3::context& context, bool has_bits, const Budget& budget) {
  z3::solver solver = has_bits ? z3::solver(context) : z3::solver(context, z3::solver::simple());
  z3::params limits(context);
  limits.set("rlimit", budget.steps);
  limits.set("max_memory", 1024U);
  solver.set(limits);
  return solver;
}

z3::check_result limited_check(z3::solver& solver, const Budget& budget) {
  const Watch watch(solver.ctx(), budget.milliseconds);
  return solver.check();
}

}  // namespace lockstep::proofs::smt
