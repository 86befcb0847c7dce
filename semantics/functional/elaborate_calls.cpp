// Elaboration of applications: primitives, operators, defined functions (expanded here, their arguments evaluated
// once), functions that are parameters, and partial applications, which are eta-expanded where a function is wanted.
#include <algorithm>

#include "semantics/functional/elaborate.h"

namespace lockstep::inference {

using namespace surface;

namespace {

// Reading it twice costs nothing: a name, a number, or a component of a name.
bool atomic(const Phrase& p) {
  if (as<Ident>(p) || as<LiteralPhrase>(p) || as<NatPhrase>(p)) return true;
  const auto* x = as<PrimPhrase>(p);
  return x && (x->primitive->name == "fst" || x->primitive->name == "snd") && atomic(*x->arguments[0]);
}

std::string plural(std::size_t n, const std::string& word) {
  return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
}

// Implicit, then explicit.
std::vector<std::string> sizes_of(const Defined& d) {
  std::vector<std::string> out = d.implicit_sizes;
  for (const Defined::Parameter& p : d.parameters)
    if (!p.type) out.push_back(p.name);
  return out;
}

// What stands for a call that is still to be expanded. Nothing that runs programs is given one.
PrimitiveRef call_of(const Defined& d) {
  const auto bug = [name = d.name](auto&&...) -> Value { throw Bug("the call of " + name + " was not expanded"); };
  const auto no_path = [](PathReader&, const Instance&, const Path&) -> kernel::Expr {
    throw Bug("a read path through a call");
  };
  return std::make_shared<const Primitive>(Primitive{"call " + d.name, "", View{std::string(), bug, no_path}});
}

}  // namespace

void Definitions::add(Defined d) {
  d.call = call_of(d);
  d.nodes = d.expanded_nodes = node_count(*d.body);
  const std::function<void(const PhraseRef&)> look = [&](const PhraseRef& p) {
    constexpr std::size_t many = std::size_t{1} << 60;  // and not more, so that nothing overflows
    if (const Defined* called = called_by(*p)) {
      d.has_calls = true;
      d.expanded_nodes = std::min(many, d.expanded_nodes + called->expanded_nodes);
    }
    for_each_child(*p, look);
  };
  look(d.body);
  of_call_.emplace(d.call.get(), list_.size());
  last_.insert_or_assign(d.name, list_.size());
  list_.push_back(std::move(d));
}
const Defined* Definitions::find(const std::string& name) const {
  const auto it = last_.find(name);
  return it == last_.end() ? nullptr : &list_[it->second];
}
const Defined* Definitions::called_by(const Phrase& p) const {
  const auto* x = as<PrimPhrase>(p);
  if (!x) return nullptr;
  const auto it = of_call_.find(x->primitive.get());
  return it == of_call_.end() ? nullptr : &list_[it->second];
}

PhraseRef Elaborator::expanded(const PhraseRef& body, std::size_t nodes) {
  std::size_t left = nodes;
  const std::function<PhraseRef(const PhraseRef&)> go = [&](const PhraseRef& p) -> PhraseRef {
    const Defined* d = defined_.called_by(*p);
    if (!d) return map_children(p, go);
    const auto& x = *as<PrimPhrase>(*p);
    if (d->nodes > left)
      fail(p->region, defining + " expands to more than " + std::to_string(nodes) + " nodes", "",
           "name what is computed twice: let y = f x in ...");
    left -= d->nodes;
    SizeSubstitution sizes;
    TypeSubstitution types;
    const std::vector<std::string> names = sizes_of(*d);
    for (std::size_t k = 0; k < names.size(); ++k) sizes.insert_or_assign(names[k], x.sizes[k]);
    for (std::size_t k = 0; k < x.types.size(); ++k) types.insert_or_assign(d->type_variables[k], x.types[k]);
    // Arguments are atoms and functions, which are expanded where they have come to stand.
    return go(finish(instance_of(*d, sizes, types, x.arguments)));
  };
  return go(body);
}

Typed Elaborator::call(const Expr& e, const std::optional<Type>& expected) {
  std::vector<const Expr*> spine;
  const Expr* head = &e;
  while (const auto* a = std::get_if<surface::Apply>(&head->node)) {
    spine.push_back(&*a->argument);
    head = &*a->function;
  }
  std::reverse(spine.begin(), spine.end());
  if (const auto* f = std::get_if<Lambda>(&head->node)) return lambda_let(e, *f, spine, expected);
  std::vector<Argument> arguments;
  for (const Expr* a : spine) arguments.push_back({a, std::nullopt});
  return call_head(*head, arguments, e.region, expected);
}

Typed Elaborator::call_head(const Expr& head, const std::vector<Argument>& arguments, const Region& region,
                            const std::optional<Type>& expected) {
  if (const auto* o = std::get_if<Operator>(&head.node)) {
    // "Judged together with a minus in front of it."
    if (o->symbol == "neg" && arguments.size() == 1 && arguments[0].expression)
      if (const auto* l = std::get_if<Literal>(&arguments[0].expression->node);
          l && l->digits != "true" && l->digits != "false")
        return literal(*l, true, region, expected);
    return scalar_operator(calculus_.primitive(o->symbol), arguments, region, expected);
  }
  const auto* n = std::get_if<surface::Name>(&head.node);
  if (!n) {
    const Typed f = expression(head, std::nullopt);
    const bool known = !Unifier::is_unknown(unifier_.shallow(f.type));
    fail(head.region,
         known ? "this has the type " + show(unifier_.deep(f.type)) + " and is applied to an argument"
               : "a number is applied to an argument",
         "a function");
  }
  const bool local = std::any_of(scope_.begin(), scope_.end(), [&](const Binding& b) { return b.name == n->name; });
  if (local) {
    const Typed f = name(n->name, head.region);
    return arguments.empty() ? f : call_function_value(f, arguments, region);
  }
  if (const Defined* d = defined_.find(n->name)) return call_defined(*d, arguments, region, expected);
  const Calculus::Entry* entry = is_internal(n->name) ? nullptr : calculus_.find(n->name);
  if (!entry) return name(n->name, head.region);  // says that it is unknown
  if (std::holds_alternative<ScalarOp>(entry->primitive->kind))
    return scalar_operator(entry->primitive, arguments, region, expected);
  return call_primitive(*entry, arguments, region, expected);
}

PhraseRef Elaborator::wrap(const Lets& lets, PhraseRef body) {
  for (auto it = lets.rbegin(); it != lets.rend(); ++it) body = let(it->first, it->second, body);
  return body;
}

Typed Elaborator::atom(Typed t, const std::string& base, Lets& lets) {
  if (atomic(*t.phrase)) return t;
  const std::string n = names_.fresh(base);
  lets.emplace_back(n, t.phrase);
  return {ident(n, exp_type(t.type)), t.type};
}

// Data first, so that what is known of it is known inside the functions.
std::vector<PhraseRef> Elaborator::arguments_of(const std::vector<Argument>& arguments, std::size_t from,
                                                const std::vector<Type>& types, const std::string& what, Lets& lets) {
  std::vector<std::optional<PhraseRef>> done(types.size());
  for (const bool functions : {false, true}) {
    for (std::size_t k = 0; k < types.size(); ++k) {
      const Argument& a = arguments[from + k];
      const bool is_function = as<FunctionType>(unifier_.shallow(types[k])) != nullptr;
      if (is_function != functions) continue;
      if (a.made) {
        unify(types[k], a.made->type, a.expression ? a.expression->region : Region{}, "this argument of " + what);
        done[k] = a.made->phrase;
      } else if (functions) {
        done[k] = function_argument(*a.expression, unifier_.shallow(types[k]), lets).phrase;
      } else {
        done[k] = expression(*a.expression, types[k]).phrase;
      }
    }
    unifier_.solve();
    settle_operands(false);
  }
  std::vector<PhraseRef> out;
  for (auto& d : done) out.push_back(*d);
  return out;
}

Typed Elaborator::call_primitive(const Calculus::Entry& entry, const std::vector<Argument>& arguments,
                                 const Region& region, const std::optional<Type>& expected) {
  const std::string& what = entry.primitive->name;
  const std::size_t nats = entry.scheme.nats.size();
  std::vector<Type> parameters;
  SizeSubstitution sizes;
  TypeSubstitution types;
  std::vector<Size> size_arguments;
  std::vector<Type> type_arguments;
  Type result = entry.scheme.type;
  std::size_t arity = nats;
  for (const Type* t = &result; as<FunctionType>(*t); t = &*as<FunctionType>(*t)->to) ++arity;
  if (arguments.size() < arity)
    fail(
        region,
        what + " takes " + plural(arity, "argument") + ", " +
            (arguments.empty() ? "none is"
                               : plural(arguments.size(), "argument") + (arguments.size() == 1 ? " is" : " are")) +
            " given",
        "",
        "its type is " + std::string(nats ? "(" : "") +
            [&] {
              std::string text;
              for (const std::string& k : entry.scheme.nats) text += (text.empty() ? "" : ") -> (") + k + " : nat";
              return text;
            }() +
            (nats ? ") -> " : "") + show(entry.scheme.type));
  if (arguments.size() > arity)
    fail(region, what + " takes " + plural(arity, "argument") + ", " + std::to_string(arguments.size()) + " are given");
  for (std::size_t k = 0; k < entry.sizes.size(); ++k) {
    if (k < nats) {
      if (!arguments[k].expression) fail(region, "a size argument of " + what + " is missing", "a size");
      size_arguments.push_back(size_argument(*arguments[k].expression));
    } else {
      size_arguments.push_back(unifier_.fresh_size(region, "the size " + entry.sizes[k] + " of " + what));
    }
    sizes.insert_or_assign(entry.sizes[k], size_arguments.back());
  }
  for (const std::string& t : entry.types) {
    type_arguments.push_back(unifier_.fresh_type(region, "the type '" + t + " of " + what));
    types.insert_or_assign(t, type_arguments.back());
  }
  for (const SizeFact& need : entry.needs) require(lockstep::substitute(need, sizes), region, what);
  while (const auto* f = as<FunctionType>(result)) {
    parameters.push_back(lockstep::substitute(*f->from, sizes, types));
    const Type rest = *f->to;
    result = rest;
  }
  result = lockstep::substitute(result, sizes, types);
  // What is wanted is known before the arguments are looked at, but only its shape: sizes follow from the arguments.
  if (expected && as<ScalarType>(unifier_.shallow(*expected)) && Unifier::is_unknown(unifier_.shallow(result)))
    unify(*expected, result, region, what);
  Lets lets;
  std::vector<PhraseRef> done = arguments_of(arguments, nats, parameters, what, lets);
  return {wrap(lets, prim(entry.primitive, size_arguments, type_arguments, std::move(done), result, region)), result};
}

Typed Elaborator::call_defined(const Defined& d, const std::vector<Argument>& arguments, const Region& region,
                               const std::optional<Type>&) {
  if (arguments.size() != d.parameters.size())
    fail(region, d.name + " takes " + plural(d.parameters.size(), "argument") + ", " +
                     std::to_string(arguments.size()) + (arguments.size() == 1 ? " is" : " are") + " given");
  SizeSubstitution sizes;
  TypeSubstitution types;
  for (const std::string& s : d.implicit_sizes)
    sizes.insert_or_assign(s, unifier_.fresh_size(region, "the size " + s + " of " + d.name));
  for (const std::string& t : d.type_variables)
    types.insert_or_assign(t, unifier_.fresh_type(region, "the type '" + t + " of " + d.name));
  std::vector<Argument> rest;
  std::vector<Type> parameters;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (d.parameters[k].type) {
      rest.push_back(arguments[k]);
      continue;
    }
    if (!arguments[k].expression) fail(region, "a size argument of " + d.name + " is missing", "a size");
    sizes.insert_or_assign(d.parameters[k].name, size_argument(*arguments[k].expression));
  }
  for (const Defined::Parameter& p : d.parameters)
    if (p.type) parameters.push_back(lockstep::substitute(*p.type, sizes, types));
  Lets lets;
  const std::vector<PhraseRef> done = arguments_of(rest, 0, parameters, d.name, lets);
  for (const SizeFact& f : d.facts) require(lockstep::substitute(f, sizes), region, "a where fact of " + d.name);
  std::vector<PhraseRef> values;
  for (const Defined::Parameter& p : d.parameters) {
    if (!p.type) continue;
    const std::size_t k = values.size();
    const bool is_function = as<FunctionType>(*p.type) != nullptr;
    values.push_back(is_function ? done[k] : atom({done[k], parameters[k]}, p.name, lets).phrase);
  }
  const Type result = lockstep::substitute(d.result, sizes, types);
  if (atomic(*d.body) || (!d.has_calls && d.nodes <= nodes_left_)) {
    nodes_left_ -= std::min(nodes_left_, d.nodes);
    return {wrap(lets, instance_of(d, sizes, types, values)), result};
  }
  std::vector<Size> size_arguments;
  std::vector<Type> type_arguments;
  for (const std::string& s : sizes_of(d)) size_arguments.push_back(sizes.at(s));
  for (const std::string& t : d.type_variables) type_arguments.push_back(types.at(t));
  return {wrap(lets, prim(d.call, size_arguments, type_arguments, std::move(values), result, region)), result};
}

