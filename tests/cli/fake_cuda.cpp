// A driver of NVIDIA's and an NVRTC that are none: kernels are compiled by a C++ compiler against the project's HIP for
// the CPU, and run there, so that what loads and calls them is tested without a GPU. Both are this one library, under
// two names. Where a call is to fail:
//   FAKE_CUDA_FAIL=cuMemAlloc_v2:2:3    the third such call gives the error 2
//   FAKE_CUDA_LOST=n                    from the n-th call on, all give the error 999
//   FAKE_CUDA_WRONG=1                   each copy from the device has a wrong bit
//   FAKE_CUDA_ENDLESS=n                 the n-th launch does not end, or not before it was asked for
//                                       FAKE_CUDA_ROUNDS times
//   FAKE_CUDA_REFUSES=WORD              its NVRTC takes no text that has the word, and says in which line it is
//   FAKE_CUDA_VERSION=9020              the driver's
//   FAKE_CUDA_SAYS=1                    it says on which device a context is made
// FAKE_CUDA_HEADERS is the folder of hip_cpu's headers, and CXX the compiler, g++ where it is not set.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <string>
#include <vector>

namespace {

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = getenv(name);
  return value ? value : otherwise;
}

std::atomic<int> calls{0};
int failing(const std::string& call) {
  static std::map<std::string, int> counts;
  const int number = ++calls, lost = atoi(variable("FAKE_CUDA_LOST", "0").c_str());
  if (lost > 0 && number >= lost) return 999;
  const std::string asked = variable("FAKE_CUDA_FAIL");
  const size_t first = asked.find(':'), second = asked.find(':', first + 1);
  if (asked.empty() || first == std::string::npos || asked.substr(0, first) != call) return 0;
  const int wanted = second == std::string::npos ? 1 : atoi(asked.c_str() + second + 1);
  return ++counts[call] == wanted ? atoi(asked.c_str() + first + 1) : 0;
}

bool running = false;
int rounds_left = 0;  // until it has ended
// A real driver would wait for ever.
int waits_for_ever() {
  if (running) fprintf(stderr, "the driver is asked to wait for a kernel that does not end\n");
  return running ? 702 : 0;
}

using Launch = int(const unsigned*, void**, size_t);

// An image: how long it is, and a shared library.
constexpr char start[9] = "FAKECUDA";

}  // namespace

#define CALL(name)                                     \
  do {                                                 \
    if (const int error = failing(name)) return error; \
  } while (false)

