// users-dpia A1: whatever a function, a size or a variable is called, compiled code does the same. Words of this
// machine (words.h) and those listed below (of languages that are not installed) are compiled 250 a source, called, and
// their results compared; and what each makes of a text is none that means something.
//
// One source and a hundred texts by default; ten and all of them with ./dev test --long.
#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "codegen/runtime/compile.h"
#include "codegen/targets/hip.h"
#include "codegen/targets/openmp.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "tests/unit/long_run.h"
#include "tests/unit/words.h"
#include "translate/dpia/stage.h"

namespace names_test {
using namespace lockstep;
using kernel::Program;
using kernel::program_from;
using test::add_words;
using test::is_identifier;
using test::output_of;
using test::Words;
using test::words_made;

namespace {

// Of the finding; the first that are compiled.
const char* const of_the_finding =
    "acosh asinh carg cexp csin ccos ctan cpow isalpha isdigit isspace isupper islower ispunct iswalpha scanf fscanf "
    "sscanf vscanf fprintf sprintf snprintf vprintf vsprintf fputs strcat strchr strcpy strncpy GOMP_parallel "
    "omp_get_num_threads omp_get_thread_num fputc fwrite putc conj creal cimag cabs clog csqrt cproj atanh scalbn "
    "scalbln imaxabs strstr tolower toupper malloc free main abort exit memcpy memset sqrtf exp expf floor fma errno "
    "stdin NULL M_PI linux unix I assert EOF aligned_alloc operator_new _start _init __cxa_throw environ";

// The text's own.
const char* const of_the_text =
    "Scratch Exact trap trapped refused stop stopped sizes inputs outputs fail stream_fence stream_aligned load4 "
    "store4 splat4 stream4 f32x4 f32x4_memory f32x3 u8x16 check value known count bound outside element status data "
    "bytes lockstep_f lockstep_f_call f_call f_trap f_trap_text f_quoted texts traps preconditions a b c d k p v x l r "
    "n xs";

const char* const of_hip =
    "threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 float2 float3 float4 int4 double2 half half2 hipMalloc "
    "hipFree hipMemcpy hipMemset hipError_t hipSuccess hipGetLastError hipLaunchKernelGGL hipMemcpyHostToDevice "
    "hipMemcpyDeviceToHost hipDeviceSynchronize hipStream_t hipEvent_t __global__ __device__ __host__ __shared__ "
    "__constant__ __managed__ __launch_bounds__ __syncthreads __syncthreads_or __threadfence __shfl __shfl_down "
    "__ballot __any __all __popc __clz __ffs __fmaf_rn __expf __logf atomicAdd atomicCAS atomicExch atomicMax "
    "atomicMin "
    "clock64 wall_clock64 DeviceArray DeviceTrap report_trap is_stopped finish grid_of kernel_1 kernel_2 value_device "
    "hip HIP_KERNEL_NAME HIP_DYNAMIC_SHARED hipBlockIdx_x hipThreadIdx_x cooperative_groups rsqrtf sinpif make_float4";

const char* const of_opencl =
    "kernel global local constant private generic read_only write_only read_write pipe half float2 float8 float16 "
    "int16 "
    "uchar ushort uint ulong uchar4 image2d_t image3d_t sampler_t event_t queue_t ndrange_t clk_event_t reserve_id_t "
    "get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups get_work_dim barrier "
    "mem_fence "
    "work_group_barrier CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE async_work_group_copy vload4 vstore4 convert_float4 "
    "as_float as_int mad mad24 mul24 clamp mix step smoothstep native_exp native_sin half_sqrt rsqrt select bitselect "
    "isequal signbit dot cross distance normalize length fast_length shuffle upsample rotate hadd rhadd atomic_add "
    "atomic_cmpxchg atomic_xchg popcount cl_khr_fp64 cl_mem CL_SUCCESS __kernel __global __local __constant __private "
    "__read_only __write_only vec_step sub_group_reduce_add M_PI_F MAXFLOAT HUGE_VALF INFINITY NAN FLT_MAX";

// Those of the finding and a share of all others in the first source.
const std::vector<std::string>& names() {
  static const std::vector<std::string> all = [] {
    Words first, listed;
    add_words(of_the_finding, first);
    for (const char* list : {of_the_text, of_hip, of_opencl}) add_words(list, listed);
    return test::in_order(first, listed);
  }();
  return all;
}

// ---- what is compiled of a name
std::string quoted(const std::string& name) { return "`" + name + "`"; }

// A function, a size and an array. The other names have primes, as none of those that are tried.
Program as_function(const std::string& name) {
  const std::string n = quoted(name);
  return program_from("kernel " + n + "(" + n + ") input f32 " + n + "[" + n + "]; output f32 r'[" + n +
                      "]; for (i' < " + n + ") store r'[i'] = exp.f32(" + n + "[i'] *.f32 0f32) +.f32 fma.f32(" + n +
                      "[i'], 2f32, sqrt.f32(" + n + "[i']));");
}
// A number, the variable of a loop, and one that is assigned.
Program as_variable(const std::string& name, std::size_t number) {
  const std::string v = quoted(name);
  return program_from("kernel variable_" + std::to_string(number) + "(n') input f32 xs'[n']; input f32 " + v +
                      "; output f32 r'[n']; { for (" + v + " < n') store r'[" + v + "] = xs'[" + v + "] *.f32 " + v +
                      "[0]; for (i' < n') { var f32 " + v + " = r'[i']; while (" + v + " <.f32 40f32) " + v + " = " +
                      v + " +.f32 floor.f32(40.5f32); store r'[i'] = " + v + "; } }");
}
// Everything else that a name can be, in parallel loops: arrays on the stack and the heap, what a check shows, in
// facts.
Program as_all(const std::string& name) {
  const std::string v = quoted(name);
  return program_from("kernel " + v + "(" + v + ", n') where " + v + " % 2 == 0, n' <= 2 * " + v + " input i64 " + v +
                      " < n'; output f32 r'[n']; { alloc f32 " + v +
                      "[n' * n'] @global; parallel workgroup (i' < n') { alloc f32 s'[2] " +
                      "@private; var f32 a' = 1f32; parallel local (" + v + " < 4) { store " + v + "[" + v +
                      "] = a'; check (" + v + " < 100) \"!\" \"\" (" + v +
                      "); } store s'[1] = a'; store r'[i'] = s'[1]; } { var f32 " + v +
                      " = 0f32; for (i' < 2) { parallel global (" + v + " < n') store r'[" + v + "] = 1f32; } " +
                      "while (" + v + " <.f32 1f32) { parallel par (j' < 2) { alloc f32 " + v + "[4] @private; store " +
                      v + "[0] = r'[0]; } " + v + " = r'[0]; } } }");
}

float function_result(float x) { return std::exp(x * 0) + std::fma(x, 2.0F, std::sqrt(x)); }
float variable_result(float x, float factor) {
  float v = x * factor;
  while (v < 40) v += std::floor(40.5F);
  return v;
}

using Entry = std::int32_t (*)(const std::int64_t*, const void* const*, void* const*, EntryTrap*);

std::vector<float> call(const CompiledLibrary& library, const Program& p, std::int64_t n,
                        const std::vector<const void*>& inputs, std::int32_t& status) {
  const auto entry = reinterpret_cast<Entry>(library.symbol(loader_name(p).c_str()));
  std::vector<float> r(static_cast<std::size_t>(n), -1);
  void* const outputs[] = {r.data()};
  EntryTrap trap;
  status = entry ? entry(&n, inputs.data(), outputs, &trap) : -1;
  return r;
}

void compiled_and_called(const std::vector<std::string>& names) {
  std::vector<Program> functions, variables;
  Words includes;
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    functions.push_back(as_function(names[k]));
    variables.push_back(as_variable(names[k], k));
    text += in_namespace("f" + std::to_string(k), openmp_text(functions[k]).source, includes);
    text += in_namespace("v" + std::to_string(k), openmp_text(variables[k]).source, includes);
  }
  CompileRequest request{behind_includes(includes, text), openmp_flags(), "names", false};
  std::replace(request.flags.begin(), request.flags.end(), std::string("-O3"), std::string("-O1"));
  const auto library = compile_cached(request);
  if (!library) FAIL(library.error().message);
  const std::vector<float> xs{1, 4, 9, 2.25F};
  const float factor = 3;
  std::string wrong;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<float> f, v;
    for (float x : xs) f.push_back(function_result(x)), v.push_back(variable_result(x, factor));
    std::int32_t status = 0, other = 0;
    const bool right = call(*library, functions[k], 4, {xs.data()}, status) == f && status == 0 &&
                       call(*library, variables[k], 4, {xs.data(), &factor}, other) == v && other == 0;
    if (!right) wrong += " " + names[k];
  }
  CHECK(wrong == "");
}

