// The stage that makes registers of a warp's arrays: the same bits as through memory, what is left of the arrays and
// barriers, what stays in memory, and what is proved of it.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "proofs/kernel/obligations.h"
#include "proofs/kernel/prover.h"
#include "props/dpia/gpu_costs.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace shuffle_stage_test {
using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

template <class Node>
std::size_t number_of(const kernel::Program& p) {
  std::size_t n = 0;
  kernel::each_statement(p.body, [&](const kernel::Stmt& s) { n += std::holds_alternative<Node>(s.node); });
  return n;
}

std::string text(const std::string& collective, std::size_t n, const std::string& type, const std::string& function,
                 const std::string& start, const std::string& launch) {
  const std::string length = std::to_string(n), result = collective.starts_with("scan") ? "[" + length + "]" : "";
  return "fun main (xs : [2][2][" + length + "]" + type + ") : [2][2]" + result + type + launch +
         " =\n  xs |> mapWorkgroup (mapWarp (\\w -> " + collective + " " + function + " " + start + " w))\n";
}

struct Kernels {
  kernel::Program in_memory, made;  // the stage's input, and the last
};
Kernels kernels_of(const std::string& program) {
  const DpiaTrace trace = dpia_trace(test::entry(program), test::calculus(), Machine::Gpu);
  return {trace.after("in-place")->as<kernel::Program>(), trace.kernel()};
}

std::vector<Scalar> numbers(ScalarType t, std::int64_t n) {
  std::vector<Scalar> out;
  for (std::int64_t i = 0; i < n; ++i)
    out.push_back(is_float(t) ? make_ieee(t, 1.0 / static_cast<double>(3 * i * i + i + 1) - 0.125)
                              : make_integer(t, static_cast<std::uint64_t>(i * i % 11 - 3)));
  return out;
}
kernel::Buffers inputs_of(const kernel::Program& p) {
  kernel::Buffers out;
  for (const kernel::Buffer& b : p.inputs) out[b.name] = numbers(b.type.scalar, *b.count.constant());
  return out;
}
std::vector<std::uint64_t> bits(const tl::expected<kernel::Buffers, kernel::Stop>& r) {
  if (const auto* f = r ? nullptr : std::get_if<kernel::Fault>(&r.error())) FAIL(f->message);
  REQUIRE(r);
  std::vector<std::uint64_t> out;
  for (const auto& [name, scalars] : *r)
    for (const Scalar& s : scalars) out.push_back(s.bits);
  return out;
}
// Through memory, and in registers: in both interpreters, in every order.
void same_bits(const Kernels& k) {
  INFO(kernel::print(k.made));
  const kernel::Buffers inputs = inputs_of(k.in_memory);
  const auto expected = bits(kernel::run(with_barriers(k.in_memory), {}, inputs, ieee_domain()));
  kernel::RunOptions how;
  how.detect_races = true;
  CHECK(kernel::check(k.made) == std::vector<std::string>{});
  CHECK(bits(kernel::run(k.made, {}, inputs, ieee_domain(), how)) == expected);
  for (const kernel::Interleaving order : {kernel::Interleaving::Random, kernel::Interleaving::Warps}) {
    kernel::InterleaveOptions o;
    o.order = order;
    o.warp = 64;  // of the hardware
    CHECK(bits(kernel::run_interleaved(k.made, {}, inputs, ieee_domain(), o)) == expected);
  }
}
void all_proved(const kernel::Program& p) {
  proofs::kernels::Prover prover;
  for (const auto& o : proofs::kernels::kernel_obligations(p, prover)) {
    INFO(kernel::print(p) << o.name << " " << o.where << " " << o.detail);
    CHECK(o.standing == Standing::Proved);
  }
}
const std::string unlike = "(\\x a -> x + 0.75f32 * a)", plain = "(+)";

}  // namespace

