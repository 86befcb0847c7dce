// Elaboration of the forms of expressions, in the order of surface::Expr.
#include <charconv>

#include <algorithm>
#include <functional>

#include "semantics/core/size_limit.h"
#include "semantics/functional/advice.h"
#include "semantics/functional/elaborate.h"

namespace lockstep::inference {

using namespace surface;

void Elaborator::report(const Region& region, std::string message, std::string expected, std::string mend) {
  diagnostics_.push_back({region, std::move(message), std::move(expected), std::move(mend)});
}
void Elaborator::fail(const Region& region, std::string message, std::string expected, std::string mend) {
  report(region, std::move(message), std::move(expected), std::move(mend));
  throw Failure{};
}

// Unknowns as _.
std::string readable(const Type& t) {
  std::string out;
  bool unknown = false;
  const std::string text = show(t);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'' && i + 1 < text.size() && text[i + 1] == '?') continue;
    if (text[i] == '?') {
      unknown = true;
      out += '_';
    } else if (!(unknown && std::isdigit(static_cast<unsigned char>(text[i])))) {
      unknown = false;
      out += text[i];
    }
  }
  return out;
}

namespace {

// The number that stands in one where an index stands in the other.
std::optional<ScalarType> number_for_index(const Type& index, const Type& number) {
  const auto* s = as<ScalarType>(number);
  if (as<IndexType>(index)) return s ? std::optional(*s) : std::nullopt;
  const auto *a = as<ArrayType>(index), *b = as<ArrayType>(number);
  if (a && b) return number_for_index(*a->element, *b->element);
  const auto *p = as<PairType>(index), *q = as<PairType>(number);
  if (!p || !q) return {};
  const auto first = number_for_index(*p->first, *q->first);
  return first ? first : number_for_index(*p->second, *q->second);
}

std::string mend_of(const Type& expected, const Type& found) {
  if (as<IndexType>(found) && as<ScalarType>(expected))
    return "an index becomes a number by a conversion: " + show(expected) + " (...)";
  if (as<ScalarType>(expected) && as<ScalarType>(found)) return "convert with " + show(expected) + " (...)";
  if (as<VectorType>(expected) && as<ScalarType>(found))
    return "a scalar becomes a short vector by splat " + show(as<VectorType>(expected)->width);
  if (as<FunctionType>(found) && !as<FunctionType>(expected)) return "an argument seems to be missing";
  if (const auto s = number_for_index(found, expected)) {
    const std::string to = std::string(show(*s));
    const auto* array = as<ArrayType>(found);
    return array && as<IndexType>(*array->element)
               ? "indices become numbers by a conversion of each: map (\\i -> " + to + " i) (...)"
               : "an index becomes a number by a conversion, where it stands: " + to + " i";
  }
  if (const auto* e = as<ArrayType>(expected), *f = as<ArrayType>(found);
      e && f && as<ScalarType>(*e->element) && as<ScalarType>(*f->element))
    return "convert each element: map (\\x -> " + show(*e->element) + " x) (...)";
  if (number_for_index(expected, found)) return std::string(no_number_is_an_index);
  return "";
}

}  // namespace

void Elaborator::unify(const Type& expected, const Type& found, const Region& region, const std::string& what) {
  const std::size_t before = unifier_.pending();
  unifier_.unification = equalities_.size() + 1;
  const bool fits = unifier_.unify(expected, found, region, what);
  unifier_.unification = 0;
  if (fits) {
    if (unifier_.pending() > before) equalities_.push_back({expected, found, region});
    return;
  }
  const Type e = unifier_.deep(expected), f = unifier_.deep(found);
  std::string mend = mend_of(e, f);
  for (const LocalArgument& a : local_arguments_)
    if (a.region.begin == region.begin && a.region.end == region.end)
      mend = a.function + " is a local function, which has one type, that of its first use" +
             (mend.empty() ? "" : ": " + mend) + "; or write one for each type with `fun`, above";
  fail(region, what + " has the type " + readable(f), readable(e), mend);
}

