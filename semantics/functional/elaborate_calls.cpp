// Elaboration of applications: primitives, operators, defined functions (expanded here, their arguments evaluated
// once), functions that are parameters, and partial applications, which are eta-expanded where a function is wanted.
#include <algorithm>

#include "semantics/core/size_limit.h"
#include "semantics/functional/advice.h"
#include "semantics/functional/elaborate.h"

namespace lockstep::inference {

using namespace surface;

std::size_t arity_of(const Type& t) {
  std::size_t n = 0;
  for (const Type* at = &t; as<FunctionType>(*at); at = &*as<FunctionType>(*at)->to) ++n;
  return n;
}

namespace {

// An index that `finish` makes a number of, or leaves as it is.
bool is_perhaps_conversion(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  return op && op->gives == ScalarType::I64 && Unifier::is_unknown(data_of(p));
}

// Reading it twice costs nothing: a name, a number, or a component of a name.
bool atomic(const Phrase& p) {
  if (as<Ident>(p) || as<LiteralPhrase>(p) || as<NatPhrase>(p)) return true;
  const auto* x = as<PrimPhrase>(p);
  return x && (component_taken(*x) || is_perhaps_conversion(p)) && atomic(*x->arguments[0]);
}

// α -> β -> β, as the function of reduce and scan.
bool accumulates(const Type& t) {
  const auto* f = as<FunctionType>(t);
  const auto* g = f ? as<FunctionType>(*f->to) : nullptr;
  return g && *g->from == *g->to && !(*f->from == *g->from);
}

std::string type_of(const TypeScheme& s) {
  std::string text;
  for (const std::string& k : s.nats) text += (text.empty() ? "(" : " -> (") + k + " : nat)";
  return text + (text.empty() ? "" : " -> ") + show(s.type);
}

std::string type_of(const Defined& d) {
  std::string text;
  for (const Defined::Parameter& p : d.parameters) {
    const std::string t = p.type ? show(*p.type) : "(" + p.name + " : nat)";
    text += (p.type && as<FunctionType>(*p.type) ? "(" + t + ")" : t) + " -> ";
  }
  return text + show(d.result);
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
  return std::make_shared<const Primitive>(
      Primitive{"call " + d.name, "", View{.type = "", .equation = "", .meaning = bug, .read = no_path}});
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
    if (d->nodes > left) throw TooManyNodes{p->region};
    SizeSubstitution sizes;
    TypeSubstitution types;
    const std::vector<std::string> names = sizes_of(*d);
    for (std::size_t k = 0; k < names.size(); ++k) sizes.insert_or_assign(names[k], x.sizes[k]);
    for (std::size_t k = 0; k < x.types.size(); ++k) types.insert_or_assign(d->type_variables[k], x.types[k]);
    // Arguments are atoms and functions, which are expanded where they have come to stand.
    PhraseRef made = skip();
    try {
      made = instance_of(*d, sizes, types, x.arguments);
    } catch (const SizeTooLarge&) {
      fail(p->region, "this makes a size that is too large to reason about", "coefficients below 2^63");
    }
    // A function that is an argument stands wherever it is used.
    const std::size_t nodes_made = node_count(*made);
    if (nodes_made > left) throw TooManyNodes{p->region};
    left -= nodes_made;
    return go(finish(made));
  };
  return go(body);
}

Typed Elaborator::call(const Expr& e, const std::optional<Type>& expected) {
  std::vector<const Expr*> spine;
  const Expr* head = &e;
  std::vector<Argument> arguments;
  while (const auto* a = std::get_if<surface::Apply>(&head->node)) {
    spine.push_back(&*a->argument);
    head = &*a->function;
    arguments.push_back({&*a->argument, std::nullopt, head});
  }
  std::reverse(spine.begin(), spine.end());
  std::reverse(arguments.begin(), arguments.end());
  if (const auto* f = std::get_if<Lambda>(&head->node)) return lambda_let(e, *f, spine, expected);
  return call_head(*head, arguments, e.region, expected);
}

std::vector<Elaborator::Argument> Elaborator::exchanged_arguments(const std::vector<Argument>& arguments,
                                                                  const Expr& head) {
  std::vector<Argument> out = arguments;
  std::swap(out[exchange->first], out[exchange->second]);
  std::vector<const Expr*> ordered;
  for (const Argument& a : out)
    if (!a.made) ordered.push_back(a.expression);
  exchange_text = call_text(written(head), ordered);
  exchange.reset();
  return out;
}

Typed Elaborator::call_head(const Expr& head, const std::vector<Argument>& arguments, const Region& region,
                            const std::optional<Type>& expected) {
  if (exchange && exchange->call.begin == region.begin && exchange->call.end == region.end &&
      exchange->first < arguments.size() && exchange->second < arguments.size())
    return call_head(head, exchanged_arguments(arguments, head), region, expected);
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
    no_function(head, expression(head, std::nullopt), arguments, region);
  }
  const bool local = std::any_of(scope_.begin(), scope_.end(), [&](const Binding& b) { return b.name == n->name; });
  if (local) {
    const Typed f = name(n->name, head.region);
    return arguments.empty() ? f : call_function_value(head, f, arguments, region);
  }
  if (const Defined* d = defined_.find(n->name)) return call_defined(*d, arguments, region, expected);
  const Calculus::Entry* entry = calculus_.callable(n->name);
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
                                                const std::vector<Type>& types, const std::string& what, Lets& lets,
                                                bool local_function) {
  std::vector<std::optional<PhraseRef>> done(types.size());
  for (const bool functions : {false, true}) {
    for (std::size_t k = 0; k < types.size(); ++k) {
      const Argument& a = arguments[from + k];
      const bool is_function = as<FunctionType>(unifier_.shallow(types[k])) != nullptr;
      if (is_function != functions) continue;
      if (a.made) {
        const Typed made = with_numbers(*a.made, types[k]);
        unify(types[k], made.type, a.expression ? a.expression->region : Region{}, "this argument of " + what);
        done[k] = made.phrase;
      } else if (functions) {
        done[k] = function_argument(*a.expression, unifier_.shallow(types[k]), lets).phrase;
      } else if (local_function && Unifier::is_unknown(unifier_.shallow(types[k]))) {
        Typed t = expression(*a.expression, std::nullopt);
        if (is_index(t.type)) {
          t = atom(std::move(t), "a", lets);
          indices_.push_back({types[k], t.type, a.expression->region, "this argument of " + what});
          t.phrase = prim(calculus_.primitive(show(ScalarType::I64)), {}, {t.type}, {t.phrase}, types[k],
                          a.expression->region);
        } else {
          unify(types[k], t.type, a.expression->region, "this argument of " + what);
        }
        done[k] = t.phrase;
      } else {
        done[k] = expression(*a.expression, types[k], "this argument of " + what).phrase;
      }
    }
    unifier_.solve();
    settle_operands(false);
  }
  std::vector<PhraseRef> out;
  for (auto& d : done) out.push_back(*d);
  return out;
}

