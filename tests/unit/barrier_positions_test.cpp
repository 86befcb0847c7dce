// Barriers at every place where they can stand in kernels with loops around and beside local loops: what is proved of
// races is what the interpreter finds, for each choice of barriers.
#include <catch2/catch.hpp>

#include "proofs/kernel/parts.h"
#include "semantics/kernel/run.h"
#include "tests/unit/kernel_program.h"

namespace barrier_positions_test {
using namespace lockstep;
using namespace lockstep::proofs::kernels;

namespace {

// @ stands for a barrier or nothing.
struct Shape {
  const char* body;
  bool exact;  // without a race at small sizes, proved
};
const Shape shapes[] = {
    // a loop that reads, between two local loops that write
    {"parallel local (l < k) { store t[l] = l; } @ for (i < k) { @ var i64 a = t[i]; store r[g * k + i] = a; @ } @ "
     "parallel local (l < k) { store t[l] = 7; }",
     true},
    // the same, in rounds
    {"for (q < s) { @ parallel local (l < k) { store t[l] = q; } @ for (i < k) { @ var i64 a = t[i]; store r[g * k + "
     "i] "
     "= a; @ } @ }",
     true},
    // a local loop inside two loops, read in a third
    {"for (q < s) { for (p < s) { @ parallel local (l < k) { store t[k - l - 1] = p; } @ } @ for (p < s) { @ parallel "
     "local (l < k) { store r[g * k + l] = t[l]; } @ } }",
     true},
    // the first thread's stores, which all read
    {"store t[0] = g; @ for (i < k) { @ var i64 a = t[0]; @ store t[0] = a +.i64 i; @ } @ store r[g * k] = t[0]; for "
     "(i < "
     "k - 1) { store r[g * k + i + 1] = 0; }",
     true},
    // a condition that is read once more than its body runs
    {"parallel local (l < k) { store t[l] = l; } @ while (t[0] <.i64 xs[g]) { @ var i64 a = t[0]; @ store t[0] = a "
     "+.i64 "
     "1; @ } @ parallel local (l < k) { store t[l] = 7; store r[g * k + l] = l; }",
     false},
    // a branch that the data choose
    {"parallel local (l < k) { store t[l] = l; } @ for (i < k) { if (xs[g] <.i64 i) { @ var i64 a = t[i]; store r[g * "
     "k + "
     "i] = a; @ } else { store r[g * k + i] = 1; @ } @ }",
     false},
};

std::string with_barriers(const std::string& body, unsigned which) {
  std::string out =
      "kernel p(b, k, s) where 2 <= k, 2 <= s input i64 xs[b]; output i64 r[b][k]; { parallel workgroup (g "
      "< b) { alloc i64 t[k] @local; ";
  for (const char c : body) {
    if (c != '@')
      out += c;
    else if (which % 2 == 1)
      out += "barrier;";
    if (c == '@') which /= 2;
  }
  return out + " } }";
}

bool races(const kernel::Program& p) {
  for (const std::int64_t k : {2, 3})
    for (const std::int64_t x : {0, 1, 5}) {
      kernel::RunOptions how;
      how.detect_races = true;
      const auto number = make_integer(ScalarType::I64, static_cast<std::uint64_t>(x));
      const auto out = kernel::run(p, {{"b", 2}, {"k", k}, {"s", 2}}, {{"xs", {number, number}}}, ieee_domain(), how);
      if (out) continue;
      const auto* fault = std::get_if<kernel::Fault>(&out.error());
      REQUIRE(fault);
      REQUIRE(fault->kind == kernel::FaultKind::Race);
      return true;
    }
  return false;
}

}  // namespace

TEST_CASE("issue 11: of barriers at every place, races are proved absent where there are none and nowhere else",
          "[proofs]") {
  Prover prover(200);
  for (const Shape& shape : shapes) {
    const std::string body = shape.body;
    const auto places = static_cast<unsigned>(std::count(body.begin(), body.end(), '@'));
    std::size_t with = 0, without = 0, proved = 0;
    for (unsigned which = 0; which < 1U << places; ++which) {
      const kernel::Program p = kernel::program_from(with_barriers(body, which));
      Standing standing = Standing::Proved;
      std::string detail;
      for (const ProgramObligation& o : block_obligations(accesses_of(p), prover))
        if (std::min(standing, o.standing) != standing) standing = o.standing, detail = o.name + ": " + o.detail;
      const bool race = races(p);
      INFO(with_barriers(body, which) << "\n" << detail);
      (race ? with : without) += 1, proved += standing == Standing::Proved;
      if (race) CHECK(standing != Standing::Proved);
      if (!race) CHECK((standing == Standing::Proved || (!shape.exact && standing != Standing::Refuted)));
    }
    INFO(body);
    CHECK(with > 0);
    CHECK(without > 0);
    CHECK(proved > 0);
  }
}

}  // namespace barrier_positions_test