std::optional<std::size_t> Elaborator::equality_of(std::size_t k) const {
  const auto it = equality_of_.find(k);
  return it == equality_of_.end() ? std::nullopt : std::optional(it->second);
}
Mismatch Elaborator::mismatch_of(std::size_t k) const {
  const Equality& e = equalities_.at(equality_of_.at(k));
  Mismatch out{unifier_.deep(e.expected), unifier_.deep(e.found), ""};
  for (const LocalArgument& a : local_arguments_)
    if (a.region.begin == e.region.begin && a.region.end == e.region.end) out.local_function = a.function;
  return out;
}

void Elaborator::leave(std::size_t to) {
  for (std::size_t k = to; k < scope_.size(); ++k)
    if (scope_[k].local_function.source && scope_[k].uses == 0) unused_.push_back(scope_[k]);
  scope_.erase(scope_.begin() + static_cast<std::ptrdiff_t>(to), scope_.end());
}

PhraseType Elaborator::phrase_type(const Type& t) {
  if (const auto* f = as<FunctionType>(t)) return phrase_function(phrase_type(*f->from), phrase_type(*f->to));
  return exp_type(t);
}

Typed Elaborator::expression(const Expr& e, const std::optional<Type>& expected, const std::string& what) try {
  Typed out = match(
      e.node, [&](const surface::Name&) { return call(e, expected); },
      [&](const Literal& l) { return literal(l, false, e.region, expected); },
      [&](const Operator& o) -> Typed {
        fail(e.region, "the operator " + o.symbol + " is a function here", "a value", "give it its two operands");
      },
      [&](const Lambda&) -> Typed {
        fail(e.region, "a function stands here", "a value",
             "functions are arguments of primitives and of helper functions only");
      },
      [&](const Let& l) { return let_in(l, expected); },
      [&](const If& i) { return conditional(i, e.region, expected); }, [&](const Apply&) { return call(e, expected); },
      [&](const Index& i) { return index(i, e.region); }, [&](const Tuple& t) { return tuple(t, e.region, expected); },
      [&](const ArrayLiteral& a) { return array_literal(a, e.region, expected); });
  if (!expected) return out;
  out = with_numbers(std::move(out), *expected);
  unify(*expected, out.type, e.region, what);
  return out;
} catch (const SizeTooLarge&) {
  fail(e.region, "this makes a size that is too large to reason about", "coefficients below 2^63");
}

Typed Elaborator::name(const std::string& n, const Region& region) {
  for (auto it = scope_.rbegin(); it != scope_.rend(); ++it) {
    if (it->name != n) continue;
    ++it->uses;
    if (const auto* size = std::get_if<Size>(&it->meaning)) {
      const PhraseRef p = nat(*size);
      return {with_region(p, region), scalar(ScalarType::I64)};
    }
    const Typed& t = std::get<Typed>(it->meaning);
    return {with_region(t.phrase, region), t.type};
  }
  unknown_name(n, region);
}

void Elaborator::unknown_name(const std::string& n, const Region& region) {
  const std::string recursion = "there is no recursion", instead = "iterate and while repeat a function";
  if (n == defining) fail(region, n + " is used in its own definition", recursion, instead);
  if (const auto below = file ? file->find(n) : decltype(file->end()){}; file && below != file->end()) {
    const surface::Definition& d = *below->second;
    const std::string found = n + " is defined further down" + in_parentheses(d.name_region);
    if (mentions(d.body, defining)) fail(region, found + " and uses " + defining, recursion, instead);
    fail(region, found, "a function that is defined above", "move the definition of " + n + " above " + defining);
  }
  const std::string near = nearest_known(n);
  fail(region, "unknown name " + n, "a parameter, a local name, a function defined above, or a primitive",
       near.empty() ? std::string(said_here(n)) : "did you mean " + near + "?");
}

