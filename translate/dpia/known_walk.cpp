// The walk of known_walk.h.
#include "translate/dpia/known_walk.h"

namespace lockstep {

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

std::optional<Stmt> KnownWalk::loop(kernel::For x, const Stmt& s, bool gone) {
  return gone ? std::nullopt : std::optional(Stmt{std::move(x), s.region});
}

std::optional<Stmt> KnownWalk::statement(const Stmt& s) { return known(said(s)); }

std::optional<Stmt> KnownWalk::known(const Stmt& s) {
  const auto as = [&](auto node) { return std::optional(Stmt{std::move(node), s.region}); };
  return match(
      s.node, [&](const Block& x) { return as(block(x)); },
      [&](const Declare& x) {
        values.declare(x.name, x.type, x.init);
        return std::optional(s);
      },
      [&](const kernel::Assign& x) {
        values.assign(x.name, x.value);
        return std::optional(s);
      },
      [&](const Store&) { return std::optional(s); }, [&](const Atomic&) { return std::optional(s); },
      [&](const kernel::For& x) {
        kernel::For out = x;
        out.body = iteration(x.name, x.extent, {}, x.body, &x);
        const bool gone = is_empty(*out.body) && !is_empty(*x.body);
        return loop(std::move(out), s, gone);
      },
      [&](const Allocate& x) {
        values.fits(x.count);
        return std::optional(s);
      },
      [&](const ParallelFor& x) {
        ParallelFor out = x;
        enter_branch();
        out.body = iteration(x.name, x.extent, x.scratch, x.body, nullptr);
        leave_branch();
        const bool gone = is_empty(*out.body) && !is_empty(*x.body);
        return gone ? std::nullopt : as(std::move(out));
      },
      [&](const kernel::If& x) {
        kernel::If out = x;
        const std::set<std::string> assigned = assigned_in(s);
        enter_branch();
        for (const bool side : {true, false}) {
          StmtRef& branch = side ? out.then : out.otherwise;
          values.apart(assigned, [&] {
            values.suppose(x.condition, side);
            branch = inside(branch);
          });
        }
        leave_branch();
        const bool all = is_empty(*out.then) && is_empty(*out.otherwise);
        return all && !(is_empty(*x.then) && is_empty(*x.otherwise)) ? std::nullopt : as(std::move(out));
      },
      [&](const kernel::While& x) {
        kernel::While out = x;
        const std::set<std::string> assigned = assigned_in(s);
        values.forget(assigned);
        enter_branch();
        values.apart(assigned, [&] {
          values.suppose(x.condition);
          out.body = inside(x.body);
        });
        leave_branch();
        after_while();
        return as(std::move(out));
      },
      [&](const kernel::Check& x) { return check(x, s); }, [&](const kernel::Barrier&) { return std::optional(s); },
      [&](const Comment&) { return std::optional(s); },
      [&](const Shuffle& x) {
        values.declare(x.name, x.type, {});
        return std::optional(s);
      });
}

Block KnownWalk::block(const Block& b) {
  const auto outer = values.variables();
  std::set<std::string> declared;
  Block out;
  for (const Stmt& s : b.statements) {
    if (const auto* d = std::get_if<Declare>(&s.node)) declared.insert(d->name);
    if (auto left = statement(s)) out.statements.push_back(std::move(*left));
  }
  values.leave_block(outer, declared);
  return out;
}

StmtRef KnownWalk::inside(const StmtRef& s) {
  auto left = statement(*s);
  return StmtRef(left ? std::move(*left) : Stmt{Block{}});
}

StmtRef KnownWalk::iteration(const std::string& variable, const Expr& extent, const std::vector<Allocate>& scratch,
                             const StmtRef& body, const kernel::For* in_order) {
  StmtRef out = body;
  const std::set<std::string> assigned = assigned_in(*body);
  values.forget(assigned);
  values.apart(assigned, [&] {
    values.enter_loop(variable, extent);
    if (in_order) enter(*in_order, assigned);
    for (const Allocate& a : scratch) values.fits(a.count);
    out = inside(body);
  });
  return out;
}

}  // namespace lockstep
