// Drivers, asked what they have (hip_device.h).
#include "codegen/targets/hip_device.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "codegen/runtime/compiler.h"

namespace lockstep {
namespace {

class Library {
 public:
  explicit Library(const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (!handle_ && (handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))) name_ = name;
  }
  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& name() const { return name_; }
  // Its status; that of a call that it has not is none of theirs.
  template <class... P>
  int call(const char* function, P... given) const {
    void* found = handle_ ? ::dlsym(handle_, function) : nullptr;
    return found ? reinterpret_cast<int (*)(P...)>(found)(given...) : -1;
  }

 private:
  void* handle_ = nullptr;  // it stays: what a driver has begun outlives us
  std::string name_;
};

const Library& nvidia() {
  static const Library library({"libcuda.so.1"});
  return library;
}
const Library& amd() {
  static const Library library({"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"});
  return library;
}
// The newest that is no newer than the driver, which does not take what a newer one makes.
Library nvrtc_for(int driver_major) {
  std::vector<std::string> names;
  for (const auto& [major, suffix] : {std::pair{13, ".13"}, {12, ".12"}, {11, ".11.2"}, {0, ""}})
    for (const std::string folder : {"", "/usr/local/cuda/lib64/"})
      if (major <= driver_major) names.push_back(folder + "libnvrtc.so" + suffix);
  return Library(names);
}
// Of a library of its own, or in the driver's.
const Library& hiprtc() {
  static const Library library({"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so"});
  return library ? library : amd();
}

std::string error_of(const char* call, int status) {
  return std::string(call) + " fails with error " + std::to_string(status);
}

const char* asked_device() {
  const char* asked = std::getenv("LOCKSTEP_HIP_DEVICE");
  return asked && *asked ? asked : "0";
}
tl::expected<int, std::string> asked_number(int count) {
  if (count < 1) return tl::unexpected(std::string("it has no device"));
  const std::string_view asked = asked_device();
  int number = -1;
  const auto [end, error] = std::from_chars(asked.begin(), asked.end(), number);
  if (error == std::errc() && end == asked.end() && number >= 0 && number < count) return number;
  return tl::unexpected("it has " + std::to_string(count) + " device" + (count == 1 ? "" : "s") +
                        ", and LOCKSTEP_HIP_DEVICE is " + std::string(asked));
}

tl::expected<HipDevice, std::string> nvidia_device() {
  const Library& driver = nvidia();
  HipDevice d{.cuda = true};
  int count = 0, version = 0, device = 0, major = 0, minor = 0;
  char name[256] = "";
  if (const int status = driver.call("cuInit", 0u)) return tl::unexpected(error_of("cuInit", status));
  if (const int status = driver.call("cuDriverGetVersion", &version))
    return tl::unexpected(error_of("cuDriverGetVersion", status));
  constexpr int oldest = 10000;
  d.driver_major = version / 1000;
  d.driver = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  if (version < oldest) return tl::unexpected("it is too old: it is made for " + d.driver + ", and 10.0 is needed");
  if (const int status = driver.call("cuDeviceGetCount", &count))
    return tl::unexpected(error_of("cuDeviceGetCount", status));
  const auto number = asked_number(count);
  if (!number) return tl::unexpected(number.error());
  d.number = *number;
  constexpr int of_major = 75, of_minor = 76;  // what is asked of a device, by number
  if (driver.call("cuDeviceGet", &device, d.number) ||
      driver.call("cuDeviceGetName", &name[0], static_cast<int>(sizeof name), device) ||
      driver.call("cuDeviceGetAttribute", &major, of_major, device) ||
      driver.call("cuDeviceGetAttribute", &minor, of_minor, device))
    return tl::unexpected(std::string("it says nothing of its device"));
  d.name = name;
  d.arch = "sm_" + std::to_string(major * 10 + minor);
  return d;
}

tl::expected<HipDevice, std::string> amd_device() {
  const Library& driver = amd();
  HipDevice d;
  int count = 0, version = 0;
  if (const int status = driver.call("hipInit", 0u)) return tl::unexpected(error_of("hipInit", status));
  if (const int status = driver.call("hipGetDeviceCount", &count))
    return tl::unexpected(error_of("hipGetDeviceCount", status));
  const auto number = asked_number(count);
  if (!number) return tl::unexpected(number.error());
  d.number = *number;
  driver.call("hipRuntimeGetVersion", &version);
  d.driver_major = version / 10000000;
  d.driver = "HIP " + std::to_string(d.driver_major) + "." + std::to_string(version / 100000 % 100);
  // What a device is like lies in a structure that differs from version to version: the name first, and somewhere in
  // it the architecture, "gfx90a:sramecc+:xnack-".
  std::vector<char> all(std::size_t{64} << 10);
  if (driver.call("hipGetDeviceProperties", all.data(), d.number))
    return tl::unexpected(std::string("it says nothing of its device"));
  d.name = all.data();
  const std::string_view bytes(all.data(), all.size());
  const std::size_t at = bytes.find("gfx", d.name.size());
  if (at == std::string_view::npos) return tl::unexpected("it says no architecture of '" + d.name + "'");
  const std::string arch(all.data() + at);
  d.arch = arch.substr(0, arch.find(':'));
  return d;
}

// The largest that it knows of those that are no larger than the device's.
std::string known_arch(const HipDevice& device, const Library& compiler) {
  int count = 0;
  const int own = std::atoi(device.arch.c_str() + std::strlen("sm_"));
  if (compiler.call("nvrtcGetNumSupportedArchs", &count)) return device.arch;
  std::vector<int> all(static_cast<std::size_t>(std::max(count, 1)));
  compiler.call("nvrtcGetSupportedArchs", all.data());
  int best = 0;
  for (const int a : all)
    if (a <= own) best = std::max(best, a);
  return best == own || best == 0 ? device.arch : "compute_" + std::to_string(best);
}

}  // namespace