// Beside thousands of errors nobody looks for a hint, and among thousands of names it takes long to find.
std::string Elaborator::nearest_known(const std::string& n) const {
  constexpr std::size_t limit = 500'000;
  if (diagnostics_.size() * defined_.list().size() > limit) return "";
  std::vector<std::string> own;
  for (const Binding& b : scope_) own.push_back(b.name);
  for (const Defined& d : defined_.list()) own.push_back(d.name);
  // What the user called so is nearer than what another language does.
  if (!said_here(n).empty()) {
    const std::string near = nearest_name(n, own);
    return near.size() + 1 < n.size() ? "" : near;
  }
  for (const std::string& p : calculus_.names())
    if (calculus_.callable(p)) own.push_back(p);
  return nearest_name(n, own);
}

// -------------------------------------------------------------------------------------------------- literals
Typed Elaborator::literal(const Literal& l, bool negative, const Region& region, const std::optional<Type>& expected) {
  if (l.digits == "true" || l.digits == "false") {
    return {with_region(bool_literal(l.digits == "true"), region), scalar(ScalarType::Bool)};
  }
  const bool hex = l.digits.starts_with("0x") || l.digits.starts_with("0X");
  const bool is_float = !hex && l.digits.find_first_of(".eE") != std::string::npos;
  const Type want = expected ? unifier_.shallow(*expected) : index_type(0);
  const Type t = l.suffix               ? scalar(*l.suffix)
                 : as<ScalarType>(want) ? want
                                        : unifier_.fresh_type(region, "the type of this literal");
  if (Unifier::is_unknown(t)) {
    literals_.push_back({t, is_float, region});
    unifier_.mark_number(t);
  }
  const PhraseRef p = Phrase{exp_type(t), LiteralPhrase{Scalar{}, (negative ? "-" : "") + l.digits}, region};
  return {p, t};
}

// -------------------------------------------------------------------------------------------------- patterns
Type Elaborator::pattern_type(const Pattern& p) {
  const auto* t = std::get_if<TuplePattern>(&p.node);
  if (!t) return unifier_.fresh_type(p.region, "the type of this name");
  Type out = pattern_type(t->parts.back());
  for (std::size_t k = t->parts.size() - 1; k-- > 0;) out = pair(pattern_type(t->parts[k]), out);
  return out;
}
std::string Elaborator::pattern_name(const Pattern& p) {
  const auto* n = std::get_if<NamePattern>(&p.node);
  return names_.fresh(n ? n->name : std::holds_alternative<WildPattern>(p.node) ? "unused" : "p");
}

// The names of patterns that are bound together are distinct.
void Elaborator::refuse_names_twice(std::span<const Pattern> bound_together) {
  if (bound_together.size() == 1 && !std::holds_alternative<TuplePattern>(bound_together[0].node)) return;
  std::map<std::string, Region> first;
  bool twice = false;
  const std::function<void(const Pattern&)> look = [&](const Pattern& p) {
    if (const auto* tuple = std::get_if<TuplePattern>(&p.node))
      for (const Pattern& part : tuple->parts) look(part);
    const auto* n = std::get_if<NamePattern>(&p.node);
    if (!n || first.emplace(n->name, p.region).second) return;
    twice = true;
    report(p.region, "the name " + n->name + " is bound twice here, first" + in_parentheses(first.at(n->name)),
           "distinct names", "give one of them another name, or write _ for what is not used");
  };
  for (const Pattern& p : bound_together) look(p);
  if (twice) throw Failure{};
}

PhraseRef Elaborator::component(int k, const PhraseRef& e, const Type& t) {
  const PrimitiveRef& p = calculus_.primitive(k == 1 ? "fst" : "snd");
  const auto* both = as<PairType>(t);
  return prim(p, {}, {*both->first, *both->second}, {e}, k == 1 ? *both->first : *both->second, e->region);
}

