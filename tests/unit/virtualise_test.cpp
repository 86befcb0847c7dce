// Loops that are dealt out to a launch's units: what they mean in both interpreters, what a unit's rounds share, what
// they cost, and what the stage makes of each level.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "proofs/kernel/parts.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/units.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace virtualise_test {
using namespace lockstep;
using namespace lockstep::kernel;
using Catch::Matchers::Contains;
using Result = tl::expected<kernel::Buffers, kernel::Stop>;

namespace {

Program program(const std::string& launch, const std::string& body) {
  return program_from("kernel p(n)" + launch + " output i64 r[n]; " + body);
}
std::vector<std::int64_t> numbers(const Result& result) {
  REQUIRE(result);
  std::vector<std::int64_t> out;
  for (const Scalar& s : result->at("r")) out.push_back(s.integer());
  return out;
}
FaultKind fault_of(const Result& result) {
  REQUIRE_FALSE(result);
  const auto* fault = std::get_if<Fault>(&result.error());
  REQUIRE(fault);
  return fault->kind;
}
Result in_order(const Program& p, std::int64_t n, Schedule schedule = Schedule::Forward) {
  RunOptions how;
  how.detect_races = true;
  how.schedule = schedule;
  how.seed = 3;
  return run(p, {{"n", n}}, {}, ieee_domain(), how);
}
Result interleaved(const Program& p, std::int64_t n, std::int64_t threads = 0) {
  InterleaveOptions how;
  how.order = Interleaving::Random;
  how.seed = 5;
  how.threads_per_block = threads;
  return run_interleaved(p, {{"n", n}}, {}, ieee_domain(), how);
}
std::vector<std::string> units_in(const Program& p) {
  std::vector<std::string> out;
  each_statement(p.body, [&](const Stmt& s) {
    if (const auto* loop = std::get_if<ParallelFor>(&s.node)) out.push_back(loop->units ? print(*loop->units) : "-");
  });
  return out;
}
std::int64_t barriers_in(const Program& p) {
  std::int64_t out = 0;
  each_statement(p.body, [&](const Stmt& s) { out += std::holds_alternative<Barrier>(s.node); });
  return out;
}

}  // namespace

TEST_CASE("each unit runs its own iterations in order, with one copy of the scratch") {
  // A unit's own count of the iterations that it has run.
  const Program p = program(" block 4 grid 3",
                            "parallel global (i < n by 3) with (i64 t[1] @private) { if (i < 3) store t[0] = 0; else "
                            "store t[0] = t[0] +.i64 1; store r[i] = t[0]; }");
  REQUIRE(check(p).empty());
  const std::vector<std::int64_t> expected{0, 0, 0, 1, 1, 1, 2, 2};
  for (const Schedule s : {Schedule::Forward, Schedule::Reverse, Schedule::Random})
    CHECK(numbers(in_order(p, 8, s)) == expected);
  CHECK(numbers(interleaved(p, 8)) == expected);
  CHECK(numbers(interleaved(p, 0)).empty());
  // With a copy for each iteration nothing is there yet.
  const Program own =
      program("",
              "parallel global (i < n) with (i64 t[1] @private) { if (i < 3) store t[0] = 0; else store "
              "t[0] = t[0] +.i64 1; store r[i] = t[0]; }");
  CHECK(fault_of(in_order(own, 8)) == FaultKind::Uninitialised);
  CHECK(fault_of(interleaved(own, 8)) == FaultKind::Uninitialised);
}

