// Types of calls, of functions in their places, and of array operations with them.
#include <algorithm>

#include "semantics/l0/checker.h"
#include "semantics/l0/operators.h"

namespace lockstep::l0::checking {

Type Checker::call_scalar(const ScalarFunction& f, const std::vector<Type>& arguments, const Region& at) {
  const std::string name(f.name);
  if (arguments.size() != f.arity) {
    report(at, "`" + name + "` is given " + count_of(arguments.size(), "argument"), std::to_string(f.arity));
    return unknown;
  }
  std::vector<Type> taken;
  for (const ScalarType t : f.takes) taken.push_back(scalar(t));
  for (const Type& a : arguments)
    if (is_unknown(a)) return f.gives ? scalar(*f.gives) : unknown;
  const ScalarType* s = as<ScalarType>(arguments[0]);
  const bool alike =
      std::all_of(arguments.begin(), arguments.end(), [&](const Type& a) { return fits(a, arguments[0]); });
  const auto result = s && alike ? result_of(f, *s) : std::nullopt;
  if (result) return scalar(*result);
  std::string wanted;
  for (const Type& t : taken) wanted += (wanted.empty() ? "" : f.arity > 1 ? "s or two " : " or ") + show(t);
  if (f.arity > 1) wanted = "two " + wanted + "s";
  report(at, "`" + name + "` is given " + shown(arguments), wanted);
  return unknown;
}

// Of the program, or built in.
Type Checker::call(const std::string& name, const std::vector<Type>& arguments, const std::vector<Region>& places,
                   const Region& at) {
  const Function* f = function_named(program_, name);
  if (!f) {
    if (const ScalarFunction* s = scalar_function_named(name)) return call_scalar(*s, arguments, at);
    std::vector<std::string> names;
    for (const Function& each : program_.functions) names.push_back(each.name);
    for (const ScalarFunction& each : scalar_functions()) names.emplace_back(each.name);
    report(at, "there is no function `" + name + "`", "one of the file or a built-in", did_you_mean(name, names));
    return unknown;
  }
  if (arguments.size() != f->parameters.size()) {
    report(at, "`" + name + "` is given " + count_of(arguments.size(), "argument"),
           std::to_string(f->parameters.size()), "it is defined at " + show_position(f->region));
  } else {
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (!fits(arguments[k], f->parameters[k].type))
        mismatch(places[k], "argument `" + f->parameters[k].name + "` of `" + name + "`", arguments[k],
                 show(without_stars(f->parameters[k].type)));
  }
  return without_stars(f->result);
}

// Tuple shimming, §2.1.1: one argument that is a tuple of exactly what the parameters are.
bool Checker::unpacks(Calls& calls, const std::vector<Type>& parameters) {
  if (calls.arguments.size() != 1 || parameters.size() < 2) return false;
  const auto* tuple = as<TupleType>(calls.arguments[0]);
  if (!tuple || tuple->items.size() != parameters.size() ||
      !std::equal(parameters.begin(), parameters.end(), tuple->items.begin(), fits))
    return false;
  return calls.unpacks = true;
}

// What it is called with and gives is noted; `whose` function it is, is told.
Fn Checker::applied(const Fn& f, std::vector<Type> arguments, const std::string& whose) {
  Fn out = f;
  Calls calls{std::move(arguments), {}, false};
  calls.result = match(out.node, [&](auto& node) { return apply(node, calls, f.region, whose); });
  out.calls.value = std::move(calls);
  return out;
}

Type Checker::apply(Lambda& l, Calls& calls, const Region& at, const std::string& whose) {
  std::vector<Type> types;
  for (const Parameter& p : l.parameters) types.push_back(without_stars(p.type));
  if (!unpacks(calls, types)) {
    if (types.size() != calls.arguments.size())
      report(at, "the function of `" + whose + "` has " + count_of(types.size(), "parameter"),
             "it is called with " + shown(calls.arguments));
    for (std::size_t k = 0; k < types.size() && types.size() == calls.arguments.size(); ++k)
      if (!fits(types[k], calls.arguments[k]))
        mismatch(l.parameters[k].region, "parameter `" + l.parameters[k].name + "`", types[k],
                 show(calls.arguments[k]) + ", which `" + whose + "` calls it with");
  }
  const Inside inside(scope_);
  for (const Parameter& p : l.parameters) bind(p.name, without_stars(p.type));
  Expr body = expression(*l.body);
  expect(body, without_stars(l.result), "what the function gives");
  l.body = std::move(body);
  return without_stars(l.result);
}

// After partial application.
std::vector<Type> Checker::parameters_of(const NamedFunction& n, const Region& at) {
  std::vector<Type> types;
  if (const Function* f = function_named(program_, n.name)) {
    if (n.arguments.size() > f->parameters.size()) {
      report(at, "`" + n.name + "` is given " + count_of(n.arguments.size(), "argument") + " here",
             "fewer than its " + std::to_string(f->parameters.size()));
      return types;
    }
    for (std::size_t k = 0; k < n.arguments.size(); ++k)
      expect(*n.arguments[k], without_stars(f->parameters[k].type),
             "argument `" + f->parameters[k].name + "` of `" + n.name + "`");
    for (std::size_t k = n.arguments.size(); k < f->parameters.size(); ++k)
      types.push_back(without_stars(f->parameters[k].type));
  }
  return types;
}

Type Checker::apply(NamedFunction& n, Calls& calls, const Region& at, const std::string& whose) {
  n.arguments = all(n.arguments);
  const Function* f = function_named(program_, n.name);
  std::vector<Type> given;
  for (const ExprRef& a : n.arguments) given.push_back(a->type.value);
  if (f) {
    const std::vector<Type> types = parameters_of(n, at);
    if (!unpacks(calls, types)) {
      if (types.size() != calls.arguments.size())
        report(at, "`" + n.name + "` has " + count_of(types.size(), "parameter") + (given.empty() ? "" : " left"),
               "it is called by `" + whose + "` with " + shown(calls.arguments));
      for (std::size_t k = 0; k < types.size() && types.size() == calls.arguments.size(); ++k)
        if (!fits(types[k], calls.arguments[k]))
          mismatch(at, "parameter `" + f->parameters[k + given.size()].name + "` of `" + n.name + "`", types[k],
                   show(calls.arguments[k]) + ", which `" + whose + "` calls it with");
    }
    return without_stars(f->result);
  }
  if (const ScalarFunction* s = scalar_function_named(n.name)) {
    const auto* tuple = calls.arguments.size() == 1 ? as<TupleType>(calls.arguments[0]) : nullptr;
    if (tuple && tuple->items.size() + given.size() == s->arity) calls.unpacks = tuple->items.size() > 1;
    const std::vector<Type>& rest = calls.unpacks ? tuple->items : calls.arguments;
    given.insert(given.end(), rest.begin(), rest.end());
    return call_scalar(*s, given, at);
  }
  return call(n.name, given, {}, at);  // which reports that there is none
}

Type Checker::apply(OperatorFunction& o, Calls& calls, const Region& at, const std::string& whose) {
  std::vector<Type> types;
  if (o.first) {
    Expr first = expression(**o.first);
    types.push_back(first.type.value);
    o.first = std::move(first);
  }
  const auto* tuple = calls.arguments.size() == 1 && !o.first ? as<TupleType>(calls.arguments[0]) : nullptr;
  if (tuple && tuple->items.size() == 2) calls.unpacks = true;
  const std::vector<Type>& rest = calls.unpacks ? tuple->items : calls.arguments;
  types.insert(types.end(), rest.begin(), rest.end());
  if (types.size() == 2) return infix(o.op, types[0], types[1], at);
  report(at, "`op " + std::string(row_of(o.op).symbol) + "` has two operands",
         "it is called by `" + whose + "` with " + shown(calls.arguments));
  return unknown;
}

Type Checker::apply(PrefixFunction& p, Calls& calls, const Region& at, const std::string& whose) {
  const ScalarType* s = calls.arguments.size() == 1 ? as<ScalarType>(calls.arguments[0]) : nullptr;
  const auto result = s ? result_of(p.op, *s) : std::nullopt;
  if (result) return scalar(*result);
  if (calls.arguments.size() != 1 || !is_unknown(calls.arguments[0]))
    report(at,
           std::string("`op ") + (p.op == Prefix::Not ? "not`" : "~`") + " is called by `" + whose + "` with " +
               shown(calls.arguments),
           p.op == Prefix::Not ? "bool" : "int or real");
  return unknown;
}

// How many values it gives: the accumulators of a fold are as many.
std::size_t Checker::results_of(const Fn& f) {
  const auto items = [](const Type& t) {
    const auto* tuple = as<TupleType>(t);
    return tuple ? tuple->items.size() : 1;
  };
  return match(
      f.node, [&](const Lambda& l) { return items(l.result); },
      [&](const NamedFunction& n) {
        const Function* named = function_named(program_, n.name);
        return named ? items(named->result) : 1;
      },
      [](const OneOf<OperatorFunction, PrefixFunction> auto&) { return std::size_t{1}; });
}

namespace {

Type array_of_results(const Type& result, bool tuples) {
  const auto* tuple = as<TupleType>(result);
  if (is_unknown(result)) return unknown;
  if (!tuples || !tuple) return array_of(result);
  std::vector<Type> arrays;
  for (const Type& item : tuple->items) arrays.push_back(array_of(item));
  return tuple_of(std::move(arrays));
}

std::vector<Type> joined(std::vector<Type> a, const std::vector<Type>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

Type Checker::map_type(SoacExpr& s, const std::vector<Type>& elements, bool tuples) {
  s.functions[0] = applied(s.functions[0], elements, std::string(name_of(s.op)));
  return array_of_results(result_of(s.functions[0]), tuples);
}

Type Checker::filter_type(SoacExpr& s, const std::vector<Type>& elements) {
  s.functions[0] = applied(s.functions[0], elements, std::string(name_of(s.op)));
  const Type& t = result_of(s.functions[0]);
  if (!fits(t, bool_type))
    mismatch(s.functions[0].region, "what the function of `" + std::string(name_of(s.op)) + "` gives", t, "bool");
  std::vector<Type> arrays;
  for (const Type& e : elements) arrays.push_back(is_unknown(e) ? unknown : array_of(e));
  return tuple_of(std::move(arrays));
}

// reduce, scan and redomap: the accumulators come first, then an element of each array.
Type Checker::fold_type(SoacExpr& s, std::size_t starts, const std::vector<Type>& elements, const Region& at) {
  const std::string name(name_of(s.op));
  std::vector<Type> accumulators;
  for (std::size_t k = 0; k < starts; ++k) accumulators.push_back(s.arguments[k]->type.value);
  const Type all = tuple_of(std::vector<Type>(accumulators));
  const bool redomap = s.functions.size() == 2;
  if (!redomap && !std::equal(accumulators.begin(), accumulators.end(), elements.begin(), elements.end(), fits)) {
    report(at, "`" + name + "` starts with " + shown(accumulators) + " and goes over elements of " + shown(elements),
           "the same types");
    return all;
  }
  for (std::size_t k = 0; k < s.functions.size(); ++k) {
    const std::vector<Type>& seconds = redomap && k == 0 ? accumulators : elements;
    s.functions[k] = applied(s.functions[k], joined(accumulators, seconds), name);
    if (!fits(result_of(s.functions[k]), all))
      mismatch(s.functions[k].region, "what the function of `" + name + "` gives", result_of(s.functions[k]),
               show(all) + ", as it starts with");
  }
  return all;
}

Type Checker::soac(SoacExpr& s, const Region& at) {
  const bool folds = soac_words[s.op].folds, tuples = is_of_several(s.op);
  const std::string name(name_of(s.op));
  const std::size_t starts = !folds ? 0 : tuples ? results_of(s.functions[0]) : 1;
  s.starts.value = starts;
  if (starts >= s.arguments.size() && folds) {
    report(at,
           "the function of `" + name + "` gives " + count_of(starts, "value") + ", and it is given " +
               count_of(s.arguments.size(), "argument"),
           "as many starts as the function gives values, and arrays after them");
    return unknown;
  }
  std::vector<Type> elements;
  for (std::size_t k = starts; k < s.arguments.size(); ++k)
    elements.push_back(element(*s.arguments[k], "what `" + name + "` goes over"));
  if (!folds) return soac_words[s.op].several == Soac::Map2 ? map_type(s, elements, tuples) : filter_type(s, elements);
  Type all = fold_type(s, starts, elements, at);
  return soac_words[s.op].several == Soac::Scan2 ? array_of_results(all, tuples) : all;
}

}  // namespace lockstep::l0::checking
