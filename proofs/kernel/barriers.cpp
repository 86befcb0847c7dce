// Barriers: every thread of a block, or of a warp, comes to each. In: the accesses; out: one obligation for each
// barrier. It holds by structure: a block's barrier stands in it outside local and warp loops, a warp's in a warp loop
// outside local ones, under conditions that are the block's own.
#include <algorithm>

#include "proofs/kernel/parts.h"

namespace lockstep::proofs::kernels {
namespace {

class Uniformity {
 public:
  explicit Uniformity(const Accesses& a) : a_(a) {}

  // The name, in a condition that decides whether a thread comes there, of what each thread has its own; "" if none.
  std::string blame(const Situation& s) const {
    std::vector<Term> conditions;
    for (const Guard* g : s.guards.in_order())
      if (!g->checked) conditions.push_back(*g->condition);
    bool in_block = false;
    for (int l : s.loops) {
      if (in_block && loop(l).kind == LoopFrame::Kind::Sequential) conditions.push_back(loop(l).extent);
      in_block = in_block || loop(l).level == Level::Workgroup;
    }
    std::string out;
    for (const Term& c : conditions)
      each_name(c, [&](const std::string& n) {
        std::set<std::string> seen;
        if (out.empty() && is_data_name(n) && varies(plain_name(n), seen)) out = show_name(n);
      });
    return out;
  }

 private:
  const LoopFrame& loop(int l) const { return a_.loops[static_cast<std::size_t>(l)]; }

  // Each thread of the block has its own, and it is written, or made from what is written, in a local loop.
  bool varies(const std::string& name, std::set<std::string>& seen) const {
    if (!seen.insert(name).second) return false;
    for (const Access& x : a_.accesses) {
      const Place& p = a_.places[static_cast<std::size_t>(x.place)];
      if (!x.write || spelled(p.name) != name || (!p.variable && p.space != Space::Private)) continue;
      const auto local = [&](int l) { return loop(l).level == Level::Local; };
      if (std::any_of(x.where.loops.begin(), x.where.loops.end(), local)) return true;
    }
    const auto from = a_.sources.find(name);
    return from != a_.sources.end() &&
           std::any_of(from->second.begin(), from->second.end(), [&](const std::string& n) { return varies(n, seen); });
  }

  const Accesses& a_;
};

}  // namespace

Obligations barrier_obligations(const Accesses& a) {
  Obligations out;
  for (const BarrierAt& b : a.barriers) {
    ProgramObligation o{ObligationKind::Barriers,
                        b.scope == Level::Warp ? "all lanes of the warp reach the barrier"
                                               : "all threads of the block reach the barrier",
                        show_loops(a, b.where),
                        Standing::Proved,
                        {Method::Structure},
                        0,
                        "",
                        {b.from}};
    bool in_scope = false;
    for (int l : b.where.loops) {
      const LoopFrame& f = a.loops[static_cast<std::size_t>(l)];
      in_scope = in_scope || f.level == b.scope;
      if (f.level == Level::Local) o.detail = "it stands inside the local loop " + f.text + ": a thread meets it alone";
      if (f.level == Level::Warp && b.scope != Level::Warp)
        o.detail = "it stands inside the warp loop " + f.text + ": a warp meets it alone";
    }
    if (!in_scope)
      o.detail = b.scope == Level::Warp ? "it stands outside a warp loop" : "it stands outside a workgroup loop";
    const std::string blame = Uniformity(a).blame(b.where);
    if (o.detail.empty() && !blame.empty())
      o.detail = "a condition around it depends on '" + blame + "', which each thread has its own of";
    if (!o.detail.empty()) {
      o.standing = Standing::Refuted;
      o.method = {};
    }
    out.push_back(std::move(o));
  }
  return out;
}

}  // namespace lockstep::proofs::kernels
