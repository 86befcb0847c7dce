// Host programs to HIP (hip.h). Device kernels take by value the numbers of the host and inputs of one scalar that they
// use, and pointers to the device's arrays.
#include "codegen/targets/hip.h"

#include <algorithm>

#include "codegen/c/device_kernel.h"
#include "codegen/runtime/compiler.h"
#include "codegen/targets/hip_prologue.h"
#include "codegen/targets/texts.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

namespace {

// Their arguments are of 32 or 64 bits, the latter unsigned long long: addition and bits do not ask for a sign.
std::optional<std::string> hip_atomic(const Primitive& op, ScalarType t, const std::string& place,
                                      const std::string& value) {
  const bool wide = bytes_of(t) == 8;
  if (!is_integer(t) || (!wide && bytes_of(t) != 4)) return {};
  const auto call = [&](const std::string& function) {
    const std::string type = wide ? "(unsigned long long*)" : "", of_value = wide ? "(unsigned long long)" : "";
    return function + "(" + type + place + ", " + of_value + value + ")";
  };
  for (const auto& [name, function] :
       {std::pair{"+", "atomicAdd"}, {"&", "atomicAnd"}, {"|", "atomicOr"}, {"^", "atomicXor"}})
    if (op.name == name) return call(function);
  if (t == ScalarType::I64) return {};  // HIP 5.2 has the rest on unsigned long long only
  for (const auto& [name, function] : {std::pair{"min", "atomicMin"}, {"max", "atomicMax"}})
    if (op.name == name) return call(function);
  return {};
}

const DeviceWords& hip_words() {
  static const DeviceWords words{.name = "HIP",
                                 .dialect = &hip_dialect(),
                                 .head = "static __global__ void",
                                 .of_index = "template <class Index>",
                                 .device = "",
                                 .block = "",
                                 .restricted = "__restrict__",
                                 .thread = "threadIdx.x",
                                 .group = "blockIdx.x",
                                 .all = "blockIdx.x * (#0)blockDim.x + threadIdx.x",
                                 .barrier = "__syncthreads();",
                                 .any_of_block = "__syncthreads_or(#0)",
                                 .shared = "LOCKSTEP_SHARED(#0, #1, #2);",
                                 .shared_at_launch = "LOCKSTEP_SHARED_AT_LAUNCH(#0);",
                                 .atomic = hip_atomic,
                                 .atomics = "on i32, u32, i64 and u64 it has + & | ^, on i32, u32 and u64 min and max",
                                 .warps = true};
  return words;
}

}  // namespace

std::vector<std::string> hip_unfit(const kernel::Program& program) { return device_unfit(hip_words(), program); }

HipText hip_text(const host::Program& program) {
  const kernel::Program& of = program.of;
  const DeviceText t = device_text(
      hip_words(), hip_dialect(), program,
      [](const HostLaunch& l, const std::string& index, bool, const std::vector<std::string>& passed) {
        const std::string kernel = index.empty() ? l.kernel : l.kernel + "<" + index + ">";
        return "LOCKSTEP_LAUNCH(" + kernel + ", " + l.shape + ", " + l.bytes + (passed.empty() ? "" : ", ") +
               comma_list(passed) + ")";
      },
      "static __device__ inline");
  const std::string header =
      c_header(of,
               "   Compile its source with hipcc -O3 -ffp-contract=off. Where there is CUDA and "
               "no HIP:\n   nvcc -x cu -std=c++17 -O3 --fmad=false -Invidia, the folder beside it.",
               true);
  const std::string before =
      hip_device_prologue(of) + (t.declarations.empty() ? "" : "namespace {\n" + t.declarations + "}\n");
  HipText out{before, hip_host_prologue(of, t.asked) + t.entry, header, {}, {}};
  for (const DeviceText::Kernel& k : t.kernels) {
    // What a compiler says of a line is of that of the whole text.
    const auto before_it = static_cast<std::size_t>(std::count(out.kernel.begin(), out.kernel.end(), '\n'));
    const std::string place = "#line " + std::to_string(before_it + 1) + " \"" + file_stem(of) + ".hip\"\n";
    for (TextPlace& p : moved_to(k.places, before_it)) out.places.push_back(std::move(p));
    std::vector<std::string> forms{k.name};
    if (k.narrow) forms = {k.name + "<int64_t>", k.name + "<int32_t>"};
    out.modules.push_back({loader_name(of), before + place + k.text, std::move(forms)});
    out.kernel += k.text;
  }
  return out;
}

