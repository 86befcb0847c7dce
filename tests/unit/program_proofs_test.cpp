// Obligations of kernel programs: each kind refuted on a wrong program, with a counterexample, and proved on its right
// neighbour.
#include <ctime>

#include <catch2/catch.hpp>

#include "proofs/kernel/indices.h"
#include "proofs/kernel/lemmas.h"
#include "proofs/kernel/parts.h"
#include "proofs/kernel/prover.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/run.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"

namespace program_proofs_test {
using namespace lockstep;
using namespace lockstep::proofs::kernels;
using kernel::program_from;

namespace {

std::vector<ProgramObligation> all_of(const std::string& text) {
  Prover prover;
  return kernel_obligations(program_from(text), prover);
}

// The standings of one kind, the worst of them.
Standing worst(const std::string& text, ObligationKind kind) {
  Standing w = Standing::Proved;
  std::size_t n = 0;
  for (const ProgramObligation& o : all_of(text))
    if (o.kind == kind) w = std::min(w, o.standing), ++n;
  REQUIRE(n > 0);
  return w;
}
void proved(const std::string& text, ObligationKind kind) {
  for (const ProgramObligation& o : all_of(text)) {
    INFO(o.name << " | " << o.where << " | " << name_of(o.standing) << " | " << o.detail);
    if (o.kind == kind) CHECK(o.standing == Standing::Proved);
  }
  CHECK(worst(text, kind) == Standing::Proved);
}
void refuted(const std::string& text, ObligationKind kind, const std::string& detail) {
  std::string found;
  for (const ProgramObligation& o : all_of(text))
    if (o.kind == kind && o.standing == Standing::Refuted) found += o.detail + "\n";
  INFO(found);
  CHECK(found.find(detail) != std::string::npos);
}

const std::string head = "kernel p(n) input i64 xs[n]; output i64 r[n]; ";
constexpr auto Bounds = ObligationKind::Bounds;
constexpr auto Divisions = ObligationKind::Divisions;
constexpr auto Races = ObligationKind::Races;
constexpr auto Initialisation = ObligationKind::Initialisation;
constexpr auto Barriers = ObligationKind::Barriers;

}  // namespace

TEST_CASE("an access one past the end is refuted at the smallest size, the one inside proved", "[proofs]") {
  refuted(head + "{ for (i < n) store r[i] = xs[i + 1]; }", Bounds, "i = 0, n = 1: reads xs[1] of 1");
  proved(head + "{ for (i < n) store r[i] = xs[n - i - 1]; }", Bounds);
  refuted(head + "{ for (i < n) store r[i] = xs[n - i]; }", Bounds, "reads xs[1] of 1");
  refuted(head + "{ for (i < n + 1) store r[i] = xs[0]; }", Bounds, "writes r[0] of 0");
}

TEST_CASE("bounds under divisions, vectors and facts", "[proofs]") {
  const std::string blocks =
      "kernel p(n) input f32 xs[n]; output f32 r[n]; { for (i < n / 16) store r[i * 16] = xs[i * 16 : 16]; }";
  proved(blocks, Bounds);
  refuted(
      "kernel p(n) input f32 xs[n]; output f32 r[n]; { for (i < (n + 15) / 16) store r[i * 16] = xs[i * 16 : 16]; }",
      Bounds, "reads xs[0 : 16] of 1");
  const std::string under =
      "input f32 xs[n]; output f32 r[n]; { for (i < (n + 15) / 16) store r[i * 16] = xs[i * 16 : 16]; }";
  proved("kernel p(n) where n % 16 == 0 " + under, Bounds);
  refuted("kernel p(n) where n % 8 == 0 " + under, Bounds, "of 8");
}

TEST_CASE("products that a solver is told of are by what the goal multiplies or divides by", "[proofs]") {
  const Known known{{{"i", named("n")}}, {}, {}};
  const Term i = named("i"), m = named("m"), k = named("k");
  const auto told = [&](const Term& goal) { return lemmas(known, goal).size(); };
  CHECK(told(less(kernel::arith(kernel::ArithOp::Modulo, i, m), k)) == 2);  // (n - i - 1)*m and i*m
  CHECK(told(less(divide(i, m), k)) == 2);
  CHECK(told(less(multiply(i, m), k)) == 4);  // by i, and by m
  CHECK(told(less(add(i, m), k)) == 0);
}

TEST_CASE("bounds of two dimensions, guarded by a condition", "[proofs]") {
  const auto stencil = [](const std::string& condition) {
    return "kernel p(h, w) input f32 u[h][w]; output f32 r[h][w]; { parallel par (i < h) { for (j < w) { store r[i * w "
           "+ j] = (" +
           condition + " ? u[i * w + j - w] : 0f32); } } }";
  };
  proved(stencil("1 <= i"), Bounds);
  refuted(stencil("1 <= j"), Bounds, "reads u[");
}

TEST_CASE("a data-dependent index is proved under its check, excepted without one", "[proofs]") {
  const std::string start = "kernel p(n, m) input i64 is[n]; input i64 xs[m]; output i64 r[n]; ";
  proved(start +
             "{ for (i < n) { var i64 t = is[i]; check ((0 <=.i64 t) &&.bool (t <.i64 m)) \"!\" \"\" (t); store r[i] = "
             "xs[t]; } }",
         Bounds);
  CHECK(worst(start + "{ for (i < n) { var i64 t = is[i]; check (t <.i64 m) \"!\" \"\" (t); store r[i] = xs[t]; } }",
              Bounds) == Standing::Tested);
  // gather's check is a loop before the one that reads
  const std::string checks =
      "{ for (k < n) { check ((0 <=.i64 is[k]) &&.bool (is[k] <.i64 m)) \"gather\" \"\" (is[k]); } ";
  proved(start + checks + "parallel par (i < n) { store r[i] = xs[is[i]]; } }", Bounds);
  CHECK(worst(start + "{ for (k < n - 1) { check ((0 <=.i64 is[k]) &&.bool (is[k] <.i64 m)) \"gather\" \"\" (is[k]); } "
                      "parallel par (i < n) { store r[i] = xs[is[i]]; } }",
              Bounds) == Standing::Tested);
  CHECK(worst(start + "{ for (k < n) { if (0 < k) { check ((0 <=.i64 is[k]) &&.bool (is[k] <.i64 m)) \"gather\" \"\" "
                      "(is[k]); } } "
                      "parallel par (i < n) { store r[i] = xs[is[i]]; } }",
              Bounds) == Standing::Tested);
}

TEST_CASE("users-dpia E: what an input of indices holds is below its bound", "[proofs]") {
  const auto with = [](const std::string& below, const std::string& xs, const std::string& index) {
    return "kernel p(n, m, k) input i64 is[n] < " + below + "; input i64 c < m; input i64 xs[" + xs +
           "]; output i64 r[n]; { parallel par (i < n) { store r[i] = xs[" + index + "]; } }";
  };
  for (const char* index : {"is[i]", "is[n - i - 1]", "m - 1 - is[i]", "is[i] / 2", "c[0]", "(is[i] + c[0]) / 2",
                            "(is[i] < c[0] ? is[i] : c[0])"}) {
    INFO(index);
    proved(with("m", "m", index), Bounds);
  }
  proved(with("m", "m", "is[i] / 2"), Divisions);
  proved(with("4", "4", "is[i]"), Bounds);
  proved(with("m / 4", "m", "4 * is[i] + 3"), Bounds);
  proved(with("m", "m * (k + 1)", "is[i] * (k + 1) + k"), Bounds);
  // Through a variable, in a loop's extent, and of an index of indices.
  proved("kernel p(n) input i64 is[n] < n; output i64 r[n]; { for (i < n) { var i64 t = is[i]; store r[t] = 1; } }",
         Bounds);
  proved("kernel p(n, m) input i64 is[n] < m; output i64 r[m]; { for (i < n) { for (j < is[i]) { store r[j] = 1; } } }",
         Bounds);
  proved("kernel p(n) input i64 is[n] < n; output i64 r[n]; { for (i < n) { store r[i] = is[is[is[i]]]; } }", Bounds);
  // With what a loop has checked of others.
  proved(
      "kernel p(n, m) input i64 js[n]; input i64 is[n] < m; input i64 xs[m]; output i64 r[n]; { for (c < n) { check "
      "((0 <=.i64 js[c]) &&.bool (js[c] <.i64 n)) \"gather\" \"\" (); } for (i < n) { store r[i] = xs[is[js[i]]]; } }",
      Bounds);
}

TEST_CASE("users-dpia E: an index that its input's bound leaves outside is not proved, and faults", "[proofs]") {
  // In the kernels, xs has n elements; an index of this number is outside.
  const auto outside = [](const std::string& below, const std::string& index, std::uint64_t number) {
    const std::string text = "kernel p(n) input i64 is[n]" + below +
                             "; input i64 xs[n]; output i64 r[n]; { for (i < n) { store r[i] = xs[" + index + "]; } }";
    INFO(text);
    Standing of_xs = Standing::Proved;
    for (const ProgramObligation& o : all_of(text))
      if (o.name.starts_with("read xs[")) of_xs = o.standing;
    CHECK(of_xs == Standing::Tested);
    const auto held = [](std::uint64_t n) { return std::vector<Scalar>(3, make_integer(ScalarType::I64, n)); };
    const auto r = kernel::run(program_from(text), {{"n", 3}}, {{"is", held(number)}, {"xs", held(7)}}, ieee_domain());
    REQUIRE_FALSE(r);
    REQUIRE(std::holds_alternative<kernel::Fault>(r.error()));
    CHECK(std::get<kernel::Fault>(r.error()).kind == kernel::FaultKind::OutOfBounds);
  };
  outside(" < n + 1", "is[i]", 3);
  outside(" < n * n", "is[i]", 8);
  outside(" < 4", "is[i]", 3);
  outside("", "is[i]", 3);
  outside(" < n", "is[i] + 1", 2);
  outside(" < n", "is[i] - 1", 0);
  outside(" < n", "n - is[i]", 0);
  outside(" < n", "2 * is[i]", 2);
}

TEST_CASE("users-dpia E: an input's bound says nothing of what it does not hold", "[proofs]") {
  // Another buffer of its name, and an element that it has not.
  CHECK(worst("kernel p(n, m) input i64 is[n] < m; input i64 xs[m]; output i64 r[n]; { alloc i64 is[n] @global; for (a "
              "< n) { store is[a] = m; } for (i < n) { store r[i] = xs[is[i]]; } }",
              Bounds) != Standing::Proved);
  for (const char* text :
       {"kernel p(m, k) input i64 c < m; input i64 xs[m]; output i64 r[1]; { store r[0] = xs[c[k]]; }",
        "kernel p(m, k) input i64 is[k] < m; input i64 xs[m]; output i64 r[k + 1]; { for (i < k + 1) store r[i] = "
        "xs[is[i]]; }"}) {
    std::size_t reads = 0;
    for (const ProgramObligation& o : all_of(text)) {
      INFO(text << ": " << o.name);
      if (!o.name.starts_with("read ")) continue;
      CHECK(o.standing != Standing::Proved);
      ++reads;
    }
    CHECK(reads == 2);
  }
  // Of the iterations that meet through equal indices, and of what they leave unwritten.
  const std::string scattered =
      "kernel p(n) input i64 is[n] < n; output i64 r[n]; { parallel par (i < n) { store r[is[i]] = i; } }";
  proved(scattered, Bounds);
  CHECK(worst(scattered, Races) == Standing::Tested);
  CHECK(worst(scattered, Initialisation) != Standing::Proved);
  // Nothing stores to an input, and an output has no bound.
  const auto refused = [](const std::string& text) { return !kernel::check(program_from(text)).empty(); };
  CHECK(refused(
      "kernel p(n) input i64 is[n] < n; output i64 r[n]; { for (i < n) { store is[i] = n; store r[i] = 0; } }"));
  CHECK(refused("kernel p(n) output i64 r[n] < n; { for (i < n) store r[i] = i; }"));
  CHECK_FALSE(refused("kernel p(n) input i64 is[n] < n; output i64 r[n]; { for (i < n) store r[i] = is[i]; }"));
}

TEST_CASE("users-dpia E: no counterexample is at sizes where an index cannot be given", "[proofs]") {
  const auto with = [](const std::string& input) {
    return "kernel p(n) " + input + "output i64 r[1]; { alloc i64 t[n] @global; store t[0] = 1; store r[0] = t[0]; }";
  };
  refuted(with(""), Bounds, "n = 0: writes t[0] of 0");
  refuted(with("input i64 is[n] < n; "), Bounds, "n = 0: writes t[0] of 0");
  CHECK(worst(with("input i64 c < n; "), Bounds) == Standing::Unknown);
}

TEST_CASE("users-dpia E: an index of idx(n) is inside n, through whatever view", "[proofs]") {
  for (const char* text :
       {"fun f [n] (i : idx(n)) (xs : [n]f32) : f32 = xs ! i",
        "fun f [n] (is : [n]idx(4)) (xs : [4]f32) : [n]f32 = map (\\i -> xs ! i) is",
        "fun f [n m] (is : [n]idx(m)) (xs : [m]f32) : [n]f32 = map (\\i -> reverse xs ! i) (reverse is)",
        "fun f [n m k] (ps : [n](idx(m), idx(k))) (xs : [m][k]f32) : [n]f32 = map (\\(i, j) -> xs ! i ! j) ps",
        "fun f [n m] (i : idx(n)) (xs : [n*m]f32) : [m]f32 where 1 <= m = split m xs ! i"})
    for (const MachineObligations& m : program_obligations(traces_of(test::entry(text), test::calculus()))) {
      INFO(text);
      REQUIRE(m.refused.empty());
      const Tally t = tally_of(m.obligations, Bounds);
      CHECK(t.all() >= 3);
      CHECK(t.proved == t.all());
    }
}

TEST_CASE("a check of what was overwritten since is no check", "[proofs]") {
  const auto with = [](const std::string& between) {
    return "kernel p(n, m) input i64 xs[m]; output i64 r[n]; { alloc i64 is[n] @global; for (a < n) store is[a] = a; "
           "for (k < n) { check ((0 <=.i64 is[k]) &&.bool (is[k] <.i64 m)) \"gather\" \"\" (is[k]); } " +
           between + "for (i < n) { store r[i] = xs[is[i]]; } }";
  };
  proved(with(""), Bounds);
  CHECK(worst(with("for (b < n) store is[b] = b + 1;"), Bounds) != Standing::Proved);
  const std::string variable =
      "kernel p(m) input i64 xs[m]; output i64 r; { var i64 t = 3; check ((0 <=.i64 t) &&.bool (t <.i64 m)) \"!\" \"\" "
      "(t); ";
  proved(variable + "store r[0] = xs[t]; }", Bounds);
  CHECK(worst(variable + "t = t +.i64 1; store r[0] = xs[t]; }", Bounds) != Standing::Proved);
  CHECK(worst(variable + "for (i < m) { store r[0] = xs[t]; t = t +.i64 1; } }", Bounds) != Standing::Proved);
}

TEST_CASE("an index division by nothing, or of a negative number, is refuted", "[proofs]") {
  refuted("kernel p(n, k) output i64 r[n]; { for (i < n) store r[i] = i % k; }", Divisions, "k = 0");
  proved("kernel p(n, k) where 1 <= k output i64 r[n]; { for (i < n) store r[i] = i % k; }", Divisions);
  refuted(head + "{ for (i < n) store r[i] = (i - 1) / 2; }", Divisions, "i = 0");
  proved(head + "{ for (i < n) store r[i] = (1 <= i ? (i - 1) / 2 : 0); }", Divisions);
}

TEST_CASE("iterations of a parallel loop that meet are refuted with both accesses", "[proofs]") {
  refuted(head + "{ parallel par (i < n) { store r[0] = i; } }", Races, "writes r[0] (test.kernel:1:");
  refuted(head +
              "{ alloc i64 t[n + 1] @global; for (k < n + 1) store t[k] = 0; parallel par (i < n) { store t[i] = t[i + "
              "1]; } for (i < n) store r[i] = t[i]; }",
          Races, "reads t[1]");
  proved(head +
             "{ alloc i64 t[n + 1] @global; for (k < n + 1) store t[k] = 0; parallel par (i < n) { store t[i] = t[i]; "
             "} for (i < n) store r[i] = t[i]; }",
         Races);
  refuted("kernel p(n) output i64 r[n]; { var i64 a = 0; parallel par (i < n) { a = i; store r[i] = a; } }", Races,
          "writes a");
  proved("kernel p(n) output i64 r[n]; { parallel par (i < n) { var i64 a = i; store r[i] = a; } }", Races);
}

TEST_CASE("the layout decides whether iterations meet", "[proofs]") {
  const auto with = [](const std::string& index) {
    return "kernel p(m, n) output i64 r[m][n]; { parallel par (i < m) { for (j < n) { store r[" + index +
           "] = 0; } } }";
  };
  proved(with("i * n + j"), Races);
  proved(with("i + j * m"), Races);
  refuted(with("i + j"), Races, "writes r[1]");
  refuted(with("i * (n - 1) + j"), Races, "writes r[");
  refuted(with("i / 2 * n + j"), Races, "writes r[0]");
}

TEST_CASE("vector stores that overlap are refuted", "[proofs]") {
  const auto with = [](const std::string& stride) {
    return "kernel p(n) output f32 r[n * 4 + 4]; { parallel par (i < n) { store r[i * " + stride +
           "] = splat<4>(1f32); } }";
  };
  proved(with("4"), Races);
  refuted(with("3"), Races, "writes r[");
}

TEST_CASE("a store through data in a parallel loop is not proved free of races", "[proofs]") {
  const std::string start = "kernel p(n) input i64 is[n]; output i64 r[n]; { for (k < n) store r[k] = 0; ";
  const std::string body = "check ((0 <=.i64 t) &&.bool (t <.i64 n)) \"scatter\" \"\" (t); store r[t] = i; } }";
  CHECK(worst(start + "parallel par (i < n) { var i64 t = is[i]; " + body, Races) == Standing::Tested);
  // The same value in all iterations is the same place.
  CHECK(worst(start + "var i64 t = 0; parallel par (i < n) { " + body, Races) == Standing::Refuted);
}

TEST_CASE("numbers made of narrower integers are in their range", "[proofs]") {
  const auto at = [](const std::string& type, int places, const std::string& index) {
    return worst("kernel p(n) input " + type + " d[n]; output i64 r[" + std::to_string(places) + "]; { for (k < " +
                     std::to_string(places) + ") store r[k] = 0; for (i < n) store r[" + index + "] = 1; }",
                 Bounds);
  };
  CHECK(at("u8", 256, "i64.u8(d[i])") == Standing::Proved);
  CHECK(at("u8", 255, "i64.u8(d[i])") == Standing::Tested);
  CHECK(at("i8", 256, "i64.i8(d[i]) + 128") == Standing::Proved);
  CHECK(at("i8", 256, "i64.i8(d[i]) + 127") == Standing::Tested);
  CHECK(at("i8", 255, "i64.i8(d[i]) + 128") == Standing::Tested);
  CHECK(at("u16", 65536, "i64.u16(d[i])") == Standing::Proved);
  CHECK(at("i64", 256, "d[i]") == Standing::Tested);
  // and a remainder is below what is divided by
  const auto of_m = [](const std::string& facts, const std::string& index) {
    return worst("kernel p(n, m)" + facts +
                     " input u8 d[n]; output i64 r[m]; { for (k < m) store r[k] = 0; for (i < n) "
                     "store r[" +
                     index + "] = 1; }",
                 Bounds);
  };
  CHECK(of_m(" where 1 <= m", "i64.u8(d[i]) %.i64 m") == Standing::Proved);
  CHECK(of_m("", "i64.u8(d[i]) %.i64 m") == Standing::Tested);
  CHECK(of_m(" where 1 <= m", "(i64.u8(d[i]) -.i64 1) %.i64 m") == Standing::Tested);
}

TEST_CASE("threads of a block meet without a barrier between their loops", "[proofs]") {
  const auto with = [](const std::string& between, const std::string& read = "k - l - 1") {
    return "kernel p(b, k) output i64 r[b][k]; { parallel workgroup (g < b) { alloc i64 t[k] @local; "
           "parallel local (l < k) { store t[l] = l; } " +
           between + "parallel local (l < k) { store r[g * k + l] = t[" + read + "]; } } }";
  };
  refuted(with(""), Races, "reads t[");
  proved(with("barrier;"), Races);
  proved(with("", "l"), Races);  // the same thread
  refuted(with("if (0 < k - 2) { barrier; }"), Races, "reads t[");
  refuted(with("for (q < k - 2) { barrier; }"), Races, "reads t[");
  refuted(with("if (g < 1) { barrier; }"), Races, "reads t[");  // in the first block alone
}

TEST_CASE("a loop of the block needs a barrier at its end too", "[proofs]") {
  const auto with = [](const std::string& end) {
    return "kernel p(b, k, s) output i64 r[b][k]; { parallel workgroup (g < b) { alloc i64 t[k] @local; for (q < s) { "
           "parallel local (l < k) { store t[l] = q; } barrier; parallel local (l < k) { store r[g * k + l] = t[k - l "
           "- 1]; } " +
           end + " } } }";
  };
  refuted(with(""), Races, "writes t[");
  proved(with("barrier;"), Races);
}

TEST_CASE("issue 11: a barrier at the head of a loop stands before what each of its iterations reads", "[proofs]") {
  const auto with = [](const std::string& head, const std::string& end = "") {
    return "kernel p(b, k) input i64 xs[b]; output i64 r[b][k]; { parallel workgroup (g < b) { alloc i64 t[k] @local; "
           "parallel local (l < k) { store t[l] = l; } for (i < k) { " +
           head + " var i64 a = t[i]; store r[g * k + i] = a; " + end + " } } }";
  };
  proved(with("barrier;"), Races);
  refuted(with(""), Races, "reads t[0]");
  // Not on the way to the first read: at the loop's end, under a condition, in a loop that may have no iterations.
  refuted(with("", "barrier;"), Races, "reads t[0]");
  refuted(with("if (xs[g] <.i64 3) { barrier; }"), Races, "reads t[0]");
  refuted(with("for (q < b - 2) { barrier; }"), Races, "reads t[0]");
  // Between two rounds of a loop around both, too.
  const auto rounds = [](const std::string& in_first, const std::string& in_second) {
    return "kernel p(b, k, s) output i64 r[b][k]; { parallel workgroup (g < b) { alloc i64 t[k] @local; for (q < s) { "
           "parallel local (l < k) { store t[l] = q; } for (i < k) { " +
           in_first + " var i64 a = t[i]; store r[g * k + i] = a; " + in_second + " } } } }";
  };
  proved(rounds("barrier;", "barrier;"), Races);
  refuted(rounds("barrier;", ""), Races, "writes t[0]");
}

TEST_CASE("issue 11: a barrier at the end of a loop's body stands behind what its iterations read", "[proofs]") {
  const auto with = [](const std::string& end) {
    return "kernel p(b, k) output i64 r[b][k]; { parallel workgroup (g < b) { alloc i64 t[k] @local; "
           "parallel local (l < k) { store t[l] = l; } barrier; for (i < k) { var i64 a = t[i]; store r[g * k + i] = "
           "a; " +
           end + " } parallel local (l < k) { store t[l] = 7; } } }";
  };
  proved(with("barrier;"), Races);
  refuted(with(""), Races, "writes t[0]");
  // The condition of `while` is read after the last barrier of its body too.
  const auto loop = [](const std::string& after) {
    return "kernel p(b, k) where 1 <= k input i64 xs[b]; output i64 r[b][k]; { parallel workgroup (g < b) { alloc i64 "
           "t[k] @local; parallel local (l < k) { store t[l] = l; } barrier; while (t[k - 1] <.i64 xs[g]) { barrier; "
           "store t[k - 1] = xs[g]; barrier; } " +
           after + " parallel local (l < k) { store t[l] = 7; store r[g * k + l] = l; } } }";
  };
  proved(loop("barrier;"), Races);
  CHECK(worst(loop(""), Races) != Standing::Proved);
}

TEST_CASE("soundness A1: threads that a barrier parts at the counterexample's sizes do not meet", "[proofs]") {
  const auto with = [](const std::string& around) {
    return "kernel p(b, k, s) where 1 <= k input i64 xs[b]; output i64 r[b]; { parallel workgroup (g < b) { alloc i64 "
           "t[k] @local; parallel local (l < k) { store t[l] = l; } " +
           around + " { barrier; } parallel local (l < 1) { if (1 < s) store r[g] = t[k - 1]; } } }";
  };
  refuted(with("if (5 < s)"), Races, "k = 2, l = 1, s = 2 writes t[1]");
  CHECK(worst(with("if (1 < s)"), Races) == Standing::Unknown);
  CHECK(worst(with("for (q < s - 1)"), Races) == Standing::Unknown);
  refuted(with("for (q < s - 2)"), Races, "k = 2, l = 1, s = 2 writes t[1]");
  // The inputs decide it.
  refuted(with("if (xs[g] <.i64 3)"), Races, "where inputs hold 100");
  refuted(with("if (0 <.i64 xs[g])"), Races, "where inputs hold 0");
  CHECK(worst(with("if (xs[g] ==.i64 xs[g])"), Races) == Standing::Unknown);
  // Between two rounds of a loop.
  const auto rounds = [](const std::string& around) {
    return "kernel p(b, k, s) output i64 r[b * k]; { parallel workgroup (g < b) { alloc i64 t[k] @local; for (q < s) { "
           "parallel local (l < k) { store t[l] = q; } barrier; parallel local (l < k) { store r[g * k + l] = t[k - l "
           "- 1]; } " +
           around + " { barrier; } } } }";
  };
  CHECK(worst(rounds("if (1 < s)"), Races) == Standing::Unknown);
  refuted(rounds("if (2 < s)"), Races, "s = 2 writes t[");
}

TEST_CASE("code between local loops reads what threads wrote after a barrier only", "[proofs]") {
  const auto with = [](const std::string& between) {
    return "kernel p(b, k) where 1 <= k output i64 r[b]; { parallel workgroup (g < b) { alloc i64 t[k] @local; "
           "parallel local (l < k) { store t[l] = l; } " +
           between + " var i64 a = 0; for (i < k) { a = a +.i64 t[i]; } store r[g] = a; } }";
  };
  refuted(with(""), Races, "reads t[0]");
  proved(with("barrier;"), Races);
}

TEST_CASE("a store between local loops is the first thread's, and the others see it after a barrier", "[proofs]") {
  const auto with = [](const std::string& between) {
    return "kernel p(b, k) output i64 r[b][k]; { parallel workgroup (g < b) { alloc i64 t[1] @local; store t[0] = g; " +
           between + "parallel local (l < k) { store r[g * k + l] = t[0]; } } }";
  };
  refuted(with(""), Races, "reads t[0]");
  proved(with("barrier;"), Races);
  const auto by_all = [](const std::string& between) {
    return "kernel p(b) output i64 r[b]; { parallel workgroup (g < b) { alloc i64 t[1] @local; store t[0] = g; " +
           between + "var i64 a = t[0]; store r[g] = a; } }";
  };
  refuted(by_all(""), Races, "reads t[0]");
  proved(by_all("barrier;"), Races);
  proved(
      "kernel p(b) output i64 r[b]; { parallel workgroup (g < b) { alloc i64 t[1] @local; store t[0] = g; store r[g] = "
      "t[0]; } }",
      Races);
}

TEST_CASE("a buffer that is read before it is written is refuted", "[proofs]") {
  refuted(head + "{ alloc i64 t[n] @global; for (i < n) store r[i] = t[i]; }", Initialisation,
          "reads t[0], which nothing has written");
  proved(head + "{ alloc i64 t[n] @global; for (k < n) store t[k] = k; for (i < n) store r[i] = t[n - i - 1]; }",
         Initialisation);
  refuted(head + "{ alloc i64 t[n] @global; for (k < n - 1) store t[k] = k; for (i < n) store r[i] = t[i]; }",
          Initialisation, "reads t[0]");
  refuted(head + "{ alloc i64 t[n] @global; for (i < n) { store r[i] = t[i]; store t[i] = i; } }", Initialisation,
          "reads t[0]");
  refuted("kernel p(n) output i64 r; { var i64 a; for (i < n) { a = i; } store r[0] = a; }", Initialisation,
          "n = 0: reads a");
  proved("kernel p(n) where 1 <= n output i64 r; { var i64 a; for (i < n) { a = i; } store r[0] = a; }",
         Initialisation);
}

TEST_CASE("scratch is uninitialised in each iteration", "[proofs]") {
  const auto with = [](const std::string& body) {
    return "kernel p(m, n) output i64 r[m]; { parallel par (i < m) with (i64 t[n + 1] @global) { " + body + " } }";
  };
  proved(with("for (k < n + 1) store t[k] = k; store r[i] = t[n];"), Initialisation);
  refuted(with("if (i == 0) { for (k < n + 1) store t[k] = k; } store r[i] = t[n];"), Initialisation, "i = 1");
}

TEST_CASE("every scalar of an output is written", "[proofs]") {
  proved("kernel p(m, n) output i64 r[m][n]; { for (j < n) for (i < m) store r[i * n + j] = 0; }", Initialisation);
  refuted("kernel p(m, n) output i64 r[m][n]; { for (j < n - 1) for (i < m) store r[i * n + j] = 0; }", Initialisation,
          "reads r[0], which");
  refuted(head + "{ for (i < n / 2) { store r[2 * i] = 0; store r[2 * i + 1] = 0; } }", Initialisation, "n = 1");
  proved(
      "kernel p(n) where n % 2 == 0 output i64 r[n]; { for (i < n / 2) { store r[2 * i] = 0; store r[2 * i + 1] = 0; } "
      "}",
      Initialisation);
  refuted(
      "kernel p(n) where n % 2 == 0 output i64 r[n]; { for (i < n / 2) { store r[2 * i] = 0; store r[2 * i] = 0; } }",
      Initialisation, "reads r[1]");
  proved(head + "{ for (i < n / 4) store r[i * 4] = splat<4>(0); for (i < n % 4) store r[n / 4 * 4 + i] = 0; }",
         Initialisation);
  refuted(head + "{ for (i < n / 4) store r[i * 4] = splat<4>(0); }", Initialisation, "n = 1");
}

TEST_CASE("both sides of an if write, or one does not", "[proofs]") {
  proved(head + "{ for (i < n) { if (xs[i] <.i64 3) { store r[i] = 1; } else { store r[i] = 0; } } }", Initialisation);
  proved(
      "kernel p(n) input f32 xs[n]; output i64 r[n]; { parallel par (i < n) { var f32 x = xs[i]; if (x <.f32 3f32) { "
      "store "
      "r[i] = 1; } else { store r[i] = 0; } } }",
      Initialisation);
  // One of the sides is an if itself.
  proved(
      "kernel p(n) input f32 xs[n]; output i64 r[n]; { for (i < n) { var f32 x = xs[i]; var f32 y = x *.f32 x; if (x "
      "<.f32 3f32) { if (y <.f32 1f32) { store r[i] = 1; } else { store r[i] = 2; } } else { store r[i] = 0; } } }",
      Initialisation);
  CHECK(worst("kernel p(n) input f32 xs[n]; output i64 r[n]; { for (i < n) { var f32 x = xs[i]; if (x <.f32 3f32) { "
              "store r[i] "
              "= 1; } else { store r[0] = 0; } } }",
              Initialisation) != Standing::Proved);
  CHECK(worst(head + "{ for (i < n) { if (xs[i] <.i64 3) { store r[i] = 1; } } }", Initialisation) != Standing::Proved);
  CHECK(worst(head + "{ for (i < n) { while (xs[i] <.i64 3) { store r[i] = 1; } } }", Initialisation) !=
        Standing::Proved);
}

// (w + l) % 8 goes through the row as l does, whatever w is.
TEST_CASE("a row written at a turned index is written whole, and at any other quotient is not known to be",
          "[proofs]") {
  const auto rows = [](const std::string& index, const std::string& extent) {
    return "kernel p(n) output i64 r[n][8]; { alloc i64 t[n * 8] @global; for (w < n) for (l < " + extent +
           ") store t[w * 8 + " + index +
           "] = 1; for (i < n) for (k < 8) store r[i * 8 + k] = t[i * 8 + (i + k) % 8]; }";
  };
  proved(rows("(w + l) % 8", "8"), Initialisation);
  proved(rows("(w * 3 + 5 + l) % 8", "8"), Initialisation);
  for (const auto& [index, extent] : {std::pair{"(w + l) % 8", "7"},
                                      {"(w + 2 * l) % 8", "8"},
                                      {"(w + l) % 7", "8"},
                                      {"(w + l) % 7", "7"},
                                      {"(w + l) % 8 * 2 - l", "8"},
                                      {"(l + l * w) % 8", "8"}})
    CHECK(worst(rows(index, extent), Initialisation) != Standing::Proved);
  const Size w = Size::name("w"), l = Size::name("l"), turned = modulo(w + l, 8);
  CHECK(turned_back(turned + w, "l", 8) == l + w);
  CHECK(turned_back(turned * 2 - l, "l", 8) == turned * 2 - l);  // goes up by one, but for more than that turn
}

TEST_CASE("soundness: bounds and initialisation behind many checks are proved in linear time", "[proofs]") {
  const auto kernel_of = [](std::size_t checks) {
    std::string text = head + "{ for (i < n) { ";
    for (std::size_t k = 0; k < checks; ++k) {
      const std::string v = "v" + std::to_string(k);
      text += "var i64 " + v + " = xs[i]; check (0 <.i64 " + v + ") \"!\" \"\" (); ";
    }
    return accesses_of(program_from(text + "store r[i] = 0; } }"));
  };
  const auto cpu_seconds = [](const Accesses& a) {
    const auto now = [] {
      timespec t{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
    };
    Prover prover;
    const double start = now();
    for (const Obligations& all : {bounds_obligations(a, prover), initial_obligations(a, prover)})
      for (const ProgramObligation& o : all)
        if (o.standing != Standing::Proved) FAIL(o.name);
    return now() - start;
  };
  const Accesses some = kernel_of(1500), twice_as_many = kernel_of(3000);
  double once = HUGE_VAL, twice = HUGE_VAL;
  for (int round = 0; round < 7 && !(round > 1 && twice < 3 * once); ++round) {
    once = std::min(once, cpu_seconds(some));
    twice = std::min(twice, cpu_seconds(twice_as_many));
  }
  INFO(once << " s, " << twice << " s");
  CHECK(twice < 3 * once);
}

TEST_CASE("what a thread writes into its own copy is not what the block's code reads", "[proofs]") {
  const auto with = [](const std::string& body, const std::string& read) {
    return "kernel p(b, k) where 1 <= k input i64 xs[b]; output i64 r[b]; { parallel workgroup (g < b) { " + body +
           " barrier; store r[g] = " + read + "; } }";
  };
  const std::string variable = "var i64 t = 0; ", array = "alloc i64 t[1] @private; ";
  // The first thread stores r, and another has written.
  CHECK(worst(with(variable + "parallel local (l < 2) { if (0 < l) { t = l; } }", "t"), Races) != Standing::Proved);
  CHECK(worst(with(array + "parallel local (l < 2) { if (0 < l) { store t[0] = l; } }", "t[0]"), Races) !=
        Standing::Proved);
  proved(with(variable + "t = xs[g]; parallel local (l < k) { var i64 u = t; }", "t"), Races);
  proved(with(array + "store t[0] = xs[g];", "t[0]"), Races);
}

TEST_CASE("a barrier that not all threads reach is refuted", "[proofs]") {
  const auto with = [](const std::string& body) {
    return "kernel p(b, k) input i64 xs[b]; output i64 r[b]; { parallel workgroup (g < b) { " + body +
           " store r[g] = 0; } }";
  };
  proved(with("if (xs[g] <.i64 3) { barrier; }"), Barriers);
  refuted(with("parallel local (l < k) { barrier; }"), Barriers, "inside the local loop");
  refuted(with("var i64 t = 0; parallel local (l < 1) { t = l; } if (t <.i64 3) { barrier; }"), Barriers,
          "depends on 't'");
  refuted(with("var i64 t = 0; parallel local (l < 1) { t = l; } var i64 u = t +.i64 1; for (q < k) { u = u +.i64 1; } "
               "if (u <.i64 3) { barrier; }"),
          Barriers, "depends on 'u'");
  refuted("kernel p(n) output i64 r; { barrier; store r[0] = 1; }", Barriers, "outside a workgroup loop");
}

TEST_CASE("a shuffle is proved to be reached where its conditions are the same for a segment", "[proofs]") {
  const auto with = [](const std::string& lanes) {
    return "kernel p(b, k) block 8 warp 4 input i64 xs[b]; output i64 r[b * 4]; parallel workgroup (g < b) parallel "
           "warp (w < 1) parallel local (l < 4) { var i64 x = l; " +
           lanes + " store r[g * 4 + l] = x; }";
  };
  const std::string pairs = "{ var i64 y = shuffle(x, 1, 2); x = y; }";
  proved(with(pairs), Barriers);
  proved(with("if (xs[g] <.i64 3) " + pairs), Barriers);
  proved(with("for (j < k) " + pairs), Barriers);
  proved(with("for (j < 3) if (j < 2) " + pairs), Barriers);
  proved(with("if (l / 2 < 1) " + pairs), Barriers);
  proved(with("for (j < l / 2) " + pairs), Barriers);
  refuted(with("if (l < 1) " + pairs), Barriers, "depends on 'l'");
  refuted(with("for (j < l) " + pairs), Barriers, "depends on 'l'");
  refuted(with("if (l < k) " + pairs), Barriers, "depends on 'l'");
  refuted(with("while (x <.i64 2) " + pairs), Barriers, "depends on 'x'");
  proved(with("if (k < 2) " + pairs), Barriers);
}

// ------------------------------------------------------------------------------------------------------ names, keys
namespace {

// All obligations of one kind; a prover that has answered before may be given.
Standing worst_of(Prover& prover, const std::string& text, ObligationKind kind) {
  Standing w = Standing::Proved;
  std::size_t n = 0;
  for (const ProgramObligation& o : kernel_obligations(program_from(text), prover))
    if (o.kind == kind) w = std::min(w, o.standing), ++n;
  REQUIRE(n > 0);
  return w;
}

}  // namespace

TEST_CASE("soundness A1a: a quotient of a quotient is not a quotient by a quotient", "[proofs]") {
  const auto with = [](const std::string& index) {
    return "kernel p(n, m, k) where 1 <= k, k <= m output i64 r[1]; { alloc i64 t[n / m / k + 1] @global; store t[" +
           index + "] = 7; store r[0] = 1; }";
  };
  refuted(with("n / (m / k)"), Bounds, "writes t[1] of 1");
  proved(with("n / m / k"), Bounds);
  refuted(
      "kernel p(n, m, k) where 1 <= k, k <= m output i64 r[1]; { alloc i64 t[n / (m / k) + 1] @global; store t[n - n / "
      "m / k] = 7; store r[0] = 1; }",
      Bounds, "writes t[");
}

TEST_CASE("soundness A1b: no loop's name is one that the prover makes", "[proofs]") {
  const auto racing = [](const std::string& name) {
    return "kernel p(n, m) output i64 r[n]; { alloc i64 t[n + m] @global; for (a < n + m) store t[a] = a; parallel par "
           "(i < n) { var i64 s = 0; for (`" +
           name + "` < m) { s = s +.i64 t[i + m - `" + name + "`]; } store t[i + m] = s; store r[i] = s; } }";
  };
  for (const char* name :
       {"k", "d4", "d3", "d4^", "i^", "#d4", "d", "~1", "i~", "t~3", "q", "q:n / m", "lane^", "place^", "\\~"})
    refuted(racing(name), Races, "reads t[");
  // An unwritten scalar, whatever a loop or a size is called.
  for (const char* name : {"n", "place", "lane", "place^", "lane^", "#place", "i~1", "v:1", "q:n / 2"}) {
    const std::string n = "`" + std::string(name) + "`";
    refuted("kernel p(" + n + ") output i64 r[" + n + "]; { for (i < " + n + " - 1) store r[i] = i; }", Initialisation,
            "reads r[0]");
    proved("kernel p(" + n + ") output i64 r[" + n + "]; { for (i < " + n + ") store r[i] = i; }", Initialisation);
    refuted("kernel p(m) output i64 r[m]; { for (" + n + " < m - 1) store r[" + n + "] = 0; }", Initialisation,
            "reads r[0]");
    proved("kernel p(m) output i64 r[m]; { for (" + n + " < m) store r[" + n + "] = 0; }", Initialisation);
  }
}

TEST_CASE("soundness A1b: a size that is called as a quotient, a value or a state of a buffer is itself", "[proofs]") {
  // "q:n / 3" <= n / 3 does not follow from the names.
  const auto with = [](const std::string& size) {
    return "kernel p(n, `" + size +
           "`) input i64 is[n]; output i64 r[n]; { alloc i64 t[n / 3 + 1] @global; for (i < n) "
           "{ if (`" +
           size + "` < n) { store t[`" + size + "`] = 1; } store r[i] = is[i]; } }";
  };
  for (const char* size : {"m", "q:n / 3", "is~", "is~1", "t~", "value1~2", "v:n", "#0"})
    refuted(with(size), Bounds, "writes t[1] of 1");
}

TEST_CASE("soundness A1c: the product of two negative extents is no extent", "[proofs]") {
  const auto with = [](const std::string& facts) {
    return "kernel p(n, m) " + facts +
           " output i64 r[1]; { alloc i64 t[(n + 3) * (m + 3)] @global; for (a < n - 3) { for (b < m - 3) { store t[a "
           "* "
           "(m - 3) + b] = 7; } } var i64 s = 0; for (k < (n - 3) * (m - 3)) { s = s +.i64 t[k]; } store r[0] = s; }";
  };
  refuted(with(""), Initialisation, "m = 0, n = 0: reads t[0], which nothing has written");
  refuted(with("where n <= 2"), Initialisation, "reads t[0], which nothing has written");
  proved(with("where 3 <= m"), Initialisation);
  proved(with("where 3 <= n"), Initialisation);
}

TEST_CASE("soundness A1c: a digit that is negative is no iteration", "[proofs]") {
  const auto with = [](const std::string& condition) {
    return "kernel p(n, m) output i64 r[1]; { store r[0] = 0; alloc i64 t[n * m + 1] @global; for (a < n) { store t[m "
           "* "
           "a] = 1; } for (x < n + 5) { if (" +
           condition + ") store r[0] = t[m * (x - 5)]; } }";
  };
  refuted(with("0 <= m * (x - 5)"), Initialisation, "m = 0, n = 0, x = 0: reads t[0], which nothing has written");
  proved(with("5 <= x"), Initialisation);
}

TEST_CASE("soundness A1c: no digit is divided off by a stride of nothing", "[proofs]") {
  const auto with = [](const std::string& facts, const std::string& guard) {
    return "kernel p(n, m) " + facts +
           " output i64 r[1]; { alloc i64 t[n * m + n] @global; store r[0] = 0; for (a < n) { for (b < m) { if (" +
           guard + ") store t[a * m + b] = 1; } } for (c < n) store r[0] = t[c]; }";
  };
  for (const char* guard : {"a < n", "b < m", "a * m + b < n", "b < n + m", "0 <= a"}) {
    refuted(with("", guard), Initialisation, "m = 0, n = 1: reads t[0], which nothing has written");
    proved(with("where 1 <= m", guard), Initialisation);
  }
}

TEST_CASE("soundness A1d: what a check's loop covers is part of the question that is remembered", "[proofs]") {
  const auto with = [](const std::string& extent) {
    return "kernel p(n, m) input i64 is[n]; input i64 xs[m]; output i64 r[n]; { for (k < " + extent +
           ") { check ((0 <=.i64 is[k]) &&.bool (is[k] <.i64 m)) \"gather\" \"\" (is[k]); } for (i < n) { store r[i] = "
           "xs[is[i]]; } }";
  };
  Prover prover;
  CHECK(worst_of(prover, with("n"), Bounds) == Standing::Proved);
  CHECK(worst_of(prover, with("n / 2"), Bounds) == Standing::Tested);
  CHECK(worst_of(prover, with("n - 1"), Bounds) == Standing::Tested);
  CHECK(worst_of(prover, with("n"), Bounds) == Standing::Proved);
}

TEST_CASE("soundness A1: a counterexample is where no check has stopped the program", "[proofs]") {
  const auto not_refuted = [](const std::string& text, ObligationKind kind) {
    INFO(text);
    CHECK(worst(text, kind) != Standing::Refuted);
  };
  const std::string start = "kernel p(n) output i64 r[1]; { alloc i64 t[3] @global; for (a < 3) store t[a] = 1; ";
  const std::string end = " store r[0] = 0; if (0 < n) { store r[0] = t[n - 1]; } }";
  refuted(start + end, Bounds, "n = 4: reads t[3] of 3");
  // Whatever stands around the check, and in whichever iterations.
  const std::string check = "check (c < 3) \"x\" \"\" ();";
  not_refuted(start + "for (c < n) " + check + end, Bounds);
  not_refuted(start + "for (c < n) { if (1 < c) " + check + " }" + end, Bounds);
  not_refuted(start + "for (b < 2) { if (0 < b) { for (c < n) " + check + " } }" + end, Bounds);
  not_refuted(start + "if (3 < n) check (n < 4) \"x\" \"\" ();" + end, Bounds);
  refuted(start + "for (c < n) { if (3 < c) check (c < 3) \"x\" \"\" (); }" + end, Bounds, "n = 4: reads t[3] of 3");
  refuted(start + "if (4 < n) " + "check (n < 4) \"x\" \"\" ();" + end, Bounds, "n = 4: reads t[3] of 3");
  // An earlier iteration's check stops it, a later one's does not.
  const auto around = [](const std::string& before, const std::string& after) {
    return "kernel p(n) output i64 r[3]; { for (i < n) { " + before + " if (2 < i) store r[i] = 1; " + after + " } }";
  };
  not_refuted(around("", "check (i < 2) \"x\" \"\" ();"), Bounds);
  refuted(around("", "check (i < 3) \"x\" \"\" ();"), Bounds, "i = 3, n = 4: writes r[3] of 3");
  not_refuted(around("check (i < 3) \"x\" \"\" ();", ""), Bounds);
  // The solver's counterexamples are held to it too: none is small.
  const std::string large = "kernel p(n) output i64 r[1]; { alloc i64 t[70] @global; ";
  refuted(large + "if (70 < n) store t[n - 1] = 1; }", Bounds, "writes t[");
  not_refuted(large + "for (c < n) check (c < 50) \"x\" \"\" (); if (70 < n) store t[n - 1] = 1; }", Bounds);
  not_refuted(large + "if (60 < n) check (n < 65) \"x\" \"\" (); if (70 < n) store t[n - 1] = 1; }", Bounds);

  const std::string races = "kernel p(n) output i64 r[n]; { for (c < n) check (c < 1) \"x\" \"\" (); ";
  not_refuted(races + "parallel par (i < n) { store r[0] = i; } }", Races);
  refuted(
      "kernel p(n) output i64 r[n]; { for (c < n) check (c < 2) \"x\" \"\" (); parallel par (i < n) { store r[0] = "
      "i; } }",
      Races, "n = 2");
  const std::string unwritten =
      "alloc i64 t[3] @global; for (i < n) { store r[i] = 0; } if (1 < n) store r[0] = t[0]; }";
  not_refuted(races + unwritten, Initialisation);
  refuted(head + "{ " + unwritten, Initialisation, "n = 2: reads t[0], which nothing has written");
  not_refuted(races + "store r[0] = 1; if (1 < n) { store r[0] = (n - 2) / (n - 2); } }", Divisions);
}

TEST_CASE("soundness A1: a check of inputs that hold a number excludes no counterexample", "[proofs]") {
  const auto with = [](const std::string& input, const std::string& ok) {
    return "kernel p(n) input i64 is[n]" + input + "; output i64 r[n]; { for (c < n) check (" + ok +
           ") \"x\" \"\" (); if (0 < n) store r[n] = 0; }";
  };
  refuted(with("", "(0 <=.i64 is[c]) &&.bool (is[c] <.i64 n)"), Bounds, "n = 1: writes r[1] of 1 where inputs hold 0");
  refuted(with("", "0 <.i64 is[c]"), Bounds, "n = 1: writes r[1] of 1 where inputs hold 1");
  refuted(with(" < 1", "is[c] <.i64 1"), Bounds, "n = 1: writes r[1] of 1 where inputs hold 0");
  CHECK(worst(with(" < 1", "0 <.i64 is[c]"), Bounds) == Standing::Unknown);
  CHECK(worst(with("", "is[c] <.i64 is[c]"), Bounds) == Standing::Unknown);
}

TEST_CASE("a check by one thread of the block holds for the others after a barrier", "[proofs]") {
  const auto with = [](const std::string& level, const std::string& between, const std::string& index) {
    return "kernel p(n, m) input i64 is[m]; input i64 xs[m]; output i64 r[n * m]; { parallel workgroup (g < n) { " +
           level + " (c < m) { check ((0 <=.i64 is[c]) &&.bool (is[c] <.i64 m)) \"gather\" \"\" (); } " + between +
           " parallel local (l < m) { store r[g * m + l] = xs[is[" + index + "]]; } } }";
  };
  CHECK(worst(with("parallel local", "", "m - l - 1"), Bounds) == Standing::Tested);
  CHECK(worst(with("parallel local", "for (i < n) barrier;", "m - l - 1"), Bounds) == Standing::Tested);
  proved(with("parallel local", "barrier;", "m - l - 1"), Bounds);
  proved(with("for", "", "m - l - 1"), Bounds);  // each thread checks all
}

// ------------------------------------------------------------------------------------------------------ in place
namespace {

ProgramObligation merged(const std::string& step, const std::string& copy = "for (c < n) store s[c] = t[c];") {
  const std::string start =
      "kernel p(n, k) output i64 r[n]; output i64 m[n]; { alloc i64 s[n] @global; for (z < n) store s[z] = z; ";
  const std::string finish = " for (f < n) store r[f] = s[f]; }";
  const kernel::Program before =
      program_from(start + "for (q < k) { alloc i64 t[n] @global; " + step + " " + copy + " }" + finish);
  const kernel::Program after = program_from(start + finish);  // only that t has gone matters
  Prover prover;
  const auto all = in_place_obligations(before, after, prover);
  REQUIRE(all.size() == 1);
  return all[0];
}

}  // namespace

TEST_CASE("an in-place step whose reads precede its writes is proved", "[proofs]") {
  for (const char* step :
       {"for (i < n) store t[i] = s[i] +.i64 1;", "parallel par (i < n) { store t[i] = s[i] +.i64 1; }",
        "for (i < n) store t[i] = (i + 1 < n ? s[i + 1] : 0);"}) {
    const ProgramObligation o = merged(step);
    INFO(step << ": " << o.detail);
    CHECK(o.standing == Standing::Proved);
  }
}

TEST_CASE("an in-place step beside another leaf's copy is proved, or refuted, as alone", "[proofs]") {
  const std::string both = "for (c < n) { store s[c] = t[c]; store m[c] = r[c]; }";
  CHECK(merged("for (i < n) store t[i] = s[i] +.i64 1;", both).standing == Standing::Proved);
  CHECK(merged("for (i < n) store t[i] = s[n - i - 1];", both).standing == Standing::Refuted);
  CHECK(merged("for (i < n) store t[i] = s[i];", "for (c < n) { store s[c] = t[c]; store m[c] = 1; }").standing !=
        Standing::Proved);
}

TEST_CASE("an in-place step that reads too late is refuted", "[proofs]") {
  CHECK(merged("for (i < n) store t[i] = (1 <= i ? s[i - 1] : 0);").standing == Standing::Refuted);
  CHECK(merged("for (i < n) store t[i] = s[n - i - 1];").standing == Standing::Refuted);
  CHECK(merged("parallel par (i < n) { store t[i] = (i + 1 < n ? s[i + 1] : 0); }").standing == Standing::Refuted);
  CHECK(merged("for (i < n) store t[i] = 0; for (i < n) store t[i] = s[i];").standing == Standing::Refuted);
}

TEST_CASE("an in-place step is not proved where the copy leaves something out", "[proofs]") {
  CHECK(merged("for (i < n) store t[i] = s[i];", "for (c < n - 1) store s[c] = t[c];").standing != Standing::Proved);
  CHECK(merged("for (i < n) store t[i] = s[i];", "for (c < n) store s[c] = t[n - c - 1];").standing !=
        Standing::Proved);
  CHECK(merged("for (i < n) store t[i] = s[i]; store s[0] = 1;").standing != Standing::Proved);
}

// ------------------------------------------------------------------------------------------------------ indices
namespace {

std::vector<PathRecord> records_of(const std::string& text) {
  const PhraseProgram source = test::entry(text);
  std::vector<PathRecord> out;
  for (const Step& step : dpia_trace(source, test::calculus(), Machine::Cpu, true).steps)
    for (const lockstep::Obligation& o : step.owed)
      if (const auto* r = o.statement.as_if<PathRecord>()) out.push_back(*r);
  return out;
}

// Changes every load's index that mentions `name`.
kernel::Expr with_index(const kernel::Expr& e, const std::function<kernel::Expr(const kernel::Expr&)>& f) {
  using namespace kernel;
  if (const auto* l = std::get_if<Load>(&e.node)) return {e.type, Load{l->buffer, f(*l->index)}};
  if (const auto* v = std::get_if<VectorLoad>(&e.node)) return {e.type, VectorLoad{v->buffer, v->width, f(*v->index)}};
  if (const auto* c = std::get_if<Choose>(&e.node))
    return {e.type, Choose{c->condition, with_index(*c->then, f), with_index(*c->otherwise, f)}};
  if (const auto* a = std::get_if<Apply>(&e.node)) {
    std::vector<ExprRef> arguments;
    for (const ExprRef& x : a->arguments) arguments.push_back(with_index(*x, f));
    return {e.type, Apply{a->primitive, a->operand, std::move(arguments)}};
  }
  return e;
}

bool has_index(const kernel::Expr& e) {
  bool found = false;
  with_index(e, [&](const kernel::Expr& i) {
    found = true;
    return i;
  });
  return found;
}

const char* const transposed = "fun f [m n] (xs : [n][m]i32) : [m][n]i32 = xs |> transpose |> map (map (\\x -> x + 1))";
const char* const padded = "fun f [n] (xs : [n]i32) : [n+3]i32 = xs |> pad 1 2 0 |> map (\\x -> x + 1)";
const char* const vectors = "fun f [n] (xs : [n*4]f32) : [n*4]f32 = xs |> asVector 4 |> map (\\v -> v + v) |> asScalar";
const char* const gathered =
    "fun f [n m] (is : [n]i64) (xs : [m]i32) : [n]i32 = gather (reverse is) (reverse xs) |> map (\\x -> x + 1)";
const char* const tiles =
    "fun f [n] (xs : [n]i32) : [n]i32 where n % 32 == 0 = xs |> split 32 |> map (\\t -> t |> split 8 |> transpose |> "
    "join |> map (\\x -> x + 1)) |> join";

}  // namespace

TEST_CASE("every index is the composition of its path", "[proofs]") {
  for (const char* text : {transposed, padded, vectors, gathered, tiles}) {
    Prover prover;
    const auto records = records_of(text);
    CHECK(records.size() > 1);
    for (const PathRecord& r : records) {
      const ProgramObligation o = index_obligation(r, prover);
      INFO(text << ": " << o.name << " | " << o.detail);
      CHECK(o.standing == Standing::Proved);
    }
  }
}

TEST_CASE("an index that is off by one is refuted, in reads and in writes", "[proofs]") {
  for (const char* text : {transposed, padded, vectors, tiles}) {
    Prover prover;
    std::size_t refuted_ones = 0, tampered = 0;
    for (PathRecord r : records_of(text)) {
      if (!has_index(r.made)) continue;
      r.made =
          with_index(r.made, [](const kernel::Expr& i) { return proofs::kernels::add(i, proofs::kernels::number(1)); });
      const ProgramObligation o = index_obligation(r, prover);
      INFO(text << ": " << o.name << " | " << o.detail);
      CHECK(o.standing == Standing::Refuted);
      CHECK(o.detail.find("the path leads to") != std::string::npos);
      ++tampered, refuted_ones += o.standing == Standing::Refuted;
    }
    CHECK(tampered >= 2);
    CHECK(refuted_ones == tampered);
  }
}

TEST_CASE("an index that is another's, or a choice left out, is not proved", "[proofs]") {
  Prover prover;
  bool swapped = false, chosen = false;
  for (PathRecord r : records_of(transposed)) {
    if (r.write || !has_index(r.made)) continue;
    r.made = with_index(r.made, [](const kernel::Expr& i) {
      return proofs::kernels::substitute(i, {{"n", proofs::kernels::named("m")}, {"m", proofs::kernels::named("n")}});
    });
    CHECK(index_obligation(r, prover).standing == Standing::Refuted);
    swapped = true;
  }
  for (PathRecord r : records_of(padded)) {
    const auto* a = std::get_if<kernel::Apply>(&r.made.node);
    const auto* c = a ? std::get_if<kernel::Choose>(&a->arguments[0]->node) : nullptr;
    if (!c) continue;
    kernel::Apply wrong = *a;
    wrong.arguments[0] = c->otherwise;
    r.made.node = wrong;
    CHECK(index_obligation(r, prover).standing != Standing::Proved);
    chosen = true;
  }
  CHECK(swapped);
  CHECK(chosen);
}

TEST_CASE("a grid of two dimensions whose blocks are numbered is proved on both machines", "[proofs]") {
  const std::string grid =
      "fun main [m n] (tiles : [m*n][2][2]f32) : [2*m][2*n]f32 where m >= 1, n >= 1 =\n"
      "  mapWorkgroup (mapWarp (mapLocal (\\x -> x))) tiles |> transpose |> join |> split n |> split m |> transpose\n"
      "    |> join |> join |> join |> split (2*n)\n";
  for (const MachineObligations& m : program_obligations(traces_of(test::entry(grid), test::calculus())))
    for (const ProgramObligation& o : m.obligations) {
      INFO(show(o.kind) << ": " << o.name << " " << o.where << " " << o.detail);
      CHECK(o.standing == Standing::Proved);
    }
}

TEST_CASE("the pipelines of a program have obligations of both machines", "[proofs]") {
  const auto found = program_obligations(traces_of(test::entry(tiles), test::calculus()));
  REQUIRE(found.size() == 2);
  for (const MachineObligations& m : found)
    for (ObligationKind k :
         {ObligationKind::Bounds, ObligationKind::Races, ObligationKind::Initialisation, ObligationKind::Indices}) {
      const Tally t = tally_of(m.obligations, k);
      CHECK(t.all() > 0);
      CHECK(t.proved == t.all());
    }
  CHECK(show_tallies(found[0].obligations).find("bounds ") == 0);
}

}  // namespace program_proofs_test
