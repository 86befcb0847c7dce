// alpha * xs, in place.
// ---- host
extern "C" int32_t lockstep_scal_gpu(const int64_t* sizes, const void* const* in, void* const* out, void*) {
  const int64_t n = sizes[0];
  DeviceArray<float> r(n);
  if (!r.data || !r.from_host((const float*)in[1])) return 4;
  if (!blas_call(false, "cublasSscal_v2", "rocblas_sscal", (int)n, (const float*)in[0], r.data, 1)) return 4;
  return r.to_host((float*)out[0]) ? 0 : 4;
}
