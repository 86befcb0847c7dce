// Fibres over ucontext (fibres.h). Stacks are taken from the system where they are touched only, and kept for the next.
#include "semantics/imperative/fibres.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <exception>
#include <new>
#include <vector>

// The address sanitizer has to be told where the stack is.
#if defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_ASAN_FIBRES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_ASAN_FIBRES 1
#endif
#endif
#ifdef LOCKSTEP_ASAN_FIBRES
#include <sanitizer/common_interface_defs.h>
#endif

namespace lockstep::imperative {
namespace {

constexpr std::size_t stack_bytes = std::size_t{8} << 20;  // closures over deep phrases recurse

class Stacks {
 public:
  Stacks() = default;
  Stacks(const Stacks&) = delete;
  ~Stacks() {
    for (void* s : free_) ::munmap(s, stack_bytes);
  }
  void* take() {
    if (free_.empty()) {
      void* s = ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
      if (s == MAP_FAILED) throw std::bad_alloc();
      return s;
    }
    void* s = free_.back();
    free_.pop_back();
    return s;
  }
  void give(void* s) { free_.push_back(s); }

 private:
  std::vector<void*> free_;
};
thread_local Stacks stacks;

}  // namespace

// A stack that is left, or the one that is entered.
struct SwitchPoint {
  ucontext_t context{};
  const void* bottom = nullptr;  // lowest address and size of its stack; of the scheduler's, as it is found out
  std::size_t size = 0;
};
struct Fibre : SwitchPoint {
  void* stack = nullptr;
  std::int64_t index = 0;
  bool ended = false;
};
struct FibreGroup {
  SwitchPoint scheduler{};
  const std::function<void(std::int64_t)>* body = nullptr;
  Fibre* now = nullptr;
  std::exception_ptr failed{};
};

namespace {

// `last`: nobody comes back to `from`.
void change([[maybe_unused]] SwitchPoint& from, SwitchPoint& to, [[maybe_unused]] bool last = false) {
#ifdef LOCKSTEP_ASAN_FIBRES
  void* own = nullptr;
  __sanitizer_start_switch_fiber(last ? nullptr : &own, to.bottom, to.size);
  ::swapcontext(&from.context, &to.context);
  __sanitizer_finish_switch_fiber(own, nullptr, nullptr);
#else
  ::swapcontext(&from.context, &to.context);
#endif
}

// makecontext passes ints only: the pointer in two halves.
void begin(unsigned high, unsigned low) {
  auto* group = reinterpret_cast<FibreGroup*>((static_cast<std::uintptr_t>(high) << 32) | low);
  Fibre* self = group->now;
#ifdef LOCKSTEP_ASAN_FIBRES
  __sanitizer_finish_switch_fiber(nullptr, &group->scheduler.bottom, &group->scheduler.size);
#endif
  try {
    (*group->body)(self->index);
  } catch (...) {
    if (!group->failed) group->failed = std::current_exception();
  }
  self->ended = true;
  change(*self, group->scheduler, true);
}

std::unique_ptr<Fibre> fibre(FibreGroup& group, std::int64_t index) {
  auto f = std::make_unique<Fibre>();
  f->index = index;
  f->stack = stacks.take();
  f->bottom = f->stack;
  f->size = stack_bytes;
  ::getcontext(&f->context);
  f->context.uc_stack.ss_sp = f->stack;
  f->context.uc_stack.ss_size = stack_bytes;
  f->context.uc_link = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(&group);
  ::makecontext(&f->context, reinterpret_cast<void (*)()>(begin), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
  return f;
}

}  // namespace

Fibres::Fibres() = default;
Fibres::~Fibres() = default;

void Fibres::run(std::int64_t n, const Choose& choose, const std::function<void(std::int64_t)>& body) {
  FibreGroup group;
  group.body = &body;
  FibreGroup* const around = group_;
  std::vector<std::unique_ptr<Fibre>> live;
  std::int64_t begun = 0;
  std::size_t last = 0;
  while (begun < n || !live.empty()) {
    for (; begun < n && live.size() < most_live; ++begun) live.push_back(fibre(group, begun));
    last = choose(live.size(), last);
    group.now = live.at(last).get();
    group_ = &group;
    change(group.scheduler, *group.now);
    group_ = around;
    if (group.now->ended) {
      stacks.give(group.now->stack);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(last));
      if (last > 0) --last;
    }
    if (around) yield();
  }
  if (group.failed) std::rethrow_exception(group.failed);
}

void Fibres::yield() {
  FibreGroup* group = group_;
  if (!group) return;
  change(*group->now, group->scheduler);
  group_ = group;
}

}  // namespace lockstep::imperative
