// Expressions: functions and levels are applied, what is shared gets a name, scalars are left.
#include "translate/fcl/fuse.h"

#include <algorithm>

#include "semantics/fcl/operators.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/prelude.h"
#include "translate/fcl/fusing.h"

namespace lockstep::fcl {
namespace fusing {

struct RefusedSignal {
  NotFused why;
};
void Fusion::refuse(const std::string& why, const Region& at) { throw RefusedSignal{{why, at}}; }

Expr int_expr(std::int64_t n) { return {Literal{make_integer(ScalarType::I32, static_cast<std::uint64_t>(n))}}; }
Expr name_expr(const std::string& name) { return {Variable{name}}; }
Expr applied(const std::string& f, std::vector<Expr> arguments) {
  Expr out = name_expr(f);
  for (Expr& a : arguments) out = Expr{ApplyExpr{std::move(out), std::move(a)}};
  return out;
}
Expr infix_expr(Infix op, Expr a, Expr b) { return {InfixExpr{op, std::move(a), std::move(b)}}; }

std::optional<std::int64_t> int_literal(const Expr& e) {
  const auto* l = as<Literal>(e);
  return l && l->value.type == ScalarType::I32 ? std::optional(l->value.integer()) : std::nullopt;
}
bool is_atom(const Expr& e) {
  if (as<Literal>(e) || as<Variable>(e)) return true;
  const auto* a = as<ApplyExpr>(e);
  const auto* f = a ? as<Variable>(*a->function) : nullptr;
  return f && (f->name == "fst" || f->name == "snd") && is_atom(*a->argument);
}

Fusion::Fusion(const Entry& e, bool unrolls) : entry_(e), unrolls_(unrolls) {
  for (const std::string& n : names_of_built_ins()) taken_.insert(n);
  for (const Parameter& p : definition_of(e).parameters) taken_.insert(p.name);
  taken_.insert(e.definition);
}

std::string Fusion::fresh(const std::string& hint) {
  std::string base = hint.empty() || hint == "_" ? "x" : hint.substr(0, hint.find_last_not_of("0123456789") + 1);
  if (base.ends_with("_")) base.pop_back();
  if (base.empty()) base = "x";
  std::string name = base;
  for (int n = 1; !taken_.insert(name).second; ++n) name = base + "_" + std::to_string(n);
  return name;
}

// ---------------------------------------------------------------------------------------------------- what is left

namespace {

// Computed where it stands, as often as it is written.
bool materialises(const Expr& e) {
  const Expr* f = &e;
  while (const auto* a = as<ApplyExpr>(*f)) f = &*a->function;
  const auto* v = as<Variable>(*f);
  return v && (v->name == "force" || v->name == "while");
}

}  // namespace

Expr Fusion::closed(Scope scope, Expr result) {
  const auto* v = as<Variable>(result);
  if (v && !scope.bindings.empty() && scope.bindings.back().name == v->name) {
    result = *scope.bindings.back().value;
    scope.bindings.pop_back();
  }
  return fcl::let(std::move(scope.bindings), std::move(result));
}

// What was computed before has a name.
Base Fusion::named(Base b, const std::string& hint) {
  if (is_atom(b.left)) return b;
  const std::string text = materialises(b.left) ? "" : print(b.left);
  for (const Scope* s = scope_; s && !text.empty(); s = s->outside)
    if (const auto known = s->names.find(text); known != s->names.end())
      return {{Variable{known->second}, b.left.region}, b.type};
  const std::string name = fresh(hint);
  if (!text.empty()) scope_->names.emplace(text, name);
  const Region at = b.left.region;
  if (is_natural(b.left)) naturals_.insert(name);
  scope_->bindings.push_back({name, std::move(b.left), at});
  return {{Variable{name}, at}, b.type};
}
Base Fusion::trapping(Base b, const Env& env, const Region& at) {
  b.left = told_at(std::move(b.left), env, at);
  return named(std::move(b));
}
Expr Fusion::told_at(Expr e, const Env& env, const Region& at) {
  e.region = env.origin ? env.origin->at : at;
  if (env.origin) e.traps_as.value = env.origin->name;
  return e;
}
Sem Fusion::shared(const Sem& s, const std::string& hint) {
  if (const auto* b = std::get_if<Base>(&s.node)) return of_base(named(*b, hint));
  if (const auto* p = std::get_if<std::shared_ptr<const std::pair<Sem, Sem>>>(&s.node)) {
    Sem first = shared((*p)->first, hint);
    return sem_pair(std::move(first), shared((*p)->second, hint));
  }
  return s;
}
Sem Fusion::of_base(const Base& b) {
  const auto* p = as<PairOf>(b.type);
  if (!p) return sem(b);
  return sem_pair(of_base({applied("fst", {b.left}), *p->first}), of_base({applied("snd", {b.left}), *p->second}));
}
Expr Fusion::as_base(const Sem& s, Type& type) {
  if (const auto* b = std::get_if<Base>(&s.node)) {
    type = b->type;
    return b->left;
  }
  const auto& p = *std::get<std::shared_ptr<const std::pair<Sem, Sem>>>(s.node);
  Type a = int_type, b = int_type;
  Expr first = as_base(p.first, a), second = as_base(p.second, b);
  type = pair_of(std::move(a), std::move(b));
  return {PairExpr{std::move(first), std::move(second)}};
}
// fn index => let … in value
Expr Fusion::element(const std::string& index, const std::function<Sem()>& value, Type& type) {
  Scope inside;
  Expr body = within(inside, [&] { return as_base(value(), type); });
  return {FnExpr{{{index, false}}, closed(std::move(inside), std::move(body))}};
}

// ---------------------------------------------------------------------------------------------------- expressions

Sem Fusion::apply(const Sem& f, const Sem& x) { return (*std::get<std::shared_ptr<const Function>>(f.node))(x); }

Sem Fusion::curried(std::size_t arity, std::function<Sem(std::span<const Sem>)> f, std::vector<Sem> before) {
  return sem(Function([this, arity, f = std::move(f), before = std::move(before)](const Sem& x) {
    std::vector<Sem> all = before;
    all.push_back(shared(x, "x"));
    return all.size() == arity ? f(all) : curried(arity, f, std::move(all));
  }));
}

Sem Fusion::function(const std::vector<Parameter>& parameters, std::size_t from, const Expr& body, const Env& env) {
  if (from == parameters.size()) return eval(body, env);
  const Parameter& p = parameters[from];
  if (p.is_level)
    return sem(LevelFunction([=, this, &parameters, &body](const Level& l) {
      // a level is bound beside the names, as one that no expression has
      return function(parameters, from + 1, body, env.with("<" + p.name, sem(int_base(l.above))));
    }));
  return sem(Function([=, this, &parameters, &body](const Sem& x) {
    return function(parameters, from + 1, body, env.with(p.name, shared(x, p.name)));
  }));
}

namespace {

const Sem* bound_in(const Env& env, const std::string& name) {
  for (const Bound* b = env.top.get(); b; b = b->next.get())
    if (b->name == name) return &b->value;
  return nullptr;
}
Level level_in(const Env& env, const Level& l) {
  if (l.variable.empty()) return l;
  const Sem* bound = bound_in(env, "<" + l.variable);
  if (!bound) throw Bug("a level of FCL that nothing binds: " + l.variable);
  return {l.above + static_cast<int>(*int_literal(std::get<Base>(bound->node).left))};
}

}  // namespace

Sem Fusion::eval(const Expr& e, const Env& env) {
  const auto outside = env.origin && env.origin->of_node ? env.origin->outside : env.origin;
  if (e.traps_as.value.empty()) return eval_node(e, {env.top, outside});
  return eval_node(e, {env.top, std::make_shared<const Origin>(Origin{e.traps_as.value, e.region, true, outside})});
}
Sem Fusion::eval_node(const Expr& e, const Env& env) {
  return match(
      e.node,
      [&](const Literal& l) {
        return sem(Base{{l, e.region}, Type{l.value.type}});
      },
      [&](const Variable& v) { return variable(v.name, env, e.region); },
      [&](const SettingExpr& s) {
        return sem(int_base(s.setting == Setting::BlockSize ? entry_.launch.block : entry_.launch.warp));
      },
      [&](const OperatorExpr& o) {
        return curried(2, [this, o, env, at = e.region](std::span<const Sem> x) {
          return scalar(operator_of(o.op), {x.begin(), x.end()}, env, at,
                        [o](std::vector<Expr> y) { return infix_expr(o.op, y[0], y[1]); });
        });
      },
      [&](const InfixExpr& i) { return infix(i, env, e.region); },
      [&](const PrefixExpr& p) {
        return scalar(operator_of(p.op), {eval(*p.operand, env)}, env, e.region, [p](std::vector<Expr> x) {
          return Expr{PrefixExpr{p.op, x[0]}};
        });
      },
      [&](const PipeExpr& p) { return application(*p.function, {&*p.value}, env, e.region); },
      [&](const ComposeExpr& c) {
        const Sem f = eval(*c.outer, env), g = eval(*c.inner, env);
        return sem(Function([f, g](const Sem& x) { return apply(f, apply(g, x)); }));
      },
      [&](const ApplyExpr& a) { return application(*a.function, {&*a.argument}, env, e.region); },
      [&](const LevelApplyExpr& a) {
        const Sem f = eval(*a.function, env);
        return (*std::get<std::shared_ptr<const LevelFunction>>(f.node))(level_in(env, a.level));
      },
      [&](const FnExpr& f) { return function(f.parameters, 0, *f.body, env); },
      [&](const LetExpr& l) {
        Env inside = env;
        for (const Binding& b : l.bindings) inside = inside.with(b.name, shared(eval(*b.value, inside), b.name));
        return eval(*l.body, inside);
      },
      [&](const IfExpr& i) {
        const Base c = std::get<Base>(eval(*i.condition, env).node);
        return branches(
            c, [&] { return eval(*i.yes, env); }, [&] { return eval(*i.no, env); }, e.region);
      },
      [&](const PairExpr& p) {
        Sem first = eval(*p.first, env);
        return sem_pair(std::move(first), eval(*p.second, env));
      },
      [&](const ArrayExpr& a) { return literal_array(a, env, e.region); });
}

bool Fusion::is_built_in(const std::string& name, const Env& env) const {
  return !bound_in(env, name) && !definition_named(entry_.program.program, name) && built_in_named(name);
}

// A built-in that has all of its arguments is told at the whole of it.
Sem Fusion::application(const Expr& function, std::vector<const Expr*> arguments, const Env& env, const Region& at) {
  const Expr* f = &function;
  for (const auto* a = as<ApplyExpr>(*f); a; a = as<ApplyExpr>(*f)) {
    arguments.insert(arguments.begin(), &*a->argument);
    f = &*a->function;
  }
  const auto* v = as<Variable>(*f);
  const BuiltInRow* row = v && is_built_in(v->name, env) ? built_in_named(v->name) : nullptr;
  if (row && row->op == BuiltIn::Assert && arguments.size() == 2) {  // before the other argument
    asserted(std::get<Base>(shared(eval(*arguments[0], env), "x").node), env, at);
    return shared(eval(*arguments[1], env), "x");
  }
  if (row && row->op != BuiltIn::Push && row->arity == arguments.size()) {
    std::vector<Sem> x;
    for (const Expr* a : arguments) x.push_back(shared(eval(*a, env), "x"));
    return built_in(row->op, x, env, at);
  }
  Sem out = eval(*f, env);
  for (const Expr* a : arguments) out = apply(out, eval(*a, env));
  return out;
}

Sem Fusion::variable(const std::string& name, const Env& env, const Region& at) {
  if (const Sem* b = bound_in(env, name)) return *b;
  const auto& all = entry_.program.program.definitions;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].name == name) return definition(k, env, at);
  if (const BuiltInRow* row = built_in_named(name)) {
    if (row->op == BuiltIn::Push)
      return sem(LevelFunction(
          [this](const Level& l) { return sem(Function([this, l](const Sem& xs) { return pushed(l, xs); })); }));
    return curried(row->arity,
                   [this, op = row->op, env, at](std::span<const Sem> x) { return built_in(op, x, env, at); });
  }
  const ScalarOp* op = scalar_function_named(name);
  if (!op) throw Bug("a name of FCL that nothing binds: " + name);
  return curried(static_cast<std::size_t>(op->arity), [this, op, name, env, at](std::span<const Sem> x) {
    return scalar(*op, {x.begin(), x.end()}, env, at,
                  [name](std::vector<Expr> y) { return applied(name, std::move(y)); });
  });
}