// The body with parameters replaced: by atoms, and by functions.
PhraseRef Elaborator::instance_of(const Defined& d, const SizeSubstitution& sizes, const TypeSubstitution& types,
                                  const std::vector<PhraseRef>& arguments) {
  PhraseSubstitution by;
  std::size_t k = 0;
  for (const Defined::Parameter& p : d.parameters)
    if (p.type) by.insert_or_assign(p.name, arguments[k++]);
  return substitute(refresh(substitute_sizes(d.body, sizes, types), names_), by);
}

// A parameter of function type: its arguments are names, so that it may be expanded by substitution.
Typed Elaborator::call_function_value(const Typed& f, const std::vector<Argument>& arguments, const Region& region) {
  Type t = unifier_.shallow(f.type);
  std::vector<Type> parameters;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const auto* function_type = as<FunctionType>(t);
    if (!function_type) {
      if (parameters.empty())
        fail(region, "this has the type " + show(unifier_.deep(f.type)) + " and is applied to an argument",
             "a function");
      fail(region,
           "a function of " + plural(parameters.size(), "argument") + " is given " + std::to_string(arguments.size()));
    }
    parameters.push_back(*function_type->from);
    const Type rest = unifier_.shallow(*function_type->to);
    t = rest;
  }
  Lets lets;
  const std::vector<PhraseRef> done = arguments_of(arguments, 0, parameters, "this function", lets);
  PhraseRef out = as<LambdaPhrase>(*f.phrase) ? refresh(f.phrase, names_) : f.phrase;
  for (std::size_t k = 0; k < done.size(); ++k) {
    const bool is_function = as<FunctionType>(parameters[k]) != nullptr;
    out = apply(out, is_function ? done[k] : atom({done[k], parameters[k]}, "a", lets).phrase);
  }
  return {wrap(lets, with_region(out, region)), t};
}

