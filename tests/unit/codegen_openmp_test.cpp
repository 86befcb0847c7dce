// Compiled OpenMP text against the interpreter, on the same inputs.
#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "codegen/runtime/compile.h"
#include "codegen/targets/openmp.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/run.h"
#include "semantics/primitives/operators.h"
#include "tests/unit/kernel_program.h"
#include "tests/unit/openmp_runs.h"
#include "translate/dpia/stage.h"

namespace codegen_openmp_test {
using namespace lockstep;
using namespace lockstep::kernel;
using kernel::RunOptions;
using kernel::Store;

TEST_CASE("OpenMP text computes what the interpreter does: blocks, scratch and sums", "[codegen]") {
  agree(
      "kernel dot(n) input f32 xs[n]; input f32 ys[n]; output f32 r[1]; { alloc f32 part[n / 64] @global; "
      "parallel workgroup (g < n / 64) with (f32 s[64] @local, f32 h[n] @private) { "
      "parallel local (l < 64) store s[l] = xs[g * 64 + l] *.f32 ys[g * 64 + l]; barrier; "
      "var f32 a = 0f32; for (k < 64) a = a +.f32 s[k]; store h[g] = a; store part[g] = h[g]; } "
      "var f32 sum = 0f32; for (i < n / 64) sum = part[i] +.f32 sum; store r[0] = sum; }",
      64 * 50);
}

TEST_CASE("memory that is kept for the next call is as large as it asks for", "[codegen]") {
  const Program p = program_from(
      "kernel copies(n) input u8 xs[n]; output u8 r[n]; { alloc u8 a[n] @global; alloc u8 b[n] @global; "
      "for (i < n) store a[i] = xs[i]; for (i < n) store b[i] = a[n - 1 - i]; for (i < n) store r[i] = b[i]; }");
  const std::string source = openmp_source(p, cpp_dialect());
  CompileRequest request{source, openmp_flags(), entry_name(p), false};
  auto library = compile_cached(request);
  REQUIRE(library);
  using Entry = std::int32_t (*)(const std::int64_t*, const void* const*, void* const*, EntryTrap*);
  const auto entry = reinterpret_cast<Entry>(library->symbol(loader_name(p).c_str()));
  constexpr std::int64_t mib = 1 << 20;
  const auto run = [&](std::int64_t n) {
    std::vector<std::uint8_t> xs(static_cast<std::size_t>(n)), r(xs.size());
    for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = static_cast<std::uint8_t>(i * 7919 >> 3);
    const void* from[] = {xs.data()};
    void* to[] = {r.data()};
    EntryTrap trap;
    REQUIRE(entry(&n, from, to, &trap) == entry_done);
    std::reverse(xs.begin(), xs.end());
    CHECK((xs == r));
  };
  // all that is kept is smaller than the last of these
  for (const std::int64_t n : {1, 3, 7, 15, 16}) run(n * mib);
  // large and small ones, such as are kept and such as are not, each after others
  for (const std::int64_t n : {mib, 2 * mib, mib - 64, mib - 65, 5 * mib, 3 * mib, std::int64_t{10}, 5 * mib, mib + 1})
    run(n);
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

namespace {

std::vector<Scalar> edges(ScalarType t) {
  if (t == ScalarType::Bool) return {make_bool(false), make_bool(true)};
  std::vector<Scalar> out;
  if (is_float(t)) {
    for (const double v : {0.0, -0.0, 0.5, -1.0, 2.5, -3.5, 1e-3, 100.0, HUGE_VAL, -HUGE_VAL, std::nan("")})
      out.push_back(make_ieee(t, v));
    return out;
  }
  const std::uint64_t top = std::uint64_t(1) << (bits_of(t) - 1);
  for (const std::uint64_t v : {std::uint64_t(0), std::uint64_t(1), std::uint64_t(3), std::uint64_t(100), top - 1, top,
                                top + 5, ~std::uint64_t(0)})
    out.push_back(make_integer(t, v));
  return out;
}

// An operator on a type, and arguments on which it does not trap, with what it means there.
struct Applied {
  PrimitiveRef primitive;
  ScalarType type, result;
  std::vector<std::vector<Scalar>> arguments;  // by operand
  std::vector<Scalar> expected;
};

Applied applied(const PrimitiveRef& primitive, ScalarType t, std::size_t count) {
  const auto& op = std::get<ScalarOp>(primitive->kind);
  const auto arity = static_cast<std::size_t>(static_cast<const int&>(op.arity));
  Applied out{primitive, t, op.result(t), std::vector<std::vector<Scalar>>(arity), {}};
  const std::vector<Scalar> values = edges(t);
  for (std::size_t k = 0; out.expected.size() < count; ++k) {
    std::vector<Scalar> x;
    for (std::size_t a = 0, rest = k; a < arity; ++a, rest /= values.size()) x.push_back(values[rest % values.size()]);
    try {
      out.expected.push_back(op.meaning(ieee_domain(), t, x));
    } catch (const TrapSignal&) {
      continue;
    }
    for (std::size_t a = 0; a < arity; ++a) out.arguments[a].push_back(x[a]);
  }
  return out;
}

// All of them, at each of the widths, 1 for element by element: each to an array of its own.
Program program_of(const std::vector<Applied>& all, const std::vector<int>& widths) {
  Program p{"operators", {"n"}, {}, {}, {}, {Block{}}};
  const Size n = Size::name("n");
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t a = 0; a < all[k].arguments.size(); ++a)
      p.inputs.push_back({"x" + std::to_string(k) + "_" + std::to_string(a), {all[k].type}, {n}, n});
  std::vector<Stmt> loops;
  for (const int width : widths) {
    const Expr at = arith(ArithOp::Multiply, variable("i"), constant(width));
    std::vector<Stmt> stores;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const KType operand{all[k].type, width};
      std::vector<ExprRef> arguments;
      for (std::size_t a = 0; a < all[k].arguments.size(); ++a) {
        const std::string name = "x" + std::to_string(k) + "_" + std::to_string(a);
        arguments.push_back(width == 1 ? load(name, all[k].type, at) : Expr{operand, VectorLoad{name, width, at}});
      }
      const std::string name = "r" + std::to_string(k) + "_" + std::to_string(width);
      p.outputs.push_back({name, {all[k].result}, {n}, n});
      stores.push_back(
          {Store{name, at, {{all[k].result, width}, Apply{all[k].primitive, operand, std::move(arguments)}}}});
    }
    loops.push_back({For{"i", size_expr(floor_div(n, width)), Stmt{Block{std::move(stores)}}}});
  }
  p.body = {Block{std::move(loops)}};
  return p;
}

bool same_bits(ScalarType t, const std::byte* expected, const std::byte* found) {
  const auto bytes = static_cast<std::size_t>(bytes_of(t));
  const auto is_nan = [&](const std::byte* p) {  // all NaNs are one
    float narrow = 0;
    double wide = 0;
    std::memcpy(bytes == 4 ? static_cast<void*>(&narrow) : &wide, p, bytes);
    return std::isnan(bytes == 4 ? static_cast<double>(narrow) : wide);
  };
  return std::memcmp(expected, found, bytes) == 0 || (is_float(t) && is_nan(expected) && is_nan(found));
}

// Where the text computes something else than the meaning: "sin on f32, width 4, of 0.5".
std::vector<std::string> differences(const std::vector<Applied>& all, const std::vector<int>& widths,
                                     const Dialect& dialect = cpp_dialect(),
                                     const std::vector<std::string>& machine = {}) {
  const std::size_t count = all.at(0).expected.size();
  Buffers inputs;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t a = 0; a < all[k].arguments.size(); ++a)
      inputs["x" + std::to_string(k) + "_" + std::to_string(a)] = all[k].arguments[a];
  const RunResult r = compiled(program_of(all, widths), static_cast<std::int64_t>(count), inputs, dialect, machine);
  REQUIRE(r.status == entry_done);
  std::vector<std::string> out;
  for (std::size_t n = 0; n < r.outputs.size(); ++n) {
    const Applied& one = all[n % all.size()];
    const auto bytes = static_cast<std::size_t>(bytes_of(one.result));
    const std::vector<std::byte> expected = packed(one.expected, one.result);
    for (std::size_t i = 0; i < count; ++i) {
      if (same_bits(one.result, &expected[i * bytes], &r.outputs[n][i * bytes])) continue;
      std::string text = one.primitive->name + " on " + std::string(show(one.type)) + ", width " +
                         std::to_string(widths[n / all.size()]) + ", of";
      for (const auto& a : one.arguments) text += " " + show(a[i], ieee_domain());
      out.push_back(std::move(text));
      break;
    }
  }
  return out;
}

