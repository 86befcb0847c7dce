// The forms of expressions, in the order of surface::Expr.
#include "semantics/functional/inference/expressions.h"

#include <algorithm>

#include "semantics/core/size_limit.h"
#include "semantics/functional/inference/advice.h"
#include "semantics/functional/inference/calls.h"
#include "semantics/functional/inference/functions.h"
#include "semantics/functional/inference/literals.h"
#include "semantics/functional/inference/numbers.h"
#include "semantics/functional/inference/patterns.h"
#include "semantics/functional/inference/refusals.h"
#include "semantics/functional/inference/sizes.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::inference {

using namespace surface;

namespace {

// Beside thousands of errors nobody looks for a hint, and among thousands of names it takes long to find.
std::string mend_of_unknown(const Work& w, const std::string& n) {
  constexpr std::size_t limit = 500'000;
  if (w.errors.size() * w.in.defined.list().size() > limit) return std::string(advice_for(n, habits()));
  std::vector<std::string> own = w.bindings.names(), primitives;
  for (const Defined& d : w.in.defined.list()) own.push_back(d.name);
  for (const std::string& p : w.in.calculus.names())
    if (w.in.calculus.callable(p)) primitives.push_back(p);
  return mend_of_name(n, own, primitives, habits());
}

[[noreturn]] void unknown_name(Work& w, const std::string& n, const Region& region) {
  const std::string recursion = "there is no recursion", instead = "iterate and while repeat a function";
  if (n == w.in.defining) w.fail(region, n + " is used in its own definition", recursion, instead);
  if (w.in.file && w.in.file->contains(n)) {
    const surface::Definition& d = *w.in.file->at(n);
    const std::string found = n + " is defined further down" + in_parentheses(d.name_region);
    if (mentions(d.body, w.in.defining)) w.fail(region, found + " and uses " + w.in.defining, recursion, instead);
    w.fail(region, found, "a function that is defined above",
           "move the definition of " + n + " above " + w.in.defining);
  }
  w.fail(region, "unknown name " + n, "a parameter, a local name, a function defined above, or a primitive",
         mend_of_unknown(w, n));
}

Typed let_in(Work& w, const Let& l, const std::optional<Type>& expected) {
  const std::size_t outer = w.bindings.depth();
  const Expr& value = *l.value;
  const auto* function_name = std::get_if<NamePattern>(&l.pattern.node);
  if (const std::vector<Type> parameters = parameters_of(w, value); !parameters.empty() && function_name) {
    // A local function: its phrase stands for the name.
    Type t = w.types().fresh_type(value.region, "the result of this function");
    for (std::size_t k = parameters.size(); k-- > 0;) t = function(parameters[k], t);
    Lets lets;
    const Typed phrase = function_argument(w, value, t, lets);
    w.bindings.declare(function_name->name, phrase, value.region);
    Typed body = expression(w, *l.body, expected);
    w.bindings.leave(outer);
    return {wrap(lets, body.phrase), body.type};
  }
  refuse_names_twice(w, {&l.pattern, 1});
  const Type t = pattern_type(w, l.pattern);
  const Typed v =
      expression(w, value, std::holds_alternative<TuplePattern>(l.pattern.node) ? std::optional(t) : std::nullopt);
  w.unify(t, v.type, value.region, "this expression");
  const std::string n = pattern_name(w, l.pattern);
  bind_pattern(w, l.pattern, ident(n, exp_type(v.type)), v.type);
  const Typed body = expression(w, *l.body, expected);
  w.bindings.leave(outer);
  return {let(n, v.phrase, body.phrase), body.type};
}

// An array in place of the condition is told how each of its elements chooses.
Typed condition(Work& w, const If& i) try {
  return expression(w, *i.condition, scalar(ScalarType::Bool), "this condition");
} catch (const Failure&) {
  const Region at = w.errors.back().region;
  const std::size_t told = w.errors.size() - 1;
  if (at.begin == i.condition->region.begin && at.end == i.condition->region.end && is_array(w, *i.condition) == true) {
    const auto then = is_array(w, *i.then), otherwise = is_array(w, *i.otherwise);
    const std::string instead = choice_over_elements("if", {&*i.condition, &*i.then, &*i.otherwise}, then, otherwise);
    w.errors[told].mend = "a condition is one bool" + (instead.empty() ? "" : "; over arrays: " + instead);
  }
  throw;
}

Typed conditional(Work& w, const If& i, const Region& region, const std::optional<Type>& expected) {
  const bool said = expected && !Unifier::is_unknown(w.types().shallow(*expected));
  const std::optional<Type> want = said ? expected : std::nullopt;
  const Typed c = condition(w, i);
  Typed t = expression(w, *i.then, want);
  const bool open = !want && may_join(w.types(), t.type);
  Typed e = expression(w, *i.otherwise, want ? want : open ? std::nullopt : std::optional(t.type), "the other branch");
  if (open) {
    const Type both = joined(w.types(), t.type, e.type);
    t = with_numbers(w, std::move(t), both);
    e = with_numbers(w, std::move(e), both);
  }
  w.unify(t.type, e.type, i.otherwise->region, "the other branch");
  return {if_else(c.phrase, t.phrase, e.phrase, region), t.type};
}

Typed index(Work& w, const Index& i, const Region& region) {
  const Typed a = expression(w, *i.array, std::nullopt);
  if (const Type t = w.types().shallow(a.type);
      !as<ArrayType>(t) && (!Unifier::is_unknown(t) || is_literal(w.types(), t)))
    w.fail(i.array->region, "what is indexed has the type " + readable(w.types().deep(t)), "an array",
           as<PairType>(t)     ? "a tuple is taken apart by a pattern: let (x, y) = ... in ..."
           : as<VectorType>(t) ? "lanes makes an array of a short vector: lanes v ! 0"
                               : "");
  const Size n = w.types().fresh_size(i.array->region, "the length of this array");
  const Type element = w.types().fresh_type(region, "the element of this array");
  w.unify(array(n, element), a.type, i.array->region, "what is indexed");
  Typed at = expression(w, *i.index, std::nullopt);
  // A literal index is a size, so that it can be decided for all sizes.
  if (const auto* l = std::get_if<Literal>(&i.index->node); l && is_whole(l->digits)) {
    const auto k = number_value(l->digits);
    if (!k) w.fail(i.index->region, "the index " + l->digits + " does not fit 64 bits");
    at = {with_region(nat(Size(*k)), i.index->region), scalar(ScalarType::I64)};
  }
  if (const Type t = w.types().shallow(at.type); as<PairType>(t) || as<ArrayType>(t)) {
    const std::string instead = index_text(*i.array, {&*i.index}, dimensions_of(w.types().deep(a.type)));
    w.fail(i.index->region, "an index of the type " + readable(w.types().deep(t)),
           "an integer or idx(" + show(w.types().size(n)) + ")",
           as<ArrayType>(t) && !std::holds_alternative<ArrayLiteral>(i.index->node)
               ? "elements at several indices: " + call_text("gather", {&*i.index, &*i.array})
           : instead.empty() ? ""
                             : "one index after the other: " + instead);
  }
  return {prim(w.in.calculus.primitive("!"), {n}, {element, at.type}, {a.phrase, at.phrase}, element, region), element};
}

Typed tuple(Work& w, const Tuple& t, const Region& region, const std::optional<Type>& expected) {
  std::vector<std::optional<Type>> wants(t.parts.size());
  std::optional<Type> rest = expected;
  for (std::size_t k = 0; k < t.parts.size() && rest; ++k) {
    if (k + 1 == t.parts.size()) {
      wants[k] = rest;
      break;
    }
    const Type whole = w.types().shallow(*rest);
    const auto* p = as<PairType>(whole);
    if (!p) break;
    wants[k] = *p->first;
    rest = *p->second;
  }
  std::vector<Typed> parts;
  for (std::size_t k = 0; k < t.parts.size(); ++k) parts.push_back(expression(w, t.parts[k], wants[k]));
  Typed out = parts.back();
  for (std::size_t k = parts.size() - 1; k-- > 0;) {
    const Type both = pair(parts[k].type, out.type);
    out = {prim(w.in.calculus.primitive("pair"), {}, {parts[k].type, out.type}, {parts[k].phrase, out.phrase}, both,
                region),
           both};
  }
  return out;
}

Typed array_literal(Work& w, const ArrayLiteral& a, const Region& region, const std::optional<Type>& expected) {
  const Type want = expected ? w.types().shallow(*expected) : scalar(ScalarType::Bool);
  const auto* wanted = as<ArrayType>(want);
  const Type element = wanted ? *wanted->element : w.types().fresh_type(region, "the element of this array");
  const std::string what(element_of_array);
  std::vector<Typed> parts;
  bool open = Unifier::is_unknown(w.types().shallow(element));
  for (const Expr& part : a.parts) {
    parts.push_back(open ? expression(w, part, std::nullopt) : expression(w, part, element, what));
    if (open && !may_join(w.types(), parts.back().type)) {
      // Nothing that stands before it is a number in place of an index.
      w.unify(element, parts.back().type, part.region, what);
      open = false;
    }
  }
  Type all = open ? parts[0].type : element;
  for (const Typed& part : parts) all = open ? joined(w.types(), all, part.type) : all;
  if (open) w.unify(element, all, region, what);
  std::vector<PhraseRef> phrases;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Typed part = with_numbers(w, std::move(parts[k]), all);
    w.unify(element, part.type, a.parts[k].region, what);
    phrases.push_back(part.phrase);
  }
  const Size n = static_cast<std::int64_t>(a.parts.size());
  const Type t = array(n, element);
  return {prim(w.in.calculus.primitive("array"), {n}, {element}, std::move(phrases), t, region), t};
}

}  // namespace

