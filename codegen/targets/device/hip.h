// The device, as this text calls it.
typedef void* DeviceMemory;
bool device_allocate(DeviceMemory* memory, uint64_t bytes) {
  if (hipMalloc(memory, bytes) == hipSuccess) return true;
  (void)hipGetLastError();  // it is not the next call's
  return false;
}
void device_free(DeviceMemory memory) { (void)hipFree(memory); }
void device_release() {}
[[maybe_unused]] bool device_clear(DeviceMemory memory, uint64_t bytes) {
  return hipMemset(memory, 0, bytes) == hipSuccess;
}
[[maybe_unused]] bool device_send(DeviceMemory to, const void* from, uint64_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyHostToDevice) == hipSuccess;
}
[[maybe_unused]] bool device_fetch(void* to, DeviceMemory from, uint64_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost) == hipSuccess;
}
template <class T>
struct DeviceData {
  typedef T* type;
};
template <class T>
struct Same {
  typedef T type;
};
// False where the device does not take it.
template <class... P>
[[maybe_unused]] bool launch(void (*kernel)(P...), unsigned grid, unsigned block, size_t bytes,
                             typename Same<P>::type... given) {
  void* arguments[] = {(void*)&given...};
  return hipLaunchKernel(LOCKSTEP_KERNEL(kernel), dim3(grid), dim3(block), arguments, bytes, nullptr) == hipSuccess;
}
