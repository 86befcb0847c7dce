// Random views of views, made from the inside outwards, so that every pair that types allow occurs.
#include <algorithm>

#include "props/dpia/generate_state.h"

namespace lockstep::props {

namespace {

std::int64_t constant_part(const Size& s) {
  for (const SizeTerm& t : s.terms())
    if (t.powers.empty()) return t.coefficient;
  return 0;
}
bool is_scalar_array(const Type& t) {
  const auto* a = as<ArrayType>(t);
  return a && as<ScalarType>(*a->element);
}
bool is_number(const Type& t) { return as<ScalarType>(t) && t != scalar(ScalarType::Bool); }

}  // namespace

const std::vector<std::string>& views_of_data() {
  static const std::vector<std::string> all = {"zip",   "unzip",  "split",       "join",     "transpose", "reverse",
                                               "take",  "drop",   "concat",      "slide",    "pad",       "gather",
                                               "fst",   "snd",    "replicate",   "asVector", "asScalar",  "lanes",
                                               "splat", "select", "mapTranspose"};
  return all;
}

std::optional<Generator::Seen> Generator::viewed(const std::string& name, const Seen& x, std::vector<Expr> before,
                                                 Type t) {
  before.push_back(x.e);
  return Seen{make::call(name, std::move(before)), std::move(t)};
}

// Nothing where x has no fitting type.
std::optional<Generator::Seen> Generator::view_of(const std::string& name, const Seen& x) {
  const auto* p = as<PairType>(x.type);
  const auto* v = as<VectorType>(x.type);
  const auto call = [&](std::vector<Expr> arguments, Type t) {
    return viewed(name, x, std::move(arguments), std::move(t));
  };
  if (name == "fst" && p) return call({}, *p->first);
  if (name == "snd" && p) return call({}, *p->second);
  if (name == "lanes" && v) return call({}, array(v->width, *v->element));
  if (name == "splat" && is_number(x.type)) {
    const Size w = random_.percent(50) ? 4 : 3;
    return call({make::size(w)}, vector_type(x.type, w));
  }
  if (name == "replicate") {
    const Size n = 1 + random_.below(3);
    return call({make::size(n)}, array(n, x.type));
  }
  if (name == "select") {
    Expr other = leaf(x.type, false), test = leaf(scalar(ScalarType::Bool), false);
    return Seen{make::call("select", {std::move(test), std::move(other), x.e}), x.type};
  }
  return as<ArrayType>(x.type) ? view_of_array(name, x) : std::nullopt;
}

std::optional<Generator::Seen> Generator::view_of_array(const std::string& name, const Seen& x) {
  const auto call = [&](std::vector<Expr> arguments, Type t) {
    return viewed(name, x, std::move(arguments), std::move(t));
  };
  const Size n = as<ArrayType>(x.type)->length;
  const Type element = *as<ArrayType>(x.type)->element;
  const auto* row = as<ArrayType>(element);
  const auto* both = as<PairType>(element);
  const auto* lanes = as<VectorType>(element);
  const std::int64_t here = constant_part(n);  // so many elements there are at least
  if (name == "reverse") return call({}, x.type);
  if (name == "zip") {
    const Type of = random_.percent(50) ? scalar(ScalarType::I64) : scalar(random_scalar_type());
    Expr other = leaf(array(n, of), false);
    return Seen{make::call("zip", {x.e, std::move(other)}), array(n, pair(element, of))};
  }
  if (name == "unzip" && both) return call({}, pair(array(n, *both->first), array(n, *both->second)));
  if (name == "join" && row) return call({}, array(n * row->length, *row->element));
  if (name == "transpose" && row) return call({}, array(row->length, array(n, *row->element)));
  if (name == "mapTranspose" && row)
    if (const auto* deeper = as<ArrayType>(*row->element))
      return call({}, array(n, array(deeper->length, array(row->length, *deeper->element))));
  if (name == "take" || name == "drop") {
    if (!is_natural(n)) return {};
    Size k = random_.below(static_cast<int>(std::min<std::int64_t>(here, 5)) + 1);
    if (!n.constant() && random_.percent(50)) k = n - Size(here);
    return call({make::size(k)}, array(name == "take" ? k : n - k, element));
  }
  if (name == "concat") {
    const Size m = 1 + random_.below(2);
    Expr other = leaf(array(m, element), false);
    if (random_.percent(50)) return call({std::move(other)}, array(m + n, element));
    return Seen{make::call("concat", {x.e, std::move(other)}), array(n + m, element)};
  }
  if (name == "pad") {
    const Size l = random_.below(3), r = random_.below(3);
    return call({make::size(l), make::size(r), leaf(element, false)}, array(l + n + r, element));
  }
  if (name == "gather") {
    const Size m = random_.percent(50) ? n : Size(1 + random_.below(4));
    return call({indices(m, n, 3)}, array(m, element));
  }
  if (name == "slide") {
    if (!is_natural(n) || here < 1) return {};
    const Size w = 1 + random_.below(static_cast<int>(std::min<std::int64_t>(here, 3))), s = 1 + random_.below(2);
    const auto m = divided(n - w, *s.constant());
    if (!m) return {};
    return call({make::size(w), make::size(s)}, array(*m + Size(1), array(w, element)));
  }
  if (name == "split") {
    const Size k = 1 + random_.below(4);
    const auto m = divided(n, *k.constant());
    if (!m) return {};
    return call({make::size(k)}, array(*m, array(k, element)));
  }
  if (name == "asVector" && is_number(element)) {
    const int w = random_width();
    const auto m = divided(n, w);
    if (!m) return {};
    return call({make::size(w)}, array(*m, vector_type(element, w)));
  }
  if (name == "asScalar" && lanes) return call({}, array(n * lanes->width, *lanes->element));
  return {};
}

Type Generator::source_of_views() {
  const Type s = scalar(random_scalar_type()), t = scalar(random_scalar_type());
  const Type number = scalar(random_scalar_type(true));
  const Size n = sizes_.empty() ? Size(3) : random_.among(sizes_);
  const Size w = random_width();
  return random_.one_of(
      Way{1, [&] { return array(12, s); }}, Way{1, [&] { return array(Size(12) * n, s); }},
      Way{1, [&] { return array(n + Size(2), s); }}, Way{1, [&] { return array(n, array(6, s)); }},
      Way{1, [&] { return array(4, array(n, s)); }}, Way{1, [&] { return array(Size(4) * n, pair(s, t)); }},
      Way{1, [&] { return array(n, pair(array(4, s), array(n, t))); }},
      Way{1, [&] { return pair(array(n, s), array(n, t)); }},
      Way{1, [&] { return pair(array(4, array(n, s)), pair(s, number)); }},
      Way{1, [&] { return array(Size(2) * n, vector_type(number, w)); }},
      Way{1, [&] { return array(2, array(3, vector_type(number, w))); }},
      Way{1, [&] { return vector_type(number, w); }}, Way{1, [&] { return pair(vector_type(number, w), number); }},
      Way{1, [&] { return number; }}, Way{1, [&] { return array(Size(16) * n, number); }},
      Way{1, [&] { return array(n, array(2, array(4, s))); }},
      Way{1, [&] { return array(n, array(4, pair(s, number))); }},
      Way{1, [&] { return array(4, array(n + Size(2), s)); }},
      Way{1, [&] { return array(n + Size(1), vector_type(number, w)); }},
      Way{1, [&] { return array(Size(2) * n + Size(2), pair(number, vector_type(number, w))); }},
      Way{1, [&] { return pair(array(n + Size(2), s), array(n + Size(1), t)); }},
      Way{1, [&] { return pair(array(Size(12) * n, pair(s, number)), array(4, pair(s, t))); }},
      Way{1, [&] { return pair(array(n, array(4, s)), array(n, array(4, number))); }},
      Way{1, [&] { return pair(array(n, vector_type(number, w)), array(4, vector_type(number, w))); }},
      Way{1, [&] { return pair(number, vector_type(number, w)); }},
      Way{1, [&] { return pair(pair(s, t), pair(t, s)); }});
}

std::optional<Generator::Seen> Generator::view_of_view(const ViewOfView& pair, const Seen& x) {
  const auto first = view_of(pair.second, x);
  return first ? view_of(pair.first, *first) : std::nullopt;
}

std::set<ViewOfView> Generator::views_that_fit() {
  std::set<ViewOfView> out;
  sizes_ = {Size::name("n")};
  for (const std::string& outer : views_of_data())
    for (const std::string& inner : views_of_data())
      for (int tries = 0; tries < 400 && !out.contains({outer, inner}); ++tries)
        if (view_of_view({outer, inner}, {make::name("x"), source_of_views()})) out.insert({outer, inner});
  return out;
}

const std::vector<ViewOfView>& views_of_views() {
  static const std::vector<ViewOfView> all = [] {
    const auto fitting = Generator(1, 30, {}, false, true).views_that_fit();
    return std::vector<ViewOfView>(fitting.begin(), fitting.end());
  }();
  return all;
}

void Generator::views(surface::Definition& d) {
  const std::string name = fresh("x");
  std::optional<Seen> made;
  Type source = scalar(ScalarType::I32);
  const ViewOfView& pair = random_.among(views_of_views());
  for (int tries = 0; tries < 80 && !made; ++tries) {
    source = source_of_views();
    made = view_of_view(pair, {make::name(name), source});
  }
  if (!made) source = array(12, scalar(ScalarType::I32)), made = Seen{make::name(name), source};
  for (int more = random_.below(7); more > 0; --more)  // one in three fits
    if (auto e = view_of(random_.among(views_of_data()), *made)) made = std::move(e);
  d.parameters.push_back({name, {}, surface::SourceType{declared(source), {}, {}}});
  scope_.push_back({name, source});
  const auto* a = as<ArrayType>(made->type);
  Type result = made->type;
  if (a && affordable(a->length) && random_.percent(60)) {
    const Inside inside(*this, a->length);
    const bool folded = random_.percent(40);
    const Type to = random_.percent(50) && is_scalar_array(made->type) ? *a->element : scalar(random_scalar_type());
    Expr start = leaf(to, false);
    const Place place(*this, Around::Inner);
    std::vector<Expr> arguments = {function_or_operator(
        folded ? std::vector<Type>{*a->element, to} : std::vector<Type>{*a->element}, to, 4, false)};
    if (folded) arguments.push_back(std::move(start));
    arguments.push_back(std::move(made->e));
    made->e = make::call(folded ? "reduce" : "map", std::move(arguments));
    result = folded ? to : array(a->length, to);
  }
  d.result = {declared(result), {}, {}};
  d.body = std::move(made->e);
}

// [m][n] sums, of each row of a matrix and each column of another.
std::optional<surface::Expr> Generator::product(const ArrayType& a, int budget, bool known) {
  const auto* row = as<ArrayType>(*a.element);
  const auto* s = row ? as<ScalarType>(*row->element) : nullptr;
  const Size k = random_size();
  if (!s || *s == ScalarType::Bool || !affordable(a.length * row->length * k)) return {};
  const std::string left = fresh("a"), right = fresh("b"), r = fresh("row"), c = fresh("column"), x = fresh("x"),
                    y = fresh("y"), acc = fresh("acc");
  Expr as = expression(array(a.length, array(k, *row->element)), (budget - 6) / 2, known);
  Expr bs = expression(array(k, *a.element), (budget - 6) / 2, known);
  const bool products = is_float(*s) || random_.percent(70);
  Expr both = make::binary(products ? "*" : "^", make::name(x), make::name(y));
  Expr sum = make::binary("+", std::move(both), make::name(acc));
  Expr step = make::lambda({make::pattern({x, y}), make::bind(acc)}, std::move(sum));
  Expr zipped = make::call("zip", {make::name(r), make::name(c)});
  Expr one = make::call("reduce", {std::move(step), Expr{surface::Literal{"0", *s}, {}}, std::move(zipped)});
  Expr columns = make::call("transpose", {make::name(right)});
  Expr of_row = make::call("map", {make::lambda({make::bind(c)}, std::move(one)), std::move(columns)});
  Expr all = make::call("map", {make::lambda({make::bind(r)}, std::move(of_row)), make::name(left)});
  return make::let(make::bind(left), std::move(as), make::let(make::bind(right), std::move(bs), std::move(all)));
}

}  // namespace lockstep::props
