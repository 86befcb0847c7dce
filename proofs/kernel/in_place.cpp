// In-place steps: a temporary of `before` that `after` has no more was merged into the state that a copy moved it to.
// For each: no scalar of the state is read after the write of the temporary that now falls on it, in one round of the
// step; all that was written is copied; nothing else writes the state. Stated on `before`, with nothing of the stage's
// code.
#include <algorithm>

#include "proofs/kernel/parts.h"
#include "semantics/kernel/walk.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

struct Merge {
  int next, state;
  const Access *from, *to;  // the copy: its read and its write
};

bool has(const std::vector<int>& xs, int x) { return std::count(xs.begin(), xs.end(), x) > 0; }

// Whether `before` has a statement that copies next to state and does nothing else.
bool copies(const Stmt& body, const std::string& next, const std::string& state) {
  bool found = false;
  each_statement(body, [&](const Stmt& s) {
    if (const auto* a = std::get_if<kernel::Assign>(&s.node)) {
      const auto* v = std::get_if<Var>(&a->value.node);
      found = found || (a->name == state && v && v->name == next);
    }
    const auto* st = std::get_if<Store>(&s.node);
    if (!st || st->buffer != state) return;
    const auto* l = std::get_if<Load>(&st->value.node);
    const auto* v = std::get_if<VectorLoad>(&st->value.node);
    found = found || (l && l->buffer == next && *l->index == st->index) ||
            (v && v->buffer == next && *v->index == st->index);
  });
  return found;
}

class Merges {
 public:
  Merges(const Program& before, const Program& after) : program_(before), a_(accesses_of(before)) {
    std::map<std::string, int> left, had;
    for (const Place& p : accesses_of(after).places) ++left[p.name];
    for (const Place& p : a_.places) ++had[p.name];
    for (std::size_t k = 0; k < a_.places.size(); ++k) {
      const std::string& name = a_.places[k].name;
      if (!left.contains(name))
        gone_.push_back(static_cast<int>(k));
      else if (left.at(name) < had.at(name))
        unclear_.insert(name);
    }
  }

  Obligations run(Prover& prover) {
    Obligations out;
    for (int next : gone_) {
      const Clock clock;
      const Place& p = a_.places[static_cast<std::size_t>(next)];
      ProgramObligation o{ObligationKind::InPlace, p.name, "", Standing::Proved, {}, 0, ""};
      if (const auto m = merge_of(next)) {
        const Place& s = a_.places[static_cast<std::size_t>(m->state)];
        o.name = p.name + " in the place of " + s.name + ": every read precedes its write";
        o.where = show_loops(a_, step_of(*m));
        check(*m, o, prover);
      } else {
        o.name = p.name + " has gone";
        o.standing = Standing::Unknown;
        o.detail = "no copy of it to a state was found";
      }
      if (o.standing == Standing::Proved && o.method.way == Method::None) o.method = {Method::Structure};
      o.seconds = clock.seconds();
      out.push_back(std::move(o));
    }
    for (const std::string& name : unclear_)
      out.push_back({ObligationKind::InPlace,
                     name + " has gone in one place",
                     "",
                     Standing::Unknown,
                     {},
                     0,
                     "several declarations have its name, of which some are left"});
    return out;
  }

 private:
  // The last copy out of it.
  std::optional<Merge> merge_of(int next) const {
    std::optional<Merge> out;
    for (std::size_t k = 1; k < a_.accesses.size(); ++k) {
      const Access &r = a_.accesses[k - 1], &w = a_.accesses[k];
      if (r.place == next && moves(k)) out = Merge{next, w.place, &r, &w};
    }
    return out;
  }
  // Whether access k writes to another place what the one before it read, where that stood.
  bool moves(std::size_t k) const {
    const Access &r = a_.accesses[k - 1], &w = a_.accesses[k];
    return !r.write && w.write && w.place != r.place && r.index == w.index && r.width == w.width &&
           r.where.loops == w.where.loops && copies(program_.body, name(r.place), name(w.place));
  }
  const std::string& name(int place) const { return a_.places[static_cast<std::size_t>(place)].name; }

