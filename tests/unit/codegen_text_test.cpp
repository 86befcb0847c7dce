// What the targets print: names, traps, vectors, memory, and the shape of parallel loops.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "codegen/targets/openmp.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace codegen_text_test {
using namespace lockstep;
using kernel::dealt_out_from;
using kernel::Program;
using kernel::program_from;

namespace {

const std::string head = "kernel p(n) input f32 xs[n]; output f32 r[n]; ";

std::string openmp(const std::string& body) { return openmp_source(program_from(head + body)); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

}  // namespace

TEST_CASE("a name of the program ends in an underscore, and stays unique", "[codegen]") {
  CHECK(c_identifier("xs") == "xs_");
  CHECK(c_identifier("class") == "class_");
  CHECK(c_identifier("x'") == "x_p_");
  CHECK(c_identifier("x_'") == "x_p_");
  CHECK(c_identifier("x__") == "x_");
  CHECK(c_identifier("_A__b") == "v_A_b_");
  CHECK(c_identifier("2 x") == "v2_x_");
  CHECK(c_identifier("_") == "v_");
  std::string text = openmp("for (x' < n) for (x_p < n) store r[x'] = xs[x_p];");
  CHECK(has(text, "r_[x_p_] = xs_[x_p_1_];"));
}

TEST_CASE("a variable's start does not see the variable", "[codegen]") {
  std::string text = openmp("{ var i64 a = 1; { var i64 a = a + n; store r[a] = xs[0]; } }");
  CHECK(has(text, "const int64_t a_1_ = a_ + n_;"));
  CHECK(has(text, "r_[a_1_] = xs_[0];"));
}

TEST_CASE("literals keep their type and value", "[codegen]") {
  std::string text = openmp(
      "{ var i64 a = -9223372036854775808; var i32 b = -2147483648i32; var u64 c = 18446744073709551615u64; "
      "var f32 d = 1f32; var f64 e = 0.1f64; var f32 f = f32\"inf\"; var f32 g = f32(-0.5); var f32 h = 1e-3f32; }");
  CHECK(has(text, "a_ = -9223372036854775807 - 1;"));
  CHECK(has(text, "b_ = -2147483647 - 1;"));
  CHECK(has(text, "c_ = uint64_t(18446744073709551615u);"));
  CHECK(has(text, "d_ = 1.0f;"));
  CHECK(has(text, "e_ = 0.1;"));
  CHECK(has(text, "f_ = __builtin_inff();"));
  CHECK(has(text, "g_ = -0.5f;"));
  CHECK(has(text, "h_ = 1e-3f;"));
}

TEST_CASE("only the outermost parallel loop is spread over threads", "[codegen]") {
  std::string text =
      openmp("parallel workgroup (g < n / 4) parallel local (l < 4) store r[l * 4 + g] = xs[g * 4 + l];");
  CHECK(count(text, "#pragma omp parallel") == 1);
  CHECK(count(text, ") schedule(static)\n") == 1);
  CHECK(count(text, "#pragma omp simd") == 1);
  CHECK(count(openmp("for (k < 2) parallel par (g < n) parallel par (l < n) store r[g] = xs[l];"),
              "#pragma omp parallel") == 1);
}

TEST_CASE("threads are woken where there is enough to do", "[codegen]") {
  const auto condition = [](const std::string& loop) {
    const std::string text = openmp(loop);
    const std::size_t at = text.rfind("#pragma omp parallel");  // of a loop that has parts, too, as it stands
    return text.substr(at, text.find('\n', at) - at);
  };
  CHECK(condition("parallel par (i < n) store r[i] = xs[i] +.f32 1f32;") ==
        "#pragma omp parallel for simd if (parallel : double(n_) * 6 >= LOCKSTEP_LEAST_WORK) schedule(static)");
  // extents inside count, both branches of an if do, and what stands in a row is added up
  CHECK(condition("parallel par (i < n) { store r[i] = 0f32; for (k < n / 2) store r[i] = xs[k]; }") ==
        "#pragma omp parallel for if (parallel : double(n_) * (double(n_ / 2) * 4 + 3) >= LOCKSTEP_LEAST_WORK) "
        "schedule(static)");
  CHECK(condition("parallel par (i < n) if (i < 3) store r[i] = 0f32; else store r[i] = xs[i];") ==
        "#pragma omp parallel for simd if (parallel : double(n_) * 10 >= LOCKSTEP_LEAST_WORK) schedule(static)");
  // what is made in the loop, or goes on for as long as data say, is not known before it
  for (const char* body : {"for (k < i) store r[i] = xs[k];", "while (xs[i] <.f32 1f32) store r[i] = xs[i];"})
    CHECK(condition("parallel par (i < n) " + std::string(body)) == "#pragma omp parallel for schedule(static)");
  CHECK(has(openmp("parallel par (i < n) store r[i] = xs[i];"),
            "#ifndef LOCKSTEP_LEAST_WORK\n#define LOCKSTEP_LEAST_WORK 32768\n#endif\n"));
}

TEST_CASE("only straight-line iterations are interleaved", "[codegen]") {
  CHECK(has(openmp("parallel par (i < n) store r[i] = xs[i];"), "#pragma omp parallel for simd if ("));
  CHECK_FALSE(has(openmp("parallel par (i < n) { check (i < 9) \"!\" \"\" (); store r[i] = xs[i]; }"), "simd"));
  CHECK_FALSE(has(openmp("parallel par (i < n) for (j < 2) store r[i] = xs[i];"), "simd"));
  CHECK_FALSE(has(openmp("parallel par (i < n) with (f32 s[2] @private) store r[i] = xs[i];"), "simd"));
}

TEST_CASE("a check outside parallel loops returns, one inside jumps to the end of its iteration", "[codegen]") {
  std::string sequential = openmp("{ check (n < 9) \"gather\" \"{0}\" (n); store r[0] = xs[0]; }");
  CHECK(has(sequential, "    return trapped(trap, 0, n_);"));
  CHECK_FALSE(has(sequential, "stopped"));
  std::string parallel = openmp(
      "parallel par (i < n) { check (i < 9) \"gather\" \"\" (i); for (k < 2) { "
      "check (k < 3) \"!\" \"\" (xs[k]); store r[i] = xs[k]; } }");
  CHECK(has(parallel, "stop(&stopped, trap, 0, i_);\n"));
  CHECK(has(parallel, "stop(&stopped, trap, 1, __builtin_bit_cast(int64_t, double(xs_[k_])));"));
  CHECK(count(parallel, "goto next_i_;") == 2);
  CHECK(has(parallel, "next_i_:;"));
  CHECK(has(parallel, "if (stopped) return stopped;"));
}

TEST_CASE("nothing is emitted that a program does not use", "[codegen]") {
  std::string text = openmp("parallel par (i < n) store r[n - 1 - i] = xs[i];");
  for (const char* part :
       {"stdlib", "Scratch", "stop", "trapped(", "typedef", "stream", "load", "sqrtf", "__attribute__((const))"}) {
    INFO(part);
    CHECK_FALSE(has(text, part));
  }
  CHECK(has(openmp("store r[0] = sqrt.f32(xs[0]);"), "extern \"C\" __attribute__((const)) float sqrtf(float);"));
}

TEST_CASE("small buffers lie on the stack, others on the heap with a test", "[codegen]") {
  std::string small = openmp("{ alloc f32 t[16384] @private; store t[0] = xs[0]; }");
  CHECK(has(small, "alignas(64) float t_[16384];"));
  CHECK_FALSE(has(small, "Scratch"));
  for (const char* alloc : {"alloc f32 t[16385] @private;", "alloc f32 t[4] @global;", "alloc f32 t[n] @private;"}) {
    std::string text = openmp("{ " + std::string(alloc) + " store t[0] = xs[0]; }");
    CHECK(has(text, "if (!t_) {\n    return 4;"));
  }
}

TEST_CASE("each thread has heap scratch of its own", "[codegen]") {
  std::string text = openmp("parallel par (i < n) with (f32 t[n] @private) { store t[0] = xs[i]; store r[i] = t[0]; }");
  CHECK(text.find("#pragma omp parallel if (") < text.find("Scratch<float> t_memory_(n_);"));
  CHECK(text.find("Scratch<float> t_memory_(n_);") < text.find("#pragma omp for schedule(static)"));
  CHECK(has(text, "if (!t_) fail(&stopped);"));
}

TEST_CASE("three lanes are loaded and stored one by one", "[codegen]") {
  std::string text = openmp("store r[0] = xs[3 : 3] +.f32<3> xs[0 : 3];");
  CHECK(has(text, "typedef float f32x3 __attribute__((vector_size(16)));"));
  CHECK(has(text, "store3(r_, load3(xs_ + 3) + load3(xs_));"));
  CHECK(has(text, "return f32x3{p[0], p[1], p[2]};"));
}

TEST_CASE("streaming stores are fenced by each thread before the region ends", "[codegen]") {
  std::string text = openmp("parallel par (i < n / 8) stream r[i * 8] = xs[i * 8 : 8];");
  CHECK(has(text, "#pragma omp for schedule(static) nowait"));
  CHECK(has(text, "stream8(r_ + i_ * 8, load8(xs_ + i_ * 8));\n    }\n    stream_fence();\n  }"));
  CHECK(has(openmp("stream r[0] = xs[0 : 8];"), "  stream_fence();\n  return 0;"));
}

TEST_CASE("an operator that repeats its arguments becomes a function, so that text does not double", "[codegen]") {
  std::string e = "xs[0]";
  for (int k = 0; k < 40; ++k) e = "min.f32(" + e + ", xs[" + std::to_string(k) + "])";
  CHECK(openmp("store r[0] = " + e + ";").size() < 8000);
}

TEST_CASE("an extent that may change is evaluated once", "[codegen]") {
  std::string text = openmp("{ var i64 k = n; for (i < k) k = k - 1; store r[0] = xs[0]; }");
  CHECK(has(text, "const int64_t i_count_ = k_;\n"));
  CHECK(has(openmp("for (i < n / 2) store r[i] = xs[i];"), "for (int64_t i_ = 0; i_ < n_ / 2; ++i_) {"));
}

TEST_CASE("the header is C, with shapes, struct and both entries", "[codegen]") {
  std::string text = openmp_text(program_from("kernel gemv(m, n) input f32 a[m][n]; output bool r[m]; {}")).header;
  CHECK(has(text, "a     [m][n] of float, read\n"));
  CHECK(has(text, "r     [m] of uint8_t, written\n"));
  CHECK(
      has(text,
          "int32_t lockstep_gemv_call(int64_t /* m */, int64_t /* n */, const float* /* a */, uint8_t* /* r */, struct "
          "lockstep_gemv_trap* /* trap */);"));
  CHECK(has(text, "int32_t lockstep_gemv(const int64_t* sizes"));
}

TEST_CASE("users-dpia E: a number that is read is passed by value", "[codegen]") {
  Program p = program_from("kernel f(n) input f32 x; input bool b; input f32<4> v; output f32 r; store r[0] = x[0];");
  std::string text = openmp_source(p);
  CHECK(has(text, "(int64_t n_, float x_, uint8_t b_, const float* __restrict v_, float* __restrict r_, struct"));
  CHECK(has(text, "r_[0] = x_;"));
  CHECK(has(text, "*(const float*)inputs[0], *(const uint8_t*)inputs[1], (const float*)inputs[2]"));
  CHECK(has(openmp_text(p).header, "x     one float, by value"));
  CHECK(has(openmp_text(p).header, "v     float x 4, read"));
}

TEST_CASE("soundness A8: facts, sizes and indices are checked before the body", "[codegen]") {
  std::string text = openmp_source(program_from(
      "kernel f(n, m) where 4 * n <= m, n % 4 == 0 input i64 i < n; input i64 is[m] < n; output f32 r[n * m]; "
      "for (k < n * m) store r[k] = 1f32;"));
  CHECK(has(text, "if (n_ < 0 || n_ > 72057594037927936) return refused(trap, -1, n_);"));
  CHECK(has(text, "if (!(Exact(n_) * 4 <= Exact(m_))) return refused(trap, -3, m_, n_);"));
  CHECK(has(text, "if (!(n_ % 4 == 0)) return refused(trap, -4, n_);"));
  CHECK(has(text, "if (i_ < 0 || i_ >= n_) return refused(trap, -6, i_, n_);"));
  CHECK(has(text, "refused(trap, -7, outside, is_[outside], bound)"));
  CHECK(count(text, ".known) return") == 1);  // n * m, computed twice
  CHECK(has(text, ".known) return refused(trap, -5, m_, n_);"));
}

TEST_CASE("soundness A8: a size that cannot leave 64 bits is not checked", "[codegen]") {
  for (const char* extent : {"n", "n / 4096 * 4096", "n % 16", "n - n / 4 * 4", "n / 64 - n / 4096 * 64", "n - 3"}) {
    INFO(extent);
    CHECK_FALSE(has(openmp("for (k < " + std::string(extent) + ") store r[k] = xs[k];"), "Exact"));
  }
  for (const char* extent : {"n + 1", "n * n", "2 * n", "n / 2 * 3", "n - n * n", "n + 3"}) {
    INFO(extent);
    CHECK(has(openmp("for (k < " + std::string(extent) + ") store r[k] = xs[k];"), ".known) return"));
  }
}

TEST_CASE("soundness A8: a refusal says what was wrong", "[codegen]") {
  Program p = program_from("kernel f(n) where n % 4 == 0 input i64 i < n; output f32 r; store r[0] = 1f32;");
  CHECK(refusal_of(p, {-1, 0, {-3, 0, 0, 0}}) == "n is -3, but a size is 0 to 2^56");
  CHECK(refusal_of(p, {-2, 0, {6, 0, 0, 0}}) == "n%4 == 0 does not hold where n is 6");
  CHECK(refusal_of(p, {-3, 0, {8, 8, 0, 0}}) == "i is 8, outside [0, 8)");
  CHECK_THROWS_AS(refusal_of(p, {-4, 0, {}}), Bug);
  CHECK_THROWS_AS(refusal_of(p, {0, 0, {}}), Bug);
  CHECK(has(openmp_source(p), "\"precondition\\011n%4 == 0 does not hold where n is {0}\""));
}

TEST_CASE("soundness A7: three lanes are not streamed, and need no fence", "[codegen]") {
  for (const char* body : {"parallel par (i < n / 3) stream r[i * 3] = xs[i * 3 : 3];", "stream r[0] = xs[0 : 3];"}) {
    std::string text = openmp(body);
    CHECK(has(text, "store3("));
    CHECK_FALSE(has(text, "stream"));
  }
}

TEST_CASE("users-dpia A2: a loop without a bound has an effect", "[codegen]") {
  CHECK(has(openmp("{ var f32 x = 1f32; while (x <.f32 2f32) x = x; store r[0] = x; }"),
            "while (x_ < 2.0f) {\n    asm volatile(\"\");"));
  const std::vector<std::string> flags = openmp_flags();
  CHECK(std::count(flags.begin(), flags.end(), "-fno-finite-loops") == 1);
}

TEST_CASE("a reported trap becomes the check's message", "[codegen]") {
  auto p = program_from(
      head + "{ check (n < 1) \"/\" \"\" (); for (i < n) check (i < 1) \"gather\" \"{0} of {1}\" (i, xs[i]); }");
  EntryTrap t{1, 0, {7, std::bit_cast<std::int64_t>(1.5), 0, 0}};
  CHECK(trap_of(p, t).primitive == "gather");
  CHECK(trap_of(p, t).message == "7 of 1.5");
  t.check = 2;
  CHECK_THROWS_AS(trap_of(p, t), Bug);
}

TEST_CASE("HIP makes a kernel of each parallel loop and one of what stands between", "[codegen]") {
  HipText t = hip_text(hosted(dealt_out_from(
      head +
      "{ alloc f32 part[n / 4] @global; parallel workgroup (g < n / 4) with (f32 s[4] @local) { "
      "parallel local (l < 4) store s[l] = xs[g * 4 + l]; barrier; store part[g] = s[0]; } "
      "var f32 sum = 0f32; for (i < n / 4) sum = sum +.f32 part[i]; parallel global (i < n) store r[i] = sum; }")));
  CHECK(count(t.kernel, "__global__") == 4);  // the start of sum is one
  CHECK(has(t.kernel, "for (int64_t g_ = blockIdx.x; g_ < g_count_; g_ += 65535)"));
  CHECK(has(t.kernel, "for (int64_t l_ = threadIdx.x; l_ < l_count_; l_ += 256)"));
  CHECK(has(t.kernel, "LOCKSTEP_SHARED(float, s_, 4);"));
  CHECK(has(t.kernel, "if (threadIdx.x == 0) part_[g_] = s_[0];"));
  CHECK(has(t.kernel, "sum_1_[0] = sum_1_[0] + part_[i_];"));
  CHECK(has(t.kernel, "i_ = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;"));
  CHECK(has(t.host, "DeviceArray<float> part_device_("));
  CHECK(count(t.host, "if (!LOCKSTEP_LAUNCH(kernel_") == 4);
  CHECK(has(t.host, "if (!r_device_.to_host(r_)) return 4;"));
}

TEST_CASE("HIP kernels are launched in the program's blocks", "[codegen]") {
  struct Said {
    std::string launch, threads, blocks;
  };
  for (const auto& [launch, threads, blocks] :
       {Said{"", "256", "65535"}, Said{"block 96 ", "96", "65535"}, Said{"grid 7 ", "256", "7"}}) {
    const HipText t = hip_text(hosted(dealt_out_from(
        "kernel p(n) " + launch +
        "output i64 r[n]; { parallel global (i < n) store r[i] = i; parallel workgroup (g < n) parallel local (l < 1) "
        "store r[g] = l; }")));
    CHECK(has(t.host, "grid_of(n_, " + threads + ", " + blocks + "), " + threads + ", 0, "));
    CHECK(has(t.host, "grid_of(n_, 1, " + blocks + "), " + threads + ", 0, "));
  }
}

TEST_CASE("HIP threads meet after a loop whose checks may fail", "[codegen]") {
  HipText t = hip_text(
      hosted(dealt_out_from(head + "parallel workgroup (g < n) parallel local (l < 4) { check (l < 9) \"!\" \"\" (l); "
                                   "store r[g] = xs[l]; }")));
  CHECK(has(t.kernel, "goto next_l_;"));
  CHECK(has(t.kernel, "if (__syncthreads_or(is_stopped(trap))) goto next_g_;"));
  CHECK(has(t.host, "finish(status, trap)"));
}

TEST_CASE("HIP kernels are given what they use, and each check has its number", "[codegen]") {
  const HipText t = hip_text(hosted(dealt_out_from(
      "kernel p(n, m) input f32 xs[n]; input f32 ys[m]; output f32 r[n]; { parallel global (i < n) { check (i "
      "< 9) \"!\" \"\" (i); check (i < 8) \"!\" \"\" (i); store r[i] = xs[i]; } }")));
  CHECK(has(t.kernel, "report_trap(trap, 0"));
  CHECK(has(t.kernel, "report_trap(trap, 1"));
  CHECK(has(t.kernel, "xs_"));
  CHECK_FALSE(has(t.kernel.substr(t.kernel.find("__global__")), "ys_"));
}

TEST_CASE("a loop around parallel loops runs on the host in HIP", "[codegen]") {
  HipText t = hip_text(hosted(dealt_out_from(head + "for (k < n / 2) parallel global (i < n) store r[i] = xs[k];")));
  CHECK(has(t.host, "for (int64_t k_ = 0; k_ < (n_ / 2); ++k_) {"));
  CHECK(has(t.kernel, "int64_t k_)"));
}

}  // namespace codegen_text_test
