// Warps: what their lanes see of each other, in every order and at every launch; what their barriers hold; what is
// their own; and how a GPU's text runs them.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "proofs/kernel/parts.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/run.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace warps_test {
using namespace lockstep;
using namespace lockstep::kernel;
using Catch::Matchers::Contains;
using kernel::Stop;

namespace {

using Ints = std::vector<std::int64_t>;
using Result = tl::expected<Buffers, Stop>;

Program program(const std::string& launch, const std::string& body) {
  return program_from("kernel p(n)" + launch + " output i64 r[n]; parallel workgroup (g < 1) { " + body + " }");
}
Result interleaved(const Program& p, std::int64_t n, Interleaving order, std::int64_t threads = 0) {
  InterleaveOptions how;
  how.order = order;
  how.seed = 5;
  how.threads_per_block = threads;
  return run_interleaved(p, {{"n", n}}, {}, ieee_domain(), how);
}
Result one_by_one(const Program& p, std::int64_t n) {
  RunOptions how;
  how.detect_races = true;
  how.threads_per_block = p.launch.block;
  return run(p, {{"n", n}}, {}, ieee_domain(), how);
}
Ints ints(const Result& r) {
  if (const auto* f = r ? nullptr : std::get_if<Fault>(&r.error())) FAIL(f->message);
  REQUIRE(r);
  Ints out;
  for (const Scalar& s : r->at("r")) out.push_back(s.integer());
  return out;
}
Fault fault_of(const Result& r) {
  REQUIRE_FALSE(r);
  REQUIRE(std::holds_alternative<Fault>(r.error()));
  return std::get<Fault>(r.error());
}

// Rows of k, each turned round by a warp through memory of its own; `between` stands between its loops.
std::string turned(const std::string& k, const std::string& between) {
  return "parallel warp (w < n / " + k + ") { alloc i64 s[" + k + "] @local; parallel local (l < " + k +
         ") store s[l] = w * " + k + " + l; " + between + " parallel local (l < " + k + ") store r[w * " + k +
         " + l] = s[" + k + " - 1 - l]; }";
}
Ints turned_rows(std::int64_t n, std::int64_t k) {
  Ints out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(i / k * k + (k - 1 - i % k));
  return out;
}
const std::vector<std::string> launches = {" block 8 warp 4",
                                           " block 4 warp 4",
                                           " block 6 warp 4",
                                           " block 64 warp 64",
                                           " block 5 warp 1",
                                           " block 3 warp 64",
                                           ""};

}  // namespace

TEST_CASE("a warp's lanes see what others wrote after a barrier of the warp, at every launch and in every order") {
  for (const std::string& launch : launches)
    for (const std::int64_t n : {0, 5, 15}) {
      INFO(launch << " of " << n);
      const Program right = program(launch, turned("5", "barrier warp;"));
      CHECK(check(right).empty());
      CHECK(ints(one_by_one(right, n)) == turned_rows(n, 5));
      for (const Interleaving order : all_interleavings) CHECK(ints(interleaved(right, n, order)) == turned_rows(n, 5));
    }
}

TEST_CASE("without the barrier two lanes race, where the warp has two") {
  for (const std::string& launch : launches) {
    INFO(launch);
    const Program wrong = program(launch, turned("5", ""));
    if (wrong.launch.warp == 1) {
      CHECK(ints(interleaved(wrong, 15, Interleaving::Turns)) == turned_rows(15, 5));
      continue;
    }
    CHECK(fault_of(one_by_one(wrong, 15)).kind == FaultKind::Race);
    const Program two_lanes = program(launch, turned("2", ""));
    for (const Interleaving order : all_interleavings)
      CHECK(fault_of(interleaved(two_lanes, 4, order)).kind == FaultKind::Race);
    for (const Interleaving order : all_interleavings) {
      const Fault f = fault_of(interleaved(wrong, 15, order));
      CHECK((f.kind == FaultKind::Race || f.kind == FaultKind::Uninitialised));
    }
  }
}

