// Narrow indices: what the stage says has to fit, what both interpreters make of indices that do not, what is proved,
// and the HIP text of both widths.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "proofs/kernel/parts.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace narrow_test {
using namespace lockstep;
using namespace lockstep::kernel;
using namespace lockstep::proofs::kernels;
using Catch::Matchers::Contains;

namespace {

// "" where the run gives its outputs; otherwise what the fault says.
std::string said(const tl::expected<kernel::Buffers, kernel::Stop>& result) {
  if (result) return "";
  const auto* fault = std::get_if<Fault>(&result.error());
  REQUIRE(fault);
  return std::string(show(fault->kind)) + ": " + fault->message;
}
// By both interpreters, which say the same.
std::string run_at(const std::string& head, const std::string& body, std::int64_t n) {
  const Program p = program_from("kernel p(n)" + head + " output i64 r[1]; " + body);
  REQUIRE(check(p) == std::vector<std::string>{});
  const std::string one = said(run(p, {{"n", n}}, {}, ieee_domain()));
  const std::string other = said(run_interleaved(p, {{"n", n}}, {}, ieee_domain()));
  CHECK(one.substr(0, one.find(" bits")) == other.substr(0, other.find(" bits")));
  return one;
}
const std::string store = "store r[0] = 0;";

std::string fitting(const std::string& text) {
  const Program p = narrowed(program_from(text));
  if (!p.narrow) return "wide";
  std::string out;
  for (const Size& s : *p.narrow) out += (out.empty() ? "" : ", ") + show(s);
  return out;
}
std::string fitting_in(const std::string& body, const std::string& parameters = "output i64 r[n]; ") {
  return fitting("kernel p(m, n) " + parameters + body);
}

std::vector<ProgramObligation> widths(const Program& p) {
  Prover prover;
  std::vector<ProgramObligation> out;
  for (ProgramObligation& o : kernel_obligations(p, prover))
    if (o.kind == ObligationKind::Widths) out.push_back(std::move(o));
  return out;
}
Standing worst(const Program& p) {
  Standing w = Standing::Proved;
  const auto all = widths(p);
  REQUIRE_FALSE(all.empty());
  for (const ProgramObligation& o : all) {
    INFO(o.name << " | " << o.where << " | " << o.detail);
    w = std::min(w, o.standing);
  }
  return w;
}

}  // namespace

TEST_CASE("what leaves the range of narrow indices is a fault, at sizes that fit") {
  const std::string five = " index 5 narrow ()", leaves = "overflow: index arithmetic leaves 5 bits";
  for (const std::string index : {"n + 1", "n * 2", "0 - n - 2"}) {
    const std::string body = "{ var i64 x = " + index + "; " + store + " }";
    CHECK(run_at(five, body, 7) == "");
    CHECK_THAT(run_at(five, body, 15), Contains(leaves));
    CHECK(run_at(" index 6 narrow ()", body, 15) == "");
    CHECK(run_at(five, body, 16) == "");                       // n does not fit: 64 bits
    CHECK(run_at(" index 5 narrow (n + 1)", body, 15) == "");  // nor does what is said beside it
    CHECK(run_at(" index 5", body, 15) == "");                 // nothing is said
  }
}

TEST_CASE("a loop's extent is an index, and with its units what ends it") {
  const std::string four = " block 2 warp 2 grid 2 index 4 narrow ()";
  CHECK(run_at(four, "{ for (i < n) {} " + store + " }", 7) == "");
  CHECK_THAT(run_at(four, "{ for (i < n + n) {} " + store + " }", 4), Contains("leaves 4 bits"));
  const std::string dealt = "{ parallel global (i < n by 4) {} " + store + " }";
  CHECK(run_at(four, dealt, 3) == "");
  CHECK_THAT(run_at(four, dealt, 4), Contains("leaves 4 bits"));
  CHECK(run_at(four, "{ parallel global (i < n) {} " + store + " }", 7) == "");
  for (const std::string loop :
       {"for (i < k) {} ", "parallel global (i < k) {} "}) {  // an extent that is no arithmetic
    CHECK(run_at(four, "{ var i64 k = 7; " + loop + store + " }", 3) == "");
    CHECK_THAT(run_at(four, "{ var i64 k = 8; " + loop + store + " }", 3), Contains("leaves 4 bits"));
  }
}

TEST_CASE("what has to fit bounds everything that index arithmetic comes to") {
  CHECK(fitting_in("for (i < n) store r[i] = 0;") == "");
  CHECK(fitting_in("for (i < n) store r[n - 1 - i] = 0;") == "");
  CHECK(fitting_in("for (i < m) for (j < n) store r[i * n + j] = 0;") == "m*n - 1");
  CHECK(fitting_in("for (i < n) store r[n - 1 - i * m] = 0;") == "m*n + 1 - m");  // below 0 too
  CHECK(fitting_in("parallel global (i < n by 256) store r[i] = 0;") == "n + 256");
  CHECK(fitting_in("for (i < n / 4) store r[i * 8 + 7] = 0;") == "8*(n/4) - 1");
  CHECK(fitting_in("store r[(n < m ? n * 2 : m * 3) + 1] = 0;") == "3*m + 2*n + 1");
  CHECK(fitting_in("for (i < n) { var i64 k = i * m; store r[k + 1] = 0; }") == "m*n + 1 - m");
  CHECK(fitting_in("for (i < n) store r[i] = xs[h[i] * m];",
                   "input i64 h[n] < 9; input i64 xs[n]; output i64 r[n]; ") == "8*m");
}

