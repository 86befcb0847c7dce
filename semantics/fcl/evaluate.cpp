// Expressions of FCL to code that runs in an environment, each once.
#include "semantics/fcl/evaluate.h"

#include <algorithm>

#include "semantics/fcl/evaluator.h"
#include "semantics/fcl/operators.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/prelude.h"

namespace lockstep::fcl {
namespace evaluation {
namespace {

// A function of so many arguments, one at a time.
Val curried(std::size_t arity, std::function<Val(std::span<const Val>)> f, std::vector<Val> before = {}) {
  return function_val([arity, f = std::move(f), before = std::move(before)](const Val& x) {
    std::vector<Val> all = before;
    all.push_back(x);
    return all.size() == arity ? f(all) : curried(arity, f, std::move(all));
  });
}

// The scalars of a condition, for what is told of one that does not hold: names and lengths of arrays.
void asserted(const Expr& e, std::vector<const Expr*>& out) {
  if (const auto* i = as<InfixExpr>(e)) {
    asserted(*i->left, out);
    asserted(*i->right, out);
  } else if (const auto* p = as<PrefixExpr>(e)) {
    asserted(*p->operand, out);
  } else if (!as<Literal>(e)) {
    const bool twice = std::any_of(out.begin(), out.end(), [&](const Expr* o) { return *o == e; });
    if (!twice) out.push_back(&e);
  }
}

class Compiler {
 public:
  Compiler(const Inferred& program, Context& context) : program_(program), context_(context) {}

  Code definition(const Inferred& of, std::size_t k) {
    const std::pair<const Inferred*, std::size_t> key{&of, k};
    if (const auto met = context_.definitions.find(key); met != context_.definitions.end()) return met->second;
    const Definition& d = of.program.definitions[k];
    Compiler inside(program_, context_);
    inside.of_ = &of, inside.before_ = k;
    Code made = inside.function(d.parameters, 0, *d.body);
    context_.definitions.emplace(key, made);
    return made;
  }

 private:
  Code function(const std::vector<Parameter>& parameters, std::size_t from, const Expr& body) {
    if (from == parameters.size()) return code(body);
    scope_.push_back(parameters[from].is_level ? "<" : parameters[from].name);
    Code inside = function(parameters, from + 1, body);
    scope_.pop_back();
    // what takes a level takes an argument that nobody looks at
    return [inside = std::move(inside)](const Env& env) {
      return function_val([inside, env](const Val& x) { return inside(env.with(x)); });
    };
  }