TEST_CASE("a barrier of a warp does not order another warp's accesses, the block's does") {
  const auto text = [](const std::string& in_warp, const std::string& after) {
    return "alloc i64 s[8] @local; parallel warp (w < 2) { parallel local (l < 4) store s[w * 4 + l] = l; " + in_warp +
           " } " + after + " parallel warp (v < 2) parallel local (l < 4) store r[v * 4 + l] = s[7 - v * 4 - l];";
  };
  for (const Interleaving order : all_interleavings) {
    const Program right = program(" block 8 warp 4", text("", "barrier;"));
    CHECK(ints(interleaved(right, 8, order)) == Ints{3, 2, 1, 0, 3, 2, 1, 0});
    CHECK(fault_of(interleaved(program(" block 8 warp 4", text("barrier warp;", "")), 8, order)).kind ==
          FaultKind::Race);
  }
  CHECK(ints(one_by_one(program(" block 8 warp 4", text("", "barrier;")), 8)) == Ints{3, 2, 1, 0, 3, 2, 1, 0});
  CHECK(fault_of(one_by_one(program(" block 8 warp 4", text("barrier warp;", "")), 8)).kind == FaultKind::Race);
  // Of one warp the barrier of the warp is enough.
  const Program one = program(" block 8 warp 8", text("barrier warp;", ""));
  CHECK(ints(interleaved(one, 8, Interleaving::Turns)) == Ints{3, 2, 1, 0, 3, 2, 1, 0});
}

TEST_CASE("each iteration of a warp loop has memory of its own, also where one warp runs them all") {
  const Program p = program(" block 4 warp 4", turned("3", "barrier warp;"));
  for (const Interleaving order : all_interleavings) CHECK(ints(interleaved(p, 12, order)) == turned_rows(12, 3));
  const Program stale =
      program(" block 4 warp 4",
              "parallel warp (w < n) { alloc i64 s[1] @local; if (w < 1) store s[0] = 7; store r[w] = "
              "s[0]; }");
  for (const Interleaving order : all_interleavings)
    CHECK(fault_of(interleaved(stale, 2, order)).kind == FaultKind::Uninitialised);
  CHECK(fault_of(one_by_one(stale, 2)).kind == FaultKind::Uninitialised);
}

TEST_CASE("warps come to their own barriers as often as they like, lanes and blocks do not") {
  const auto in_order = [](const std::string& body, Interleaving order) {
    return interleaved(program(" block 8 warp 4", body + " barrier; parallel local (l < n) store r[l] = l;"), 8, order);
  };
  for (const Interleaving order : all_interleavings) {
    CHECK(ints(in_order("parallel warp (w < 3) for (k < w) barrier warp;", order)) == Ints{0, 1, 2, 3, 4, 5, 6, 7});
    const Fault lane =
        fault_of(in_order("parallel warp (w < 2) { parallel local (l < 4) { if (l < 2) barrier warp; } }", order));
    CHECK(lane.kind == FaultKind::BarrierDivergence);
    const Fault block = fault_of(in_order("parallel warp (w < 2) { if (w < 1) barrier; }", order));
    CHECK(block.kind == FaultKind::BarrierDivergence);
    const Fault mixed = fault_of(
        in_order("parallel warp (w < 2) { parallel local (l < 4) { if (l < 2) barrier warp; else barrier; } }", order));
    CHECK_THAT(mixed.message, Contains("two threads of a warp wait at different barriers"));
  }
  const auto alone = [&](const std::string& body) {
    const Fault f = fault_of(one_by_one(program(" block 8 warp 4", body), 8));
    CHECK(f.kind == FaultKind::BarrierDivergence);
    return f.message;
  };
  CHECK_THAT(alone("parallel warp (w < 1) barrier;"), Contains("a barrier stands inside a warp loop"));
  CHECK_THAT(alone("barrier warp;"), Contains("a barrier of a warp stands outside a warp loop"));
  CHECK_THAT(alone("parallel warp (w < 1) parallel local (l < 2) barrier warp;"), Contains("inside a local loop"));
}

