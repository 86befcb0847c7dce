#include "semantics/fcl/step_terms.h"

#include <algorithm>
#include <limits>

#include "semantics/fcl/prelude.h"
#include "semantics/fcl/walk.h"

namespace lockstep::fcl::stepping {
namespace {

// Built-ins in terms are written #name, so that nothing hides them.
Expr primitive(std::string_view name) { return {Variable{"#" + std::string(name)}}; }

std::size_t arity_of(const Expr& head) {
  if (const BuiltInRow* b = built_in(head)) return b->arity;
  if (const ScalarFunctionRow* f = scalar_function(head))
    return static_cast<std::size_t>(scalar_function_named(f->name)->arity);
  return as<OperatorExpr>(head) ? 2 : 0;
}

}  // namespace

Applied applied(const Expr& e) {
  Applied out{&e, {}, {}};
  for (;;) {
    if (const auto* a = as<ApplyExpr>(*out.head)) {
      out.arguments.push_back(a->argument);
      out.head = &*a->function;
    } else if (const auto* l = as<LevelApplyExpr>(*out.head)) {
      out.levels.push_back(l->level);
      out.head = &*l->function;
    } else {
      std::reverse(out.arguments.begin(), out.arguments.end());
      std::reverse(out.levels.begin(), out.levels.end());
      return out;
    }
  }
}
const BuiltInRow* built_in(const Expr& head) {
  const auto* v = as<Variable>(head);
  return v && v->name.starts_with("#") ? built_in_named(std::string_view(v->name).substr(1)) : nullptr;
}
const ScalarFunctionRow* scalar_function(const Expr& head) {
  const auto* v = as<Variable>(head);
  if (v && v->name.starts_with("#"))
    for (const ScalarFunctionRow& f : scalar_functions())
      if (f.name == std::string_view(v->name).substr(1)) return &f;
  return nullptr;
}
Expr call(std::string_view name, Terms arguments) {
  Expr out = primitive(name);
  for (ExprRef& a : arguments) out = Expr{ApplyExpr{std::move(out), std::move(a)}};
  return out;
}
Expr int_term(std::int64_t n) { return {Literal{make_integer(ScalarType::I32, static_cast<std::uint64_t>(n))}}; }

bool is_base(const Expr& e) {
  if (const auto* p = as<PairExpr>(e)) return is_base(*p->first) && is_base(*p->second);
  return as<Literal>(e) != nullptr;
}
bool is_value_term(const Expr& e) {
  if (as<Literal>(e) || as<FnExpr>(e) || as<ArrayExpr>(e) || as<OperatorExpr>(e)) return true;
  if (const auto* p = as<PairExpr>(e)) return is_value_term(*p->first) && is_value_term(*p->second);
  if (const auto* c = as<ComposeExpr>(e)) return is_value_term(*c->outer) && is_value_term(*c->inner);
  const Expr* head = &e;
  std::size_t given = 0;
  for (;;) {
    if (const auto* a = as<ApplyExpr>(*head)) {
      if (!is_value_term(*a->argument)) return false;
      ++given;
      head = &*a->function;
    } else if (const auto* l = as<LevelApplyExpr>(*head)) {
      head = &*l->function;
    } else {
      break;
    }
  }
  const std::size_t arity = arity_of(*head);
  if (given < arity) return true;
  const BuiltInRow* b = given == arity ? built_in(*head) : nullptr;
  return b && (b->op == BuiltIn::Push || b->op == BuiltIn::Interleave);
}

namespace {

Expr reference(const Inferred& of, std::size_t k, const Region& at) {
  return {Variable{(&of == &prelude() ? "@p" : "@") + std::to_string(k)}, at};
}
// Free names of built-ins as #name, of definitions as @program:number.
Expr closed(const Expr& e, const Inferred& of, std::size_t before, std::vector<std::string>& scope) {
  if (const auto* v = as<Variable>(e)) {
    if (std::find(scope.begin(), scope.end(), v->name) != scope.end()) return e;
    for (std::size_t k = before; k-- > 0;)
      if (of.program.definitions[k].name == v->name) return reference(of, k, e.region);
    if (&of != &prelude())
      for (std::size_t k = prelude().schemes.size(); k-- > 0;)
        if (prelude().program.definitions[k].name == v->name) return reference(prelude(), k, e.region);
    Expr out = primitive(v->name);
    out.region = e.region;
    return out;
  }
  Expr out = e;
  const std::size_t outside = scope.size();
  if (auto* f = std::get_if<FnExpr>(&out.node)) {
    for (const Parameter& p : f->parameters)
      if (!p.is_level) scope.push_back(p.name);
    f->body = closed(*f->body, of, before, scope);
  } else if (auto* l = std::get_if<LetExpr>(&out.node)) {
    for (Binding& b : l->bindings) {
      b.value = closed(*b.value, of, before, scope);
      scope.push_back(b.name);
    }
    l->body = closed(*l->body, of, before, scope);
  } else {
    each_child(out, [&](ExprRef& c) { c = closed(*c, of, before, scope); });
  }
  scope.resize(outside);
  return out;
}

}  // namespace

// A definition as a function, its names those of definitions and built-ins.
Expr definition_term(const Inferred& of, std::size_t k) {
  const Definition& d = of.program.definitions[k];
  Expr body = d.parameters.empty() ? *d.body : Expr{FnExpr{d.parameters, d.body}, d.region};
  std::vector<std::string> scope;
  return closed(body, of, k, scope);
}

namespace {

// e with what f makes of its children, by number, in their places; nothing where it makes nothing of any.
template <class F>
std::optional<ExprRef> rebuilt(const ExprRef& e, const F& f) {
  std::vector<std::optional<ExprRef>> made;
  bool any = false;
  each_child(*e, [&](const ExprRef& c) {
    made.push_back(f(c, made.size()));
    any = any || made.back();
  });
  if (!any) return std::nullopt;
  Expr out = *e;
  std::size_t k = 0;
  each_child(out, [&](ExprRef& c) {
    if (auto& m = made[k++]) c = *std::move(m);
  });
  return ExprRef(std::move(out));
}
bool binds(const FnExpr& f, const std::string& name, bool level) {
  return std::any_of(f.parameters.begin(), f.parameters.end(),
                     [&](const Parameter& p) { return p.is_level == level && p.name == name; });
}
// Nothing where the name is not free.
std::optional<ExprRef> with_value(const ExprRef& e, const std::string& name, const ExprRef& by) {
  if (e->is_closed.value) return std::nullopt;
  if (const auto* v = as<Variable>(*e)) return v->name == name ? std::optional(by) : std::nullopt;
  if (const auto* f = as<FnExpr>(*e); f && binds(*f, name, false)) return std::nullopt;
  std::size_t visible = std::numeric_limits<std::size_t>::max();  // children, of a let that hides the name
  if (const auto* l = as<LetExpr>(*e))
    for (std::size_t k = l->bindings.size(); k-- > 0;)
      if (l->bindings[k].name == name) visible = k + 1;
  return rebuilt(e,
                 [&](const ExprRef& c, std::size_t k) { return k < visible ? with_value(c, name, by) : std::nullopt; });
}
std::optional<ExprRef> with_level(const ExprRef& e, const std::string& name, const Level& by) {
  if (const auto* f = as<FnExpr>(*e); f && binds(*f, name, true)) return std::nullopt;
  auto made = rebuilt(e, [&](const ExprRef& c, std::size_t) { return with_level(c, name, by); });
  const auto* l = as<LevelApplyExpr>(*e);
  if (!l || l->level.variable != name) return made;
  Expr out = made ? **made : *e;
  std::get<LevelApplyExpr>(out.node).level = {l->level.above + by.above, by.variable};
  return ExprRef(std::move(out));
}

}  // namespace

ExprRef substituted(const ExprRef& e, const std::string& name, const ExprRef& by) {
  if (by->is_closed.value || as<Literal>(*by)) return with_value(e, name, by).value_or(e);
  Expr closed = *by;
  closed.is_closed.value = true;
  return with_value(e, name, closed).value_or(e);
}
ExprRef at_level(const ExprRef& e, const std::string& name, const Level& by) {
  return with_level(e, name, by).value_or(e);
}

}  // namespace lockstep::fcl::stepping
