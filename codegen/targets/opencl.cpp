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

bool has_device(void* library) {
  const auto platforms = reinterpret_cast<ClIds>(dlsym(library, "clGetPlatformIDs"));
  const auto devices = reinterpret_cast<ClDevices>(dlsym(library, "clGetDeviceIDs"));
  unsigned n = 0;
  if (!platforms || !devices || platforms(0, nullptr, &n) != success) return false;
  std::vector<void*> all(n);
  if (n == 0 || platforms(n, all.data(), nullptr) != success) return false;
  constexpr std::uint64_t of_any_kind = 0xFFFFFFFF;
  return std::any_of(all.begin(), all.end(), [&](void* p) {
    unsigned there = 0;
    return devices(p, of_any_kind, 0, nullptr, &there) == success && there > 0;
  });
}

std::string no_opencl() {
  if (const auto compiler = find_compiler(); !compiler) return compiler.error();
  const bool header =
      std::filesystem::exists("/usr/include/CL/cl.h") || std::filesystem::exists("/usr/local/include/CL/cl.h");
  if (!header) return "there is no CL/cl.h: Debian has it in opencl-c-headers";
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (!library) return "there is no libOpenCL.so.1: Debian has it in ocl-icd-opencl-dev";
  return has_device(library) ? "" : "OpenCL finds no device: pocl-opencl-icd makes one of the CPU";
}

}  // namespace

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