Typed Elaborator::scalar_operator(const PrimitiveRef& op, const std::vector<Argument>& arguments, const Region& region,
                                  const std::optional<Type>& expected) {
  const auto& facets = std::get<ScalarOp>(op->kind);
  const auto arity = static_cast<std::size_t>(static_cast<int>(facets.arity));
  const std::string shown = op->name == "neg" ? "-" : op->name == "not" ? "!" : op->name;
  if (arguments.size() != arity)
    fail(region, shown + " takes " + plural(arity, "operand") + ", " + std::to_string(arguments.size()) + " given",
         plural(arity, "operand"),
         arguments.empty() ? "a negative argument stands in parentheses: " + shown + " (-1)" : "");
  const Type operand_type = unifier_.fresh_type(region, "the operands of " + shown);
  const bool conversion = facets.gives && arity == 1;
  const bool keeps = !facets.gives_bool && !facets.gives;
  if (keeps && expected) {
    const Type want = unifier_.shallow(*expected);
    if (as<ScalarType>(want) || as<VectorType>(want)) unify(operand_type, want, region, "the result of " + shown);
  }
  if (facets.operands == Operands::Bool) unify(operand_type, scalar(ScalarType::Bool), region, shown);
  classes_.push_back({operand_type, facets.operands, shown, region});
  if (facets.operands == Operands::Float && Unifier::is_unknown(operand_type))
    float_unknowns_.insert(as<TypeVariable>(operand_type)->name);
  std::vector<PhraseRef> done;
  for (const Argument& a : arguments) {
    const Type known = unifier_.shallow(operand_type);
    std::optional<Type> want;
    if (!conversion && as<ScalarType>(known) && a.expression && std::holds_alternative<Literal>(a.expression->node))
      want = known;
    const Typed t = a.made ? *a.made : expression(*a.expression, want);
    if (conversion && as<IndexType>(unifier_.shallow(t.type)))
      unify(operand_type, t.type, region, shown);
    else
      operand(operand_type, t.type, a.expression ? a.expression->region : region, "this operand of " + shown);
    done.push_back(t.phrase);
  }
  settle_operands(false);
  const Type result = facets.gives        ? scalar(*facets.gives)
                      : facets.gives_bool ? scalar(ScalarType::Bool)
                                          : operand_type;
  return {prim(op, {}, {operand_type}, std::move(done), result, region), result};
}

