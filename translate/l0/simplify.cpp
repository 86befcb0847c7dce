// Propagation from the front to the back, then removal from the back to the front, over and over.
#include "translate/l0/simplify.h"

#include <algorithm>
#include <cmath>

#include "semantics/l0/calls.h"
#include "semantics/l0/scalar_functions.h"
#include "semantics/l0/walk.h"
#include "semantics/text/patterns.h"
#include "translate/l0/fresh.h"
#include "translate/l0/traps.h"

namespace lockstep::l0 {
namespace {

// ------------------------------------------------------------------------------------------------- forwards

class Propagation {
 public:
  bool changed = false;

  Expr expression(const Expr& e) {
    Expr out = e;
    match(
        out.node,
        [&](Variable& v) {
          if (const auto at = known_.find(v.name); at != known_.end()) {
            out = Expr{at->second.node, e.region, e.type};
            changed = true;
          }
        },
        [&](IndexExpr& i) {
          rename(i.array);
          children(out);
        },
        [&](BlockExpr& b) { out = blocked(b, e); },
        [&](SoacExpr& s) {
          for (Fn& f : s.functions) each_child_of_function(f, [&](ExprRef& c) { c = expression(*c); });
          for (ExprRef& a : s.arguments) a = expression(*a);
        },
        [&](OneOf<Literal, TextLiteral, TupleExpr, ArrayExpr, PrefixExpr, InfixExpr, IfExpr, CallExpr, BuiltInExpr,
                  ShiftExpr, FlattenExpr> auto&) {
          children(out);
          fold(out);
        });
    return out;
  }

 private:
  void children(Expr& e) {
    each_child(e, [&](ExprRef& c) { c = expression(*c); });
  }
  // An array is known by another name, never as a constant.
  void rename(std::string& name) {
    const auto at = known_.find(name);
    if (at == known_.end()) return;
    name = std::get<Variable>(at->second.node).name;
    changed = true;
  }

  Expr blocked(const BlockExpr& b, const Expr& e) {
    std::vector<Binding> out;
    for (const Binding& x : b.bindings)
      match(
          x.node, [&](const LetBinding& l) { define(l, x.region, out); },
          [&](const UpdateBinding& u) {
            UpdateBinding made = u;
            rename(made.source);
            for (ExprRef& i : made.indices) i = expression(*i);
            made.value = expression(*u.value);
            out.push_back({std::move(made), x.region});
          },
          [&](const LoopBinding& l) {
            LoopBinding made = l;
            made.init = expression(*l.init);
            made.bound = expression(*l.bound);
            made.step = expression(*l.step);
            out.push_back({std::move(made), x.region});
          });
    Expr all = block(std::move(out), expression(*b.result));
    all.region = e.region;
    all.type = e.type;
    return all;
  }

  void define(const LetBinding& l, const Region& at, std::vector<Binding>& out) {
    Expr value = expression(*l.value);
    const auto* name = std::get_if<NamePattern>(&l.pattern.node);
    if (name && name->name != "_" && is_atom(value)) {
      known_.emplace(name->name, value);
      changed = true;
      return;
    }
    // a branch that was decided: its definitions stand here
    if (auto* b = std::get_if<BlockExpr>(&value.node)) {
      out.insert(out.end(), b->bindings.begin(), b->bindings.end());
      value = Expr(*b->result);
    }
    if (const auto* t = as<TupleExpr>(value)) {
      const auto& parts = std::get<TuplePattern>(l.pattern.node).items;
      for (std::size_t k = 0; k < parts.size(); ++k) out.push_back({LetBinding{parts[k], t->items[k]}, at});
      changed = true;
      return;
    }
    out.push_back({LetBinding{l.pattern, std::move(value)}, at});
  }

