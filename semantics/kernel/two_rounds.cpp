#include "semantics/kernel/two_rounds.h"

#include "semantics/kernel/walk.h"

namespace lockstep::kernel {

std::optional<TwoRounds> two_rounds(const While& w) {
  const auto* body = std::get_if<Block>(&w.body->node);
  const auto* branch = body && !body->statements.empty() ? std::get_if<If>(&body->statements.back().node) : nullptr;
  if (!branch || !(branch->condition == w.condition)) return {};
  bool stays = true;
  each_expression(w.condition, [&](const Expr& e) {
    const auto stays_there = [&](const std::string& name) {
      stays = stays && !writes(*branch->otherwise, name);
      for (const Stmt& s : body->statements)  // the same name, another variable
        if (const auto* d = std::get_if<Declare>(&s.node)) stays = stays && d->name != name;
    };
    if (const auto* v = std::get_if<Var>(&e.node)) stays_there(v->name);
    if (const auto* l = std::get_if<Load>(&e.node)) stays_there(l->buffer);
    if (const auto* l = std::get_if<VectorLoad>(&e.node)) stays_there(l->buffer);
  });
  return stays ? std::optional(TwoRounds{&body->statements, branch}) : std::nullopt;
}

}  // namespace lockstep::kernel
