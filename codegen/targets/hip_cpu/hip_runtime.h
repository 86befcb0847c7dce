// The HIP calls that lockstep's texts make, on a CPU: for checking, not for speed. A text of lockstep is compiled as it
// stands, host and kernels, by any C++ compiler that finds this file as <hip/hip_runtime.h>.
// A thread of a GPU is a thread of execution here, a fiber, which another follows where it waits; a block's fibers are
// run by one thread of the CPU, blocks by several at once. Each block has a memory of its own, filled with a pattern
// before it starts, and the hardware's warps have 64 lanes. What a GPU leaves undefined is a fault, with its line:
// threads that wait at different barriers or have ended where others wait, a mask without the lane that calls or with
// lanes that do not come, a shuffle from a lane that takes no part, more memory than a block has, a transfer past an
// end. The address and thread sanitizers know of fibers: two threads race where no barrier of both is between them.
//   HIP_CPU_FAIL=n     the n-th call of HIP fails, as if the device had
//   HIP_CPU_ORDER=n    blocks and threads are taken in another order for each n
#pragma once
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
// What this file does itself is no access of the program's.
#define HIP_CPU_OWN __attribute__((no_sanitize("thread"), noinline))
#else
#define HIP_CPU_OWN
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#define __HIP_CPU__ 1
#define __global__
#define __device__
#define __host__

// How lockstep's texts declare a block's memory and name a kernel (the head of each text).
#define LOCKSTEP_SHARED(type, name, count) \
  type* const name = (type*)hip_cpu::shared(__COUNTER__, sizeof(type) * (count), __LINE__)
