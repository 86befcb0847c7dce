// Which barriers of a kernel are needed: what is said of kernels that have one too many.
#include "props/dpia/needed_barriers.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace needed_barriers_test {
using namespace lockstep;
using namespace lockstep::kernel;
using namespace lockstep::props;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

namespace {

const char* const reversed =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b -> mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) b)))\n"
    "  |> join\n";
// What can trap stays in the warp's memory.
const char* const in_warps =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b -> b |> split 2 |> mapWarp (\\w ->\n"
    "    mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x / (x + 1000000))) w))) |> join) |> join\n";

Program kernel_of(const PhraseProgram& source) { return dpia_trace(source, test::calculus(), Machine::Gpu).kernel(); }
// With a barrier more at the start of each block's or warp's code.
Program with_one_more(const Program& p, Level scope) {
  Program out = p;
  out.body = rewritten(p.body, StmtChange([&](const Stmt& s) {
                         Stmt x = s;
                         if (auto* loop = std::get_if<ParallelFor>(&x.node); loop && loop->level == scope)
                           loop->body = StmtRef(Stmt{Block{{Stmt{Barrier{scope}}, *loop->body}}});
                         return std::vector<Stmt>{std::move(x)};
                       }));
  return out;
}
std::size_t needed(const std::vector<BarrierNeed>& barriers) {
  return static_cast<std::size_t>(
      std::count_if(barriers.begin(), barriers.end(), [](const BarrierNeed& b) { return b.without.has_value(); }));
}

}  // namespace

TEST_CASE("a barrier is needed where two threads race without it") {
  // Of a block also between two rounds; its warps have one iteration each.
  for (const auto& [text, barriers] : {std::pair{reversed, 2}, {in_warps, 1}}) {
    const PhraseProgram source = test::entry(text);
    const auto found = needed_barriers(source, kernel_of(source), {}, 1);
    INFO(text);
    REQUIRE(found.size() == static_cast<std::size_t>(barriers));
    CHECK(needed(found) == found.size());
    CHECK_THAT(*found[0].without, Contains("tmp") && Contains("writ"));
    CHECK_THAT(*show(found), Equals((barriers == 1 ? "the barrier" : "each of 2 barriers") +
                                    std::string(" is needed: without it two threads race at small sizes")));
  }
}

TEST_CASE("with warps in lock step a barrier is needed where it parts two of them") {
  const auto in_lock_step = [](int warp) {
    PhraseProgram source = test::entry(reversed);
    source.launch = {.block = 4, .warp = warp};
    const auto found = needed_barriers(source, kernel_of(source), {}, 1);
    REQUIRE(found.size() == 2);
    CHECK(needed(found) == 2);
    return std::pair(found[0].in_lock_step && found[1].in_lock_step, *show(found));
  };
  CHECK(in_lock_step(2).first);
  CHECK_THAT(in_lock_step(2).second, Contains("where warps run in lock step, another result was seen without "));
  CHECK_FALSE(in_lock_step(4).first);
  CHECK_THAT(in_lock_step(4).second, !Contains("lock step"));
}

TEST_CASE("a barrier that parts nothing is said") {
  const PhraseProgram blocks = test::entry(reversed), warps = test::entry(in_warps);
  const auto of_block = needed_barriers(blocks, with_one_more(kernel_of(blocks), Level::Workgroup), {}, 1);
  REQUIRE(of_block.size() == 3);
  CHECK(needed(of_block) < 3);
  CHECK_THAT(*show(of_block), Contains("of 3 barriers are needed") && Contains("not shown needed: a block's"));
  const auto of_warp = needed_barriers(warps, with_one_more(kernel_of(warps), Level::Warp), {}, 1);
  REQUIRE(of_warp.size() == 2);
  CHECK(needed(of_warp) == 1);
  CHECK_THAT(*show(of_warp), Contains("not shown needed: a warp's"));
}

TEST_CASE("nothing is said of a kernel without barriers") {
  const PhraseProgram source = test::entry("fun main [n] (xs : [n]i32) : [n]i32 = mapGlobal (\\x -> x + 1) xs\n");
  CHECK(needed_barriers(source, kernel_of(source), {}, 1).empty());
  CHECK_FALSE(show(needed_barriers(source, kernel_of(source), {}, 1)));
}

TEST_CASE("blocks that need many elements are run at the sizes that are given") {
  const PhraseProgram source = test::entry(
      "fun main [n] (xs : [n]i32) : i32 where n % 1024 == 0 =\n"
      "  xs |> split 1024 |> mapWorkgroup (reduceBlock (+) 0) |> reduceSeq (+) 0\n");
  const Program p = kernel_of(source);
  CHECK(needed(needed_barriers(source, p, {{{"n", 1024}}}, 1)) == needed_barriers(source, p, {}, 1).size());
}

}  // namespace needed_barriers_test
