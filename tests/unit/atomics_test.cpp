// Atomic updates of the kernel language: text and typing, what they mean in every order, what is a race beside them and
// what is none, how that is proved, what they cost, and how targets print them.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "codegen/targets/openmp.h"
#include "proofs/kernel/parts.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/gpu_cost.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace atomics_test {
using namespace lockstep;
using namespace lockstep::kernel;
using Catch::Matchers::Contains;
using kernel::Stop;

namespace {

using Ints = std::vector<std::int64_t>;

// r: 3 scalars, 10 each before `body`.
Program counting(const std::string& body, const std::string& type = "i64") {
  return program_from("kernel p(n) block 8 warp 4 output " + type + " r[3]; { for (k < 3) store r[k] = 10" +
                      (type == "i64" ? "" : type) + "; " + body + " }");
}
const std::string by_all = "parallel global (i < n) atomic r[i % 3] + = i + 1;";
// A block's own counts, which are then read by other threads than the ones that made them.
std::string in_a_block(const std::string& before, const std::string& behind) {
  return "parallel workgroup (g < 1) { alloc i64 s[3] @local; parallel local (l < 3) store s[l] = 0; " + before +
         " parallel local (t < n) atomic s[t % 3] + = t + 1; " + behind +
         " parallel local (k < 3) store r[k] = s[2 - k]; }";
}

Ints ints(const tl::expected<Buffers, Stop>& r) {
  if (const auto* f = r ? nullptr : std::get_if<Fault>(&r.error())) FAIL(f->message);
  REQUIRE(r);
  Ints out;
  for (const Scalar& s : r->at("r")) out.push_back(s.integer());
  return out;
}
tl::expected<Buffers, Stop> one_by_one(const Program& p, std::int64_t n, Schedule order = Schedule::Forward) {
  RunOptions how{order, 3, true};
  how.threads_per_block = p.launch.block;
  return run(p, {{"n", n}}, {}, ieee_domain(), how);
}
tl::expected<Buffers, Stop> interleaved(const Program& p, std::int64_t n, Interleaving order) {
  InterleaveOptions how;
  how.order = order;
  how.seed = 3;
  return run_interleaved(p, {{"n", n}}, {}, ieee_domain(), how);
}
void gives(const Program& p, std::int64_t n, const Ints& expected) {
  REQUIRE(check(p).empty());
  for (const Schedule order : {Schedule::Forward, Schedule::Reverse, Schedule::Random})
    CHECK(ints(one_by_one(p, n, order)) == expected);
  for (const Interleaving order : all_interleavings) CHECK(ints(interleaved(p, n, order)) == expected);
}
void races(const Program& p, std::int64_t n, const std::string& words) {
  const auto is_race = [&](const tl::expected<Buffers, Stop>& r) {
    REQUIRE_FALSE(r);
    const auto* f = std::get_if<Fault>(&r.error());
    REQUIRE(f);
    CHECK(f->kind == FaultKind::Race);
    return f->message;
  };
  is_race(one_by_one(p, n));
  for (const Interleaving order : {Interleaving::Turns, Interleaving::Warps, Interleaving::Random})
    CHECK_THAT(is_race(interleaved(p, n, order)), Contains(words));
}

Standing worst_race(const Program& p, std::string* said = nullptr) {
  proofs::kernels::Prover prover;
  Standing worst = Standing::Proved;
  for (const auto& o : proofs::kernels::kernel_obligations(p, prover)) {
    if (o.kind != proofs::kernels::ObligationKind::Races) continue;
    worst = std::min(worst, o.standing);
    if (said && o.standing != Standing::Proved) *said += o.detail + "\n";
  }
  return worst;
}

std::string all_wrong(const Program& p) {
  std::string out;
  for (const std::string& w : check(p)) out += w + "\n";
  return out;
}

}  // namespace

TEST_CASE("an atomic update prints and parses back") {
  const Program p = counting(by_all);
  CHECK_THAT(print(p), Contains("atomic r[i % 3] + = i + 1;"));
  CHECK(program_from(print(p)) == p);
  const Program least = counting("parallel global (i < n) atomic r[0] min = i;");
  CHECK_THAT(print(least), Contains("atomic r[0] min = i;"));
  CHECK(program_from(print(least)) == least);
  CHECK_FALSE(least == counting("parallel global (i < n) atomic r[0] max = i;"));
}

