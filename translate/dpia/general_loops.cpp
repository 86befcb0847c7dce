// Loops by the general one that they are a case of, and back. Both sides mean the same, element by element.
#include "translate/dpia/general_loops.h"

#include "semantics/primitives/build.h"
#include "translate/rewriting/zipped.h"

namespace lockstep {
namespace {

// The loop that writes by this constant, whatever it is called.
const PrimPhrase* loop_of_constant(const PhraseRef& p, std::string_view constant) {
  const auto* x = as<PrimPhrase>(*p);
  const auto* loop = x && x->acceptor < 0 ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  return loop && loop->constant && loop->constant->name == constant ? x : nullptr;
}

PhraseRef component_function(rewriting::Site& s, const Type& element, int k) {
  return rewriting::function_of(s, "x", element,
                                [&](const PhraseRef& x) { return rewriting::component_at(s, x, {k}); });
}
bool is_component(const PhraseRef& f, int k) {
  const auto* l = rewriting::as_lambda(*f);
  const auto c = l ? rewriting::component_of_name(*l->body) : std::nullopt;
  return c && c->name == l->name && c->path == rewriting::Components{k};
}

// f, of the second component.
PhraseRef of_second(rewriting::Site& s, const LambdaPhrase& f, const Type& element) {
  return rewriting::function_of(s, f.name, element, [&](const PhraseRef& x) {
    return substitute(f.body, {{f.name, rewriting::component_at(s, x, {2})}});
  });
}
// g, where f is g of the second component.
std::optional<PhraseRef> without_first(rewriting::Site& s, const PhraseRef& f, const Type& second) {
  const auto* l = rewriting::as_lambda(*f);
  if (!l || rewriting::reads_component(*l->body, l->name, {1})) return {};
  return rewriting::function_of(s, l->name, second, [&](const PhraseRef& x) {
    return rewriting::with_components(s, l->body, l->name, {{{2}, x}});
  });
}

}  // namespace

PhraseRef general_loop(rewriting::Site& s, const PhraseRef& p) {
  if (const PrimPhrase* g = rewriting::as_call(*p, "generate")) {
    if (!rewriting::as_lambda(*g->arguments[0])) return p;
    return rewriting::map_of(s, "map", g->arguments[0], rewriting::call(s, "indices", g->sizes, {}, {}));
  }
  if (const PrimPhrase* x = loop_of_constant(p, "scatterI")) {
    const PhraseRef both = rewriting::zip_of(s, x->arguments[1], x->arguments[2]);
    const Type element = element_type(*both);
    return rewriting::call(
        s, "scatterBy", x->sizes, {element, x->types[0]},
        {component_function(s, element, 1), component_function(s, element, 2), x->arguments[0], both});
  }
  if (const PrimPhrase* x = loop_of_constant(p, "permuteI")) {
    const auto* f = rewriting::as_lambda(*x->arguments[0]);
    if (!f || !rewriting::as_lambda(*f->body)) return p;
    const PhraseRef both = rewriting::zip_of(s, x->arguments[2], x->arguments[3]);
    const Type element = element_type(*both);
    return rewriting::call(s, "permuteBy", x->sizes, {element, x->types[0]},
                           {component_function(s, element, 1), of_second(s, *f, element), x->arguments[1], both});
  }
  return p;
}

namespace {

PhraseRef special(rewriting::Site& s, const PhraseRef& p) {
  if (const PrimPhrase* m = rewriting::as_call(*p, "map")) {
    const PrimPhrase* indices = rewriting::as_call(*m->arguments[1], "indices");
    if (!indices) return p;
    return rewriting::call(s, "generate", indices->sizes, {m->types[1]}, {m->arguments[0]});
  }
  const PrimPhrase* scatters = rewriting::as_call(*p, "scatterBy");
  const PrimPhrase* x = scatters ? scatters : rewriting::as_call(*p, "permuteBy");
  const PrimPhrase* both = x ? rewriting::as_call(*x->arguments[3], "zip") : nullptr;
  if (!both || !is_component(x->arguments[0], 1) || !(both->types[1] == x->types[1])) return p;
  const PhraseRef &onto = x->arguments[2], &is = both->arguments[0], &xs = both->arguments[1];
  if (scatters && is_component(x->arguments[1], 2))
    return rewriting::call(s, "scatter", x->sizes, {x->types[1]}, {onto, is, xs});
  const auto f = scatters ? std::nullopt : without_first(s, x->arguments[1], x->types[1]);
  return f ? rewriting::call(s, "permute", x->sizes, {x->types[1]}, {*f, onto, is, xs}) : p;
}

PhraseRef everywhere(rewriting::Site& s, const PhraseRef& p, PhraseRef (*form)(rewriting::Site&, const PhraseRef&)) {
  const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return everywhere(s, c, form); });
  return with_region(form(s, q), q->region);
}

}  // namespace

PhraseRef in_general_form(rewriting::Site& s, const PhraseRef& p) { return everywhere(s, p, general_loop); }
PhraseRef in_special_form(rewriting::Site& s, const PhraseRef& p) { return everywhere(s, p, special); }

}  // namespace lockstep
