// What handwritten kernels share; it stands behind the head of HIP's texts.
#if defined(__HIP_PLATFORM_NVIDIA__)
#define HAND_LANES 0xffffffffu
#elif defined(__HIP_CPU__)
#define HAND_LANES 0xffffffffffffffffull
#endif
#if defined(HAND_LANES)
#define HAND_SHUFFLE(value, lane) __shfl_sync(HAND_LANES, value, lane, 32)
#else
#define HAND_SHUFFLE(value, lane) __shfl(value, lane, 32)
#endif
struct alignas(16) Four {
  float x, y, z, w;
};
// Of the 32 lanes that call it, in all of them.
[[maybe_unused]] __device__ inline float sum_of_warp(float x) {
  for (int step = 16; step > 0; step /= 2) x += HAND_SHUFFLE(x, (threadIdx.x + step) % 32);
  return x;
}
// Of a block of 256, in its first thread.
#define HAND_SUM_OF_BLOCK(sum, of_warps)                       \
  sum = sum_of_warp(sum);                                      \
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum; \
  __syncthreads();                                             \
  sum = sum_of_warp(threadIdx.x < 8 ? of_warps[threadIdx.x] : 0.0f)
// ---- kernels
// ---- host
// A kernel's grid: a thread for each of `count`, 256 a block, up to so many blocks.
[[maybe_unused]] unsigned hand_grid(int64_t count, int64_t most = 1056) { return grid_of(count, 256, most); }