TEST_CASE("an atomic update is by an operator whose order does not count, on integers, by one thread") {
  CHECK(all_wrong(counting(by_all)).empty());
  CHECK_THAT(all_wrong(counting("parallel global (i < n) atomic r[0] - = i;")), Contains("'-' does not commute"));
  CHECK_THAT(all_wrong(counting("parallel global (i < n) atomic r[0] / = i;")), Contains("'/' can trap on i64"));
  CHECK_THAT(all_wrong(counting("parallel global (i < n) atomic r[0] < = i;")), Contains("to one of it"));
  CHECK_THAT(
      all_wrong(program_from("kernel p(n) output f32 r[1]; { store r[0] = 0.0f32; parallel global (i < n) atomic "
                             "r[0] + = 1.0f32; }")),
      Contains("'+' on f32 rounds"));
  CHECK_THAT(
      all_wrong(program_from("kernel p(n) output f32 r[1]; { store r[0] = 0.0f32; parallel global (i < n) atomic "
                             "r[0] max = 1.0f32; }")),
      Contains("zeros and NaNs"));
  CHECK_THAT(all_wrong(counting("parallel global (i < n) atomic r[0] + = 1i32;")),
             Contains("what is stored to 'r' is of i32"));
  CHECK_THAT(
      all_wrong(program_from("kernel p(n) input i64 xs[n]; output i64 r[1]; parallel global (i < n) atomic xs[0] + "
                             "= 1;")),
      Contains("'xs' is an input"));
  CHECK_THAT(all_wrong(counting("parallel workgroup (g < n) atomic r[0] + = 1;")), Contains("between local loops"));
}

TEST_CASE("updates by one operator give one result in every order, and are no race") {
  gives(counting(by_all), 7, {10 + 1 + 4 + 7, 10 + 2 + 5, 10 + 3 + 6});
  gives(counting("parallel global (i < n) atomic r[i % 3] max = i * 4;"), 7, {24, 16, 20});
  gives(counting("parallel global (i < n) atomic r[1] ^ = i;"), 7, {10, 10 ^ 7, 10});
  gives(counting(in_a_block("barrier;", "barrier;")), 7, {3 + 6, 2 + 5, 1 + 4 + 7});
}

TEST_CASE("explored, updates by one operator are one class of orders; by two they are a race") {
  const Program one = counting("parallel global (i < 3) atomic r[0] + = i;");
  const Exploration e = explore(one, {{"n", 0}}, {}, ieee_domain());
  CHECK(e.complete);
  CHECK(e.orders == 1);
  CHECK_FALSE(e.race.has_value());
  const Program two = counting("parallel global (i < 2) { if (i < 1) atomic r[0] + = 5; else atomic r[0] max = 12; }");
  const Exploration f = explore(two, {{"n", 0}}, {}, ieee_domain());
  CHECK(f.race.has_value());
  CHECK(f.outcomes.size() == 2);  // max (10 + 5) 12 and max 10 12 + 5
}

TEST_CASE("beside an update a plain access, or one by another operator, is a race") {
  races(counting("parallel global (i < n) { atomic r[0] + = 1; if (i < 1) store r[0] = 3; }"), 4, "updated by");
  races(counting("parallel global (i < n) { if (i < 1) store r[1] = 1; else atomic r[1] + = 1; }"), 4, "updated by");
  races(counting("parallel global (i < n) { atomic r[0] + = 1; var i64 x = r[0]; }"), 4, "updated by");
  races(counting("parallel global (i < n) { if (i < 1) atomic r[0] + = 1; else { var i64 x = r[0]; } }"), 4,
        "updated by");
  races(counting("parallel global (i < n) { atomic r[0] + = 1; atomic r[0] max = 1; }"), 4, "updated by");
  // What one thread wrote itself before it updates, another one updates too.
  races(counting("parallel global (i < n) { if (i < 1) store r[0] = 3; atomic r[0] + = 1; }"), 4, "updated by");
}

TEST_CASE("between a block's updates and what is read or written beside them stands a barrier") {
  races(counting(in_a_block("barrier;", "")), 5, "with no barrier between them");
  races(counting(in_a_block("", "barrier;")), 5, "with no barrier between them");
}

TEST_CASE("what is updated has been written, and is inside") {
  const Program unwritten = program_from(
      "kernel p(n) output i64 r[3]; { store r[0] = 0; store r[1] = 0; parallel global (i < n) atomic r[i] + = 1; }");
  for (const auto& r : {one_by_one(unwritten, 3), interleaved(unwritten, 3, Interleaving::Turns)}) {
    REQUIRE_FALSE(r);
    CHECK(std::get<Fault>(r.error()).kind == FaultKind::Uninitialised);
  }
  const Program outside = counting("parallel global (i < n) atomic r[i] + = 1;");
  for (const auto& r : {one_by_one(outside, 4), interleaved(outside, 4, Interleaving::Turns)}) {
    REQUIRE_FALSE(r);
    CHECK(std::get<Fault>(r.error()).kind == FaultKind::OutOfBounds);
    CHECK_THAT(std::get<Fault>(r.error()).message, Contains("r[3] is updated"));
  }
}

TEST_CASE("races of updates are proved away by their operator, and found beside other accesses") {
  CHECK(worst_race(counting(by_all)) == Standing::Proved);
  CHECK(worst_race(counting(in_a_block("barrier;", "barrier;"))) == Standing::Proved);
  for (const Program& p : {counting("parallel global (i < n) { atomic r[0] + = 1; atomic r[0] max = 1; }"),
                           counting("parallel global (i < n) { atomic r[0] + = 1; if (i < 1) store r[0] = 3; }"),
                           counting("parallel global (i < n) store r[i % 3] = i;"),
                           counting(in_a_block("barrier;", "")), counting(in_a_block("", "barrier;"))})
    CHECK(worst_race(p) == Standing::Refuted);
}

