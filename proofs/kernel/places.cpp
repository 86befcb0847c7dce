// Shared places: an array of `before` that `after` has no more has taken another's place. The two programs are one but
// for the arrays' names; what has one place now was, in `before`, used one after the other in the iteration that it is
// allocated in, and what is read of the later array was written to it there. Stated on accesses, with nothing of the
// stage's code. That threads come to the later one when all are done with the earlier is an obligation of the barriers
// (group_races.cpp), on `after`. Of its arrays that say at which byte of the block's memory they begin: those of one
// launch have no byte in common.
#include "proofs/kernel/parts.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"

namespace lockstep::proofs::kernels {
namespace {

class Sharing {
 public:
  Sharing(const kernel::Program& before, const kernel::Program& after)
      : before_program_(before), after_program_(after), before_(accesses_of(before)), after_(accesses_of(after)) {
    std::set<std::string> left;
    for (const Place& p : after_.places) left.insert(p.name);
    for (std::size_t k = 0; k < before_.places.size(); ++k)
      if (!left.contains(before_.places[k].name)) gone_.push_back(static_cast<int>(k));
    same_ = same_but_for_names();
  }

  Obligations run(Prover& prover) const {
    Obligations out;
    for (const int place : gone_) {
      const Clock clock;
      ProgramObligation o{ObligationKind::InPlace, name(place), "", Standing::Proved, {}, 0, ""};
      const auto host = host_of(place);
      if (host)
        o.name += " in the place of " + *host + ": one is used after the other";
      else
        o.name += " has gone";
      check(place, host, o, prover);
      if (o.standing == Standing::Proved && o.method.way == Method::None) o.method = {Method::Structure};
      o.seconds = clock.seconds();
      out.push_back(std::move(o));
    }
    return out;
  }

 private:
  const std::string& name(int place) const { return before_.places[static_cast<std::size_t>(place)].name; }
  const Place& after_place(const Access& x) const { return after_.places[static_cast<std::size_t>(x.place)]; }

  // The k-th access of one program is the k-th of the other: where they are one but for names.
  std::optional<std::string> host_of(int place) const {
    std::optional<std::string> out;
    if (before_.accesses.size() != after_.accesses.size()) return {};
    for (const std::size_t k : before_.of_place[static_cast<std::size_t>(place)]) {
      const Place& host = after_place(after_.accesses[k]);
      if (out && *out != host.name) return {};
      out = host.name;
    }
    return out;
  }
  // With the names of hosts in the place of those that have gone, and no allocations, `before` is `after`.
  bool same_but_for_names() const {
    kernel::Stmt renamed = before_program_.body;
    for (const int place : gone_)
      if (const auto host = host_of(place)) renamed = kernel::rename(renamed, name(place), *host);
    return without_arrays(renamed) == without_arrays(after_program_.body);
  }
  static kernel::Stmt without_arrays(const kernel::Stmt& s) {
    return kernel::rewritten(s, kernel::StmtChange([](const kernel::Stmt& x) {
                               kernel::Stmt out = x;
                               if (auto* p = std::get_if<kernel::ParallelFor>(&out.node)) p->scratch.clear();
                               const bool array = std::holds_alternative<kernel::Allocate>(x.node);
                               return array ? std::vector<kernel::Stmt>{} : std::vector<kernel::Stmt>{std::move(out)};
                             }));
  }
  // Those of `before` that have the host's place now.
  std::set<int> guests(const std::string& host) const {
    std::set<int> out;
    for (std::size_t k = 0; k < before_.accesses.size(); ++k)
      if (after_place(after_.accesses[k]).name == host) out.insert(before_.accesses[k].place);
    return out;
  }

