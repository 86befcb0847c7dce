// Patterns: the types of what they bind, and the components that their names stand for.
#include "semantics/functional/inference/patterns.h"

#include <functional>

#include "semantics/primitives/calculus.h"

namespace lockstep::inference {

using namespace surface;

Type pattern_type(Work& w, const Pattern& p) {
  const auto* t = std::get_if<TuplePattern>(&p.node);
  if (!t) return w.types().fresh_type(p.region, "the type of this name");
  Type out = pattern_type(w, t->parts.back());
  for (std::size_t k = t->parts.size() - 1; k-- > 0;) out = pair(pattern_type(w, t->parts[k]), out);
  return out;
}

std::string pattern_name(Work& w, const Pattern& p) {
  const auto* n = std::get_if<NamePattern>(&p.node);
  return w.in.names.fresh(n ? n->name : std::holds_alternative<WildPattern>(p.node) ? "unused" : "p");
}

// The names of patterns that are bound together are distinct.
void refuse_names_twice(Work& w, std::span<const Pattern> bound_together) {
  if (bound_together.size() == 1 && !std::holds_alternative<TuplePattern>(bound_together[0].node)) return;
  std::map<std::string, Region> first;
  bool twice = false;
  const std::function<void(const Pattern&)> look = [&](const Pattern& p) {
    if (const auto* tuple = std::get_if<TuplePattern>(&p.node))
      for (const Pattern& part : tuple->parts) look(part);
    const auto* n = std::get_if<NamePattern>(&p.node);
    if (!n || first.emplace(n->name, p.region).second) return;
    twice = true;
    w.report(p.region, "the name " + n->name + " is bound twice here, first" + in_parentheses(first.at(n->name)),
             "distinct names", "give one of them another name, or write _ for what is not used");
  };
  for (const Pattern& p : bound_together) look(p);
  if (twice) throw Failure{};
}

PhraseRef component(const Calculus& calculus, int k, const PhraseRef& e, const Type& t) {
  const PrimitiveRef& p = calculus.primitive(k == 1 ? "fst" : "snd");
  const auto* both = as<PairType>(t);
  return prim(p, {}, {*both->first, *both->second}, {e}, k == 1 ? *both->first : *both->second, e->region);
}

void bind_pattern(Work& w, const Pattern& p, const PhraseRef& value, const Type& t) {
  if (const auto* n = std::get_if<NamePattern>(&p.node)) return w.bindings.declare(n->name, Typed{value, t});
  const auto* parts = std::get_if<TuplePattern>(&p.node);
  if (!parts) return;
  PhraseRef rest = value;
  Type rest_type = t;
  for (std::size_t k = 0; k < parts->parts.size(); ++k) {
    if (k + 1 == parts->parts.size()) return bind_pattern(w, parts->parts[k], rest, rest_type);
    Type whole = w.types().shallow(rest_type);
    if (!as<PairType>(whole)) {
      const Type first = w.types().fresh_type(p.region, "a component of this tuple");
      const Type fresh = pair(first, w.types().fresh_type(p.region, "a component of this tuple"));
      w.unify(whole, fresh, p.region, "this pattern");
      whole = fresh;
    }
    bind_pattern(w, parts->parts[k], component(w.in.calculus, 1, rest, whole), *as<PairType>(whole)->first);
    rest = component(w.in.calculus, 2, rest, whole);
    rest_type = *as<PairType>(whole)->second;
  }
}

}  // namespace lockstep::inference