// In one source as well as in ten a share of every kind: what any name makes of a text is seen below.
std::vector<std::vector<std::string>> sources() {
  std::vector<std::vector<std::string>> out;
  const std::size_t some = std::min(names().size(), std::size_t(test::long_run() ? 2500 : 250));
  for (std::size_t at = 0; at < some; at += 250)
    out.emplace_back(names().begin() + static_cast<std::ptrdiff_t>(at),
                     names().begin() + static_cast<std::ptrdiff_t>(std::min(at + 250, some)));
  return out;
}

bool is_kept_apart(const std::string& word) {
  return word.starts_with("lockstep_") || word.starts_with("LOCKSTEP_lockstep_") ||
         (std::isalpha(static_cast<unsigned char>(word[0])) && word.ends_with("_") &&
          word.find("__") == std::string::npos);
}

std::string cpu_text(const Program& p) {
  const OpenMpText t = openmp_text(p);
  return openmp_source(p) + t.header;
}
std::string gpu_text(const Program& p) {
  const HipText t = hip_text(hosted(dealt_out(p)));
  return t.source() + t.header;
}

}  // namespace

TEST_CASE("users-dpia A1: functions, sizes and variables of any name compute the same", "[codegen]") {
  for (const auto& names : sources()) compiled_and_called(names);
}

