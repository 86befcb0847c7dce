// The walk, and the claims (same_but.h). Nothing of a stage's code.
#include "proofs/kernel/same_but.h"

#include "semantics/kernel/walk.h"

namespace lockstep::proofs::kernels {

using namespace kernel;

std::optional<std::vector<std::size_t>> SameBut::run(const Program& before, const Program& after) {
  Program rest = before;
  rest.body = after.body;
  if (!(rest == after) || !same(before.body, after.body)) return {};
  return found_;
}

bool SameBut::statements(const std::vector<Stmt>& before, const std::vector<Stmt>& after) {
  if (before.size() != after.size()) return false;
  for (std::size_t k = 0; k < before.size(); ++k)
    if (!same(before[k], after[k])) return false;
  return true;
}

bool SameBut::other(const Stmt&, const Stmt&) { return false; }

bool SameBut::same(const Stmt& before, const Stmt& after) {
  if (before.node.index() != after.node.index()) return other(before, after);
  const auto loop = [&](const auto& b) {
    auto rest = std::get<std::decay_t<decltype(b)>>(after.node);
    const StmtRef body = std::exchange(rest.body, b.body);
    return rest == b ? same(*b.body, *body) : other(before, after);
  };
  return match(
      before.node,
      [&](const kernel::Block& b) { return statements(b.statements, std::get<kernel::Block>(after.node).statements); },
      [&](const For& b) { return loop(b); }, [&](const ParallelFor& b) { return loop(b); },
      [&](const If& b) {
        const If& a = std::get<If>(after.node);
        return a.condition == b.condition && same(*b.then, *a.then) && same(*b.otherwise, *a.otherwise);
      },
      [&](const While& b) {
        const While& a = std::get<While>(after.node);
        return other(before, after) || (a.condition == b.condition && same(*b.body, *a.body));
      },
      [&](const Check&) { return ++checks_, before == after; },
      [&](const OneOf<Declare, kernel::Assign, Store, Atomic, Allocate, Barrier, Comment, Shuffle> auto&) {
        return before == after;
      });
}

Obligations of_checks(const Program& p, const std::optional<std::vector<std::size_t>>& which, const CheckClaims& says,
                      Prover& prover) {
  if (!which) return {{ObligationKind::Checks, says.only, "", Standing::Unknown, {}, 0, says.differ}};
  Obligations out;
  if (which->empty()) return out;
  const Accesses a = accesses_of(p);
  for (const std::size_t k : *which) {
    const CheckAt& c = a.checks.at(k);
    const Situation where = says.where(a, c);
    const std::string ok = show_term(c.ok);
    ProgramObligation o =
        settle(a, {ObligationKind::Checks, says.name + ok, &where, c.from, c.ok, ok + says.refuted, {}}, prover);
    if (o.standing == Standing::Tested) o.standing = Standing::Unknown;  // nothing else checks it
    out.push_back(std::move(o));
  }
  return out;
}

}  // namespace lockstep::proofs::kernels
