// Barriers that are taken out in turn (needed_barriers.h).
#include "props/dpia/needed_barriers.h"

#include <algorithm>

#include "props/dpia/generate.h"
#include "props/dpia/sizes.h"
#include "semantics/kernel/language.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"

namespace lockstep::props {
namespace {

using namespace kernel;

constexpr std::size_t most_inputs = 24;
constexpr double most_scalars = 10000;
constexpr std::uint64_t most_rounds = 1000;  // of `while`

Program on_one_block(const Program& p) {
  Program out = p;
  out.body = rewritten(p.body, StmtChange([](const Stmt& s) {
                         Stmt x = s;
                         if (auto* loop = std::get_if<ParallelFor>(&x.node); loop && loop->level == Level::Workgroup)
                           loop->units = constant(1);
                         return std::vector<Stmt>{std::move(x)};
                       }));
  return out;
}
// Without the k-th barrier of the text.
Program without(const Program& p, std::size_t k) {
  Program out = p;
  std::size_t seen = 0;
  out.body = rewritten(p.body, StmtChange([&](const Stmt& s) {
                         const bool gone = std::holds_alternative<Barrier>(s.node) && seen++ == k;
                         return gone ? std::vector<Stmt>{} : std::vector<Stmt>{s};
                       }));
  return out;
}

// All sizes 2, all 3 and so on, and those that campaigns draw: with 2 or more most of what is parallel has two threads.
std::vector<SizeValues> sizes_to_try(const PhraseProgram& source, std::vector<SizeValues> out, Random& random) {
  constexpr std::int64_t largest = 8;
  for (std::int64_t n = 2; n <= largest; ++n) {
    SizeValues all;
    for (const std::string& name : source.sizes) all[name] = n;
    out.push_back(all);
  }
  for (SizeValues& drawn : small_sizes(source, most_inputs, random)) out.push_back(std::move(drawn));
  std::erase_if(out, [&](const SizeValues& s) { return !fits(source, s) || element_count(source, s) > most_scalars; });
  std::stable_sort(out.begin(), out.end(), [&](const SizeValues& a, const SizeValues& b) {
    return element_count(source, a) < element_count(source, b);
  });
  return out;
}

struct Input {
  SizeValues sizes;
  Buffers buffers;
};
// With one number for all integers but indices: drawn ones are seldom places of a small array, where threads meet.
Buffers holding(const Program& p, Buffers buffers, std::uint64_t n) {
  for (const Buffer& b : p.inputs)
    if (!b.below && is_integer(b.type.scalar))
      for (Scalar& x : buffers.at(b.name)) x = make_integer(b.type.scalar, n);
  return buffers;
}

std::vector<Input> inputs_to_try(const PhraseProgram& source, const Program& p, std::vector<SizeValues> given,
                                 std::uint64_t seed) {
  Random random(seed);
  std::vector<Input> out;
  for (SizeValues& sizes : sizes_to_try(source, std::move(given), random)) {
    const std::vector<Value> arguments = random_arguments(source, sizes, random);
    Buffers buffers = buffers_of(p, {sizes, {}, [&] { return leaves_of_arguments(source, arguments, sizes); }});
    for (const std::uint64_t n : {0, 1}) out.push_back({sizes, holding(p, buffers, n)});
    out.push_back({std::move(sizes), std::move(buffers)});
  }
  return out;
}

std::optional<std::string> race_on(const Program& p, const Input& in) {
  RunOptions how;
  how.detect_races = true;
  how.while_limit = most_rounds;
  const auto result = run(p, in.sizes, in.buffers, ieee_domain(), how);
  const auto* fault = result ? nullptr : std::get_if<Fault>(&result.error());
  return fault && fault->kind == FaultKind::Race ? std::optional(fault->message) : std::nullopt;
}

}  // namespace

std::vector<BarrierNeed> needed_barriers(const PhraseProgram& source, const Program& kernel,
                                         std::vector<SizeValues> sizes, std::uint64_t seed) {
  std::vector<BarrierNeed> out;
  each_statement(kernel.body, [&](const Stmt& s) {
    if (const auto* b = std::get_if<Barrier>(&s.node)) out.push_back({b->scope, s.region, {}});
  });
  if (out.empty()) return out;
  const Program p = on_one_block(kernel);
  const std::vector<Input> inputs = inputs_to_try(source, p, std::move(sizes), seed);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Program less = without(p, k);
    for (const Input& in : inputs)
      if (!out[k].without) out[k].without = race_on(less, in);
  }
  return out;
}

std::optional<std::string> show(const std::vector<BarrierNeed>& barriers) {
  if (barriers.empty()) return {};
  std::map<std::string, int> rest;
  std::size_t needed = 0;
  for (const BarrierNeed& b : barriers) {
    needed += b.without.has_value();
    if (!b.without)
      ++rest[std::string(b.scope == Level::Warp ? "a warp's" : "a block's") +
             (b.before.source ? " before " + show_position(b.before) : " at the end of a loop")];
  }
  const std::string all = std::to_string(barriers.size());
  if (needed == barriers.size())
    return (all == "1" ? "the barrier" : "each of " + all + " barriers") +
           " is needed: without it two threads race at small sizes";
  std::string out = std::to_string(needed) + " of " + all +
                    " barriers are needed: without one two threads race at small sizes; not shown needed: ";
  bool first = true;
  for (const auto& [what, times] : rest) {
    out += (first ? "" : ", ") + what + (times > 1 ? " (" + std::to_string(times) + ")" : "");
    first = false;
  }
  return out;
}

}  // namespace lockstep::props
