// Arguments: data first, then the functions among them.
#include "semantics/functional/inference/arguments.h"

#include <algorithm>

#include "semantics/functional/inference/advice.h"
#include "semantics/functional/inference/expressions.h"
#include "semantics/functional/inference/functions.h"
#include "semantics/functional/inference/numbers.h"
#include "semantics/functional/inference/refusals.h"
#include "semantics/functional/inference/sizes.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::inference {

using namespace surface;

namespace {

// Of a local function whose parameter has no type yet: an index may become a number there.
PhraseRef open_argument(Work& w, const Expr& e, const Type& parameter, const std::string& what, Lets& lets) {
  Typed t = expression(w, e, std::nullopt);
  if (!as<IndexType>(w.types().shallow(t.type))) {
    w.unify(parameter, t.type, e.region, what);
    return t.phrase;
  }
  t = atom(w, std::move(t), "a", lets);
  w.operands.index(parameter, t.type, e.region, what);
  return prim(w.in.calculus.primitive(show(ScalarType::I64)), {}, {t.type}, {t.phrase}, parameter, e.region);
}

PhraseRef argument(Work& w, const Argument& a, const Type& parameter, const std::string& what, Lets& lets,
                   Callee callee) {
  const Type known = w.types().shallow(parameter);
  if (a.made) {
    const Typed made = with_numbers(w, *a.made, parameter);
    w.unify(parameter, made.type, a.expression ? a.expression->region : Region{}, what);
    return made.phrase;
  }
  if (as<FunctionType>(known)) return function_argument(w, *a.expression, known, lets).phrase;
  if (callee == Callee::LocalFunction && Unifier::is_unknown(known))
    return open_argument(w, *a.expression, parameter, what, lets);
  return expression(w, *a.expression, parameter, what).phrase;
}

}  // namespace

// Data first, so that what is known of it is known inside the functions.
std::vector<PhraseRef> arguments_of(Work& w, const std::vector<Argument>& arguments, const std::vector<Type>& types,
                                    const std::string& what, Lets& lets, Callee callee) {
  std::vector<std::optional<PhraseRef>> done(types.size());
  for (const bool functions : {false, true}) {
    for (std::size_t k = 0; k < types.size(); ++k)
      if (functions == (as<FunctionType>(w.types().shallow(types[k])) != nullptr))
        done[k] = argument(w, arguments[k], types[k], "this argument of " + what, lets, callee);
    w.types().solve();
    w.operands.settle(w.constraints);
  }
  std::vector<PhraseRef> out;
  for (auto& d : done) out.push_back(*d);
  return out;
}

namespace {

// An array in place of the condition.
void explain_select(Work& w, const std::vector<Argument>& arguments, const Region& at) {
  std::vector<const Expr*> parts;
  for (const Argument& a : arguments) parts.push_back(a.made ? nullptr : a.expression);
  if (std::find(parts.begin(), parts.end(), nullptr) != parts.end()) return;
  const std::size_t told = w.errors.size() - 1;
  if (at.begin != parts[0]->region.begin || at.end != parts[0]->region.end || is_array(w, *parts[0]) != true) return;
  const auto then = is_array(w, *parts[1]), otherwise = is_array(w, *parts[2]);
  const std::string instead = choice_over_elements("select", parts, then, otherwise);
  if (!instead.empty()) w.errors[told].mend = "over arrays: " + instead;
}

}  // namespace

std::vector<PhraseRef> arguments_in_order(Work& w, const std::vector<Argument>& arguments,
                                          const std::vector<std::optional<Type>>& parameters,
                                          const std::vector<Type>& types, const Applied& to, Lets& lets) try {
  std::vector<Argument> of_types;
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (parameters[k]) of_types.push_back(arguments[k]);
  return arguments_of(w, of_types, types, to.name, lets);
} catch (const Failure&) {
  const Region at = w.errors.back().region;
  if (to.name == "select") explain_select(w, arguments, at);
  const auto is_function = [&](std::size_t k) { return parameters[k] && as<FunctionType>(*parameters[k]); };
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (!arguments[k].expression || arguments[k].made || !parameters[k]) continue;
    const Region& argument = arguments[k].expression->region;
    const bool inside = argument.begin <= at.begin && at.end <= argument.end;
    const bool itself = argument.begin == at.begin && argument.end == at.end;
    if (is_function(k) ? !inside : !itself) continue;
    MisfitCall misfit{to.region, argument, k, is_function(k), {}, to.name, to.type};
    for (std::size_t j = 0; j < arguments.size(); ++j)
      if (j != k && arguments[j].expression && !arguments[j].made && parameters[j] && is_function(j) == is_function(k))
        misfit.others.push_back(j);
    if (!misfit.others.empty()) w.orders.misfits.push_back(std::move(misfit));
  }
  throw;
}

// A size is written where a function is called: where the function stands for itself nothing can become one.
Size size_of_argument(Work& w, const Argument& a, const std::string& name, const Region& region) {
  if (!a.expression) w.fail(region, "a size argument of " + name + " is missing", "a size");
  if (a.made)
    w.fail(region, name + " takes a size and is no function value", "a function of values",
           "write one, \\i -> ..., or give the size: " + name + " n");
  return size_argument(w, *a.expression);
}

}  // namespace lockstep::inference