TEST_CASE("collectives of up to a warp's elements are registers and shuffles, with the same bits") {
  for (const std::string collective : {"reduceWarp", "scanWarp"})
    for (const std::string launch : {" block 8 warp 4", " block 64 warp 32", " block 64 warp 64"})
      for (const std::size_t n : {2, 3, 4, 7, 8, 13, 31, 32, 33, 64}) {
        INFO(collective << " of " << n << launch);
        const Kernels k = kernels_of(text(collective, n, "f32", unlike, "5", launch));
        same_bits(k);
        const std::size_t warp = static_cast<std::size_t>(k.made.launch.warp);
        if (n > warp || n < 3) continue;
        CHECK(number_of<kernel::Allocate>(k.made) == 0);
        CHECK(number_of<kernel::Barrier>(k.made) == 0);
        std::size_t levels = 0;
        for (std::size_t s = 1; s < n; s *= 2) ++levels;
        // The first level reads its operands from memory; a last element without a neighbour is read once more.
        const std::size_t shuffles = number_of<kernel::Shuffle>(k.made);
        const bool whole = (n & (n - 1)) == 0;
        if (collective == "scanWarp" || whole) CHECK(shuffles == levels - 1);
        CHECK(shuffles <= 2 * (levels - 1));
      }
}

TEST_CASE("of lanes' own results each level is one shuffle, for each component of a tuple") {
  const auto made = [](const std::string& collective, const std::string& type, const std::string& f,
                       const std::string& start, const std::string& own) {
    return kernels_of("fun main (xs : [2][2][32]" + type + ") : [2][2]" +
                      std::string(collective == "scanWarp" ? "[32]" : "") + type +
                      " block 64 warp 32 =\n  xs |> mapWorkgroup (mapWarp (\\w -> w |> mapLocal " + own + " |> " +
                      collective + " " + f + " " + start + "))\n");
  };
  for (const std::string collective : {"reduceWarp", "scanWarp"}) {
    const Kernels one = made(collective, "f32", unlike, "5", "(\\x -> x * x)");
    same_bits(one);
    CHECK(number_of<kernel::Shuffle>(one.made) == 5);
    CHECK(number_of<kernel::Allocate>(one.made) == 0);
    all_proved(one.made);
    const Kernels two = made(collective, "(f32, i32)", "(\\(x, i) (a, j) -> (x + a * 0.5, i - j))", "(1, 2)",
                             "(\\(x, i) -> (x * x, i))");
    same_bits(two);
    CHECK(number_of<kernel::Shuffle>(two.made) == 10);
    CHECK(number_of<kernel::Barrier>(two.made) == 0);
  }
}

TEST_CASE("what is proved of the rounds through memory is proved of the registers, at any number of elements") {
  for (const std::string collective : {"reduceWarp", "scanWarp"})
    for (const std::size_t n : {3, 8, 11, 32}) {
      INFO(collective << " of " << n);
      all_proved(kernels_of(text(collective, n, "i32", plain, "0", " block 64 warp 32")).made);
    }
}

TEST_CASE("the smallest warp decides, and a warp of one lane has nothing to shuffle") {
  CHECK(number_of<kernel::Shuffle>(kernels_of(text("scanWarp", 8, "i32", plain, "0", " block 48 warp 32")).made) > 0);
  CHECK(number_of<kernel::Shuffle>(kernels_of(text("scanWarp", 17, "i32", plain, "0", " block 48 warp 32")).made) == 0);
  const Kernels one = kernels_of(text("scanWarp", 8, "i32", plain, "0", " block 4 warp 1"));
  same_bits(one);
  CHECK(number_of<kernel::Shuffle>(one.made) == 0);
}