Typed lambda_let(Work& w, const Expr& e, const Lambda& written, const std::vector<const Expr*>& arguments,
                 const std::optional<Type>& expected) {
  Lambda f = written;  // (\x -> \y -> e) a b too
  while (f.patterns.size() < arguments.size()) {
    const auto* inner = std::get_if<Lambda>(&f.body->node);
    if (!inner) break;
    f.patterns.insert(f.patterns.end(), inner->patterns.begin(), inner->patterns.end());
    const Ref<Expr> body = inner->body;
    f.body = body;
  }
  if (arguments.size() != f.patterns.size()) {
    const std::size_t given = arguments.size();
    const std::string mend =
        given < f.patterns.size()
            ? advice_on_count(f, given, w.types().deep(expression(w, *arguments.back(), std::nullopt).type))
            : "";
    w.fail(e.region, "a function of " + plural(f.patterns.size(), "argument") + " is given " + std::to_string(given),
           "", mend);
  }
  refuse_names_twice(w, f.patterns);
  const std::size_t outer = w.bindings.depth();
  std::vector<std::pair<std::string, Typed>> values;
  for (const Expr* a : arguments) values.emplace_back("", expression(w, *a, std::nullopt));
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Type t = pattern_type(w, f.patterns[k]);
    w.unify(t, values[k].second.type, arguments[k]->region, "this argument");
    values[k].first = pattern_name(w, f.patterns[k]);
    bind_pattern(w, f.patterns[k], ident(values[k].first, exp_type(values[k].second.type)), values[k].second.type);
  }
  Typed body = expression(w, *f.body, expected);
  w.bindings.leave(outer);
  for (std::size_t k = values.size(); k-- > 0;)
    body.phrase = let(values[k].first, values[k].second.phrase, body.phrase);
  return body;
}

