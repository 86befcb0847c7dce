// The device, as this text calls it. What it said of the last call that failed:
char why[320];
bool done(hipError_t status, const char* call, uint64_t bytes) {
  if (status == hipSuccess) return true;
  (void)hipGetLastError();  // it is not the next call's
  const int used = snprintf(why, sizeof why, "%s: %s", call, hipGetErrorString(status));
  if (bytes > 0 && used > 0 && used < (int)sizeof why)
    snprintf(why + used, sizeof why - used, " (%llu bytes)", (unsigned long long)bytes);
  return false;
}
const char* device_fault() { return *LOCKSTEP_FAULT ? LOCKSTEP_FAULT : why; }
typedef void* DeviceMemory;
// Until what was launched has ended; false where it does not end in time, or fails.
bool device_wait() {
  const auto state = [] {
    const hipError_t status = hipStreamQuery(nullptr);
    if (status != hipErrorNotReady) return done(status, time_limit.latest, 0) ? 1 : -1;
    (void)hipGetLastError();  // it is no error
    return 0;
  };
  return time_limit.wait(state, why, sizeof why);
}
bool device_allocate(DeviceMemory* memory, uint64_t bytes) {
  if (time_limit.given_up && !device_wait()) return false;
  size_t left = 0, all = 0;
  if (done(hipMalloc(memory, bytes), "memory of the device", bytes)) return true;
  if (hipMemGetInfo(&left, &all) == hipSuccess && strlen(why) + 80 < sizeof why)
    snprintf(why + strlen(why) - 1, 80, " are asked for, %llu of %llu are free)", (unsigned long long)left,
             (unsigned long long)all);
  return false;
}
void device_free(DeviceMemory memory) {
  if (!time_limit.given_up) (void)hipFree(memory);  // it would wait for what was given up, which may write there
}
void device_release() {
  if (!time_limit.given_up) LOCKSTEP_RELEASE;
}
[[maybe_unused]] bool device_clear(DeviceMemory memory, uint64_t bytes) {
  return device_wait() && done(hipMemset(memory, 0, bytes), "hipMemset", bytes);
}
[[maybe_unused]] bool device_send(DeviceMemory to, const void* from, uint64_t bytes) {
  return device_wait() && done(hipMemcpy(to, from, bytes, hipMemcpyHostToDevice), "a copy to the device", bytes);
}
[[maybe_unused]] bool device_fetch(void* to, DeviceMemory from, uint64_t bytes) {
  return device_wait() && done(hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost), "a copy from the device", bytes);
}
template <class T>
struct DeviceData {
  typedef T* type;
};
template <class T>
struct Same {
  typedef T type;
};
// Between two events, whose time is added up.
template <class F>
bool measured(F launched) {
  hipEvent_t from = nullptr, to = nullptr;
  float milliseconds = 0;
  const bool is_done = done(hipEventCreate(&from), "an event", 0) && done(hipEventCreate(&to), "an event", 0) &&
                       done(hipEventRecord(from, nullptr), "an event", 0) && launched() &&
                       done(hipEventRecord(to, nullptr), "an event", 0) && device_wait() &&
                       done(hipEventSynchronize(to), time_limit.latest, 0) &&
                       done(hipEventElapsedTime(&milliseconds, from, to), "an event", 0);
  kernel_time.seconds += (double)milliseconds * 1e-3;
  if (from) (void)hipEventDestroy(from);
  if (to) (void)hipEventDestroy(to);
  return is_done;
}
// False where the device does not take it.
template <class... P>
[[maybe_unused]] bool launch(void (*kernel)(P...), const char* name, unsigned grid, unsigned block, size_t bytes,
                             typename Same<P>::type... given) {
  void* arguments[sizeof...(P) + 1] = {(void*)&given...};
  time_limit.latest = name;
  const auto launched = [&] {
    return done(hipLaunchKernel(LOCKSTEP_KERNEL(kernel, name), dim3(grid), dim3(block), arguments, bytes, nullptr),
                name, bytes);
  };
  return kernel_time.asked ? measured(launched) : launched();
}
#define LOCKSTEP_LAUNCH(kernel, ...) launch(kernel, #kernel, __VA_ARGS__)