// An array in place of the condition.
void Elaborator::explain_select(const std::vector<Argument>& arguments, const Region& at) {
  std::vector<const Expr*> parts;
  for (const Argument& a : arguments) parts.push_back(a.made ? nullptr : a.expression);
  if (std::find(parts.begin(), parts.end(), nullptr) != parts.end()) return;
  const std::size_t told = diagnostics_.size() - 1;
  if (at.begin != parts[0]->region.begin || at.end != parts[0]->region.end || is_array(*parts[0]) != true) return;
  const auto then = is_array(*parts[1]), otherwise = is_array(*parts[2]);
  const std::string instead = choice_over_elements("select", parts, then, otherwise);
  if (!instead.empty()) diagnostics_[told].mend = "over arrays: " + instead;
}

// Where one of them has an error, it is noted which of the others may be meant in its place.
std::vector<PhraseRef> Elaborator::arguments_in_order(const std::vector<Argument>& arguments,
                                                      const std::vector<std::optional<Type>>& parameters,
                                                      const std::vector<Type>& types, const std::string& name,
                                                      const std::string& type, const Region& region, Lets& lets) try {
  std::vector<Argument> of_types;
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (parameters[k]) of_types.push_back(arguments[k]);
  return arguments_of(of_types, 0, types, name, lets);
} catch (const Failure&) {
  const Region at = diagnostics_.back().region;
  if (name == "select") explain_select(arguments, at);
  const auto is_function = [&](std::size_t k) { return parameters[k] && as<FunctionType>(*parameters[k]); };
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (!arguments[k].expression || arguments[k].made || !parameters[k]) continue;
    const Region& argument = arguments[k].expression->region;
    const bool inside = argument.begin <= at.begin && at.end <= argument.end;
    const bool itself = argument.begin == at.begin && argument.end == at.end;
    if (is_function(k) ? !inside : !itself) continue;
    MisfitCall misfit{region, argument, k, is_function(k), {}, name, type};
    for (std::size_t j = 0; j < arguments.size(); ++j)
      if (j != k && arguments[j].expression && !arguments[j].made && parameters[j] && is_function(j) == is_function(k))
        misfit.others.push_back(j);
    if (!misfit.others.empty()) misfits.push_back(std::move(misfit));
  }
  throw;
}

