// Checks that have gone: `after` is `before` without some checks, and without loops and branches that held nothing
// else; the condition of each of these holds wherever `before` comes to it, of what is known there the checks that are
// gone too, since each holds by what comes before it. Stated on the two programs, with nothing of the stage's code.
#include "proofs/kernel/same_but.h"
#include "semantics/kernel/walk.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

// `after` is `before` without checks.
class Gone final : public SameBut {
  // A statement that stands in both, or one that has gone.
  bool statements(const std::vector<Stmt>& before, const std::vector<Stmt>& after) override {
    auto next = after.begin();
    for (const Stmt& s : before) {
      const std::size_t checks = checks_, gone = found_.size();
      if (next != after.end() && same(s, *next)) {
        ++next;
        continue;
      }
      checks_ = checks, found_.resize(gone);
      if (!goes(s)) return false;
    }
    return next == after.end();
  }
  bool goes(const Stmt& s) {
    bool nothing_else = true;
    each_statement(s, [&](const Stmt& x) {
      if (std::holds_alternative<Check>(x.node)) found_.push_back(checks_++);
      nothing_else = nothing_else && std::visit(
                                         [](const auto& node) {
                                           using Node = std::decay_t<decltype(node)>;
                                           return OneOf<Node, Check, kernel::Block, For, ParallelFor, If>;
                                         },
                                         x.node);
      if (const auto* p = std::get_if<ParallelFor>(&x.node)) nothing_else = nothing_else && p->scratch.empty();
    });
    return nothing_else;
  }
};

}  // namespace

Obligations checks_obligations(const Program& before, const Program& after, Prover& prover) {
  return of_checks(before, Gone().run(before, after),
                   {"only checks have gone", "the programs differ in more than checks", "always ", " is false",
                    [](const Accesses&, const CheckAt& c) { return c.where; }},
                   prover);
}

}  // namespace lockstep::proofs::kernels
