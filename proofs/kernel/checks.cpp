// Checks that have gone: `after` is `before` without some checks, and without loops and branches that held nothing
// else; the condition of each of these holds wherever `before` comes to it, of what is known there the checks that are
// gone too, since each holds by what comes before it. Stated on the two programs, with nothing of the stage's code.
#include "proofs/kernel/parts.h"
#include "semantics/kernel/walk.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

class Gone {
 public:
  Gone(const Program& before, const Program& after) : before_(before), after_(after) {}

  // By number, in the order of the text; nothing where the programs differ in more.
  std::optional<std::vector<std::size_t>> run() {
    Program rest = before_;
    rest.body = after_.body;
    if (!(rest == after_) || !only(before_.body, after_.body)) return {};
    return gone_;
  }

 private:
  // Whether `after` is `before` without checks.
  bool only(const Stmt& before, const Stmt& after) {
    if (before.node.index() != after.node.index()) return false;
    return match(
        before.node,
        [&](const kernel::Block& b) { return only(b.statements, std::get<kernel::Block>(after.node).statements); },
        [&](const For& b) {
          For rest = std::get<For>(after.node);
          const StmtRef body = std::exchange(rest.body, b.body);
          return rest == b && only(*b.body, *body);
        },
        [&](const ParallelFor& b) {
          ParallelFor rest = std::get<ParallelFor>(after.node);
          const StmtRef body = std::exchange(rest.body, b.body);
          return rest == b && only(*b.body, *body);
        },
        [&](const If& b) {
          const If& a = std::get<If>(after.node);
          return a.condition == b.condition && only(*b.then, *a.then) && only(*b.otherwise, *a.otherwise);
        },
        [&](const While& b) {
          const While& a = std::get<While>(after.node);
          return a.condition == b.condition && only(*b.body, *a.body);
        },
        [&](const Check&) { return ++checks_, before == after; },
        [&](const OneOf<Declare, kernel::Assign, Store, Atomic, Allocate, Barrier, Comment, Shuffle> auto&) {
          return before == after;
        });
  }
  // A statement that stands in both, or one that has gone.
  bool only(const std::vector<Stmt>& before, const std::vector<Stmt>& after) {
    auto next = after.begin();
    for (const Stmt& s : before) {
      const std::size_t checks = checks_, gone = gone_.size();
      if (next != after.end() && only(s, *next)) {
        ++next;
        continue;
      }
      checks_ = checks, gone_.resize(gone);
      if (!goes(s)) return false;
    }
    return next == after.end();
  }
  bool goes(const Stmt& s) {
    bool nothing_else = true;
    each_statement(s, [&](const Stmt& x) {
      if (std::holds_alternative<Check>(x.node)) gone_.push_back(checks_++);
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

  const Program &before_, &after_;
  std::size_t checks_ = 0;
  std::vector<std::size_t> gone_;
};

}  // namespace

Obligations checks_obligations(const Program& before, const Program& after, Prover& prover) {
  const auto gone = Gone(before, after).run();
  if (!gone)
    return {{ObligationKind::Checks,
             "only checks have gone",
             "",
             Standing::Unknown,
             {},
             0,
             "the programs differ in more than checks"}};
  Obligations out;
  if (gone->empty()) return out;
  const Accesses a = accesses_of(before);
  for (const std::size_t k : *gone) {
    const CheckAt& c = a.checks.at(k);
    ProgramObligation o = settle(a,
                                 {ObligationKind::Checks,
                                  "always " + show_term(c.ok),
                                  &c.where,
                                  c.from,
                                  c.ok,
                                  show_term(c.ok) + " is false",
                                  {}},
                                 prover);
    if (o.standing == Standing::Tested) o.standing = Standing::Unknown;  // nothing checks it any more
    out.push_back(std::move(o));
  }
  return out;
}

}  // namespace lockstep::proofs::kernels
