// Compiled OpenMP text against the interpreter, on the same inputs.
#include <catch2/catch.hpp>

#include <bit>
#include <cstring>

#include "codegen/runtime/compile.h"
#include "codegen/targets/openmp.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/run.h"
#include "tests/unit/kernel_program.h"

using namespace lockstep;
using namespace lockstep::kernel;

namespace {

void put(std::vector<std::byte>& memory, std::size_t i, const Scalar& s) {
  auto at = memory.data() + i * static_cast<std::size_t>(bytes_of(s.type));
  double d = s.ieee();
  auto f = static_cast<float>(d);
  if (s.type == ScalarType::F32)
    std::memcpy(at, &f, 4);
  else if (s.type == ScalarType::F64)
    std::memcpy(at, &d, 8);
  else
    std::memcpy(at, &s.bits, static_cast<std::size_t>(bytes_of(s.type)));  // little-endian
}

std::vector<std::byte> packed(const std::vector<Scalar>& scalars, ScalarType t) {
  std::vector<std::byte> r(scalars.size() * static_cast<std::size_t>(bytes_of(t)) + 1);
  for (std::size_t i = 0; i < scalars.size(); ++i) put(r, i, scalars[i]);
  return r;
}

struct RunResult {
  std::int32_t status = 0;
  EntryTrap trap;
  std::vector<std::vector<std::byte>> outputs;
};

RunResult compiled(const Program& p, std::int64_t n, const Buffers& inputs) {
  CompileRequest request{openmp_source(p), openmp_flags(), entry_name(p), false};
  INFO(request.source);
  auto library = compile_cached(request);
  if (!library) FAIL(library.error().message);
  using Entry = std::int32_t (*)(const std::int64_t*, const void* const*, void* const*, EntryTrap*);
  auto entry = reinterpret_cast<Entry>(library->symbol(loader_name(p).c_str()));
  REQUIRE(entry);
  std::vector<std::vector<std::byte>> in;
  std::vector<const void*> from;
  std::vector<void*> to;
  RunResult r;
  for (const Buffer& b : p.inputs) in.push_back(packed(inputs.at(b.name), b.type.scalar));
  for (const Buffer& b : p.outputs) {
    auto count = static_cast<std::size_t>(*evaluate(b.count, {{"n", n}}));
    r.outputs.emplace_back(count * static_cast<std::size_t>(bytes_of(b.type.scalar)) + 1);
  }
  for (auto& m : in) from.push_back(m.data());
  for (auto& m : r.outputs) to.push_back(m.data());
  r.status = entry(&n, from.data(), to.data(), &r.trap);
  return r;
}

Buffers inputs_of(const Program& p, std::int64_t n) {
  Buffers r;
  for (const Buffer& b : p.inputs) {
    std::int64_t count = *evaluate(b.count, {{"n", n}});
    for (std::int64_t i = 0; i < count; ++i) {
      ScalarType t = b.type.scalar;
      bool real = is_float(t);
      r[b.name].push_back(real ? make_ieee(t, 0.25 + static_cast<double>((i * 37) % 101) / 7)
                               : make_integer(t, static_cast<std::uint64_t>((i * 37) % 101)));
    }
  }
  return r;
}

void agree(const std::string& text, std::int64_t n) {
  Program p = program_from(text);
  REQUIRE(check(p) == std::vector<std::string>{});
  Buffers inputs = inputs_of(p, n);
  RunOptions options;
  options.detect_races = true;
  auto expected = run(p, {{"n", n}}, inputs, ieee_domain(), options);
  if (!expected) {
    if (const Fault* f = std::get_if<Fault>(&expected.error())) FAIL(f->message);
    FAIL("trapped");
  }
  RunResult r = compiled(p, n, inputs);
  REQUIRE(r.status == entry_done);
  for (std::size_t k = 0; k < p.outputs.size(); ++k) {
    INFO(p.outputs[k].name);
    CHECK(r.outputs[k] == packed(expected->at(p.outputs[k].name), p.outputs[k].type.scalar));
  }
}

}  // namespace

