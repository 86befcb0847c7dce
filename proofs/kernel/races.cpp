// Races: of two different iterations of a parallel loop one writes nothing that the other touches (semantics/kernel/
// machine.h); and whether two accesses meet, for these and for group_races. In: the accesses; out: one obligation for
// each parallel loop and place outside it that it writes.
#include <algorithm>

#include "proofs/kernel/parts.h"

namespace lockstep::proofs::kernels {
namespace {

struct Posed {  // a meeting as a question
  Known known;
  Term x, y;
  std::function<std::string(const std::string&)> other;
};

// That the two are not the same thread, as far as their iterations say it; nothing where one of them is every thread,
// where loops are dealt out to other numbers of threads, or where a thread of the block and a lane of a warp meet:
// which thread that lane is, the launch decides.
std::optional<Term> different_threads(const Runner& x, const Runner& y,
                                      const std::function<Term(int loop, bool of_y)>& variable,
                                      const std::function<bool(int, int)>& dealt_alike) {
  const auto one = [](const Runner& r) { return r.first || r.local >= 0; };
  const auto of_warp = [](const Runner& r) { return r.warp >= 0 || r.first; };
  const bool warps = x.warp >= 0 || y.warp >= 0;
  if (!dealt_alike(x.warp, y.warp) || !dealt_alike(x.local, y.local)) return {};
  if (!one(x) || !one(y) || (warps && !(of_warp(x) && of_warp(y)))) return {};
  if (!warps && x.first) return less(number(0), variable(y.local, true));
  if (!warps && y.first) return less(number(0), variable(x.local, false));
  const auto same = [&](int lx, int ly) {
    return equal(lx < 0 ? number(0) : variable(lx, false), ly < 0 ? number(0) : variable(ly, true));
  };
  const Term lanes = same(x.local, y.local);
  return negation(warps ? both(same(x.warp, y.warp), lanes) : lanes);
}

Posed pose(const Accesses& a, const Meeting& m) {
  const bool differ = m.order != Meeting::Order::Together;
  std::vector<int> own;
  if (differ) own.push_back(m.x->where.loops.at(m.common));
  Posed out{known_at(a, m.x->where), m.x->index, m.y->index, apart_from(a, own)};
  out.known = joined(out.known, rename(known_at(a, m.y->where), out.other));
  out.y = rename(m.y->index, out.other);
  if (differ) {
    const std::string i = a.loops[static_cast<std::size_t>(own[0])].symbol;
    const Term x = named(i), y = named(other_iterations(i));
    if (m.order == Meeting::Order::Different) out.known.facts.push_back(negation(equal(x, y)));
    const auto& units = a.loops[static_cast<std::size_t>(own[0])].units;
    if (m.order == Meeting::Order::Before)
      out.known.facts.push_back(units ? less_equal(add(x, *units), y) : less(x, y));
    if (m.order == Meeting::Order::Next) out.known.facts.push_back(equal(y, add(x, units ? *units : number(1))));
  }
  if (m.group < 0) return out;
  const auto variable = [&](int l, bool of_y) {
    const std::string& i = a.loops[static_cast<std::size_t>(l)].symbol;
    return named(of_y ? out.other(i) : i);
  };
  // Iteration 0 is the first unit's, of however many there are.
  const auto dealt_alike = [&](int l, int k) {
    return l < 0 || k < 0 || a.loops[static_cast<std::size_t>(l)].units == a.loops[static_cast<std::size_t>(k)].units;
  };
  if (auto apart = different_threads(runner_of(a, *m.x, m.group), runner_of(a, *m.y, m.group), variable, dealt_alike))
    out.known.facts.push_back(std::move(*apart));
  return out;
}

// The thread of the group where an iteration of a loop has a thread of its own; nothing where it is every one.
struct Thread {
  std::optional<std::int64_t> warp, lane;
};
Thread thread_of(const Accesses& a, const Runner& r, bool of_block, const SizeValues& v) {
  const auto at = [&](int l) {
    const LoopFrame& f = a.loops[static_cast<std::size_t>(l)];
    return unit_of(f, v).value_or(v.at(f.symbol));
  };
  Thread out;
  if (r.first) out = {0, 0};
  if (r.warp >= 0) out.warp = at(r.warp);
  if (r.local < 0) return out;
  const bool of_warp = r.warp >= 0 || !of_block;
  return of_warp ? Thread{r.warp >= 0 ? at(r.warp) : 0, at(r.local) % a.warp}
                 : Thread{at(r.local) / a.warp, at(r.local) % a.warp};
}

// Whose iterations the two are in differ; none where they do not.
const LoopFrame* differing_loop(const Accesses& a, const Meeting& m) {
  const bool together = m.order == Meeting::Order::Together;
  return together ? nullptr : &a.loops[static_cast<std::size_t>(m.x->where.loops.at(m.common))];
}
bool related(const Meeting& m, const LoopFrame& frame, const SizeValues& vx, const SizeValues& vy) {
  const std::int64_t x = vx.at(frame.symbol), y = vy.at(frame.symbol);
  const auto unit_x = unit_of(frame, vx), unit_y = unit_of(frame, vy);
  switch (m.order) {
    case Meeting::Order::Different:
      return unit_x && unit_y && *unit_x != *unit_y;
    case Meeting::Order::Before:
      return x < y && (!frame.units || (unit_x && unit_x == unit_y));
    case Meeting::Order::Next:
      return y == x + (frame.units ? evaluate(*frame.units, vx).value_or(0) : 1);
    case Meeting::Order::Together:
      return true;
  }
  throw Bug("order of a meeting");
}

std::string shown(const Accesses& a, const Access& x, std::int64_t at) {
  const Place& p = a.places[static_cast<std::size_t>(x.place)];
  return std::string(x.write ? "writes " : "reads ") + p.name + (p.variable ? "" : "[" + std::to_string(at) + "]") +
         in_parentheses(x.from);
}

std::string shown_apart(const Accesses& a, const Meeting& m) {
  const auto one = [&](const Access& x) {
    return show_access(a, x) + (x.write ? " (write)" : " (read)") + in_parentheses(x.from);
  };
  return one(*m.x) + " and " + one(*m.y);
}

bool one_thread(const Accesses& a, const Meeting& m, const SizeValues& vx, const SizeValues& vy) {
  if (m.group < 0) return false;
  const bool of_block = a.loops[static_cast<std::size_t>(m.group)].level == Level::Workgroup;
  const Thread x = thread_of(a, runner_of(a, *m.x, m.group), of_block, vx),
               y = thread_of(a, runner_of(a, *m.y, m.group), of_block, vy);
  return x.lane && y.lane && x.lane == y.lane && x.warp == y.warp;
}

// Whether a barrier stands between the two, of which x comes first; nothing where that hangs on data. One of a warp may
// part two of its lanes.
std::optional<bool> barrier_parts(const Accesses& a, const Meeting& m, const SizeValues& vx, const SizeValues& vy,
                                  std::size_t& budget, std::optional<std::int64_t> inputs) {
  SizeValues block = size_values(a, vx);
  for (int l : m.x->where.loops) {
    const std::string& i = a.loops[static_cast<std::size_t>(l)].symbol;
    if (const auto it = vx.find(i); it != vx.end()) block[i] = it->second;
    if (l == m.group) break;
  }
  bool on_data = false;
  for (const BarrierAt& b : a.barriers) {
    if (!has(b.where.loops, m.group)) continue;
    const auto between = [&](bool possibly) {
      return each_instance(
          a, b.where, block, possibly, budget,
          [&](const SizeValues& v) {
            return may_precede(a, m.x->where, vx, b.where, v) && may_precede(a, b.where, v, m.y->where, vy);
          },
          inputs);
    };
    if (between(false) == true) return true;
    on_data = on_data || between(true) != false;
  }
  return on_data ? std::nullopt : std::optional(false);
}

// What to say of the inputs where both are reached, and meet.
std::optional<std::string> inputs_that_meet(const Accesses& a, const Meeting& m, const SizeValues& vx,
                                            const SizeValues& vy, std::size_t& budget) {
  return with_inputs(a, vx, [&](const std::optional<std::int64_t>& inputs) -> std::optional<bool> {
    const auto parted = m.group < 0 ? std::optional(false) : barrier_parts(a, m, vx, vy, budget, inputs);
    const auto x = reached(a, m.x->where, vx, budget, inputs), y = reached(a, m.y->where, vy, budget, inputs);
    if (parted == true || x == false || y == false) return false;
    return parted && x && y ? std::optional(true) : std::nullopt;
  });
}

// Two instances that meet, at sizes as small as there are.
std::optional<Counterexample> counterexample(const Accesses& a, const Meeting& m) {
  std::size_t budget = search_budget;
  std::vector<std::string> shared;
  for (std::size_t k = 0; k < m.common; ++k)
    shared.push_back(a.loops[static_cast<std::size_t>(m.x->where.loops[k])].symbol);
  const LoopFrame* const differing = differing_loop(a, m);
  std::optional<Counterexample> found;
  for (const SizeValues& sizes : small_sizes_of(a)) {
    each_instance(a, m.x->where, sizes, false, budget, [&](const SizeValues& vx) {
      const auto ix = evaluate(m.x->index, vx);
      if (!ix) return false;
      SizeValues fixed = sizes;
      for (const std::string& s : shared) fixed[s] = vx.at(s);
      each_instance(a, m.y->where, fixed, false, budget, [&](const SizeValues& vy) {
        const auto iy = evaluate(m.y->index, vy);
        if (!iy || *ix + m.x->width <= *iy || *iy + m.y->width <= *ix) return false;
        if (differing && !related(m, *differing, vx, vy)) return false;
        if (one_thread(a, m, vx, vy)) return false;
        if (const auto inputs = inputs_that_meet(a, m, vx, vy, budget))
          found = Counterexample{show_values(vx) + " " + shown(a, *m.x, *ix) + "; " + show_values(vy) + " " +
                                     shown(a, *m.y, *iy) + *inputs,
                                 program_sizes(a, sizes)};
        return found.has_value();
      });
      return found.has_value();
    });
    if (found) return found;
    if (budget == 0) break;
  }
  return {};
}

// Of the solver's.
std::optional<Counterexample> counterexample(const Accesses& a, const Meeting& m, const Posed& q,
                                             const Answer& answer) {
  if (answer.kind != smt::Verdict::Refuted) return {};
  const SizeValues& vx = answer.model;
  SizeValues vy = size_values(a, vx);
  for (int l : m.y->where.loops) {
    const std::string& i = a.loops[static_cast<std::size_t>(l)].symbol;
    if (const auto it = vx.find(q.other(i)); it != vx.end()) vy[i] = it->second;
  }
  std::size_t budget = search_budget;
  const LoopFrame* const differing = differing_loop(a, m);
  // The solver may have taken two iterations of one unit.
  const bool known = differing && vx.contains(differing->symbol) && vy.contains(differing->symbol);
  if (known && !related(m, *differing, vx, vy)) return {};
  if (one_thread(a, m, vx, vy)) return {};
  const auto inputs = inputs_that_meet(a, m, vx, vy, budget);
  if (!inputs) return {};
  return Counterexample{show_values(vx) + ": " + shown_apart(a, m) + " meet" + *inputs, program_sizes(a, vx)};
}

bool on_data(const Access& x) {
  if (mentions_data(x.index)) return true;
  return x.where.guards.any_of([](const Guard& g) { return mentions_data(*g.condition); });
}

}  // namespace

std::function<std::string(const std::string&)> apart_from(const Accesses& a, const std::vector<int>& differing) {
  return [&a, differing](const std::string& n) {
    const auto it = a.symbols.find(n);
    if (it == a.symbols.end()) return n;
    for (int l : differing)
      if (has(it->second, l)) return other_iterations(n);
    return n;
  };
}

std::vector<Region> places_of(const std::vector<const Access*>& xs) {
  std::vector<Region> out;
  for (const Access* x : xs) out.push_back(x->from);
  return out;
}

Runner runner_of(const Accesses& a, const Access& x, int group) {
  Runner out{-1, -1, x.where.first_thread};
  const auto& loops = x.where.loops;
  for (auto l = std::find(loops.begin(), loops.end(), group); l != loops.end(); ++l) {
    const Level level = a.loops[static_cast<std::size_t>(*l)].level;
    if (level == Level::Local) out.local = *l;
    if (level == Level::Warp && *l != group) out.warp = *l;
  }
  return out;
}

MeetingVerdict meeting_verdict(const Accesses& a, const Meeting& m, Prover& prover) {
  const Posed q = pose(a, m);
  const Answer answer = prover.prove_apart(q.known, q.x, m.x->width, q.y, m.y->width);
  if (answer.proved()) return {Standing::Proved, answer.method, ""};
  if (const auto found = counterexample(a, m)) return refuted(*found);
  if (const auto found = counterexample(a, m, q, answer)) return refuted(*found);
  if (on_data(*m.x) || on_data(*m.y)) return {Standing::Tested, {}, "data-dependent: " + shown_apart(a, m)};
  return {Standing::Unknown, {}, "not decided: " + shown_apart(a, m)};
}

Obligations race_obligations(const Accesses& a, Prover& prover) {
  Obligations out;
  for (const LoopFrame& f : a.loops) {
    if (f.kind != LoopFrame::Kind::Parallel) continue;
    std::map<int, std::vector<const Access*>> shared;  // by place: declared outside
    for (const Access& x : a.accesses)
      if (has(x.where.loops, f.id) && !has(a.places[static_cast<std::size_t>(x.place)].loops, f.id))
        shared[x.place].push_back(&x);
    for (const auto& [place, xs] : shared) {
      if (std::none_of(xs.begin(), xs.end(), [](const Access* x) { return x->write; })) continue;
      const Clock clock;
      ProgramObligation o{ObligationKind::Races,
                          a.places[static_cast<std::size_t>(place)].name + " in " + f.text,
                          show_loops(a, xs[0]->where),
                          Standing::Proved,
                          {},
                          0,
                          "",
                          places_of(xs),
                          f.body};
      for (const Access* x : xs)
        for (const Access* y : xs) {
          if (!x->write || (y->write && y < x) || commute(*x, *y) || o.standing == Standing::Refuted) continue;
          const auto depth = static_cast<std::size_t>(std::find(x->where.loops.begin(), x->where.loops.end(), f.id) -
                                                      x->where.loops.begin());
          add_to(o, meeting_verdict(a, {x, y, depth, Meeting::Order::Different}, prover));
        }
      if (o.method.way == Method::None) o.method = {Method::Structure};  // updates by one operator
      o.seconds = clock.seconds();
      out.push_back(std::move(o));
    }
  }
  return out;
}

}  // namespace lockstep::proofs::kernels
