// Random expressions of arrays and pairs.
#include <algorithm>

#include "props/dpia/generate_state.h"

namespace lockstep::props {

std::optional<ArrayType> Generator::array_in_scope() {
  std::vector<ArrayType> found;
  for (const Variable& v : scope_)
    if (const auto* a = as<ArrayType>(v.type); a && affordable(a->length)) found.push_back(*a);
  if (found.empty() || random_.percent(15)) return {};
  return random_.among(found);
}

Type Generator::source_element(const Size& n) {
  if (random_.percent(12)) {  // rows, windows
    const Size m = 2 + random_.below(3);
    return array(m, scalar(random_scalar_type()));
  }
  std::vector<Type> found;
  for (const Variable& v : scope_)
    if (const auto* a = as<ArrayType>(v.type); a && a->length == n) found.push_back(*a->element);
  if (!found.empty() && random_.percent(75)) return random_.among(found);
  return random_type(1);
}

std::optional<surface::Expr> Generator::pair_expression(const PairType& p, const Type&, int budget, bool known) {
  const auto *a = as<ArrayType>(*p.first), *b = as<ArrayType>(*p.second);
  if (a && b && a->length == b->length && random_.percent(60))
    return make::call("unzip", {expression(array(a->length, pair(*a->element, *b->element)), budget - 1, known)});
  Expr first = expression(*p.first, (budget - 1) / 2, known), second = expression(*p.second, (budget - 1) / 2, known);
  auto* rest = std::get_if<surface::Tuple>(&second.node);
  if (!rest || random_.percent(10)) return make::tuple(std::move(first), std::move(second));
  std::vector<Expr> parts = rest->parts;  // (a, b, c) is (a, (b, c))
  parts.insert(parts.begin(), std::move(first));
  return Expr{surface::Tuple{std::move(parts)}, {}};
}

surface::Expr Generator::map(const ArrayType& a, int budget, bool known) {
  std::vector<std::pair<std::string, Around>> all;
  const auto n = a.length.constant();
  if (n && *n >= 1 && *n <= 4)
    all.insert(all.end(), 3, {"mapUnroll", around_ == Around::Private ? Around::Private : Around::Inner});
  if (around_ == Around::Private)
    all.push_back({"mapSeq", Around::Private});
  else
    all.insert(all.end(), {{"mapSeq", around_}, {"map", Around::Inner}});
  if (around_ == Around::Top) {
    all.insert(
        all.end(),
        {{"map", Around::Top}, {"mapPar", Around::Par}, {"mapGlobal", Around::Inner}, {"mapLocal", Around::Inner}});
    all.insert(all.end(), 5, {"mapWorkgroup", Around::Workgroup});
  }
  if (around_ == Around::Par) all.push_back({"mapPar", Around::Par});
  if (around_ == Around::Workgroup) all.push_back({"mapWarp", Around::Warp});
  if (by_threads()) all.insert(all.end(), 9, {"mapLocal", Around::Inner});
  const auto [name, inner] = random_.among(all);
  const Type b = source_element(a.length);
  Expr xs = expression(array(a.length, b), budget / 3, false);
  const Inside inside(*this, a.length);
  const Place place(*this, inner);
  return make::call(name, {function_or_operator({b}, *a.element, budget * 3 / 5, known), std::move(xs)});
}

surface::Expr Generator::scan(const ArrayType& a, int budget, bool known) {
  const Type b = source_element(a.length);
  Expr xs = expression(array(a.length, b), budget / 3, false), start = expression(*a.element, budget / 5, known);
  const Inside inside(*this, a.length);
  const Place place(*this, around_ == Around::Private ? Around::Private : Around::Inner);
  Expr f = function_or_operator({b, *a.element}, *a.element, budget / 2, true);
  return make::call(random_.percent(50) ? "scan" : "scanExclusive", {std::move(f), std::move(start), std::move(xs)});
}

surface::Expr Generator::gathered(const ArrayType& a, int budget, bool known) {
  const auto given = array_in_scope();
  const Size m = given && *given->element == *a.element ? given->length : Size(1 + random_.below(5));
  Expr is = indices(a.length, m, budget / 2);
  return make::call("gather", {std::move(is), expression(array(m, *a.element), budget / 2, known)});
}

surface::Expr Generator::scattered(const ArrayType& a, int budget, bool known) {
  const Size n = random_.percent(60) ? a.length : Size(1 + random_.below(3));
  Expr onto = expression(array(a.length, *a.element), budget / 3, known);
  Expr is = random_.percent(75) ? distinct_indices(n) : indices(n, a.length, budget / 4);
  if (random_.percent(30)) {
    const Type b = source_element(n);
    Expr both = make::call("zip", {std::move(is), expression(array(n, b), budget / 3, false)});
    const Inside inside(*this, n);
    const Place place(*this, around_ == Around::Private ? Around::Private : Around::Inner);
    Expr value = function({pair(scalar(ScalarType::I64), b)}, *a.element, budget / 3, true);
    return make::call("scatterBy", {component_function("fst"), std::move(value), std::move(onto), std::move(both)});
  }
  return make::call("scatter", {std::move(onto), std::move(is), expression(array(n, *a.element), budget / 3, true)});
}

// \p -> fst p, or snd p
surface::Expr Generator::component_function(const char* component) {
  const std::string p = fresh("x");
  return make::lambda({make::bind(p)}, make::call(component, {make::name(p)}));
}

// a and b as one, by a function that is associative and commutative bit for bit, in each component.
std::optional<surface::Expr> Generator::combined(const Type& t, Expr a, Expr b) {
  if (const auto* p = as<PairType>(t)) {
    const auto part = [&](const char* which, const Type& of) {
      return combined(of, make::call(which, {a}), make::call(which, {b}));
    };
    auto first = part("fst", *p->first), second = part("snd", *p->second);
    if (!first || !second) return {};
    return make::tuple(std::move(*first), std::move(*second));
  }
  if (const auto* xs = as<ArrayType>(t)) {
    const std::string x = fresh("x"), y = fresh("x");
    auto one = combined(*xs->element, make::name(x), make::name(y));
    if (!one) return {};
    surface::Pattern both{surface::TuplePattern{{make::bind(x), make::bind(y)}}, {}};
    return make::call(around_ == Around::Private ? "mapSeq" : "map",
                      {make::lambda({std::move(both)}, std::move(*one)), make::call("zip", {a, b})});
  }
  const auto* v = as<VectorType>(t);
  const auto* s = as<ScalarType>(v ? *v->element : t);
  if (!s) return {};
  static const std::vector<std::string> symbols = {"+", "*", "&", "|", "^"}, bools = {"&&", "||"};
  if (is_float(*s) || (*s != ScalarType::Bool && random_.percent(30)))
    return make::call(random_.percent(50) ? "minimum" : "maximum", {std::move(a), std::move(b)});
  return make::binary(random_.among(*s == ScalarType::Bool ? bools : symbols), std::move(a), std::move(b));
}

// `by_threads`: those of the block or warp around, atomically, where the elements are integers.
std::optional<surface::Expr> Generator::permuted(const ArrayType& a, int budget, bool known, bool by_threads) {
  const auto* s = as<ScalarType>(*a.element);
  const bool integers = s && is_integer(*s);
  if (by_threads && !integers) return {};
  const bool atomic = by_threads || (integers && for_gpu_ && around_ == Around::Top && random_.percent(30));
  const Size n = affordable(4) ? random_size() : Size(2);
  static const std::vector<std::string> symbols = {"+", "*", "&", "|", "^"}, bools = {"&&", "||"};
  Expr f = make::number(0);
  if (atomic || (s && !is_float(*s) && random_.percent(50))) {
    f = make::operation(random_.among(*s == ScalarType::Bool ? bools : symbols));
    if (*s != ScalarType::Bool && random_.percent(30)) f = make::name(random_.percent(50) ? "min" : "max");
  } else {
    const std::string x = fresh("x"), y = fresh("x");
    const Place place(*this, around_ == Around::Private ? Around::Private : Around::Inner);
    auto body = combined(*a.element, make::name(x), make::name(y));
    if (!body) return {};
    f = make::lambda({make::bind(x), make::bind(y)}, std::move(*body));
  }
  Expr defaults = expression(array(a.length, *a.element), budget / 4, known);
  Expr is = indices(n, a.length, budget / 3);
  const std::string p = fresh("x"), acc = fresh("x");
  auto step = atomic || random_.percent(80) ? std::nullopt
                                            : combined(*a.element, make::call("snd", {make::name(p)}), make::name(acc));
  if (step) {
    Expr both = make::call("zip", {std::move(is), expression(array(n, *a.element), budget / 4, true)});
    return make::call("permuteBy",
                      {component_function("fst"), make::lambda({make::bind(p), make::bind(acc)}, std::move(*step)),
                       std::move(defaults), std::move(both)});
  }
  return make::call(
      by_threads ? "permuteLocal"
      : atomic   ? "permuteGlobal"
                 : "permute",
      {std::move(f), std::move(defaults), std::move(is), expression(array(n, *a.element), budget / 4, true)});
}

// take and drop: from what a fact cuts, or from something a little longer.
std::optional<surface::Expr> Generator::cut(const ArrayType& a, int budget, bool known) {
  std::vector<std::pair<Cut, bool>> found;  // take?
  for (const Cut& c : cuts_) {
    if (a.length == c.head) found.push_back({c, true});
    if (a.length == c.rest) found.push_back({c, false});
  }
  if (found.empty() || random_.percent(30)) {
    const Size more = random_.percent(30) && !sizes_.empty() ? random_.among(sizes_) : Size(random_.below(4));
    found = {random_.percent(50) ? std::pair{Cut{a.length + more, a.length, more}, true}
                                 : std::pair{Cut{a.length + more, more, a.length}, false}};
  }
  const auto [c, take] = random_.among(found);
  if (!affordable(c.whole)) return {};
  return make::call(take ? "take" : "drop",
                    {make::size(c.head), expression(array(c.whole, *a.element), budget - 2, known)});
}

std::optional<surface::Expr> Generator::concatenated(const ArrayType& a, int budget, bool known) {
  std::vector<std::pair<Size, Size>> found;
  for (const Cut& c : cuts_)
    if (a.length == c.whole) found.push_back({c.head, c.rest});
  for (const SizeTerm& t : a.length.terms()) {  // a length without negative terms, cut at one of them
    const Size one = product_of(t.coefficient > 1 ? 1 : t.coefficient, t);
    found.push_back({one, a.length - one});
    if (t.coefficient < 0) return {};
  }
  if (found.empty()) return {};
  auto [n, m] = random_.among(found);
  if (random_.percent(50)) std::swap(n, m);
  Expr first = expression(array(n, *a.element), (budget - 1) / 2, known);
  return make::call("concat", {std::move(first), expression(array(m, *a.element), (budget - 1) / 2, true)});
}

// Two sizes whose product is the length.
std::pair<Size, Size> Generator::factors_of(const Size& length) {
  std::vector<Size> factors = {1};
  if (const auto n = length.constant()) {
    for (std::int64_t k = 2; k <= *n; ++k)
      if (*n % k == 0) factors.push_back(k);
  } else if (length.terms().size() == 1) {
    const SizeTerm& t = length.terms().front();
    for (std::int64_t k = 2; k <= t.coefficient; ++k)
      if (t.coefficient % k == 0) factors.push_back(k);
    for (const auto& [atom, power] : t.powers)
      if (!atom.division) factors.push_back(Size::name(atom.name));
  }
  const Size m = random_.among(factors);
  Size k = length;
  if (const auto c = m.constant(); c && length.terms().size() == 1 && *c > 1) {
    const SizeTerm& t = length.terms().front();
    k = product_of(t.coefficient / *c, t);
  } else if (!c) {
    const SizeTerm& t = length.terms().front();
    k = t.coefficient;
    for (const auto& [atom, power] : t.powers)
      for (int p = 0; p < power - (!atom.division && atom.name == m.as_name() ? 1 : 0); ++p) k = k * value_of(atom);
  }
  if (random_.percent(50)) return {k, m};
  return {m, k};
}

std::optional<surface::Expr> Generator::joined(const ArrayType& a, int budget, bool known) {
  const auto [m, n] = factors_of(a.length);
  return make::call("join", {expression(array(m, array(n, *a.element)), budget - 1, known)});
}

// Rows whose elements are turned, transposed, reversed; or in a few programs meet.
std::optional<surface::Expr> Generator::spread(const ArrayType& a, int budget, bool known, bool by_threads) {
  const auto [m, n] = factors_of(a.length);
  const std::string p = fresh("p");
  const Expr i = make::call("fst", {make::name(p)}), j = make::call("snd", {make::name(p)});
  const auto number = [](const Size& s) {
    return s.constant() ? make::number(*s.constant()) : make::call("i64", {make::size(s)});
  };
  const auto op = [](const char* symbol, Expr x, Expr y) { return make::binary(symbol, std::move(x), std::move(y)); };
  const auto last = [&](const Size& s, const Expr& x) { return op("-", op("-", number(s), make::number(1)), x); };
  const Expr rows = op("*", i, number(n));
  const std::vector<Expr> places = {op("+", rows, j),
                                    op("+", op("*", j, number(m)), i),
                                    op("+", rows, last(n, j)),
                                    op("+", op("*", last(m, i), number(n)), j),
                                    op("+", rows, op("%", op("+", i, j), number(n))),
                                    op("+", rows, op("%", op("+", j, make::number(1)), number(n)))};
  Expr place = random_.percent(12) ? op("^", rows, j) : random_.among(places);
  const bool of_all = for_gpu_ && around_ == Around::Top && random_.percent(50);
  return make::call(by_threads ? "spreadLocal"
                    : of_all   ? "spreadGlobal"
                               : "spread",
                    {make::size(n), make::lambda({make::bind(p)}, std::move(place)),
                     expression(array(m, array(n, *a.element)), budget - 6, known)});
}

std::optional<surface::Expr> Generator::padded(const ArrayType& a, int budget, bool known) {
  const auto n = a.length.constant();
  const Size l = random_.below(3), r = random_.below(3);
  const Size inner = a.length - l - r;
  for (const SizeTerm& t : inner.terms())
    if (t.coefficient < 0) return {};
  if (!n && a.length.constant()) return {};
  Expr x = expression(*a.element, budget / 3, known);
  return make::call(
      "pad", {make::size(l), make::size(r), std::move(x), expression(array(inner, *a.element), budget / 2, true)});
}

// [m+1][w] from slide w s.
std::optional<surface::Expr> Generator::windows(const ArrayType& a, int budget, bool known) {
  const auto* row = as<ArrayType>(*a.element);
  const auto w = row ? row->length.constant() : std::nullopt;
  const Size m = a.length - Size(1);
  for (const SizeTerm& t : m.terms())
    if (t.coefficient < 0) return {};
  if (!w || *w < 1) return {};
  const Size s = random_.percent(30) ? 1 : 2 + random_.below(2);
  return make::call("slide", {make::size(row->length), make::size(s),
                              expression(array(row->length + s * m, *row->element), budget - 3, known)});
}

std::optional<surface::Expr> Generator::rows(const ArrayType& a, int budget, bool known) {
  const auto* row = as<ArrayType>(*a.element);
  if (!row) return {};
  if (random_.percent(15))
    if (auto e = product(a, budget, known)) return e;
  if (random_.percent(50))
    if (auto e = windows(a, budget, known)) return e;
  const auto* deeper = as<ArrayType>(*row->element);
  if (deeper && random_.percent(40))
    return make::call(
        "mapTranspose",
        {expression(array(a.length, array(deeper->length, array(row->length, *deeper->element))), budget - 1, known)});
  if (random_.percent(45))
    return make::call("transpose", {expression(array(row->length, array(a.length, *row->element)), budget - 1, known)});
  const auto k = row->length.constant();
  if (!k || *k < 1) return {};
  return make::call(
      "split", {make::size(row->length), expression(array(row->length * a.length, *row->element), budget - 2, known)});
}

std::optional<surface::Expr> Generator::array_expression(const ArrayType& a, const Type& t, int budget, bool known) {
  if (!affordable(a.length)) return {};
  const auto* s = as<ScalarType>(*a.element);
  const auto* v = as<VectorType>(*a.element);
  const auto* p = as<PairType>(*a.element);
  // A block's elements that are arrays are what its threads are for, and a warp's.
  if (by_threads() && random_.percent(20)) return in_memory(t, budget, known);
  if (by_threads() && random_.percent(60)) return map(a, budget, known);
  if (around_ == Around::Top && as<ArrayType>(*a.element) && random_.percent(25)) return map(a, budget, known);
  if (as<ArrayType>(*a.element) && random_.percent(50)) return rows(a, budget, known);
  if (p && random_.percent(45)) {
    Expr xs = expression(array(a.length, *p->first), (budget - 1) / 2, known);
    return make::call("zip", {std::move(xs), expression(array(a.length, *p->second), (budget - 1) / 2, known)});
  }
  if (v && random_.percent(20)) return in_memory(t, budget, known);
  if (v && random_.percent(40))
    return make::call("asVector",
                      {make::size(v->width), expression(array(v->width * a.length, *v->element), budget - 2, known)});
  const auto n = a.length.constant();
  if (s && *s != ScalarType::Bool && n && (*n == 2 || *n == 3 || *n == 4 || *n == 8 || *n == 16) && random_.percent(25))
    return make::call("lanes", {expression(vector_type(*a.element, a.length), budget - 1, known)});
  if (s && *s != ScalarType::Bool && random_.percent(20)) {
    std::vector<std::pair<int, Size>> fitting;
    for (const int w : {2, 3, 4, 8, 16})
      if (const auto m = divided(a.length, w); m && !m->terms().empty()) fitting.push_back({w, *m});
    if (!fitting.empty()) {
      const auto [w, m] = random_.among(fitting);
      return make::call("asScalar", {expression(array(m, vector_type(*a.element, w)), budget - 1, known)});
    }
  }
  const auto generated = [&] {
    const Place place(*this, around_ == Around::Private ? Around::Private : Around::Inner);
    const Inside inside(*this, a.length);
    const bool mapped = random_.percent(30);
    Expr f = function({index_type(a.length)}, *a.element, budget - 2, known);
    if (mapped) return make::call("map", {std::move(f), make::call("indices", {make::size(a.length)})});
    return make::call("generate", {make::size(a.length), std::move(f)});
  };
  const auto literal = [&]() -> std::optional<surface::Expr> {
    if (!n || *n < 1 || *n > 5) return {};
    surface::ArrayLiteral items;
    for (std::int64_t k = 0; k < *n; ++k)
      items.parts.push_back(expression(*a.element, budget / static_cast<int>(*n), known || k > 0));
    return Expr{std::move(items), {}};
  };
  return random_.one_of(
      Way{6, [&] { return map(a, budget, known); }}, Way{2, [&] { return scan(a, budget, known); }}, Way{2, generated},
      Way{1,
          [&] {
            return make::call("replicate", {make::size(a.length), expression(*a.element, budget - 2, known)});
          }},
      Way{2, [&] { return make::call("reverse", {expression(t, budget - 1, known)}); }},
      Way{1, [&] { return cut(a, budget, known); }}, Way{2, [&] { return concatenated(a, budget, known); }},
      Way{1, [&] { return joined(a, budget, known); }}, Way{1, [&] { return spread(a, budget, known); }},
      Way{2, [&] { return padded(a, budget, known); }}, Way{2, [&] { return gathered(a, budget, known); }},
      Way{2, [&] { return scattered(a, budget, known); }}, Way{s ? 2 : 5, [&] { return permuted(a, budget, known); }},
      Way{1, literal});
}

}  // namespace lockstep::props
