// Shuffles: what a lane is given, where they can stand, what is a fault in both interpreters, that a warp of 32 is one
// in a wave of 64; and the stage that makes registers of a warp's arrays.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "proofs/kernel/obligations.h"
#include "proofs/kernel/prover.h"
#include "props/dpia/gpu_costs.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/gpu_cost.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace shuffles_test {
using namespace lockstep;
using namespace lockstep::kernel;
using Catch::Matchers::Contains;
using kernel::Stop;

namespace {

using Ints = std::vector<std::int64_t>;
using Result = tl::expected<Buffers, Stop>;

// r[w * k + l] by lanes l < k of two warps.
Program program(const std::string& launch, std::int64_t k, const std::string& lanes) {
  const std::string n = std::to_string(k);
  return program_from("kernel p()" + launch + " output i64 r[" + std::to_string(2 * k) +
                      "]; parallel workgroup (g < 1) parallel warp (w < 2) parallel local (l < " + n + ") { " + lanes +
                      " store r[w * " + n + " + l] = y; }");
}
Result interleaved(const Program& p, Interleaving order, std::int64_t wave = 0) {
  InterleaveOptions how;
  how.order = order;
  how.seed = 5;
  how.warp = wave;
  return run_interleaved(p, {}, {}, ieee_domain(), how);
}
Result one_by_one(const Program& p, Schedule schedule = Schedule::Forward) {
  RunOptions how;
  how.detect_races = true;
  how.schedule = schedule;
  return run(p, {}, {}, ieee_domain(), how);
}
Ints ints(const Result& r) {
  if (const auto* f = r ? nullptr : std::get_if<Fault>(&r.error())) FAIL(f->message);
  REQUIRE(r);
  Ints out;
  for (const Scalar& s : r->at("r")) out.push_back(s.integer());
  return out;
}
void gives(const Program& p, const Ints& expected) {
  INFO(print(p));
  const auto wrong = check(p);
  INFO((wrong.empty() ? "" : wrong.front()));
  CHECK(wrong.empty());
  for (const Schedule s : {Schedule::Forward, Schedule::Reverse, Schedule::Random})
    CHECK(ints(one_by_one(p, s)) == expected);
  for (const Interleaving order : all_interleavings) CHECK(ints(interleaved(p, order)) == expected);
}
// In both interpreters, and the prover does not prove the obligation of this kind.
void faults(const Program& p, FaultKind kind, proofs::kernels::ObligationKind owed, const std::string& says) {
  INFO(print(p));
  std::vector<Result> all{one_by_one(p), one_by_one(p, Schedule::Reverse)};
  for (const Interleaving order : all_interleavings) all.push_back(interleaved(p, order));
  for (const Result& r : all) {
    REQUIRE_FALSE(r);
    REQUIRE(std::holds_alternative<Fault>(r.error()));
    CHECK(show(std::get<Fault>(r.error()).kind) == show(kind));
    CHECK_THAT(std::get<Fault>(r.error()).message, Contains(says));
  }
  proofs::kernels::Prover prover;
  bool proved = true;
  for (const auto& o : proofs::kernels::kernel_obligations(p, prover))
    proved = proved && (o.kind != owed || o.standing == Standing::Proved);
  CHECK_FALSE(proved);
}
}  // namespace

TEST_CASE("a lane is given what the lane that it names of its segment has") {
  gives(program(" block 8 warp 4", 4, "var i64 y = shuffle(10 * w + l, 3 - l, 4);"), {3, 2, 1, 0, 13, 12, 11, 10});
  gives(program(" block 8 warp 4", 4, "var i64 y = shuffle(10 * w + l, 1, 2);"), {1, 1, 3, 3, 11, 11, 13, 13});
  gives(program(" block 8 warp 4", 4, "var i64 y = shuffle(l, 0, 1);"), {0, 1, 2, 3, 0, 1, 2, 3});
  // Of a loop with fewer iterations than lanes.
  gives(program(" block 16 warp 8", 3, "var i64 y = shuffle(l * l, 2 - l, 8);"), {4, 1, 0, 4, 1, 0});
  gives(program(" block 16 warp 8", 5, "var i64 y = shuffle(l, (l < 4 ? 3 - l % 4 : 0), 4);"),
        {3, 2, 1, 0, 4, 3, 2, 1, 0, 4});
  // Round by round: each lane has its own variables.
  gives(program(" block 8 warp 4", 4,
                "var i64 y = l; for (k < 3) { var i64 z = shuffle(y, (l + 1) % 4, 4); y = z +.i64 y; }"),
        {12, 16, 12, 8, 12, 16, 12, 8});
  // A segment that is through with its own waits for the others at a larger one.
  gives(
      program(" block 8 warp 4", 4,
              "var i64 x = l; for (k < 3) { var i64 z = shuffle(x, 0, 2); x = z; } var i64 y = shuffle(x, 3 - l, 4);"),
      {2, 2, 0, 0, 2, 2, 0, 0});
}