// A size is written where a function is called: where the function stands for itself nothing can become one.
Size Elaborator::size_of_argument(const Argument& a, const std::string& name, const Region& region) {
  if (!a.expression) fail(region, "a size argument of " + name + " is missing", "a size");
  if (a.made)
    fail(region, name + " takes a size and is no function value", "a function of values",
         "write one, \\i -> ..., or give the size: " + name + " n");
  return size_argument(*a.expression);
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
  const std::size_t arity = nats + arity_of(result);
  if (arguments.size() != arity) wrong_count(what, arity, arguments, region, type_of(entry.scheme));
  bool misplaced = false;
  std::size_t at = 0;
  for (; at < nats; ++at) {
    const Argument& size = arguments[at];
    misplaced = misplaced || is_written_function(size) || (size.expression && !is_written_size(*size.expression));
  }
  for (const Type* t = &result; as<FunctionType>(*t); t = &*as<FunctionType>(*t)->to, ++at) {
    const Type& parameter = *as<FunctionType>(*t)->from;
    if (!as<FunctionType>(parameter)) misplaced = misplaced || is_written_function(arguments[at]);
    if (as<ArrayType>(parameter) && arguments[at].expression && !arguments[at].made)
      misplaced = misplaced || std::holds_alternative<Literal>(arguments[at].expression->node);
    if (accumulates(parameter) && arguments[at].expression && !arguments[at].made)
      accumulating.push_back(arguments[at].expression->region);
  }
  if (misplaced) {
    std::vector<std::optional<Type>> parameters(nats);
    for (const Type* t = &result; as<FunctionType>(*t); t = &*as<FunctionType>(*t)->to)
      parameters.emplace_back(*as<FunctionType>(*t)->from);
    refuse_other_order(what, arguments, parameters, region, type_of(entry.scheme));
  }
  for (std::size_t k = 0; k < entry.sizes.size(); ++k) {
    if (k < nats) {
      size_arguments.push_back(size_of_argument(arguments[k], what, region));
    } else {
      size_arguments.push_back(unifier_.fresh_size(region, "the size " + entry.sizes[k] + " of " + what));
    }
    sizes.insert_or_assign(entry.sizes[k], size_arguments.back());
  }
  for (const std::string& t : entry.types) {
    type_arguments.push_back(unifier_.fresh_type(region, "the type '" + t + " of " + what));
    types.insert_or_assign(t, type_arguments.back());
  }
  for (const SizeFact& need : entry.needs) {
    const SizeFact here = lockstep::substitute(need, sizes);
    if (here.left.constant() && here.right.constant() && evaluate(here, {}) == false)
      fail(region, what + " needs " + show(need) + ", which is " + show(here) + " here", show(need),
           "its type is " + type_of(entry.scheme));
    require(here, region, what);
  }
  std::vector<std::optional<Type>> written_types(nats);
  while (const auto* f = as<FunctionType>(result)) {
    written_types.emplace_back(*f->from);
    parameters.push_back(lockstep::substitute(*f->from, sizes, types));
    const Type rest = *f->to;
    result = rest;
  }
  result = lockstep::substitute(result, sizes, types);
  if (expected) push_wanted(*expected, result, region, what);
  Lets lets;
  std::vector<PhraseRef> done =
      arguments_in_order(arguments, written_types, parameters, what, type_of(entry.scheme), region, lets);
  if (const auto* view = std::get_if<View>(&entry.primitive->kind); view && view->vectors == ShortVectors::Made)
    if (const Type element = unifier_.deep(type_arguments[0]); as<ArrayType>(element) || as<PairType>(element))
      fail(arguments.back().expression ? arguments.back().expression->region : region,
           what + " makes short vectors of scalars, and " +
               (as<ArrayType>(result) ? "the elements here are " : "this is a ") + readable(element),
           as<ArrayType>(result) ? "an array of scalars" : "a scalar",
           as<PairType>(element) ? "make a short vector of each component: map fst xs, map snd xs"
                                 : "join makes one array of the rows");
  return {wrap(lets, prim(entry.primitive, size_arguments, type_arguments, std::move(done), result, region)), result};
}