// Of one that came from the prelude traps are told where it was called.
Sem Fusion::definition(std::size_t k, const Env& env, const Region& at) {
  const Definition& d = entry_.program.program.definitions[k];
  const std::string told = name_in_prelude(d);
  const bool of_prelude = !told.empty();
  std::shared_ptr<const Origin> origin = env.origin;
  if (of_prelude && !origin) origin = std::make_shared<const Origin>(Origin{told, at});
  return function(d.parameters, 0, *d.body, Env{nullptr, of_prelude ? origin : nullptr});
}

// What can trap is computed where it stands; what is literal is computed now, unless it traps.
Sem Fusion::scalar(const ScalarOp& op, std::vector<Sem> operands, const Env& env, const Region& at,
                   const std::function<Expr(std::vector<Expr>)>& written) {
  std::vector<Expr> left;
  std::vector<Scalar> known;
  ScalarType type = ScalarType::I32;
  for (const Sem& s : operands) {
    const Base& b = std::get<Base>(s.node);
    type = std::get<ScalarType>(b.type.node);
    left.push_back(b.left);
    if (const auto* l = as<Literal>(b.left)) known.push_back(l->value);
  }
  const Type result{op.result(type)};
  if (known.size() == operands.size() && type != ScalarType::F64) {
    try {
      return sem(Base{{Literal{op.meaning(ieee_domain(), type, known)}, at}, result});
    } catch (const TrapSignal&) {
    }
  }
  Base b{written(std::move(left)), result};
  b.left.region = at;
  if (!op.can_trap(type)) return sem(b);
  return sem(trapping(std::move(b), env, at));
}

