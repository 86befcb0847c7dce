// A driver of AMD's and a hiprtc that are none: the same as NVIDIA's that are none (fake_cuda.cpp), under HIP's names.
#include "fake_cuda.cpp"

extern "C" {

int hipInit(unsigned flags) { return cuInit(flags); }
int hipGetDeviceCount(int* count) { return cuDeviceGetCount(count); }
int hipRuntimeGetVersion(int* version) {
  *version = 60300000;
  return 0;
}
// The name first, and somewhere the architecture.
int hipGetDeviceProperties(void* properties, int) {
  char* const bytes = (char*)properties;
  memset(bytes, 0, 1472);
  strcpy(bytes, "a GPU that is none");
  strcpy(bytes + 1160, "gfx90a:sramecc+:xnack-");
  return 0;
}
int hipSetDevice(int) { return 0; }
const char* hipGetErrorString(int error) {
  const char* text = "";
  cuGetErrorString(error, &text);
  return text;
}
int hipModuleLoadData(void** module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
int hipModuleUnload(void* module) { return cuModuleUnload(module); }
int hipModuleGetFunction(void** function, void* module, const char* name) {
  return cuModuleGetFunction(function, module, name);
}
int hipMalloc(void** memory, size_t bytes) { return cuMemAlloc_v2(memory, bytes); }
int hipFree(void* memory) { return cuMemFree_v2(memory); }
int hipMemGetInfo(size_t* left, size_t* all) { return cuMemGetInfo_v2(left, all); }
int hipMemsetD8(void* memory, unsigned char value, size_t bytes) { return cuMemsetD8_v2(memory, value, bytes); }
int hipMemcpyHtoD(void* to, const void* from, size_t bytes) { return cuMemcpyHtoD_v2(to, from, bytes); }
int hipMemcpyDtoH(void* to, const void* from, size_t bytes) { return cuMemcpyDtoH_v2(to, from, bytes); }
int hipMemcpyDtoD(void* to, void* from, size_t bytes) { return cuMemcpyDtoD_v2(to, from, bytes); }
int hipEventCreateWithFlags(void** event, unsigned flags) { return cuEventCreate(event, flags); }
int hipEventRecord(void* event, void* stream) { return cuEventRecord(event, stream); }
int hipEventSynchronize(void* event) { return cuEventSynchronize(event); }
int hipEventElapsedTime(float* milliseconds, void* from, void* to) {
  return cuEventElapsedTime(milliseconds, from, to);
}
int hipEventDestroy(void* event) { return cuEventDestroy_v2(event); }
int hipStreamQuery(void* stream) { return cuStreamQuery(stream); }
int hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned bytes, void* stream, void** arguments, void** more) {
  return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, bytes, stream, arguments, more);
}

int hiprtcVersion(int* major, int* minor) {
  *major = 6, *minor = 3;
  return 0;
}
int hiprtcCreateProgram(void** program, const char* source, const char* name, int count, const char* const* headers,
                        const char* const* names) {
  return nvrtcCreateProgram(program, source, name, count, headers, names);
}
int hiprtcAddNameExpression(void* program, const char* name) { return nvrtcAddNameExpression(program, name); }
int hiprtcGetLoweredName(void* program, const char* name, const char** lowered) {
  return nvrtcGetLoweredName(program, name, lowered);
}
int hiprtcCompileProgram(void* program, int count, const char* const* options) {
  return nvrtcCompileProgram(program, count, options);
}
int hiprtcGetProgramLogSize(void* program, size_t* size) { return nvrtcGetProgramLogSize(program, size); }
int hiprtcGetProgramLog(void* program, char* to) { return nvrtcGetProgramLog(program, to); }
int hiprtcGetCodeSize(void* program, size_t* size) { return nvrtcGetCUBINSize(program, size); }
int hiprtcGetCode(void* program, char* to) { return nvrtcGetCUBIN(program, to); }
}
