// Barriers at every place where they can stand in kernels with loops around and beside local loops, of blocks and of
// warps: what is proved of races is what the interpreters find, for each choice of barriers.
#include <catch2/catch.hpp>

#include "proofs/kernel/parts.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "tests/unit/kernel_program.h"

namespace barrier_positions_test {
using namespace lockstep;
using namespace lockstep::proofs::kernels;

namespace {

// @ stands for a barrier or nothing, % for one of a warp.
struct Shape {
  const char* body;
  bool exact;                    // without a race at small sizes, proved
  const char* blocks = "g < b";  // how they are dealt out
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
    // a warp's lanes, each reading what another has written
    {"parallel warp (w < k) { % parallel local (l < k) { store t[w * k + l] = l; } % parallel local (l < k) { store "
     "q[(g * k + w) * k + l] = t[w * k + k - l - 1]; } % }",
     true},
    // in rounds, which no barrier of the block parts, or one does
    {"for (p < s) { @ parallel warp (w < k) { % parallel local (l < k) { store t[w * k + l] = p; } % parallel local (l "
     "< "
     "k) { store q[(g * k + w) * k + l] = t[w * k + k - l - 1]; } % } @ }",
     false},
    // the block's threads before its warps, and after them
    {"parallel local (l < k * k) { store t[l] = l; } @ parallel warp (w < k) { % parallel local (l < k) { store u[w * "
     "k + "
     "l] = t[w * k + k - l - 1]; } % } @ parallel local (l < k * k) { store q[g * k * k + l] = u[k * k - l - 1]; }",
     true},
    // what the first lane stores, which all of the warp read
    {"parallel warp (w < k) { store t[w] = g; % parallel local (l < k) { store q[(g * k + w) * k + l] = t[w]; } % "
     "store "
     "t[w + k] = w; } @ for (i < k) { parallel local (l < k) { store u[i * k + l] = t[k + l]; } }",
     true},
    // memory of the warp's own
    {"parallel warp (w < k) { alloc i64 v[k] @local; parallel local (l < k) { store v[l] = l; } % parallel local (l < "
     "k) "
     "{ store u[w * k + l] = v[k - l - 1]; } } @ parallel local (l < k * k) { store q[g * k * k + l] = u[l]; }",
     true},
    // one block for all iterations: the next one writes what the last has read
    {"@ parallel local (l < k) { store t[l] = g; } @ parallel local (l < k) { store r[g * k + l] = t[k - l - 1]; } @",
     true, "g < b by 1"},
    {"@ store t[0] = g; @ parallel local (l < k) { store r[g * k + l] = t[0]; } @", true, "g < b by 1"},
    // one warp for all iterations, or for every other
    {"parallel warp (w < k by 1) with (i64 v[k] @local) { % parallel local (l < k by 4) { store v[l] = w; } % parallel "
     "local (l < k by 4) { store q[(g * k + w) * k + l] = v[k - l - 1]; } % }",
     true},
    {"parallel warp (w < k by 2) with (i64 v[k] @local) { % parallel local (l < k) { store v[l] = l; } % store u[w] = "
     "v[1]; % } @ for (i < k) { parallel local (l < k by 3) { store q[(g * k + i) * k + l] = u[l]; } }",
     true},
};

std::string with_barriers(const Shape& shape, unsigned which) {
  const std::string body = shape.body;
  const bool warps = body.find("warp") != std::string::npos;
  std::string out = "kernel p(b, k, s) where 2 <= k, 2 <= s block 16 warp 4 input i64 xs[b]; output i64 r[b][k]; " +
                    std::string(warps ? "output i64 q[b][k][k]; " : "") + "{ parallel workgroup (" + shape.blocks +
                    ") { alloc i64 t[" + (warps ? "k * k] @local; alloc i64 u[k * k" : "k") + "] @local; ";
  for (std::size_t k = 0; k < body.size(); ++k) {
    const char c = body[k];
    const bool place = c == '%' || (c == '@' && !body.substr(k).starts_with("@local"));
    if (!place)
      out += c;
    else if (which % 2 == 1)
      out += c == '@' ? "barrier;" : "barrier warp;";
    if (place) which /= 2;
  }
  return out + (warps ? " parallel local (l < k) { store r[g * k + l] = l; }" : "") + " } }";
}

bool races(const kernel::Program& p) {
  INFO(print(p));
  for (const std::int64_t k : {2, 3})
    for (const std::int64_t x : {0, 1, 5}) {
      kernel::RunOptions how;
      how.detect_races = true;
      const auto number = make_integer(ScalarType::I64, static_cast<std::uint64_t>(x));
      const SizeValues sizes{{"b", 2}, {"k", k}, {"s", 2}};
      const kernel::Buffers inputs{{"xs", {number, number}}};
      const auto is_race = [](const tl::expected<kernel::Buffers, kernel::Stop>& out) {
        if (out) return false;
        const auto* fault = std::get_if<kernel::Fault>(&out.error());
        REQUIRE(fault);
        REQUIRE(fault->kind == kernel::FaultKind::Race);
        return true;
      };
      const bool found = is_race(kernel::run(p, sizes, inputs, ieee_domain(), how));
      kernel::InterleaveOptions in_turns;
      in_turns.order = kernel::Interleaving::Turns;
      in_turns.threads_per_block = 16;
      CHECK(is_race(kernel::run_interleaved(p, sizes, inputs, ieee_domain(), in_turns)) == found);
      // As one warp, whose lanes run the iterations of a warp loop in turn, each with memory of its own.
      in_turns.threads_per_block = 4;
      if (is_race(kernel::run_interleaved(p, sizes, inputs, ieee_domain(), in_turns))) CHECK(found);
      if (found) return true;
    }
  return false;
}

}  // namespace

TEST_CASE("issue 11: of barriers at every place, races are proved absent where there are none and nowhere else",
          "[proofs]") {
  Prover prover(200);
  for (const Shape& shape : shapes) {
    unsigned places = 0;
    for (unsigned which = 1; with_barriers(shape, which) != with_barriers(shape, 0); which *= 2) ++places;
    std::size_t with = 0, without = 0, proved = 0;
    for (unsigned which = 0; which < 1U << places; ++which) {
      const kernel::Program p = kernel::program_from(with_barriers(shape, which));
      Standing standing = Standing::Proved;
      std::string detail;
      for (const ProgramObligation& o : group_obligations(accesses_of(p), prover))
        if (std::min(standing, o.standing) != standing) standing = o.standing, detail = o.name + ": " + o.detail;
      const bool race = races(p);
      INFO(with_barriers(shape, which) << "\n" << detail);
      (race ? with : without) += 1, proved += standing == Standing::Proved;
      if (race) CHECK(standing != Standing::Proved);
      if (!race) CHECK((standing == Standing::Proved || (!shape.exact && standing != Standing::Refuted)));
    }
    INFO(shape.body);
    CHECK(with > 0);
    CHECK(without > 0);
    CHECK(proved > 0);
  }
}

}  // namespace barrier_positions_test
