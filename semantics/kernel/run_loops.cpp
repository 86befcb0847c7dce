// Parallel loops as closures (run_loops.h).
#include "semantics/kernel/run_loops.h"

#include <algorithm>

namespace lockstep::kernel {

Deal deal(const Dealt& d, Machine& m) {
  const std::int64_t extent = signed_of(d.extent(m)), units = d.units ? signed_of(d.units(m)) : extent;
  if (d.units && units < 1)
    m.fault(FaultKind::BadDivision, "a parallel loop is dealt out to " + std::to_string(units) + " units", {*d.from});
  std::int64_t last = extent;
  const bool overflows = d.units && __builtin_add_overflow(extent, units, &last);
  m.require_index(overflows, last);
  return {extent, units};
}

Step parallel_loop(const Dealt& d, Unit unit) {
  return [=](Machine& m) {
    const Deal all = deal(d, m);
    std::size_t context = m.contexts.size();
    m.running.push_back(d.at);
    const std::int64_t before = m.counted.depth;
    std::int64_t deepest = before;
    m.in_context(RaceContext::Over::Iterations, d.body, [&] {
      m.in_order(std::min(all.extent, all.units), [&](std::int64_t u) {
        m.set_index(d.at, u);
        m.counted.depth = before;
        if (m.options.detect_races) m.contexts[context].who = {u};
        unit(m, {u, all.extent, all.units});
        deepest = std::max(deepest, m.counted.depth);
      });
    });
    m.counted.depth = deepest;
    m.running.pop_back();
  };
}

Unit of_block(Unit unit, const Region* body) {
  return [=](Machine& m, const Rounds& rounds) {
    m.in_context(RaceContext::Over::Threads, body, [&] {
      m.begin_block();
      unit(m, rounds);
    });
    m.inside = Level::Seq;
  };
}
Unit of_warp(Unit unit, const Region* body) {
  return [=](Machine& m, const Rounds& rounds) {
    m.in_context(RaceContext::Over::Lanes, body, [&] {
      m.begin_warp(rounds.first);
      unit(m, rounds);
    });
    m.end_warp();
  };
}

Step local_loop(const Dealt& d, Unit unit) {
  const Unit as_thread = [=](Machine& m, const Rounds& rounds) {
    if (m.options.detect_races) {
      const std::int64_t l = rounds.first, t = m.options.threads_per_block;
      if (m.warp != no_warp)
        m.as_lane(l % m.lanes);
      else
        m.as_thread(t > 0 ? l % t : l);
    }
    unit(m, rounds);
  };
  Step threads = parallel_loop(d, as_thread);
  return [=](Machine& m) {
    const Level around = std::exchange(m.inside, Level::Local);
    threads(m);
    m.inside = around;
    if (m.options.detect_races) m.as_all();
  };
}

}  // namespace lockstep::kernel
