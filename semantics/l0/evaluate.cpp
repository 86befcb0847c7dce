// Functions of L0 called: frames, recursion and its limits, on a stack of its own where there may be much of it.
#include "semantics/l0/evaluate.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <exception>
#include <functional>

#include "semantics/core/memory_limit.h"
#include "semantics/l0/calls.h"
#include "semantics/l0/evaluator.h"

namespace lockstep::l0 {
namespace evaluating {

constexpr std::size_t deep_stack = std::size_t{8} << 30, least_stack = std::size_t{16} << 20;
constexpr std::size_t reserve = std::size_t{1} << 20;  // of the stack, for what is called without asking

Value call(Machine& m, const Compiled& f, Values arguments, const Region& at) {
  if (++m.calls > most_calls)
    trap("call", "more than 100000 calls of `" + f.function->name + "` and others are within one another", at);
  if (m.stack_end != 0 && reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < m.stack_end + reserve)
    throw NotEnoughMemory(deep_stack);
  Frame frame{m, std::vector<Value>(f.slots)};
  for (;;) {
    for (std::size_t k = 0; k < arguments.size(); ++k) frame.slots[k] = std::move(arguments[k]);
    arguments.clear();
    frame.again.reset();
    Value result = f.body(frame);
    if (!frame.again) {
      --m.calls;
      return result;
    }
    arguments = std::move(*frame.again);
  }
}

namespace {

// Runs it on a stack of so many bytes, of which only what is used takes memory; or of half of them, and so on, where a
// process may not have so many.
void on_large_stack(std::size_t bytes, const std::function<void(std::uintptr_t end)>& f) {
  const auto reserved = [](std::size_t n) {
    return mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  };
  void* memory = reserved(bytes);
  while (memory == MAP_FAILED && bytes > least_stack) memory = reserved(bytes /= 2);
  if (memory == MAP_FAILED) throw NotEnoughMemory(bytes);
  struct Task {
    const std::function<void(std::uintptr_t)>& f;
    std::uintptr_t end;
    std::exception_ptr thrown{};
  } task{f, reinterpret_cast<std::uintptr_t>(memory)};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory, bytes);
  pthread_t thread;
  const int failed = pthread_create(
      &thread, &attributes,
      [](void* given) -> void* {
        Task& t = *static_cast<Task*>(given);
        try {
          t.f(t.end);
        } catch (...) {
          t.thrown = std::current_exception();
        }
        return nullptr;
      },
      &task);
  pthread_attr_destroy(&attributes);
  if (!failed) pthread_join(thread, nullptr);
  munmap(memory, bytes);
  if (failed) throw NotEnoughMemory(bytes);
  if (task.thrown) std::rethrow_exception(task.thrown);
}

}  // namespace
}  // namespace evaluating

tl::expected<Value, Trap> evaluate(const Program& program, const Function& function, Values arguments,
                                   const Evaluation& how) {
  using namespace evaluating;
  Compiler compiler(program);
  Machine machine{program, how};
  tl::expected<Value, Trap> result;
  const auto run = [&](std::uintptr_t stack_end) {
    machine.stack_end = stack_end;
    try {
      result = call(machine, compiler.function(function), std::move(arguments), function.region);
    } catch (const TrapSignal& s) {
      result = tl::make_unexpected(s.trap);
    }
  };
  const std::set<std::string> called = reached_from(program, function.name);
  const bool recursive = std::any_of(called.begin(), called.end(), [&](const std::string& name) {
    return reached_from(program, name).contains(name);
  });
  if (recursive)
    on_large_stack(deep_stack, run);
  else
    run(0);
  if (how.counts) *how.counts = machine.counts;
  return result;
}

}  // namespace lockstep::l0
