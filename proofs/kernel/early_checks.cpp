// Checks that came to stand before loops: `after` is `before` but for loops with checks before them, both in a branch
// that is taken where the loop has an iteration. Of each such check: if those of the loop hold in its first and in its
// last iteration, it holds, so that a program that stops there would stop in the loop. Stated on the two programs, with
// nothing of the stage's code.
#include "proofs/kernel/same_but.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

class Early final : public SameBut {
  bool other(const Stmt& before, const Stmt& after) override {
    const auto* loop = std::get_if<For>(&before.node);
    return loop && with_checks(before, *loop, after);
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
      found_.push_back(checks_++);
    }
    return same(before, block->statements.back());
  }
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
    // what is read or computed in an iteration is its own
    const Term first = substitute(c.ok, {{frame.symbol, number(0)}});
    const Term last =
        rename(substitute(c.ok, {{frame.symbol, subtract(frame.extent, number(1))}}), apart_from(a, {loop}));
    for (const Term& known : conjuncts(both(first, last))) out.guards.push_back(Guard(known, true, -1));
  }
  return out;
}

}  // namespace

Obligations early_checks_obligations(const Program& before, const Program& after, Prover& prover) {
  return of_checks(after, Early().run(before, after),
                   {"only checks before loops have come", "the programs differ in more than checks before loops",
                    "early ", " is false, and no check of the loop is", with_the_loop},
                   prover);
}

}  // namespace lockstep::proofs::kernels
