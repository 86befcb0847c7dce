// What the device said of the last call that failed.
char why[4096];
const char* told = "";
[[maybe_unused]] bool failed(const char* call, cl_int status) {
  const char* const words = status == CL_MEM_OBJECT_ALLOCATION_FAILURE ? ", out of memory"
                            : status == CL_OUT_OF_RESOURCES            ? ", out of resources"
                            : status == CL_OUT_OF_HOST_MEMORY          ? ", out of the host's memory"
                            : status == CL_INVALID_BUFFER_SIZE         ? ", more than the device gives an array"
                                                                       : "";
  snprintf(why, sizeof why, "%s: OpenCL's error %d%s", call, (int)status, words);
  told = why;
  return false;
}

// The first GPU there is, or else the first device; LOCKSTEP_OPENCL_DEVICE=n: the n-th, from 0, of all.
struct Device {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program programs[2] = {};
  cl_event last = nullptr;  // of the last launch
  char words[640] = "";     // what it is
  bool as_written = false;  // its compiler is asked to optimise nothing
  bool opened = false;
  int busy = 0;

  void lock() {
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) {
    }
  }
  void unlock() { __atomic_store_n(&busy, 0, __ATOMIC_RELEASE); }
  void open() {
    opened = true;
    cl_platform_id platforms[16];
    cl_uint n = 0, number = 0;
    if (clGetPlatformIDs(16, platforms, &n) != CL_SUCCESS) n = 0;
    const char* asked = getenv("LOCKSTEP_OPENCL_DEVICE");
    cl_uint wanted_number = 0;
    for (const char* c = asked; c && *c >= '0' && *c <= '9'; ++c)
      wanted_number = wanted_number * 10 + (cl_uint)(*c - '0');
    bool gpu = false;
    for (cl_uint k = 0; k < n && k < 16; ++k) {
      cl_device_id devices[16];
      cl_uint m = 0;
      if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, 16, devices, &m) != CL_SUCCESS) continue;
      for (cl_uint j = 0; j < m && j < 16; ++j, ++number) {
        cl_device_type type = 0;
        clGetDeviceInfo(devices[j], CL_DEVICE_TYPE, sizeof type, &type, nullptr);
        const bool is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
        const bool wanted = asked ? wanted_number == number : !device || (is_gpu && !gpu);
        if (!wanted) continue;
        device = devices[j];
        gpu = is_gpu;
      }
    }
    if (!device) {
      told = "OpenCL finds no such device";
      return;
    }
    cl_int status = 0;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    if (!context) {
      failed("clCreateContext", status);
      return;
    }
    describe();
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    if (!queue) failed("clCreateCommandQueue", status);
  }
  void release() {
    for (cl_program& p : programs) {
      if (p) clReleaseProgram(p);
      p = nullptr;
    }
    if (last) clReleaseEvent(last);
    last = nullptr;
    if (queue) clReleaseCommandQueue(queue);
    if (context) clReleaseContext(context);
    device = nullptr;
    queue = nullptr;
    context = nullptr;
    opened = false;
  }

  // The kernels, with indices of 32 bits or of 64; null where the device does not take them.
  cl_program program(bool narrow) {
    lock();
    if (queue && !programs[narrow]) programs[narrow] = build(narrow);
    unlock();
    return programs[narrow];
  }

 private:
  void describe() {
    char name[256] = "", version[256] = "", driver[64] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version - 1, version, nullptr);
    clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver - 1, driver, nullptr);
    snprintf(words, sizeof words, "%s, %s, driver %s", name, version, driver);
    // PoCL up to 3.1 optimises some kernels into wrong ones.
    as_written = (strstr(version, "PoCL") || strstr(version, "pocl")) && driver[0] >= '0' && driver[0] <= '3' &&
                 driver[1] == '.';
  }
  cl_program build(bool narrow) {
    cl_int status = 0;
    const char* text = kernels;
    cl_program made = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
    if (!made) {
      failed("clCreateProgramWithSource", status);
      return nullptr;
    }
    // What a compiler warns of in a text that was made is nothing to who runs it, who would see it (PoCL, Oclgrind).
    // Quotients and roots are rounded as IEEE has it where the device can; no product is contracted into a sum.
    cl_device_fp_config floats = 0;
    clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof floats, &floats, nullptr);
    const bool rounds = (floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    char options[160];
    snprintf(options, sizeof options, "-cl-std=CL1.2 -w -DLOCKSTEP_INDEX=%s%s%s", narrow ? "int" : "long",
             rounds ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", as_written ? " -cl-opt-disable" : "");
    status = clBuildProgram(made, 1, &device, options, nullptr, nullptr);
    if (status == CL_SUCCESS) return made;
    failed("clBuildProgram", status);
    const size_t used = strlen(why);
    size_t size = 0;
    if (clGetProgramBuildInfo(made, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) == CL_SUCCESS && size > 1) {
      char* log = new char[size + 1]();
      clGetProgramBuildInfo(made, device, CL_PROGRAM_BUILD_LOG, size, log, nullptr);
      snprintf(why + used, sizeof why - used, ": the device's compiler refuses the kernels: %s", log);
      delete[] log;
    }
    clReleaseProgram(made);
    return nullptr;
  }
} the_device;
Device& device() {
  the_device.lock();
  if (!the_device.opened) the_device.open();
  the_device.unlock();
  return the_device;
}
void device_release() {
  if (!time_limit.given_up) the_device.release();
}
[[maybe_unused]] const char* device_words() { return device().words; }
const char* device_fault() { return told; }

