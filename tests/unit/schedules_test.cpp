// Kernels in adversarial orders: each kind of finding on a program that is wrong in that way, the same program mended,
// and the reduced exploration against all orders there are.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "props/dpia/orders.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace schedules_test {
using namespace lockstep;
using namespace lockstep::kernel;
using Catch::Matchers::Contains;
using kernel::RunOptions;
using kernel::Stop;
using kernel::Store;

namespace {

using Ints = std::vector<std::int64_t>;
using Result = tl::expected<Buffers, Stop>;

const std::string head = "kernel p(n) output i64 r[n]; ";

Ints ints(const Buffers& b) {
  Ints out;
  for (const Scalar& s : b.at("r")) out.push_back(s.integer());
  return out;
}
Result interleaved(const std::string& text, std::int64_t n, const InterleaveOptions& options = {}) {
  return run_interleaved(program_from(text), {{"n", n}}, {}, ieee_domain(), options);
}
InterleaveOptions in_order(Interleaving order, bool races = true) {
  InterleaveOptions o;
  o.order = order;
  o.seed = 5;
  o.detect_races = races;
  return o;
}
Fault fault_of(const Result& r) {
  REQUIRE_FALSE(r);
  REQUIRE(std::holds_alternative<Fault>(r.error()));
  return std::get<Fault>(r.error());
}

// Blocks of 4 threads that add 4 numbers by halves in the block's memory; `between` stands after each step.
std::string block_reduction(const std::string& between) {
  return head + "parallel workgroup (g < n) with (i64 s[4] @local) { parallel local (l < 4) store s[l] = g * 10 + l; " +
         between + " for (k < 2) { parallel local (l < 2 - k) store s[l] = s[l] + s[l + 2 - k]; " + between +
         " } store r[g] = s[0]; }";
}

}  // namespace

TEST_CASE("every order of a right kernel gives what its iterations give one after the other") {
  const std::vector<std::pair<std::string, std::int64_t>> programs = {
      {head + "parallel par (i < n) store r[i] = (i < 2 ? i * 10 : 0 - i);", 5},
      {head +
           "{ alloc i64 t[n] @global; parallel global (i < n) store t[i] = i * i; parallel global (i < n) store r[i] = "
           "t[n - 1 - i]; }",
       100},
      {head + "parallel par (i < n / 2) parallel par (j < 2) with (i64 s[1] @private) { store s[0] = i; store r[i * 2 "
              "+ j] "
              "= s[0] + j; }",
       8},
      {head + "parallel workgroup (g < n / 4) { var i64 most = 3; { alloc i64 s[4] @local; for (k < 2) { parallel "
              "local (l "
              "< 4) store s[l] = g * 4 + l + k; barrier; parallel local (l < 4) store r[g * 4 + l] = s[most - l]; "
              "barrier; } } }",
       8},
      {head + "{ var i64 k = 0; while (k < n) { store r[k] = lane(build(7, 8), k % 2); k = k + 1; } }", 3},
      {head + "parallel par (i < n / 4) { var i64<4> v = splat<4>(i) +.i64<4> build(1, 2, 3, 4); store r[i * 4] = v "
              "*.i64<4> "
              "v; }",
       8},
      {block_reduction("barrier;"), 3},
  };
  for (const auto& [text, n] : programs) {
    CAPTURE(text);
    const Program p = program_from(text);
    REQUIRE(check(p) == std::vector<std::string>{});
    const auto expected = run(p, {{"n", n}}, {}, ieee_domain());
    REQUIRE(expected);
    for (const Interleaving order : all_interleavings)
      for (const std::int64_t threads : {0, 1, 2, 3})
        for (const std::size_t live : {1, 3, 64}) {
          InterleaveOptions o = in_order(order);
          o.threads_per_block = threads;
          o.live = live;
          o.warp = 2;
          const auto got = run_interleaved(p, {{"n", n}}, {}, ieee_domain(), o);
          CAPTURE(std::string(show(order)), threads, live);
          INFO((got ? "" : std::get<Fault>(got.error()).message));
          REQUIRE(got);
          CHECK(ints(*got) == ints(*expected));
        }
  }
}