TEST_CASE("iterations of one unit are no race, those of two are") {
  const auto meet = [](int units) {
    return program(" block 4 grid 4", "{ alloc i64 t[1] @global; parallel global (i < n by " + std::to_string(units) +
                                          ") { store t[0] = i; store r[i] = i; } }");
  };
  CHECK(numbers(in_order(meet(1), 3)) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(numbers(interleaved(meet(1), 3)) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(fault_of(in_order(meet(2), 3)) == FaultKind::Race);
  CHECK(fault_of(interleaved(meet(2), 3)) == FaultKind::Race);
  // Two units meet only where the numbers of their iterations are not the same modulo 2.
  using namespace proofs::kernels;
  Prover prover(200);
  const auto standing = [&](const Program& p) {
    Standing out = Standing::Proved;
    for (const ProgramObligation& o : race_obligations(accesses_of(p), prover)) out = std::min(out, o.standing);
    return out;
  };
  CHECK(standing(meet(2)) == Standing::Refuted);
  CHECK(standing(meet(1)) == Standing::Unknown);
}

TEST_CASE("a loop is dealt out to a unit or more, and to no more than there are") {
  const auto wrong = [](const std::string& launch, const std::string& loop) {
    const auto all = check(program(launch, loop));
    return all.empty() ? "" : all.front();
  };
  CHECK(wrong(" block 4 grid 3", "parallel global (i < n by 12) store r[i] = i;") == "");
  CHECK_THAT(wrong(" block 4 grid 3", "parallel global (i < n by 13) store r[i] = i;"),
             Contains("the global loop over 'i' is dealt out to 13 units, the launch has 12"));
  CHECK_THAT(wrong(" grid 3", "parallel workgroup (i < n by 4) store r[i] = i;"), Contains("to 4 units"));
  CHECK_THAT(wrong("", "parallel global (i < n by 0) store r[i] = i;"), Contains("dealt out to 0 units"));
  CHECK_THAT(wrong("", "parallel workgroup (i < 1) parallel local (l < n by 257) store r[l] = l;"),
             Contains("to 257 units, the launch has 256"));
  const std::string lanes = "parallel workgroup (i < 1) parallel warp (w < 1 by 8) parallel local (l < n by ";
  CHECK(wrong("", lanes + "32) store r[l] = l;") == "");
  CHECK_THAT(wrong("", lanes + "33) store r[l] = l;"), Contains("to 33 units, the launch has 32"));
  CHECK_THAT(wrong("", "parallel par (i < n by 8) parallel par (j < 1 by 2) store r[i] = j;"), Contains("has 1"));
  CHECK_THAT(wrong("", "parallel par (i < n by true) store r[i] = i;"), Contains("dealt out to has type bool"));
  // Where only the run knows how many.
  const Program none = program("", "parallel global (i < n by n - 2) store r[i] = i;");
  CHECK(numbers(in_order(none, 5)).size() == 5);
  CHECK(numbers(interleaved(none, 5)).size() == 5);
  CHECK(fault_of(in_order(none, 2)) == FaultKind::BadDivision);
  CHECK(fault_of(interleaved(none, 2)) == FaultKind::BadDivision);
  using namespace proofs::kernels;
  Prover prover(200);
  std::size_t refuted = 0;
  for (const ProgramObligation& o : bounds_obligations(accesses_of(none), prover))
    if (o.standing == Standing::Refuted) {
      CHECK_THAT(o.name, Contains("a unit or more"));
      ++refuted;
    }
  CHECK(refuted == 1);
}

TEST_CASE("the stage deals every loop out as the program is launched") {
  const Program p = dealt_out(program(" block 96 warp 64 grid 7",
                                      "{ parallel workgroup (g < n) { parallel local (l < n) { } parallel warp (w < n) "
                                      "{ parallel local (l < n) { } } } parallel global (i < n) store r[i] = i; "
                                      "parallel par (i < n) parallel par (j < n) { } }"));
  CHECK(units_in(p) ==
        std::vector<std::string>{"7", "96", "2", "w / 2 * 32 + 64 - (w + 1) / 2 * 32", "672", "672", "1"});
  CHECK(check(p).empty());
  CHECK(units_in(dealt_out(p)) == units_in(p));
}

TEST_CASE("a warp has as many units as lanes, the last what is left") {
  for (const auto& [block, warp] : {std::pair{6, 4}, {100, 32}, {7, 2}, {5, 8}, {64, 32}}) {
    Launch launch;
    launch.block = block, launch.warp = warp;
    const ParallelFor warps{Level::Warp, "w", constant(1), {}, Stmt{Block{}}};
    const auto units = as_size(units_of(launch, Level::Local, &warps));
    REQUIRE(units);
    for (std::int64_t w = 0; w < 3 * warps_of(launch); ++w) {
      const std::int64_t own = w % warps_of(launch), lanes = std::min<std::int64_t>(warp, block - own * warp);
      CHECK(evaluate(*units, {{"w", w}}) == lanes);
      CHECK(fewest_units(launch, Level::Local, Level::Warp) <= lanes);
      CHECK(most_units(launch, Level::Local, Level::Warp) >= lanes);
    }
  }
}

TEST_CASE("threads of a smaller block run the units that it does not have") {
  const Program p =
      dealt_out(program(" block 8 warp 4 grid 2",
                        "parallel workgroup (g < 3) { parallel local (l < n / 3) store r[g * (n / 3) + l] "
                        "= g * 10 + l; }"));
  std::vector<std::int64_t> expected;
  for (std::int64_t g = 0; g < 3; ++g)
    for (std::int64_t l = 0; l < 9; ++l) expected.push_back(g * 10 + l);
  for (const std::int64_t threads : {0, 1, 3, 8, 20}) CHECK(numbers(interleaved(p, 27, threads)) == expected);
}

TEST_CASE("a barrier parts the rounds of a block in the memory that they share, and stands nowhere else") {
  const auto made = [](const std::string& launch, const std::string& blocks, const std::string& body) {
    return with_barriers(
        dealt_out(program(launch, "parallel workgroup (g < " + blocks + ") with (i64 t[4] @local) { " + body + " }")));
  };
  const std::string body = "parallel local (l < 4) store t[l] = l; store r[g] = t[3];";
  CHECK(barriers_in(made("", "n", body)) == 2);
  CHECK(barriers_in(made(" grid 7", "7", body)) == 1);  // one round each
  CHECK(barriers_in(made(" grid 6", "7", body)) == 2);
  CHECK(barriers_in(made("", "n", "parallel local (l < 4) store r[g * 4 + l] = l;")) == 0);  // no shared memory
  CHECK(barriers_in(made("", "n",
                         "parallel local (l < 4) { alloc i64 s[1] @local; store s[0] = l; store r[g * 4 + l] = "
                         "s[0]; }")) == 0);  // a thread's own
  using namespace proofs::kernels;
  Prover prover(200);
  const auto standing = [&](const Program& p) {
    Standing out = Standing::Proved;
    for (const ProgramObligation& o : group_obligations(accesses_of(p), prover)) out = std::min(out, o.standing);
    return out;
  };
  CHECK(standing(made(" grid 7", "7", body)) == Standing::Proved);
  const Program right = made(" grid 1", "n", body);
  CHECK(standing(right) == Standing::Proved);
  CHECK(numbers(in_order(right, 3)) == std::vector<std::int64_t>{3, 3, 3});
  // Without the one between rounds, which is the first.
  bool first = true;
  Program broken = right;
  broken.body = rewritten(right.body, StmtChange([&](const Stmt& s) {
                            if (std::holds_alternative<Barrier>(s.node) && std::exchange(first, false))
                              return std::vector<Stmt>{};
                            return std::vector<Stmt>{s};
                          }));
  CHECK(barriers_in(broken) == 1);
  CHECK(standing(broken) == Standing::Refuted);
  CHECK(fault_of(in_order(broken, 2)) == FaultKind::Race);
  CHECK(fault_of(interleaved(broken, 2)) == FaultKind::Race);
  CHECK(numbers(in_order(broken, 1)) == std::vector<std::int64_t>{3});
}

TEST_CASE("the next round of a unit is as many iterations on as there are units") {
  using namespace proofs::kernels;
  Prover prover(200);
  // One thread reads two places behind those that another has written in this round.
  const auto proved = [&](int units, const std::string& between) {
    const Program p =
        program(" block 4 warp 4 grid 4",
                "parallel workgroup (g < n by " + std::to_string(units) +
                    ") with (i64 t[n + 2] @local) { parallel local (l < 2) { if (0 < l) store t[g] = l; } " + between +
                    " parallel local (j < 2) { if (j < 1) store r[g] = t[g + 2]; } }");
    const Obligations all = group_obligations(accesses_of(p), prover);
    return std::all_of(all.begin(), all.end(), [](const auto& o) { return o.standing == Standing::Proved; });
  };
  for (const std::string between : {"barrier;", ""}) {
    CHECK_FALSE(proved(2, between));
    CHECK(proved(3, between));
  }
}

TEST_CASE("threads that are dealt out otherwise are other threads") {
  using namespace proofs::kernels;
  const auto standing = [](const std::string& first, const std::string& second) {
    Prover prover(300);
    const Program p =
        program(" block 8 warp 4",
                "parallel workgroup (g < 1 by 1) { alloc i64 t[n] @local; parallel local (l < n by " + first +
                    ") { store t[l] = l; } parallel local (j < n by " + second + ") { store r[j] = t[j]; } }");
    Standing out = Standing::Proved;
    for (const ProgramObligation& o : group_obligations(accesses_of(p), prover)) out = std::min(out, o.standing);
    return out;
  };
  CHECK(standing("8", "8") == Standing::Proved);
  CHECK(standing("2", "2") == Standing::Proved);
  CHECK(standing("8", "2") != Standing::Proved);
  CHECK(fault_of(
            interleaved(program(" block 8 warp 4",
                                "parallel workgroup (g < 1 by 1) { alloc i64 t[n] @local; parallel local (l < n by 8) "
                                "{ store t[l] = l; } parallel local (j < n by 2) { store r[j] = t[j]; } }"),
                        5, 8)) == FaultKind::Race);
}

TEST_CASE("two parts of an array ask for no barrier between them") {
  const auto barriers = [](const std::string& body) {
    return barriers_in(with_barriers(dealt_out(program(
        " grid 1", "parallel workgroup (g < 1) { alloc i64 t[64] @local; alloc i64 u[n * 2] @local; " + body + " }"))));
  };
  const std::string then = "parallel local (j < ";
  CHECK(barriers("parallel local (l < 32) store t[l] = l; " + then + "32) store t[j + 32] = j;") == 0);
  CHECK(barriers("parallel local (l < 32) store t[l] = l; " + then + "32) store t[j + 31] = j;") == 1);
  CHECK(barriers("parallel local (l < 32) store t[31 - l] = l; " + then + "32) store t[63 - j] = j;") == 0);
  CHECK(barriers("parallel local (l < 32) store t[32 - l] = l; " + then + "32) store t[63 - j] = j;") == 1);
  CHECK(barriers("parallel local (l < n) store u[l] = l; " + then + "n) store u[j + n] = u[j + n];") == 0);
  CHECK(barriers("parallel local (l < n + 1) store u[l] = l; " + then + "n) store u[j + n] = u[j + n];") == 1);
  CHECK(barriers("parallel local (l < 8) store t[l * 2] = l; " + then + "8) store t[j * 2 + 2] = j;") == 1);
  CHECK(barriers("parallel local (l < 8) { for (k < 4) store t[l * 4 + k] = l; } " + then +
                 "8) store t[j + 32] = j;") == 0);
  CHECK(barriers("parallel local (l < 8) { for (k < 5) store t[l * 4 + k] = l; } " + then +
                 "8) store t[j + 32] = j;") == 1);
  CHECK(barriers("store t[0] = 1; " + then + "8) store t[j + 1] = j;") == 0);
  CHECK(barriers("store t[2] = 1; " + then + "8) store t[j + 1] = j;") == 1);
  CHECK(barriers("parallel local (l < 8) store t[l % 4] = l; " + then + "8) store t[j + 8] = j;") == 1);  // not linear
  // What changes from round to round of a loop is no fixed place.
  CHECK(barriers("for (q < 4) { store t[q] = 1; " + then + "8) store t[q + 1 + j] = j; }") == 2);
  CHECK(barriers("var i64 k = 0; store t[k] = 1; k = 1; " + then + "8) store t[k + j] = j;") == 1);
  // The block's own number is fixed in one round, and another in the next.
  const auto in_rounds = [](const std::string& body) {
    return barriers_in(with_barriers(
        dealt_out(program(" grid 1", "parallel workgroup (g < n) with (i64 t[n * 2] @local) { " + body + " }"))));
  };
  CHECK(in_rounds("store t[g] = 1; " + then + "2) store r[g * 2 + j] = t[g + 1 + j];") == 1);
  CHECK(in_rounds("store t[0] = 1; " + then + "2) store r[g * 2 + j] = t[1 + j];") == 0);
}

TEST_CASE("what one thread accesses alone asks for no barrier") {
  const auto barriers = [](const std::string& body, const std::string& launch = " block 64 warp 4 grid 1") {
    return barriers_in(with_barriers(dealt_out(program(
        launch, "parallel workgroup (g < 1) { alloc i64 t[64] @local; alloc i64 u[n * n] @local; " + body + " }"))));
  };
  const std::string l = "parallel local (l < ", j = "parallel local (j < ";
  // An element each, in either direction; a row each; pairs; neighbours are another's.
  CHECK(barriers(l + "32) store t[l] = l; " + j + "16) store t[j] = t[j] + 1;") == 0);
  CHECK(barriers(l + "32) store t[l] = l; " + j + "32) store r[j] = t[j + 1];") == 1);
  CHECK(barriers(l + "32) store t[31 - l] = l; " + j + "32) store r[j] = t[31 - j];") == 0);
  CHECK(barriers(l + "32) store t[31 - l] = l; " + j + "32) store r[j] = t[j];") == 1);
  CHECK(barriers(l + "n) for (k < n) store u[l * n + k] = l; " + j + "n) for (q < n) store r[j] = u[j * n + q];") == 0);
  CHECK(barriers(l + "n) for (k < n) store u[l * n + k] = l; " + j + "n) for (q < n) store r[j] = u[q * n + j];") == 1);
  CHECK(barriers(l + "8) store t[l * 2] = l; " + j + "8) store t[j * 2 + 1] = t[j * 2];") == 0);
  CHECK(barriers(l + "8) store t[l * 2] = l; " + j + "8) store t[j * 2 + 1] = t[j * 2 + 2];") == 1);
  CHECK(barriers(l + "8) store t[l * 2] = l; " + j + "8) store r[j] = t[j];") == 1);
  // A column each, of as many as there are threads or more.
  CHECK(barriers(l + "n) for (k < n) store u[k * n + l] = l; " + j + "n) for (q < n) store r[j] = u[q * n + j];") == 0);
  CHECK(barriers(l + "5) for (k < 4) store t[k * 4 + l] = l; " + j + "5) for (q < 4) store r[j] = t[q * 4 + j];") == 1);
  // In rounds of a loop, whose number is part of the place.
  CHECK(barriers("for (q < n) { " + l + "n) store u[q * n + l] = q; }") == 0);
  CHECK(barriers("for (q < n) { " + l + "n + 1) store u[q * n + l] = q; }") == 1);
  CHECK(barriers("for (q < 4) { " + l + "8) store t[q + l] = q; }") == 1);
  // The first thread, and a loop that is all its own.
  CHECK(barriers(l + "8) store t[l] = l; store r[g] = t[0];") == 0);
  CHECK(barriers(l + "8) store t[l] = l; store r[g] = t[1];") == 1);
  CHECK(barriers(l + "8) store t[l + 1] = l; " + j + "1) store r[j] = t[1];") == 0);
  CHECK(barriers(l + "8) store t[l + 1] = l; " + j + "1) store r[j] = t[2];") == 1);
  // Lanes of warps; a warp's lanes do not wait for each other.
  const std::string lanes = "parallel warp (w < 2) parallel local (l < 4) ";
  const std::string again = "parallel warp (v < 2) parallel local (j < 4) ";
  CHECK(barriers(lanes + "store t[w * 4 + l] = l; " + again + "store r[v * 4 + j] = t[v * 4 + j];") == 0);
  CHECK(barriers(lanes + "store t[w * 3 + l] = l; " + again + "store r[v * 3 + j] = t[v * 3 + j];") == 1);
  CHECK(barriers(lanes + "store t[w * 4 + l] = l; " + again + "store r[v * 4 + j] = t[v * 4 + 3 - j];") == 1);
  CHECK(barriers(lanes + "store t[w * 4 + l] = l; " + j + "8) store r[j] = t[j];") == 1);
}

TEST_CASE("a barrier of a warp parts its rounds") {
  const Program p = with_barriers(
      dealt_out(program(" block 8 warp 4",
                        "parallel workgroup (g < 1) parallel warp (w < n) with (i64 t[4] @local) { parallel "
                        "local (l < 4) store t[l] = w; store r[w] = t[3]; }")));
  CHECK(barriers_in(p) == 2);
  CHECK(numbers(in_order(p, 5)) == std::vector<std::int64_t>{0, 1, 2, 3, 4});
  CHECK(numbers(interleaved(p, 5)) == std::vector<std::int64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("what an earlier round wrote is there") {
  using namespace proofs::kernels;
  Prover prover(200);
  const auto standing = [&](const Program& p) {
    Standing out = Standing::Proved;
    for (const ProgramObligation& o : initial_obligations(accesses_of(p), prover)) out = std::min(out, o.standing);
    return out;
  };
  const auto written_once = [](int units) {
    return program(" block 4 grid 4",
                   "parallel global (i < n by " + std::to_string(units) +
                       ") with (i64 t[1] @private) { if (i < 1) store t[0] = 7; store r[i] = t[0]; }");
  };
  CHECK(numbers(in_order(written_once(1), 3)) == std::vector<std::int64_t>{7, 7, 7});
  CHECK(standing(written_once(1)) == Standing::Unknown);  // what a round leaves to the next is not used
  CHECK(fault_of(in_order(written_once(2), 3)) == FaultKind::Uninitialised);
  CHECK(standing(written_once(2)) == Standing::Refuted);
}

TEST_CASE("a warp's memory is new each time that it comes to its loop") {
  const auto text = [](const std::string& body) {
    return hip_text(hosted(dealt_out(
                        program("", "parallel workgroup (g < 1) for (q < n) parallel warp (w < 1) { " + body + " }"))))
        .kernel;
  };
  // The warp's next visit writes what its lanes may still read.
  CHECK_THAT(text("alloc i64 t[1] @local; store t[0] = q; barrier warp; parallel local (l < 1) store r[q] = t[0];"),
             Contains("        }\n        warp_barrier();"));
  CHECK_THAT(text("parallel local (l < 1) store r[q] = q;"), !Contains("        warp_barrier();"));
}

TEST_CASE("depth is that of the unit with most rounds") {
  const Program p =
      program(" block 4 grid 3", "parallel workgroup (g < n by 3) { parallel local (l < 1 by 4) store r[g] = g; }");
  const Cost said = cost(p);
  for (const std::int64_t n : {0, 1, 3, 4, 7}) {
    Counted counted;
    RunOptions how;
    how.counted = &counted;
    REQUIRE(run(p, {{"n", n}}, {}, ieee_domain(), how));
    CHECK(evaluate(said.work, {{"n", n}}) == n);
    CHECK(evaluate(said.depth, {{"n", n}}) == (n + 2) / 3);
    CHECK(counted.work == n);
    CHECK(counted.depth == (n + 2) / 3);
  }
}

TEST_CASE("a GPU's text is of loops that are dealt out as they are launched") {
  const std::string loop = "parallel workgroup (g < n by 6) { parallel local (l < 1 by 256) store r[g] = g; }";
  CHECK_THAT(hip_text(hosted(program(" grid 6", loop))).kernel, Contains("g_ = blockIdx.x; g_ < g_count_; g_ += 6)"));
  CHECK_THROWS_AS(hip_text(hosted(program(" grid 7", loop))), Bug);
  CHECK_THROWS_AS(hip_text(hosted(program("", "parallel global (i < n) store r[i] = i;"))), Bug);
  // What a thread keeps from round to round is declared before its loop.
  const std::string kept =
      hip_text(hosted(dealt_out(program("",
                                        "parallel global (i < n) with (i64 t[2] @private) { store t[0] = "
                                        "i; store r[i] = t[0]; }"))))
          .kernel;
  CHECK(kept.find("int64_t t_[2];") < kept.find("for (int64_t i_"));
}

}  // namespace virtualise_test