  void check(int place, const std::optional<std::string>& host, ProgramObligation& o, Prover& prover) const {
    const auto doubt = [&](const std::string& why) { add_to(o, {Standing::Unknown, {}, why}); };
    const auto& own = before_.of_place[static_cast<std::size_t>(place)];
    if (own.empty()) return;
    if (!host || !same_) return doubt("the programs differ in more than what an array is called");
    const Place& p = before_.places[static_cast<std::size_t>(place)];
    o.where = show_loops(before_, before_.accesses[own.front()].where);
    for (const int other : guests(*host)) {
      if (other == place) continue;
      const Place& q = before_.places[static_cast<std::size_t>(other)];
      if (!(p.type == q.type) || p.loops != q.loops) doubt(name(other) + " is another kind of memory");
      const auto& others = before_.of_place[static_cast<std::size_t>(other)];
      if (!one_after_the_other(own, others) || !one_loop(own, others, p.loops.size()))
        doubt(name(place) + " and " + name(other) + " are alive together");
    }
    for (const std::size_t k : own)
      if (!before_.accesses[k].write && o.standing != Standing::Refuted)
        add_to(o, covered(before_, before_.accesses[k], prover, nullptr));
  }
  static bool one_after_the_other(const std::vector<std::size_t>& xs, const std::vector<std::size_t>& ys) {
    return xs.empty() || ys.empty() || xs.back() < ys.front() || ys.back() < xs.front();
  }
  // No loop inside the `depth` outermost ones has accesses of both: it would come back to the first.
  bool one_loop(const std::vector<std::size_t>& xs, const std::vector<std::size_t>& ys, std::size_t depth) const {
    for (const std::size_t x : xs)
      for (const std::size_t y : ys)
        if (common_loops(before_.accesses[x], before_.accesses[y]) > depth) return false;
    return true;
  }

  const kernel::Program &before_program_, &after_program_;
  const Accesses before_, after_;
  std::vector<int> gone_;
  bool same_ = false;
};

}  // namespace

namespace {

// Bytes of a block's memory; the first and the one after the last.
struct Lying {
  std::string name;
  Term first, end;
};

// Of the workgroup loop p; inside a loop over warps each warp has a copy.
std::vector<Lying> lying_in(const kernel::ParallelFor& p, int warps) {
  std::vector<Lying> out;
  const auto add = [&](const kernel::Allocate& a, int copies) {
    if (!a.at) return;
    const Term bytes = multiply(a.count, number(std::int64_t{copies} * bytes_of(a.type.scalar)));
    out.push_back({a.name, *a.at, proofs::kernels::add(*a.at, bytes)});
  };
  std::set<const kernel::Stmt*> in_warps;
  const kernel::OnStmt go = [&](const kernel::Stmt& s) {
    const auto* inner = std::get_if<kernel::ParallelFor>(&s.node);
    const bool of_warps = inner && inner->level == Level::Warp;
    if (of_warps) kernel::each_statement(*inner->body, [&](const kernel::Stmt& x) { in_warps.insert(&x); });
    if (inner)
      for (const kernel::Allocate& a : inner->scratch) add(a, of_warps ? warps : 1);
    if (const auto* a = std::get_if<kernel::Allocate>(&s.node)) add(*a, in_warps.contains(&s) ? warps : 1);
  };
  for (const kernel::Allocate& a : p.scratch) add(a, 1);
  kernel::each_statement(*p.body, go);
  return out;
}

// The k-th from those before it.
ProgramObligation apart(const std::vector<Lying>& all, std::size_t k, const Known& known, Prover& prover) {
  const Lying& x = all[k];
  const Clock clock;
  ProgramObligation o{ObligationKind::InPlace, x.name, "", Standing::Proved, {Method::Structure}, 0, ""};
  o.name += " from byte " + kernel::print(x.first) + " of the block's memory on: apart from those before it";
  for (std::size_t j = 0; j < k; ++j) {
    const Lying& y = all[j];
    const Answer answer = prover.prove(known, either(less_equal(x.end, y.first), less_equal(y.end, x.first)));
    if (answer.proved())
      o.method = both(o.method, answer.method);
    else
      add_to(o, {Standing::Unknown, {}, x.name + " and " + y.name + " may have bytes in common"});
  }
  o.seconds = clock.seconds();
  return o;
}

}  // namespace

Obligations places_obligations(const kernel::Program& before, const kernel::Program& after, Prover& prover) {
  Obligations out = Sharing(before, after).run(prover);
  const Known known{{}, accesses_of(after).facts, {}};
  kernel::each_statement(after.body, [&](const kernel::Stmt& s) {
    const auto* p = std::get_if<kernel::ParallelFor>(&s.node);
    if (!p || p->level != Level::Workgroup) return;
    const std::vector<Lying> all = lying_in(*p, warps_of(after.launch));
    for (std::size_t k = 0; k < all.size(); ++k) out.push_back(apart(all, k, known, prover));
  });
  return out;
}

}  // namespace lockstep::proofs::kernels
