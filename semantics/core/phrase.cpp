// Makers of phrases: each computes the type from the parts.
#include "semantics/core/phrase.h"

namespace lockstep {

const Type& data_of(const PhraseType& t) {
  if (const auto* e = as<ExpType>(t)) return e->data;
  if (const auto* a = as<AccType>(t)) return a->data;
  throw Bug("a phrase of type " + show(t) + " where data was expected");
}
const Type& data_of(const Phrase& p) { return data_of(p.type); }

PhraseRef ident(std::string name, PhraseType type) { return Phrase{std::move(type), Ident{std::move(name)}}; }
PhraseRef literal(Scalar value, std::string digits) {
  const ScalarType t = value.type;
  return Phrase{exp_type(scalar(t)), LiteralPhrase{std::move(value), std::move(digits)}};
}
PhraseRef bool_literal(bool b) { return literal(Scalar{ScalarType::Bool, b ? 1U : 0U, nullptr}); }
PhraseRef nat(Size n) { return Phrase{exp_type(scalar(ScalarType::I64)), NatPhrase{std::move(n)}}; }
PhraseRef index_at(Size i, Size bound) {
  return Phrase{exp_type(index_type(std::move(bound))), NatPhrase{std::move(i)}};
}

PhraseRef lambda(std::string name, PhraseType parameter, PhraseRef body, bool passive) {
  PhraseType type = phrase_function(parameter, body->type, passive);
  return Phrase{std::move(type), LambdaPhrase{std::move(name), std::move(parameter), std::move(body)}};
}

PhraseRef apply(PhraseRef function, PhraseRef argument) {
  if (const auto* l = as<LambdaPhrase>(*function)) return substitute(l->body, {{l->name, argument}});
  const auto* f = as<PhraseFunction>(function->type);
  if (!f) throw Bug("application of a phrase of type " + show(function->type));
  return Phrase{*f->to, ApplyPhrase{std::move(function), std::move(argument)}};
}

PhraseRef let(std::string name, PhraseRef value, PhraseRef body) {
  PhraseType type = body->type;
  return Phrase{std::move(type), LetPhrase{std::move(name), std::move(value), std::move(body)}};
}
PhraseRef if_else(PhraseRef condition, PhraseRef then, PhraseRef otherwise, Region region) {
  PhraseType type = exp_type(data_of(*then));  // what is chosen is computed
  return Phrase{std::move(type), IfPhrase{std::move(condition), std::move(then), std::move(otherwise)},
                std::move(region)};
}
PhraseRef phrase_pair(PhraseRef a, PhraseRef b) {
  PhraseType type = phrase_product(a->type, b->type);
  return Phrase{std::move(type), PairPhrase{std::move(a), std::move(b)}};
}
PhraseRef proj(int index, PhraseRef p) {
  if (const auto* both = as<PairPhrase>(*p)) return index == 1 ? both->first : both->second;
  const auto* product = as<PhraseProduct>(p->type);
  if (!product) throw Bug("projection from a phrase of type " + show(p->type));
  return Phrase{index == 1 ? *product->first : *product->second, ProjPhrase{index, std::move(p)}};
}
PhraseRef with_region(PhraseRef p, Region region) { return Phrase{p->type, p->node, std::move(region)}; }
PhraseRef default_region(PhraseRef p, const Region& region) {
  return p->region.source || !region.source ? p : with_region(std::move(p), region);
}

PhraseRef phrase_of(ImpPhrase p, Region region) {
  if (taken_by(p.constant) != imp::Takes{p.sizes.size(), p.types.size()})
    throw Bug(std::string(name_of(p.constant)) + " with a wrong number of sizes or types");
  const ImpSignature s = signature(p);
  if (s.arguments.size() != p.arguments.size())
    throw Bug(std::string(name_of(p.constant)) + " with a wrong number of arguments");
  return Phrase{s.result, std::move(p), std::move(region)};
}

PhraseRef skip() { return phrase_of({imp::Skip{}, {}, {}, {}}); }
PhraseRef seq(PhraseRef a, PhraseRef b) {
  if (use_of<imp::Skip>(*a)) return b;
  if (use_of<imp::Skip>(*b)) return a;
  return phrase_of({imp::Seq{}, {}, {}, {std::move(a), std::move(b)}});
}
PhraseRef seq(std::vector<PhraseRef> commands) {
  PhraseRef out = skip();
  for (auto it = commands.rbegin(); it != commands.rend(); ++it) out = seq(*it, out);
  return out;
}
PhraseRef new_variable(Space space, const Type& d, const std::string& name,
                       const std::function<PhraseRef(PhraseRef)>& body) {
  const PhraseType var = var_type(d, lives_in(space));
  PhraseRef b = body(ident(name, var));
  return phrase_of({imp::New{space}, {}, {d}, {lambda(name, var, std::move(b))}});
}
PhraseRef assign(PhraseRef acceptor, PhraseRef value, Region region) {
  Type d = data_of(*acceptor);
  return phrase_of({imp::Assign{}, {}, {std::move(d)}, {std::move(acceptor), std::move(value)}}, std::move(region));
}
PhraseRef for_loop(Level level, const Size& n, const std::string& i, const std::function<PhraseRef(PhraseRef)>& body) {
  const PhraseType index = exp_type(index_type(n));
  return phrase_of({imp::For{level}, {n}, {}, {lambda(i, index, body(ident(i, index)))}});
}
PhraseRef par_for(Level level, PhraseRef acceptor, const std::string& i, const std::string& o,
                  const std::function<PhraseRef(PhraseRef, PhraseRef)>& body) {
  const auto* a = as<ArrayType>(data_of(*acceptor));
  if (!a) throw Bug("parfor over an acceptor of type " + show(acceptor->type));
  const Size n = a->length;
  const Type d = *a->element;
  const PhraseType index = exp_type(index_type(n));
  PhraseRef b = body(ident(i, index), ident(o, acc_type(d)));
  return phrase_of({imp::ParFor{level},
                    {n},
                    {d},
                    {std::move(acceptor), lambda(i, index, lambda(o, acc_type(d), std::move(b), true))}});
}
PhraseRef idx_acc(PhraseRef acceptor, PhraseRef index) {
  const auto* a = as<ArrayType>(data_of(*acceptor));
  if (!a) throw Bug("idxAcc of an acceptor of type " + show(acceptor->type));
  const Size n = a->length;
  const Type d = *a->element;
  return phrase_of({imp::IdxAcc{}, {n}, {d}, {std::move(acceptor), std::move(index)}});
}
PhraseRef cond(PhraseRef condition, PhraseRef then, PhraseRef otherwise) {
  return phrase_of({imp::Cond{}, {}, {}, {std::move(condition), std::move(then), std::move(otherwise)}});
}
PhraseRef while_loop(PhraseRef condition, PhraseRef body) {
  return phrase_of({imp::While{}, {}, {}, {std::move(condition), std::move(body)}});
}
PhraseRef check(PhraseRef condition, std::string primitive, std::string message, std::vector<PhraseRef> values,
                Region region) {
  values.insert(values.begin(), std::move(condition));
  return phrase_of({imp::Check{std::move(primitive), std::move(message)}, {}, {}, std::move(values)},
                   std::move(region));
}

SizeContext context_of(const PhraseProgram& p) {
  SizeContext context;
  for (const SizeFact& f : p.facts) context.assume(f);
  return context;
}

}  // namespace lockstep
