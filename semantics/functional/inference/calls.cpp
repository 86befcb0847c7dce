// Applications: what is applied, and functions that are parameters.
#include "semantics/functional/inference/calls.h"

#include <algorithm>

#include "semantics/functional/inference/advice.h"
#include "semantics/functional/inference/expressions.h"
#include "semantics/functional/inference/functions.h"
#include "semantics/functional/inference/literals.h"
#include "semantics/functional/inference/refusals.h"

namespace lockstep::inference {

using namespace surface;

namespace {

std::vector<Argument> exchanged_arguments(Work& w, const std::vector<Argument>& arguments, const Expr& head) {
  std::vector<Argument> out = arguments;
  std::swap(out[w.orders.exchange->first], out[w.orders.exchange->second]);
  std::vector<const Expr*> ordered;
  for (const Argument& a : out)
    if (!a.made) ordered.push_back(a.expression);
  w.orders.exchange_text = call_text(written(head), ordered);
  w.orders.exchange.reset();
  return out;
}

// A local function, or a parameter of function type: its arguments are names, so that it may be expanded by
// substitution.
Typed call_function_value(Work& w, const Expr& head, const Typed& f, const std::vector<Argument>& arguments,
                          const Region& region) {
  Type t = w.types().shallow(f.type);
  const std::string name = written(head).empty() ? "this function" : written(head);
  const std::size_t wanted = arity_of(w.types().deep(t));
  const auto* tuple = arguments[0].expression ? std::get_if<Tuple>(&arguments[0].expression->node) : nullptr;
  const bool in_parentheses = arguments.size() == 1 && tuple && tuple->parts.size() == wanted && wanted > 1;
  if ((arguments.size() > wanted && wanted > 0) || in_parentheses)
    wrong_count(w, {name, readable(w.types().deep(t)), region}, wanted, arguments);
  std::vector<Type> parameters;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const auto* function_type = as<FunctionType>(t);
    if (!function_type) no_function(w, head, f, arguments, region);
    parameters.push_back(*function_type->from);
    const Type rest = w.types().shallow(*function_type->to);
    t = rest;
  }
  const bool local = as<LambdaPhrase>(*f.phrase) != nullptr;
  const Binding* binding = w.bindings.find(name);
  if (local && binding && binding->uses > 1)
    for (const Argument& a : arguments)
      if (a.expression) w.constraints.at_local_argument(a.expression->region, name);
  Lets lets;
  const std::vector<PhraseRef> done =
      arguments_of(w, arguments, parameters, name, lets, local ? Callee::LocalFunction : Callee::Named);
  PhraseRef out = local ? refresh(f.phrase, w.in.names) : f.phrase;
  for (std::size_t k = 0; k < done.size(); ++k) {
    const bool is_function = as<FunctionType>(parameters[k]) != nullptr;
    out = apply(out, is_function ? done[k] : atom(w, {done[k], parameters[k]}, "a", lets).phrase);
  }
  return {wrap(lets, with_region(out, region)), t};
}

}  // namespace

Typed call(Work& w, const Expr& e, const std::optional<Type>& expected) {
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
  if (const auto* f = std::get_if<Lambda>(&head->node)) return lambda_let(w, e, *f, spine, expected);
  return call_head(w, *head, arguments, e.region, expected);
}

Typed call_head(Work& w, const Expr& head, const std::vector<Argument>& arguments, const Region& region,
                const std::optional<Type>& expected) {
  if (w.orders.exchange && w.orders.exchange->call.begin == region.begin && w.orders.exchange->call.end == region.end &&
      w.orders.exchange->first < arguments.size() && w.orders.exchange->second < arguments.size())
    return call_head(w, head, exchanged_arguments(w, arguments, head), region, expected);
  if (const auto* o = std::get_if<Operator>(&head.node)) {
    // "Judged together with a minus in front of it."
    if (o->symbol == "neg" && arguments.size() == 1 && arguments[0].expression)
      if (const auto* l = std::get_if<Literal>(&arguments[0].expression->node);
          l && l->digits != "true" && l->digits != "false")
        return literal_of(w, *l, true, region, expected);
    return call_operator(w, w.in.calculus.primitive(o->symbol), arguments, region, expected);
  }
  const auto* n = std::get_if<surface::Name>(&head.node);
  if (!n) {
    no_function(w, head, expression(w, head, std::nullopt), arguments, region);
  }
  if (w.bindings.find(n->name)) {
    const Typed f = named(w, n->name, head.region);
    return arguments.empty() ? f : call_function_value(w, head, f, arguments, region);
  }
  if (const Defined* d = w.in.defined.find(n->name)) return call_defined(w, *d, arguments, region);
  const Calculus::Entry* entry = w.in.calculus.callable(n->name);
  if (!entry) return named(w, n->name, head.region);  // says that it is unknown
  if (std::holds_alternative<ScalarOp>(entry->primitive->kind))
    return call_operator(w, entry->primitive, arguments, region, expected);
  return call_primitive(w, *entry, arguments, region, expected);
}

}  // namespace lockstep::inference