// Of a function of floats, on edges and on numbers drawn from all bits and from near 1.
Applied drawn(const PrimitiveRef& primitive, ScalarType t, std::size_t count) {
  const auto& op = std::get<ScalarOp>(primitive->kind);
  std::mt19937_64 random(5);
  const std::vector<Scalar> values = edges(t);
  const auto number = [&](std::size_t i) {
    const std::uint64_t bits = random();
    if (i % 3 == 0) return values[bits % values.size()];
    if (i % 3 == 1) return make_ieee(t, static_cast<double>(bits >> 11) * 0x1p-50 - 4);
    return make_ieee(t, t == ScalarType::F32
                            ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                            : std::bit_cast<double>(bits));
  };
  Applied out{primitive, t, t, {}, {}};
  out.arguments.resize(static_cast<std::size_t>(static_cast<const int&>(op.arity)));
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Scalar> x;
    for (auto& a : out.arguments) a.push_back(number(i)), x.push_back(a.back());
    out.expected.push_back(op.meaning(ieee_domain(), t, x));
  }
  return out;
}

// Whether it calls a function that IEEE does not round.
bool calls_library(const scalars::Definition& d) {
  const auto* l = std::get_if<scalars::Definition::Library>(&d.node);
  const auto& operands = scalars::operands_of(d);
  return (l && !l->correctly_rounded) || std::any_of(operands.begin(), operands.end(), calls_library);
}
std::vector<Applied> library_functions(std::size_t count, const std::string& only = "") {
  std::vector<Applied> out;
  for (const PrimitiveRef& p : scalar_operators())
    for (const ScalarType t : std::get<ScalarOp>(p->kind).types())
      if (calls_library(std::get<ScalarOp>(p->kind).definition(t)) && (only.empty() || p->name == only))
        out.push_back(drawn(p, t, count));
  return out;
}

}  // namespace