TEST_CASE("a race names buffer, index, both iterations, both statements and their positions") {
  const std::string text =
      head + "{ alloc i64 t[2] @global; parallel par (i < n) { store t[i % 2] = i; store r[i] = i; } }";
  for (const Interleaving order : all_interleavings) {
    const Fault f = fault_of(interleaved(text, 4, in_order(order)));
    CHECK(f.kind == FaultKind::Race);
    CHECK_THAT(f.message, Contains("] is written by i = "));
    CHECK_THAT(f.message, Contains(" in `store t[i % 2] = i;` (test.kernel:1:79) and written by i = "));
  }
  CHECK(fault_of(interleaved(text, 4, in_order(Interleaving::Turns))).message ==
        "t[0] is written by i = 0 in `store t[i % 2] = i;` (test.kernel:1:79) and written by i = 2 in "
        "`store t[i % 2] = i;` (test.kernel:1:79), in either order");
}

TEST_CASE("a race through an inner loop is one of the outer iterations") {
  const std::string text = head + "parallel par (i < 2) parallel par (j < 2) store r[j] = i;";
  for (const Interleaving order : all_interleavings) {
    const Fault f = fault_of(interleaved(text, 2, in_order(order)));
    CHECK(f.kind == FaultKind::Race);
    CHECK_THAT(f.message, Contains("i = 0, j = "));
    CHECK_THAT(f.message, Contains("i = 1, j = "));
  }
}

TEST_CASE("a barrier deleted from a block reduction is a race between two threads in every order") {
  for (const Interleaving order : all_interleavings) {
    CHECK(interleaved(block_reduction("barrier;"), 2, in_order(order)));
    const Fault f = fault_of(interleaved(block_reduction(""), 2, in_order(order)));
    CHECK(f.kind == FaultKind::Race);
    CHECK_THAT(f.message, Contains("thread ") && Contains("g = ") && Contains("no barrier between them"));
  }
}

TEST_CASE("a barrier deleted from a block reduction changes what the orders give") {
  const auto results = [](const std::string& text) {
    std::set<Ints> out;
    for (const Interleaving order : all_interleavings) {
      const auto r = interleaved(text, 1, in_order(order, false));
      out.insert(r ? ints(*r) : Ints{-1});
    }
    return out;
  };
  CHECK(results(block_reduction("barrier;")).size() == 1);
  CHECK(results(block_reduction("")).size() > 1);
}

TEST_CASE("what is right only in lock step is found when threads take other turns") {
  // Each thread adds its neighbour's number: right where all read before any writes.
  const std::string text =
      head +
      "parallel workgroup (g < 1) with (i64 s[4] @local) { parallel local (l < 4) store s[l] = l; barrier; "
      "parallel local (l < 4) store s[l] = s[(l + 1) % 4]; barrier; parallel local (l < 4) store r[l] = s[l]; }";
  InterleaveOptions warps = in_order(Interleaving::Warps, false);
  const auto by_warp = interleaved(text, 4, warps);
  REQUIRE(by_warp);
  CHECK(ints(*by_warp) == Ints{1, 2, 3, 0});
  warps.warp = 2;
  const auto by_small_warp = interleaved(text, 4, warps);
  REQUIRE(by_small_warp);
  CHECK(ints(*by_small_warp) == Ints{1, 2, 3, 1});
  CHECK(fault_of(interleaved(text, 4, in_order(Interleaving::Warps))).kind == FaultKind::Race);
}

