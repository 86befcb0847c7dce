// Lanes that go on together (run_together.h).
#include "semantics/kernel/run_together.h"

#include <algorithm>

#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"

namespace lockstep::kernel {

// ------------------------------------------------------------------------------------------------- lanes
Together::Together(Machine& m, const OwnSlots& slots, std::int64_t lanes, std::size_t context)
    : m_(m), slots_(slots), context_(context) {
  const auto part = [](const auto& all, std::size_t begin, std::size_t end) {
    return std::vector(all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  Kept start{part(m.values, slots.variable, slots.variable_end),
             part(m.defined, slots.variable, slots.variable_end),
             part(m.variables, slots.variable, slots.variable_end),
             {},
             m.live,
             m.counted.depth};
  for (std::size_t k = slots.memory; k < slots.memory_end; ++k) {
    Memory& fresh = start.memories.emplace_back();
    fresh.name = m.memories[k].name;
    fresh.replicated = m.memories[k].replicated;
  }
  kept_.assign(static_cast<std::size_t>(lanes), start);
  for (std::int64_t l = 0; l < lanes; ++l)
    kept_[static_cast<std::size_t>(l)].values[0].bits = static_cast<std::uint64_t>(l);  // the loop's variable
}

void Together::exchange(Kept& k) {
  const auto at = [](auto& all, std::size_t begin) { return all.begin() + static_cast<std::ptrdiff_t>(begin); };
  std::swap_ranges(k.values.begin(), k.values.end(), at(m_.values, slots_.variable));
  std::swap_ranges(k.defined.begin(), k.defined.end(), at(m_.defined, slots_.variable));
  std::swap_ranges(k.variables.begin(), k.variables.end(), at(m_.variables, slots_.variable));
  std::swap_ranges(k.memories.begin(), k.memories.end(), at(m_.memories, slots_.memory));
  std::swap(k.live, m_.live);
  std::swap(k.depth, m_.counted.depth);
}

void Together::go_on(std::int64_t lane) {
  if (lane == current_) return;
  if (current_ >= 0) exchange(kept_[static_cast<std::size_t>(current_)]);
  exchange(kept_[static_cast<std::size_t>(lane)]);
  current_ = lane;
  if (!m_.options.detect_races) return;
  m_.contexts[context_].who = {lane};
  m_.as_lane(lane % m_.lanes);
}

std::int64_t Together::deepest() {
  std::int64_t out = m_.counted.depth;
  for (std::int64_t l = 0; l < lanes(); ++l)
    if (l != current_) out = std::max(out, kept_[static_cast<std::size_t>(l)].depth);
  return out;
}

Step together_loop(const Dealt& d, std::vector<std::pair<std::size_t, Word>> scratch, const OwnSlots& slots,
                   TogetherStep run) {
  return [=](Machine& m) {
    const std::int64_t n = deal(d, m).extent;
    if (n <= 0) return;
    const Level around = std::exchange(m.inside, Level::Local);
    const std::int64_t live = m.live;
    const std::size_t context = m.contexts.size();
    m.running.push_back(d.at);
    m.in_context(RaceContext::Over::Iterations, d.body, [&] {
      Active all;
      m.in_order(n, [&](std::int64_t l) { all.push_back(l); });
      Together lanes(m, slots, n, context);
      for (const std::int64_t l : all) {
        lanes.go_on(l);
        for (const auto& [b, count] : scratch) m.allocate(b, signed_of(count(m)), *d.from);
      }
      run(m, lanes, all);
      m.counted.depth = lanes.deepest();
    });
    m.running.pop_back();
    m.live = live;
    m.inside = around;
    if (m.options.detect_races) m.as_all();
  };
}

// ------------------------------------------------------------------------------------------------- statements
TogetherStep TogetherCompiler::statement(const Stmt& s) {
  const Region* around = s.region.source ? around_.stand(&s.region) : nullptr;
  TogetherStep out = statement_here(s);
  if (around) around_.stand(around);
  return out;
}

TogetherStep TogetherCompiler::statement_here(const Stmt& s) {
  if (!has<Shuffle>(s))
    return [run = around_.alone(s)](Machine& m, Together& lanes, const Active& active) {
      for (const std::int64_t l : active) lanes.go_on(l), run(m);
    };
  if (const auto* b = std::get_if<Block>(&s.node)) return block(*b);
  if (const auto* f = std::get_if<For>(&s.node)) return loop(s, *f);
  if (const auto* i = std::get_if<If>(&s.node)) return conditional(s, *i);
  if (const auto* w = std::get_if<While>(&s.node)) return while_loop(s, *w);
  if (const auto* x = std::get_if<Shuffle>(&s.node)) return shuffle(s, *x);
  ill_formed("a shuffle in a parallel loop that is no warp's");
}

TogetherStep TogetherCompiler::inner(const Stmt& s) {
  const Slots around = around_.scope();
  TogetherStep out = statement(s);
  around_.leave(around);
  return out;
}

TogetherStep TogetherCompiler::block(const Block& b) {
  const Slots around = around_.scope();
  std::vector<TogetherStep> steps;
  for (const Stmt& s : b.statements) steps.push_back(statement(s));
  around_.leave(around);
  return [steps](Machine& m, Together& lanes, const Active& active) {
    std::vector<std::int64_t> live;
    for (const std::int64_t l : active) lanes.go_on(l), live.push_back(m.live);
    for (const TogetherStep& s : steps) s(m, lanes, active);
    for (std::size_t k = 0; k < active.size(); ++k) lanes.go_on(active[k]), m.live = live[k];
  };
}

namespace {

// The lanes for which it holds, and the others.
template <class Holds>
std::pair<Active, Active> parted(Together& lanes, const Active& active, Holds holds) {
  std::pair<Active, Active> out;
  for (const std::int64_t l : active) {
    lanes.go_on(l);
    (holds(l) ? out.first : out.second).push_back(l);
  }
  return out;
}

void in_branch(const Stmt& s, const TogetherStep& run, Machine& m, Together& lanes, const Active& active) {
  if (active.empty()) return;
  lanes.branches.push_back(&s);
  run(m, lanes, active);
  lanes.branches.pop_back();
}

}  // namespace

TogetherStep TogetherCompiler::loop(const Stmt& s, const For& f) {
  const Word extent = around_.word(f.extent);
  const Slots around = around_.scope();
  const std::size_t at = around_.variable(f.name, {}, true);
  const TogetherStep run = statement(*f.body);
  around_.leave(around);
  return [&s, extent, at, run](Machine& m, Together& lanes, const Active& active) {
    std::vector<std::int64_t> ends(static_cast<std::size_t>(lanes.lanes()));
    for (const std::int64_t l : active) {
      lanes.go_on(l);
      const std::int64_t n = signed_of(extent(m));
      m.require_index(false, n);
      ends[static_cast<std::size_t>(l)] = n;
    }
    m.running.push_back(at);
    Active there = active;
    for (std::int64_t i = 0; !there.empty(); ++i) {
      there = parted(lanes, there, [&](std::int64_t l) { return i < ends[static_cast<std::size_t>(l)]; }).first;
      for (const std::int64_t l : there) lanes.go_on(l), m.set_index(at, i);
      in_branch(s, run, m, lanes, there);
    }
    m.running.pop_back();
  };
}

TogetherStep TogetherCompiler::conditional(const Stmt& s, const If& i) {
  return [&s, c = around_.word(i.condition), then = inner(*i.then), otherwise = inner(*i.otherwise)](
             Machine& m, Together& lanes, const Active& active) {
    const auto [yes, no] = parted(lanes, active, [&](std::int64_t) { return c(m) != 0; });
    in_branch(s, then, m, lanes, yes);
    in_branch(s, otherwise, m, lanes, no);
  };
}

TogetherStep TogetherCompiler::while_loop(const Stmt& s, const While& w) {
  return [&s, c = around_.word(w.condition), run = inner(*w.body)](Machine& m, Together& lanes, const Active& active) {
    Active there = active;
    for (;;) {
      there = parted(lanes, there, [&](std::int64_t) { return c(m) != 0; }).first;
      if (there.empty()) return;
      m.while_steps += there.size();
      if (m.while_steps > m.options.while_limit && m.options.while_limit > 0)
        m.fault(FaultKind::Endless,
                "while loops take more than " + std::to_string(m.options.while_limit) + " iterations");
      in_branch(s, run, m, lanes, there);
    }
  };
}

TogetherStep TogetherCompiler::shuffle(const Stmt& s, const Shuffle& x) {
  const Number value = around_.number(x.value);
  const Word lane = around_.word(x.lane);
  const std::size_t at = around_.variable(x.name, x.type, false);
  return [&s, value, lane, at, width = std::int64_t{x.width}](Machine& m, Together& lanes, const Active& active) {
    std::vector<std::optional<Scalar>> given(static_cast<std::size_t>(lanes.lanes()));
    std::vector<std::int64_t> from(given.size());
    for (const std::int64_t l : active) {
      lanes.go_on(l);
      given[static_cast<std::size_t>(l)] = value(m);
      from[static_cast<std::size_t>(l)] = signed_of(lane(m));
    }
    for (const std::int64_t l : active) {
      const std::int64_t first = l / width * width, end = std::min(first + width, lanes.lanes());
      const auto missing = std::find(given.begin() + first, given.begin() + end, std::nullopt);
      if (missing == given.begin() + end) continue;
      lanes.go_on(l);
      m.fault(FaultKind::BarrierDivergence,
              "lane " + std::to_string(missing - given.begin()) + " does not come to " + head_of(s) +
                  (lanes.branches.empty() ? "" : ", in the branch " + head_of(*lanes.branches.back())) + ",",
              {s.region});
    }
    for (const std::int64_t l : active) {
      lanes.go_on(l);
      const std::int64_t first = l / width * width, end = std::min(first + width, lanes.lanes());
      const std::int64_t k = from[static_cast<std::size_t>(l)];
      if (k < 0 || k >= end - first)
        m.fault(FaultKind::OutOfBounds,
                head_of(s) + " reads lane " + std::to_string(k) +
                    (k >= 0 && k < width
                         ? ", which has exited: " + std::to_string(end - first) + " lanes of the segment run the loop"
                         : " of a segment of " + std::to_string(width)),
                {s.region});
      m.count(1);
      m.declare(at);
      m.define(at, *given[static_cast<std::size_t>(first + k)], s.region);
    }
  };
}

}  // namespace lockstep::kernel
