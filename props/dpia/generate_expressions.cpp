// Random expressions: the ways to make a value that fit any type.
#include <algorithm>

#include "props/dpia/generate_state.h"

namespace lockstep::props {

using surface::Pattern;

namespace {
bool is_number(const surface::Expr& e) {  // as written, also with a minus
  const auto* a = std::get_if<surface::Apply>(&e.node);
  return std::get_if<surface::Literal>(a ? &a->argument->node : &e.node) != nullptr;
}
bool is_opaque(const Type& t) { return as<IndexType>(t) || as<TypeVariable>(t); }
}  // namespace

surface::Pattern Generator::bind(const Type& t) {
  if (random_.percent(6)) return make::wild();
  const auto* p = as<PairType>(t);
  if (p && random_.percent(40)) {
    Pattern first = bind(*p->first);
    return {surface::TuplePattern{{std::move(first), bind(*p->second)}}, {}};
  }
  const std::string x = fresh(is_opaque(t) ? "i" : "x");
  scope_.push_back({x, t});
  return make::bind(x);
}

surface::Expr Generator::expression(const Type& t, int budget, bool known) {
  if (budget <= 1) return leaf(t, known);
  if (random_.percent(4)) return leaf(t, known);
  if (!by_type_.empty() && random_.percent(30))
    if (auto e = call_by_type(random_.among(by_type_), t, budget)) return std::move(*e);
  for (const TypedPrimitive& p : by_type_)
    if (p.is_added && random_.percent(20))
      if (auto e = call_by_type(p, t, budget)) return std::move(*e);
  for (int tries = 0; tries < 4; ++tries) {
    std::optional<Expr> e;
    const bool special = random_.percent(as<ArrayType>(t) || as<VectorType>(t) ? 75 : 55);
    if (special) {
      if (const auto* s = as<ScalarType>(t))
        e = scalar_expression(*s, budget, known);
      else if (const auto* a = as<ArrayType>(t))
        e = array_expression(*a, t, budget, known);
      else if (const auto* p = as<PairType>(t))
        e = pair_expression(*p, t, budget, known);
      else if (const auto* v = as<VectorType>(t))
        e = vector_expression(*v, t, budget, known);
    } else if (budget >= 4) {
      e = general(t, budget, known);
    }
    if (e) return std::move(*e);
  }
  return leaf(t, known);
}

std::optional<surface::Expr> Generator::general(const Type& t, int budget, bool known) {
  const auto chosen = [&](const auto& made) {
    Expr c = expression(scalar(ScalarType::Bool), budget / 3, true), a = expression(t, budget / 3, known);
    return made(std::move(c), std::move(a), expression(t, budget / 3, true));
  };
  const auto by_if = [](Expr c, Expr a, Expr b) {
    return Expr{surface::If{std::move(c), std::move(a), std::move(b)}, {}};
  };
  const auto by_select = [](Expr c, Expr a, Expr b) {
    return make::call("select", {std::move(c), std::move(a), std::move(b)});
  };
  return random_.one_of(
      Way{2, [&] { return let_in(t, budget, known); }}, Way{1, [&] { return chosen(by_if); }},
      Way{1, [&] { return chosen(by_select); }}, Way{1, [&] { return component(t, budget); }},
      Way{2, [&] { return element(t, budget); }}, Way{1, [&] { return iterated(t, budget, known); }},
      Way{5, [&] { return budget >= 4 ? std::optional(while_loop(t, budget, known)) : std::nullopt; }},
      Way{2, [&] { return reduction(t, budget, known); }}, Way{1, [&] { return in_memory(t, budget, known); }},
      Way{1, [&] { return function_call(t, budget, known); }});
}

surface::Expr Generator::let_in(const Type& t, int budget, bool known) {
  const Type b = random_type(2);
  Expr value = expression(b, budget / 2, false);
  const Scope scope(*this);
  Pattern x = bind(b);
  return {surface::Let{std::move(x), std::move(value), expression(t, budget / 2, known)}, {}};
}

surface::Expr Generator::component(const Type& t, int budget) {
  const Type other = random_type(1);
  if (random_.percent(50)) return make::call("fst", {expression(pair(t, other), budget - 1, false)});
  return make::call("snd", {expression(pair(other, t), budget - 1, false)});
}

// xs ! i, by an index of its own type, by a number that is inside, and now and then by any number.
surface::Expr Generator::element(const Type& t, int budget) {
  std::vector<Size> lengths;
  for (const Variable& v : scope_)
    if (const auto* a = as<ArrayType>(v.type); a && *a->element == t) lengths.push_back(a->length);
  std::vector<Variable> indices;
  for (const Variable& v : scope_)
    if (as<IndexType>(v.type)) indices.push_back(v);
  if (!indices.empty() && random_.percent(60)) {
    const Variable i = random_.among(indices);
    Expr xs = expression(array(as<IndexType>(i.type)->bound, t), budget - 2, false);
    return {surface::Index{std::move(xs), make::name(i.name)}, {}};
  }
  const bool given = !lengths.empty() && random_.percent(70);
  const Size n = given ? random_.among(lengths) : affordable(3) ? Size(1 + random_.below(3)) : Size(1);
  Expr xs = expression(array(n, t), (budget - 2) / 2, false);
  if (const auto c = n.constant(); c && *c > 0 && random_.percent(70))
    return {surface::Index{std::move(xs), make::number(random_.below(static_cast<int>(*c)))}, {}};
  const Type i64 = scalar(ScalarType::I64);
  Expr i = expression(i64, (budget - 2) / 2, false);
  if (is_number(i) || random_.percent(70)) {
    Expr natural = make::binary("&", std::move(i), Expr{surface::Literal{"7", ScalarType::I64}, {}});
    i = make::binary("%", std::move(natural),
                     n.constant() ? make::number(std::max<std::int64_t>(1, *n.constant()))
                                  : make::call("max", {make::number(1), make::call("i64", {make::size(n)})}));
  }
  return {surface::Index{std::move(xs), std::move(i)}, {}};
}

surface::Expr Generator::function(const std::vector<Type>& from, const Type& to, int budget, bool known) {
  const Scope scope(*this);
  std::vector<Pattern> patterns;
  for (const Type& t : from) patterns.push_back(bind(t));
  Expr body = expression(to, budget, known);
  return make::lambda(std::move(patterns), std::move(body));
}

// (+), fst, sqrt, or a helper's own parameter, where it fits; a lambda otherwise.
surface::Expr Generator::function_or_operator(const std::vector<Type>& from, const Type& to, int budget, bool known) {
  std::vector<Expr> found;
  Type whole = to;
  for (auto t = from.rbegin(); t != from.rend(); ++t) whole = lockstep::function(*t, whole);
  for (const Variable& v : scope_)
    if (v.type == whole) found.push_back(make::name(v.name));
  const auto* s = as<ScalarType>(to);
  const bool numeric = s && *s != ScalarType::Bool;
  if (from.size() == 2 && from[0] == to && from[1] == to && numeric)
    for (const char* symbol : {"+", "-", "*"}) found.push_back(make::operation(symbol));
  if (from.size() == 2 && from[0] == to && from[1] == to && numeric) found.push_back(make::name("max"));
  if (from.size() == 1 && from[0] == to && numeric) found.push_back(make::name(is_float(*s) ? "floor" : "abs"));
  if (const auto* p = from.size() == 1 ? as<PairType>(from[0]) : nullptr) {
    if (*p->first == to) found.push_back(make::name("fst"));
    if (*p->second == to) found.push_back(make::name("snd"));
  }
  if (!found.empty() && random_.percent(30)) return random_.among(found);
  return function(from, to, budget, known);
}

surface::Expr Generator::iterated(const Type& t, int budget, bool known) {
  const bool by_name = !size_names_.empty() && affordable(8) && random_.percent(15);
  const Size k = by_name ? Size::name(random_.among(size_names_)) : Size(random_.below(4));
  Expr start = expression(t, budget / 3, known);
  const Inside inside(*this, k);
  return make::call("iterate", {make::size(k), function({t}, t, budget / 2, true), std::move(start)});
}

surface::Expr Generator::reduction(const Type& t, int budget, bool known) {
  const auto given = array_in_scope();
  const Size n = given ? given->length : affordable(4) ? random_size() : Size(1);
  const Type b = given ? *given->element : random_type(1);
  Expr xs = expression(array(n, b), budget / 3, false), start = expression(t, budget / 5, known);
  const Inside inside(*this, n);
  const std::string name = random_.percent(50) ? "reduce" : "reduceSeq";
  return make::call(name, {function_or_operator({b, t}, t, budget / 2, true), std::move(start), std::move(xs)});
}

surface::Expr Generator::in_memory(const Type& t, int budget, bool known) {
  std::vector<std::pair<std::string, Around>> all = {
      {"toGlobal", around_}, {"toPrivate", Around::Private}, {"toStream", around_}};
  if (by_threads()) all.insert(all.end(), 3, {"toLocal", around_});
  const auto* array_of = as<ArrayType>(t);  // vectors leave by the stream that is made for them
  if (array_of && as<VectorType>(*array_of->element)) all.insert(all.end(), 10, {"toStream", around_});
  const auto& [name, inside] = random_.among(all);
  const Type b = random_type(1);
  Expr x = expression(b, budget / 3, false);
  const Place place(*this, inside);
  return make::call(name, {function({b}, t, budget / 2, known), std::move(x)});
}

// ------------------------------------------------------------------------------------------------------- calls
namespace {

struct Match {
  SizeSubstitution sizes;
  TypeSubstitution types;
};
// pattern's type variables and its lone names of sizes, so that it is t.
bool unifies(const Type& pattern, const Type& t, const Helper& h, Match& m) {
  const auto length = [&](const Size& p, const Size& n) {
    const auto name = p.as_name();
    if (!name || std::find(h.sizes.begin(), h.sizes.end(), *name) == h.sizes.end()) return p == n;
    return m.sizes.try_emplace(*name, n).first->second == n;
  };
  if (const auto* v = as<TypeVariable>(pattern)) return m.types.try_emplace(v->name, t).first->second == t;
  if (pattern.node.index() != t.node.index()) return false;
  if (const auto* a = as<ArrayType>(pattern))
    return length(a->length, as<ArrayType>(t)->length) && unifies(*a->element, *as<ArrayType>(t)->element, h, m);
  if (const auto* p = as<PairType>(pattern))
    return unifies(*p->first, *as<PairType>(t)->first, h, m) && unifies(*p->second, *as<PairType>(t)->second, h, m);
  return pattern == t;
}

void functions_parts(const Type& f, std::vector<Type>& from, Type& to) {
  const auto* g = as<FunctionType>(f);
  if (!g) {
    to = f;
    return;
  }
  from.push_back(*g->from);
  functions_parts(*g->to, from, to);
}

}  // namespace

std::optional<surface::Expr> Generator::helper_call(const Helper& h, const Type& t, int budget) {
  Match m;
  if (!unifies(h.result, t, h, m)) return {};
  for (const std::string& s : h.sizes) m.sizes.try_emplace(s, affordable(4) ? random_size() : Size(1));
  if (m.types.empty()) m.types.emplace("a", scalar(random_scalar_type()));
  for (const auto& [name, n] : m.sizes)
    if (!affordable(n)) return {};
  std::vector<Expr> arguments;
  const int part = budget / std::max<int>(1, static_cast<int>(h.parameters.size()));
  const Inside inside(*this, 5);
  for (const auto& [name, type] : h.parameters) {
    if (!type) {
      const Size s = 1 + random_.below(3);
      m.sizes.insert_or_assign(name, s);
      arguments.push_back(make::size(s));
      continue;
    }
    const Type wanted = substitute(*type, m.sizes, m.types);
    std::vector<Type> from;
    Type to = wanted;
    functions_parts(wanted, from, to);
    const Place place(*this, Around::Inner);
    arguments.push_back(from.empty() ? expression(wanted, part, false) : function(from, to, part, false));
  }
  return make::call(h.name, std::move(arguments));
}

std::optional<surface::Expr> Generator::function_call(const Type& t, int budget, bool) {
  const std::vector<Variable> outside = scope_;
  for (const Variable& v : outside) {
    std::vector<Type> from;
    Type to = v.type;
    functions_parts(v.type, from, to);
    if (from.empty() || !(to == t) || random_.percent(30)) continue;
    const bool reachable = std::all_of(from.begin(), from.end(), [&](const Type& x) {
      return !is_opaque(x) ||
             std::any_of(scope_.begin(), scope_.end(), [&](const Variable& w) { return reach(w, x).has_value(); });
    });
    if (!reachable) continue;
    std::vector<Expr> arguments;
    for (const Type& x : from) arguments.push_back(expression(x, budget / 2, true));
    return make::apply(make::name(v.name), std::move(arguments));
  }
  if (helpers_.empty()) return {};
  return helper_call(random_.among(helpers_), t, budget);
}

}  // namespace lockstep::props