  // What has constants alone for operands, and does not trap, and gives what can be written.
  void fold(Expr& e) {
    std::optional<Scalar> result;
    const auto literal = [](const ExprRef& x) { return as<Literal>(*x); };
    if (const auto* p = as<PrefixExpr>(e)) {
      if (const auto* x = literal(p->operand))
        result = folded([&] { return apply(p->op, x->value, {}, ieee_domain()); });
    } else if (const auto* i = as<InfixExpr>(e)) {
      const auto *x = literal(i->left), *y = literal(i->right);
      const bool lazy = i->op == Infix::And || i->op == Infix::Or;
      if (lazy && x) {
        const bool decided = (x->value.bits != 0) == (i->op == Infix::Or);
        const ExprRef chosen = decided ? i->left : i->right;
        e = Expr(*chosen);
        changed = true;
        return;
      }
      if (x && y) result = folded([&] { return apply(i->op, x->value, y->value, {}, ieee_domain()); });
    } else if (const auto* c = as<CallExpr>(e)) {
      if (const ScalarFunction* f = scalar_function_named(c->function);
          f && !c->arguments.empty() && std::all_of(c->arguments.begin(), c->arguments.end(), literal)) {
        std::vector<Scalar> x;
        for (const ExprRef& a : c->arguments) x.push_back(literal(a)->value);
        result = folded([&] { return apply(*f, x, {}, ieee_domain()); });
      }
    } else if (const auto* i = as<IfExpr>(e)) {
      if (const auto* c = literal(i->condition)) {
        const ExprRef chosen = c->value.bits != 0 ? i->yes : i->no;
        e = Expr(*chosen);
        changed = true;
        return;
      }
    }
    if (!result || (result->type == ScalarType::F64 && !std::isfinite(result->ieee()))) return;
    e.node = Literal{*result};
    changed = true;
  }
  template <class F>
  static std::optional<Scalar> folded(const F& f) {
    try {
      return f();
    } catch (const TrapSignal&) {
      return std::nullopt;
    }
  }

  std::map<std::string, Expr> known_;
};

// ------------------------------------------------------------------------------------------------- backwards

void uses_of(const Expr& e, std::set<std::string>& into) {
  each_use(e, [&](const std::string& name, const Region&) { into.insert(name); });
}

bool any_used(const Pattern& p, const std::set<std::string>& used) {
  bool any = false;
  reading::each_name(p, [&](const std::string& name, const Pattern&) { any = any || used.contains(name); });
  return any;
}

class Removal {
 public:
  bool changed = false;

  Expr expression(const Expr& e) {
    Expr out = e;
    each_child(out, [&](ExprRef& c) { c = expression(*c); });
    if (const auto* b = as<BlockExpr>(out)) {
      Expr left = blocked(*b);
      out.node = std::move(left.node);
    }
    return out;
  }

 private:
  // Names are distinct: what is used is used of this one.
  Expr blocked(const BlockExpr& b) {
    std::set<std::string> used;
    uses_of(*b.result, used);
    std::vector<Binding> kept;
    for (auto x = b.bindings.rbegin(); x != b.bindings.rend(); ++x) {
      if (is_dead(*x, used)) {
        changed = true;
        continue;
      }
      if (const auto* u = std::get_if<UpdateBinding>(&x->node)) used.insert(u->source);
      each_child_of_binding(*x, [&](const ExprRef& c) { uses_of(*c, used); });
      kept.push_back(*x);
    }
    std::reverse(kept.begin(), kept.end());
    return block(std::move(kept), *b.result);
  }
  static bool is_dead(const Binding& b, const std::set<std::string>& used) {
    return match(
        b.node, [&](const LetBinding& l) { return !any_used(l.pattern, used) && !can_trap(*l.value); },
        [](const UpdateBinding&) { return false; },
        [&](const LoopBinding& l) {
          return !any_used(l.merge, used) && !can_trap(*l.init) && !can_trap(*l.bound) && !can_trap(*l.step);
        });
  }
};

Program without_dead_functions(const Program& p, const std::string& function) {
  std::set<std::string> live = reached_from(p, function);
  live.insert(function);
  Program out{p.source, {}};
  for (const Function& f : p.functions)
    if (live.count(f.name)) out.functions.push_back(f);
  return out;
}

}  // namespace

Program simplified(const Program& p, const std::string& function) {
  Program out = without_dead_functions(p, function);
  for (bool changed = true; changed;) {
    changed = false;
    for (Function& f : out.functions) {
      Propagation propagation;
      f.body = propagation.expression(*f.body);
      changed = changed || propagation.changed;
    }
    out = retyped(std::move(out), "simplify");
    for (Function& f : out.functions) {
      Removal removal;
      f.body = removal.expression(*f.body);
      changed = changed || removal.changed;
    }
  }
  return retyped(without_dead_functions(out, function), "simplify");
}

}  // namespace lockstep::l0