TEST_CASE("a lane that traps ends its warp, which the block's barriers do not wait for") {
  const Program p =
      program(" block 8 warp 4",
              "parallel warp (w < 2) { parallel local (l < 4) check (w * 4 + l < 6) \"!\" \"index {0}\" (w "
              "* 4 + l); barrier warp; parallel local (l < 4) store r[w * 4 + l] = l; } barrier; parallel "
              "local (l < 8) store r[l] = 1;");
  for (const Interleaving order : all_interleavings) {
    const auto r = interleaved(p, 8, order);
    REQUIRE_FALSE(r);
    REQUIRE(std::holds_alternative<Trap>(r.error()));
    CHECK_THAT(std::get<Trap>(r.error()).message, Contains("index"));
  }
}

TEST_CASE("all orders of two warps of four lanes, up to equivalence") {
  const Program right = program(" block 8 warp 4", turned("4", "barrier warp;"));
  const Exploration e = explore(right, {{"n", 8}}, {}, ieee_domain());
  CHECK(e.complete);
  CHECK(e.orders == 1);
  CHECK_FALSE(e.race);
  REQUIRE(e.outcomes.size() == 1);
  CHECK(ints(e.outcomes[0]) == turned_rows(8, 4));
  CHECK(explore(program(" block 8 warp 4", turned("4", "")), {{"n", 8}}, {}, ieee_domain()).race);
}

TEST_CASE("a kernel's levels and barriers stand where they can") {
  const auto wrong = [](const std::string& body) {
    const auto all = check(program("", body + " for (i < n) store r[i] = i;"));
    return all.empty() ? "" : all.front();
  };
  CHECK(wrong("parallel warp (w < n) { barrier warp; parallel local (l < n) { } } barrier;") == "");
  CHECK_THAT(wrong("parallel warp (w < n) barrier;"), Contains("outside its local and warp loops"));
  CHECK_THAT(wrong("barrier warp;"), Contains("a barrier of a warp stands directly in a warp loop"));
  CHECK_THAT(wrong("parallel warp (w < n) parallel local (l < n) barrier warp;"), Contains("directly in a warp loop"));
  CHECK_THAT(wrong("parallel warp (w < n) parallel warp (v < n) { }"), Contains("does not stand in a workgroup loop"));
  CHECK_THAT(wrong("parallel local (l < n) parallel warp (v < n) { }"), Contains("does not stand in a workgroup loop"));
  CHECK_THAT(wrong("parallel warp (w < n) parallel global (v < n) { }"), Contains("stands inside a warp loop"));
  CHECK_THAT(wrong("alloc i64 s[1] @private; parallel warp (w < n) store s[0] = 1;"),
             Contains("declared outside the warp loop that stores to it"));
  CHECK_THAT(wrong("parallel warp (w < n) { alloc i64 s[1] @private; parallel local (l < n) store s[0] = 1; }"),
             Contains("declared outside the local loop that stores to it"));
}

TEST_CASE("all lanes of a warp come to its barrier, or it is refuted", "[proofs]") {
  using namespace lockstep::proofs::kernels;
  const auto refuted = [](const std::string& body) {
    for (const ProgramObligation& o : barrier_obligations(accesses_of(program("", body))))
      if (o.standing == Standing::Refuted) return o.detail;
    return std::string();
  };
  CHECK(refuted("parallel warp (w < n) { if (w < 1) barrier warp; } barrier;") == "");
  CHECK_THAT(refuted("parallel warp (w < n) barrier;"),
             Contains("inside the warp loop warp w < n: a warp meets it alone"));
  CHECK_THAT(refuted("barrier warp;"), Contains("outside a warp loop"));
  CHECK_THAT(refuted("parallel warp (w < n) parallel local (l < n) barrier warp;"), Contains("inside the local loop"));
  CHECK_THAT(
      refuted("parallel warp (w < n) { var i64 t = 0; parallel local (l < 1) { t = l; } if (t <.i64 3) { barrier "
              "warp; } }"),
      Contains("depends on 't'"));
}

