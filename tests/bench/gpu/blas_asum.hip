// The sum of absolute values.
// ---- host
extern "C" int32_t lockstep_asum_gpu(const int64_t* sizes, const void* const* in, void* const* out, void*) {
  const int64_t n = sizes[0];
  DeviceArray<float> xs(n), r(1);
  if (!xs.data || !r.data || !xs.from_host((const float*)in[0])) return 4;
  if (!blas_call(true, "cublasSasum_v2", "rocblas_sasum", (int)n, (const float*)xs.data, 1, r.data)) return 4;
  return r.to_host((float*)out[0]) ? 0 : 4;
}
