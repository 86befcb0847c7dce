// Words and types of HIP as the CPU has them (hip_runtime.h), what is at fault, and which calls are to fail.
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <atomic>
#include <chrono>
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
#define LOCKSTEP_SHARED_AT_LAUNCH(name) unsigned char* const name = hip_cpu::shared_at_launch()
#define LOCKSTEP_KERNEL(kernel, name) (kernel)
#define LOCKSTEP_READ(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define LOCKSTEP_TAKEN(data, bytes) hip_cpu::reuse(data, bytes, false)
#define LOCKSTEP_GIVEN_BACK(data) hip_cpu::reuse(data, 0, true)
// What is at fault in the text, "": nothing. It stays: after a fault no launch is taken, as after one of a device.
#define LOCKSTEP_FAULT hip_cpu::fault_text
#define LOCKSTEP_RELEASE (void)0

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInvalidConfiguration = 9,
  hipErrorNoDevice = 100,
  hipErrorNotReady = 600,
  hipErrorLaunchFailure = 719
};
enum hipMemcpyKind { hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
typedef void* hipStream_t;
typedef double* hipEvent_t;  // when it was recorded, in seconds

namespace {
namespace hip_cpu {

constexpr int warp_size = 64;
constexpr size_t block_bytes = 48 * 1024, stack_bytes = 256 * 1024, apart = 64, places_bytes = 4096;
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
// The number with which a text begins, 0 where there is none; `after` is what follows it.
long number_of(const char* text, const char** after) {
  long n = 0;
  for (; text && *text >= '0' && *text <= '9'; ++text) n = n * 10 + (*text - '0');
  *after = text ? text : "";
  return n;
}
// What is to become of this call, counted from when HIP_CPU_FAIL was set.
enum class Fate { Done, Failed, Lost, Endless };
Fate fate(bool is_launch) {
  static std::mutex lock;
  static long calls = 0, last = 0;
  const char* how = "";
  const long wanted = number_of(getenv("HIP_CPU_FAIL"), &how);
  const std::lock_guard<std::mutex> held(lock);
  if (wanted != last) last = wanted, calls = 0;
  if (wanted == 0 || ++calls < wanted) return Fate::Done;
  if (!strcmp(how, ":lost")) return Fate::Lost;
  if (calls > wanted) return Fate::Done;
  return !strcmp(how, ":endless") && is_launch ? Fate::Endless : Fate::Failed;
}
// Whether it fails, and how.
bool fails(hipError_t& error) {
  const Fate now = fate(false);
  if (now == Fate::Lost) error = hipErrorNoDevice;
  return now != Fate::Done;
}
unsigned long order() {
  const char* after = "";
  return (unsigned long)number_of(getenv("HIP_CPU_ORDER"), &after);
}

}  // namespace hip_cpu
}  // namespace