TEST_CASE("what one lane has checked the others know after the warp's barrier, and another warp after the block's",
          "[proofs]") {
  using namespace lockstep::proofs::kernels;
  Prover prover(300);
  const auto inside = [&](const std::string& body) {
    const Program p = program_from(
        "kernel p(n) input i64 is[n]; input i64 xs[n]; output i64 r[n]; parallel workgroup (g < 1) { " + body + " }");
    Standing worst = Standing::Proved;
    for (const ProgramObligation& o : bounds_obligations(accesses_of(p), prover)) worst = std::min(worst, o.standing);
    return worst == Standing::Proved;
  };
  const std::string check = "check (0 <= is[w] && is[w] < n) \"!\" \"\" (); ";
  const std::string lanes = "parallel local (l < n) { check (0 <= is[l] && is[l] < n) \"!\" \"\" (); } ";
  const std::string use = "parallel local (k < n) store r[k] = xs[is[k]]; ";
  CHECK(inside("parallel warp (w < n) { " + lanes + "barrier warp; " + use + "}"));
  CHECK_FALSE(inside("parallel warp (w < n) { " + lanes + use + "}"));
  CHECK(inside("parallel warp (w < n) { " + check + "} barrier; " + use));
  CHECK_FALSE(inside("parallel warp (w < n) { " + check + "} " + use));
  CHECK_FALSE(inside("parallel warp (w < n) { " + check + "} parallel warp (v < n) { barrier warp; " + use + "}"));
}

TEST_CASE("a GPU's text runs warps as the launch has them") {
  const auto text = [](const std::string& launch, const std::string& body) {
    return hip_text(hosted(dealt_out(program(launch, body)))).kernel;
  };
  const std::string body =
      "parallel warp (w < n) { alloc i64 s[3] @local; store s[0] = w; barrier warp; parallel local (l "
      "< 2) store r[w * 2 + l] = s[0]; }";
  const std::string whole = text(" block 64 warp 16", body);
  CHECK_THAT(whole, Contains("w_ = threadIdx.x / 16;") && Contains("w_ += 4)"));
  CHECK_THAT(whole, Contains("l_ = threadIdx.x % 16;") && Contains("l_ += 16)"));
  CHECK_THAT(whole, Contains("LOCKSTEP_SHARED(int64_t, s_of_warps_, 4 * 3);") && Contains("threadIdx.x / 16 * 3;"));
  CHECK_THAT(whole, Contains("if (threadIdx.x % 16 == 0) s_[0] = w_;") && Contains("warp_barrier();"));
  CHECK_THAT(text(" block 6 warp 4", body),
             Contains("w_ += 2)") && Contains("l_ += w_ / 2 * 2 + 4 - (w_ + 1) / 2 * 2)"));
  CHECK_THAT(text(" block 64 warp 64", body), Contains("64 > 32") && Contains("return ~0ull << first_of_warp();"));
  CHECK_THAT(text("", "parallel local (l < n) store r[l] = l;"), !Contains("warp"));
  const std::string checked =
      text("", "parallel warp (w < n) { parallel local (l < n) check (l < 1) \"!\" \"\" (); store r[w] = w; }");
  CHECK_THAT(checked, Contains("if (any_of_warp(is_stopped(trap))) continue;") &&
                          Contains("if (any_of_warp(is_stopped(trap))) goto next_w_;") &&
                          Contains("if (__syncthreads_or(is_stopped(trap))) goto next_g_;"));
}

TEST_CASE("each of a block's warps needs its memory") {
  const auto unfit = [](const std::string& launch) {
    const auto all =
        hip_unfit(program(launch,
                          "alloc i64 t[10] @local; parallel warp (w < n) { alloc i64 s[1000] @local; parallel "
                          "local (l < 1) store r[w] = w; }"));
    return all.empty() ? "" : all.front();
  };
  CHECK(unfit(" block 192 warp 32") == "");
  const std::string too_much =
      "a block would need 56080 bytes of local memory, which has 49152, for 't' (80), 's' (56000): it fits where 's' "
      "has 876 scalars at most, not 1000";
  CHECK(unfit(" block 224 warp 32") == too_much);
  CHECK(unfit(" block 193 warp 32") == too_much);
}

}  // namespace warps_test