Sem Fusion::infix(const InfixExpr& i, const Env& env, const Region& at) {
  if (i.op != Infix::And && i.op != Infix::Or) {
    const Sem left = eval(*i.left, env);
    return scalar(operator_of(i.op), {left, eval(*i.right, env)}, env, at,
                  [&](std::vector<Expr> x) { return infix_expr(i.op, x[0], x[1]); });
  }
  // the right side where it is needed
  const Base left = std::get<Base>(eval(*i.left, env).node);
  const bool decides = i.op == Infix::Or;
  if (const auto* l = as<Literal>(left.left)) return (l->value.bits != 0) == decides ? sem(left) : eval(*i.right, env);
  Scope inside;
  const Base right = within(inside, [&] { return std::get<Base>(eval(*i.right, env).node); });
  if (inside.bindings.empty()) return sem(Base{infix_expr(i.op, left.left, right.left), bool_type});
  Base b{infix_expr(i.op, left.left, closed(std::move(inside), right.left)), bool_type};
  return sem(named(std::move(b)));
}

// ---------------------------------------------------------------------------------------------------- the whole

Entry Fusion::run() {
  Scope body;
  const Definition& d = definition_of(entry_);
  Definition made{d.name, d.signature, {}, d.body, d.configurations, d.region, d.signature_region};
  const Expr result = within(body, [&] {
    Sem s = definition(static_cast<std::size_t>(&d - entry_.program.program.definitions.data()), {}, d.region);
    Type t = *d.signature;
    for (std::size_t k = 0; as<Arrow>(t); ++k) {
      const std::string name =
          k < d.parameters.size() && d.parameters[k].name != "_" ? d.parameters[k].name : fresh("x");
      made.parameters.push_back({name, false, d.region});
      const Type from = *as<Arrow>(t)->from;
      s = apply(s, given(name_expr(name), from));
      t = Type(*as<Arrow>(t)->to);
    }
    const auto* w = std::get_if<std::shared_ptr<const Written>>(&s.node);
    if (!w) refuse(d.name + " gives no push array", d.region);
    return (*w)->scheme([](const Sem& x) { return x; }).first;
  });
  made.body = closed(std::move(body), result);
  Checked<Inferred> program = typed({entry_.program.program.source, {std::move(made)}});
  if (!program) throw Bug("a program of FCL has no types after fusion: " + render(program.error().front()));
  return {std::move(*program), d.name, {}, entry_.launch};
}

}  // namespace fusing

Entry unrolled(const Entry& fused) { return fusing::Fusion(fused, true).run(); }

tl::expected<Entry, NotFused> fused(const Entry& instantiated) {
  try {
    return fusing::Fusion(instantiated).run();
  } catch (const fusing::RefusedSignal& s) {
    return tl::make_unexpected(s.why);
  }
}

}  // namespace lockstep::fcl