  // The copy without the loops that only copy: one round of the step.
  Situation step_of(const Merge& m) const {
    // of this leaf of a state, or of others beside it
    const auto copies_only = [&](int loop) {
      for (std::size_t k = 0; k < a_.accesses.size(); ++k)
        if (has(a_.accesses[k].where.loops, loop) && !(k > 0 && moves(k)) &&
            !(k + 1 < a_.accesses.size() && moves(k + 1)))
          return false;
      return true;
    };
    Situation s = m.to->where;
    while (!s.loops.empty() && copies_only(s.loops.back())) s.loops.pop_back();
    return s;
  }
  static bool within(const Access& x, const Situation& step) {
    const auto prefix = [](const std::vector<int>& p, const std::vector<int>& xs) {
      return p.size() <= xs.size() && std::equal(p.begin(), p.end(), xs.begin());
    };
    return prefix(step.loops, x.where.loops) && prefix(step.branches, x.where.branches);
  }

  void check(const Merge& m, ProgramObligation& o, Prover& prover) const {
    const Situation step = step_of(m);
    const auto doubt = [&](const std::string& why) { add_to(o, {Standing::Unknown, {}, why}); };
    for (const Access& x : a_.accesses)
      if (x.place == m.next && (!within(x, step) || x.where.at > m.to->where.at))
        doubt(name(m.next) + " is used outside the step");
    std::vector<int> states{m.state};  // what the state itself was merged into
    for (std::size_t k = 0; k < states.size() && k < gone_.size(); ++k)
      if (has(gone_, states[k]))
        if (const auto further = merge_of(states[k])) states.push_back(further->state);
    for (const Access& w : a_.accesses) {
      if (!within(w, step) || !w.write || w.where.at >= m.from->where.at) continue;
      if (w.place == m.state) doubt(name(m.state) + " is written in the step, beside the copy");
      if (w.place != m.next) continue;
      // What stands in the state goes on standing there: its own read of it is one that precedes the others.
      const bool keeps = w.copied && has(states, *w.copied);
      for (const Access& r : a_.accesses)
        if (!keeps && !r.write && has(states, r.place) && within(r, step) && r.where.at < m.from->where.at &&
            o.standing != Standing::Refuted)
          after(w, r, step.loops.size(), o, prover);
      Access moved = w;  // as if it were read from the state after the copy
      moved.write = false;
      moved.place = m.state;
      moved.where.at = m.to->where.at + 1;
      add_to(o, covered(a_, moved, prover, m.to));
    }
  }

  // r after w, in one round of the step: apart.
  void after(const Access& w, const Access& r, std::size_t depth, ProgramObligation& o, Prover& prover) const {
    const auto& lw = w.where.loops;
    const auto& lr = r.where.loops;
    const auto common =
        static_cast<std::size_t>(std::mismatch(lw.begin(), lw.end(), lr.begin(), lr.end()).first - lw.begin());
    for (std::size_t k = depth; k < common; ++k) {
      const bool ordered = a_.loops[static_cast<std::size_t>(lw[k])].kind != LoopFrame::Kind::Parallel;
      add_to(o, meeting_verdict(a_, {&w, &r, k, ordered ? Meeting::Order::Before : Meeting::Order::Different}, prover));
    }
    if (w.where.at < r.where.at) add_to(o, meeting_verdict(a_, {&w, &r, common, Meeting::Order::Together}, prover));
  }

  const Program& program_;
  const Accesses a_;
  std::vector<int> gone_;
  std::set<std::string> unclear_;  // names of several declarations, of which some have gone
};

}  // namespace

Obligations in_place_obligations(const Program& before, const Program& after, Prover& prover) {
  return Merges(before, after).run(prover);
}

}  // namespace lockstep::proofs::kernels