TEST_CASE("the text of every operator computes its meaning, at every type, alone and on short vectors", "[codegen]") {
  std::vector<Applied> all;
  for (const PrimitiveRef& p : scalar_operators())
    for (const ScalarType t : std::get<ScalarOp>(p->kind).types()) all.push_back(applied(p, t, 128));
  REQUIRE(all.size() > 300);
  for (const int width : {1, 4}) CHECK(differences(all, {width}) == std::vector<std::string>{});
}

TEST_CASE("a function of a library has the same bits at every width, on processors with wide vectors and without",
          "[codegen]") {
  const std::vector<int> widths{1, 2, 3, 4, 8, 16};
  const std::vector<Applied> all = library_functions(960);
  REQUIRE(all.size() >= 44);
  for (const std::vector<std::string>& machine :
       std::vector<std::vector<std::string>>{{}, {"-mno-avx512f"}, {"-march=x86-64"}}) {
    INFO((machine.empty() ? "as here" : machine.front()));
    CHECK(differences(all, widths, cpp_dialect(), machine) == std::vector<std::string>{});
  }
  // Another function at one width is found there, and nowhere else.
  Dialect wrong = cpp_dialect();
  for (Dialect::Lanes& row : wrong.library)
    if (row.type == ScalarType::F32 && row.lanes == 4) row.after = "f4_u35sse2";
  const std::vector<std::string> found = differences(library_functions(960, "sin"), {1, 4}, wrong);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Catch::Matchers::StartsWith("sin on f32, width 4, of"));
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

TEST_CASE("how many bits are set, or lead, is of the operand's type, whatever reads it") {  // found by the campaign
  for (const char* const count : {"clz", "popcount"})
    for (const std::string bits : {"32", "64"})
      agree("kernel p(n) input u" + bits + " xs[n]; output f" + bits + " r[n]; { for (i < n) store r[i] = fromBits.u" +
                bits + "(" + count + ".u" + bits + "(xs[i])); }",
            3);
}