// -------------------------------------------------------------------------------------------------- functions
Typed Elaborator::function_argument(const Expr& e, const Type& expected, Lets& lets) {
  if (const auto* l = std::get_if<Let>(&e.node)) {
    const Type t = pattern_type(l->pattern);
    const Typed v = expression(*l->value, std::nullopt);
    unify(t, v.type, l->value->region, "this expression");
    const std::string n = pattern_name(l->pattern);
    lets.emplace_back(n, v.phrase);
    const std::size_t outer = depth();
    bind_pattern(l->pattern, ident(n, exp_type(v.type)), v.type);
    const Typed f = function_argument(*l->body, expected, lets);
    leave(outer);
    return f;
  }
  const auto* f = std::get_if<Lambda>(&e.node);
  if (!f) {
    std::vector<Argument> arguments;
    const Expr* head = &e;
    std::vector<const Expr*> spine;
    while (const auto* a = std::get_if<surface::Apply>(&head->node)) {
      spine.push_back(&*a->argument);
      head = &*a->function;
    }
    for (auto it = spine.rbegin(); it != spine.rend(); ++it) arguments.push_back({*it, std::nullopt});
    if (!std::holds_alternative<surface::Name>(head->node) && !std::holds_alternative<Operator>(head->node) &&
        !std::holds_alternative<Lambda>(head->node))
      fail(e.region, "this is no function", "a function of the type " + show(unifier_.deep(expected)),
           "write \\x -> ...");
    return eta(*head, std::move(arguments), expected, e.region, lets);
  }
  const std::size_t outer = depth();
  Type t = unifier_.shallow(expected);
  std::vector<std::pair<std::string, PhraseType>> parameters;
  for (const Pattern& p : f->patterns) {
    const auto* function_type = as<FunctionType>(t);
    if (!function_type)
      fail(p.region, "a function of " + plural(f->patterns.size(), "argument") + " stands where one of " +
                         plural(parameters.size(), "argument") + " is wanted");
    const Type from = unifier_.shallow(*function_type->from);
    if (std::holds_alternative<TuplePattern>(p.node)) unify(from, pattern_type(p), p.region, "this pattern");
    const std::string n = pattern_name(p);
    parameters.emplace_back(n, phrase_type(from));
    bind_pattern(p, ident(n, phrase_type(from)), from);
    const Type rest = unifier_.shallow(*function_type->to);
    t = rest;
  }
  Typed body = [&]() -> Typed {
    if (!as<FunctionType>(t)) return expression(*f->body, t);
    Lets inner;  // \x -> map f, say: a function from a lambda
    const Typed g = function_argument(*f->body, t, inner);
    if (!inner.empty())
      fail(f->body->region, "this computes something before its last argument is known", "a function",
           "name the argument: \\x y -> ...");
    return g;
  }();
  leave(outer);
  PhraseRef out = body.phrase;
  for (auto it = parameters.rbegin(); it != parameters.rend(); ++it) out = lambda(it->first, it->second, out);
  return {out, expected};
}

