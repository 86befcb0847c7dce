// Renaming binders, and replacing names.
#include "translate/l0/rename.h"

#include "semantics/l0/walk.h"
#include "semantics/text/patterns.h"

namespace lockstep::l0 {

void Renaming::give(const std::string& name, Expr atom) { scope_.bind(name, std::move(atom)); }

std::string Renaming::bind(const std::string& name) {
  if (name == "_") return name;  // of an index of rounds
  std::string own = fresh_.name(name);
  scope_.bind(name, variable(own));
  return own;
}
void Renaming::bind(Pattern& p) {
  reading::each_name(p, [&](std::string& name, Pattern&) { name = bind(name); });
}
std::string Renaming::named(const std::string& name) const {
  const Expr* e = scope_.find(name);
  return e ? std::get<Variable>(e->node).name : name;
}

Function Renaming::function(const Function& f) {
  const Inside inside(scope_);
  Function out = f;
  for (Parameter& p : out.parameters) p.name = bind(p.name);
  out.body = expression(*f.body);
  return out;
}

Expr Renaming::expression(const Expr& e) {
  Expr out = e;
  if (auto* b = std::get_if<BlockExpr>(&out.node)) {
    block(*b);
    return out;
  }
  if (auto* s = std::get_if<SoacExpr>(&out.node)) {
    for (Fn& f : s->functions) function_place(f);
    for (ExprRef& a : s->arguments) a = child(a);
    return out;
  }
  if (const auto* v = std::get_if<Variable>(&out.node)) {
    if (const Expr* given = scope_.find(v->name)) out.node = Expr(*given).node;
    return out;
  }
  if (auto* i = std::get_if<IndexExpr>(&out.node)) i->array = named(i->array);
  each_child(out, [&](ExprRef& c) { c = child(c); });
  return out;
}

void Renaming::block(BlockExpr& b) {
  const Inside inside(scope_);
  for (Binding& x : b.bindings)
    match(
        x.node,
        [&](LetBinding& l) {
          l.value = child(l.value);
          bind(l.pattern);
        },
        [&](UpdateBinding& u) {
          u.source = named(u.source);
          for (ExprRef& i : u.indices) i = child(i);
          u.value = child(u.value);
          u.name = bind(u.name);
        },
        [&](LoopBinding& l) { loop(l); });
  b.result = child(b.result);
}

// The merge names are bound for a round, and again for what follows: the same names in both.
void Renaming::loop(LoopBinding& l) {
  l.init = child(l.init);
  l.bound = child(l.bound);
  bind(l.merge);
  const Inside inside(scope_);
  l.index = bind(l.index);
  l.step = child(l.step);
}

Lambda Renaming::function(const Lambda& f) {
  const Inside inside(scope_);
  Lambda out = f;
  for (Parameter& p : out.parameters) p.name = bind(p.name);
  out.body = child(f.body);
  return out;
}

void Renaming::function_place(Fn& f) {
  if (auto* l = std::get_if<Lambda>(&f.node)) {
    *l = function(*l);
    return;
  }
  each_child_of_function(f, [&](ExprRef& c) { c = child(c); });
}

}  // namespace lockstep::l0
