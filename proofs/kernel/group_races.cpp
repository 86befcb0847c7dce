// Races of the threads of a block, or of the lanes of a warp (parts.h): what two of them touch between two barriers.
// In: the accesses; out: one obligation for each block or warp and place that its threads share.
#include <algorithm>
#include <set>

#include "proofs/kernel/parts.h"

namespace lockstep::proofs::kernels {
namespace {

// Of the threads of a block, or of the lanes of a warp: the iterations of a workgroup or a warp loop, a group each.
class GroupRaces {
 public:
  GroupRaces(const Accesses& a, int group, Prover& prover) : a_(a), group_(group), prover_(prover) {
    const Known always{{}, a.facts, {}};
    for (const LoopFrame& f : a.loops)
      if (f.kind == LoopFrame::Kind::Sequential && follows(always, less_equal(number(1), f.extent))) run_.insert(f.id);
  }

  Obligations run() {
    std::map<int, std::vector<const Access*>> shared;
    for (const Access& x : a_.accesses)
      if (has(x.where.loops, group_) && !of_part(a_.places[static_cast<std::size_t>(x.place)].loops))
        shared[x.place].push_back(&x);
    Obligations out;
    for (const auto& [place, xs] : shared) {
      const auto written = std::any_of(xs.begin(), xs.end(), [](const Access* x) { return x->write; });
      // All threads run what is between local loops, so that a store there is read by the others too.
      const auto by_several = std::any_of(xs.begin(), xs.end(), [&](const Access* x) {
        const Runner r = runner(*x);
        return r.warp >= 0 || r.local >= 0 || r.first;
      });
      if (!written || !by_several) continue;
      const Clock clock;
      ProgramObligation o{ObligationKind::Races,
                          a_.places[static_cast<std::size_t>(place)].name + " between barriers of " + loop(group_).text,
                          show_loops(a_, xs[0]->where),
                          Standing::Proved,
                          {},
                          0,
                          "",
                          places_of(xs),
                          loop(group_).body,
                          true};
      for (const Access* x : xs)
        for (const Access* y : xs)
          if ((x->write || y->write) && !commute(*x, *y) && o.standing != Standing::Refuted) pair(*x, *y, o);
      if (o.method.way == Method::None) o.method = {Method::Structure};
      o.seconds = clock.seconds();
      out.push_back(std::move(o));
    }
    return out;
  }

 private:
  const LoopFrame& loop(int l) const { return a_.loops[static_cast<std::size_t>(l)]; }
  Runner runner(const Access& x) const { return runner_of(a_, x, group_); }
  bool deals_out(int l) const { return l != group_ && (loop(l).level == Level::Warp || loop(l).level == Level::Local); }
  // Declared by one thread, or by one warp of the block: among these loops is one that deals the group's work out.
  bool of_part(const std::vector<int>& loops) const {
    const auto from = std::find(loops.begin(), loops.end(), group_);
    return std::any_of(from, loops.end(), [&](int l) { return deals_out(l); });
  }
  std::size_t depth_of_group(const Access& x) const {
    return static_cast<std::size_t>(std::find(x.where.loops.begin(), x.where.loops.end(), group_) -
                                    x.where.loops.begin());
  }