// Until what was launched has ended; false where it does not end in time, or fails.
bool device_wait() {
  const auto state = [] {
    cl_int is = CL_COMPLETE;
    if (device().last) clGetEventInfo(device().last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof is, &is, nullptr);
    if (is >= 0) return is == CL_COMPLETE ? 1 : 0;
    failed(time_limit.latest, is);
    return -1;
  };
  if (time_limit.wait(state, why, sizeof why)) return true;
  told = why;
  return false;
}
typedef cl_mem DeviceMemory;
bool device_allocate(DeviceMemory* memory, uint64_t bytes) {
  if (time_limit.given_up && !device_wait()) return false;
  cl_int status = 0;
  *memory = device().queue ? clCreateBuffer(device().context, CL_MEM_READ_WRITE, bytes, nullptr, &status) : nullptr;
  if (*memory || !device().queue) return *memory != nullptr;
  failed("clCreateBuffer", status);
  cl_ulong most = 0, all = 0;
  clGetDeviceInfo(device().device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
  clGetDeviceInfo(device().device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, nullptr);
  snprintf(why + strlen(why), sizeof why - strlen(why),
           " (%llu bytes are asked for; of the device's %llu an array has %llu at most)", (unsigned long long)bytes,
           (unsigned long long)all, (unsigned long long)most);
  return false;
}
void device_free(DeviceMemory memory) {
#ifdef LOCKSTEP_NO_POOL
  (void)memory;  // Oclgrind takes what is new for what was there before, where it has its address
#else
  if (!time_limit.given_up) clReleaseMemObject(memory);
#endif
}
[[maybe_unused]] bool device_clear(DeviceMemory memory, uint64_t bytes) {
  if (!device_wait()) return false;
  const char nothing[256] = {};
  for (uint64_t at = 0; at < bytes; at += sizeof nothing) {
    const uint64_t left = bytes - at, some = left < sizeof nothing ? left : sizeof nothing;
    const cl_int status = clEnqueueWriteBuffer(device().queue, memory, CL_TRUE, at, some, nothing, 0, nullptr, nullptr);
    if (status != CL_SUCCESS) return failed("clEnqueueWriteBuffer", status);
  }
  return true;
}
[[maybe_unused]] bool device_send(DeviceMemory to, const void* from, uint64_t bytes) {
  if (bytes == 0) return true;
  if (!device_wait()) return false;
  const cl_int status = clEnqueueWriteBuffer(device().queue, to, CL_TRUE, 0, bytes, from, 0, nullptr, nullptr);
  return status == CL_SUCCESS || failed("clEnqueueWriteBuffer", status);
}
[[maybe_unused]] bool device_fetch(void* to, DeviceMemory from, uint64_t bytes) {
  if (!device_wait()) return false;  // also of nothing: who is given it may end while a kernel is compiled
  if (bytes == 0) return true;
  const cl_int status = clEnqueueReadBuffer(device().queue, from, CL_TRUE, 0, bytes, to, 0, nullptr, nullptr);
  return status == CL_SUCCESS || failed("clEnqueueReadBuffer", status);
}
template <class T>
struct DeviceData {
  typedef cl_mem type;
};
#define LOCKSTEP_TAKEN(data, bytes) (void)0
#define LOCKSTEP_GIVEN_BACK(data) (void)0
