// Races: of two different iterations of a parallel loop one writes nothing that the other touches; of the threads of a
// block nothing between two barriers (semantics/kernel/machine.h). In: the accesses; out: one obligation for each
// parallel loop and place outside it that it writes, and for each block and place that its threads share.
#include <algorithm>

#include "proofs/kernel/parts.h"

namespace lockstep::proofs::kernels {
namespace {

std::size_t common_loops(const Access& x, const Access& y) {
  const auto& a = x.where.loops;
  const auto& b = y.where.loops;
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// What y's names are called in an iteration of its own.
std::function<std::string(const std::string&)> apart_from(const Accesses& a, const std::vector<int>& differing) {
  return [&a, differing](const std::string& n) {
    const auto it = a.symbols.find(n);
    if (it == a.symbols.end()) return n;
    for (int l : differing)
      if (has(it->second, l)) return other_iterations(n);
    return n;
  };
}

struct Posed {  // a meeting as a question
  Known known;
  Term x, y;
  std::function<std::string(const std::string&)> other;
};

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
    if (m.order == Meeting::Order::Before) out.known.facts.push_back(less(x, y));
    if (m.order == Meeting::Order::Next) out.known.facts.push_back(equal(y, add(x, number(1))));
  }
  if (m.x_local >= 0 && m.y_local >= 0) {
    const std::string l = a.loops[static_cast<std::size_t>(m.x_local)].symbol;
    const std::string k = out.other(a.loops[static_cast<std::size_t>(m.y_local)].symbol);
    out.known.facts.push_back(negation(equal(named(l), named(k))));
  }
  if (m.not_first) {
    const std::string l = m.x_local >= 0 ? a.loops[static_cast<std::size_t>(m.x_local)].symbol
                                         : out.other(a.loops[static_cast<std::size_t>(m.y_local)].symbol);
    out.known.facts.push_back(less(number(0), named(l)));
  }
  return out;
}

bool related(const Meeting& m, std::int64_t x, std::int64_t y) {
  switch (m.order) {
    case Meeting::Order::Different:
      return x != y;
    case Meeting::Order::Before:
      return x < y;
    case Meeting::Order::Next:
      return y == x + 1;
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

// Whether a barrier stands between the two, of which x comes first; nothing where that hangs on data.
std::optional<bool> barrier_parts(const Accesses& a, const Meeting& m, const SizeValues& vx, const SizeValues& vy,
                                  std::size_t& budget, std::optional<std::int64_t> inputs) {
  SizeValues block = size_values(a, vx);
  for (int l : m.x->where.loops) {
    const std::string& i = a.loops[static_cast<std::size_t>(l)].symbol;
    if (const auto it = vx.find(i); it != vx.end()) block[i] = it->second;
    if (l == m.block) break;
  }
  bool on_data = false;
  for (const BarrierAt& b : a.barriers) {
    if (!has(b.where.loops, m.block)) continue;
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
    const auto parted = m.block < 0 ? std::optional(false) : barrier_parts(a, m, vx, vy, budget, inputs);
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
  const auto symbol = [&](int l) { return a.loops[static_cast<std::size_t>(l)].symbol; };
  const std::string differing = m.order == Meeting::Order::Together ? "" : symbol(m.x->where.loops.at(m.common));
  const bool threads = m.x_local >= 0 && m.y_local >= 0;
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
        if (!differing.empty() && !related(m, vx.at(differing), vy.at(differing))) return false;
        if (m.not_first && (m.x_local >= 0 ? vx.at(symbol(m.x_local)) : vy.at(symbol(m.y_local))) == 0) return false;
        if (threads && vx.at(symbol(m.x_local)) == vy.at(symbol(m.y_local))) return false;
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
  const auto inputs = inputs_that_meet(a, m, vx, vy, budget);
  if (!inputs) return {};
  return Counterexample{show_values(vx) + ": " + shown_apart(a, m) + " meet" + *inputs, program_sizes(a, vx)};
}

bool on_data(const Access& x) {
  if (mentions_data(x.index)) return true;
  return x.where.guards.any_of([](const Guard& g) { return mentions_data(*g.condition); });
}

}  // namespace

// Where the accesses stand.
static std::vector<Region> places_of(const std::vector<const Access*>& xs) {
  std::vector<Region> out;
  for (const Access* x : xs) out.push_back(x->from);
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
          if (!x->write || (y->write && y < x) || o.standing == Standing::Refuted) continue;
          const auto depth = static_cast<std::size_t>(std::find(x->where.loops.begin(), x->where.loops.end(), f.id) -
                                                      x->where.loops.begin());
          add_to(o, meeting_verdict(a, {x, y, depth, Meeting::Order::Different}, prover));
        }
      o.seconds = clock.seconds();
      out.push_back(std::move(o));
    }
  }
  return out;
}

// ------------------------------------------------------------------------------------------------------ blocks
namespace {

class BlockRaces {
 public:
  BlockRaces(const Accesses& a, int block, Prover& prover) : a_(a), block_(block), prover_(prover) {}

  Obligations run() {
    std::map<int, std::vector<const Access*>> shared;
    for (const Access& x : a_.accesses)
      if (has(x.where.loops, block_) && local_of(a_.places[static_cast<std::size_t>(x.place)].loops) < 0)
        shared[x.place].push_back(&x);
    Obligations out;
    for (const auto& [place, xs] : shared) {
      const auto written = std::any_of(xs.begin(), xs.end(), [](const Access* x) { return x->write; });
      // All threads run what is between local loops, so that a store there is read by the others too.
      const auto by_several = std::any_of(xs.begin(), xs.end(), [&](const Access* x) {
        return local_of(x->where.loops) >= 0 || x->where.first_thread;
      });
      if (!written || !by_several) continue;
      const Clock clock;
      ProgramObligation o{ObligationKind::Races,
                          a_.places[static_cast<std::size_t>(place)].name + " between barriers of " + loop(block_).text,
                          show_loops(a_, xs[0]->where),
                          Standing::Proved,
                          {},
                          0,
                          "",
                          places_of(xs),
                          loop(block_).body,
                          true};
      for (const Access* x : xs)
        for (const Access* y : xs)
          if ((x->write || y->write) && o.standing != Standing::Refuted) pair(*x, *y, o);
      if (o.method.way == Method::None) o.method = {Method::Structure};
      o.seconds = clock.seconds();
      out.push_back(std::move(o));
    }
    return out;
  }

