// Checks that came to stand before loops: `after` is `before` but for loops with checks before them, both in a branch
// that is taken where the loop has an iteration. Of each such check: if those of the loop hold in its first and in its
// last iteration, it holds, so that a program that stops there would stop in the loop. Stated on the two programs, with
// nothing of the stage's code.
#include "proofs/kernel/parts.h"
#include "semantics/kernel/walk.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

class Early {
 public:
  Early(const Program& before, const Program& after) : before_(before), after_(after) {}

  // By number, in the order of the text; nothing where the programs differ in more.
  std::optional<std::vector<std::size_t>> run() {
    Program rest = before_;
    rest.body = after_.body;
    if (!(rest == after_) || !same(before_.body, after_.body)) return {};
    return early_;
  }

 private:
  bool same(const Stmt& before, const Stmt& after) {
    if (const auto* loop = std::get_if<For>(&before.node); loop && !std::holds_alternative<For>(after.node))
      return with_checks(before, *loop, after);
    if (before.node.index() != after.node.index()) return false;
    return match(
        before.node,
        [&](const kernel::Block& b) { return all(b.statements, std::get<kernel::Block>(after.node).statements); },
        [&](const For& b) { return same_loop(b, std::get<For>(after.node)); },
        [&](const ParallelFor& b) { return same_loop(b, std::get<ParallelFor>(after.node)); },
        [&](const If& b) {
          const If& a = std::get<If>(after.node);
          return a.condition == b.condition && same(*b.then, *a.then) && same(*b.otherwise, *a.otherwise);
        },
        [&](const While& b) {
          const While& a = std::get<While>(after.node);
          return a.condition == b.condition && same(*b.body, *a.body);
        },
        [&](const Check&) { return ++checks_, before == after; },
        [&](const OneOf<Declare, kernel::Assign, Store, Atomic, Allocate, Barrier, Comment, Shuffle> auto&) {
          return before == after;
        });
  }
  bool all(const std::vector<Stmt>& before, const std::vector<Stmt>& after) {
    if (before.size() != after.size()) return false;
    for (std::size_t k = 0; k < before.size(); ++k)
      if (!same(before[k], after[k])) return false;
    return true;
  }
  template <class Loop>
  bool same_loop(const Loop& before, Loop after) {
    const StmtRef body = std::exchange(after.body, before.body);
    return after == before && same(*before.body, *body);
  }
  // { check; ...; for } in the place of for: where it has an iteration for certain, or under that condition.
  bool with_checks(const Stmt& before, const For& loop, const Stmt& after) {
    const auto* branch = std::get_if<If>(&after.node);
    const auto* block = std::get_if<kernel::Block>(branch ? &branch->then->node : &after.node);
    if (!block || block->statements.size() < 2) return false;
    if (branch) {
      const auto* none = std::get_if<kernel::Block>(&branch->otherwise->node);
      if (!none || !none->statements.empty()) return false;
      if (!(branch->condition == arith(ArithOp::Less, constant(0), loop.extent))) return false;
    } else if (constant_of(loop.extent).value_or(0) < 1) {
      return false;
    }
    for (std::size_t k = 0; k + 1 < block->statements.size(); ++k) {
      if (!std::holds_alternative<Check>(block->statements[k].node)) return false;
      early_.push_back(checks_++);
    }
    return same(before, block->statements.back());
  }

  const Program &before_, &after_;
  std::size_t checks_ = 0;
  std::vector<std::size_t> early_;
};

bool begins_with(const std::vector<int>& all, const std::vector<int>& first) {
  return all.size() >= first.size() && std::equal(first.begin(), first.end(), all.begin());
}

// Where the check stands, with what is checked in every iteration of the loop that follows known of its first and its
// last.
Situation with_the_loop(const Accesses& a, const CheckAt& early) {
  Situation out = early.where;
  int loop = -1;
  for (const CheckAt& c : a.checks) {
    const bool inside = c.where.at > early.where.at && c.where.loops.size() == early.where.loops.size() + 1 &&
                        begins_with(c.where.loops, early.where.loops) && c.where.branches == early.where.branches;
    if (!inside || (loop >= 0 && c.where.loops.back() != loop)) continue;
    loop = c.where.loops.back();
    const LoopFrame& frame = a.loops.at(static_cast<std::size_t>(loop));
    if (frame.kind != LoopFrame::Kind::Sequential) continue;
    for (const Term& at : {number(0), subtract(frame.extent, number(1))})
      for (const Term& known : conjuncts(substitute(c.ok, {{frame.symbol, at}})))
        out.guards.push_back(Guard(known, true, -1));
  }
  return out;
}

}  // namespace

Obligations early_checks_obligations(const Program& before, const Program& after, Prover& prover) {
  const auto early = Early(before, after).run();
  if (!early)
    return {{ObligationKind::Checks,
             "only checks before loops have come",
             "",
             Standing::Unknown,
             {},
             0,
             "the programs differ in more than checks before loops"}};
  Obligations out;
  if (early->empty()) return out;
  const Accesses a = accesses_of(after);
  for (const std::size_t k : *early) {
    const CheckAt& c = a.checks.at(k);
    const Situation where = with_the_loop(a, c);
    ProgramObligation o = settle(a,
                                 {ObligationKind::Checks,
                                  "early " + show_term(c.ok),
                                  &where,
                                  c.from,
                                  c.ok,
                                  show_term(c.ok) + " is false, and no check of the loop is",
                                  {}},
                                 prover);
    if (o.standing == Standing::Tested) o.standing = Standing::Unknown;  // nothing checks it in this place
    out.push_back(std::move(o));
  }
  return out;
}

}  // namespace lockstep::proofs::kernels
