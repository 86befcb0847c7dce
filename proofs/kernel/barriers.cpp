// Barriers and shuffles: every thread of a block, or of a warp, comes to each. In: the accesses; out: one obligation
// for each. It holds by structure: a block's barrier stands in it outside local and warp loops, a warp's in a warp loop
// outside local ones, under conditions that are the block's own; a shuffle in a local loop, under conditions that are
// the same for all lanes of a segment.
#include <algorithm>

#include "proofs/kernel/parts.h"

namespace lockstep::proofs::kernels {
namespace {

class Uniformity {
 public:
  explicit Uniformity(const Accesses& a) : a_(a) {}

  // The name, in a condition that decides whether a thread comes there, of what each thread has its own; "" if none.
  std::string blame(const Situation& s) const {
    return first_name(conditions(s, Level::Workgroup), [&](const std::string& n) {
      std::set<std::string> seen;
      return is_data_name(n) && varies(plain_name(n), seen);
    });
  }
  // The same of the lanes of a segment; a condition on the lane's number alone is looked at lane by lane.
  std::string blame(const ShuffleAt& x) const {
    const LoopFrame& lanes = loop(x.loop);
    std::vector<Term> rest;
    for (const Term& c : conditions(x.where, Level::Local))
      if (!is_same_in_segments(c, lanes, x.width)) rest.push_back(c);
    return first_name(rest, [&](const std::string& n) {
      const auto made = a_.symbols.find(n);
      return n == lanes.symbol || (is_data_name(n) && made != a_.symbols.end() && has(made->second, x.loop));
    });
  }

 private:
  const LoopFrame& loop(int l) const { return a_.loops[static_cast<std::size_t>(l)]; }

  // Of the branches around, and of the sequential loops in one of the level.
  std::vector<Term> conditions(const Situation& s, Level inside) const {
    std::vector<Term> out;
    for (const Guard* g : s.guards.in_order())
      if (!g->checked) out.push_back(*g->condition);
    bool in_level = false;
    for (int l : s.loops) {
      if (in_level && loop(l).kind == LoopFrame::Kind::Sequential) out.push_back(loop(l).extent);
      in_level = in_level || loop(l).level == inside;
    }
    return out;
  }
  template <class Blamed>
  static std::string first_name(const std::vector<Term>& conditions, Blamed blamed) {
    std::string out;
    for (const Term& c : conditions)
      each_name(c, [&](const std::string& n) {
        if (out.empty() && blamed(n)) out = show_name(n);
      });
    return out;
  }
  static bool is_same_in_segments(const Term& c, const LoopFrame& lanes, int width) {
    const auto n = kernel::constant_of(lanes.extent);
    if (!n || *n > most_warp) return false;
    std::vector<std::optional<std::int64_t>> of_lane;
    for (std::int64_t l = 0; l < *n; ++l) {
      of_lane.push_back(evaluate(c, {{lanes.symbol, l}}));
      if (!of_lane.back() || of_lane.back() != of_lane[static_cast<std::size_t>(l / width * width)]) return false;
    }
    return true;
  }

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

namespace {

void refute(ProgramObligation& o) {
  if (o.detail.empty()) return;
  o.standing = Standing::Refuted;
  o.method = {};
}

ProgramObligation shuffle_obligation(const Accesses& a, const ShuffleAt& x) {
  ProgramObligation o{ObligationKind::Barriers,
                      "all lanes reach the shuffle that makes " + x.name,
                      show_loops(a, x.where),
                      Standing::Proved,
                      {Method::Structure},
                      0,
                      "",
                      {x.from}};
  if (x.loop < 0) o.detail = "it stands outside a local loop";
  const Uniformity uniform(a);
  const std::string of_threads = uniform.blame(x.where), of_lanes = x.loop < 0 ? "" : uniform.blame(x);
  if (const std::string& blame = of_threads.empty() ? of_lanes : of_threads; o.detail.empty() && !blame.empty())
    o.detail = "a condition around it depends on '" + blame + "', which each lane has its own of";
  refute(o);
  return o;
}

}  // namespace

Obligations barrier_obligations(const Accesses& a) {
  Obligations out;
  for (const ShuffleAt& x : a.shuffles) out.push_back(shuffle_obligation(a, x));
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
    refute(o);
    out.push_back(std::move(o));
  }
  return out;
}

}  // namespace lockstep::proofs::kernels