TEST_CASE("indices of which nothing is known, or that never fit, stay wide") {
  const std::string arrays = "input i64 h[n]; input i64 xs[n]; output i64 r[n]; ";
  CHECK(fitting_in("for (i < n) store r[i] = xs[h[i]];", arrays) == "");  // of 64 bits by itself
  CHECK(fitting_in("for (i < n) store r[i] = xs[h[i] + 1];", arrays) == "wide");
  CHECK(fitting_in("for (i < n) store r[i] = xs[h[i] % 8];", arrays) == "");
  CHECK(fitting_in("for (i < h[0]) store r[0] = 0;", arrays) == "wide");
  CHECK(fitting_in("{ var i64 k = 0; while (k < n) { store r[k + 1] = 0; k = k + 1; } }") == "wide");
  CHECK(fitting_in("store r[n * 1 + 2147483647] = 0;") == "n + 2147483647");
  CHECK(fitting_in("for (i < 3) store r[i * 2000000000] = 0;") == "wide");
  CHECK(fitting_in("for (i < 4611686018427387904) for (j < 4) store r[i * 4611686018427387904 * j] = 0;") == "wide");
  CHECK(fitting("kernel p(n) index 64 output i64 r[n]; for (i < n) store r[i] = 0;") == "wide");
  CHECK(fitting("kernel p(n) block 64 grid 2147483647 output i64 r[n]; parallel global (i < n by 137438953408) store "
                "r[i] = 0;") == "wide");
}

TEST_CASE("that narrow indices fit is proved of what the stage makes, and of nothing less") {
  const std::string rows = "parallel global (i < m by 16) for (j < n) store r[(i * n + j) * 2 + 1] = 0;";
  const auto with = [&](const std::string& narrow) {
    return program_from("kernel p(m, n) block 4 warp 4 grid 4" + narrow + " output i64 r[m][n][2]; " + rows);
  };
  const Program made = narrowed(with(""));
  CHECK_THAT(print(made), Contains("narrow (m + 16, m * n * 2 - 1)"));
  CHECK(widths(with("")).empty());
  CHECK(worst(made) == Standing::Proved);
  CHECK(worst(with(" narrow (m + 16, m * n * 2)")) == Standing::Proved);
  for (const std::string less : {" narrow (m + 16)", " narrow (m * n * 2)", " narrow (m + 16, m * n)", " narrow ()"})
    CHECK(worst(with(less)) != Standing::Proved);
  CHECK(worst(program_from("kernel p(m, n) index 5 narrow () output i64 r[m][n]; for (i < m) for (j < n) store "
                           "r[i * n + j] = 0;")) == Standing::Refuted);  // at small sizes
}

TEST_CASE("a narrow program's text is read as it is printed, and its sizes are the program's") {
  const std::string text = "kernel p(n) index 8 narrow (n + 3, n * n)\noutput i64 r[n];\nstore r[0] = 0;\n";
  CHECK(print(program_from(text)) == text);
  Program other = program_from(text);
  other.narrow->push_back(Size::name("k"));
  CHECK_THAT(check(other).at(0), Contains("what has to fit mentions 'k', which is no size"));
  CHECK_THAT(check(program_from("kernel p(n) index 3 output i64 r[n]; store r[0] = 0;")).at(0),
             Contains("an index has 4 to 64 bits, not 3"));
}

TEST_CASE("HIP text of a narrow program has kernels of both widths, and operators on i64 stay wide") {
  const auto text = [](const std::string& head, const std::string& body) {
    return hip_text(hosted(narrowed(
        dealt_out_from("kernel p(n)" + head + " input i64 xs[n]; output i64 r[n]; parallel global (i < n) " + body))));
  };
  const HipText t = text("", "store r[i] = (i *.i64 n) +.i64 xs[n - 1 - i];");
  CHECK_THAT(t.kernel, Contains("template <class Index>\nstatic __global__ void kernel_1(Index n_"));
  CHECK_THAT(t.kernel, Contains("for (Index i_ = blockIdx.x * (Index)blockDim.x + threadIdx.x;"));
  CHECK_THAT(t.kernel, Contains("(uint64_t)int64_t(i_) * (uint64_t)int64_t(n_))) + (uint64_t)xs_[n_ - 1 - i_]);"));
  CHECK_THAT(t.host, Contains("const bool narrow = n_ <= 2147483647 && Exact(n_) + 16776960 <= 2147483647;"));
  CHECK_THAT(t.host, Contains("if (!(narrow ? LOCKSTEP_LAUNCH(kernel_1<int32_t>, ") &&
                         Contains(": LOCKSTEP_LAUNCH(kernel_1<int64_t>, "));
  const HipText wide = text(" index 64", "store r[i] = i *.i64 n;");
  CHECK_THAT(wide.kernel, !Contains("template") && !Contains("Index"));
  CHECK_THAT(wide.host, !Contains("narrow"));
  const auto unfit = [&](const std::string& head) {
    return hip_unfit(
        narrowed(dealt_out_from("kernel p(n)" + head + " output i64 r[n]; parallel global (i < n) store r[i] = 0;")));
  };
  CHECK(unfit(" grid 1").empty());
  CHECK_THAT(unfit(" block 4 warp 4 grid 1 index 9").at(0), Contains("HIP has indices of 32 and of 64 bits, not of 9"));
}

TEST_CASE("a source says how wide its indices are") {
  const PhraseProgram p = test::entry("fun f [n] (xs : [n]i32) : [n]i32 block 4 index 16 = xs");
  CHECK(p.launch.index == 16);
  CHECK_THAT(test::errors("fun f [n] (xs : [n]i32) : [n]i32 index 65 = xs"),
             Contains("an index has 4 to 64 bits, not 65"));
  CHECK_THAT(test::errors("fun f [n] (xs : [n]i32) : [n]i32 index 2 = xs"),
             Contains("an index has 4 to 64 bits, not 2"));
}

}  // namespace narrow_test
