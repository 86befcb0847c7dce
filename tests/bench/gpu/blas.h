// What calls of the vendor's BLAS share: cuBLAS, or rocBLAS, whose matrices are by columns, so that a matrix by rows is
// its transposed one. It stands behind the head of HIP's texts; BLAS_LIBRARY is the library's name.
static __global__ void hand_nothing(int64_t) {}
// ---- host
struct Blas {
  void *library = nullptr, *handle = nullptr;
  int failed = -1;
  // Two names of one call.
  template <class... P>
  int call(const char* of_nvidia, const char* of_amd, P... given) {
    void* const found = library ? dlsym(library, hip_driver::is_cuda ? of_nvidia : of_amd) : nullptr;
    return found ? ((int (*)(P...))found)(given...) : -1;
  }
  void open() {
    library = dlopen(BLAS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    failed = hip_driver::driver.ready() == hipSuccess ? call("cublasCreate_v2", "rocblas_create_handle", &handle) : -1;
  }
} blas;
// A call whose results, or whose factors, are in the host's memory or in the device's; false where it fails.
template <class... P>
bool blas_call(bool of_device, const char* of_nvidia, const char* of_amd, P... given) {
  if (!blas.handle) blas.open();
  const auto called = [&] {
    if (!blas.failed) blas.failed = blas.call(of_nvidia, of_amd, blas.handle, given...);
    if (blas.failed) snprintf(why, sizeof why, "%s of %s: status %d", of_nvidia, BLAS_LIBRARY, blas.failed);
    return blas.failed == 0;
  };
  if (!blas.failed)
    blas.failed = blas.call("cublasSetPointerMode_v2", "rocblas_set_pointer_mode", blas.handle, of_device ? 1 : 0);
  return kernel_time.asked ? measured(called) : called();
}
[[maybe_unused]] const float blas_one = 1, blas_zero = 0;
[[maybe_unused]] const int blas_as_is = hip_driver::is_cuda ? 0 : 111, blas_transposed = blas_as_is + 1;
