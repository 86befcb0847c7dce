// Barriers at every place where they can stand in kernels with loops around and beside local loops, of blocks and of
// warps: what is proved of races is what the interpreters find, for each choice of barriers. And the barriers that the
// stage places: there is no race, which is proved, and each of them is needed.
#include <catch2/catch.hpp>

#include "proofs/kernel/parts.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

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
    // two rounds of a loop, what each writes read by the other, and what ends it
    {"alloc i64 v[k] @local; var i64 n = xs[g]; parallel local (l < k) { store t[l] = l; } @ while (0 <.i64 n) { "
     "parallel local (l < k) { store v[l] = t[k - l - 1]; } @ var i64 a = v[0]; n = n -.i64 1; if (0 <.i64 n) { @ "
     "parallel local (l < k) { store t[l] = v[k - l - 1]; } @ n = n -.i64 1; } else { parallel local (l < k) { store "
     "t[l] = v[l]; } @ } } @ parallel local (l < k) { store r[g * k + l] = t[k - l - 1]; }",
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
    // a loop beside them, which has an iteration, or may have none
    {"parallel local (l < k) { store t[l] = l; } for (q < s) { @ parallel local (l < k) { store r[g * k + l] = q; } @ "
     "} "
     "parallel local (l < k) { store r[g * k + l] = t[k - l - 1]; }",
     true},
    {"parallel local (l < k) { store t[l] = l; } for (q < s - 2) { @ } @ parallel local (l < k) { store r[g * k + l] = "
     "t[k - l - 1]; }",
     true},
    {"for (p < s) { parallel local (l < k) { store t[l] = p; } @ for (q < s) { for (i < 2) { @ } } parallel local (l < "
     "k) "
     "{ store r[g * k + l] = t[k - l - 1]; } for (q < p) { @ } for (q < 1) { @ } }",
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

// ------------------------------------------------------------------------------------------------- what is placed
namespace {

kernel::Program placed(const std::string& body, const std::string& blocks) {
  return lockstep::with_barriers(kernel::program_from(
      "kernel p(b, k, s) where 2 <= k, 2 <= s block 16 warp 4 input i64 xs[b]; output i64 r[b][k]; { var i64 v = 0 - "
      "xs[0]; parallel workgroup (" +
      blocks + ") { alloc i64 t[3 * k * k] @local; alloc i64 u[k] @local; " + body +
      " parallel local (z < k) { store r[g * k + z] = z; } } }"));
}
// Without one of its barriers; with all where there are not so many.
kernel::Program without(const kernel::Program& p, std::size_t which) {
  kernel::Program out = p;
  std::size_t seen = 0;
  out.body = rewritten(p.body, kernel::StmtChange([&](const kernel::Stmt& s) {
                         const bool gone = std::holds_alternative<kernel::Barrier>(s.node) && seen++ == which;
                         return gone ? std::vector<kernel::Stmt>{} : std::vector<kernel::Stmt>{s};
                       }));
  return out;
}
bool races_somewhere(const kernel::Program& p) {
  kernel::RunOptions how;
  how.detect_races = true;
  const auto one = make_integer(ScalarType::I64, 1);
  for (const std::int64_t k : {2, 3, 4, 5})
    for (const std::int64_t s : {2, 4}) {
      const auto out = kernel::run(p, {{"b", 2}, {"k", k}, {"s", s}}, {{"xs", {one, one}}}, ieee_domain(), how);
      if (out) continue;
      const auto& fault = std::get<kernel::Fault>(out.error());
      INFO(fault.message);
      REQUIRE(fault.kind == kernel::FaultKind::Race);
      return true;
    }
  return false;
}
// Each is needed, and all are enough.
void places(std::size_t barriers, const std::string& body, const std::string& blocks = "g < b") {
  const kernel::Program p = placed(body, blocks);
  INFO(print(p));
  std::size_t found = 0;
  kernel::each_statement(p.body, [&](const auto& s) { found += std::holds_alternative<kernel::Barrier>(s.node); });
  CHECK(found == barriers);
  CHECK_FALSE(races_somewhere(p));
  for (std::size_t k = 0; k < found; ++k) CHECK(races_somewhere(without(p, k)));
  Prover prover(200);
  for (const ProgramObligation& o : group_obligations(accesses_of(p), prover)) {
    INFO(o.name << ": " << o.detail);
    CHECK(o.standing == Standing::Proved);
  }
}

const std::string writes_u = "parallel local (l < k) { store u[l] = l; } ";
const std::string reads_u = "parallel local (l < k) { var i64 a = u[k - l - 1]; } ";
const std::string writes_t = "parallel local (j < k + 1) { store t[j] = j; } ";

}  // namespace

TEST_CASE("a loop of one iteration has no rounds that a barrier parts") {
  places(1, "for (q < 1) { " + writes_u + reads_u + "}");
  places(2, "for (q < s) { " + writes_u + reads_u + "}");
}

TEST_CASE("what comes behind a loop that has an iteration comes behind its barriers") {
  const std::string reads_t = "parallel local (l < k) { var i64 a = t[k - l]; } ", rounds = writes_u + reads_u + "}";
  places(3, writes_t + reads_t + "for (q < s) { " + rounds, "g < b by 1");
  places(4, writes_t + reads_t + "for (q < s - 2) { " + rounds, "g < b by 1");
}

TEST_CASE("rounds of a quotient's places are apart where no thread is beyond it") {
  places(0, "for (q < 2) { parallel local (l < b / 2) { store t[q * (b / 2) + l] = q; } }");
  places(1, "for (q < 2) { parallel local (l < b / 2 + 1) { store t[q * (b / 2) + l] = q; } }");
}

TEST_CASE("rows end before others begin") {
  const std::string rows = "parallel local (l < k) { for (i < k) { store t[l * k + i] = i; } } ";
  places(0, rows + "parallel local (l < k) { for (i < k) { store t[k * k + l * k + i] = i; } }");
  places(1, rows + "parallel local (l < k) { for (i < k) { store t[k * k - 1 + l * k + i] = i; } }");
}

TEST_CASE("what all rounds of a loop access ends before other accesses begin") {
  const std::string rounds = "for (q < 2) { parallel local (l < k) { store t[q * k + l] = q; } } ";
  places(0, rounds + "parallel local (l < k) { store t[3 * k - l - 1] = 5; }");
  places(1, rounds + "parallel local (l < k) { store t[2 * k - l - 1] = 5; }");
}

TEST_CASE("the variable of a loop of one iteration moves no index") {
  places(0, writes_t + "parallel local (l < k) { for (i < 1) { var i64 a = t[l + i]; } }");
  places(1, writes_t + "parallel local (l < k) { for (i < 2) { var i64 a = t[l + i]; } }");
  const std::string warp = "parallel warp (w < 1) { parallel local (l < 4) { store t[w + l] = l; } } ";
  places(0, warp + "parallel warp (w < 1) { parallel local (l < 4) { var i64 a = t[w + l]; } }");
  places(1, warp + "parallel warp (x < 2) { parallel local (m < 3) { var i64 a = t[x + m]; } }");
}

TEST_CASE("what a variable holds may be negative") {
  const std::string first = writes_t + "store t[2] = 7; ";
  places(1, first + "parallel local (l < k) { var i64 a = t[1]; }");
  places(2, first + "parallel local (l < k) { var i64 a = t[v + 3]; }");
}

}  // namespace barrier_positions_test