TEST_CASE("barriers are placed around updates, and none between two loops of them by one operator") {
  const auto barriers = [](const std::string& text) {
    std::size_t n = 0;
    const std::string placed = print(with_barriers(counting(text)));
    for (std::size_t at = 0; (at = placed.find("barrier;", at)) != std::string::npos; ++at) ++n;
    return n;
  };
  CHECK(barriers(in_a_block("", "")) == 2);
  CHECK(barriers(in_a_block("", "parallel local (u < n) atomic s[u % 2] + = 1;")) == 2);
  CHECK(barriers(in_a_block("", "parallel local (u < n) atomic s[u % 2] max = 1;")) == 3);
}

TEST_CASE("an update costs a read, the operator and a write; in a block's memory at most a turn a lane") {
  const GpuCost all = gpu_cost(dealt_out(counting(in_a_block("barrier;", "barrier;"))));
  std::size_t found = 0;
  for (const GpuAccess& a : all.accesses)
    if (a.atomic) {
      ++found;
      CHECK(a.cost == WarpCost{4, false});  // a warp of 4
      CHECK(a.place == kernel::Place::Block);
    }
  CHECK(found == 1);
}

TEST_CASE("the HIP text updates by HIP's functions, and what it has none for is refused by name") {
  const HipText t = hip_text(hosted(dealt_out(counting(by_all))));
  CHECK_THAT(t.kernel, Contains("atomicAdd((unsigned long long*)&r_[i_ % 3], (unsigned long long)(i_ + 1));"));
  CHECK(hip_unfit(dealt_out(counting(by_all))).empty());
  const Program bits = counting("parallel global (i < n) atomic r[0] | = 1i32;", "i32");
  CHECK_THAT(hip_text(hosted(dealt_out(bits))).kernel, Contains("atomicOr(&r_[0], "));
  const auto refused = [](const Program& p) {
    std::string out;
    for (const std::string& why : hip_unfit(dealt_out(p))) out += why;
    return out;
  };
  CHECK_THAT(refused(counting("parallel global (i < n) atomic r[0] max = i;")),
             Contains("HIP has no atomic 'max' on i64"));
  CHECK_THAT(refused(counting("parallel global (i < n) atomic r[0] * = 3;")), Contains("HIP has no atomic '*' on i64"));
  CHECK_THAT(refused(counting("parallel global (i < n) atomic r[0] + = 1u8;", "u8")), Contains("no atomic '+' on u8"));
}

TEST_CASE("C++ text updates by compare and swap") {
  const std::string text = openmp_source(counting("parallel par (i < n) atomic r[i % 3] max = i;"));
  CHECK_THAT(text, Contains("__atomic_compare_exchange_n("));
}

TEST_CASE("permute by threads takes an operator whose order does not count, and says what it misses") {
  const std::string head = "fun f [n] (is : [n]i64) ", tail = " (replicate 3 0) is ";
  CHECK(test::errors(head + "(xs : [n]i32) : [3]i32 = permuteGlobal (+)" + tail + "xs").empty());
  CHECK(test::errors(head + "(xs : [n]i32) : [3]i32 = permuteGlobal (\\x y -> max y x)" + tail + "xs").empty());
  CHECK_THAT(test::errors(head + "(xs : [n]i32) : [3]i32 = permuteGlobal (-)" + tail + "xs"),
             Contains("permuteGlobal updates atomically, but '-' does not commute"));
  CHECK_THAT(test::errors(head + "(xs : [n]f32) : [3]f32 = permuteGlobal (+)" + tail + "xs"),
             Contains("'+' on f32 rounds"));
  CHECK_THAT(test::errors(head + "(xs : [n]i32) : [3]i32 = permuteGlobal (\\x y -> x + y + 1)" + tail + "xs"),
             Contains("no operator on both of its arguments"));
  CHECK_THAT(
      test::errors(head + "(xs : [n]i32) : [n]i32 = mapGlobal (\\x -> permuteGlobal (+) (replicate 3 0) is xs ! 0) is"),
      Contains("permuteGlobal runs over all threads"));
}

TEST_CASE("on a GPU permute by threads updates atomically; on a CPU it is done in order") {
  const PhraseProgram p =
      test::entry("fun f [n] (is : [n]i64) (xs : [n]i32) : [3]i32 = permuteGlobal (+) (replicate 3 5) is xs");
  const auto kernel_of = [&](Machine m) { return print(dpia_trace(p, test::calculus(), m).kernel()); };
  CHECK_THAT(kernel_of(Machine::Gpu), Contains("atomic `output`[i_2] + = xs[j];"));
  CHECK_THAT(kernel_of(Machine::Cpu), !Contains("atomic"));
  CHECK(test::meaning("fun f : [3]i32 = permuteGlobal (+) (replicate 3 5) [0, 2, -1, 0] [1, 2, 3, 4]") == "[10, 5, 7]");
}

}  // namespace atomics_test
