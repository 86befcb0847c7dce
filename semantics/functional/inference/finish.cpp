// The end of a definition: unknowns are replaced, indexing is decided, and what a primitive asks beyond its type.
#include "semantics/functional/inference/finish.h"

#include "semantics/functional/inference/literals.h"
#include "semantics/functional/inference/numbers.h"
#include "semantics/functional/inference/sizes.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::inference {

namespace {

bool is_negative(const LiteralPhrase& l) {
  return is_integer(l.value.type) && is_signed(l.value.type) && l.value.integer() < 0;
}

// xs ! i: no check where i is inside for all sizes, an error where it is outside for all.
PhraseRef finish_index(Work& w, const PhraseRef& p, const PrimPhrase& x) {
  const Size& n = x.sizes[0];
  const PhraseRef& i = x.arguments[1];
  const Type element = x.types[0];
  const auto unchecked = [&](const PhraseRef& index) {
    return with_region(idx_of(w.in.calculus.primitive("idx"), x.arguments[0], index), p->region);
  };
  if (const auto k = size_of_index(w, *i); k && inside(w, *k, n, p->region))
    return unchecked(with_region(index_at(*k, n), i->region));
  if (const auto* k = as<NatPhrase>(*i)) {
    if (w.context.proves({n, SizeRelation::LessEqual, k->size}) || w.context.proves({k->size, SizeRelation::Less, 0}))
      w.fail(i->region, "the index " + show(k->size) + " is outside an array of " + show(n) + " elements",
             "0 <= index < " + show(n));
  } else if (const auto* l = as<LiteralPhrase>(*i); l && is_negative(*l)) {
    w.fail(i->region,
           "the index " + std::to_string(l->value.integer()) + " is outside an array of " + show(n) + " elements",
           "0 <= index < " + show(n));
  } else if (const auto* t = as<IndexType>(data_of(*i))) {
    if (w.context.simplify(t->bound - n) == Size(0)) return unchecked(i);
  } else if (const auto* s = as<ScalarType>(data_of(*i)); !s || !is_integer(*s)) {
    w.fail(i->region, "an index of the type " + show(data_of(*i)), "an integer or idx(" + show(n) + ")",
           s && is_float(*s) ? "convert: i64 (...)" : "");
  }
  return prim(x.primitive, {n}, {element}, {x.arguments[0], as_number(w.in.calculus, i, ScalarType::I64)}, element,
              p->region);
}

PhraseRef finish_operator(Work& w, const PhraseRef& p, const PrimPhrase& x, const ScalarOp& op) {
  // A conversion takes an index as it is; one that stands where an index is wanted is none.
  if (op.gives) return as<IndexType>(data_of(*p)) ? x.arguments[0] : p;
  const auto* t = as<ScalarType>(x.types[0]);
  if (!t || *t != ScalarType::I64) return p;
  PrimPhrase y = x;
  for (PhraseRef& a : y.arguments)
    if (as<IndexType>(data_of(*a))) a = as_number(w.in.calculus, a, ScalarType::I64);
  return Phrase{p->type, std::move(y), p->region};
}

// What a primitive asks of its sizes and types beyond its type: numbers, scalars.
void finish_view(Work& w, const PhraseRef& p, const PrimPhrase& x) {
  const auto legal_width = [](const Size& w) {
    const auto k = w.constant();
    return k && (*k == 2 || *k == 3 || *k == 4 || *k == 8 || *k == 16);
  };
  const auto check_vector = [&](const Type& t) {
    const auto* v = as<VectorType>(t);
    if (!v) return;
    if (!as<ScalarType>(*v->element))
      w.report(p->region, "short vectors of " + show(*v->element), "lanes of a scalar type");
    if (!legal_width(v->width))
      w.report(p->region, "a short vector of " + show(v->width) + " lanes", "2, 3, 4, 8 or 16 lanes, as a number");
  };
  const auto of_vectors = [](const Phrase& e) {
    const auto* a = as<ArrayType>(data_of(e));
    return a ? *a->element : data_of(e);
  };
  if (const auto* v = std::get_if<View>(&x.primitive->kind); v && v->vectors != ShortVectors::None)
    check_vector(of_vectors(v->vectors == ShortVectors::Made ? *p : *x.arguments[0]));
  const auto* loop = std::get_if<Loop>(&x.primitive->kind);
  if (!loop || loop->level != Level::Unroll) return;
  const std::string& name = x.primitive->name;
  const auto copies = x.sizes[0].constant();
  if (!copies)
    w.report(p->region, name + " over " + show(x.sizes[0]) + " elements",
             "a number of elements: the body is copied for each");
  else if (*copies > 1024)
    w.report(p->region, name + " would copy its body " + show(x.sizes[0]) + " times", "at most 1024 copies",
             "use " + w.in.calculus.at_level(*loop, Level::Seq)->name);
}

}  // namespace

PhraseRef finish(Work& w, const PhraseRef& p) {
  if (const auto* l = as<LiteralPhrase>(*p)) return finish_literal(w, p, *l);
  const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return finish(w, c); });
  const auto* x = as<PrimPhrase>(*q);
  if (!x) return q;
  if (is_element(*x) && !is_unchecked_element(*x)) return finish_index(w, q, *x);
  if (const auto* op = std::get_if<ScalarOp>(&x->primitive->kind)) return finish_operator(w, q, *x, *op);
  finish_view(w, q, *x);
  return q;
}

}  // namespace lockstep::inference
