// The examples of FCL on a GPU, whatever the order of threads: every order up to equivalence at small sizes, in blocks
// of two warps of four threads; orders that are drawn in warps of 32 and 64, in lock step and independent. And what
// barriers do: without one threads race.
#include <catch2/catch.hpp>

#include "props/dpia/comparison.h"
#include "props/dpia/live_memory.h"
#include "props/dpia/lowered_arguments.h"
#include "props/dpia/needed_barriers.h"
#include "props/dpia/orders.h"
#include "semantics/functional/denote.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/language.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/fcl_program.h"
#include "translate/fcl/lower/lower.h"
#include "translate/fcl/pipeline.h"

namespace fcl_schedules_test {
using namespace lockstep;
using kernel::Interleaving;

namespace {

std::string numbers(int n) {
  std::string out;
  for (int k = 0; k < n; ++k) out += (k > 0 ? ", " : "[") + std::to_string((7 * k + 3) % 23 - 9);
  return n == 0 ? "[]" : out + "]";
}
std::string doubles(int n) {
  std::string out;
  for (int k = 0; k < n; ++k) out += (k > 0 ? ", " : "[") + std::to_string((7 * k + 3) % 23 - 9) + ".5";
  return out + "]";
}

// Arguments at which a block has work for all its threads, by the threads of a block.
struct Example {
  std::string file, definition;
  std::function<std::vector<std::string>(int block)> arguments;
  std::size_t barriers;      // in blocks of eight
  std::size_t not_come = 0;  // of them: in a second round of the host's loop, which small sizes do not have
};
int side_of(int block) { return block >= 64 ? 8 : block > 4 ? 3 : 2; }  // of a tile
const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"reverse", "revDistribute",
       [](int b) {
         return std::vector{std::to_string(b), numbers(2 * b)};
       },
       0},
      {"reduction", "sum", [](int b) { return std::vector{numbers(4 * b)}; }, 3},
      {"reduction_whole", "sum", [](int b) { return std::vector{numbers(b > 8 ? 2 * b : 4 * b * b)}; }, 9, 3},
      {"transpose", "transposeTiled",
       [](int b) {
         const int t = side_of(b);
         return std::vector{std::to_string(t), std::to_string(2 * t), std::to_string(t), numbers(2 * t * t)};
       },
       2},
      {"scan", "scanChunks",
       [](int b) {
         return std::vector{std::to_string(b), numbers(2 * b)};
       },
       4},
      {"matmul", "matmul",
       [](int b) {
         const int t = side_of(b);
         return std::vector{std::to_string(t), std::to_string(t), doubles(t * t), doubles(t * t)};
       },
       4},
      {"sort", "oddEven", [](int) { return std::vector{numbers(7)}; }, 0},
      {"sort", "bitonic", [](int) { return std::vector{numbers(8)}; }, 0},
  };
  return all;
}

// An example on a GPU with this launch, on its arguments, and what the source gives.
struct Case {
  InCalculus made;
  kernel::Program program, before_places;
  SizeValues sizes;
  kernel::Buffers inputs;
  Scalars expected;
};
Case case_of(const Example& example, Launch launch) {
  const fcl::Inferred source = test::fcl_program(test::fcl_example(example.file));
  fcl::Entry e{source, example.definition, {}, launch};
  for (const auto& o : fcl::scheme_of(e).types) e.instance.types.emplace(o.name, fcl::int_type);
  auto made =
      fcl::in_calculus(fcl::trace_of(e).trace.last().as<fcl::Entry>(), test::calculus(), proofs::z3_size_solver());
  REQUIRE(made);
  std::vector<Value> values;
  Leaves leaves;
  for (const std::string& a : example.arguments(launch.block)) {
    fcl::Bound seen;
    REQUIRE_FALSE(fcl::note_types(test::fcl_source(a), fcl::named_type("a"), seen));
    values.push_back(*fcl::parse_value(test::fcl_source(a), seen.at("a")));
    const auto more = leaves_from(values.back(), fcl::shaped(seen.at("a"), values.back()), {}, ieee_domain());
    REQUIRE(more);
    leaves.insert(leaves.end(), more->begin(), more->end());
  }
  const auto value = fcl::evaluate(source, example.definition, values, {.launch = launch});
  REQUIRE(value);
  const auto arguments = props::arguments_in_calculus(*made, leaves);
  INFO((arguments ? "" : arguments.error()));
  REQUIRE(arguments);
  const DpiaTrace trace = dpia_trace(made->program, test::calculus(), Machine::Gpu);
  kernel::Buffers inputs =
      kernel::buffers_of(trace.kernel(), {arguments->sizes, {}, [&] { return props::scalars_of(*arguments); }});
  return {*made,
          trace.kernel(),
          props::before_places(trace),
          arguments->sizes,
          std::move(inputs),
          flatten(*value, made->program.result, arguments->sizes)};
}

