// Phrases gone through: children, substitution, what is free.
#include <algorithm>

#include "semantics/core/phrase.h"

namespace lockstep {

void for_each_child(const Phrase& p, const std::function<void(const PhraseRef&)>& f) {
  const auto all = [&](const std::vector<PhraseRef>& v) { std::for_each(v.begin(), v.end(), f); };
  match(
      p.node, [](const Ident&) {}, [](const LiteralPhrase&) {}, [](const NatPhrase&) {},
      [&](const LambdaPhrase& x) { f(x.body); }, [&](const ApplyPhrase& x) { f(x.function), f(x.argument); },
      [&](const LetPhrase& x) { f(x.value), f(x.body); },
      [&](const IfPhrase& x) { f(x.condition), f(x.then), f(x.otherwise); },
      [&](const PairPhrase& x) { f(x.first), f(x.second); }, [&](const ProjPhrase& x) { f(x.phrase); },
      [&](const PrimPhrase& x) { all(x.arguments); }, [&](const ImpPhrase& x) { all(x.arguments); });
}

namespace {
std::optional<std::vector<PhraseRef>> mapped(const std::vector<PhraseRef>& v,
                                             const std::function<PhraseRef(const PhraseRef&)>& f) {
  std::vector<PhraseRef> out;
  out.reserve(v.size());
  bool changed = false;
  for (const PhraseRef& p : v) {
    out.push_back(f(p));
    changed |= out.back().get() != p.get();
  }
  if (!changed) return {};
  return out;
}
}  // namespace

PhraseRef map_children(const PhraseRef& p, const std::function<PhraseRef(const PhraseRef&)>& f) {
  const auto with = [&](auto node) -> PhraseRef { return Phrase{p->type, std::move(node), p->region}; };
  return match(
      p->node, [&](const Ident&) { return p; }, [&](const LiteralPhrase&) { return p; },
      [&](const NatPhrase&) { return p; },
      [&](const LambdaPhrase& x) {
        PhraseRef body = f(x.body);
        return body.get() == x.body.get() ? p : with(LambdaPhrase{x.name, x.parameter, std::move(body)});
      },
      [&](const ApplyPhrase& x) {
        PhraseRef function = f(x.function), argument = f(x.argument);
        if (function.get() == x.function.get() && argument.get() == x.argument.get()) return p;
        return with_region(apply(std::move(function), std::move(argument)), p->region);
      },
      [&](const LetPhrase& x) {
        PhraseRef value = f(x.value), body = f(x.body);
        if (value.get() == x.value.get() && body.get() == x.body.get()) return p;
        return with(LetPhrase{x.name, std::move(value), std::move(body)});
      },
      [&](const IfPhrase& x) {
        PhraseRef c = f(x.condition), t = f(x.then), e = f(x.otherwise);
        if (c.get() == x.condition.get() && t.get() == x.then.get() && e.get() == x.otherwise.get()) return p;
        return with(IfPhrase{std::move(c), std::move(t), std::move(e)});
      },
      [&](const PairPhrase& x) {
        PhraseRef a = f(x.first), b = f(x.second);
        if (a.get() == x.first.get() && b.get() == x.second.get()) return p;
        return with(PairPhrase{std::move(a), std::move(b)});
      },
      [&](const ProjPhrase& x) {
        PhraseRef q = f(x.phrase);
        return q.get() == x.phrase.get() ? p : default_region(proj(x.index, std::move(q)), p->region);
      },
      [&](const PrimPhrase& x) {
        auto arguments = mapped(x.arguments, f);
        if (!arguments) return p;
        return with(PrimPhrase{x.primitive, x.acceptor, x.sizes, x.types, std::move(*arguments)});
      },
      [&](const ImpPhrase& x) {
        auto arguments = mapped(x.arguments, f);
        if (!arguments) return p;
        ImpPhrase y = x;
        y.arguments = std::move(*arguments);
        return with(std::move(y));
      });
}

PhraseRef substitute(const PhraseRef& p, const PhraseSubstitution& by) {
  if (by.empty()) return p;
  const auto without = [&](const std::string& name, const PhraseRef& body) {
    if (!by.contains(name)) return substitute(body, by);
    PhraseSubstitution rest = by;
    rest.erase(name);
    return substitute(body, rest);
  };
  if (const auto* x = as<Ident>(*p)) {
    const auto it = by.find(x->name);
    return it == by.end() ? p : it->second;
  }
  if (const auto* x = as<LambdaPhrase>(*p)) {
    PhraseRef body = without(x->name, x->body);
    return body.get() == x->body.get()
               ? p
               : PhraseRef(Phrase{p->type, LambdaPhrase{x->name, x->parameter, std::move(body)}, p->region});
  }
  if (const auto* x = as<LetPhrase>(*p)) {
    PhraseRef value = substitute(x->value, by), body = without(x->name, x->body);
    if (value.get() == x->value.get() && body.get() == x->body.get()) return p;
    return Phrase{p->type, LetPhrase{x->name, std::move(value), std::move(body)}, p->region};
  }
  return map_children(p, [&](const PhraseRef& c) { return substitute(c, by); });
}

PhraseRef substitute_sizes(const PhraseRef& p, const SizeSubstitution& sizes, const TypeSubstitution& types) {
  if (sizes.empty() && types.empty()) return p;
  const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return substitute_sizes(c, sizes, types); });
  Phrase out = *q;
  out.type = substitute(out.type, sizes, types);
  const auto all = [&](std::vector<Size>& s, std::vector<Type>& t) {
    for (Size& x : s) x = substitute(x, sizes);
    for (Type& x : t) x = substitute(x, sizes, types);
  };
  match(
      out.node, [](Ident&) {}, [](LiteralPhrase&) {}, [&](NatPhrase& x) { x.size = substitute(x.size, sizes); },
      [&](LambdaPhrase& x) { x.parameter = substitute(x.parameter, sizes, types); }, [](ApplyPhrase&) {},
      [](LetPhrase&) {}, [](IfPhrase&) {}, [](PairPhrase&) {}, [](ProjPhrase&) {},
      [&](PrimPhrase& x) { all(x.sizes, x.types); }, [&](ImpPhrase& x) { all(x.sizes, x.types); });
  return out;
}

void collect_free(const Phrase& p, std::set<std::string>& into) {
  const auto under = [&](const std::string& name, const PhraseRef& body) {
    std::set<std::string> inside;
    collect_free(*body, inside);
    inside.erase(name);
    into.merge(inside);
  };
  if (const auto* x = as<Ident>(p)) {
    into.insert(x->name);
  } else if (const auto* l = as<LambdaPhrase>(p)) {
    under(l->name, l->body);
  } else if (const auto* y = as<LetPhrase>(p)) {
    collect_free(*y->value, into);
    under(y->name, y->body);
  } else {
    for_each_child(p, [&](const PhraseRef& c) { collect_free(*c, into); });
  }
}

std::size_t node_count(const Phrase& p) {
  std::size_t n = 1;
  for_each_child(p, [&](const PhraseRef& c) { n += node_count(*c); });
  return n;
}

}  // namespace lockstep
