// Indices that are sizes, as in xs ! (n - 1): decided when the program is checked, as sizes in types are. And indices
// that become numbers: where a number is wanted, or stands in the other branch or beside them in an array.
#include "semantics/functional/elaborate.h"

namespace lockstep::inference {
namespace {

// Of 64 bits whatever its names stand for: an array is no longer than 2^56 (solve_sizes.cpp).
bool stays_small(const Size& s) {
  if (s.terms().size() > 8) return false;
  for (const SizeTerm& t : s.terms()) {
    const std::int64_t most = t.powers.empty() ? 1 << 30 : 16;
    if (t.coefficient < -most || t.coefficient > most || t.powers.size() > 1) return false;
    for (const auto& [atom, power] : t.powers)
      if (power > 1 || (atom.division && !(stays_small(atom.division->first) && stays_small(atom.division->second))))
        return false;
  }
  return true;
}

}  // namespace

bool Elaborator::settled(const SizeFact& goal) const {
  return context_.proves(goal) || implied_(context_.facts(), goal);
}

// i64 arithmetic on numbers and sizes as the size that it gives. Sums and products agree modulo 2^64 whatever they are;
// a division needs its operands as they are, and natural: there it rounds as a size's does.
std::optional<Size> Elaborator::size_of_index(const Phrase& i) const {
  if (const auto* n = as<NatPhrase>(i)) return n->size;
  if (!(data_of(i) == scalar(ScalarType::I64))) return {};
  if (const auto* l = as<LiteralPhrase>(i)) return Size(l->value.integer());
  const auto* x = as<PrimPhrase>(i);
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  if (!op || !(x->types.at(0) == scalar(ScalarType::I64))) return {};
  if (op->gives == ScalarType::I64) return size_of_index(*x->arguments[0]);
  const char symbol = op->on_sizes;
  if (!symbol) return {};
  const auto a = size_of_index(*x->arguments[0]), b = size_of_index(*x->arguments[1]);
  if (!a || !b) return {};
  if ((symbol == '/' || symbol == '%') &&
      !(stays_small(*a) && stays_small(*b) && settled({1, SizeRelation::LessEqual, *b}) &&
        settled({0, SizeRelation::LessEqual, *a})))
    return {};
  return combined(symbol, *a, *b);
}

// 0 <= k < n for all sizes. What normal forms leave open is listed with the obligations.
bool Elaborator::inside(const Size& k, const Size& n, const Region& region) {
  const SizeFact ends[] = {{0, SizeRelation::LessEqual, k}, {k, SizeRelation::Less, n}};
  for (const SizeFact& f : ends)
    if (!settled(f)) return false;
  for (const SizeFact& f : ends)
    if (!context_.proves(f)) require(f, region, "this index");
  return true;
}

// -------------------------------------------------------------------------------------------------- as numbers
// Whether what stands beside it may make a number of an index in it.
bool Elaborator::may_join(const Type& type) const {
  const Type t = unifier_.shallow(type);
  if (const auto* p = as<PairType>(t)) return may_join(*p->first) || may_join(*p->second);
  if (const auto* a = as<ArrayType>(t)) return may_join(*a->element);
  return as<IndexType>(t) || is_literal(t);
}

// What two expressions that stand for one another have together: a number where one has an index and the other a
// number.
Type Elaborator::joined(const Type& left, const Type& right) const {
  const Type a = unifier_.shallow(left), b = unifier_.shallow(right);
  const auto number = [&](const Type& t) { return as<ScalarType>(t) || is_literal(t); };
  if ((as<IndexType>(a) && number(b)) || (number(a) && as<IndexType>(b))) return scalar(ScalarType::I64);
  const auto *p = as<PairType>(a), *q = as<PairType>(b);
  if (p && q) return pair(joined(*p->first, *q->first), joined(*p->second, *q->second));
  const auto *x = as<ArrayType>(a), *y = as<ArrayType>(b);
  if (x && y) return array(x->length, joined(*x->element, *y->element));
  return a;
}

bool Elaborator::has_index_for_number(const Type& found, const Type& wanted) const {
  const Type f = unifier_.shallow(found), w = unifier_.shallow(wanted);
  if (as<IndexType>(f)) return w == scalar(ScalarType::I64);
  if (const auto* p = as<PairType>(f), *q = as<PairType>(w); p && q)
    return has_index_for_number(*p->first, *q->first) || has_index_for_number(*p->second, *q->second);
  const auto *x = as<ArrayType>(f), *y = as<ArrayType>(w);
  return x && y && has_index_for_number(*x->element, *y->element);
}

// Where a number is wanted an index is one: components of pairs too, and elements of an array that is written out. Of
// another array each element would be converted, which the program says by itself.
Typed Elaborator::with_numbers(Typed t, const Type& wanted) {
  if (!has_index_for_number(t.type, wanted)) return t;
  const Type from = unifier_.shallow(t.type), to = unifier_.shallow(wanted);
  if (as<IndexType>(from)) return {as_number(t.phrase, ScalarType::I64), scalar(ScalarType::I64)};
  const auto* written = as<PrimPhrase>(*t.phrase);
  if (const auto* p = as<PairType>(from)) {
    const bool made_here = written && is_pair(*written);
    Lets lets;
    if (!made_here) t = atom(std::move(t), "p", lets);
    const auto half = [&](int k, const Type& type) -> Typed {
      return {made_here ? written->arguments[static_cast<std::size_t>(k - 1)] : component(k, t.phrase, from), type};
    };
    const auto* q = as<PairType>(to);
    const Typed first = with_numbers(half(1, *p->first), *q->first);
    const Typed second = with_numbers(half(2, *p->second), *q->second);
    const Type both = pair(first.type, second.type);
    return {wrap(lets, prim(calculus_.primitive("pair"), {}, {first.type, second.type}, {first.phrase, second.phrase},
                            both, t.phrase->region)),
            both};
  }
  if (!written || !is_literal_array(*written)) return t;
  const Type element = *as<ArrayType>(from)->element, number = *as<ArrayType>(to)->element;
  std::vector<PhraseRef> parts;
  Type common = number;
  for (const PhraseRef& part : written->arguments) {
    const Typed converted = with_numbers({part, element}, number);
    parts.push_back(converted.phrase);
    common = converted.type;
  }
  const Type type = array(as<ArrayType>(from)->length, common);
  return {prim(written->primitive, written->sizes, {common}, std::move(parts), type, t.phrase->region), type};
}

// What is wanted of a result is known inside of what gives it: numbers where numbers are wanted. Not sizes, which
// follow from the arguments.
void Elaborator::push_wanted(const Type& wanted, const Type& result, const Region& region, const std::string& what) {
  const Type w = unifier_.shallow(wanted), r = unifier_.shallow(result);
  if (Unifier::is_unknown(r)) {
    if (const auto shape = shape_of(w, region)) unify(*shape, r, region, what);
    return;
  }
  if (const auto* p = as<PairType>(w), *q = as<PairType>(r); p && q) {
    push_wanted(*p->first, *q->first, region, what);
    push_wanted(*p->second, *q->second, region, what);
  }
  const auto *x = as<ArrayType>(w), *y = as<ArrayType>(r);
  if (x && y) push_wanted(*x->element, *y->element, region, what);
}

// Numbers, and pairs and arrays with numbers in them, every size and all that is no number unknown.
std::optional<Type> Elaborator::shape_of(const Type& type, const Region& region) {
  const Type t = unifier_.shallow(type);
  if (as<ScalarType>(t)) return t;
  if (const auto* a = as<ArrayType>(t)) {
    const auto element = shape_of(*a->element, region);
    if (!element) return {};
    return array(unifier_.fresh_size(region, "the length of this array"), *element);
  }
  const auto* p = as<PairType>(t);
  if (!p) return {};
  const auto first = shape_of(*p->first, region), second = shape_of(*p->second, region);
  if (!first && !second) return {};
  const auto open = [&] { return unifier_.fresh_type(region, "a component of this tuple"); };
  const Type one = first ? *first : open();
  return pair(one, second ? *second : open());
}

}  // namespace lockstep::inference