TEST_CASE("users-dpia A1: there are 5,000 names and more to try", "[codegen]") { CHECK(names().size() >= 5000); }

TEST_CASE("users-dpia A1: the finding's names as .dpia programs", "[codegen]") {
  Words names;
  add_words("acosh conj scanf cabs tolower GOMP_parallel fputc", names);
  Words includes;
  std::string text;
  std::vector<Program> programs;
  for (const std::string& name : names) {
    const PhraseProgram source = test::entry("fun " + name + " [n] (xs : [n]f32) : [n]f32 = map (\\x -> x * 2) xs");
    programs.push_back(dpia_trace(source, test::calculus(), Machine::Cpu).kernel());
    text += in_namespace("f_" + name, openmp_text(programs.back()).source, includes);
  }
  const auto library = compile_cached({behind_includes(includes, text), openmp_flags(), "finding", false});
  if (!library) FAIL(library.error().message);
  const std::vector<float> xs{1, 4};
  for (const Program& p : programs) {
    INFO(p.name);
    std::int32_t status = 0;
    CHECK(call(*library, p, 2, {xs.data()}, status) == std::vector<float>{2, 8});
    CHECK(status == 0);
  }
}

TEST_CASE("users-dpia A1: what a name becomes is kept apart in C++ and HIP text", "[codegen]") {
  const Program other = as_all("q");
  const std::string cpu = cpu_text(other), gpu = gpu_text(other);
  const std::size_t some = test::long_run() ? names().size() : 100;
  std::string wrong;
  for (std::size_t k = 0; k < some; ++k) {
    const Program p = as_all(names()[k]);
    Words made = words_made(cpu_text(p), cpu);
    made.merge(words_made(gpu_text(p), gpu));
    CHECK(made.size() > 4);
    for (const std::string& word : made)
      if (!is_kept_apart(word)) wrong += " " + word + " (of " + names()[k] + ")";
  }
  CHECK(wrong == "");
}