TEST_CASE("a block's threads are those of its program, up to 1,024, and its warps are the program's") {
  // Iterations that meet are run by one thread of a block of half as many.
  const auto meeting = [](const std::string& launch, int n) {
    const std::string half = std::to_string(n / 2), whole = std::to_string(n);
    return "kernel p(n)" + launch + " output i64 r[n]; parallel workgroup (g < 1) with (i64 s[" + half +
           "] @local) { parallel local (l < " + whole + ") store s[l % " + half +
           "] = l; barrier; parallel local (l < " + half + ") store r[l] = s[l]; }";
  };
  for (const auto& [launch, n, races] : {std::tuple{" block 64", 128, false},
                                         {" block 128", 128, true},
                                         {"", 256, true},
                                         {"", 512, false},
                                         {" block 512", 1024, false},
                                         {" block 1024", 1024, true},
                                         {" block 1 warp 1", 4, false}}) {
    INFO(launch << " of " << n);
    const auto got = interleaved(meeting(launch, n), n / 2, in_order(Interleaving::Forward));
    CHECK(got.has_value() == !races);
    if (!got) CHECK(fault_of(got).kind == FaultKind::Race);
  }
  const auto read_behind = [](const std::string& launch) {
    const std::string text =
        "kernel p(n)" + launch +
        " output i64 r[n]; parallel workgroup (g < 1) with (i64 s[4] @local) { parallel local (l < 4) store s[l] = l; "
        "barrier; parallel local (l < 4) store s[l] = s[(l + 1) % 4]; barrier; parallel local (l < 4) store r[l] = "
        "s[l]; "
        "}";
    const auto got = interleaved(text, 4, in_order(Interleaving::Warps, false));
    REQUIRE(got);
    return ints(*got);
  };
  CHECK(read_behind("") == Ints{1, 2, 3, 0});
  CHECK(read_behind(" block 4 warp 2") == Ints{1, 2, 3, 1});
}

TEST_CASE("a launch that no GPU has is refused") {
  for (const std::string launch : {" block 0", " block 1025", " warp 0", " warp 3", " warp 128"}) {
    INFO(launch);
    CHECK(check(program_from("kernel p(n)" + launch + " output i64 r[n]; for (i < n) store r[i] = i;")).size() == 1);
  }
  CHECK(check(program_from("kernel p(n) block 1024 warp 64 output i64 r[n]; for (i < n) store r[i] = i;")).empty());
}

TEST_CASE("a block's memory allocated anew in a loop is the same memory for a thread that is behind") {
  const auto text = [](const std::string& end) {
    return head +
           "parallel workgroup (g < 1) for (k < 2) { alloc i64 s[2] @local; parallel local (l < 2) store s[l] = k; "
           "barrier; parallel local (l < 2) store r[l] = s[1 - l]; " +
           end + " }";
  };
  for (const Interleaving order : all_interleavings) {
    CHECK(interleaved(text("barrier;"), 2, in_order(order)));
    CHECK(fault_of(interleaved(text(""), 2, in_order(order))).kind == FaultKind::Race);
  }
  const std::string stale = head +
                            "parallel workgroup (g < 1) for (k < 2) { alloc i64 s[2] @local; parallel local (l < 2) if "
                            "(k < 1) store s[l] = k; barrier; parallel local (l < 2) store r[l] = s[l]; barrier; }";
  CHECK(fault_of(interleaved(stale, 2)).kind == FaultKind::Uninitialised);
}

TEST_CASE("a barrier that not all threads of a block meet diverges") {
  const std::string some =
      head + "parallel workgroup (g < 1) parallel local (l < 4) { if (l < 2) barrier; store r[l] = l; }";
  const std::string two =
      head + "parallel workgroup (g < 1) parallel local (l < 4) { if (l < 2) barrier; else barrier; store r[l] = l; }";
  for (const Interleaving order : all_interleavings) {
    CHECK(fault_of(interleaved(some, 4, in_order(order))).kind == FaultKind::BarrierDivergence);
    CHECK(fault_of(interleaved(two, 4, in_order(order))).kind == FaultKind::BarrierDivergence);
  }
  CHECK(fault_of(interleaved(head + "barrier;", 4)).kind == FaultKind::BarrierDivergence);
}

TEST_CASE("a thread that traps meets its barriers only where generated code arranges it") {
  const std::string text =
      head +
      "parallel workgroup (g < 1) { parallel local (l < 4) { check (l < 3) \"!\" \"index {0}\" (l); "
      "store r[l] = l; } barrier; parallel local (l < 4) store r[l] = r[3 - l]; }";
  for (const Interleaving order : all_interleavings) {
    const auto r = interleaved(text, 4, in_order(order));
    REQUIRE_FALSE(r);
    REQUIRE(std::holds_alternative<Trap>(r.error()));
    CHECK(std::get<Trap>(r.error()).message == "index 3");
    InterleaveOptions alone = in_order(order);
    alone.trap_meets_barriers = false;
    CHECK_THAT(fault_of(interleaved(text, 4, alone)).message, Contains("thread 3 traps without the barrier"));
  }
}