 private:
  const LoopFrame& loop(int l) const { return a_.loops[static_cast<std::size_t>(l)]; }
  int local_of(const std::vector<int>& loops) const {
    for (int l : loops)
      if (loop(l).level == Level::Local) return l;
    return -1;
  }
  std::size_t depth_of_block(const Access& x) const {
    return static_cast<std::size_t>(std::find(x.where.loops.begin(), x.where.loops.end(), block_) -
                                    x.where.loops.begin());
  }

  // x is reached first; y later, in the same iteration of the block.
  void pair(const Access& x, const Access& y, ProgramObligation& o) {
    const int lx = local_of(x.where.loops), ly = local_of(y.where.loops);
    const bool fx = x.where.first_thread, fy = y.where.first_thread;
    if (lx < 0 && ly < 0 && fx == fy) return;  // the same code in every thread, or the same thread
    const Place& p = a_.places[static_cast<std::size_t>(x.place)];
    const bool own_copies = (p.variable || p.space == Space::Private) && has(p.loops, block_);
    // A thread writes its copy where all read theirs: no barrier mends that. What all write, all have written.
    if (own_copies && ((lx < 0 && x.write) || (ly < 0 && y.write) || (lx < 0 && ly < 0))) return;
    const bool not_first = (fx && ly >= 0) || (fy && lx >= 0);
    const std::size_t common = common_loops(x, y), first = depth_of_block(x) + 1;
    // Sequential loops of the block around both, at different iterations.
    for (std::size_t k = first; k < common; ++k) {
      if (loop(x.where.loops[k]).level == Level::Local) break;
      if (!own_copies && barrier_around(x, y, k)) continue;
      const bool some = !own_copies && barrier_in(x, k);
      meet(Meeting{&x, &y, k, some ? Meeting::Order::Next : Meeting::Order::Before, lx, ly, not_first, block_}, o);
    }
    if (lx == ly && lx >= 0) return;  // the same local loop in the same iteration: its own obligation
    if (x.where.at > y.where.at) return;
    if (own_copies || !barrier_between(x, y, common))
      meet(Meeting{&x, &y, common, Meeting::Order::Together, lx, ly, not_first, block_}, o);
  }

  void meet(const Meeting& m, ProgramObligation& o) {
    // One thread's accesses to a place in two rounds of a loop are in order: only two threads can race.
    add_to(o, meeting_verdict(a_, m, prover_));
  }

  static bool prefix(const std::vector<int>& p, const std::vector<int>& xs) {
    return p.size() <= xs.size() && std::equal(p.begin(), p.end(), xs.begin());
  }
  // In the outermost `from` or more of the loops around the access, and under no condition that it is not under itself:
  // an iteration that comes to the access comes to the barrier.
  static bool beside(const BarrierAt& b, const Access& access, std::size_t from) {
    return b.where.loops.size() >= from && prefix(b.where.loops, access.where.loops) &&
           prefix(b.where.branches, access.where.branches);
  }
  static bool before(const BarrierAt& b, const Access& access, std::size_t from) {
    return b.where.at < access.where.at && beside(b, access, from);
  }
  // The condition of a while loop is read once more than its body runs, so that the last time nothing is behind it.
  bool behind(const BarrierAt& b, const Access& access, std::size_t from) const {
    return b.where.at > access.where.at && beside(b, access, from) &&
           std::none_of(b.where.loops.begin() + static_cast<std::ptrdiff_t>(from), b.where.loops.end(),
                        [&](int l) { return loop(l).kind == LoopFrame::Kind::While; });
  }
  static std::vector<int> outer(const Access& x, std::size_t n) {
    return {x.where.loops.begin(), x.where.loops.begin() + static_cast<std::ptrdiff_t>(n)};
  }

  bool barrier_between(const Access& x, const Access& y, std::size_t common) const {
    return std::any_of(a_.barriers.begin(), a_.barriers.end(), [&](const BarrierAt& b) {
      return b.where.at > x.where.at && b.where.at < y.where.at && (behind(b, x, common) || before(b, y, common));
    });
  }
  // After x in its round of loop k, or before y in a later one.
  bool barrier_around(const Access& x, const Access& y, std::size_t k) const {
    return std::any_of(a_.barriers.begin(), a_.barriers.end(),
                       [&](const BarrierAt& b) { return behind(b, x, k + 1) || before(b, y, k + 1); });
  }
  bool barrier_in(const Access& x, std::size_t k) const {
    return std::any_of(a_.barriers.begin(), a_.barriers.end(), [&](const BarrierAt& b) {
      return b.where.loops == outer(x, k + 1) && b.where.branches.empty();
    });
  }

  const Accesses& a_;
  const int block_;
  Prover& prover_;
};

}  // namespace

Obligations block_obligations(const Accesses& a, Prover& prover) {
  Obligations out;
  for (const LoopFrame& f : a.loops)
    if (f.level == Level::Workgroup)
      for (ProgramObligation& o : BlockRaces(a, f.id, prover).run()) out.push_back(std::move(o));
  return out;
}

}  // namespace lockstep::proofs::kernels
