// The sum of absolute values: blocks' sums, then one block's of those.
static __global__ void hand_part(int64_t n, const float* __restrict__ xs, float* __restrict__ sums) {
  LOCKSTEP_SHARED(float, of_warps, 8);
  const int64_t threads = (int64_t)blockDim.x * 1056, first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int64_t k = first; k < n / 4; k += threads) {
    const Four x = ((const Four*)xs)[k];
    sum += fabsf(x.x) + fabsf(x.y) + (fabsf(x.z) + fabsf(x.w));
  }
  for (int64_t k = n / 4 * 4 + first; k < n; k += threads) sum += fabsf(xs[k]);
  HAND_SUM_OF_BLOCK(sum, of_warps);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
static __global__ void hand_whole(const float* __restrict__ sums, float* __restrict__ r) {
  LOCKSTEP_SHARED(float, of_warps, 8);
  float sum = 0;
  for (int k = (int)threadIdx.x; k < 1056; k += 256) sum += sums[k];
  HAND_SUM_OF_BLOCK(sum, of_warps);
  if (threadIdx.x == 0) r[0] = sum;
}
// ---- host
extern "C" int32_t lockstep_asum_gpu(const int64_t* sizes, const void* const* in, void* const* out, void*) {
  const int64_t n = sizes[0];
  DeviceArray<float> xs(n), sums(1056), r(1);
  if (!xs.data || !sums.data || !r.data || !xs.from_host((const float*)in[0])) return 4;
  if (!LOCKSTEP_LAUNCH(hand_part, 1056, 256, 0, n, xs.data, sums.data)) return 4;
  if (!LOCKSTEP_LAUNCH(hand_whole, 1, 256, 0, sums.data, r.data)) return 4;
  return r.to_host((float*)out[0]) ? 0 : 4;
}
