// Indices that become numbers: where a number is wanted, or stands in the other branch or beside them in an array.
#include "semantics/functional/inference/numbers.h"

#include "semantics/functional/inference/lets.h"
#include "semantics/functional/inference/patterns.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::inference {

bool may_join(const Unifier& types, const Type& type) {
  const Type t = types.shallow(type);
  if (const auto* p = as<PairType>(t)) return may_join(types, *p->first) || may_join(types, *p->second);
  if (const auto* a = as<ArrayType>(t)) return may_join(types, *a->element);
  return as<IndexType>(t) || is_literal(types, t);
}

Type joined(const Unifier& types, const Type& left, const Type& right) {
  const Type a = types.shallow(left), b = types.shallow(right);
  const auto number = [&](const Type& t) { return as<ScalarType>(t) || is_literal(types, t); };
  if ((as<IndexType>(a) && number(b)) || (number(a) && as<IndexType>(b))) return scalar(ScalarType::I64);
  const auto *p = as<PairType>(a), *q = as<PairType>(b);
  if (p && q) return pair(joined(types, *p->first, *q->first), joined(types, *p->second, *q->second));
  const auto *x = as<ArrayType>(a), *y = as<ArrayType>(b);
  if (x && y) return array(x->length, joined(types, *x->element, *y->element));
  return a;
}

namespace {

bool has_index_for_number(const Unifier& types, const Type& found, const Type& wanted) {
  const Type f = types.shallow(found), w = types.shallow(wanted);
  if (as<IndexType>(f)) return w == scalar(ScalarType::I64);
  if (const auto* p = as<PairType>(f), *q = as<PairType>(w); p && q)
    return has_index_for_number(types, *p->first, *q->first) || has_index_for_number(types, *p->second, *q->second);
  const auto *x = as<ArrayType>(f), *y = as<ArrayType>(w);
  return x && y && has_index_for_number(types, *x->element, *y->element);
}

// Numbers, and pairs and arrays with numbers in them, every size and all that is no number unknown.
std::optional<Type> shape_of(Work& w, const Type& type, const Region& region) {
  const Type t = w.types().shallow(type);
  if (as<ScalarType>(t)) return t;
  if (const auto* a = as<ArrayType>(t)) {
    const auto element = shape_of(w, *a->element, region);
    if (!element) return {};
    return array(w.types().fresh_size(region, "the length of this array"), *element);
  }
  const auto* p = as<PairType>(t);
  if (!p) return {};
  const auto first = shape_of(w, *p->first, region), second = shape_of(w, *p->second, region);
  if (!first && !second) return {};
  const auto open = [&] { return w.types().fresh_type(region, "a component of this tuple"); };
  const Type one = first ? *first : open();
  return pair(one, second ? *second : open());
}

}  // namespace

PhraseRef as_number(const Calculus& calculus, const PhraseRef& e, ScalarType t) {
  if (data_of(*e) == scalar(t)) return e;
  return prim(calculus.primitive(show(t)), {}, {data_of(*e)}, {e}, scalar(t), e->region);
}

// Where a number is wanted an index is one: components of pairs too, and elements of an array that is written out. Of
// another array each element would be converted, which the program says by itself.
Typed with_numbers(Work& w, Typed t, const Type& wanted) {
  if (!has_index_for_number(w.types(), t.type, wanted)) return t;
  const Type from = w.types().shallow(t.type), to = w.types().shallow(wanted);
  if (as<IndexType>(from)) return {as_number(w.in.calculus, t.phrase, ScalarType::I64), scalar(ScalarType::I64)};
  const auto* written = as<PrimPhrase>(*t.phrase);
  if (const auto* p = as<PairType>(from)) {
    const bool made_here = written && is_pair(*written);
    Lets lets;
    if (!made_here) t = atom(w, std::move(t), "p", lets);
    const auto half = [&](int k, const Type& type) -> Typed {
      return {
          made_here ? written->arguments[static_cast<std::size_t>(k - 1)] : component(w.in.calculus, k, t.phrase, from),
          type};
    };
    const auto* q = as<PairType>(to);
    const Typed first = with_numbers(w, half(1, *p->first), *q->first);
    const Typed second = with_numbers(w, half(2, *p->second), *q->second);
    const Type both = pair(first.type, second.type);
    return {wrap(lets, prim(w.in.calculus.primitive("pair"), {}, {first.type, second.type},
                            {first.phrase, second.phrase}, both, t.phrase->region)),
            both};
  }
  if (!written || !is_literal_array(*written)) return t;
  const Type element = *as<ArrayType>(from)->element, number = *as<ArrayType>(to)->element;
  std::vector<PhraseRef> parts;
  Type common = number;
  for (const PhraseRef& part : written->arguments) {
    const Typed converted = with_numbers(w, {part, element}, number);
    parts.push_back(converted.phrase);
    common = converted.type;
  }
  const Type type = array(as<ArrayType>(from)->length, common);
  return {prim(written->primitive, written->sizes, {common}, std::move(parts), type, t.phrase->region), type};
}

// What is wanted of a result is known inside of what gives it: numbers where numbers are wanted. Not sizes, which
// follow from the arguments.
void push_wanted(Work& w, const Type& wanted, const Type& result, const Region& region, const std::string& what) {
  const Type want = w.types().shallow(wanted), have = w.types().shallow(result);
  if (Unifier::is_unknown(have)) {
    if (const auto shape = shape_of(w, want, region)) w.unify(*shape, have, region, what);
    return;
  }
  if (const auto* p = as<PairType>(want), *q = as<PairType>(have); p && q) {
    push_wanted(w, *p->first, *q->first, region, what);
    push_wanted(w, *p->second, *q->second, region, what);
  }
  const auto *x = as<ArrayType>(want), *y = as<ArrayType>(have);
  if (x && y) push_wanted(w, *x->element, *y->element, region, what);
}

}  // namespace lockstep::inference