void Elaborator::bind_pattern(const Pattern& p, const PhraseRef& value, const Type& t) {
  if (const auto* n = std::get_if<NamePattern>(&p.node)) return declare(n->name, Typed{value, t});
  const auto* parts = std::get_if<TuplePattern>(&p.node);
  if (!parts) return;
  PhraseRef rest = value;
  Type rest_type = t;
  for (std::size_t k = 0; k < parts->parts.size(); ++k) {
    if (k + 1 == parts->parts.size()) return bind_pattern(parts->parts[k], rest, rest_type);
    Type whole = unifier_.shallow(rest_type);
    if (!as<PairType>(whole)) {
      const Type first = unifier_.fresh_type(p.region, "a component of this tuple");
      const Type fresh = pair(first, unifier_.fresh_type(p.region, "a component of this tuple"));
      unify(whole, fresh, p.region, "this pattern");
      whole = fresh;
    }
    bind_pattern(parts->parts[k], component(1, rest, whole), *as<PairType>(whole)->first);
    rest = component(2, rest, whole);
    rest_type = *as<PairType>(whole)->second;
  }
}

// -------------------------------------------------------------------------------------------------- forms
static std::size_t arity_of(const PrimitiveRef& p) {
  const auto* op = std::get_if<ScalarOp>(&p->kind);
  return op ? static_cast<std::size_t>(static_cast<int>(op->arity)) : 0;
}

// Of a name, an operator or what is applied: how many arguments it still takes, as far as that is known.
std::size_t Elaborator::arguments_missing(const Expr& e) const {
  const Expr* head = &e;
  std::size_t given = 0, taken = 0;
  for (const auto* a = std::get_if<surface::Apply>(&head->node); a;
       a = std::get_if<surface::Apply>(&head->node), ++given)
    head = &*a->function;
  if (const auto* o = std::get_if<Operator>(&head->node)) taken = arity_of(calculus_.primitive(o->symbol));
  const auto* n = std::get_if<surface::Name>(&head->node);
  if (n && std::any_of(scope_.begin(), scope_.end(), [&](const Binding& b) { return b.name == n->name; })) {
    for (auto it = scope_.rbegin(); it != scope_.rend(); ++it) {
      if (it->name != n->name) continue;
      if (const auto* typed = std::get_if<Typed>(&it->meaning))
        for (Type t = unifier_.shallow(typed->type); as<FunctionType>(t); ++taken) {
          const Type rest = unifier_.shallow(*as<FunctionType>(t)->to);
          t = rest;
        }
      break;
    }
  } else if (n) {
    if (const Defined* d = defined_.find(n->name))
      taken = d->parameters.size();
    else if (const auto* entry = calculus_.callable(n->name)) {
      taken = entry->scheme.nats.size();
      if (std::holds_alternative<ScalarOp>(entry->primitive->kind))
        taken = arity_of(entry->primitive);
      else
        for (const Type* t = &entry->scheme.type; as<FunctionType>(*t); t = &*as<FunctionType>(*t)->to) ++taken;
    }
  }
  return taken - std::min(given, taken);
}

// The parameters that an expression still takes: a function that is written, or one of too few arguments.
std::vector<Type> Elaborator::parameters_of(const Expr& e) {
  std::vector<Type> out;
  const Expr* head = &e;
  while (const auto* f = std::get_if<Lambda>(&head->node)) {
    for (const Pattern& p : f->patterns) out.push_back(pattern_type(p));
    head = &*f->body;
  }
  if (!out.empty()) return out;
  for (std::size_t k = arguments_missing(e); k > 0; --k)
    out.push_back(unifier_.fresh_type(e.region, "a parameter of this function"));
  return out;
}

