// Rules (17) to (30) as amended: what an expression has, and what it has to have where that is known.
#include "semantics/fcl/inference.h"
#include "semantics/fcl/operators.h"

namespace lockstep::fcl::inference {

TypeId Inference::infer(const Expr& e) {
  const TypeId t = inferred(e);
  types_.emplace_back(&e, t);
  return t;
}

TypeId Inference::inferred(const Expr& e) {
  return match(
      e.node, [&](const Literal& l) { return u_.scalar(l.value.type); },
      [&](const Variable& v) { return variable(v.name, e.region); },
      [&](const SettingExpr&) { return u_.scalar(ScalarType::I32); },
      [&](const OperatorExpr& o) { return operator_type(operator_of(o.op), e.region); },
      [&](const InfixExpr& i) { return infix(i); },
      [&](const PrefixExpr& p) {
        const TypeId t = infer(*p.operand);
        const bool negates = p.op == Prefix::Negate;
        succeed(u_.constrain(t, negates ? Ints | Doubles : unsigned{Bools}), p.operand->region);
        return t;
      },
      [&](const PipeExpr& p) { return pipe(p); }, [&](const ComposeExpr& c) { return compose(c); },
      [&](const ApplyExpr& a) { return apply(e, a); }, [&](const LevelApplyExpr& a) { return level_apply(e, a); },
      [&](const FnExpr& f) { return function(f, 0, f.body, std::nullopt); },
      [&](const LetExpr& l) { return let(l, std::nullopt, ""); },
      [&](const IfExpr& i) {
        check(*i.condition, u_.scalar(ScalarType::Bool), "the condition");
        const TypeId t = infer(*i.yes);
        check(*i.no, t, "what the other branch gives");
        return t;
      },
      [&](const PairExpr& p) {
        const TypeId first = infer(*p.first);
        return u_.pair(first, infer(*p.second));
      },
      [&](const ArrayExpr& a) {
        const TypeId element = u_.unknown(formed(Kind::Ground));
        for (const ExprRef& i : a.items) check(*i, element, "the elements before it");
        return u_.pull(element);
      });
}

// What is known of a type goes into the functions that have to have it: so a parameter may take a level.
void Inference::check(const Expr& e, TypeId wanted, std::string_view as) {
  TypeId t = none;
  if (const auto* f = fcl::as<FnExpr>(e))
    t = function(*f, 0, f->body, wanted);
  else if (const auto* l = fcl::as<LetExpr>(e))
    t = let(*l, wanted, as);
  else
    return equal(infer(e), wanted, e.region, as, &e);
  types_.emplace_back(&e, t);
  equal(t, wanted, e.region, as, &e);
}

TypeId Inference::function(const FnExpr& f, std::size_t from, const ExprRef& body, std::optional<TypeId> wanted) {
  const auto result = [&](std::optional<TypeId> to) {
    if (from + 1 < f.parameters.size()) return function(f, from + 1, body, to);
    if (!to) return infer(*body);
    check(*body, *to, "what the function gives");
    return *to;
  };
  const Parameter& p = f.parameters[from];
  const Unifier::Node* known = wanted ? &u_[*wanted] : nullptr;
  if (p.is_level) {
    ++u_.depth;
    const LevelId bound = u_.rigid_level(p.name);
    std::optional<TypeId> to;
    if (known && known->shape == Unifier::Shape::LevelArrow)
      to = u_.instance(known->first, {{}, {{known->level.base, LevelTerm{0, bound}}}});
    levels_.emplace_back(p.name, LevelTerm{0, bound});
    const TypeId given = result(to);
    levels_.pop_back();
    --u_.depth;
    return u_.level_arrow(bound, given);
  }
  const bool arrow = known && known->shape == Unifier::Shape::Arrow;
  const TypeId taken = arrow ? known->first : u_.unknown();
  const std::optional<TypeId> to = arrow ? std::optional(known->second) : std::nullopt;
  locals_.emplace_back(p.name, Quantified{{}, {}, taken});
  const TypeId given = result(to);
  locals_.pop_back();
  return u_.arrow(taken, given);
}

// (25): of what the value has, that is generalised which nothing outside has.
TypeId Inference::let(const LetExpr& l, std::optional<TypeId> wanted, std::string_view as) {
  std::vector<TypeId> values;
  for (const Binding& b : l.bindings) {
    ++u_.depth;
    values.push_back(infer(*b.value));
    settle();
    --u_.depth;
    locals_.emplace_back(b.name, generalised(values.back()));
  }
  TypeId t = none;
  if (wanted) {
    check(*l.body, *wanted, as);
    t = *wanted;
  } else {
    t = infer(*l.body);
  }
  locals_.resize(locals_.size() - l.bindings.size());
  for (std::size_t k = 0; printed_.one_type && k < values.size(); ++k)
    equal(values[k], t, l.bindings[k].region, "the body");
  return t;
}

namespace {

// "`index`", "the function": what is applied, as messages name it.
std::string called_name(const Expr& e) {
  if (const auto* v = as<Variable>(e)) return "`" + v->name + "`";
  if (const auto* a = as<ApplyExpr>(e)) return called_name(*a->function);
  if (const auto* l = as<LevelApplyExpr>(e)) return called_name(*l->function);
  if (const auto* o = as<OperatorExpr>(e)) return "`" + std::string(row_of(o->op).symbol) + "`";
  return "the function";
}
std::size_t arguments_of(const Expr& e) {
  const auto* a = as<ApplyExpr>(e);
  return a ? 1 + arguments_of(*a->function) : 0;
}
std::string ordinal(std::size_t k) {
  static constexpr const char* words[] = {"the argument", "the second argument", "the third argument",
                                          "the fourth argument"};
  return k < 4 ? words[k] : "an argument";
}

}  // namespace

TypeId Inference::called(const Expr& function, TypeId type, const Expr& argument) {
  const Unifier::Node f = u_[type];
  const std::string name = told([&] { return called_name(function); });
  if (f.shape == Unifier::Shape::LevelArrow)
    fail(function.region, name + " takes a level first", name + " <level> …",
         "levels are thread, warp, block and grid: `push <block> xs`");
  TypeId from = f.first, to = f.second;
  if (f.shape == Unifier::Shape::Unknown) {
    from = infer(argument);
    to = u_.unknown();
    succeed(u_.unify(type, u_.arrow(from, to)), function.region);
  } else if (f.shape != Unifier::Shape::Arrow) {
    fail(argument.region, "one argument too many: " + name + " gives `" + u_.show(type) + "` before it", "", "");
  } else {
    check(argument, from, told([&] { return ordinal(arguments_of(function)) + " of " + name; }));
  }
  settle();
  return to;
}

TypeId Inference::apply(const Expr&, const ApplyExpr& a) {
  const TypeId f = infer(*a.function);
  return called(*a.function, f, *a.argument);
}

// The value first, as it is written: what is known of it goes into the function.
TypeId Inference::pipe(const PipeExpr& p) {
  const TypeId value = infer(*p.value);
  const TypeId f = infer(*p.function);
  const Unifier::Node node = u_[f];
  const std::string name = told([&] { return called_name(*p.function); });
  if (node.shape == Unifier::Shape::LevelArrow)
    fail(p.function->region, name + " takes a level first", name + " <level> …", "");
  const TypeId to = node.shape == Unifier::Shape::Arrow ? node.second : u_.unknown();
  if (node.shape == Unifier::Shape::Arrow)
    equal(value, node.first, p.value->region, told([&] { return ordinal(arguments_of(*p.function)) + " of " + name; }),
          p.value.get());
  else
    equal(f, u_.arrow(value, to), p.function->region, "a function of what stands before `|>`", p.function.get());
  settle();
  return to;
}

TypeId Inference::compose(const ComposeExpr& c) {
  const TypeId from = u_.unknown(), between = u_.unknown(), to = u_.unknown();
  check(*c.inner, u_.arrow(from, between), "a function, before which another is put by `.`");
  check(*c.outer, u_.arrow(between, to), "a function of what the one behind `.` gives");
  settle();
  return u_.arrow(from, to);
}

// (27): with any level.
TypeId Inference::level_apply(const Expr&, const LevelApplyExpr& a) {
  const TypeId f = infer(*a.function);
  const Unifier::Node node = u_[f];
  const std::string name = told([&] { return called_name(*a.function); });
  if (node.shape == Unifier::Shape::Unknown)
    fail(a.level_region, "a level is given to " + name + ", of which nothing says that it takes one",
         "a function that a `sig` gives the type `<lvl> -> …`", "write a `sig` for the definition");
  if (node.shape != Unifier::Shape::LevelArrow)
    fail(a.level_region, "a level is given to " + name + ", which is `" + u_.show(f) + "` and takes none", "",
         "delete it");
  const LevelTerm level = level_of(a.level, a.level_region);
  if (printed_.one_level && !judged_) judged_ = u_.unknown_level();
  if (printed_.one_level) succeed(u_.unify(level, *judged_), a.level_region);
  return printed_.any_result ? u_.unknown() : u_.instance(node.first, {{}, {{node.level.base, level}}});
}

TypeId Inference::operator_type(const ScalarOp& op, const Region& at) {
  unsigned allowed = 0;
  for (const auto& [type, bit] :
       {std::pair(ScalarType::I32, Ints), {ScalarType::F64, Doubles}, {ScalarType::Bool, Bools}})
    if (op.takes(type)) allowed |= bit;
  const bool every = allowed == (Ints | Doubles | Bools);
  const TypeId operand = u_.unknown(Kind::Base, every ? Ints | Doubles | Bools : allowed);
  if (allowed == Bools) succeed(u_.unify(operand, u_.scalar(ScalarType::Bool)), at);
  if (allowed == Ints) succeed(u_.unify(operand, u_.scalar(ScalarType::I32)), at);
  if (allowed == Doubles) succeed(u_.unify(operand, u_.scalar(ScalarType::F64)), at);
  TypeId t = op.gives ? u_.scalar(*op.gives) : op.gives_bool ? u_.scalar(ScalarType::Bool) : operand;
  for (int k = 0; k < op.arity; ++k) t = u_.arrow(operand, t);
  return t;
}

TypeId Inference::infix(const InfixExpr& i) {
  const ScalarOp& op = operator_of(i.op);
  const Unifier::Node outer = u_[operator_type(op, i.symbol)];
  const std::string of = told([&] { return " of `" + std::string(row_of(i.op).symbol) + "`"; });
  check(*i.left, outer.first, "the left operand" + of);
  const Unifier::Node inner = u_[outer.second];
  const TypeId right = infer(*i.right);
  const auto* number = fcl::as<Literal>(*i.left);
  const Unifier::Node r = u_[right];
  if (number && number->value.type == ScalarType::I32 && r.shape == Unifier::Shape::Scalar &&
      r.scalar == ScalarType::F64)
    fail(i.left->region,
         "this is `int`, and what stands on the right of `" + std::string(row_of(i.op).symbol) + "` is `double`",
         "two of one type", "a double is written with a point: " + std::to_string(number->value.integer()) + ".0");
  equal(right, inner.first, i.right->region, "the right operand" + of, i.right.get());
  return inner.second;
}

TypeId Inference::variable(const std::string& name, const Region& at) {
  if (const Quantified* q = found(locals_, name)) return use(*q);
  if (const auto d = known_.find(name); d != known_.end()) {
    if (!d->second) fail(at, "`" + name + "` has an error of its own", "", "");
    return use(*d->second);
  }
  const std::string_view own = std::string_view(name).substr(name.starts_with("#") ? 1 : 0);  // of a term
  if (const BuiltInRow* row = built_in_named(own)) return built_in(*row, at);
  if (const ScalarOp* op = scalar_function_named(own)) return operator_type(*op, at);
  std::vector<std::string> all = names_of_built_ins();
  for (const auto& [n, q] : locals_) all.push_back(n);
  for (const auto& [n, s] : known_) all.emplace_back(n);
  const bool level = found(levels_, name) || name == "thread" || name == "warp" || name == "block" || name == "grid";
  fail(at, "there is no `" + name + "` here", "a name that is bound, or of a definition before this one",
       level ? "a level stands in angles: `<" + name + ">`"
             : did_you_mean(name, all, "a definition sees those before it, and not itself"));
}

TypeId Inference::built_in(const BuiltInRow& row, const Region& at) {
  if (row.op == BuiltIn::Length) {
    const TypeId array = u_.unknown(formed(Kind::Ground));
    pending_.push_back({Pending::Length, array, none, none, none, at});
    return u_.arrow(array, u_.scalar(ScalarType::I32));
  }
  if (row.op == BuiltIn::Map) {
    const TypeId array = u_.unknown(formed(Kind::Ground)), result = u_.unknown(formed(Kind::Ground));
    const TypeId from = u_.unknown(formed(Kind::Ground)), to = u_.unknown(formed(Kind::Ground));
    pending_.push_back({Pending::Map, array, result, from, to, at});
    return u_.arrow(u_.arrow(from, to), u_.arrow(array, result));
  }
  if (const auto printed = printed_.built_ins.find(row.name); printed != printed_.built_ins.end())
    return use(scheme_of_text(printed->second));
  static const std::vector<Scheme> schemes = [] {
    std::vector<Scheme> all;
    for (const BuiltInRow& r : built_ins()) all.push_back(scheme_of_text(r.type));
    return all;
  }();
  return use(schemes[static_cast<std::size_t>(row.op)]);
}

}  // namespace lockstep::fcl::inference
