// The HIP calls that lockstep's texts make, on a CPU: for checking, not for speed. A text of lockstep is compiled as it
// stands, host and kernels, by any C++ compiler that finds this file as <hip/hip_runtime.h>.
// A thread of a GPU is a thread of execution here, a fiber, which another follows where it waits; a block's fibers are
// run by one thread of the CPU, blocks by several at once. Each block has a memory of its own, filled with a pattern
// before it starts, and the hardware's warps have 64 lanes. What a GPU leaves undefined is a fault, with its line:
// threads that wait at different barriers or have ended where others wait, a mask without the lane that calls or with
// lanes that do not come, a shuffle from a lane that takes no part, more memory than a block has, a transfer past an
// end. The address and thread sanitizers know of fibers: two threads race where no barrier of both is between them.
//   HIP_CPU_FAIL=n     the n-th call of HIP fails, as if the device had; n:lost: so do all that follow; n:endless: it
//   is a
//                      launch of a kernel that does not end
//   HIP_CPU_ORDER=n    blocks and threads are taken in another order for each n
#pragma once
#include "threads.h"

namespace {
namespace hip_cpu {

// ---- a launch
struct Worker {
  std::vector<unsigned char*> memories;
  char* stacks = nullptr;
  size_t stacks_bytes = 0;
  ~Worker() {
    acquire(&grid_ends);  // its blocks' threads are done with it
    for (unsigned char* m : memories) {
#ifdef __SANITIZE_ADDRESS__
      __asan_unpoison_memory_region(m, all_bytes);
#endif
      free(m);
    }
    if (stacks) munmap(stacks, stacks_bytes);
  }
  // Mapped anew for each block under the thread sanitizer, which forgets then what the threads of another did there.
  HIP_CPU_OWN bool map_stacks(unsigned threads) {
    stacks_bytes = stack_bytes * threads;
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (stacks ? MAP_FIXED : 0);
    void* mapped = mmap(stacks, stacks_bytes, PROT_READ | PROT_WRITE, how, -1, 0);
    if (mapped == MAP_FAILED) return false;
    stacks = (char*)mapped;
    for (unsigned k = 0; k < threads; ++k) mprotect(stacks + stack_bytes * k, 4096, PROT_NONE);  // the end of each
    return true;
  }
  static constexpr size_t all_bytes = places_bytes + block_bytes + 256 * apart;
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
  if (!w.map_stacks(b.threads)) return false;
  b.all.resize(b.threads);
  for (unsigned k = 0; k < b.threads; ++k) {
    b.all[k].block = &b;
    b.all[k].number = k;
    b.all[k].stack = w.stacks + stack_bytes * k;
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
#ifdef __SANITIZE_THREAD__
    if (!worker.map_stacks(b.threads)) return fault("no memory for the stacks of %u threads", b.threads);
#endif
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(b.memory, Worker::all_bytes);
#endif
    memset(b.memory, pattern, Worker::all_bytes);
    b.at_launch = b.memory + places_bytes;
#ifdef __SANITIZE_ADDRESS__
    __asan_poison_memory_region(b.at_launch, Worker::all_bytes - places_bytes);
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
// Of a text's pool: what it has taken it for, and whether it was given back.
struct Allocated {
  size_t bytes, usable;
  bool idle;
};
std::mutex allocations_lock;
std::map<const char*, Allocated>& allocations() {
  static std::map<const char*, Allocated> all;
  return all;
}
// What is in it is lost, and all but its first bytes are out of reach.
[[maybe_unused]] void reuse(void* p, size_t usable, bool idle) {
  const std::lock_guard<std::mutex> lock(allocations_lock);
  Allocated& a = allocations().at((const char*)p);
  a.usable = usable, a.idle = idle;
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(p, a.bytes);
#endif
  memset(p, pattern, a.bytes);
#ifdef __SANITIZE_ADDRESS__
  __asan_poison_memory_region((char*)p + usable, a.bytes - usable);
#endif
}
// Whether all of it is one allocation's, or none of it any's.
bool is_device(const void* p, size_t bytes, bool& whole) {
  const std::lock_guard<std::mutex> lock(allocations_lock);
  const char* first = (const char*)p;
  auto after = allocations().upper_bound(first);
  whole = after == allocations().end() || first + bytes <= after->first;
  if (after == allocations().begin()) return false;
  const auto& [start, size] = *--after;
  if (first >= start + size.bytes || size.idle) return false;
  whole = first + bytes <= start + size.usable;
  return true;
}
std::atomic<bool> endless{false};  // a kernel that does not end
bool is_ended() {
  if (endless) fault("hipMemcpy waits for a kernel that does not end");
  return !endless;
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
[[maybe_unused]] const char* hipGetErrorString(hipError_t e) {
  return e == hipErrorOutOfMemory            ? "out of memory"
         : e == hipErrorInvalidValue         ? "invalid argument"
         : e == hipErrorInvalidConfiguration ? "invalid configuration"
         : e == hipErrorNoDevice             ? "the device is lost"
                                             : "the launch failed";
}
[[maybe_unused]] hipError_t hipMalloc(void** p, size_t bytes) {
  *p = nullptr;
  hipError_t error = hipErrorOutOfMemory;
  if (hip_cpu::fails(error)) return hip_cpu::failed(error);
  void* made = bytes > SIZE_MAX / 2 ? nullptr : malloc(bytes ? bytes : 1);
  if (!made) return hip_cpu::failed(hipErrorOutOfMemory);
  memset(made, hip_cpu::pattern, bytes);
  const std::lock_guard<std::mutex> lock(hip_cpu::allocations_lock);
  hip_cpu::allocations()[(const char*)made] = {bytes ? bytes : 1, bytes, false};
  *p = made;
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipFree(void* p) {
  if (!p) return hipSuccess;
  const std::lock_guard<std::mutex> lock(hip_cpu::allocations_lock);
  const auto a = hip_cpu::allocations().find((const char*)p);
  if (a == hip_cpu::allocations().end()) return hip_cpu::failed(hipErrorInvalidValue);
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(p, a->second.bytes);
#endif
  hip_cpu::allocations().erase(a);
  free(p);
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipEventCreate(hipEvent_t* event) {
  *event = new double(0);
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipEventRecord(hipEvent_t event, hipStream_t) {
  *event = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipEventSynchronize(hipEvent_t) { return hipSuccess; }
[[maybe_unused]] hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to) {
  *milliseconds = (float)((*to - *from) * 1e3);
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipEventDestroy(hipEvent_t event) {
  delete event;
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipMemGetInfo(size_t* left, size_t* all) {
  *left = 0, *all = SIZE_MAX / 2;  // asked where there is no more
  return hipSuccess;
}
// Kernels have ended when their launch has, but for one that does not.
[[maybe_unused]] hipError_t hipStreamQuery(hipStream_t) { return hip_cpu::endless ? hipErrorNotReady : hipSuccess; }
[[maybe_unused]] hipError_t hipMemset(void* p, int value, size_t bytes) {
  hipError_t error = hipErrorInvalidValue;
  if (hip_cpu::fails(error) || !hip_cpu::is_fit(p, bytes, true, "hipMemset")) return hip_cpu::failed(error);
  memset(p, value, bytes);
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  const bool to_device = kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice;
  const bool from_device = kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice;
  hipError_t error = hipErrorInvalidValue;
  if (hip_cpu::fails(error) || !hip_cpu::is_ended() || !hip_cpu::is_fit(to, bytes, to_device, "hipMemcpy to memory") ||
      !hip_cpu::is_fit(from, bytes, from_device, "hipMemcpy from memory"))
    return hip_cpu::failed(error);
  if (bytes) memcpy(to, from, bytes);
  return hipSuccess;
}
[[maybe_unused]] hipError_t hipMemcpyDtoD(void* to, void* from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToDevice);
}
template <class... P>
hipError_t hipLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 size, void** arguments, size_t asked, hipStream_t) {
  using hip_cpu::Fate;
  const Fate fate = hip_cpu::fate(true);
  if (fate == Fate::Endless) hip_cpu::endless = true;
  if (fate == Fate::Endless) return hipSuccess;
  if (fate != Fate::Done) return hip_cpu::failed(fate == Fate::Lost ? hipErrorNoDevice : hipErrorLaunchFailure);
  const auto values = [&]<size_t... k>(std::index_sequence<k...>) { return std::tuple<P...>(*(P*)arguments[k]...); }
  (std::index_sequence_for<P...>());
  return hip_cpu::run_grid([&] { std::apply(kernel, values); }, grid, size, asked);
}

}  // namespace