Typed Elaborator::let_in(const Let& l, const std::optional<Type>& expected) {
  const std::size_t outer = depth();
  const Expr& value = *l.value;
  const auto* function_name = std::get_if<NamePattern>(&l.pattern.node);
  if (const std::vector<Type> parameters = parameters_of(value); !parameters.empty() && function_name) {
    // A local function: its phrase stands for the name.
    Type t = unifier_.fresh_type(value.region, "the result of this function");
    for (std::size_t k = parameters.size(); k-- > 0;) t = function(parameters[k], t);
    Lets lets;
    const Typed phrase = function_argument(value, t, lets);
    declare(function_name->name, phrase);
    scope_.back().local_function = value.region;
    Typed body = expression(*l.body, expected);
    leave(outer);
    return {wrap(lets, body.phrase), body.type};
  }
  refuse_names_twice({&l.pattern, 1});
  const Type t = pattern_type(l.pattern);
  const Typed v =
      expression(value, std::holds_alternative<TuplePattern>(l.pattern.node) ? std::optional(t) : std::nullopt);
  unify(t, v.type, value.region, "this expression");
  const std::string n = pattern_name(l.pattern);
  bind_pattern(l.pattern, ident(n, exp_type(v.type)), v.type);
  const Typed body = expression(*l.body, expected);
  leave(outer);
  return {let(n, v.phrase, body.phrase), body.type};
}

// (\x y -> e) a b is let x = a in let y = b in e.
Typed Elaborator::lambda_let(const Expr& e, const Lambda& written, const std::vector<const Expr*>& arguments,
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
            ? advice_on_count(f, given, unifier_.deep(expression(*arguments.back(), std::nullopt).type))
            : "";
    fail(e.region, "a function of " + plural(f.patterns.size(), "argument") + " is given " + std::to_string(given), "",
         mend);
  }
  refuse_names_twice(f.patterns);
  const std::size_t outer = depth();
  std::vector<std::pair<std::string, Typed>> values;
  for (const Expr* a : arguments) values.emplace_back("", expression(*a, std::nullopt));
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Type t = pattern_type(f.patterns[k]);
    unify(t, values[k].second.type, arguments[k]->region, "this argument");
    values[k].first = pattern_name(f.patterns[k]);
    bind_pattern(f.patterns[k], ident(values[k].first, exp_type(values[k].second.type)), values[k].second.type);
  }
  Typed body = expression(*f.body, expected);
  leave(outer);
  for (std::size_t k = values.size(); k-- > 0;)
    body.phrase = let(values[k].first, values[k].second.phrase, body.phrase);
  return body;
}

bool Elaborator::is_literal(const Type& t) const {
  const Type known = unifier_.shallow(t);
  return Unifier::is_unknown(known) && unifier_.is_number(known);
}

// An array in place of the condition is told how each of its elements chooses.
Typed Elaborator::condition(const If& i) try {
  return expression(*i.condition, scalar(ScalarType::Bool), "this condition");
} catch (const Failure&) {
  const Region at = diagnostics_.back().region;
  const std::size_t told = diagnostics_.size() - 1;
  if (at.begin == i.condition->region.begin && at.end == i.condition->region.end && is_array(*i.condition) == true) {
    const auto then = is_array(*i.then), otherwise = is_array(*i.otherwise);
    const std::string instead = choice_over_elements("if", {&*i.condition, &*i.then, &*i.otherwise}, then, otherwise);
    diagnostics_[told].mend = "a condition is one bool" + (instead.empty() ? "" : "; over arrays: " + instead);
  }
  throw;
}

Typed Elaborator::conditional(const If& i, const Region& region, const std::optional<Type>& expected) {
  const bool said = expected && !Unifier::is_unknown(unifier_.shallow(*expected));
  const std::optional<Type> want = said ? expected : std::nullopt;
  const Typed c = condition(i);
  Typed t = expression(*i.then, want);
  const bool open = !want && may_join(t.type);
  Typed e = expression(*i.otherwise, want ? want : open ? std::nullopt : std::optional(t.type), "the other branch");
  if (open) {
    const Type both = joined(t.type, e.type);
    t = with_numbers(std::move(t), both);
    e = with_numbers(std::move(e), both);
  }
  unify(t.type, e.type, i.otherwise->region, "the other branch");
  return {if_else(c.phrase, t.phrase, e.phrase, region), t.type};
}