TEST_CASE("faults of one thread alone are found as by the other interpreter") {
  for (const Interleaving order : all_interleavings) {
    const auto kind = [&](const std::string& body) {
      return fault_of(interleaved(head + body, 4, in_order(order))).kind;
    };
    CHECK(kind("for (i < n + 1) store r[i] = i;") == FaultKind::OutOfBounds);
    CHECK(kind("parallel par (i < n) store r[i + 1] = i;") == FaultKind::OutOfBounds);
    CHECK(kind("store r[0] = lane(build(1, 2), n);") == FaultKind::OutOfBounds);
    CHECK(kind("parallel par (i < n) store r[i] = r[i];") == FaultKind::Uninitialised);
    CHECK(kind("{ var i64 k; store r[0] = k; }") == FaultKind::Uninitialised);
    CHECK(kind("for (i < n - 1) store r[i] = i;") == FaultKind::Uninitialised);
    CHECK(kind("parallel par (i < n) with (i64 s[1] @private) { if (i == 0) store s[0] = 7; store r[i] = s[0]; }") ==
          FaultKind::Uninitialised);
    CHECK(kind("store r[n * 9223372036854775807] = 0;") == FaultKind::Overflow);
    CHECK(kind("store r[1 / (n - 4)] = 0;") == FaultKind::BadDivision);
    // soundness A2: no operator's own trap stands in for a check
    CHECK(kind("parallel par (i < n) store r[i] = 7 /.i64 (i -.i64 2);") == FaultKind::Unguarded);
    CHECK(kind("store r[0] = lane(splat<4>(12) %.i64<4> build(1, 2, 3, 0), 1);") == FaultKind::Unguarded);
  }
  InterleaveOptions limited;
  limited.while_limit = 100;
  CHECK(fault_of(interleaved(head + "while (true) store r[0] = 0;", 4, limited)).kind == FaultKind::Endless);
  const auto rounds = [&](int n) {
    return interleaved(head + "{ var i64 k = 0; while (k <.i64 " + std::to_string(n) +
                           ") k = k +.i64 1; for (i < n) store r[i] = k; }",
                       4, limited);
  };
  CHECK(rounds(100).has_value());
  CHECK(fault_of(rounds(101)).kind == FaultKind::Endless);
}

// ------------------------------------------------------------------------------------------------- every order
namespace {

Exploration explored(const std::string& text, std::int64_t n, bool reduce = true) {
  ExploreOptions o;
  o.reduce = reduce;
  o.most_orders = 200000;
  return explore(program_from(text), {{"n", n}}, {}, ieee_domain(), o);
}
std::set<std::string> outcomes(const Exploration& e) {
  std::set<std::string> out;
  for (const Result& r : e.outcomes) {
    std::string text;
    if (r)
      for (const std::int64_t i : ints(*r)) text += std::to_string(i) + " ";
    else if (const auto* f = std::get_if<Fault>(&r.error()))
      text = show(f->kind);
    else
      text = "trap";
    out.insert(text);
  }
  return out;
}

}  // namespace

TEST_CASE("a kernel without races has one order up to equivalence") {
  for (const std::string& text : {head + "parallel par (i < n) store r[i] = i;", block_reduction("barrier;"),
                                  head + "parallel par (i < n) parallel par (j < 3) if (j == 0) store r[i] = i;"}) {
    const Exploration e = explored(text, 3);
    CHECK(e.complete);
    CHECK(e.orders == 1);
    CHECK(e.outcomes.size() == 1);
    CHECK_FALSE(e.race);
  }
  CHECK(explored(head + "parallel par (i < n) store r[i] = i;", 3, false).orders == 6);
}