TEST_CASE("the greater of floats has no branch where a loop goes on from it, and is the same", "[codegen]") {
  const auto has_none = [](const std::string& text) {
    return openmp_source(program_from(text)).find("either_max_f32(") != std::string::npos;
  };
  const std::string head = "kernel p(n) input f32 xs[n]; output f32 r[40]; ", acc = "var f32 acc = 0f32 /.f32 0f32; ";
  const std::string zero = "((i % 3 == 0 ? xs[i] : 0f32 -.f32 xs[i]) *.f32 0f32)";
  const std::string nan = "(i % 5 == 0 ? 0f32 /.f32 0f32 : " + zero + ")";
  for (const std::string& x : {std::string("xs[i]"), zero, nan})
    for (const std::string& both : {x + ", acc", "acc, " + x}) {
      const std::string text = head + "{ " + acc + "for (i < n) { acc = max.f32(" + both +
                               "); } for (k < 40) store r[k] = (acc ==.f32 acc ? acc : 9f32); }";
      CHECK(has_none(text));
      for (const std::int64_t n : {0, 1, 20}) agree(text, n);
    }
  const auto in_rows = [&](int of) {
    return head + "{ for (k < 40) store r[k] = 0f32; for (i < n) for (k < " + std::to_string(of) +
           ") store r[k] = max.f32(xs[i], r[k]); }";
  };
  CHECK(has_none(in_rows(4)));
  CHECK_FALSE(has_none(in_rows(32)));  // lanes
  CHECK_FALSE(has_none(head + "{ parallel par (k < 40) store r[k] = max.f32(f32.i64(k), 7f32); }"));
  CHECK_FALSE(
      has_none("kernel p(n) input f32 xs[n]; output f32 r[n]; { for (k < n) store r[k] = max.f32(xs[k], 7f32); }"));
}

TEST_CASE("a size is divided by another only where the loop runs that does it") {  // found by the campaign
  const std::string head = "kernel p(n) input i64 xs[n]; output i64 r[n * 2 + 1]; ";
  const std::string in_loop =
      head + "{ store r[n * 2] = 5; for (k < n * 2) store r[(k + 7 % (n * 2)) % (n * 2)] = k; }";
  for (const std::int64_t n : {0, 1, 6}) agree(in_loop, n);
  const Program before = program_from(head + "{ store r[7 % (n * 2)] = 5; for (k < n) store r[k] = k; }");
  CHECK(compiled(before, 0, inputs_of(before, 0)).status == entry_refused);
  const Program both = program_from(head + "{ for (k < n) store r[7 % (n * 2)] = 5; store r[7 % (n * 2)] = 5; }");
  CHECK(compiled(both, 0, inputs_of(both, 0)).status == entry_refused);
  // of two loops around, either may be the one that does not run
  agree(head + "{ store r[n * 2] = 5; for (j < n + 1) for (k < n) store r[k] = 7 % (n * 2); }", 0);
  agree(head + "{ store r[n * 2] = 5; for (j < n) for (k < n + 1) store r[k] = 7 % (n * 2); }", 0);
  agree(head + "{ store r[n * 2] = 5; for (j < n) for (k < 4) store r[k] = 7 % (n * 2); }", 0);
}

TEST_CASE("a loop that is soon done has no region of threads") {
  const auto regions = [](const std::string& extent) {
    const std::string text = openmp_source(
        program_from("kernel p(n) output i32 r[1000]; parallel par (i < " + extent + ") { store r[i] = 1i32; }"));
    return text.find("#pragma omp parallel") != std::string::npos;
  };
  CHECK_FALSE(regions("32"));
  CHECK(regions("1000"));
  CHECK(regions("n"));
}

TEST_CASE("lanes of two vectors by number are one exchange") {
  for (const char* type : {"i32", "f64", "u8", "i64"}) {
    INFO(type);
    const std::string t = type;
    const Program p = with_moves_in_lanes(
        program_from("kernel p(n) input " + t + " d[n * n]; output " + t +
                     " r[n * n]; { for (i < n) for (j < n) { store r[i * n + j] = d[j * n + i]; } }"));
    CHECK(openmp_source(p).find("__builtin_shufflevector(lanes") != std::string::npos);
    for (const std::int64_t n : {0, 7, 16, 37}) {
      Buffers in = inputs_of(p, n);
      const auto expected = run(p, {{"n", n}}, in, ieee_domain());
      REQUIRE(expected);
      CHECK(compiled(p, n, in).outputs.at(0) == packed(expected->at("r"), p.outputs[0].type.scalar));
    }
  }
}

}  // namespace codegen_openmp_test