  // A node that stages made of the prelude's is told as such, and what stands in it is not.
  Code code(const Expr& e) {
    const bool inside_noted = std::exchange(noted_, !e.traps_as.value.empty());
    Code made = code_of(e);
    const bool noted = std::exchange(noted_, inside_noted);
    if (!noted && !inside_noted) return made;
    return [made = std::move(made), noted, inside_noted, name = e.traps_as.value, at = e.region](const Env& env) {
      const auto outside = inside_noted ? env.origin->outside : env.origin;
      if (!noted) return made(Env{env.top, outside});
      return made(Env{env.top, std::make_shared<const Origin>(Origin{name, at, outside})});
    };
  }
  Code code_of(const Expr& e) {
    return match(
        e.node,
        [&](const Literal& l) -> Code {
          const Val v = literal(l);
          return [v](const Env&) { return v; };
        },
        [&](const Variable& v) { return variable(v.name, e.region); },
        [&](const SettingExpr& s) -> Code {
          const Launch& l = context_.how.launch;
          const Val v = val(std::int64_t{s.setting == Setting::BlockSize ? l.block : l.warp});
          return [v](const Env&) { return v; };
        },
        [&](const OperatorExpr& o) { return scalar_function(operator_of(o.op), row_of(o.op).symbol, e.region); },
        [&](const InfixExpr& i) { return infix(i, e.region); },
        [&](const PrefixExpr& p) {
          return scalar(operator_of(p.op), p.op == Prefix::Negate ? "-" : "!", {code(*p.operand)}, e.region);
        },
        [&](const PipeExpr& p) { return application(*p.function, {&*p.value}, e.region); },
        [&](const ComposeExpr& c) -> Code {
          return [f = code(*c.outer), g = code(*c.inner)](const Env& env) {
            const Val outer = f(env), inner = g(env);
            return function_val([outer, inner](const Val& x) { return apply(outer, apply(inner, x)); });
          };
        },
        [&](const ApplyExpr& a) { return application(*a.function, {&*a.argument}, e.region); },
        [&](const LevelApplyExpr& a) -> Code {
          if (is_built_in(*a.function)) return code(*a.function);
          return [f = code(*a.function)](const Env& env) { return apply(f(env), {Opaque{}}); };
        },
        [&](const FnExpr& f) { return function(f.parameters, 0, *f.body); }, [&](const LetExpr& l) { return let(l); },
        [&](const IfExpr& i) -> Code {
          return [c = code(*i.condition), yes = code(*i.yes), no = code(*i.no)](const Env& env) {
            return truth_of(c(env)) ? yes(env) : no(env);
          };
        },
        [&](const PairExpr& p) -> Code {
          return [first = code(*p.first), second = code(*p.second)](const Env& env) {
            Val a = first(env);
            return pair_val(std::move(a), second(env));
          };
        },
        [&](const ArrayExpr& a) -> Code {
          std::vector<Code> items;
          for (const ExprRef& i : a.items) items.push_back(code(*i));
          const auto n = static_cast<std::int64_t>(items.size());
          auto all = std::make_shared<const std::vector<Code>>(std::move(items));
          return [all, n](const Env& env) {
            return pull_val(n, [all, env](std::int64_t i) { return (*all)[static_cast<std::size_t>(i)](env); });
          };
        });
  }

  Val literal(const Literal& l) const {
    if (l.value.type != ScalarType::F64) return val(l.value);
    return val(context_.how.domain.from_ieee(ScalarType::F64, l.value.ieee()));
  }

  Code let(const LetExpr& l) {
    std::vector<Code> values;
    for (const Binding& b : l.bindings) {
      values.push_back(code(*b.value));
      scope_.push_back(b.name);
    }
    Code body = code(*l.body);
    scope_.resize(scope_.size() - l.bindings.size());
    return [values = std::move(values), body = std::move(body)](const Env& env) {
      Env inside = env;
      for (const Code& c : values) inside = inside.with(c(inside));
      return body(inside);
    };
  }

  std::optional<std::size_t> local(const std::string& name) const {
    for (std::size_t k = scope_.size(); k-- > 0;)
      if (scope_[k] == name) return scope_.size() - 1 - k;
    return std::nullopt;
  }
  // The definition that a name is of, where it is one.
  std::optional<std::pair<const Inferred*, std::size_t>> definition_of(const std::string& name) const {
    const auto among = [&](const Inferred& of, std::size_t before) -> std::optional<std::size_t> {
      for (std::size_t k = before; k-- > 0;)
        if (of.program.definitions[k].name == name) return k;
      return std::nullopt;
    };
    if (const auto k = among(*of_, before_)) return std::pair(of_, *k);
    if (of_ != &prelude())
      if (const auto k = among(prelude(), prelude().schemes.size())) return std::pair(&prelude(), *k);
    return std::nullopt;
  }
  // Also what stages copied from it.
  static bool is_of_prelude(const Inferred& of, std::size_t k) {
    return !name_in_prelude(of.program.definitions[k]).empty();
  }
  bool is_built_in(const Expr& e) const {
    const auto* v = as<Variable>(e);
    return v && !local(v->name) && !definition_of(v->name) && built_in_named(v->name);
  }