TEST_CASE("a lane outside the segment, or one that has exited, is no lane to read") {
  using enum proofs::kernels::ObligationKind;
  faults(program(" block 8 warp 4", 4, "var i64 y = shuffle(l, l + 1, 4);"), FaultKind::OutOfBounds, Bounds,
         "lane 4 of a segment of 4");
  faults(program(" block 8 warp 4", 4, "var i64 y = shuffle(l, l - 1, 4);"), FaultKind::OutOfBounds, Bounds,
         "lane -1 of a segment of 4");
  faults(program(" block 8 warp 4", 4, "var i64 y = shuffle(l, l, 2);"), FaultKind::OutOfBounds, Bounds,
         "of a segment of 2");
  faults(program(" block 16 warp 8", 5, "var i64 y = shuffle(l, 5, 8);"), FaultKind::OutOfBounds, Bounds,
         "lane 5, which has exited: 5 lanes of the segment run the loop");
  faults(program(" block 16 warp 8", 5, "var i64 y = shuffle(l, 1, 4);"), FaultKind::OutOfBounds, Bounds,
         "lane 1, which has exited: 1 lanes of the segment run the loop");
}

TEST_CASE("a shuffle that not all lanes of a segment come to is a fault that names the branch") {
  using enum proofs::kernels::ObligationKind;
  const std::string there = "{ var i64 z = shuffle(y, 0, 4); y = z; }";
  faults(program(" block 8 warp 4", 4, "var i64 y = l; if (l < 3) " + there), FaultKind::BarrierDivergence, Barriers,
         "in the branch `if (l < 3)");
  faults(program(" block 8 warp 4", 4, "var i64 y = l; for (k < l) " + there), FaultKind::BarrierDivergence, Barriers,
         "in the branch `for (k < l)");
  faults(program(" block 8 warp 4", 4, "var i64 y = l; while (y <.i64 2) " + there), FaultKind::BarrierDivergence,
         Barriers, "in the branch `while (y <.i64 2)");
  faults(program(" block 8 warp 4", 4, "var i64 y = l; if (l < 2) " + there + " else " + there),
         FaultKind::BarrierDivergence, Barriers, "");
  // Segments may part, their lanes not.
  gives(program(" block 8 warp 4", 4, "var i64 y = l; if (l / 2 < 1) { var i64 z = shuffle(y, 1, 2); y = z; }"),
        {1, 1, 2, 3, 1, 1, 2, 3});
  gives(program(" block 8 warp 4", 4, "var i64 y = l; if (w < 1) " + there), {0, 0, 0, 0, 0, 1, 2, 3});
}

TEST_CASE("a shuffle orders values and not memory") {
  const Program p = program_from(
      "kernel p() block 8 warp 4 output i64 r[8]; parallel workgroup (g < 1) parallel warp (w < 2) { alloc i64 s[4] "
      "@local; parallel local (l < 4) { store s[l] = l; var i64 y = shuffle(l, 0, 4); store r[w * 4 + l] = s[3 - l] "
      "+.i64 y; } }");
  CHECK(check(p).empty());
  std::vector<Result> all{one_by_one(p)};
  for (const Interleaving order : all_interleavings) all.push_back(interleaved(p, order));
  for (const Result& r : all) {
    REQUIRE_FALSE(r);
    REQUIRE(std::holds_alternative<Fault>(r.error()));
    CHECK(show(std::get<Fault>(r.error()).kind) == show(FaultKind::Race));
  }
  CHECK(explore(p, {}, {}, ieee_domain()).race);
  const Exploration right =
      explore(program(" block 8 warp 4", 4, "var i64 y = shuffle(l, 3 - l, 4);"), {}, {}, ieee_domain());
  CHECK(right.complete);
  CHECK(right.orders == 1);
  CHECK_FALSE(right.race);
}