TEST_CASE("users-dpia A1: kernels of any name compile for NVIDIA's GPUs, by clang++ without CUDA") {
  auto clang = clang_for_nvidia();
  if (!clang) {
    WARN("not run: there is no clang++");
    return;
  }
  clang->flags = {"-O0", "-Wall", "-Werror"};
  for (const auto& names : sources()) {
    Words includes;
    std::string text;
    KernelModule all;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::string space = "n" + std::to_string(k);
      const HipText t = hip_text(hosted(dealt_out(as_all(names[k]))));
      text += in_namespace(space, in_parts(t.source()), includes);
      for (const KernelModule& m : t.modules)
        for (const std::string& name : m.names) all.names.push_back(space + "::" + name);
    }
    all.text = behind_includes(includes, text);
    const auto made = compile_kernels({.cuda = true}, *clang, {all});
    INFO((made ? "" : made.error().message));
    CHECK(made);
  }
}

TEST_CASE("users-dpia A1: ... and where one is not, it is seen, but for comments and texts in quotes", "[codegen]") {
  const std::string text = cpu_text(as_all("cpow"));
  CHECK_FALSE(is_kept_apart("cpow"));
  CHECK(words_made(text, text + " x") == Words{"another number of words"});
  CHECK(words_made("int a = 1'000; // cpow's\nf('\"', \"cpow \\\" cpow\"); /* cpow \" */ g",
                   "int a = 1'000; // q\nf('q', \"q\"); /* q */ g")
            .empty());
  std::ptrdiff_t bare = 0;
  for (std::size_t at = 0; (at = text.find("cpow_", at)) != std::string::npos; at += 5) {
    std::string changed = text;
    changed.erase(at + 4, 1);
    const Words made = words_made(changed, text);
    bare += made == Words{"cpow"};
  }
  const auto all = test::tokens(text);
  CHECK(bare == std::count(all.begin(), all.end(), "cpow_"));
  CHECK(bare > 4);
}

TEST_CASE("users-dpia A1: different names are exported differently", "[codegen]") {
  const std::vector<std::string> names{
      "f",          "f_call", "f_call_", "f_trap", "f_trap_text", "f_trap_text_", "f'",   "f_p",   "f_q", "f_quoted",
      "f_q_quoted", "f'_q",   "f_q'",    "f_uq",   "f''",         "f_call'",      "call", "_call", "trap"};
  Words exported;
  std::size_t count = 0;
  for (const std::string& name : names) {
    const Program p = program_from("kernel " + quoted(name) + "() output f32 r; store r[0] = 1f32;");
    for (const std::string& e : {loader_name(p), entry_name(p), trap_name(p), trap_name(p) + "_text"}) {
      CHECK(is_identifier(e));
      CHECK(e.starts_with("lockstep_"));
      exported.insert(e);
      ++count;
    }
  }
  CHECK(exported.size() == count);
}

TEST_CASE("users-dpia A1: headers of any name are C beside any header", "[codegen]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("lockstep_names_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const auto& names : sources()) {
    std::ofstream c(folder / "all.c");
    for (const char* h : {"assert", "complex", "ctype", "errno", "fcntl", "inttypes", "math", "pthread", "signal",
                          "stdio", "stdlib", "string", "time", "unistd", "wchar", "wctype"})
      c << "#include <" << h << ".h>\n";
    for (const std::string& name : names) c << openmp_text(as_function(name)).header;
    c << "int main(void) { return 0; }\n";
    c.close();
    const std::string said = output_of("{ gcc -std=gnu17 -Wall -Wextra -pedantic -Werror -fsyntax-only '" +
                                       (folder / "all.c").string() + "' 2>&1 || echo failed; }");
    CHECK(said == "");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace names_test
