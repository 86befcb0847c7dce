// Barriers that are taken out in turn (needed_barriers.h).
#include "props/dpia/needed_barriers.h"

#include <algorithm>

#include "props/dpia/generate.h"
#include "props/dpia/sizes.h"
#include "props/engine/bounds.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/language.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"

namespace lockstep::props {
namespace {

using namespace kernel;

constexpr std::size_t most_inputs = 24;
constexpr double most_scalars = 10000;
constexpr std::uint64_t most_rounds = 1000;   // of `while`
constexpr std::size_t most_in_lock_step = 4;  // inputs
constexpr double most_scalars_in_lock_step = 1500;

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

// All sizes 2, all 3 and so on, and those that campaigns draw: with 2 or more most of what is parallel has two threads,
// with 16 a loop of the host over what small blocks leave has a round.
std::vector<SizeValues> sizes_to_try(const PhraseProgram& source, std::vector<SizeValues> out, Random& random) {
  for (const std::int64_t n : {2, 3, 4, 5, 6, 7, 8, 16}) {
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
  bool drawn = false;  // its numbers
  double scalars = 0;
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
    out.push_back({sizes, std::move(buffers), true, element_count(source, sizes)});
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

bool same_buffers(const Buffers& a, const Buffers& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.first == y.first && std::equal(x.second.begin(), x.second.end(), y.second.begin(), y.second.end(),
                                            [](const Scalar& s, const Scalar& t) { return same_scalar(s, t); });
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// The largest inputs that are soon run and whose numbers are drawn, with what the kernel gives.
using Known = std::vector<std::pair<const Input*, Buffers>>;
Known known_results(const Program& right, const std::vector<Input>& inputs) {
  Known out;
  for (auto in = inputs.rbegin(); in != inputs.rend() && out.size() < most_in_lock_step; ++in) {
    if (!in->drawn || in->scalars > most_scalars_in_lock_step) continue;
    RunOptions how;
    how.while_limit = most_rounds;
    if (auto found = run(right, in->sizes, in->buffers, ieee_domain(), how)) out.emplace_back(&*in, *std::move(found));
  }
  return out;
}
// Warps in lock step that give something else.
std::optional<std::string> otherwise_in_lock_step(const Program& less, const Known& right) {
  for (const auto& [in, expected] : right)
    for (const Interleaving order : {Interleaving::Warps, Interleaving::WarpsReverse}) {
      InterleaveOptions lock_step;
      lock_step.order = order;
      lock_step.detect_races = false;
      lock_step.while_limit = most_rounds;
      const auto found = run_interleaved(less, in->sizes, in->buffers, ieee_domain(), lock_step);
      if (!found || !same_buffers(*found, expected)) return std::string(show(order));
    }
  return {};
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
  const Known right = p.launch.block > p.launch.warp ? known_results(p, inputs) : Known{};
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Program less = without(p, k);
    for (const Input& in : inputs)
      if (!out[k].without) out[k].without = race_on(less, in);
    if (out[k].without) out[k].in_lock_step = otherwise_in_lock_step(less, right);
  }
  return out;
}

std::optional<std::string> show(const std::vector<BarrierNeed>& barriers) {
  if (barriers.empty()) return {};
  std::map<std::string, int> rest;
  std::map<std::string, std::string> by_number;  // of those whose statement is of no text
  std::size_t needed = 0, in_lock_step = 0;
  for (std::size_t k = 0; k < barriers.size(); ++k) {
    const BarrierNeed& b = barriers[k];
    needed += b.without.has_value(), in_lock_step += b.in_lock_step.has_value();
    if (b.without) continue;
    const std::string whose = b.scope == Level::Warp ? "a warp's" : "a block's";
    if (b.before.source)
      ++rest[whose + " before " + show_position(b.before)];
    else
      by_number[whose] += (by_number[whose].empty() ? " number " : ", ") + std::to_string(k + 1);
  }
  const std::string all = std::to_string(barriers.size());
  const std::string with_warps =
      in_lock_step == 0
          ? ""
          : "; where warps run in lock step, another result was seen without " + std::to_string(in_lock_step);
  if (needed == barriers.size())
    return (all == "1" ? "the barrier" : "each of " + all + " barriers") +
           " is needed: without it two threads race at small sizes" + with_warps;
  std::string out;
  for (const auto& [what, times] : rest)
    out += (out.empty() ? "" : ", ") + what + (times > 1 ? " (" + std::to_string(times) + ")" : "");
  for (const auto& [whose, all_numbers] : by_number) out += (out.empty() ? "" : ", ") + whose + all_numbers;
  return std::to_string(needed) + " of " + all + " barriers are needed: without one two threads race at small sizes" +
         with_warps + "; not shown needed: " + out;
}

}  // namespace lockstep::props