Typed Elaborator::call_defined(const Defined& d, const std::vector<Argument>& arguments, const Region& region,
                               const std::optional<Type>&) {
  if (arguments.size() != d.parameters.size()) wrong_count(d.name, d.parameters.size(), arguments, region, type_of(d));
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::optional<Type>& parameter = d.parameters[k].type;
    if ((parameter && as<FunctionType>(*parameter)) || !is_written_function(arguments[k])) continue;
    std::vector<std::optional<Type>> parameters;
    for (const Defined::Parameter& p : d.parameters) parameters.push_back(p.type);
    refuse_other_order(d.name, arguments, parameters, region, type_of(d));
  }
  SizeSubstitution sizes;
  TypeSubstitution types;
  for (const std::string& s : d.implicit_sizes)
    sizes.insert_or_assign(s, unifier_.fresh_size(region, "the size " + s + " of " + d.name));
  for (const std::string& t : d.type_variables)
    types.insert_or_assign(t, unifier_.fresh_type(region, "the type '" + t + " of " + d.name));
  std::vector<Type> parameters;
  std::vector<std::optional<Type>> written_types;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    written_types.push_back(d.parameters[k].type);
    if (d.parameters[k].type) continue;
    sizes.insert_or_assign(d.parameters[k].name, size_of_argument(arguments[k], d.name, region));
  }
  for (const Defined::Parameter& p : d.parameters)
    if (p.type) parameters.push_back(lockstep::substitute(*p.type, sizes, types));
  Lets lets;
  const std::vector<PhraseRef> done =
      arguments_in_order(arguments, written_types, parameters, d.name, type_of(d), region, lets);
  for (const SizeFact& f : d.facts)
    require(lockstep::substitute(f, sizes), region, "the fact " + show(f) + " of " + d.name);
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