// h a with arguments missing: \x -> h a x, with a evaluated once, outside.
Typed Elaborator::eta(const Expr& head, std::vector<Argument> arguments, const Type& expected, const Region& region,
                      Lets& lets) {
  if (arguments.empty())
    if (const auto* n = std::get_if<surface::Name>(&head.node)) {
      for (auto it = scope_.rbegin(); it != scope_.rend(); ++it)
        if (it->name == n->name) {
          Typed f = name(n->name, head.region);
          unify(expected, f.type, head.region, n->name);
          if (as<LambdaPhrase>(*f.phrase)) f.phrase = refresh(f.phrase, names_);
          return f;
        }
    }
  // What is not a size is evaluated once.
  const auto* n = std::get_if<surface::Name>(&head.node);
  const bool local =
      n && std::any_of(scope_.begin(), scope_.end(), [&](const Binding& b) { return b.name == n->name; });
  std::vector<bool> is_size(arguments.size(), false);
  std::vector<bool> is_function(arguments.size(), false);
  if (n && !local) {
    const Defined* d = defined_.find(n->name);
    const Calculus::Entry* entry = calculus_.find(n->name);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (d) {
        is_size[k] = k < d->parameters.size() && !d->parameters[k].type;
        is_function[k] = k < d->parameters.size() && d->parameters[k].type && as<FunctionType>(*d->parameters[k].type);
      } else if (entry) {
        is_size[k] = k < entry->scheme.nats.size();
        const Type* t = &entry->scheme.type;
        for (std::size_t j = entry->scheme.nats.size(); j < k && as<FunctionType>(*t); ++j)
          t = &*as<FunctionType>(*t)->to;
        is_function[k] = !is_size[k] && as<FunctionType>(*t) && as<FunctionType>(*as<FunctionType>(*t)->from);
      }
    }
  }
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (!is_size[k] && !is_function[k])
      arguments[k].made = atom(expression(*arguments[k].expression, std::nullopt), "a", lets);
  std::vector<std::pair<std::string, PhraseType>> parameters;
  Type t = unifier_.shallow(expected);
  while (const auto* function_type = as<FunctionType>(t)) {
    const Type from = unifier_.shallow(*function_type->from);
    const std::string x = names_.fresh("x");
    parameters.emplace_back(x, phrase_type(from));
    arguments.push_back({&head, Typed{ident(x, phrase_type(from)), from}});
    const Type rest = unifier_.shallow(*function_type->to);
    t = rest;
  }
  const Typed body = call_head(head, arguments, region, t);
  unify(t, body.type, region, "the result of this function");
  PhraseRef out = body.phrase;
  for (auto it = parameters.rbegin(); it != parameters.rend(); ++it) out = lambda(it->first, it->second, out);
  return {out, expected};
}

}  // namespace lockstep::inference
