// update: what it gives, what it writes, and that an array of one owner is written in its place.
#include <catch2/catch.hpp>

#include "proofs/kernel/obligations.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace updates_test {
using namespace lockstep;

namespace {

DpiaTrace trace_of(const std::string& text, Machine machine = Machine::Cpu) {
  return dpia_trace(test::entry(text), standard_calculus(), machine, true);
}
std::size_t allocations(const kernel::Program& p) {
  std::size_t n = 0;
  each_statement(p.body, [&](const kernel::Stmt& s) { n += std::holds_alternative<kernel::Allocate>(s.node); });
  return n;
}
// Loops that are not around the update's own.
std::size_t loops(const kernel::Program& p) {
  std::size_t n = 0;
  each_statement(p.body, [&](const kernel::Stmt& s) {
    n += std::holds_alternative<kernel::For>(s.node) + std::holds_alternative<kernel::ParallelFor>(s.node);
  });
  return n;
}
// Before rows are copied in two ways, of which a run takes one.
const kernel::Program& copying(const DpiaTrace& trace) { return trace.after("read-once")->as<kernel::Program>(); }
void proves_all(const DpiaTrace& trace) {
  for (const auto& m : proofs::kernels::program_obligations({trace}))
    for (const auto& o : m.obligations) {
      INFO(o.name << ": " << o.detail);
      CHECK(o.standing == Standing::Proved);
    }
}

const char* const running_sums =
    "fun f [n] (xs : [n]f64) : [n]f64 =\n"
    "  reduceSeq (\\i a -> update a i (a ! i + (if i > 0 then a ! (i - 1) else 0))) xs (iota n)\n";

}  // namespace

TEST_CASE("an update of a loop's own array writes its element, allocates nothing and copies nothing") {
  const DpiaTrace trace = trace_of(running_sums);
  INFO(print(trace.kernel()));
  CHECK(allocations(trace.kernel()) == 0);  // the result is the array's place
  // what it begins with is copied, once; before the first element is apart
  CHECK(loops(trace.after("swaps")->as<kernel::Program>()) == 2);
  proves_all(trace);
}

TEST_CASE("an update of a row of a loop's own matrix writes its element") {
  const DpiaTrace trace = trace_of(
      "fun f [n] (xs : [n][n]f64) : [n][n]f64 =\n"
      "  reduceSeq (\\i a -> update a i (update (a ! i) i (a ! i ! i * 2))) xs (iota n)\n");
  INFO(print(trace.kernel()));
  CHECK(allocations(trace.kernel()) == 0);
  CHECK(loops(trace.kernel()) == 3);
  proves_all(trace);
}

TEST_CASE("an array that is read after its update is kept beside it") {
  const DpiaTrace trace = trace_of(
      "fun f [n] (xs : [n]f64) : [n]f64 where n >= 1 =\n"
      "  reduceSeq (\\i a -> let b = update a i 0 in update b 0 (a ! i + b ! i)) xs (iota n)\n");
  INFO(print(trace.kernel()));
  CHECK(allocations(trace.kernel()) > 0);
  CHECK(loops(trace.kernel()) > 2);
}

TEST_CASE("another row than the one that is replaced is copied") {
  const DpiaTrace trace =
      trace_of("fun f [n] (xs : [n][n]f64) (i j : i64) : [n][n]f64 = update xs i (update (xs ! j) i 0)\n");
  INFO(print(copying(trace)));
  CHECK(loops(copying(trace)) == 3);
  const DpiaTrace same =
      trace_of("fun f [n] (xs : [n][n]f64) (i j : i64) : [n][n]f64 = update xs i (update (xs ! i) j 0)\n");
  INFO(print(copying(same)));
  CHECK(loops(copying(same)) == 2);
}

}  // namespace updates_test
