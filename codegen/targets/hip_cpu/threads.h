// Threads of a GPU as fibers, and a block's run (hip_runtime.h): what each waits for, who goes on, and what is at
// fault.
#pragma once
#include "faults.h"

namespace {
namespace hip_cpu {

// The k-th of n in an order: forwards, backwards, or from somewhere on in steps that n has no divisor of.
unsigned taken(unsigned k, unsigned n, unsigned long order) {
  if (order % 4 == 0) return k;
  if (order % 4 == 1) return n - 1 - k;
  unsigned step = (unsigned)(order * 2654435761u % n) | 1u;
  const auto divisor = [](unsigned a, unsigned b) {
    while (b) a = std::exchange(b, a % b);
    return a;
  };
  while (divisor(step, n) != 1) step += 2;
  return (unsigned)((order * 40503u + (uint64_t)k * step) % n);
}

// ---- threads and blocks
enum class At { Ready, Block, Warp, End };
struct OfBlock;
struct OfThread {
  ucontext_t context;
  OfBlock* block = nullptr;
  unsigned number = 0;
  At at = At::Ready;
  int line = 0;           // where it waits
  const char* what = "";  // for what
  uint64_t lanes = 0;     // of its warp, that it waits for
  uint64_t given = 0;     // to those
  uint64_t taken = 0;     // from them
  int from = -1;          // the lane that it reads; -1: all that come
  void* fiber = nullptr;  // of the thread sanitizer
  void* fake = nullptr;   // of the address sanitizer
  char* stack = nullptr;
  unsigned block_barriers = 0, warp_barriers = 0;  // that it has come to
};
struct OfBlock {
  dim3 grid, size, index;
  unsigned threads = 0;
  const std::function<void()>* kernel = nullptr;
  std::vector<OfThread> all;
  ucontext_t scheduler;
  void* scheduler_fiber = nullptr;
  void* scheduler_fake = nullptr;
  const void* scheduler_stack = nullptr;
  size_t scheduler_stack_bytes = 0;
  unsigned char* memory = nullptr;     // places of barriers, block_bytes, and what stands between arrays
  unsigned char* at_launch = nullptr;  // the part that the launch asked for
  size_t used = 0, asked = 0;
  struct Array {
    int place;
    unsigned char* at;
  };
  Array arrays[192];
  unsigned arrays_there = 0;
};
thread_local OfThread* current = nullptr;

struct Index {
  unsigned x, y, z;
};
HIP_CPU_OWN inline Index place_in(unsigned n, const dim3& of) { return {n % of.x, n / of.x % of.y, n / of.x / of.y}; }
HIP_CPU_OWN inline Index thread_index() { return place_in(current->number, current->block->size); }
HIP_CPU_OWN inline Index block_index() {
  return {current->block->index.x, current->block->index.y, current->block->index.z};
}
HIP_CPU_OWN inline Index block_size() {
  return {current->block->size.x, current->block->size.y, current->block->size.z};
}
HIP_CPU_OWN inline Index grid_size() {
  return {current->block->grid.x, current->block->grid.y, current->block->grid.z};
}

HIP_CPU_OWN void to_scheduler(bool for_good) {
  OfThread* self = current;
  OfBlock* block = self->block;
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(block->scheduler_fiber, __tsan_switch_to_fiber_no_sync);
#endif
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(for_good ? nullptr : &self->fake, block->scheduler_stack,
                                 block->scheduler_stack_bytes);
#endif
  (void)for_good;
  swapcontext(&self->context, &block->scheduler);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(self->fake, &block->scheduler_stack, &block->scheduler_stack_bytes);
#endif
}
HIP_CPU_OWN void to_thread(OfThread& t) {
  current = &t;
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(t.fiber, __tsan_switch_to_fiber_no_sync);
#endif
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&t.block->scheduler_fake, t.stack, stack_bytes);
#endif
  swapcontext(&t.block->scheduler, &t.context);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(t.block->scheduler_fake, nullptr, nullptr);
#endif
  current = nullptr;
}
// Where the first and the second call have the same `place`, what came before one is before what comes after the other.
HIP_CPU_OWN inline void release(void* place) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(place);
#endif
  (void)place;
}
HIP_CPU_OWN inline void acquire(void* place) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(place);
#endif
  (void)place;
}

char grid_ends;  // a place for what all blocks have done

HIP_CPU_OWN void run_thread() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(nullptr, &current->block->scheduler_stack, &current->block->scheduler_stack_bytes);
#endif
  (*current->block->kernel)();
  release(&grid_ends);
  current->at = At::End;
  to_scheduler(true);
}

HIP_CPU_OWN uint64_t wait(At at, const char* what, int line, uint64_t lanes, uint64_t given, int from) {
  OfThread* self = current;
  self->at = at, self->what = what, self->line = line;
  self->lanes = lanes, self->given = given, self->from = from;
  to_scheduler(false);
  return self->taken;
}
// Of the barriers of a block, or of the warp whose first thread this is, each second: who goes on comes to the next one
// while others are yet to leave this one.
HIP_CPU_OWN inline void* barrier_place(unsigned first_thread, unsigned number) {
  return current->block->memory + 2 * first_thread + number % 2;
}
HIP_CPU_OWN inline uint64_t at_block(const char* what, int line, uint64_t given) {
  void* place = barrier_place(1024, current->block_barriers++);
  release(place);
  const uint64_t taken = wait(At::Block, what, line, 0, given, -1);
  acquire(place);
  return taken;
}
HIP_CPU_OWN uint64_t at_warp(const char* what, int line, uint64_t lanes, uint64_t given, int from, bool orders) {
  const unsigned lane = current->number % warp_size;
  if (!(lanes >> lane & 1)) fault("line %d: %s is called by lane %u, which its mask has not", line, what, lane);
  const unsigned first = current->number - lane + (lanes ? (unsigned)__builtin_ctzll(lanes) : 0);
  void* place = orders ? barrier_place(first, current->warp_barriers++) : nullptr;
  if (orders) release(place);
  const uint64_t taken = wait(At::Warp, what, line, lanes, given, from);
  if (orders) acquire(place);
  return taken;
}

