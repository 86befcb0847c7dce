// A launch of nothing, and a number read back: what a call takes at least.
static __global__ void hand_nothing(int64_t) {}
// ---- host
extern "C" int32_t lockstep_reverse_gpu(const int64_t* sizes, const void* const* in, void* const* out, void*) {
  (void)in;
  DeviceArray<float> r(1);
  if (!r.data || !LOCKSTEP_LAUNCH(hand_nothing, 1, 32, 0, sizes[0])) return 4;
  return r.to_host((float*)out[0]) ? 0 : 4;
}