TEST_CASE("a lane that traps ends those that wait for it at a shuffle") {
  const Program p =
      program(" block 8 warp 4", 4, "check (l < 3) \"!\" \"lane {0}\" (l); var i64 y = shuffle(l, 3 - l, 4);");
  std::vector<Result> all{one_by_one(p)};
  for (const Interleaving order : all_interleavings) all.push_back(interleaved(p, order));
  for (const Result& r : all) {
    REQUIRE_FALSE(r);
    REQUIRE(std::holds_alternative<Trap>(r.error()));
  }
}

TEST_CASE("two warps of 32 in one wave of 64 each shuffle among their own lanes") {
  const Program p =
      program(" block 64 warp 32", 32,
              "var i64 y = 100 * w + l; for (k < 5) { var i64 z = shuffle(y, (l + 1) % 32, 32); y = z; }");
  Ints expected;
  for (std::int64_t w = 0; w < 2; ++w)
    for (std::int64_t l = 0; l < 32; ++l) expected.push_back(100 * w + (l + 5) % 32);
  for (const Interleaving order : {Interleaving::Warps, Interleaving::WarpsReverse})
    for (const std::int64_t wave : {64, 32, 16}) CHECK(ints(interleaved(p, order, wave)) == expected);
  gives(p, expected);
  CHECK_THAT(hip_text(hosted(dealt_out(p))).kernel, Contains("shuffled<32, 32>"));
  // Of a whole wave it would be another program.
  const Program whole = program_from(
      "kernel p() block 64 warp 64 output i64 r[64]; parallel workgroup (g < 1) parallel warp (w < 1) parallel local "
      "(l < 64) { var i64 y = shuffle(l, (l + 1) % 64, 64); store r[l] = y; }");
  CHECK(ints(interleaved(whole, Interleaving::Warps))[31] == 32);
  CHECK_THAT(hip_text(hosted(dealt_out(whole))).kernel, Contains("shuffled<64, 64>"));
}

TEST_CASE("a shuffle that cannot stand where it does says what can") {
  const auto wrong = [](const std::string& launch, const std::string& body) {
    const auto all = check(program_from("kernel p(n)" + launch + " output i64 r[n]; parallel workgroup (g < 1) { " +
                                        body + " for (i < n) store r[i] = i; }"));
    return all.empty() ? "" : all.front();
  };
  const std::string usual = " block 48 warp 32", y = "var i64 y = shuffle(l, 0, 16);";
  CHECK(wrong(usual, "parallel warp (w < n) parallel local (l < 16) { " + y + " }") == "");
  CHECK_THAT(wrong(usual, "parallel local (l < 16) { " + y + " }"),
             Contains("stands in the local loop over 'l'; it can stand in a local loop directly in a warp loop"));
  CHECK_THAT(wrong(usual, "parallel warp (w < n) { var i64 l = 0; " + y + " }"),
             Contains("stands in the warp loop over 'w'"));
  CHECK_THAT(wrong(usual, "parallel warp (w < n) parallel local (l < 17) { " + y + " }"),
             Contains("with 17 iterations") && Contains("at most 16"));
  CHECK_THAT(wrong(usual, "parallel warp (w < n) parallel local (l < n) { " + y + " }"), Contains("with n iterations"));
  CHECK_THAT(wrong(usual, "parallel warp (w < n) parallel local (l < 4) { var i64 y = shuffle(l, 0, 12); }"),
             Contains("segments of 12 lanes; 1, 2, 4, ... up to the 32"));
  CHECK_THAT(wrong(" block 8 warp 4", "parallel warp (w < n) parallel local (l < 4) { var i64 y = shuffle(l, 0, 8); }"),
             Contains("segments of 8 lanes") && Contains("up to the 4 lanes of the warp"));
  CHECK_THAT(
      check(program_from("kernel p() output i64 r[1]; { var i64 y = shuffle(1, 0, 4); store r[0] = y; }")).front(),
      Contains("stands outside parallel loops"));
}

TEST_CASE("what shuffles cost is what a run counts") {
  const Program p = dealt_out(program(" block 64 warp 32", 32,
                                      "var i64 y = l; for (k < 5) { var i64 z = shuffle(y, 0, 32); y = z; } "
                                      "if (w < 1) { var i64 z = shuffle(y, 1, 32); y = z; }"));
  const GpuCost said = gpu_cost(p);
  REQUIRE(said.kernels.size() == 1);
  CHECK_FALSE(said.kernels[0].shuffles.exact);
  CHECK(said.kernels[0].shuffles.n == Size(12));
  const auto differences = props::gpu_cost_differences(p, {}, {}, ieee_domain());
  REQUIRE(differences);
  CHECK(*differences == std::vector<std::string>{});
}

}  // namespace shuffles_test