TEST_CASE("every outcome of a race is found") {
  const Exploration last_wins = explored("kernel p(n) output i64 r[1]; parallel par (i < n) store r[0] = i;", 3);
  CHECK(last_wins.complete);
  REQUIRE(last_wins.race);
  CHECK(outcomes(last_wins) == std::set<std::string>{"0 ", "1 ", "2 "});
  // A lost update: two threads add one to the same number.
  const Exploration lost =
      explored("kernel p(n) output i64 r[1]; { store r[0] = 0; parallel par (i < n) store r[0] = r[0] + 1; }", 2);
  CHECK(outcomes(lost) == std::set<std::string>{"1 ", "2 "});
  // Two threads that hand over without a barrier: the number is there, or it is not.
  const auto block = [](const std::string& between) {
    return explored(head +
                        "parallel workgroup (g < n) with (i64 s[2] @local) { parallel local (l < 2) store s[l] = 7; " +
                        between + " parallel local (l < 1) store r[g] = s[1]; }",
                    1);
  };
  CHECK(outcomes(block("")) == std::set<std::string>{"7 ", "uninitialised"});
  CHECK(block("").race);
  CHECK(outcomes(block("barrier;")) == std::set<std::string>{"7 "});
}

TEST_CASE("an exploration that is cut short is not called complete") {
  ExploreOptions o;
  o.most_orders = 3;
  const Program p = program_from("kernel p(n) output i64 r[1]; parallel par (i < n) store r[0] = i;");
  CHECK_FALSE(explore(p, {{"n", 4}}, {}, ieee_domain(), o).complete);
  // What would have followed a fault is not known.
  const Exploration stopped = explored(head + "parallel par (i < n) store r[i + n] = i;", 2);
  CHECK_FALSE(stopped.complete);
  CHECK(outcomes(stopped) == std::set<std::string>{"out of bounds"});
  o = {};
  o.most_accesses = 2;
  CHECK_FALSE(explore(p, {{"n", 4}}, {}, ieee_domain(), o).complete);
}

namespace {

// Statements of a few threads over two shared numbers, races on purpose.
class RacyKernel {
 public:
  explicit RacyKernel(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const int shape = number(3);
    const std::string start = "kernel p(n) output i64 r[2]; ", zero = "store a[0] = 0; store a[1] = 0; ",
                      end = " store r[0] = a[0]; store r[1] = a[1]; ";
    if (shape == 0)
      return start + "{ alloc i64 a[2] @global; " + zero + "parallel par (i < " + std::to_string(2 + number(1)) + ") " +
             by("i") + end + "}";
    if (shape == 1)
      return start + "{ alloc i64 a[2] @global; " + zero + "parallel par (i < 2) { if (i == 0) parallel par (j < 2) " +
             by("j") + " else { " + one() + " } }" + end + "}";
    if (shape == 2)
      return start + "parallel workgroup (g < 1) with (i64 a[2] @local) { parallel local (l < 1) { " + zero +
             "} barrier; parallel local (l < 2) " + by("l") + (number(1) ? " barrier;" : "") +
             " parallel local (l < 2) " + by("l") + " barrier; " + end + "}";
    return start + "{ alloc i64 a[2] @global; " + zero +
           "parallel workgroup (g < 2) parallel local (l < 2) { var i64 x = 0; if (l == g) { " + one() + "} else { " +
           one() + "} }" + end + "}";
  }