// A local function, or a parameter of function type: its arguments are names, so that it may be expanded by
// substitution.
Typed Elaborator::call_function_value(const Expr& head, const Typed& f, const std::vector<Argument>& arguments,
                                      const Region& region) {
  Type t = unifier_.shallow(f.type);
  const std::string name = written(head).empty() ? "this function" : written(head);
  const std::size_t wanted = arity_of(unifier_.deep(t));
  const auto* tuple = arguments[0].expression ? std::get_if<Tuple>(&arguments[0].expression->node) : nullptr;
  const bool in_parentheses = arguments.size() == 1 && tuple && tuple->parts.size() == wanted && wanted > 1;
  if ((arguments.size() > wanted && wanted > 0) || in_parentheses)
    wrong_count(name, wanted, arguments, region, readable(unifier_.deep(t)));
  std::vector<Type> parameters;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const auto* function_type = as<FunctionType>(t);
    if (!function_type) no_function(head, f, arguments, region);
    parameters.push_back(*function_type->from);
    const Type rest = unifier_.shallow(*function_type->to);
    t = rest;
  }
  const bool local = as<LambdaPhrase>(*f.phrase) != nullptr;
  const auto binding = std::find_if(scope_.rbegin(), scope_.rend(), [&](const Binding& b) { return b.name == name; });
  if (local && binding != scope_.rend() && binding->uses > 1)
    for (const Argument& a : arguments)
      if (a.expression) local_arguments_.push_back({a.expression->region, name});
  Lets lets;
  const std::vector<PhraseRef> done = arguments_of(arguments, 0, parameters, name, lets, local);
  PhraseRef out = local ? refresh(f.phrase, names_) : f.phrase;
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
  const std::string shown = facets.sign.empty() ? op->name : facets.sign;
  if (arguments.empty())
    fail(region, shown + " takes " + plural(arity, "operand") + ", none is given", plural(arity, "operand"),
         "it stands after the name, a negative number in parentheses: " + shown + " (-1)");
  if (arguments.size() == 1 && arity == 2 && arguments[0].expression && !arguments[0].made &&
      as<ArrayType>(unifier_.shallow(expression(*arguments[0].expression, std::nullopt).type)))
    fail(region, shown + " takes 2 operands, and this is an array of them", "2 operands",
         "over an array: reduce " + (std::isalpha(static_cast<unsigned char>(shown[0])) ? shown : "(" + shown + ")") +
             " start xs");
  if (arguments.size() != arity) wrong_count(shown, arity, arguments, region, "");
  if (arity == 2 && arguments[0].expression && arguments[1].expression)
    infix_ = {arguments[0].expression->region, shown, arguments[1].expression};
  const Type operand_type = unifier_.fresh_type(region, "the operands of " + shown);
  const bool conversion = facets.gives && arity == 1;
  if (facets.keeps() && expected) {
    const Type want = unifier_.shallow(*expected);
    if (as<ScalarType>(want) || as<VectorType>(want)) unify(operand_type, want, region, "the result of " + shown);
  }
  if (facets.operands == Operands::Bool) unify(operand_type, scalar(ScalarType::Bool), region, shown);
  if (facets.gives_bits && expected) {  // each is the other's result
    const Type want = unifier_.shallow(*expected);
    for (const ScalarType t : facets.types())
      if (want == scalar(facets.result(t))) unify(operand_type, scalar(t), region, shown);
  }
  classes_.push_back({operand_type, facets, shown, region});
  if (facets.operands == Operands::Float && Unifier::is_unknown(operand_type))
    float_unknowns_.insert(as<TypeVariable>(operand_type)->name);
  std::vector<PhraseRef> done;
  std::vector<Type> types;
  for (const Argument& a : arguments) {
    const Type known = unifier_.shallow(operand_type);
    std::optional<Type> want;
    if (!conversion && as<ScalarType>(known) && a.expression && std::holds_alternative<Literal>(a.expression->node))
      want = known;
    if (conversion && a.expression && !a.made) want = literal_under(*a.expression, *facets.gives);
    const Typed t = a.made ? *a.made : expression(*a.expression, want);
    types.push_back(t.type);
    if (const Type shape = unifier_.shallow(t.type); as<ArrayType>(shape) || as<PairType>(shape))
      operator_on_array(shown, arguments, types);
    if (conversion && as<IndexType>(unifier_.shallow(t.type)))
      unify(operand_type, t.type, region, shown);
    else
      operand(operand_type, t.type, a.expression ? a.expression->region : region, "this operand of " + shown);
    done.push_back(t.phrase);
  }
  settle_operands(false);
  if (facets.gives_bits && Unifier::is_unknown(unifier_.shallow(operand_type)))
    unify(operand_type, scalar(facets.types().front()), region, shown);
  const Type operands = unifier_.shallow(operand_type);
  const auto* known = as<ScalarType>(operands);
  const Type result = facets.keeps()                  ? operand_type
                      : known && facets.takes(*known) ? scalar(facets.result(*known))
                      : facets.gives_bits             ? operand_type  // which is refused
                                                      : scalar(facets.result(ScalarType::I64));
  return {prim(op, {}, {operand_type}, std::move(done), result, region), result};
}

}  // namespace lockstep::inference