// What is wrong with an order's result; nothing: it is the source's.
std::optional<std::string> wrong(const Case& c, const tl::expected<kernel::Buffers, kernel::Stop>& result) {
  const Attempt got = kernel::attempt_of(c.program, result);
  if (!got) return got.error();
  if (!*got) return "a trap";
  for (std::size_t k = 0; k < c.expected.size(); ++k)
    for (std::size_t j = 0; j < c.expected[k].size(); ++j)
      if ((**got)[k].size() != c.expected[k].size() || (**got)[k][j].bits != c.expected[k][j].bits)
        return "element " + std::to_string(j) + " is another";
  return {};
}

kernel::Program without_barriers(kernel::Program p) {
  p.body = kernel::rewritten(p.body, kernel::StmtChange([](const kernel::Stmt& s) {
                               const bool gone = std::holds_alternative<kernel::Barrier>(s.node);
                               return gone ? std::vector<kernel::Stmt>{} : std::vector<kernel::Stmt>{s};
                             }));
  return p;
}

}  // namespace

TEST_CASE("each example has one result in all orders of two warps of four threads") {
  for (const Example& e : examples())
    for (const Launch& launch :
         {Launch{.block = 8, .warp = 4}, Launch{.block = 4, .warp = 4}, Launch{.block = 2, .warp = 1}}) {
      const Case c = case_of(e, launch);
      INFO(e.definition << " in blocks of " << launch.block);
      kernel::ExploreOptions how;
      how.most_accesses = 20000;
      const kernel::Exploration found = kernel::explore(c.program, c.sizes, c.inputs, ieee_domain(), how);
      CHECK(found.complete);
      CHECK_FALSE(found.race);
      REQUIRE(found.outcomes.size() == 1);
      CHECK(wrong(c, found.outcomes[0]).value_or("") == "");
    }
}

TEST_CASE("each example gives the same in warps of 32 and 64, in lock step and independent") {
  for (const Example& e : examples())
    for (const Launch& launch : {Launch{.block = 64, .warp = 32}, Launch{.block = 128, .warp = 64}}) {
      const Case c = case_of(e, launch);
      INFO(e.definition << " in blocks of " << launch.block);
      const auto tried =
          props::try_orders(c.program, c.sizes, c.inputs, {}, [&](const auto& result) { return wrong(c, result); });
      CHECK(tried.runs == std::size(kernel::all_interleavings));
      CHECK(tried.wrong.value_or("") == "");
    }
}

TEST_CASE("without any one of its barriers an example has a race") {
  for (const Example& e : examples()) {
    const Case c = case_of(e, {.block = 8, .warp = 4});
    const auto barriers = props::needed_barriers(c.made.program, c.program, {}, 1);
    INFO(e.definition << ": " << props::show(barriers).value_or("no barrier"));
    CHECK(barriers.size() == e.barriers);
    for (std::size_t k = 0; k + e.not_come < barriers.size(); ++k) CHECK(barriers[k].without.has_value());
  }
}

TEST_CASE("without barriers an example is wrong in some order, but not as one warp in lock step") {
  for (const Example& e : examples()) {
    if (e.barriers == 0) continue;
    INFO(e.definition);
    const Case two = case_of(e, {.block = 8, .warp = 4}), one = case_of(e, {.block = 4, .warp = 4});
    const auto in_order = [](const Case& c, Interleaving order) {
      kernel::InterleaveOptions how;
      how.order = order;
      how.detect_races = false;
      return wrong(c, kernel::run_interleaved(without_barriers(c.program), c.sizes, c.inputs, ieee_domain(), how));
    };
    bool found = false;
    for (const Interleaving order : kernel::all_interleavings) found = found || in_order(two, order);
    CHECK(found);
    CHECK(in_order(one, Interleaving::Warps).value_or("") == "");
  }
}

TEST_CASE("no block of the examples has more memory than is live at one time") {
  for (const Example& e : examples()) {
    const Case c = case_of(e, {});
    const auto live = props::live_memories(with_barriers(c.before_places));
    const auto has = kernel::block_memories(c.program);
    REQUIRE(live.size() == has.size());
    for (std::size_t k = 0; k < has.size(); ++k) {
      INFO(e.definition << ", kernel " << k + 1);
      const std::int64_t needs = props::greatest_live(live[k].between_barriers, c.sizes);
      CHECK(evaluate(*has[k].bytes(), c.sizes).value_or(0) == needs);
    }
  }
}

}  // namespace fcl_schedules_test
