// A transposed, with 0 times the result added.
// ---- host
extern "C" int32_t lockstep_transpose_gpu(const int64_t* sizes, const void* const* in, void* const* out, void*) {
  const int64_t rows = sizes[0] * 32, columns = sizes[1] * 32;
  DeviceArray<float> a(rows * columns), r(rows * columns);
  if (!a.data || !r.data || !a.from_host((const float*)in[0])) return 4;
  if (!blas_call(false, "cublasSgeam", "rocblas_sgeam", blas_transposed, blas_as_is, (int)rows, (int)columns, &blas_one,
                 (const float*)a.data, (int)columns, &blas_zero, (const float*)r.data, (int)rows, r.data, (int)rows))
    return 4;
  return r.to_host((float*)out[0]) ? 0 : 4;
}