TEST_CASE("OpenMP text computes what the interpreter does: blocks, scratch and sums", "[codegen]") {
  agree(
      "kernel dot(n) input f32 xs[n]; input f32 ys[n]; output f32 r[1]; { alloc f32 part[n / 64] @global; "
      "parallel workgroup (g < n / 64) with (f32 s[64] @local, f32 h[n] @private) { "
      "parallel local (l < 64) store s[l] = xs[g * 64 + l] *.f32 ys[g * 64 + l]; barrier; "
      "var f32 a = 0f32; for (k < 64) a = a +.f32 s[k]; store h[g] = a; store part[g] = h[g]; } "
      "var f32 sum = 0f32; for (i < n / 64) sum = part[i] +.f32 sum; store r[0] = sum; }",
      64 * 50);
}

TEST_CASE("OpenMP text computes what the interpreter does: short vectors of every width", "[codegen]") {
  std::string body;
  for (const char* w : {"2", "3", "4", "8", "16"}) {
    std::string width(w), f = "f32<" + width + ">", i = "i32<" + width + ">";
    body += "{ var " + f + " v = xs[1 : " + width + "] *.f32<" + width + "> splat<" + width +
            ">(xs[3]); "
            "v = min.f32<" +
            width + ">(v, sqrt.f32<" + width + ">(v)) /.f32<" + width + "> xs[5 : " + width +
            "]; "
            "for (k < n / 48) " +
            (width == "8" ? "stream" : "store") + " r[k * 48 + " + width +
            "] = v; "
            "var " +
            i + " j = is[1 : " + width + "] *.i32<" + width + "> splat<" + width +
            ">(2147483647i32); "
            "j = j /.i32<" +
            width + "> (is[1 : " + width + "] +.i32<" + width + "> splat<" + width +
            ">(1i32)); "
            "store js[" +
            width + "] = j; store bs[" + width + "] = is[1 : " + width + "] <.i32<" + width + "> is[2 : " + width +
            "]; } ";
  }
  std::string start =
      "parallel par (i < n) { store r[i] = xs[i]; store js[i] = is[i]; store bs[i] = i < 7; store cs[i] = us[i] *.u8 "
      "us[i]; }";
  agree(
      "kernel vectors(n) input f32 xs[n]; input i32 is[n]; input u8 us[n]; output f32 r[n]; output i32 js[n]; output "
      "bool bs[n]; "
      "output u8 cs[n]; { " +
          start + body + "}",
      480);
}

TEST_CASE("OpenMP text computes what the interpreter does: loops, branches and names", "[codegen]") {
  agree(
      "kernel double(n) input i64 class[n]; output i64 n'[n]; output f64 `out put`[n]; { var i64 k = 0; while (k < n) "
      "{ "
      "if (class[k] < 50) store n'[k] = k; else { unroll for (u < 3) store n'[k] = class[k] - u; } k = k + 1; } "
      "parallel par (i < n) with (i64 t[2] @private) { store t[0] = i % 5; store t[1] = (t[0] < 2 ? 1 : class[i]); "
      "store `out put`[i] = f64.i64(t[1]) %.f64 0.75f64; } }",
      100);
}

TEST_CASE("OpenMP text reports a trap with its values, from inside a parallel loop", "[codegen]") {
  Program p = program_from(
      "kernel p(n) input i64 xs[n]; output i64 r[n]; parallel par (i < n) { "
      "check (xs[i] < 100) \"gather\" \"{0} is outside [0, {1})\" (xs[i], 100); store r[i] = xs[i]; }");
  RunResult r = compiled(p, 1000, inputs_of(p, 1000));
  CHECK(r.status == entry_trapped);
  CHECK(trap_of(p, r.trap).message == "100 is outside [0, 100)");
}

TEST_CASE("OpenMP text reports memory that is not to be had", "[codegen]") {
  for (const char* body : {"{ alloc i64 t[n * 1000000000] @global; store r[0] = 1; }",
                           "parallel par (i < 4) with (i64 t[n * 1000000000] @global) store r[i] = 1;"}) {
    Program p = program_from("kernel p(n) output i64 r[4]; " + std::string(body));
    CHECK(compiled(p, 1000000000, {}).status == entry_failed);
  }
}
