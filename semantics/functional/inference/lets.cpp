// What is computed before an expression, and named.
#include "semantics/functional/inference/lets.h"

namespace lockstep::inference {

namespace {

// An index that `finish` makes a number of, or leaves as it is.
bool is_perhaps_conversion(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  return op && op->gives == ScalarType::I64 && Unifier::is_unknown(data_of(p));
}

}  // namespace

bool atomic(const Phrase& p) {
  if (as<Ident>(p) || as<LiteralPhrase>(p) || as<NatPhrase>(p)) return true;
  const auto* x = as<PrimPhrase>(p);
  return x && (component_taken(*x) || is_perhaps_conversion(p)) && atomic(*x->arguments[0]);
}

PhraseRef wrap(const Lets& lets, PhraseRef body) {
  for (auto it = lets.rbegin(); it != lets.rend(); ++it) body = let(it->first, it->second, body);
  return body;
}

Typed atom(Work& w, Typed t, const std::string& base, Lets& lets) {
  if (atomic(*t.phrase)) return t;
  const std::string n = w.in.names.fresh(base);
  lets.emplace_back(n, t.phrase);
  return {ident(n, exp_type(t.type)), t.type};
}

}  // namespace lockstep::inference
