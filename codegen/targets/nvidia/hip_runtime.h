// The HIP calls that lockstep's texts make, on NVIDIA's GPUs where there is no HIP: a compiler that finds this file as
// <hip/hip_runtime.h> reads a text of lockstep as it stands.
//   nvcc         kernels and host, over CUDA's runtime: nvcc -x cu -std=c++17 --fmad=false -I FOLDER TEXT.hip
//   NVRTC        the kernels
//   clang++      the kernels, without CUDA: -x cuda --cuda-device-only -nocudainc -nocudalib, and for shuffles
//                -Xclang -target-feature -Xclang +ptx63
#pragma once
#define __HIP_PLATFORM_NVIDIA__ 1

#if defined(__CUDACC_RTC__)  // it has no header of its own but what it knows
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;

#elif defined(__NVCC__)
#include <cuda_runtime.h>
#include <stdint.h>
typedef cudaError_t hipError_t;
typedef cudaStream_t hipStream_t;
typedef cudaEvent_t hipEvent_t;
#define hipEventCreate cudaEventCreate
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventElapsedTime cudaEventElapsedTime
#define hipEventDestroy cudaEventDestroy
#define hipSuccess cudaSuccess
#define hipErrorNotReady cudaErrorNotReady
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipMemset cudaMemset
#define hipMemcpy cudaMemcpy
#define hipMemGetInfo cudaMemGetInfo
#define hipStreamQuery cudaStreamQuery
#define hipLaunchKernel cudaLaunchKernel

#elif defined(__clang__) && defined(__CUDA__)
#include <stddef.h>
#include <stdint.h>
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __align__(n) __attribute__((aligned(n)))

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned i = 1, unsigned j = 1, unsigned k = 1) : x(i), y(j), z(k) {}
};
#define threadIdx (dim3(__nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(), __nvvm_read_ptx_sreg_tid_z()))
#define blockIdx (dim3(__nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(), __nvvm_read_ptx_sreg_ctaid_z()))
#define blockDim (dim3(__nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(), __nvvm_read_ptx_sreg_ntid_z()))
#define warpSize 32
#define __syncthreads_or(holds) __nvvm_bar0_or(holds)
#define __syncwarp(lanes) __nvvm_bar_warp_sync(lanes)
#define __any_sync(lanes, holds) __nvvm_vote_any_sync(lanes, holds)

// Of the lanes of a segment, the value of lane `lane`.
__device__ inline int __shfl_sync(unsigned lanes, int value, int lane, int width) {
  return __nvvm_shfl_sync_idx_i32(lanes, value, lane, ((32 - width) << 8) | 0x1f);
}
__device__ inline unsigned __shfl_sync(unsigned lanes, unsigned value, int lane, int width) {
  return (unsigned)__shfl_sync(lanes, (int)value, lane, width);
}
__device__ inline unsigned long long __shfl_sync(unsigned lanes, unsigned long long value, int lane, int width) {
  const unsigned low = __shfl_sync(lanes, (unsigned)value, lane, width);
  return (unsigned long long)__shfl_sync(lanes, (unsigned)(value >> 32), lane, width) << 32 | low;
}
__device__ inline long long __shfl_sync(unsigned lanes, long long value, int lane, int width) {
  return (long long)__shfl_sync(lanes, (unsigned long long)value, lane, width);
}
__device__ inline float __shfl_sync(unsigned lanes, float value, int lane, int width) {
  return __builtin_bit_cast(float, __shfl_sync(lanes, __builtin_bit_cast(int, value), lane, width));
}
__device__ inline double __shfl_sync(unsigned lanes, double value, int lane, int width) {
  return __builtin_bit_cast(double, __shfl_sync(lanes, __builtin_bit_cast(long long, value), lane, width));
}

