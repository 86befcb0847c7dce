// As many bytes read and written by the driver's own copy.
static __global__ void hand_nothing(int64_t) {}
// ---- host
extern "C" int32_t lockstep_reverse_gpu(const int64_t* sizes, const void* const* in, void* const* out, void*) {
  const int64_t n = sizes[0];
  DeviceArray<float> xs(n), r(n);
  if (!xs.data || !r.data || !xs.from_host((const float*)in[0])) return 4;
  const auto copied = [&] { return done(hipMemcpyDtoD(r.data, xs.data, xs.bytes), "a copy", xs.bytes); };
  if (!(kernel_time.asked ? measured(copied) : copied())) return 4;
  return r.to_host((float*)out[0]) ? 0 : 4;
}