 private:
  int number(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
  std::string cell() { return "a[" + std::to_string(number(1)) + "]"; }
  std::string one() {
    switch (number(4)) {
      case 0:
        return "store " + cell() + " = " + std::to_string(1 + number(3)) + "; ";
      case 1:
        return "store " + cell() + " = " + cell() + " + " + std::to_string(1 + number(3)) + "; ";
      case 2:
        return "if (" + cell() + " < 2) store " + cell() + " = 5; ";
      case 3:
        return "check (" + cell() + " < 3) \"!\" \"\" (); ";
      default:
        return "store " + cell() + " = " + cell() + " * 2; ";
    }
  }
  std::string by(const std::string& i) {
    return "{ if (" + i + " == 0) { " + one() + (number(1) ? one() : "") + "} else { " + one() + "} }";
  }
  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("the reduced exploration finds the outcomes of all orders") {
  std::size_t reduced = 0, all = 0, racy = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::string text = RacyKernel(seed).text();
    CAPTURE(seed, text);
    const Exploration few = explored(text, 1), every = explored(text, 1, false);
    REQUIRE(few.complete);
    REQUIRE(every.complete);
    CHECK(outcomes(few) == outcomes(every));
    CHECK(few.race.has_value() == every.race.has_value());
    CHECK(few.orders <= every.orders);
    if (!few.race) CHECK(few.orders == 1);
    reduced += few.orders, all += every.orders, racy += few.race.has_value(), several += few.outcomes.size() > 1;
  }
  INFO(reduced << " of " << all << " orders, " << racy << " racy, " << several << " with several outcomes");
  CHECK(reduced * 2 < all);
  CHECK(racy > 100);
  CHECK(several > 60);
}

TEST_CASE("the two interpreters find races in the same kernels") {
  std::size_t races = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const std::string text = RacyKernel(seed).text();
    CAPTURE(seed, text);
    RunOptions o;
    o.detect_races = true;
    const auto one_after_the_other = run(program_from(text), {{"n", 1}}, {}, ieee_domain(), o);
    const Fault* f = one_after_the_other ? nullptr : std::get_if<Fault>(&one_after_the_other.error());
    if (!one_after_the_other && !f) continue;  // a trap: what comes after it is not seen
    const Exploration every = explored(text, 1);
    CHECK((f && f->kind == FaultKind::Race) == every.race.has_value());
    if (every.race) {
      ++races;
      for (const Interleaving order : all_interleavings) {
        const auto r = interleaved(text, 1, in_order(order));
        // Unless a trap comes first, each order finds one.
        if (!r && std::holds_alternative<Trap>(r.error())) continue;
        CHECK(fault_of(r).kind == FaultKind::Race);
      }
    } else {
      ++none;
    }
  }
  CHECK(races > 200);
  CHECK(none > 20);
}

// ------------------------------------------------------------------------------------------------- translated programs
namespace {

// The last kernel for a GPU.
Program gpu_kernel(const std::string& text) {
  const Calculus calculus = standard_calculus();
  const auto e = test::elaborated(text, calculus);
  REQUIRE(e.has_value());
  return dpia_trace(e->entries.back(), calculus, Machine::Gpu).kernel();
}

Stmt without_barriers(const Stmt& s) {
  Stmt out = s;
  std::visit(Cases{[](Block& b) {
                     std::erase_if(b.statements, [](const Stmt& x) { return std::holds_alternative<Barrier>(x.node); });
                     for (Stmt& x : b.statements) x = without_barriers(x);
                   },
                   [](Declare&) {}, [](Assign&) {}, [](Store&) {}, [](kernel::Atomic&) {},
                   [](For& f) { f.body = without_barriers(*f.body); }, [](Allocate&) {},
                   [](ParallelFor& p) { p.body = without_barriers(*p.body); },
                   [](If& i) {
                     i.then = without_barriers(*i.then);
                     i.otherwise = without_barriers(*i.otherwise);
                   },
                   [](While& w) { w.body = without_barriers(*w.body); }, [](Check&) {}, [](Barrier&) {},
                   [](Comment&) {}, [](Shuffle&) {}},
             out.node);
  return out;
}

const std::string block_sums =
    "fun f [n] (xs : [n]f32) : [n/8] f32 where n % 8 == 0 = split 8 xs |> mapWorkgroup (\\block -> split 2 block |> "
    "toLocal (mapLocal (\\c -> reduceSeq (+) 0 c)) |> reduceSeq (+) 0)";

props::OrdersTried sums_tried(const Program& p, const std::vector<double>& expected, bool explore = false) {
  std::vector<Scalar> xs;
  for (int i = 0; i < 16; ++i) xs.push_back(make_ieee(ScalarType::F32, i));
  props::OrdersOptions how;
  how.explore = explore;
  return props::try_orders(p, {{"n", 16}}, {{p.inputs[0].name, xs}}, how,
                           [&](const Result& r) -> std::optional<std::string> {
                             if (!r) return std::get<Fault>(r.error()).message;
                             const auto& sums = r->at(p.outputs[0].name);
                             for (std::size_t k = 0; k < sums.size(); ++k)
                               if (sums[k].ieee() != expected[k])
                                 return "sum " + std::to_string(k) + " is " + std::to_string(sums[k].ieee());
                             return {};
                           });
}

}  // namespace

TEST_CASE("a translated block sum is right in every order, and without its barriers it races") {
  const Program right = gpu_kernel(block_sums);
  const auto tried = sums_tried(right, {28, 92}, true);
  CHECK(tried.wrong.value_or("") == "");
  CHECK(tried.every);
  CHECK(tried.runs == std::size(all_interleavings) + 1);
  Program wrong = right;
  wrong.body = without_barriers(right.body);
  REQUIRE_FALSE(wrong == right);
  const auto found = sums_tried(wrong, {28, 92});
  REQUIRE(found.wrong);
  CHECK_THAT(*found.wrong, Contains("no barrier between them"));
}

namespace {

// Where `what` first stands in the only line of a .dpia program.
std::string position_in(const std::string& text, const std::string& what) {
  REQUIRE(text.find(what) != std::string::npos);
  return "test.dpia:1:" + std::to_string(text.find(what) + 1);
}
Fault race_in(const Program& p, const Buffers& inputs) {
  RunOptions o;
  o.detect_races = true;
  const auto r = run(p, {{"n", 2}}, inputs, ieee_domain(), o);
  const Fault f = fault_of(r);
  CHECK(f.kind == FaultKind::Race);
  return f;
}

}  // namespace

TEST_CASE("a race in a translated program names both accesses by their positions in the .dpia text") {
  const std::string text =
      "fun main [n] (xs : [4*n]i32) : [4*n]i32 = xs |> split 4 |> mapWorkgroup (\\b -> let c = toLocal (mapLocal "
      "(\\x -> x + 1)) b in mapLocal (\\y -> y * 2) (reverse c)) |> join";
  Program wrong = gpu_kernel(text);
  wrong.body = without_barriers(wrong.body);
  const Buffers inputs = {{wrong.inputs[0].name, std::vector<Scalar>(8, make_integer(ScalarType::I32, 1))}};
  // What writes the block's array, and what reads it on the other side of the barrier.
  const std::string written = position_in(text, "x + 1"), read = position_in(text, "c)) |> join");
  const auto names_both = [&](const Fault& f) {
    CHECK_THAT(f.message, Contains("(" + written + ")") && Contains("(" + read + ")"));
  };
  names_both(race_in(wrong, inputs));
  for (const Interleaving order : all_interleavings)
    names_both(fault_of(run_interleaved(wrong, {{"n", 2}}, inputs, ieee_domain(), in_order(order))));
}

TEST_CASE("reads outside and of what was not written name their position in the .dpia text") {
  const std::string text =
      "fun main [n] (xs : [n]i32) : [n]i32 = let c = toGlobal (map (\\x -> x + 1)) xs in map (\\y -> y * 2) (reverse "
      "c)";
  const Program right = gpu_kernel(text);
  const Buffers inputs = {{right.inputs[0].name, std::vector<Scalar>(2, make_integer(ScalarType::I32, 1))}};
  const std::string read = position_in(text, "c)");
  const auto both = [&](const Program& p) {
    const auto one = run(p, {{"n", 2}}, inputs, ieee_domain());
    const auto other = run_interleaved(p, {{"n", 2}}, inputs, ieee_domain(), in_order(Interleaving::Turns));
    return std::vector<std::string>{fault_of(one).message, fault_of(other).message};
  };
  const auto is_read_of_c = [](const Expr& e) {
    const auto* l = std::get_if<Load>(&e.node);
    return l && l->buffer.starts_with("tmp");
  };
  Program outside = right, unwritten = right;
  outside.body = rewritten(right.body, ExprChange([&](const Expr& e) {
                             if (!is_read_of_c(e)) return e;
                             const Load& l = std::get<Load>(e.node);
                             return Expr{e.type, Load{l.buffer, arith(ArithOp::Add, *l.index, constant(7))}, e.region};
                           }));
  unwritten.body = rewritten(right.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                               const auto* t = std::get_if<Store>(&s.node);
                               if (t && t->buffer.starts_with("tmp")) return {};
                               return {s};
                             }));
  for (const std::string& message : both(outside))
    CHECK_THAT(message, Contains("is read (" + read + "), which is outside"));
  for (const std::string& message : both(unwritten)) CHECK_THAT(message, Contains("is read (" + read + ") before it"));
}

TEST_CASE("a result that is not the expected one names the order it was found in") {
  const auto found = sums_tried(gpu_kernel(block_sums), {28, 93});
  REQUIRE(found.wrong);
  CHECK_THAT(*found.wrong, Contains("sum 1 is 92") && Contains(":"));
}

}  // namespace schedules_test
