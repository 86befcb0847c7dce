// A * x.
// ---- host
extern "C" int32_t lockstep_gemv_gpu(const int64_t* sizes, const void* const* in, void* const* out, void*) {
  const int64_t m = sizes[0], n = sizes[1];
  DeviceArray<float> a(m * n), x(n), r(m);
  if (!a.data || !x.data || !r.data || !a.from_host((const float*)in[0]) || !x.from_host((const float*)in[1])) return 4;
  if (!blas_call(false, "cublasSgemv_v2", "rocblas_sgemv", blas_transposed, (int)n, (int)m, &blas_one,
                 (const float*)a.data, (int)n, (const float*)x.data, 1, &blas_zero, r.data, 1))
    return 4;
  return r.to_host((float*)out[0]) ? 0 : 4;
}