CSource hip_source(const AnyProgram& program) { return in_parts(hip_text(program.as<host::Program>()).source()); }

std::vector<TextFile> hip_files(const AnyProgram& program) {
  const auto& hosted = program.as<host::Program>();
  const HipText text = hip_text(hosted);
  const std::string name = file_stem(hosted.of);
  return {{name + ".hip", text.source()},
          {name + ".hip.h", text.header},
          {"nvidia/hip/hip_runtime.h", std::string(nvidia_header)}};
}

// Of the host's part, which calls a driver.
static std::vector<std::string> host_flags() { return {"-std=c++17", "-O1", "-fwrapv", "-ldl"}; }
static std::vector<CompileRequest::Header> host_headers() {
  return {{"hip/hip_runtime.h", std::string(driver_header)}};
}
static tl::unexpected<CompileFailure> no_compiler(const std::string& why) {
  return not_compiled(CompileFailure::Kind::NoCompiler, why);
}

tl::expected<Executable, CompileFailure> load_hip(const HipText& text, const kernel::Program& program,
                                                  const Type& result) {
  const auto device = hip_device();
  if (!device) return no_compiler(device.error());
  const auto compiler = kernel_compiler(*device);
  if (!compiler) return no_compiler(compiler.error());
  CompileRequest request{text.source(), host_flags(), entry_name(program), true, host_headers()};
  request.headers.push_back(how_made(*device, *compiler));
  request.made = [&] { return compile_kernels(*device, *compiler, text.modules); };
  const std::string before_line = file_stem(program) + ".hip:";  // or, of NVRTC, (
  auto library = compile_cached(request);
  if (!library) {
    CompileFailure failed = library.error();
    failed.message = with_sources(std::move(failed.message), text.places, before_line);
    return tl::unexpected(std::move(failed));
  }
  return Executable(program, result, std::move(*library), {text.places, before_line, made_by(*device, *compiler)});
}

static tl::expected<Executable, CompileFailure> load_by_driver(const AnyProgram& any, const Type& result) {
  const auto& program = any.as<host::Program>();
  return load_hip(hip_text(program), program.of, result);
}

static std::string no_hip() {
  const auto device = hip_device();
  if (!device) return device.error();
  const auto kernels = kernel_compiler(*device);
  if (!kernels) return kernels.error();
  const auto compiler = find_compiler();
  return compiler ? "" : compiler.error();
}

static tl::expected<CompileRequest::Header, CompileFailure> compiled_kernels(const std::vector<AnyProgram>& programs) {
  const auto device = hip_device();
  if (!device) return no_compiler(device.error());
  const auto compiler = kernel_compiler(*device);
  if (!compiler) return no_compiler(compiler.error());
  std::vector<KernelModule> all;
  for (const AnyProgram& p : programs)
    for (KernelModule& m : hip_text(p.as<host::Program>()).modules) all.push_back(std::move(m));
  return compile_kernels(*device, *compiler, all);
}

Target hip_target() {
  return {"hip",
          "an AMD or NVIDIA GPU",
          Machine::Gpu,
          no_hip,
          hip_unfit,
          "HIP",
          hip_files,
          load_by_driver,
          true,
          false,
          {hip_source, host_flags(), host_headers(), compiled_kernels, {}}};
}

}  // namespace lockstep
