// Random expressions of few nodes: names, what is read from them, and literals.
#include "props/dpia/generate_state.h"

namespace lockstep::props {

using surface::Pattern;

// v itself, or a component of it.
std::optional<surface::Expr> Generator::reach(const Variable& v, const Type& t) {
  if (v.type == t) return make::name(v.name);
  const auto* p = as<PairType>(v.type);
  if (p && *p->first == t) return make::call("fst", {make::name(v.name)});
  if (p && *p->second == t) return make::call("snd", {make::name(v.name)});
  return {};
}

namespace {

// A scalar of e : t, with no loop and no index that may be outside.
struct Read {
  surface::Expr scalar;
  ScalarType type;
};
using Indices = std::vector<Variable>;  // those in scope
void collect_reads(const surface::Expr& e, const Type& t, const Indices& indices, std::vector<Read>& into) {
  const auto at = [&](surface::Expr i) { return surface::Expr{surface::Index{e, std::move(i)}, {}}; };
  match(
      t.node,
      [&](ScalarType s) {
        into.push_back({e, s});
      },
      [&](const IndexType&) {
        into.push_back({make::call("i64", {e}), ScalarType::I64});
      },
      [&](const ArrayType& a) {
        for (const Variable& i : indices)
          if (as<IndexType>(i.type)->bound == a.length)
            return collect_reads(at(make::name(i.name)), *a.element, indices, into);
        if (a.length.constant().value_or(0) > 0) collect_reads(at(make::number(0)), *a.element, indices, into);
      },
      [&](const PairType& p) {
        collect_reads(make::call("fst", {e}), *p.first, indices, into);
        collect_reads(make::call("snd", {e}), *p.second, indices, into);
      },
      [&](const VectorType& v) {
        surface::Expr lane{surface::Index{make::call("lanes", {e}), make::number(*v.width.constant() - 1)}, {}};
        into.push_back({std::move(lane), *as<ScalarType>(*v.element)});
      },
      [](const FunctionType&) {}, [](const TypeVariable&) {});
}

}  // namespace

// Of another type too, converted, and of an array whose elements no index reaches: over all of them.
std::optional<surface::Expr> Generator::read_from_scope(ScalarType s) {
  Indices indices;
  for (const Variable& v : scope_)
    if (as<IndexType>(v.type)) indices.push_back(v);
  std::vector<Read> reads;
  for (const Variable& v : scope_) collect_reads(make::name(v.name), v.type, indices, reads);
  std::vector<Variable> arrays;
  for (const Variable& v : scope_)
    if (const auto* a = as<ArrayType>(v.type); a && as<ScalarType>(*a->element) && affordable(a->length))
      arrays.push_back(v);
  if (!arrays.empty() && reads_by_loops_ && (reads.empty() || random_.percent(25))) {
    const Variable& v = random_.among(arrays);
    const ScalarType from = *as<ScalarType>(*as<ArrayType>(v.type)->element);
    const std::string x = fresh("x"), sum = fresh("x");
    const std::string symbol = s == ScalarType::Bool ? "!=" : random_.percent(60) ? "+" : "-";
    Expr body = make::binary(symbol, converted(make::name(x), from, s), make::name(sum));
    Expr start = literal(s, false);
    return make::call(
        random_.percent(50) ? "reduce" : "reduceSeq",
        {make::lambda({make::bind(x), make::bind(sum)}, std::move(body)), std::move(start), make::name(v.name)});
  }
  if (reads.empty()) return {};
  std::vector<Read> alike;  // these need no conversion, or one that cannot trap
  for (const Read& r : reads)
    if (r.type == s) alike.push_back(r);
  if (alike.empty())
    for (const Read& r : reads)
      if (!is_float(r.type) || is_float(s) || s == ScalarType::Bool) alike.push_back(r);
  const Read& read = random_.among(alike.empty() || random_.percent(10) ? reads : alike);
  Expr e = converted(read.scalar, read.type, s);
  static const std::vector<std::string> functions = named_operators(Operands::Float, 1);
  return is_float(s) && random_.percent(15) ? make::call(random_.among(functions), {std::move(e)}) : e;
}

surface::Expr Generator::scalar_leaf(ScalarType s, bool known) {
  if (has_large() && !reads_far_ && random_.percent(3)) {
    reads_far_ = true;  // what it needs itself comes from near by
    Expr e = far_read(s);
    reads_far_ = false;
    return e;
  }
  if (random_.percent(85))
    if (auto e = read_from_scope(s)) return std::move(*e);
  return literal(s, known);
}

surface::Expr Generator::literal_leaf(const ArrayType& a, bool known) {
  surface::ArrayLiteral items;
  const bool by_loops = reads_by_loops_;
  for (std::int64_t k = 0; k < *a.length.constant(); ++k) {
    items.parts.push_back(leaf(*a.element, known || k > 0));
    reads_by_loops_ = false;  // one is enough
  }
  reads_by_loops_ = by_loops;
  return {std::move(items), {}};
}

surface::Expr Generator::array_leaf(const ArrayType& a, bool known) {
  const auto n = a.length.constant();
  const auto* e = as<ScalarType>(*a.element);
  std::vector<Variable> as_long;
  for (const Variable& v : scope_)
    if (const auto* other = as<ArrayType>(v.type); other && other->length == a.length) as_long.push_back(v);
  if (!as_long.empty() && affordable(a.length) && random_.percent(70)) {
    const Variable& xs = random_.among(as_long);
    const Inside inside(*this, a.length);
    const Scope scope(*this);
    const std::string x = fresh("x");
    scope_.push_back({x, *as<ArrayType>(xs.type)->element});
    Expr f = make::lambda({make::bind(x)}, leaf(*a.element, known));
    return make::call(around_ == Around::Private ? "mapSeq" : "map", {std::move(f), make::name(xs.name)});
  }
  if (e && *e == ScalarType::I64 && random_.percent(25)) return make::call("iota", {make::size(a.length)});
  if (n && *n >= 1 && *n <= 4 && random_.percent(60)) return literal_leaf(a, known);
  if (e && *e != ScalarType::Bool && random_.percent(20)) {  // no two alike
    const std::string i = fresh("i");
    Expr body = make::call(std::string(show(*e)), {make::name(i)});
    return make::call("generate", {make::size(a.length), make::lambda({make::bind(i)}, std::move(body))});
  }
  if (!affordable(a.length) || random_.percent(40))
    return make::call("replicate", {make::size(a.length), leaf(*a.element, known)});
  const Inside inside(*this, a.length);
  const Scope scope(*this);
  Pattern i = bind(index_type(a.length));
  return make::call("generate", {make::size(a.length), make::lambda({std::move(i)}, leaf(*a.element, known))});
}

surface::Expr Generator::leaf(const Type& t, bool known) {
  std::vector<Expr> found;
  for (const Variable& v : scope_)
    if (auto e = reach(v, t)) found.push_back(std::move(*e));
  const bool is_literal = as<ScalarType>(t) != nullptr;
  if (!found.empty() && (!is_literal || random_.percent(85))) return random_.among(found);
  return match(
      t.node, [&](ScalarType s) { return scalar_leaf(s, known); },
      [](const IndexType&) -> Expr { throw Bug("an index type was asked for where no index is"); },
      [&](const ArrayType& a) { return array_leaf(a, known); },
      [&](const PairType& p) {
        Expr first = leaf(*p.first, known);
        return make::tuple(std::move(first), leaf(*p.second, known));
      },
      [&](const VectorType& v) {
        return make::call("splat", {make::size(v.width), leaf(*v.element, known)});
      },
      [](const FunctionType&) -> Expr { throw Bug("a function was asked for as data"); },
      [](const TypeVariable&) -> Expr { throw Bug("a type variable was asked for where it has no value"); });
}

}  // namespace lockstep::props
