// Joined (ours): two arrays of the program of which what reads them makes one, i < k ? a[i] : b[i - k], as of `concat`
// under a map, are parts of one array, which may then stand in the place of what it is copied to. In: a kernel; out:
// the same with one array for both, and without that choice.
#include <map>

#include "semantics/kernel/walk.h"
#include "translate/dpia/bound_names.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

struct Parts {
  std::string first, second;
  Size length;  // of the first
};

// The index of the whole that a choice reads, if it is one of two parts.
std::optional<std::pair<Parts, Expr>> parts_of(const Expr& e) {
  const auto* c = std::get_if<Choose>(&e.node);
  const auto* below = c ? std::get_if<Arith>(&c->condition->node) : nullptr;
  const auto* a = c ? std::get_if<Load>(&c->then->node) : nullptr;
  const auto* b = c ? std::get_if<Load>(&c->otherwise->node) : nullptr;
  if (!below || below->op != ArithOp::Less || !a || !b || a->buffer == b->buffer) return {};
  const auto i = as_size(*a->index), j = as_size(*b->index);
  const auto left = as_size(*below->left), right = as_size(*below->right);
  if (!i || !j || !left || !right || !(*left - *right == *j)) return {};
  return {{{a->buffer, b->buffer, *i - *j}, *a->index}};
}

// Joins the first two that can be.
class Joining {
 public:
  explicit Joining(const Program& p) : names_(names_of(p)) {
    each_statement(p.body, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Allocate>(&s.node)) ++declared_[a->name];
      if (const auto* l = std::get_if<ParallelFor>(&s.node))
        for (const Allocate& a : l->scratch) ++declared_[a.name];
    });
  }
  bool changed = false;

  Stmt in(const Stmt& s) {
    return rewritten(s, StmtChange([&](const Stmt& x) -> std::vector<Stmt> {
                       const auto* b = std::get_if<Block>(&x.node);
                       return {!changed && b ? block(*b, x) : x};
                     }));
  }

 private:
  Stmt block(const Block& b, const Stmt& s) {
    std::optional<Parts> found;
    each_expression(s, [&](const Expr& e) {
      if (auto parts = found ? std::nullopt : parts_of(e); parts && are_beside(b, parts->first)) found = parts->first;
    });
    if (!found) return s;
    changed = true;
    return joined(b, s, *found);
  }
  // Both are made in this block, of lengths that are known where it begins, each under a name of its own.
  bool are_beside(const Block& b, const Parts& p) const {
    const Allocate *first = made_in(b, p.first), *second = made_in(b, p.second);
    for (const Stmt& s : b.statements)
      for (const std::string& n : bound_by(s))
        if (second && reads(second->count, n)) return false;
    return first && second && declared_.at(p.first) == 1 && declared_.at(p.second) == 1 &&
           first->type == second->type && first->type.width == 1 && first->space == second->space &&
           as_size(first->count) == p.length && as_size(second->count);
  }
  static const Allocate* made_in(const Block& b, const std::string& name) {
    for (const Stmt& s : b.statements)
      if (const auto* a = std::get_if<Allocate>(&s.node); a && a->name == name) return a;
    return nullptr;
  }

  Stmt joined(const Block& b, const Stmt& s, const Parts& p) {
    Allocate both = *made_in(b, p.first);
    both.name = names_.fresh(p.first);
    both.count = size_expr(p.length + *as_size(made_in(b, p.second)->count));
    Block out;
    bool made = false;
    for (const Stmt& x : b.statements) {
      const auto* a = std::get_if<Allocate>(&x.node);
      if (!a || (a->name != p.first && a->name != p.second)) {
        out.statements.push_back(moved(x, p, both.name));
        continue;
      }
      if (!made) out.statements.push_back(Stmt{both, x.region});
      made = true;
    }
    return {std::move(out), s.region};
  }
  static Stmt moved(const Stmt& s, const Parts& p, const std::string& both) {
    const Stmt chosen = rewritten(s, ExprChange([&](const Expr& e) {
                                    const auto parts = parts_of(e);
                                    const bool these = parts && parts->first.first == p.first &&
                                                       parts->first.second == p.second &&
                                                       parts->first.length == p.length;
                                    return these ? load(both, e.type.scalar, parts->second) : e;
                                  }));
    return rename(shift(rename(chosen, p.first, both), p.second, size_expr(p.length)), p.second, both);
  }

  Names names_;
  std::map<std::string, int> declared_;
};

}  // namespace

kernel::Program with_joined_arrays(const kernel::Program& p) {
  Program out = p;
  for (;;) {
    Joining joining(out);
    out.body = joining.in(out.body);
    if (!joining.changed) return out;
  }
}

Stage joined(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>(
      "joined", "ours", kernel, kernel, [](const kernel::Program& p, Owed*) { return with_joined_arrays(p); },
      {Change::NotMore, Change::NotMore, CostRelation::Space::NotMore});
}

}  // namespace lockstep
