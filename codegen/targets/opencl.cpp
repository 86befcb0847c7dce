// Host programs to OpenCL (opencl.h).
#include "codegen/targets/opencl.h"

#include <dlfcn.h>

#include <filesystem>

#include "codegen/c/device_kernel.h"
#include "codegen/runtime/compiler.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

namespace {

// Of 64 bits by extensions, which the text asks for.
std::optional<std::string> opencl_atomic(const Primitive& op, ScalarType t, const std::string& place,
                                         const std::string& value) {
  if (!is_integer(t) || bytes_of(t) < 4) return {};
  const std::string start = bytes_of(t) == 8 ? "atom_" : "atomic_";
  for (const auto& [name, function] :
       {std::pair{"+", "add"}, {"&", "and"}, {"|", "or"}, {"^", "xor"}, {"min", "min"}, {"max", "max"}})
    if (op.name == name) return start + function + "(" + place + ", " + value + ")";
  return {};
}

const DeviceWords& opencl_words() {
  static const DeviceWords words{.name = "OpenCL",
                                 .dialect = &opencl_dialect(),
                                 .head = "__kernel void",
                                 .of_index = "",
                                 .device = "__global ",
                                 .block = "__local ",
                                 .restricted = "restrict",
                                 .thread = "(int)get_local_id(0)",
                                 .group = "(int)get_group_id(0)",
                                 .all = "(#0)get_global_id(0)",
                                 .barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
                                 .any_of_block = "any_of_block(#0, &any)",
                                 .shared = "__local #0 #1[#2];",
                                 .shared_at_head = true,
                                 .shared_at_launch = "",
                                 .local_parameter = "__local uchar* #0",
                                 .local_argument = "OfBlock{(uint64_t)(#0)}",
                                 .scalar_argument = "as_it_is(#0)",
                                 .any_needs = "__local int any;",
                                 .atomic = opencl_atomic,
                                 .atomics = "on i32, u32, i64 and u64 it has + & | ^ min max"};
  return words;
}

std::vector<TextFile> opencl_files(const AnyProgram& program) {
  const auto& hosted = program.as<host::Program>();
  const OpenClText text = opencl_text(hosted);
  const std::string name = file_stem(hosted.of);
  return {{name + ".opencl.cpp", text.host}, {name + ".opencl.h", text.header}};
}

tl::expected<Executable, CompileFailure> load_hosted(const AnyProgram& any, const Type& result) {
  const auto& program = any.as<host::Program>();
  OpenClText text = opencl_text(program);
  return load_opencl(text.host, program.of, result, std::move(text.places));
}

// ------------------------------------------------------------------------------------------------ what is there
constexpr int success = 0;
using ClIds = int (*)(unsigned, void**, unsigned*);
using ClDevices = int (*)(void*, std::uint64_t, unsigned, void**, unsigned*);
using ClInfo = int (*)(void*, unsigned, std::size_t, void*, std::size_t*);

// What the device that a text takes (device/opencl.h) says of its f32; nothing where there is no such device.
std::optional<std::uint64_t> floats_of_device(void* library) {
  const auto platforms = reinterpret_cast<ClIds>(dlsym(library, "clGetPlatformIDs"));
  const auto devices = reinterpret_cast<ClDevices>(dlsym(library, "clGetDeviceIDs"));
  const auto info = reinterpret_cast<ClInfo>(dlsym(library, "clGetDeviceInfo"));
  unsigned n = 0;
  if (!platforms || !devices || !info || platforms(0, nullptr, &n) != success) return {};
  std::vector<void*> all(n), there;
  if (n == 0 || platforms(n, all.data(), nullptr) != success) return {};
  for (void* p : all) {
    constexpr std::uint64_t of_any_kind = 0xFFFFFFFF;
    unsigned m = 0;
    if (devices(p, of_any_kind, 0, nullptr, &m) != success || m == 0) continue;
    there.resize(there.size() + m);
    if (devices(p, of_any_kind, m, there.data() + there.size() - m, nullptr) != success) return {};
  }
  const auto says = [&](void* device, unsigned what) {
    std::uint64_t out = 0;
    return info(device, what, sizeof out, &out, nullptr) == success ? out : 0;
  };
  const auto is_gpu = [&](void* device) {
    constexpr unsigned type = 0x1000;
    return (says(device, type) & 4) != 0;
  };
  auto wanted = std::find_if(there.begin(), there.end(), is_gpu);
  if (wanted == there.end()) wanted = there.begin();
  if (const char* asked = std::getenv("LOCKSTEP_OPENCL_DEVICE"))
    wanted = there.begin() + std::clamp<std::ptrdiff_t>(std::atol(asked), 0, std::ssize(there));
  constexpr unsigned of_f32 = 0x101B;
  return wanted == there.end() ? std::nullopt : std::optional(says(*wanted, of_f32));
}

std::string no_opencl() {
  if (const auto compiler = find_compiler(); !compiler) return compiler.error();
  const bool header =
      std::filesystem::exists("/usr/include/CL/cl.h") || std::filesystem::exists("/usr/local/include/CL/cl.h");
  if (!header) return "there is no CL/cl.h: Debian has it in opencl-c-headers";
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (!library) return "there is no libOpenCL.so.1: Debian has it in ocl-icd-opencl-dev";
  const auto floats = floats_of_device(library);
  if (const char* asked = std::getenv("LOCKSTEP_OPENCL_DEVICE"); asked && !floats)
    return "OpenCL finds no device " + std::string(asked) + ", which LOCKSTEP_OPENCL_DEVICE names";
  if (!floats) return "OpenCL finds no device: pocl-opencl-icd makes one of the CPU";
  return opencl_without(*floats);
}

}  // namespace

