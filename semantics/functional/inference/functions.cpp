// Functions that are arguments: lambdas, operators, names, and what is applied to too few arguments.
#include "semantics/functional/inference/functions.h"

#include <algorithm>

#include "semantics/functional/inference/advice.h"
#include "semantics/functional/inference/calls.h"
#include "semantics/functional/inference/expressions.h"
#include "semantics/functional/inference/numbers.h"
#include "semantics/functional/inference/patterns.h"
#include "semantics/functional/inference/refusals.h"

namespace lockstep::inference {

using namespace surface;

PhraseType phrase_type(const Type& t) {
  if (const auto* f = as<FunctionType>(t)) return phrase_function(phrase_type(*f->from), phrase_type(*f->to));
  return exp_type(t);
}

std::string advice_on_count(const Lambda& f, std::size_t wanted, const Type& last) {
  if (wanted == 0) return "";
  const std::size_t more = f.patterns.size() - wanted;
  std::size_t components = 1;
  for (const Type* t = &last; as<PairType>(*t); t = &*as<PairType>(*t)->second) ++components;
  if (components <= more) return "";
  std::string head = "\\", tuple;
  for (std::size_t k = 0; k < f.patterns.size(); ++k) {
    const Region& r = f.patterns[k].region;
    if (!r.source) return "";
    const std::string text = r.source->text.substr(r.begin, r.end - r.begin);
    if (k + 1 < wanted) head += text + " ";
    if (k + 1 >= wanted) tuple += (tuple.empty() ? "(" : ", ") + text;
  }
  return "the argument is a tuple, which a pattern takes apart: " + head + tuple + ") -> ...";
}

namespace {

std::size_t operands_of(const PrimitiveRef& p) {
  const auto* op = std::get_if<ScalarOp>(&p->kind);
  return op ? static_cast<std::size_t>(static_cast<int>(op->arity)) : 0;
}

// \(x, y) -> ... where two arguments come one after the other.
void refuse_tuple(Work& w, const Lambda& f, const TuplePattern& parts, const Region& region, const Type& here,
                  const Type& expected) {
  const Type whole = w.types().deep(here), first = w.types().shallow(*as<FunctionType>(whole)->from);
  if (as<PairType>(first) || (Unifier::is_unknown(first) && !is_literal(w.types(), first))) return;
  if (f.patterns.size() != 1 || arity_of(whole) != parts.parts.size()) return;
  std::string instead = "\\";
  for (const Pattern& p : parts.parts) {
    if (!p.region.source) return;
    instead += p.region.source->text.substr(p.region.begin, p.region.end - p.region.begin) + " ";
  }
  w.fail(region, "this pattern takes a tuple apart, but " + plural(arity_of(whole), "argument") + " come",
         "a function of the type " + readable(w.types().deep(expected)),
         "the arguments come one after the other: " + instead + "-> ...");
}

[[noreturn]] void not_a_function(Work& w, const Expr& e, const Type& expected) {
  const Type t = w.types().deep(expected);
  std::string instead = as_argument(e);
  if (!instead.empty()) {
    std::string head = "(\\";
    for (std::size_t k = arity_of(t); k > 0; --k) head += "_ ";
    instead = ", as in " + head + "-> " + instead + ")";
  }
  w.fail(e.region, "this is no function", "a function of the type " + readable(t), "write a function" + instead);
}

}  // namespace

namespace {
std::size_t arity_of_phrase(const Work& w, const Type& type) {
  std::size_t n = 0;
  for (Type t = w.types().shallow(type); as<FunctionType>(t); ++n) {
    const Type rest = w.types().shallow(*as<FunctionType>(t)->to);
    t = rest;
  }
  return n;
}
std::size_t arity_of_name(const Work& w, const std::string& n) {
  if (const Binding* b = w.bindings.find(n)) {
    const auto* typed = std::get_if<Typed>(&b->meaning);
    return typed ? arity_of_phrase(w, typed->type) : 0;
  }
  if (const Defined* d = w.in.defined.find(n)) return d->parameters.size();
  const auto* entry = w.in.calculus.callable(n);
  if (!entry) return 0;
  if (std::holds_alternative<ScalarOp>(entry->primitive->kind)) return operands_of(entry->primitive);
  return entry->scheme.nats.size() + arity_of(entry->scheme.type);
}
}  // namespace

// Of a name, an operator or what is applied: how many arguments it still takes, as far as that is known.
std::size_t arguments_missing(const Work& w, const Expr& e) {
  const Expr* head = &e;
  std::size_t given = 0, taken = 0;
  for (const auto* a = std::get_if<surface::Apply>(&head->node); a;
       a = std::get_if<surface::Apply>(&head->node), ++given)
    head = &*a->function;
  if (const auto* o = std::get_if<Operator>(&head->node)) taken = operands_of(w.in.calculus.primitive(o->symbol));
  if (const auto* n = std::get_if<surface::Name>(&head->node)) taken = arity_of_name(w, n->name);
  return taken - std::min(given, taken);
}

std::vector<Type> parameters_of(Work& w, const Expr& e) {
  std::vector<Type> out;
  const Expr* head = &e;
  while (const auto* f = std::get_if<Lambda>(&head->node)) {
    for (const Pattern& p : f->patterns) out.push_back(pattern_type(w, p));
    head = &*f->body;
  }
  if (!out.empty()) return out;
  for (std::size_t k = arguments_missing(w, e); k > 0; --k)
    out.push_back(w.types().fresh_type(e.region, "a parameter of this function"));
  return out;
}

namespace {

using Parameters = std::vector<std::pair<std::string, PhraseType>>;
PhraseRef lambdas(const Parameters& parameters, PhraseRef body) {
  for (auto it = parameters.rbegin(); it != parameters.rend(); ++it) body = lambda(it->first, it->second, body);
  return body;
}

// Whether the k-th argument of what this name stands for is data, which is evaluated once.
bool takes_data(const Work& w, const std::string& name, std::size_t k) {
  if (w.bindings.find(name)) return true;
  if (const Defined* d = w.in.defined.find(name)) {
    if (k >= d->parameters.size()) return true;
    const std::optional<Type>& type = d->parameters[k].type;
    return type && !as<FunctionType>(*type);
  }
  const Calculus::Entry* entry = w.in.calculus.find(name);
  if (!entry) return true;
  if (k < entry->scheme.nats.size()) return false;
  const Type* t = &entry->scheme.type;
  for (std::size_t j = entry->scheme.nats.size(); j < k && as<FunctionType>(*t); ++j) t = &*as<FunctionType>(*t)->to;
  return !(as<FunctionType>(*t) && as<FunctionType>(*as<FunctionType>(*t)->from));
}

// h a with arguments missing: \x -> h a x, with a evaluated once, outside.
Typed eta(Work& w, const Expr& head, std::vector<Argument> arguments, const Type& expected, const Region& region,
          Lets& lets) {
  const auto* n = std::get_if<surface::Name>(&head.node);
  if (arguments.empty() && n && w.bindings.find(n->name)) {
    Typed f = named(w, n->name, head.region);
    w.unify(expected, f.type, head.region, n->name);
    if (as<LambdaPhrase>(*f.phrase)) f.phrase = refresh(f.phrase, w.in.names);
    return f;
  }
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (!n || takes_data(w, n->name, k))
      arguments[k].made = atom(w, expression(w, *arguments[k].expression, std::nullopt), "a", lets);
  Parameters parameters;
  Type t = w.types().shallow(expected);
  while (const auto* function_type = as<FunctionType>(t)) {
    const Type from = w.types().shallow(*function_type->from);
    const std::string x = w.in.names.fresh("x");
    parameters.emplace_back(x, phrase_type(from));
    arguments.push_back({&head, Typed{ident(x, phrase_type(from)), from}});
    const Type rest = w.types().shallow(*function_type->to);
    t = rest;
  }
  const Typed body = call_head(w, head, arguments, region, t);
  w.unify(t, body.type, region, "the result of this function");
  return {lambdas(parameters, body.phrase), expected};
}

// A name, an operator or a call: what is applied, and to what.
Typed of_too_few_arguments(Work& w, const Expr& e, const Type& expected, Lets& lets) {
  std::vector<Argument> arguments;
  const Expr* head = &e;
  while (const auto* a = std::get_if<surface::Apply>(&head->node)) {
    arguments.push_back({&*a->argument, std::nullopt});
    head = &*a->function;
  }
  std::reverse(arguments.begin(), arguments.end());
  if (!std::holds_alternative<surface::Name>(head->node) && !std::holds_alternative<Operator>(head->node) &&
      !std::holds_alternative<Lambda>(head->node))
    not_a_function(w, e, expected);
  return eta(w, *head, std::move(arguments), expected, e.region, lets);
}

// What is let before the function is computed once, outside.
Typed after_let(Work& w, const Let& l, const Type& expected, Lets& lets) {
  refuse_names_twice(w, {&l.pattern, 1});
  const Type t = pattern_type(w, l.pattern);
  const Typed v = expression(w, *l.value, std::nullopt);
  w.unify(t, v.type, l.value->region, "this expression");
  const std::string n = pattern_name(w, l.pattern);
  lets.emplace_back(n, v.phrase);
  const std::size_t outer = w.bindings.depth();
  bind_pattern(w, l.pattern, ident(n, exp_type(v.type)), v.type);
  const Typed f = function_argument(w, *l.body, expected, lets);
  w.bindings.leave(outer);
  return f;
}

Typed body_of(Work& w, const Lambda& f, const Type& result) {
  if (!as<FunctionType>(result)) return expression(w, *f.body, result);
  Lets inner;  // \x -> map f, say: a function from a lambda
  const Typed g = function_argument(w, *f.body, result, inner);
  if (!inner.empty())
    w.fail(f.body->region, "this computes something before its last argument is known", "a function",
           "name the argument: \\x y -> ...");
  return g;
}

Typed written_function(Work& w, const Lambda& f, const Type& expected) {
  refuse_names_twice(w, f.patterns);
  const std::size_t outer = w.bindings.depth();
  Type t = w.types().shallow(expected);
  Type last = t;  // of the parameter before
  Parameters parameters;
  for (const Pattern& p : f.patterns) {
    const auto* function_type = as<FunctionType>(t);
    if (!function_type)
      w.fail(p.region,
             "a function of " + plural(f.patterns.size(), "argument") + " stands where one of " +
                 plural(parameters.size(), "argument") + " is wanted",
             "a function of the type " + readable(w.types().deep(expected)),
             advice_on_count(f, parameters.size(), w.types().deep(last)));
    const Type from = w.types().shallow(*function_type->from);
    last = from;
    if (const auto* parts = std::get_if<TuplePattern>(&p.node)) {
      refuse_tuple(w, f, *parts, p.region, t, expected);
      w.unify(from, pattern_type(w, p), p.region, "this pattern");
    }
    const std::string n = pattern_name(w, p);
    parameters.emplace_back(n, phrase_type(from));
    bind_pattern(w, p, ident(n, phrase_type(from)), from);
    const Type rest = w.types().shallow(*function_type->to);
    t = rest;
  }
  const Typed body = body_of(w, f, t);
  w.bindings.leave(outer);
  return {lambdas(parameters, body.phrase), expected};
}

}  // namespace

Typed function_argument(Work& w, const Expr& e, const Type& expected, Lets& lets) {
  if (const auto* l = std::get_if<Let>(&e.node)) return after_let(w, *l, expected, lets);
  if (w.orders.reversed && w.orders.reversed->begin == e.region.begin && w.orders.reversed->end == e.region.end) {
    const std::optional<Exchanged> other_order = exchanged(e);
    w.orders.reversed.reset();
    if (other_order) {
      w.orders.reversed_text = other_order->text;
      return written_function(w, other_order->function, expected);
    }
  }
  if (const auto* f = std::get_if<Lambda>(&e.node)) return written_function(w, *f, expected);
  return of_too_few_arguments(w, e, expected, lets);
}

}  // namespace lockstep::inference