  Code variable(const std::string& name, const Region& at) {
    if (const auto up = local(name))
      return [n = *up](const Env& env) {
        const Node* node = env.top.get();
        for (std::size_t k = 0; k < n; ++k) node = node->next.get();
        return node->value;
      };
    if (const auto d = definition_of(name)) {
      const bool enters_prelude = is_of_prelude(*d->first, d->second) && !is_of_prelude(*of_, before_);
      const std::string told = name_in_prelude(d->first->program.definitions[d->second]);
      const auto origin = enters_prelude ? std::make_shared<const Origin>(Origin{told, at}) : nullptr;
      return [inside = Compiler(program_, context_).definition(*d->first, d->second), origin](const Env& env) {
        return inside(Env{nullptr, origin ? origin : env.origin});
      };
    }
    if (const BuiltInRow* row = built_in_named(name))
      return [row, at, this_context = &context_](const Env& env) {
        return curried(row->arity, [row, at, env, this_context](std::span<const Val> x) {
          if (row->op == BuiltIn::Assert && !is_opaque(x[0]) && !truth_of(x[0]))
            trap(env, "assert", "the condition does not hold", at);
          return operate(*this_context, row->op, x, env, at);
        });
      };
    for (const ScalarFunctionRow& f : scalar_functions())
      if (f.name == name) return scalar_function(*scalar_function_named(name), f.name, at);
    throw Bug("a name of FCL that nothing binds: " + name);
  }

  // A built-in that has all of its arguments is told at the whole of it.
  Code application(const Expr& function, std::vector<const Expr*> arguments, const Region& at) {
    const Expr* f = &function;
    for (;;) {
      if (const auto* a = as<ApplyExpr>(*f)) {
        arguments.insert(arguments.begin(), &*a->argument);
        f = &*a->function;
      } else if (const auto* l = as<LevelApplyExpr>(*f); l && is_built_in(*l->function)) {
        f = &*l->function;
      } else {
        break;
      }
    }
    std::vector<Code> codes;
    for (const Expr* x : arguments) codes.push_back(code(*x));
    if (is_built_in(*f)) {
      const BuiltInRow& row = *built_in_named(as<Variable>(*f)->name);
      if (row.arity == codes.size())
        return row.op == BuiltIn::Assert ? assertion(*arguments[0], std::move(codes), at)
                                         : operation(row.op, std::move(codes), at);
    }
    return [f = code(*f), codes = std::move(codes)](const Env& env) {
      Val v = f(env);
      for (const Code& c : codes) v = apply(v, c(env));
      return v;
    };
  }
  Code operation(BuiltIn op, std::vector<Code> codes, const Region& at) {
    return [op, codes = std::move(codes), at, context = &context_](const Env& env) {
      std::vector<Val> x;
      for (const Code& c : codes) x.push_back(c(env));
      return operate(*context, op, x, env, at);
    };
  }

  // "q * n == length xs does not hold: q = 2, n = 2, length xs = 5"
  Code assertion(const Expr& condition, std::vector<Code> codes, const Region& at) {
    std::vector<const Expr*> parts;
    asserted(condition, parts);
    std::vector<std::pair<std::string, Code>> shown;
    for (const Expr* p : parts) shown.emplace_back(print(*p), code(*p));
    return [codes = std::move(codes), shown = std::move(shown), text = print(condition), at,
            domain = &context_.how.domain](const Env& env) {
      const Val holds = codes[0](env);
      if (!is_opaque(holds) && !truth_of(holds)) {
        std::string message = text + " does not hold";
        for (std::size_t k = 0; k < shown.size(); ++k)
          if (const Val v = shown[k].second(env); std::holds_alternative<Scalar>(v.node))
            message += (k == 0 ? ": " : ", ") + shown[k].first + " = " + show(scalar_of(v), *domain);
        trap(env, "assert", std::move(message), at);
      }
      return codes[1](env);
    };
  }