// A literal without fraction and exponent, and its value where that fits 64 bits; decimal also with a leading 0.
bool is_whole(const std::string& digits) {
  if (digits.empty() || !std::isdigit(static_cast<unsigned char>(digits[0]))) return false;
  return digits.starts_with("0x") || digits.starts_with("0X") || digits.find_first_of(".eE") == std::string::npos;
}
static std::optional<std::int64_t> number_value(const std::string& digits) {
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  std::int64_t n = 0;
  const auto read = std::from_chars(digits.data() + (hex ? 2 : 0), digits.data() + digits.size(), n, hex ? 16 : 10);
  if (read.ec != std::errc()) return {};
  return n;
}

Typed Elaborator::index(const Index& i, const Region& region) {
  const Typed a = expression(*i.array, std::nullopt);
  if (const Type t = unifier_.shallow(a.type); !as<ArrayType>(t) && (!Unifier::is_unknown(t) || is_literal(t)))
    fail(i.array->region, "what is indexed has the type " + readable(unifier_.deep(t)), "an array",
         as<PairType>(t)     ? "a tuple is taken apart by a pattern: let (x, y) = ... in ..."
         : as<VectorType>(t) ? "lanes makes an array of a short vector: lanes v ! 0"
                             : "");
  const Size n = unifier_.fresh_size(i.array->region, "the length of this array");
  const Type element = unifier_.fresh_type(region, "the element of this array");
  unify(array(n, element), a.type, i.array->region, "what is indexed");
  Typed at = expression(*i.index, std::nullopt);
  // A literal index is a size, so that it can be decided for all sizes.
  if (const auto* l = std::get_if<Literal>(&i.index->node); l && is_whole(l->digits)) {
    const auto k = number_value(l->digits);
    if (!k) fail(i.index->region, "the index " + l->digits + " does not fit 64 bits");
    at = {with_region(nat(Size(*k)), i.index->region), scalar(ScalarType::I64)};
  }
  if (const Type t = unifier_.shallow(at.type); as<PairType>(t) || as<ArrayType>(t)) {
    const std::string instead = index_text(*i.array, {&*i.index}, dimensions_of(unifier_.deep(a.type)));
    fail(i.index->region, "an index of the type " + readable(unifier_.deep(t)),
         "an integer or idx(" + show(unifier_.size(n)) + ")",
         as<ArrayType>(t) && !std::holds_alternative<ArrayLiteral>(i.index->node)
             ? "elements at several indices: " + call_text("gather", {&*i.index, &*i.array})
         : instead.empty() ? ""
                           : "one index after the other: " + instead);
  }
  return {prim(calculus_.primitive("!"), {n}, {element, at.type}, {a.phrase, at.phrase}, element, region), element};
}

Typed Elaborator::tuple(const Tuple& t, const Region& region, const std::optional<Type>& expected) {
  std::vector<std::optional<Type>> wants(t.parts.size());
  std::optional<Type> rest = expected;
  for (std::size_t k = 0; k < t.parts.size() && rest; ++k) {
    if (k + 1 == t.parts.size()) {
      wants[k] = rest;
      break;
    }
    const Type whole = unifier_.shallow(*rest);
    const auto* p = as<PairType>(whole);
    if (!p) break;
    wants[k] = *p->first;
    rest = *p->second;
  }
  std::vector<Typed> parts;
  for (std::size_t k = 0; k < t.parts.size(); ++k) parts.push_back(expression(t.parts[k], wants[k]));
  Typed out = parts.back();
  for (std::size_t k = parts.size() - 1; k-- > 0;) {
    const Type both = pair(parts[k].type, out.type);
    out = {
        prim(calculus_.primitive("pair"), {}, {parts[k].type, out.type}, {parts[k].phrase, out.phrase}, both, region),
        both};
  }
  return out;
}