extern "C" {

int cuInit(unsigned) {
  CALL("cuInit");
  return 0;
}
int cuDriverGetVersion(int* version) {
  *version = atoi(variable("FAKE_CUDA_VERSION", "12040").c_str());
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = atoi(variable("FAKE_CUDA_DEVICES", "1").c_str());
  return 0;
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return 0;
}
int cuDeviceGetName(char* name, int size, int) {
  snprintf(name, (size_t)size, "a GPU that is none");
  return 0;
}
int cuDeviceGetAttribute(int* value, int which, int) {
  *value = which == 75 ? 9 : 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  CALL("cuDevicePrimaryCtxRetain");
  if (variable("FAKE_CUDA_SAYS") != "") fprintf(stderr, "a context of device %d\n", device);
  *context = &calls;
  return 0;
}
int cuCtxSetCurrent(void*) {
  CALL("cuCtxSetCurrent");
  return 0;
}
int cuGetErrorString(int error, const char** text) {
  *text = error == 2     ? "out of memory"
          : error == 999 ? "unknown error"
          : error == 719 ? "unspecified launch failure"
                         : "an error";
  return 0;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options, void** values) {
  CALL("cuModuleLoadDataEx");
  const char* bytes = (const char*)image;
  if (memcmp(bytes, start, 8) != 0) {
    for (unsigned k = 0; k < count; ++k)
      if (options[k] == 5) snprintf((char*)values[k], 64, "this is no image of the fake NVRTC");
    return 200;
  }
  uint64_t size = 0;
  memcpy(&size, bytes + 8, sizeof size);
  char path[] = "/tmp/fake-cuda-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0 || write(file, bytes + 16, size) != (ssize_t)size) return 2;
  close(file);
  *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  unlink(path);
  if (!*module) fprintf(stderr, "%s\n", dlerror());
  return *module ? 0 : 209;
}
int cuModuleUnload(void* module) {
  if (const int error = waits_for_ever()) return error;
  return dlclose(module) == 0 ? 0 : 1;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  CALL("cuModuleGetFunction");
  *function = dlsym(module, name);
  return *function ? 0 : 500;
}
int cuMemAlloc_v2(void** memory, size_t bytes) {
  CALL("cuMemAlloc_v2");
  *memory = malloc(bytes);
  if (!*memory) return 2;
  memset(*memory, 0xa5, bytes);
  return 0;
}
int cuMemFree_v2(void* memory) {
  if (const int error = waits_for_ever()) return error;
  free(memory);
  return 0;
}
int cuMemGetInfo_v2(size_t* left, size_t* all) {
  *left = 1 << 20, *all = 1 << 30;
  return 0;
}
int cuMemsetD8_v2(void* memory, unsigned char value, size_t bytes) {
  CALL("cuMemsetD8_v2");
  memset(memory, value, bytes);
  return 0;
}
int cuMemcpyHtoD_v2(void* to, const void* from, size_t bytes) {
  CALL("cuMemcpyHtoD_v2");
  if (const int error = waits_for_ever()) return error;
  memcpy(to, from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void* to, const void* from, size_t bytes) {
  CALL("cuMemcpyDtoH_v2");
  if (const int error = waits_for_ever()) return error;
  memcpy(to, from, bytes);
  if (variable("FAKE_CUDA_WRONG") != "") ((char*)to)[0] ^= 1;
  return 0;
}
int cuMemcpyDtoD_v2(void* to, void* from, size_t bytes) {
  memcpy(to, from, bytes);
  return 0;
}
int cuEventCreate(void** event, unsigned) {
  *event = calloc(1, sizeof(timespec));
  return 0;
}
int cuEventRecord(void* event, void*) { return clock_gettime(CLOCK_MONOTONIC, (timespec*)event); }
int cuEventSynchronize(void*) { return waits_for_ever(); }
int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  const timespec &a = *(timespec*)from, &b = *(timespec*)to;
  *milliseconds = (float)((double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) * 1e-6);
  return 0;
}
int cuEventDestroy_v2(void* event) {
  free(event);
  return 0;
}
int cuStreamQuery(void*) {
  if (running && rounds_left > 0 && --rounds_left == 0) running = false;
  return running ? 600 : 0;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned bytes, void*, void** arguments, void**) {
  CALL("cuLaunchKernel");
  static int launches = 0;
  if (++launches == atoi(variable("FAKE_CUDA_ENDLESS", "0").c_str())) {
    running = true;
    rounds_left = atoi(variable("FAKE_CUDA_ROUNDS", "0").c_str());
    if (rounds_left == 0) return 0;
  }
  const unsigned shape[] = {gx, gy, gz, bx, by, bz};
  return ((Launch*)function)(shape, arguments, bytes);
}

// ---- NVRTC
struct FakeProgram {
  std::string source, image, log;
  std::vector<std::string> names, lowered;
};

int nvrtcVersion(int* major, int* minor) {
  *major = 12, *minor = 0;
  return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = 2;
  return 0;
}
int nvrtcGetSupportedArchs(int* all) {
  all[0] = 75, all[1] = 90;
  return 0;
}
int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*, const char* const*) {
  *program = new FakeProgram{source, "", "", {}, {}};
  return 0;
}
int nvrtcAddNameExpression(void* program, const char* name) {
  FakeProgram& p = *(FakeProgram*)program;
  p.names.push_back(name);
  p.lowered.push_back("launch_" + std::to_string(p.names.size()));
  return 0;
}
int nvrtcGetLoweredName(void* program, const char* name, const char** lowered) {
  const FakeProgram& p = *(FakeProgram*)program;
  for (size_t k = 0; k < p.names.size(); ++k)
    if (p.names[k] == name) *lowered = p.lowered[k].c_str();
  return 0;
}
int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  FakeProgram& p = *(FakeProgram*)program;
  const std::string refused = variable("FAKE_CUDA_REFUSES");
  const size_t where = refused.empty() ? std::string::npos : p.source.find(refused);
  if (where != std::string::npos) {
    // Of the line, as #line says.
    int line = 0;
    std::string file;
    for (size_t from = 0; from <= where; from = p.source.find('\n', from) + 1, ++line) {
      char name[256] = "";
      int number = 0;
      if (sscanf(p.source.c_str() + from, "#line %d \"%255[^\"]\"", &number, name) == 2) line = number - 1, file = name;
    }
    p.log = file + "(" + std::to_string(line - 1) + "): error: it has " + refused;
    return 6;
  }
  for (int k = 0; k < count; ++k)
    if (variable("FAKE_CUDA_ARCH_CRASH") != "" && strstr(options[k], "architecture")) abort();
  std::string text = p.source;
  for (size_t k = 0; k < p.names.size(); ++k)
    text += "extern \"C\" int " + p.lowered[k] +
            "(const unsigned* s, void** arguments, size_t bytes) {\n  return hipLaunchKernel(LOCKSTEP_KERNEL(" +
            p.names[k] + ", \"\"), dim3(s[0], s[1], s[2]), dim3(s[3], s[4], s[5]), arguments, bytes, nullptr);\n}\n";
  char folder[] = "/tmp/fake-nvrtc-XXXXXX";
  if (!mkdtemp(folder)) return 1;
  const std::string at = folder, file = at + "/kernels.cpp", made = at + "/kernels.so", said = at + "/log";
  if (FILE* out = fopen(file.c_str(), "w")) {
    fputs(text.c_str(), out);
    fclose(out);
  }
  const int status = system((variable("CXX", "g++") +
                             " -std=c++20 -O1 -w -ffp-contract=off -D__restrict__= -shared -fPIC -pthread -I'" +
                             variable("FAKE_CUDA_HEADERS") + "' '" + file + "' -o '" + made + "' 2>'" + said + "'")
                                .c_str());
  const auto read_all = [](const std::string& path) {
    std::string all;
    if (FILE* in = fopen(path.c_str(), "rb")) {
      char part[4096];
      for (size_t got; (got = fread(part, 1, sizeof part, in)) > 0;) all.append(part, got);
      fclose(in);
    }
    return all;
  };
  p.log = read_all(said);
  const std::string library = read_all(made);
  const uint64_t size = library.size();
  p.image = std::string(start, 8) + std::string((const char*)&size, sizeof size) + library;
  for (const std::string& path : {file, made, said}) unlink(path.c_str());
  rmdir(folder);
  return status == 0 ? 0 : 6;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
  *size = ((FakeProgram*)program)->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void* program, char* to) {
  strcpy(to, ((FakeProgram*)program)->log.c_str());
  return 0;
}
int nvrtcGetCUBINSize(void* program, size_t* size) {
  *size = ((FakeProgram*)program)->image.size();
  return 0;
}
int nvrtcGetCUBIN(void* program, char* to) {
  const std::string& image = ((FakeProgram*)program)->image;
  memcpy(to, image.data(), image.size());
  return 0;
}
}