  // x is reached first; y later, in the same iteration of the group's loop.
  void pair(const Access& x, const Access& y, ProgramObligation& o) {
    const Runner rx = runner(x), ry = runner(y);
    const auto whole = [](const Runner& r) { return r.warp < 0 && r.local < 0; };
    const auto every = [](const Runner& r) { return r.local < 0 && !r.first; };  // thread of the group, or of a warp
    if (whole(rx) && whole(ry) && rx.first == ry.first) return;  // the same code in every thread, or the same thread
    if (every(rx) && every(ry)) return;                          // which write nothing but what is each thread's own
    const Place& p = a_.places[static_cast<std::size_t>(x.place)];
    const bool own_copies = (p.variable || p.space == Space::Private) && has(p.loops, group_);
    // A thread writes its copy where all read theirs: no barrier mends that. What all write, all have written.
    if (own_copies && ((rx.local < 0 && x.write) || (ry.local < 0 && y.write) || (rx.local < 0 && ry.local < 0)))
      return;
    const std::size_t common = common_loops(x, y), depth = depth_of_group(x);
    // The group's own iterations where it has several, which meet in what it declares, and sequential loops around
    // both: at different iterations.
    const bool in_turns = loop(group_).units && has(p.loops, group_);
    for (std::size_t k = in_turns ? depth : depth + 1; k < common; ++k) {
      if (deals_out(x.where.loops[k])) break;
      if (has(x.where.branches, loop(x.where.loops[k]).through)) continue;  // no round comes behind
      if (!own_copies && barrier_around(x, y, k)) continue;
      const bool some = !own_copies && barrier_in(x, k);
      meet(Meeting{&x, &y, k, some ? Meeting::Order::Next : Meeting::Order::Before, group_}, o);
    }
    // The same loop over threads or warps in the same iteration: its own obligation, and that of its warps.
    if (rx.warp >= 0 ? rx.warp == ry.warp : rx.local >= 0 && rx.local == ry.local) return;
    if (x.where.at > y.where.at) return;
    if (own_copies || !barrier_between(x, y, common))
      meet(Meeting{&x, &y, common, Meeting::Order::Together, group_}, o);
  }

  void meet(const Meeting& m, ProgramObligation& o) {
    // One thread's accesses to a place in two rounds of a loop are in order: only two threads can race.
    add_to(o, meeting_verdict(a_, m, prover_));
  }

  // Those that hold all of the group's threads.
  template <class Holds>
  bool any_barrier(Holds holds) const {
    return std::any_of(a_.barriers.begin(), a_.barriers.end(),
                       [&](const BarrierAt& b) { return b.scope == loop(group_).level && holds(b); });
  }
  static bool prefix(const std::vector<int>& p, const std::vector<int>& xs) {
    return p.size() <= xs.size() && std::equal(p.begin(), p.end(), xs.begin());
  }
  // In the outermost `from` or more of the loops around the access, in others that have an iteration, and under no
  // condition that it is not under itself: an iteration that comes to the access comes to the barrier.
  bool beside(const BarrierAt& b, const Access& access, std::size_t from) const {
    const std::vector<int>&loops = b.where.loops, &around = access.where.loops;
    const auto own = std::mismatch(loops.begin(), loops.end(), around.begin(), around.end()).first;
    return own - loops.begin() >= static_cast<std::ptrdiff_t>(from) &&
           std::all_of(own, loops.end(), [&](int l) { return run_.contains(l); }) &&
           prefix(b.where.branches, access.where.branches);
  }
  bool before(const BarrierAt& b, const Access& access, std::size_t from) const {
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
    return any_barrier([&](const BarrierAt& b) {
      return b.where.at > x.where.at && b.where.at < y.where.at && (behind(b, x, common) || before(b, y, common));
    });
  }
  // After x in its round of loop k, or before y in a later one.
  bool barrier_around(const Access& x, const Access& y, std::size_t k) const {
    return any_barrier(
        [&](const BarrierAt& b) { return behind(b, x, k + 1) || before(b, y, k + 1) || in_second(b, x, k); });
  }
  // After x in the second of two rounds, which a later one comes behind.
  bool in_second(BarrierAt b, const Access& x, std::size_t k) const {
    const int through = loop(x.where.loops[k]).through;
    return through >= 0 && b.where.at > x.where.at && std::erase(b.where.branches, through ^ 1) > 0 &&
           beside(b, x, k + 1);
  }
  bool barrier_in(const Access& x, std::size_t k) const {
    return any_barrier(
        [&](const BarrierAt& b) { return b.where.loops == outer(x, k + 1) && b.where.branches.empty(); });
  }

  const Accesses& a_;
  const int group_;
  Prover& prover_;
  std::set<int> run_;  // sequential loops that have an iteration, whatever the sizes
};

}  // namespace

Obligations group_obligations(const Accesses& a, Prover& prover) {
  Obligations out;
  for (const LoopFrame& f : a.loops)
    if (f.level == Level::Workgroup || f.level == Level::Warp)
      for (ProgramObligation& o : GroupRaces(a, f.id, prover).run()) out.push_back(std::move(o));
  return out;
}

}  // namespace lockstep::proofs::kernels