  Code scalar(const ScalarOp& op, std::string_view name, std::vector<Code> operands, const Region& at) {
    return [&op, name, operands = std::move(operands), at, domain = &context_.how.domain](const Env& env) {
      std::vector<Val> x;
      for (const Code& c : operands) x.push_back(c(env));
      return scalar_result(op, name, x, at, *domain, env);
    };
  }
  Code scalar_function(const ScalarOp& op, std::string_view name, const Region& at) {
    return [&op, name, at, domain = &context_.how.domain](const Env& env) {
      return curried(static_cast<std::size_t>(op.arity), [&op, name, at, domain, env](std::span<const Val> x) {
        return scalar_result(op, name, x, at, *domain, env);
      });
    };
  }
  static Val scalar_result(const ScalarOp& op, std::string_view name, std::span<const Val> x, const Region& at,
                           const Domain& domain, const Env& env) {
    std::vector<Scalar> scalars;
    for (const Val& v : x) {
      if (is_opaque(v)) return {Opaque{}};
      scalars.push_back(scalar_of(v));
    }
    const Origin* o = env.origin.get();
    return val(fcl::apply(op, o ? std::string_view(o->name) : name, scalars, o ? o->at : at, domain));
  }

  Code infix(const InfixExpr& i, const Region& at) {
    if (i.op != Infix::And && i.op != Infix::Or)
      return scalar(operator_of(i.op), row_of(i.op).symbol, {code(*i.left), code(*i.right)}, at);
    return [left = code(*i.left), right = code(*i.right), decides = i.op == Infix::Or](const Env& env) {
      const Val a = left(env);
      return truth_of(a) == decides ? a : right(env);
    };
  }

  const Inferred& program_;
  Context& context_;
  const Inferred* of_ = nullptr;
  bool noted_ = false;  // what is compiled stands directly in a node that is told as the prelude's
  std::size_t before_ = 0;
  std::vector<std::string> scope_;
};

Val given(const Value& v) {
  const Value forced = force(v);
  return match(
      forced.node, [](const Scalar& s) { return val(s); },
      [](const std::shared_ptr<const PairValue>& p) { return pair_val(given(p->first), given(p->second)); },
      [&](const std::shared_ptr<const ArrayValue>& a) {
        return pull_val(a->length, [forced](std::int64_t i) { return given(element_of(forced, i)); });
      },
      [](const auto&) -> Val { throw Bug("a program of FCL is given what is no value of FCL"); });
}

Value taken(const Val& v) {
  const auto all = [](const std::vector<Val>& elements) {
    std::vector<Value> items;
    for (const Val& e : elements) items.push_back(taken(e));
    return array_value(std::move(items));
  };
  return match(
      v.node, [](const Scalar& s) { return scalar_value(s); },
      [](const std::shared_ptr<const std::pair<Val, Val>>& p) { return pair_value(taken(p->first), taken(p->second)); },
      [&](const std::shared_ptr<const PullArray>& a) {
        std::vector<Val> elements;
        for (std::int64_t i = 0; i < a->length; ++i) elements.push_back(a->at(i));
        return all(elements);
      },
      [&](const std::shared_ptr<const PushArray>& a) { return all(a->elements()); },
      [](const auto&) -> Value { throw Bug("a program of FCL gives a function"); });
}

}  // namespace
}  // namespace evaluation

tl::expected<Value, Trap> evaluate(const Inferred& program, std::string_view definition, std::vector<Value> arguments,
                                   const Evaluation& how) {
  using namespace evaluation;
  const Definition* d = definition_named(program.program, definition);
  if (!d) throw Bug("there is no definition " + std::string(definition));
  Context context{how};
  try {
    Val v = Compiler(program, context)
                .definition(program, static_cast<std::size_t>(d - program.program.definitions.data()))({});
    std::size_t next = 0;
    for (const Parameter& p : d->parameters) v = apply(v, p.is_level ? Val{Opaque{}} : given(arguments.at(next++)));
    while (next < arguments.size()) v = apply(v, given(arguments[next++]));
    return taken(v);
  } catch (const TrapSignal& s) {
    return tl::make_unexpected(s.trap);
  }
}

}  // namespace lockstep::fcl