tl::expected<HipDevice, std::string> hip_device() {
  if (asked_device() == std::string_view("none")) return tl::unexpected(std::string("LOCKSTEP_HIP_DEVICE is none"));
  if (!nvidia() && !amd())
    return tl::unexpected(
        std::string("there is no driver of a GPU: neither NVIDIA's libcuda.so.1 nor AMD's libamdhip64.so"));
  std::string why;
  if (nvidia()) {
    auto found = nvidia_device();
    if (found) return found;
    why = "NVIDIA's driver: " + found.error();
  }
  if (amd()) {
    auto found = amd_device();
    if (found) return found;
    why += (why.empty() ? "" : "; ") + std::string("AMD's driver: ") + found.error();
  }
  return tl::unexpected(why);
}

std::optional<KernelCompiler> clang_for_nvidia() {
  const auto clang = on_path("clang++");
  if (!clang) return {};
  return KernelCompiler{KernelCompiler::By::Clang, *clang, version_of({*clang, *clang}), "sm_75", {}};
}

tl::expected<KernelCompiler, std::string> kernel_compiler(const HipDevice& device) {
  int major = 0, minor = 0;
  const auto version = [&] { return " " + std::to_string(major) + "." + std::to_string(minor); };
  using By = KernelCompiler::By;
  if (!device.cuda) {
    if (hiprtc().call("hiprtcVersion", &major, &minor))
      return tl::unexpected(std::string("there is no hiprtc, which compiles kernels for AMD's GPUs"));
    return KernelCompiler{By::Hiprtc, hiprtc().name(), "hiprtc" + version(), device.arch, {}};
  }
  std::string why = "there is no libnvrtc.so";
  const Library nvrtc = nvrtc_for(device.driver_major);
  if (nvrtc.call("nvrtcVersion", &major, &minor) == 0) {
    if (major <= device.driver_major)
      return KernelCompiler{By::Nvrtc, nvrtc.name(), "NVRTC" + version(), known_arch(device, nvrtc), {}};
    why = "NVRTC" + version() + " is too new for a driver of " + device.driver;
  }
  if (auto clang = clang_for_nvidia()) return *clang;
  return tl::unexpected("nothing compiles kernels for NVIDIA's GPUs: " + why + ", and there is no clang++");
}

std::string made_by(const HipDevice& device, const KernelCompiler& compiler) {
  return device.name + " (" + device.arch + "), driver for " + device.driver + ", kernels by " + compiler.name +
         " for " + compiler.arch;
}

}  // namespace lockstep