#define LOCKSTEP_SHARED_AT_LAUNCH(name) unsigned char* const name = hip_cpu::current->block->at_launch
#define LOCKSTEP_KERNEL(kernel) (kernel)
#define LOCKSTEP_READ(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInvalidConfiguration = 9,
  hipErrorLaunchFailure = 719
};
enum hipMemcpyKind { hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
typedef void* hipStream_t;

namespace {
namespace hip_cpu {

constexpr int warp_size = 64;
constexpr size_t block_bytes = 48 * 1024, stack_bytes = 256 * 1024, apart = 64;
constexpr unsigned char pattern = 0xA5;

// ---- what went wrong: the first one is kept
std::mutex faults;
char fault_text[256];
std::atomic<bool> faulty{false};
std::atomic<int> last_error{hipSuccess};

hipError_t failed(hipError_t error) {
  last_error = error;
  return error;
}
template <class... A>
HIP_CPU_OWN void fault(const char* format, A... values) {
  const std::lock_guard<std::mutex> lock(faults);
  if (faulty.exchange(true)) return;
  snprintf(fault_text, sizeof fault_text, format, values...);
  last_error = hipErrorLaunchFailure;
}
// Whether this call is to fail, counted from when the number was set.
bool fails() {
  static std::mutex lock;
  static long calls = 0, last = 0;
  const char* asked = getenv("HIP_CPU_FAIL");
  const long wanted = asked ? atol(asked) : 0;
  const std::lock_guard<std::mutex> held(lock);
  if (wanted != last) last = wanted, calls = 0;
  return ++calls == wanted;
}
unsigned long order() {
  const char* wanted = getenv("HIP_CPU_ORDER");
  return wanted ? strtoul(wanted, nullptr, 10) : 0;
}
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
  unsigned char* memory = nullptr;     // block_bytes, and what stands between arrays
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
HIP_CPU_OWN inline uint64_t at_block(const char* what, int line, uint64_t given) {
  void* place = current->block->memory;
  release(place);
  const uint64_t taken = wait(At::Block, what, line, 0, given, -1);
  acquire(place);
  return taken;
}
HIP_CPU_OWN uint64_t at_warp(const char* what, int line, uint64_t lanes, uint64_t given, int from, bool orders) {
  const unsigned lane = current->number % warp_size;
  if (!(lanes >> lane & 1)) fault("line %d: %s is called by lane %u, which its mask has not", line, what, lane);
  void* place = current->block->memory + 1 + current->number / warp_size;
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

// ---- a launch
struct Worker {
  std::vector<unsigned char*> memories;
  char* stacks = nullptr;
  size_t stacks_bytes = 0;
  ~Worker() {
    for (unsigned char* m : memories) {
#ifdef __SANITIZE_ADDRESS__
      __asan_unpoison_memory_region(m, all_bytes);
#endif
      free(m);
    }
    if (stacks) munmap(stacks, stacks_bytes);
  }
  static constexpr size_t all_bytes = block_bytes + 256 * apart;
  // One for each block under the thread sanitizer: a block that comes later does not wait for an earlier one.
  unsigned char* memory() {
#ifndef __SANITIZE_THREAD__
    if (memories.empty())
#endif
      memories.push_back((unsigned char*)aligned_alloc(apart, all_bytes));
    return memories.back();
  }
};

// False where there is no memory for threads' stacks.
HIP_CPU_OWN bool prepare(Worker& w, OfBlock& b) {
  w.stacks_bytes = stack_bytes * b.threads;
  void* stacks =
      mmap(nullptr, w.stacks_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED) return false;
  w.stacks = (char*)stacks;
  b.all.resize(b.threads);
  for (unsigned k = 0; k < b.threads; ++k) {
    b.all[k].block = &b;
    b.all[k].number = k;
    b.all[k].stack = w.stacks + stack_bytes * k;
    mprotect(b.all[k].stack, 4096, PROT_NONE);  // the end of it
  }
#ifdef __SANITIZE_THREAD__
  b.scheduler_fiber = __tsan_get_current_fiber();
#endif
  return true;
}

HIP_CPU_OWN void run_blocks(const std::function<void()>& kernel, dim3 grid, dim3 size, size_t asked,
                            std::atomic<unsigned>& next, unsigned long order) {
  Worker worker;
  OfBlock b;
  b.grid = grid, b.size = size, b.threads = size.x * size.y * size.z, b.kernel = &kernel, b.asked = asked;
  if (!prepare(worker, b)) return fault("no memory for the stacks of %u threads", b.threads);
  const unsigned blocks = grid.x * grid.y * grid.z;
  for (;;) {
    const unsigned k = next.fetch_add(1, std::memory_order_relaxed);
    if (k >= blocks || faulty) return;
    const Index at = place_in(taken(k, blocks, order), grid);
    b.index = dim3(at.x, at.y, at.z);
    b.memory = worker.memory();
    if (!b.memory) return fault("no memory for a block");
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(b.memory, Worker::all_bytes);
#endif
    memset(b.memory, pattern, Worker::all_bytes);
    b.at_launch = b.memory + apart;
#ifdef __SANITIZE_ADDRESS__
    __asan_poison_memory_region(b.memory + apart, Worker::all_bytes - apart);
    __asan_unpoison_memory_region(b.at_launch, asked);
#endif
    run_block(b, order);
  }
}

hipError_t run_grid(const std::function<void()>& kernel, dim3 grid, dim3 size, size_t asked) {
  const uint64_t threads = (uint64_t)size.x * size.y * size.z, blocks = (uint64_t)grid.x * grid.y * grid.z;
  if (threads < 1 || threads > 1024 || blocks < 1 || blocks > 0x7fffffff || asked > block_bytes)
    return failed(hipErrorInvalidConfiguration);
  std::atomic<unsigned> next{0};
  const unsigned long in_order = order();
  const auto work = [&] { run_blocks(kernel, grid, size, asked, next, in_order); };
  std::vector<std::thread> others;
  for (unsigned k = 1; k < 4 && k < blocks; ++k) others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
  acquire(&grid_ends);
  return faulty ? failed(hipErrorLaunchFailure) : hipSuccess;
}

// ---- device memory
std::mutex allocations_lock;
std::map<const char*, size_t>& allocations() {
  static std::map<const char*, size_t> all;
  return all;
}
// Whether all of it is one allocation's, or none of it any's.
bool is_device(const void* p, size_t bytes, bool& whole) {
  const std::lock_guard<std::mutex> lock(allocations_lock);
  const char* first = (const char*)p;
  auto after = allocations().upper_bound(first);
  whole = after == allocations().end() || first + bytes <= after->first;
  if (after == allocations().begin()) return false;
  const auto& [start, size] = *--after;
  if (first >= start + size) return false;
  whole = first + bytes <= start + size;
  return true;
}
bool is_fit(const void* p, size_t bytes, bool device, const char* what) {
  bool whole = false;
  if (is_device(p, bytes, whole) == device && whole) return true;
  fault("%s of %zu bytes: %s", what, bytes,
        whole ? (device ? "the device has no such memory" : "the memory is the device's")
              : "it goes past the end of the memory");
  return false;
}

// ---- words for what a lane gives
template <class T>
uint64_t word_of(T x) {
  uint64_t out = 0;
  memcpy(&out, &x, sizeof x);
  return out;
}
template <class T>
T of_word(uint64_t x) {
  T out;
  memcpy(&out, &x, sizeof out);
  return out;
}
template <class T>
HIP_CPU_OWN T shuffled(unsigned long long lanes, T value, int lane, int width, int line) {
  const int own = (int)(current->number % warp_size), from = own / width * width + (lane % width + width) % width;
  return of_word<T>(at_warp("__shfl_sync", line, lanes, word_of(value), from, false));
}

template <class T, class F>
T updated(T* place, const F& f) {
  T before = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(place, &before, f(before), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return before;
}

}  // namespace hip_cpu

#define threadIdx (hip_cpu::thread_index())
#define blockIdx (hip_cpu::block_index())
#define blockDim (hip_cpu::block_size())
#define gridDim (hip_cpu::grid_size())
#define warpSize (hip_cpu::warp_size)

#define __syncthreads() ((void)hip_cpu::at_block("__syncthreads", __LINE__, 0))
#define __syncthreads_or(holds) ((int)hip_cpu::at_block("__syncthreads_or", __LINE__, (holds) ? 1 : 0))
#define __syncwarp(lanes) ((void)hip_cpu::at_warp("__syncwarp", __LINE__, lanes, 0, -1, true))
#define __any_sync(lanes, holds) ((int)hip_cpu::at_warp("__any_sync", __LINE__, lanes, (holds) ? 1 : 0, -1, false))
#define __shfl_sync(lanes, value, lane, width) hip_cpu::shuffled(lanes, value, lane, width, __LINE__)

template <class T, class U>
T atomicAdd(T* p, U x) {
  return __atomic_fetch_add(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
T atomicAnd(T* p, U x) {
  return __atomic_fetch_and(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
T atomicOr(T* p, U x) {
  return __atomic_fetch_or(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
T atomicXor(T* p, U x) {
  return __atomic_fetch_xor(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
T atomicMin(T* p, U x) {
  return hip_cpu::updated(p, [x](T y) { return (T)x < y ? (T)x : y; });
}
template <class T, class U>
T atomicMax(T* p, U x) {
  return hip_cpu::updated(p, [x](T y) { return y < (T)x ? (T)x : y; });
}
template <class T>
T atomicCAS(T* p, T expected, T x) {
  __atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

[[maybe_unused]] hipError_t hipGetLastError() { return (hipError_t)hip_cpu::last_error.exchange(hipSuccess); }
[[maybe_unused]] hipError_t hipMalloc(void** p, size_t bytes) {
  *p = nullptr;
  if (hip_cpu::fails()) return hip_cpu::failed(hipErrorOutOfMemory);
  void* made = bytes > SIZE_MAX / 2 ? nullptr : malloc(bytes ? bytes : 1);
  if (!made) return hip_cpu::failed(hipErrorOutOfMemory);
  memset(made, hip_cpu::pattern, bytes);
  const std::lock_guard<std::mutex> lock(hip_cpu::allocations_lock);
  hip_cpu::allocations()[(const char*)made] = bytes ? bytes : 1;
  *p = made;
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipFree(void* p) {
  if (!p) return hipSuccess;
  const std::lock_guard<std::mutex> lock(hip_cpu::allocations_lock);
  if (!hip_cpu::allocations().erase((const char*)p)) return hip_cpu::failed(hipErrorInvalidValue);
  free(p);
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipMemset(void* p, int value, size_t bytes) {
  if (hip_cpu::fails() || !hip_cpu::is_fit(p, bytes, true, "hipMemset")) return hip_cpu::failed(hipErrorInvalidValue);
  memset(p, value, bytes);
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  const bool to_device = kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice;
  const bool from_device = kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice;
  if (hip_cpu::fails() || !hip_cpu::is_fit(to, bytes, to_device, "hipMemcpy to memory") ||
      !hip_cpu::is_fit(from, bytes, from_device, "hipMemcpy from memory"))
    return hip_cpu::failed(hipErrorInvalidValue);
  if (bytes) memcpy(to, from, bytes);
  return hipSuccess;
}
template <class... P>
hipError_t hipLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 size, void** arguments, size_t asked, hipStream_t) {
  if (hip_cpu::fails()) return hip_cpu::failed(hipErrorLaunchFailure);
  const auto values = [&]<size_t... k>(std::index_sequence<k...>) { return std::tuple<P...>(*(P*)arguments[k]...); }
  (std::index_sequence_for<P...>());
  return hip_cpu::run_grid([&] { std::apply(kernel, values); }, grid, size, asked);
}

}  // namespace

// Why the last call failed where what failed is the text, and not the device; "": it did not.
extern "C" __attribute__((visibility("protected"))) const char* hip_cpu_fault() { return hip_cpu::fault_text; }
