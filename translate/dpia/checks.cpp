// Checks that are needless (FCL §3, ours): one whose condition follows from sizes, facts, loops' ranges, the branches
// around it and the checks before it goes, and so do loops and branches that held nothing else. In: a kernel; out: the
// same with fewer checks.
#include "semantics/kernel/walk.h"
#include "translate/dpia/index_values.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

std::set<std::string> assigned_in(const Stmt& s) {
  std::set<std::string> out;
  each_statement(s, [&](const Stmt& x) {
    if (const auto* a = std::get_if<kernel::Assign>(&x.node)) out.insert(a->name);
  });
  return out;
}

bool is_empty(const Stmt& s) {
  const auto* b = std::get_if<Block>(&s.node);
  return b && b->statements.empty();
}

class NeedlessChecks {
 public:
  explicit NeedlessChecks(const Program& p) : values_(p) {}

  // Nothing where nothing is left that had something to do.
  std::optional<Stmt> statement(const Stmt& s) {
    const auto as = [&](auto node) { return std::optional(Stmt{std::move(node), s.region}); };
    return match(
        s.node, [&](const Block& x) { return as(block(x)); },
        [&](const Declare& x) {
          values_.declare(x.name, x.type, x.init);
          return std::optional(s);
        },
        [&](const kernel::Assign& x) {
          values_.assign(x.name, x.value);
          return std::optional(s);
        },
        [&](const Store&) { return std::optional(s); }, [&](const Atomic&) { return std::optional(s); },
        [&](const kernel::For& x) {
          kernel::For out = x;
          out.body = iteration(x.name, x.extent, {}, x.body);
          return gone(x.body, out.body) ? std::nullopt : as(std::move(out));
        },
        [&](const Allocate& x) {
          values_.fits(x.count);
          return std::optional(s);
        },
        [&](const ParallelFor& x) {
          ParallelFor out = x;
          out.body = iteration(x.name, x.extent, x.scratch, x.body);
          return gone(x.body, out.body) ? std::nullopt : as(std::move(out));
        },
        [&](const kernel::If& x) {
          kernel::If out = x;
          const std::set<std::string> assigned = assigned_in(s);
          for (const bool side : {true, false}) {
            StmtRef& branch = side ? out.then : out.otherwise;
            values_.apart(assigned, [&] {
              values_.suppose(x.condition, side);
              branch = inside(branch);
            });
          }
          const bool all = is_empty(*out.then) && is_empty(*out.otherwise);
          return all && !(is_empty(*x.then) && is_empty(*x.otherwise)) ? std::nullopt : as(std::move(out));
        },
        [&](const kernel::While& x) {
          kernel::While out = x;
          const std::set<std::string> assigned = assigned_in(s);
          values_.forget(assigned);
          values_.apart(assigned, [&] {
            values_.suppose(x.condition);
            out.body = inside(x.body);
          });
          return as(std::move(out));
        },
        [&](const kernel::Check& x) -> std::optional<Stmt> {
          if (values_.holds(x.ok)) return {};
          values_.suppose(x.ok);
          return s;
        },
        [&](const kernel::Barrier&) { return std::optional(s); }, [&](const Comment&) { return std::optional(s); },
        [&](const Shuffle& x) {
          values_.declare(x.name, x.type, {});
          return std::optional(s);
        });
  }

 private:
  Block block(const Block& b) {
    const auto outer = values_.variables();
    std::set<std::string> declared;
    Block out;
    for (const Stmt& s : b.statements) {
      if (const auto* d = std::get_if<Declare>(&s.node)) declared.insert(d->name);
      if (auto left = statement(s)) out.statements.push_back(std::move(*left));
    }
    values_.leave_block(outer, declared);
    return out;
  }
  StmtRef inside(const StmtRef& s) {
    auto left = statement(*s);
    return StmtRef(left ? std::move(*left) : Stmt{Block{}});
  }
  StmtRef iteration(const std::string& variable, const Expr& extent, const std::vector<Allocate>& scratch,
                    const StmtRef& body) {
    StmtRef out = body;
    const std::set<std::string> assigned = assigned_in(*body);
    values_.forget(assigned);
    values_.apart(assigned, [&] {
      values_.enter_loop(variable, extent);
      for (const Allocate& a : scratch) values_.fits(a.count);
      out = inside(body);
    });
    return out;
  }
  static bool gone(const StmtRef& before, const StmtRef& after) { return is_empty(*after) && !is_empty(*before); }

  IndexValues values_;
};

}  // namespace

kernel::Program without_needless_checks(const kernel::Program& p) {
  kernel::Program out = p;
  if (auto left = NeedlessChecks(p).statement(p.body)) out.body = std::move(*left);
  return out;
}

Stage checks(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>("checks", "FCL §3, ours", kernel, kernel,
                                                    [](const kernel::Program& p, Owed* owed) {
                                                      kernel::Program out = without_needless_checks(p);
                                                      if (owed) owed->push_back({"checks", Erased(ChecksHold{p, out})});
                                                      return out;
                                                    },
                                                    {Change::NotMore, Change::NotMore, CostRelation::Space::NotMore});
}

}  // namespace lockstep