Typed named(Work& w, const std::string& n, const Region& region) {
  const Binding* b = w.bindings.use(n);
  if (!b) unknown_name(w, n, region);
  if (const auto* size = std::get_if<Size>(&b->meaning))
    return {with_region(nat(*size), region), scalar(ScalarType::I64)};
  const Typed& t = std::get<Typed>(b->meaning);
  return {with_region(t.phrase, region), t.type};
}

Typed expression(Work& w, const Expr& e, const std::optional<Type>& expected, const std::string& what) try {
  Typed out = match(
      e.node, [&](const surface::Name&) { return call(w, e, expected); },
      [&](const Literal& l) { return literal_of(w, l, false, e.region, expected); },
      [&](const Operator& o) -> Typed {
        w.fail(e.region, "the operator " + o.symbol + " is a function here", "a value", "give it its two operands");
      },
      [&](const Lambda&) -> Typed {
        w.fail(e.region, "a function stands here", "a value",
               "functions are arguments of primitives and of helper functions only");
      },
      [&](const Let& l) { return let_in(w, l, expected); },
      [&](const If& i) { return conditional(w, i, e.region, expected); },
      [&](const Apply&) { return call(w, e, expected); }, [&](const Index& i) { return index(w, i, e.region); },
      [&](const Tuple& t) { return tuple(w, t, e.region, expected); },
      [&](const ArrayLiteral& a) { return array_literal(w, a, e.region, expected); });
  if (!expected) return out;
  out = with_numbers(w, std::move(out), *expected);
  w.unify(*expected, out.type, e.region, what);
  return out;
} catch (const SizeTooLarge&) {
  w.fail(e.region, "this makes a size that is too large to reason about", "coefficients below 2^63");
}

}  // namespace lockstep::inference