Typed Elaborator::array_literal(const ArrayLiteral& a, const Region& region, const std::optional<Type>& expected) {
  const Type want = expected ? unifier_.shallow(*expected) : scalar(ScalarType::Bool);
  const auto* wanted = as<ArrayType>(want);
  const Type element = wanted ? *wanted->element : unifier_.fresh_type(region, "the element of this array");
  const std::string what(element_of_array);
  std::vector<Typed> parts;
  bool open = Unifier::is_unknown(unifier_.shallow(element));
  for (const Expr& part : a.parts) {
    parts.push_back(open ? expression(part, std::nullopt) : expression(part, element, what));
    if (open && !may_join(parts.back().type)) {
      // Nothing that stands before it is a number in place of an index.
      unify(element, parts.back().type, part.region, what);
      open = false;
    }
  }
  Type all = open ? parts[0].type : element;
  for (const Typed& part : parts) all = open ? joined(all, part.type) : all;
  if (open) unify(element, all, region, what);
  std::vector<PhraseRef> phrases;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Typed part = with_numbers(std::move(parts[k]), all);
    unify(element, part.type, a.parts[k].region, what);
    phrases.push_back(part.phrase);
  }
  const Size n = static_cast<std::int64_t>(a.parts.size());
  const Type t = array(n, element);
  return {prim(calculus_.primitive("array"), {n}, {element}, std::move(phrases), t, region), t};
}

// -------------------------------------------------------------------------------------------------- sizes
Size Elaborator::size_argument(const Expr& e) {
  if (const auto* n = std::get_if<surface::Name>(&e.node)) {
    for (auto it = scope_.rbegin(); it != scope_.rend(); ++it)
      if (it->name == n->name) {
        if (const auto* s = std::get_if<Size>(&it->meaning)) return *s;
        fail(e.region, n->name + " is a value", "a size: a number, a size name, or arithmetic on them",
             "sizes are known before the program runs; take " + n->name + " as a parameter (" + n->name + " : nat)");
      }
    name(n->name, e.region);
    fail(e.region, n->name + " is not a size", "a size");
  }
  if (const auto* l = std::get_if<Literal>(&e.node); l && !l->suffix && is_whole(l->digits)) {
    const auto n = number_value(l->digits);
    if (!n) fail(e.region, "the size " + l->digits + " does not fit 64 bits");
    return Size(*n);
  }
  const auto* outer = std::get_if<Apply>(&e.node);
  const auto* inner = outer ? std::get_if<Apply>(&outer->function->node) : nullptr;
  const auto* op = inner ? std::get_if<Operator>(&inner->function->node) : nullptr;
  if (op && (op->symbol == "+" || op->symbol == "-" || op->symbol == "*" || op->symbol == "/" || op->symbol == "%")) {
    const Size a = size_argument(*inner->argument), b = size_argument(*outer->argument);
    const char symbol = op->symbol[0];
    if (symbol == '-') require({b, SizeRelation::LessEqual, a}, e.region, "the subtraction of sizes");
    if (symbol == '/' || symbol == '%') {
      if (b == Size(0)) fail(e.region, "a size is divided by 0", "a divisor of at least 1");
      require({1, SizeRelation::LessEqual, b}, e.region, "the division of sizes");
    }
    const auto n = combined(symbol, a, b);
    if (!n) fail(e.region, "this size is too large to reason about", "coefficients below 2^63");
    return *n;
  }
  fail(e.region, "this is not a size", "a size: a number, a size name, or + - * / % of them");
}

}  // namespace lockstep::inference