// Updates of a number of 32 or 64 bits; what it was before.
template <class T, class U>
__device__ inline T atomicAdd(T* p, U x) {
  return __atomic_fetch_add(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
__device__ inline T atomicAnd(T* p, U x) {
  return __atomic_fetch_and(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
__device__ inline T atomicOr(T* p, U x) {
  return __atomic_fetch_or(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
__device__ inline T atomicXor(T* p, U x) {
  return __atomic_fetch_xor(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
__device__ inline T atomicMin(T* p, U x) {
  return __atomic_fetch_min(p, (T)x, __ATOMIC_RELAXED);
}
template <class T, class U>
__device__ inline T atomicMax(T* p, U x) {
  return __atomic_fetch_max(p, (T)x, __ATOMIC_RELAXED);
}
__device__ inline int atomicCAS(int* p, int expected, int x) {
  __atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

// What the device rounds as IEEE has it; other functions are CUDA's, which is not here.
__device__ inline float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
__device__ inline double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
__device__ inline float fmaf(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
__device__ inline double fma(double x, double y, double z) { return __nvvm_fma_rn_d(x, y, z); }
__device__ inline float fabsf(float x) { return __nvvm_fabs_f(x); }
__device__ inline double fabs(double x) { return __nvvm_fabs_d(x); }
__device__ inline float floorf(float x) { return __nvvm_floor_f(x); }
__device__ inline double floor(double x) { return __nvvm_floor_d(x); }
__device__ inline float ceilf(float x) { return __nvvm_ceil_f(x); }
__device__ inline double ceil(double x) { return __nvvm_ceil_d(x); }
__device__ inline float truncf(float x) { return __nvvm_trunc_f(x); }
__device__ inline double trunc(double x) { return __nvvm_trunc_d(x); }
// The nearest, half away from zero; what trunc leaves is exact.
__device__ inline float roundf(float x) {
  const float whole = truncf(x);
  return fabsf(x - whole) >= 0.5f ? whole + (x < 0 ? -1.0f : 1.0f) : whole;
}
__device__ inline double round(double x) {
  const double whole = trunc(x);
  return fabs(x - whole) >= 0.5 ? whole + (x < 0 ? -1.0 : 1.0) : whole;
}
#define HIP_DECLARED_1(name)      \
  __device__ double name(double); \
  __device__ float name##f(float);
#define HIP_DECLARED_2(name)              \
  __device__ double name(double, double); \
  __device__ float name##f(float, float);
extern "C" {
HIP_DECLARED_1(exp)
HIP_DECLARED_1(exp2)
HIP_DECLARED_1(expm1)
HIP_DECLARED_1(log)
HIP_DECLARED_1(log2)
HIP_DECLARED_1(log10)
HIP_DECLARED_1(log1p)
HIP_DECLARED_1(sin)
HIP_DECLARED_1(cos)
HIP_DECLARED_1(tan)
HIP_DECLARED_1(asin)
HIP_DECLARED_1(acos)
HIP_DECLARED_1(atan)
HIP_DECLARED_1(sinh)
HIP_DECLARED_1(cosh)
HIP_DECLARED_1(tanh)
HIP_DECLARED_1(asinh)
HIP_DECLARED_1(acosh)
HIP_DECLARED_1(atanh)
HIP_DECLARED_1(cbrt)
HIP_DECLARED_2(atan2)
HIP_DECLARED_2(pow)
HIP_DECLARED_2(fmod)
HIP_DECLARED_2(hypot)
}

// The host's part is read, and not compiled.
enum hipError_t { hipSuccess = 0, hipErrorNotReady = 600 };
enum hipMemcpyKind { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2 };
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
hipError_t hipEventCreate(hipEvent_t* event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to);
hipError_t hipEventDestroy(hipEvent_t event);
const char* hipGetErrorString(hipError_t error);
hipError_t hipGetLastError();
hipError_t hipMalloc(void** memory, size_t bytes);
hipError_t hipFree(void* memory);
hipError_t hipMemset(void* memory, int value, size_t bytes);
hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemGetInfo(size_t* free, size_t* all);
hipError_t hipStreamQuery(hipStream_t stream);
hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t bytes,
                           hipStream_t stream);
#endif
