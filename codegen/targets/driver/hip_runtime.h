// The HIP calls that lockstep's texts make, where there is neither HIP nor CUDA to compile with: a C++ compiler finds
// this file as <hip/hip_runtime.h> and makes the host's part of a text. Calls go to the driver, NVIDIA's or AMD's,
// which is opened at the first; kernels were compiled from the same text and stand in "kernels.inc". As text for this
// compiler they mean nothing and are never run.
#pragma once
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- words that stand in kernels
#define __HIP_CPU__ 1
#define __global__
#define __device__
#define __host__
#define __restrict__
namespace {
namespace hip_driver {
struct Place {
  unsigned x, y, z;
};
constexpr Place nowhere = {0, 0, 1};
}  // namespace hip_driver
#define threadIdx (hip_driver::nowhere)
#define blockIdx (hip_driver::nowhere)
#define blockDim (hip_driver::nowhere)
#define warpSize 64u
#define __syncthreads() ((void)0)
#define __syncthreads_or(holds) ((holds) ? 1 : 0)
#define __syncwarp(lanes) ((void)(lanes))
#define __any_sync(lanes, holds) ((void)(lanes), (holds) ? 1 : 0)
#define __shfl_sync(lanes, value, lane, width) ((void)(lanes), (void)(lane), value)
#define HIP_DRIVER_UPDATE(name)  \
  template <class T, class U>    \
  inline T name(T* place, U x) { \
    return *place = (T)x;        \
  }
HIP_DRIVER_UPDATE(atomicAdd)
HIP_DRIVER_UPDATE(atomicAnd)
HIP_DRIVER_UPDATE(atomicOr)
HIP_DRIVER_UPDATE(atomicXor)
HIP_DRIVER_UPDATE(atomicMin)
HIP_DRIVER_UPDATE(atomicMax)
template <class T>
inline T atomicCAS(T* place, T, T) {
  return *place;
}
#define LOCKSTEP_SHARED(type, name, count) static type name[count]
#define LOCKSTEP_SHARED_AT_LAUNCH(name) static unsigned char* const name = nullptr
#define LOCKSTEP_KERNEL(kernel, name) ((void)(kernel), hip_driver::kernel(program, name))
#define LOCKSTEP_READ(place) (place)
#define LOCKSTEP_TAKEN(data, bytes) (void)0
#define LOCKSTEP_GIVEN_BACK(data) (void)0
#define LOCKSTEP_FAULT hip_driver::refused
#define LOCKSTEP_RELEASE hip_driver::driver.close()

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned i = 1, unsigned j = 1, unsigned k = 1) : x(i), y(j), z(k) {}
};
// Both drivers number them alike.
enum hipError_t {
  hipSuccess = 0,
  hipErrorOutOfMemory = 2,
  hipErrorNoDevice = 100,
  hipErrorNoBinary = 209,
  hipErrorNotReady = 600
};
enum hipMemcpyKind { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2 };
typedef void* hipStream_t;
typedef void* hipEvent_t;

namespace hip_driver {

// Of a kernel of a text: the text's program, as the text calls it, and as its module does.
struct Kernel {
  const char *program, *name, *of_module;
  const unsigned char* module;
};
#include "kernels.inc"  // constexpr bool is_cuda; constexpr int number, of the device; constexpr Kernel kernels[]
constexpr int kernel_count = sizeof kernels / sizeof kernels[0];

char refused[4096];  // why a module was not taken

struct Driver {
  void* library = nullptr;
  int status = hipErrorNoDevice;  // of the opening
  bool opened = false;
  int busy = 0;
  int of_cuda = 0;  // CUDA's device, and its context
  void* context = nullptr;
  void *modules[kernel_count] = {}, *functions[kernel_count] = {};

  template <class... P>
  int call(const char* of_nvidia, const char* of_amd, P... given) {
    void* found = library ? dlsym(library, is_cuda ? of_nvidia : of_amd) : nullptr;
    if (!found) {
      snprintf(refused, sizeof refused, "the driver has no %s", is_cuda ? of_nvidia : of_amd);
      return hipErrorNoDevice;
    }
    return ((int (*)(P...))found)(given...);
  }
  void lock() {
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) {
    }
  }
  void unlock() { __atomic_store_n(&busy, 0, __ATOMIC_RELEASE); }

