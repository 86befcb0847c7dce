// When phrases are one: as they stand, or up to binders' names.
#include "semantics/core/phrase.h"

namespace lockstep {
namespace {

bool same_literal(const LiteralPhrase& a, const LiteralPhrase& b) {
  return a.value.type == b.value.type && a.value.bits == b.value.bits && a.digits == b.digits;
}

// Binders of a paired with binders of b; empty for plain equality.
using Pairing = std::vector<std::pair<std::string, std::string>>;

bool same_name(const std::string& a, const std::string& b, const Pairing& bound) {
  for (auto it = bound.rbegin(); it != bound.rend(); ++it)
    if (it->first == a || it->second == b) return it->first == a && it->second == b;
  return a == b;
}

bool same(const Phrase& a, const Phrase& b, Pairing& bound, bool alpha) {
  if (&a == &b && (bound.empty() || !alpha)) return true;
  if (a.node.index() != b.node.index() || !(a.type == b.type)) return false;
  const auto all = [&](const std::vector<PhraseRef>& x, const std::vector<PhraseRef>& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!same(*x[k], *y[k], bound, alpha)) return false;
    return true;
  };
  const auto under = [&](const std::string& x, const std::string& y, const PhraseRef& p, const PhraseRef& q) {
    if (!alpha) return x == y && same(*p, *q, bound, alpha);
    bound.emplace_back(x, y);
    const bool result = same(*p, *q, bound, alpha);
    bound.pop_back();
    return result;
  };
  return match(
      a.node, [&](const Ident& x) { return same_name(x.name, as<Ident>(b)->name, bound); },
      [&](const LiteralPhrase& x) { return same_literal(x, *as<LiteralPhrase>(b)); },
      [&](const NatPhrase& x) { return x.size == as<NatPhrase>(b)->size; },
      [&](const LambdaPhrase& x) {
        const auto* y = as<LambdaPhrase>(b);
        return x.parameter == y->parameter && under(x.name, y->name, x.body, y->body);
      },
      [&](const ApplyPhrase& x) {
        const auto* y = as<ApplyPhrase>(b);
        return same(*x.function, *y->function, bound, alpha) && same(*x.argument, *y->argument, bound, alpha);
      },
      [&](const LetPhrase& x) {
        const auto* y = as<LetPhrase>(b);
        return same(*x.value, *y->value, bound, alpha) && under(x.name, y->name, x.body, y->body);
      },
      [&](const IfPhrase& x) {
        const auto* y = as<IfPhrase>(b);
        return same(*x.condition, *y->condition, bound, alpha) && same(*x.then, *y->then, bound, alpha) &&
               same(*x.otherwise, *y->otherwise, bound, alpha);
      },
      [&](const PairPhrase& x) {
        const auto* y = as<PairPhrase>(b);
        return same(*x.first, *y->first, bound, alpha) && same(*x.second, *y->second, bound, alpha);
      },
      [&](const ProjPhrase& x) {
        return x.index == as<ProjPhrase>(b)->index && same(*x.phrase, *as<ProjPhrase>(b)->phrase, bound, alpha);
      },
      [&](const PrimPhrase& x) {
        const auto* y = as<PrimPhrase>(b);
        return x.primitive == y->primitive && x.acceptor == y->acceptor && x.sizes == y->sizes && x.types == y->types &&
               all(x.arguments, y->arguments);
      },
      [&](const ImpPhrase& x) {
        const auto* y = as<ImpPhrase>(b);
        return x.constant == y->constant && x.sizes == y->sizes && x.types == y->types &&
               all(x.arguments, y->arguments);
      });
}

}  // namespace

bool operator==(const Phrase& a, const Phrase& b) {
  Pairing bound;
  return same(a, b, bound, false);
}
bool alpha_equal(const Phrase& a, const Phrase& b) {
  Pairing bound;
  return same(a, b, bound, true);
}

}  // namespace lockstep
