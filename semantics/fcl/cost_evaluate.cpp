// Expressions, evaluated where the machine is, their operations counted.
#include <algorithm>

#include "semantics/fcl/costing.h"
#include "semantics/fcl/operators.h"

namespace lockstep::fcl {
namespace costing {

const Scalar& Evaluator::scalar_of(const Val& v) {
  if (const auto* s = std::get_if<Scalar>(&v.node)) return *s;
  const auto* p = std::get_if<std::shared_ptr<Part>>(&v.node);
  if (!p) throw Bug("a value of FCL that is no scalar");
  Part& part = **p;
  if (!part.is_loaded) part.load();
  part.is_loaded = part.is_loaded || !machine_.is_unseen();
  return part.value;
}

Val Evaluator::curried(std::size_t arity, std::function<Val(std::span<const Val>)> f, std::vector<Val> before) {
  return function_val([this, arity, f = std::move(f), before = std::move(before)](const Val& x) {
    std::vector<Val> all = before;
    all.push_back(x);
    return all.size() == arity ? f(all) : curried(arity, f, std::move(all));
  });
}

Val Evaluator::function(const std::vector<Parameter>& parameters, std::size_t from, const ExprRef& body,
                        const Scope& at) {
  if (from == parameters.size()) return eval(*body, at);
  return function_val([this, &parameters, from, body, at](const Val& x) {
    return function(parameters, from + 1, body,
                    {std::make_shared<const Bound>(Bound{parameters[from].name, x, at.locals}), at.before});
  });
}

Val Evaluator::scalar(const ScalarOp& op, std::string_view name, std::span<const Val> x, const Region& region) {
  std::vector<Scalar> scalars;
  for (const Val& v : x) scalars.push_back(scalar_of(v));
  machine_.operation();
  return val(fcl::apply(op, name, scalars, region, ieee_domain()));
}

Val Evaluator::infix(const InfixExpr& i, const Scope& at, const Region& region) {
  if (i.op != Infix::And && i.op != Infix::Or) {
    const Val left = eval(*i.left, at);
    const Val both[] = {left, eval(*i.right, at)};
    return scalar(operator_of(i.op), row_of(i.op).symbol, both, region);
  }
  Val out = eval(*i.left, at);
  const bool holds = truth_of(out);
  machine_.branch(holds, [&] {
    if (holds != (i.op == Infix::Or)) out = eval(*i.right, at), scalar_of(out);
  });
  return out;
}

Val Evaluator::let(const LetExpr& l, const Scope& at) {
  Scope inside = at;
  for (const Binding& b : l.bindings)
    inside.locals = std::make_shared<const Bound>(Bound{b.name, eval(*b.value, inside), inside.locals});
  return eval(*l.body, inside);
}

// Which item it is, is found by comparing with each but the last.
Val Evaluator::item(const std::vector<ExprRef>& items, std::size_t from, std::int64_t i, const Scope& at) {
  if (from + 1 == items.size()) return eval(*items[from], at);
  machine_.operation();
  const bool is_it = static_cast<std::int64_t>(from) == i;
  Val out;
  machine_.branch(is_it, [&] { out = is_it ? eval(*items[from], at) : item(items, from + 1, i, at); });
  return out;
}

Val Evaluator::array(const ArrayExpr& a, const Scope& at) {
  return {std::make_shared<const Pull>(
      Pull{static_cast<std::int64_t>(a.items.size()),
           [this, items = a.items, at](std::int64_t i) { return item(items, 0, i, at); }, std::make_shared<Seen>()})};
}

Val Evaluator::eval(const Expr& e, const Scope& at) {
  return match(
      e.node,
      [&](const Literal& l) {
        return val(l.value.type == ScalarType::F64 ? ieee_domain().from_ieee(ScalarType::F64, l.value.ieee())
                                                   : l.value);
      },
      [&](const Variable& v) { return variable(v, at, e.region); },
      [&](const SettingExpr& s) {
        return val(std::int64_t{s.setting == Setting::BlockSize ? how_.launch.block : how_.launch.warp});
      },
      [&](const OperatorExpr& o) {
        return curried(2, [this, op = o.op, region = e.region](std::span<const Val> x) {
          return scalar(operator_of(op), row_of(op).symbol, x, region);
        });
      },
      [&](const InfixExpr& i) { return infix(i, at, e.region); },
      [&](const PrefixExpr& p) {
        const Val operand = eval(*p.operand, at);
        return scalar(operator_of(p.op), p.op == Prefix::Negate ? "-" : "!", {&operand, 1}, e.region);
      },
      [&](const PipeExpr&) { return application(e, at); },
      [&](const ComposeExpr& c) {
        const Val outer = eval(*c.outer, at), inner = eval(*c.inner, at);
        return function_val([outer, inner](const Val& x) { return apply(outer, apply(inner, x)); });
      },
      [&](const ApplyExpr&) { return application(e, at); },
      [&](const LevelApplyExpr& l) {
        if (built_in(*l.function, at)) return application(e, at);
        return apply(eval(*l.function, at), {level(l.level, at)});
      },
      [&](const FnExpr& f) { return function(f.parameters, 0, f.body, at); },
      [&](const LetExpr& l) { return let(l, at); },
      [&](const IfExpr& i) {
        const bool holds = truth_of(eval(*i.condition, at));
        Val out;
        machine_.branch(holds, [&] { out = eval(holds ? *i.yes : *i.no, at); });
        return out;
      },
      [&](const PairExpr& p) {
        Val first = eval(*p.first, at);
        return pair_val(std::move(first), eval(*p.second, at));
      },
      [&](const ArrayExpr& a) { return array(a, at); });
}

std::optional<std::size_t> Evaluator::definition(std::string_view name, std::size_t before) const {
  for (std::size_t k = before; k-- > 0;)
    if (program_.program.definitions[k].name == name) return k;
  return std::nullopt;
}

namespace {

const Bound* bound(std::string_view name, const Scope& at) {
  for (const Bound* b = at.locals.get(); b; b = b->next.get())
    if (b->name == name) return b;
  return nullptr;
}

}  // namespace

Level Evaluator::level(const Level& l, const Scope& at) const {
  if (l.variable.empty()) return l;
  const Bound* b = bound(l.variable, at);
  if (!b) throw Bug("a level of FCL that is no number: " + show(l));
  return {std::get<Level>(b->value.node).above + l.above};
}

const BuiltInRow* Evaluator::built_in(const Expr& e, const Scope& at) const {
  const auto* v = as<Variable>(e);
  return v && !bound(v->name, at) && !definition(v->name, at.before) ? built_in_named(v->name) : nullptr;
}

Val Evaluator::variable(const Variable& v, const Scope& at, const Region& region) {
  if (const Bound* b = bound(v.name, at)) return b->value;
  if (const auto k = definition(v.name, at.before)) {
    const Definition& d = program_.program.definitions[*k];
    return function(d.parameters, 0, d.body, {nullptr, *k});
  }
  if (const BuiltInRow* row = built_in_named(v.name))
    return curried(row->arity, [this, op = row->op, region](std::span<const Val> x) { return operate(op, x, region); });
  for (const ScalarFunctionRow& f : scalar_functions())
    if (f.name == v.name) {
      const ScalarOp& op = *scalar_function_named(f.name);
      return curried(static_cast<std::size_t>(op.arity), [this, &op, name = f.name, region](std::span<const Val> x) {
        return scalar(op, name, x, region);
      });
    }
  throw Bug("a name of FCL that nothing binds: " + v.name);
}

// Function first, then arguments from the left. Of a push the level is the first.
Val Evaluator::application(const Expr& e, const Scope& at) {
  std::vector<const Expr*> arguments;
  std::optional<Level> pushed;
  const Expr* f = &e;
  for (;;) {
    if (const auto* a = as<ApplyExpr>(*f)) {
      arguments.push_back(&*a->argument), f = &*a->function;
    } else if (const auto* p = as<PipeExpr>(*f)) {
      arguments.push_back(&*p->value), f = &*p->function;
    } else if (const auto* l = as<LevelApplyExpr>(*f); l && built_in(*l->function, at)) {
      pushed = level(l->level, at), f = &*l->function;
    } else {
      break;
    }
  }
  std::reverse(arguments.begin(), arguments.end());
  const BuiltInRow* row = built_in(*f, at);
  std::vector<Val> values;
  if (pushed) values.push_back({*pushed});
  const bool is_push = row && row->op == BuiltIn::Push;
  if (row && arguments.size() == row->arity) {
    if (row->op == BuiltIn::Assert && !truth_of(eval(*arguments[0], at)))
      trap("assert", "the condition does not hold", e.region);
    if (row->op == BuiltIn::Assert) return eval(*arguments[1], at);
    for (const Expr* a : arguments) values.push_back(eval(*a, at));
    return operate(row->op, values, e.region);
  }
  Val v = is_push ? curried(1,
                            [this, l = pushed.value(), region = e.region](std::span<const Val> x) {
                              const Val both[] = {{l}, x[0]};
                              return operate(BuiltIn::Push, both, region);
                            })
                  : eval(*f, at);
  for (const Expr* a : arguments) v = apply(v, eval(*a, at));
  return v;
}

}  // namespace costing

std::string_view name_of(Memory m) {
  return m == Memory::Global ? "global" : m == Memory::Shared ? "shared" : "private";
}

std::int64_t Costs::work() const {
  std::int64_t n = operations;
  for (const auto* of : {&loads, &stores})
    for (const std::int64_t x : *of) n += x;
  return n;
}

namespace {

std::int64_t total_in(const Costs& c, Memory m) {
  std::int64_t n = 0;
  for (const ArrayAccesses& a : c.accesses)
    if (a.memory == m) n += a.total;
  return n;
}

}  // namespace

std::int64_t Costs::transactions() const { return total_in(*this, Memory::Global); }
std::int64_t Costs::conflicts() const { return total_in(*this, Memory::Shared); }

tl::expected<Costs, Trap> costs(const Inferred& program, std::string_view definition, std::vector<Value> arguments,
                                const CostedRun& how) {
  Costs out;
  try {
    costing::Evaluator(program, how, out).run(definition, std::move(arguments));
    return out;
  } catch (const TrapSignal& s) {
    return tl::make_unexpected(s.trap);
  }
}

}  // namespace lockstep::fcl