  int open() {
    const char* const of_nvidia[] = {"libcuda.so.1", nullptr};
    const char* const of_amd[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so",
                                  nullptr};
    for (const char* const* name = is_cuda ? of_nvidia : of_amd; *name && !library; ++name)
      library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    int failed = call("cuInit", "hipInit", 0u);
    if (failed || !is_cuda) return failed;
    failed = call("cuDeviceGet", "", &of_cuda, number);
    return failed ? failed : call("cuDevicePrimaryCtxRetain", "", &context, of_cuda);
  }
  // Of this thread, too: the status of what failed.
  int ready() {
    lock();
    if (!opened) status = open();
    opened = true;
    unlock();
    if (status != hipSuccess) return status;
    return is_cuda ? call("cuCtxSetCurrent", "", context) : call("", "hipSetDevice", number);
  }
  void* function(int k) {
    char log[3072] = "";
    if (!modules[k]) {
      int options[] = {5, 6};  // where the log goes, and its size
      void* values[] = {log, (void*)(uintptr_t)sizeof log};
      const int failed = is_cuda ? call("cuModuleLoadDataEx", "", &modules[k], (const void*)kernels[k].module, 2u,
                                        &options[0], &values[0])
                                 : call("", "hipModuleLoadData", &modules[k], (const void*)kernels[k].module);
      if (failed) {
        modules[k] = nullptr;
        snprintf(refused, sizeof refused, "the driver does not take %s (error %d)%s%s", kernels[k].name, failed,
                 *log ? ": " : "", log);
        return nullptr;
      }
    }
    if (call("cuModuleGetFunction", "hipModuleGetFunction", &functions[k], modules[k], kernels[k].of_module)) {
      functions[k] = nullptr;
      snprintf(refused, sizeof refused, "the module of %s has no %s", kernels[k].name, kernels[k].of_module);
    }
    return functions[k];
  }
  void close() {
    lock();
    for (int k = 0; k < kernel_count; ++k) {
      if (modules[k]) call("cuModuleUnload", "hipModuleUnload", modules[k]);
      modules[k] = functions[k] = nullptr;
    }
    unlock();
  }
} driver;

bool is_same(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}
const void* kernel(const char* program, const char* name) {
  refused[0] = '\0';
  if (driver.ready() != hipSuccess) return nullptr;
  driver.lock();
  void* found = nullptr;
  for (int k = 0; k < kernel_count; ++k)
    if (is_same(kernels[k].program, program) && is_same(kernels[k].name, name))
      found = driver.functions[k] ? driver.functions[k] : driver.function(k);
  driver.unlock();
  return found;
}

}  // namespace hip_driver

[[maybe_unused]] hipError_t hipGetLastError() { return hipSuccess; }
[[maybe_unused]] const char* hipGetErrorString(hipError_t error) {
  hip_driver::Driver& d = hip_driver::driver;
  const char* said = nullptr;
  if (!d.library) return "there is no driver of the device";
  if (hip_driver::is_cuda) {
    d.call("cuGetErrorString", "", (int)error, &said);
  } else if (void* found = dlsym(d.library, "hipGetErrorString")) {
    said = ((const char* (*)(int))found)(error);
  }
  return said ? said : "an error that the driver does not know";
}
template <class... P>
hipError_t hip_driver_call(const char* of_nvidia, const char* of_amd, P... given) {
  hip_driver::Driver& d = hip_driver::driver;
  const int status = d.ready();
  return (hipError_t)(status == hipSuccess ? d.call(of_nvidia, of_amd, given...) : status);
}
[[maybe_unused]] hipError_t hipMalloc(void** memory, size_t bytes) {
  *memory = nullptr;
  hip_driver::refused[0] = '\0';
  return hip_driver_call("cuMemAlloc_v2", "hipMalloc", memory, bytes);
}
[[maybe_unused]] hipError_t hipFree(void* memory) { return hip_driver_call("cuMemFree_v2", "hipFree", memory); }
[[maybe_unused]] hipError_t hipMemset(void* memory, int value, size_t bytes) {
  return hip_driver_call("cuMemsetD8_v2", "hipMemsetD8", memory, (unsigned char)value, bytes);
}
[[maybe_unused]] hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  if (bytes == 0) return hipSuccess;
  hip_driver::refused[0] = '\0';
  return kind == hipMemcpyHostToDevice ? hip_driver_call("cuMemcpyHtoD_v2", "hipMemcpyHtoD", to, from, bytes)
                                       : hip_driver_call("cuMemcpyDtoH_v2", "hipMemcpyDtoH", to, from, bytes);
}
[[maybe_unused]] hipError_t hipEventCreate(hipEvent_t* event) {
  return hip_driver_call("cuEventCreate", "hipEventCreateWithFlags", event, 0u);
}
[[maybe_unused]] hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return hip_driver_call("cuEventRecord", "hipEventRecord", event, stream);
}
[[maybe_unused]] hipError_t hipEventSynchronize(hipEvent_t event) {
  return hip_driver_call("cuEventSynchronize", "hipEventSynchronize", event);
}
[[maybe_unused]] hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to) {
  return hip_driver_call("cuEventElapsedTime", "hipEventElapsedTime", milliseconds, from, to);
}
[[maybe_unused]] hipError_t hipEventDestroy(hipEvent_t event) {
  return hip_driver_call("cuEventDestroy_v2", "hipEventDestroy", event);
}
[[maybe_unused]] hipError_t hipMemcpyDtoD(void* to, void* from, size_t bytes) {
  return hip_driver_call("cuMemcpyDtoD_v2", "hipMemcpyDtoD", to, from, bytes);
}
[[maybe_unused]] hipError_t hipMemGetInfo(size_t* free, size_t* all) {
  return hip_driver_call("cuMemGetInfo_v2", "hipMemGetInfo", free, all);
}
[[maybe_unused]] hipError_t hipStreamQuery(hipStream_t stream) {
  return hip_driver_call("cuStreamQuery", "hipStreamQuery", stream);
}
[[maybe_unused]] hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t bytes,
                                            hipStream_t stream) {
  if (!kernel) return hipErrorNoBinary;
  return hip_driver_call("cuLaunchKernel", "hipModuleLaunchKernel", (void*)kernel, grid.x, grid.y, grid.z, block.x,
                         block.y, block.z, (unsigned)bytes, stream, arguments, (void**)nullptr);
}
}  // namespace
