// What a kernel is given: a number, as an index; a scalar; an array; so many bytes of a block's memory.
struct OfBlock {
  uint64_t bytes;
};
template <class T>
struct AsItIs {
  T value;
};
template <class T>
[[maybe_unused]] AsItIs<T> as_it_is(T value) {
  return {value};
}
template <class Index>
cl_int give(cl_kernel kernel, cl_uint k, int64_t x) {
  const Index index = (Index)x;
  return clSetKernelArg(kernel, k, sizeof index, &index);
}
template <class Index>
cl_int give(cl_kernel kernel, cl_uint k, cl_mem memory) {
  return clSetKernelArg(kernel, k, sizeof memory, &memory);
}
template <class Index, class T>
[[maybe_unused]] cl_int give(cl_kernel kernel, cl_uint k, AsItIs<T> x) {
  return clSetKernelArg(kernel, k, sizeof x.value, &x.value);
}
template <class Index>
[[maybe_unused]] cl_int give(cl_kernel kernel, cl_uint k, OfBlock all) {
  return clSetKernelArg(kernel, k, all.bytes > 0 ? all.bytes : 1, nullptr);
}
// False where the device does not take it.
template <class Index, class... P>
bool launch(bool narrow, const char* name, unsigned grid, unsigned block, const P&... given) {
  cl_program program = device().program(narrow);
  if (!program) return false;
  cl_int status = 0;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  if (!kernel) return failed("clCreateKernel", status);
  cl_uint k = 0;
  ((status = status == CL_SUCCESS ? give<Index>(kernel, k++, given) : status), ...);
  const size_t threads = block, all = (size_t)grid * block;
  time_limit.latest = name;
  cl_event started = nullptr;
  if (status == CL_SUCCESS)
    status = clEnqueueNDRangeKernel(device().queue, kernel, 1, nullptr, &all, &threads, 0, nullptr, &started);
  if (status == CL_SUCCESS) {
    if (device().last) clReleaseEvent(device().last);
    device().last = started;
    clFlush(device().queue);
  }
  if (status == CL_SUCCESS && kernel_time.asked) {
    if (!device_wait()) {
      clReleaseKernel(kernel);
      return false;
    }
    cl_ulong from = 0, to = 0;
    status = clWaitForEvents(1, &started);
    if (status == CL_SUCCESS)
      status = clGetEventProfilingInfo(started, CL_PROFILING_COMMAND_START, sizeof from, &from, nullptr);
    if (status == CL_SUCCESS)
      status = clGetEventProfilingInfo(started, CL_PROFILING_COMMAND_END, sizeof to, &to, nullptr);
    kernel_time.seconds += (double)(to - from) * 1e-9;
  }
  clReleaseKernel(kernel);
  return status == CL_SUCCESS || failed(name, status);
}