// ---- a block's run
// All wait at one barrier: all go on, each with the or of what they bring.
HIP_CPU_OWN bool block_goes_on(OfBlock& b) {
  const OfThread* first = nullptr;
  unsigned waiting = 0, ended = 0;
  uint64_t any = 0;
  for (OfThread& t : b.all) {
    ended += t.at == At::End;
    if (t.at != At::Block) continue;
    ++waiting;
    any |= t.given;
    if (!first) first = &t;
    if (t.line != first->line) {
      fault("line %d and line %d: threads %u and %u of a block wait at different barriers", first->line, t.line,
            first->number, t.number);
      return false;
    }
  }
  if (!waiting || waiting + ended < b.threads) return false;
  if (ended) {
    fault("line %d: %u threads of a block wait at %s, and %u have ended", first->line, waiting, first->what, ended);
    return false;
  }
  for (OfThread& t : b.all) t.taken = any, t.at = At::Ready;
  return true;
}
// The lanes that one of the warp waits for wait for the same: they go on.
HIP_CPU_OWN bool warp_goes_on(OfBlock& b, unsigned first, unsigned end) {
  bool some = false;
  for (unsigned k = first; k < end; ++k) {
    const OfThread& t = b.all[k];
    if (t.at != At::Warp) continue;
    bool all = true;
    uint64_t any = 0;
    for (unsigned j = first; j < end; ++j) {
      const OfThread& o = b.all[j];
      if (!(t.lanes >> (j - first) & 1) || o.at == At::End) continue;
      all = all && o.at == At::Warp && o.lanes == t.lanes && o.line == t.line;
      any |= o.given;
    }
    if (!all) continue;
    const uint64_t lanes = t.lanes;
    for (unsigned j = first; j < end; ++j) {
      OfThread& o = b.all[j];
      if (!(lanes >> (j - first) & 1) || o.at == At::End) continue;
      o.taken = any;
      if (o.from < 0) continue;
      const unsigned from = first + (unsigned)o.from;
      if (from >= end || b.all[from].at == At::End || !(lanes >> o.from & 1))
        fault("line %d: lane %u reads lane %d by %s, which takes no part", o.line, j - first, o.from, o.what);
      else
        o.taken = b.all[from].given;
    }
    for (unsigned j = first; j < end; ++j)
      if ((lanes >> (j - first) & 1) && b.all[j].at == At::Warp) b.all[j].at = At::Ready;
    some = true;
  }
  return some;
}

HIP_CPU_OWN void run_block(OfBlock& b, unsigned long order) {
  b.used = b.arrays_there = 0;
  for (OfThread& t : b.all) {
    t.at = At::Ready;
    t.block_barriers = t.warp_barriers = 0;
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack;
    t.context.uc_stack.ss_size = stack_bytes;
    t.context.uc_link = nullptr;
    makecontext(&t.context, run_thread, 0);
#ifdef __SANITIZE_THREAD__
    t.fiber = __tsan_create_fiber(0);
#endif
  }
  bool goes_on = true;
  while (goes_on && !faulty) {
    goes_on = false;
    for (unsigned k = 0; k < b.threads && !faulty; ++k) {
      OfThread& t = b.all[taken(k, b.threads, order)];
      if (t.at != At::Ready) continue;
      to_thread(t);
      goes_on = true;
    }
    if (faulty) break;
    for (unsigned first = 0; first < b.threads; first += warp_size) {
      const unsigned end = first + warp_size < b.threads ? first + warp_size : b.threads;
      goes_on = warp_goes_on(b, first, end) || goes_on;
    }
    goes_on = block_goes_on(b) || goes_on;
  }
  if (!faulty)
    for (const OfThread& t : b.all)
      if (t.at != At::End) {
        fault("line %d: thread %u of a block waits at %s, and the others do not come", t.line, t.number, t.what);
        break;
      }
#ifdef __SANITIZE_THREAD__
  for (OfThread& t : b.all) __tsan_destroy_fiber(t.fiber);
#endif
}

HIP_CPU_OWN unsigned char* shared_at_launch() { return current->block->at_launch; }
// A part of the block's memory for the array declared at a place of the text, the same for all its threads.
HIP_CPU_OWN unsigned char* shared(int place, size_t bytes, int line) {
  OfBlock& b = *current->block;
  for (unsigned k = 0; k < b.arrays_there; ++k)
    if (b.arrays[k].place == place) return b.arrays[k].at;
  const size_t room = (bytes + 15) / 16 * 16;
  if (b.used + b.asked + room > block_bytes || b.arrays_there == sizeof b.arrays / sizeof b.arrays[0]) {
    fault("line %d: a block's arrays need %zu bytes of its memory, which has %zu", line, b.used + b.asked + room,
          block_bytes);
    to_scheduler(false);
  }
  unsigned char* out = b.at_launch + (b.asked + 15) / 16 * 16 + b.used + apart * (b.arrays_there + 1);
  b.used += room;
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(out, bytes);
#endif
  b.arrays[b.arrays_there++] = {place, out};
  return out;
}

}  // namespace hip_cpu
}  // namespace