std::string opencl_without(std::uint64_t floats) {
  constexpr std::uint64_t subnormals = 1, rounded = 1 << 7;
  if (!(floats & subnormals)) return "its f32 has no subnormals, and its results could not be compared with others";
  if (!(floats & rounded))
    return "it does not round quotients of f32 as IEEE has it: its results could not be compared";
  return "";
}

std::vector<std::string> opencl_unfit(const kernel::Program& program) { return device_unfit(opencl_words(), program); }

OpenClText opencl_text(const host::Program& program) {
  const kernel::Program& of = program.of;
  const DeviceText t = device_text(
      opencl_words(), cpp_dialect(), program,
      [](const HostLaunch& l, const std::string& index, bool narrow, const std::vector<std::string>& passed) {
        std::string given;
        for (const std::string& x : passed) given += ", " + x;
        return "launch<" + (index.empty() ? "int64_t" : index) + ">(" + (narrow ? "narrow" : "false") + ", " +
               c_string(l.kernel) + ", " + l.shape + given + ")";
      },
      "static inline");
  const auto lines = [](const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  };
  OpenClText out{opencl_device_prologue(of) + t.declarations + "\n",
                 {},
                 c_header(of, "   Compile its source with g++ -O2, and link it with -lOpenCL.", true)};
  for (const DeviceText::Kernel& k : t.kernels) {
    for (TextPlace& p : moved_to(k.places, lines(out.kernel))) out.places.push_back(std::move(p));
    out.kernel += k.text;
  }
  out.host = opencl_host_prologue(of, out.kernel, refusal_text(t.asked, trap_name(of))) + t.entry +
             "\nextern \"C\" const char* " + device_name(of) + "() { return device_words(); }\n";
  out.places = moved_to(std::move(out.places), lines(out.host.substr(0, out.host.find(out.kernel))));
  return out;
}

static std::vector<std::string> opencl_flags() {
  return {"-std=c++17", "-O1", "-fwrapv", "-DCL_TARGET_OPENCL_VERSION=120", "-lOpenCL"};
}

tl::expected<Executable, CompileFailure> load_opencl(const std::string& text, const kernel::Program& program,
                                                     const Type& result, std::vector<TextPlace> places) {
  auto library = compile_cached({text, opencl_flags(), entry_name(program), true});
  if (!library) return tl::unexpected(library.error());
  using Words = const char* (*)();
  const auto words = reinterpret_cast<Words>(library->symbol(device_name(program).c_str()));
  return Executable(program, result, std::move(*library),
                    {std::move(places), file_stem(program) + ".opencl.cpp:", words ? words() : ""});
}

Target opencl_target() {
  const auto source = [](const AnyProgram& p) { return in_parts(opencl_text(p.as<host::Program>()).host); };
  return {"opencl",
          "an OpenCL 1.2 device",
          Machine::Gpu,
          no_opencl,
          opencl_unfit,
          "OpenCL C, called from C++",
          opencl_files,
          load_hosted,
          true,
          true,
          {source, opencl_flags(), {}, {}, {Sanitizer::Oclgrind}}};
}

}  // namespace lockstep