TEST_CASE("a function that can trap, and what all lanes read between the loops, stay in memory") {
  const Kernels traps = kernels_of(text("reduceWarp", 8, "i32", "(\\x a -> x / (a + 100))", "1", " block 64 warp 32"));
  same_bits(traps);
  CHECK(number_of<kernel::Shuffle>(traps.made) == 0);
  const Kernels shared = kernels_of(
      "fun main (xs : [2][2][8]f32) : [2][2][8]f32 block 64 warp 32 =\n  xs |> mapWorkgroup (mapWarp (\\w ->\n"
      "    let s = reduceWarp (+) 0 w in mapLocal (\\x -> x * s) w))\n");
  same_bits(shared);
  CHECK(number_of<kernel::Shuffle>(shared.made) > 0);
  CHECK(number_of<kernel::Allocate>(shared.made) == 1);
  CHECK(number_of<kernel::Barrier>(shared.made) == 1);
}

TEST_CASE("what lanes update atomically stays in memory, and waits for what was stored before") {  // by the campaign
  const Kernels k = kernels_of(
      "fun main (xs : [2][2][2]i32) : [2][2][2]i32 block 8 warp 4 =\n"
      "  xs |> mapWorkgroup (mapWarp (\\w -> let x = mapLocal (\\y -> 0) w in permuteLocal max w (iota 2) w))\n");
  CHECK(number_of<kernel::Atomic>(k.made) == 1);
  CHECK(number_of<kernel::Barrier>(k.made) > 0);
  same_bits(k);
}

TEST_CASE("other neighbours of a warp are registers too: a row turned round") {
  const Kernels turned = kernels_of(
      "fun main (xs : [2][2][8]i32) : [2][2][8]i32 block 64 warp 32 =\n  xs |> mapWorkgroup (mapWarp (\\w ->\n"
      "    w |> toLocal (mapLocal (\\x -> x + 1)) |> drop 1 |> pad 0 1 7 |> mapLocal (\\x -> x * 2)))\n");
  same_bits(turned);
  CHECK(number_of<kernel::Shuffle>(turned.made) == 1);
  CHECK(number_of<kernel::Barrier>(turned.made) == 0);
}

TEST_CASE("a row read from its end is shuffled, on whatever lanes its elements stand") {
  for (const std::size_t n : {2, 3, 7, 8}) {
    const std::string length = std::to_string(n);
    const Kernels turned =
        kernels_of("fun main (xs : [2][2][" + length + "]i32) : [2][2][" + length + "]i32 block 64 warp 8 =\n" +
                   "  xs |> mapWorkgroup (mapWarp (\\w ->\n"
                   "    w |> toLocal (mapLocal (\\x -> x + 1)) |> reverse |> mapLocal (\\x -> x * 2)))\n");
    same_bits(turned);
    all_proved(turned.made);
    CHECK(number_of<kernel::Shuffle>(turned.made) == 1);
    CHECK(number_of<kernel::Allocate>(turned.made) == 0);
    CHECK(number_of<kernel::Barrier>(turned.made) == 0);
    const Kernels summed = kernels_of("fun main (xs : [2][2][" + length + "]f32) : [2][2]f32 block 64 warp 8 =\n" +
                                      "  xs |> mapWorkgroup (mapWarp (\\w -> w |> mapLocal (\\x -> x * x) |> reverse\n"
                                      "    |> reduceWarp " +
                                      unlike + " 5))\n");
    same_bits(summed);
    all_proved(summed.made);
    CHECK(number_of<kernel::Allocate>(summed.made) == 0);
  }
}

TEST_CASE("the HIP text says how wide a shuffle is, and what a run counts is what its cost says") {
  const Kernels k = kernels_of(text("reduceWarp", 16, "f32", plain, "0", " block 64 warp 32"));
  const std::string hip = hip_text(hosted(k.made)).kernel;
  CHECK_THAT(hip, Contains("= (float)shuffled<8, 32>(tree_, ") &&
                      Contains("__shfl(carried(value), (int)lane, width)") && Contains("__shfl_sync("));
  const auto differences = props::gpu_cost_differences(k.made, {}, inputs_of(k.made), ieee_domain());
  REQUIRE(differences);
  CHECK(*differences == std::vector<std::string>{});
}

}  // namespace shuffle_stage_test
