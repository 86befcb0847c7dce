// Elaboration of functions that are arguments: lambdas, operators, names, and what is applied to too few arguments.
#include <algorithm>

#include "semantics/functional/advice.h"
#include "semantics/functional/elaborate.h"

namespace lockstep::inference {

using namespace surface;

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

// \(x, y) -> ... where two arguments come one after the other.
void Elaborator::refuse_tuple(const Lambda& f, const TuplePattern& parts, const Region& region, const Type& here,
                              const Type& expected) {
  const Type whole = unifier_.deep(here), first = unifier_.shallow(*as<FunctionType>(whole)->from);
  if (as<PairType>(first) || (Unifier::is_unknown(first) && !is_literal(first))) return;
  if (f.patterns.size() != 1 || arity_of(whole) != parts.parts.size()) return;
  std::string instead = "\\";
  for (const Pattern& p : parts.parts) {
    if (!p.region.source) return;
    instead += p.region.source->text.substr(p.region.begin, p.region.end - p.region.begin) + " ";
  }
  fail(region, "this pattern takes a tuple apart, but " + plural(arity_of(whole), "argument") + " come",
       "a function of the type " + readable(unifier_.deep(expected)),
       "the arguments come one after the other: " + instead + "-> ...");
}

Typed Elaborator::function_argument(const Expr& e, const Type& expected, Lets& lets) {
  if (const auto* l = std::get_if<Let>(&e.node)) {
    refuse_names_twice({&l->pattern, 1});
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
  std::optional<Exchanged> other_order;
  if (reversed && reversed->begin == e.region.begin && reversed->end == e.region.end) {
    other_order = exchanged(e);
    reversed.reset();
  }
  if (other_order) {
    reversed_text = other_order->text;
    f = &other_order->function;
  }
  if (f) refuse_names_twice(f->patterns);
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
      not_a_function(e, expected);
    return eta(*head, std::move(arguments), expected, e.region, lets);
  }
  const std::size_t outer = depth();
  Type t = unifier_.shallow(expected);
  Type last = t;  // of the parameter before
  std::vector<std::pair<std::string, PhraseType>> parameters;
  for (const Pattern& p : f->patterns) {
    const auto* function_type = as<FunctionType>(t);
    if (!function_type)
      fail(p.region,
           "a function of " + plural(f->patterns.size(), "argument") + " stands where one of " +
               plural(parameters.size(), "argument") + " is wanted",
           "a function of the type " + readable(unifier_.deep(expected)),
           advice_on_count(*f, parameters.size(), unifier_.deep(last)));
    const Type from = unifier_.shallow(*function_type->from);
    last = from;
    if (const auto* parts = std::get_if<TuplePattern>(&p.node)) refuse_tuple(*f, *parts, p.region, t, expected);
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

void Elaborator::not_a_function(const Expr& e, const Type& expected) {
  const Type t = unifier_.deep(expected);
  std::string instead = as_argument(e);
  if (!instead.empty()) {
    std::string head = "(\\";
    for (std::size_t k = arity_of(t); k > 0; --k) head += "_ ";
    instead = ", as in " + head + "-> " + instead + ")";
  }
  fail(e.region, "this is no function", "a function of the type " + readable(t), "write a function" + instead);
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
