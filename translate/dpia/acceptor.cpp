// A[E](A), the acceptor-passing translation (DPIA Fig. 5a): a command that acts as A := E. Cases in the figure's order;
// those for let, if, && and || are ours, the paper has none.
#include "semantics/functional/shape.h"
#include "translate/dpia/fig5.h"

namespace lockstep {

PhraseRef Fig5::acceptor(const PhraseRef& e, const PhraseRef& a) {
  const auto by_continuation = [&] {
    return continuation(e, [&](const PhraseRef& x) { return assign_at(e->region, a, x); });
  };
  return match(
      e->node, [&](const Ident& x) { return assign_at(e->region, a, bound(x, e)); },  // A[x](A) = A :=_d x
      [&](const LiteralPhrase&) { return assign(a, e); },                             // A[n](A) = A := n
      [&](const NatPhrase&) { return assign(a, e); },
      [](const LambdaPhrase&) -> PhraseRef { throw Bug("the acceptor translation of a function"); },
      [](const ApplyPhrase&) -> PhraseRef {
        throw Bug("the acceptor translation of an application: not in normal form");
      },
      [&](const LetPhrase& x) { return bind(x.name, x.value, [&] { return acceptor(x.body, a); }); },
      [&](const IfPhrase& x) {
        if (is_scalar_data(data_of(*e)) && is_simple(*e)) return by_continuation();
        return default_region(branch_into(*this, x, a), e->region);
      },
      [](const PairPhrase&) -> PhraseRef { throw Bug("the acceptor translation of a phrase pair"); },
      [&](const ProjPhrase&) { return assign(a, e); },
      [&](const PrimPhrase& p) {
        return match(
            p.primitive->kind, [&](const ScalarOp&) { return by_continuation(); },
            [&](const View&) { return view_into(e, p, a); },
            [&](const Loop& l) {
              where_ = e->region;
              return default_region(l.acceptor(*this, p, a), e->region);
            });
      },
      [](const ImpPhrase&) -> PhraseRef { throw Bug("the acceptor translation of a command"); });
}

PhraseRef branch_into(Translation& t, const IfPhrase& e, const PhraseRef& a) {
  return t.continuation(e.condition, [&](const PhraseRef& c) {
    const PhraseRef then = t.acceptor(e.then, a);
    return cond(c, then, t.acceptor(e.otherwise, a));
  });
}

// A[view E1 .. Ek](A) = A[E1](acc1 A); ..; A[Ek](acck A). A view without acceptors (fst, take, gather ...) is read
// instead, as the figure does for fst and snd.
PhraseRef Fig5::view_into(const PhraseRef& e, const PrimPhrase& p, const PhraseRef& a) {
  const auto& facets = std::get<View>(p.primitive->kind).acceptors;
  if (facets.empty() || is_scalar_data(data_of(*e)))
    return continuation(e, [&](const PhraseRef& x) { return assign_at(e->region, a, x); });
  PhraseRef out = skip();
  for (std::size_t k = 0; k < facets.size(); ++k)
    out = seq(out, acceptor(p.arguments[facets[k].argument], view_acceptor(*e, k, a)));
  return out;
}

// A :=_d E (§4.1): by induction on d.
PhraseRef Fig5::assign(const PhraseRef& a, const PhraseRef& e) { return assign_at(e->region, a, e); }

// `where`: the expression that is written. Loops are as long as it is, as its cost says: the acceptor's lengths may be
// written otherwise.
PhraseRef Fig5::assign_at(const Region& where, const PhraseRef& a, const PhraseRef& e) {
  const Type& d = data_of(*e);
  if (is_scalar_data(d)) return lockstep::assign(a, e, where);
  if (const auto* t = as<ArrayType>(d)) {
    const Type& element = *t->element;
    const std::string x = fresh("x"), o = fresh("o");
    const PhraseRef body = assign(ident(o, acc_type(element)), ident(x, exp_type(element)));
    const PhraseRef f = lambda(x, exp_type(element), lambda(o, acc_type(element), body, true));
    return phrase_of({imp::MapI{}, {t->length}, {element, element}, {f, e, a}}, where);
  }
  const auto* t = as<PairType>(d);
  if (!t) throw Bug("assignment at the type " + show(d));
  const PhraseRef left = fst_of(primitive("fst"), e), right = snd_of(primitive("snd"), e);
  const PhraseRef both = prim(primitive("pair"), {}, {*t->first, *t->second}, {left, right}, d);
  return seq({assign_at(where, view_acceptor(*both, 0, a), left), assign_at(where, view_acceptor(*both, 1, a), right)});
}

}  // namespace lockstep
