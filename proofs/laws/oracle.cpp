// The oracle: the two sides of a law, proof, then test.
#include "proofs/laws/oracle.h"

#include <array>

#include "translate/rewriting/claims.h"

namespace lockstep::proofs {
namespace {

using rewriting::Knowledge;
using rewriting::Law;
using rewriting::LawAnswer;
using rewriting::LawQuestion;

const LambdaPhrase& lambda_of(const Phrase& f) {
  const auto* l = as<LambdaPhrase>(f);
  if (!l) throw Bug("a law is asked of " + show(f.type) + ", which is no lambda");
  return *l;
}

// Free identifiers with their types.
void collect(const Phrase& p, std::set<std::string> bound, std::map<std::string, Type>& into) {
  if (const auto* i = as<Ident>(p)) {
    if (!bound.contains(i->name)) into.insert_or_assign(i->name, data_of(p));
    return;
  }
  if (const auto* l = as<LambdaPhrase>(p)) bound.insert(l->name);
  if (const auto* l = as<LetPhrase>(p)) bound.insert(l->name);
  for_each_child(p, [&](const PhraseRef& c) { collect(*c, bound, into); });
}
void collect_sizes(const Phrase& p, std::set<std::string>& into) {
  std::set<std::string> types;
  if (const auto* n = as<NatPhrase>(p)) collect_names(n->size, into);
  if (const auto* x = as<PrimPhrase>(p)) {
    for (const Size& s : x->sizes) collect_names(s, into);
    for (const Type& t : x->types) collect_names(t, into, types);
  }
  if (const auto* i = as<Ident>(p); i && as<ExpType>(p.type)) collect_names(data_of(p), into, types);
  for_each_child(p, [&](const PhraseRef& c) { collect_sizes(*c, into); });
}

}  // namespace

LawSides sides_of(const LawQuestion& q) {
  const Type t = data_of(lambda_of(*q.operation).parameter);
  std::map<std::string, Type> free;
  collect(*q.operation, {}, free);
  Names names;
  for (const auto& [n, type] : free) names.reserve(n);
  const auto variable = [&](const char* base) { return ident(names.fresh(base), exp_type(t)); };
  const PhraseRef x = variable("x"), y = variable("y"), z = variable("z");
  const auto f = [&](const PhraseRef& a, const PhraseRef& b) {
    return apply(apply(refresh(q.operation, names), a), b);
  };
  const auto sides = [&]() -> std::array<PhraseRef, 2> {
    switch (q.law) {
      case Law::Associative:
        return {f(x, f(y, z)), f(f(x, y), z)};
      case Law::Commutative:
        return {f(x, y), f(y, x)};
      case Law::Neutral:
        return {f(x, *q.element), x};
    }
    throw Bug("law");
  }();
  const bool associative = q.law == Law::Associative, neutral = q.law == Law::Neutral;
  PhraseProgram p{"law", {}, 0, {}, t, {}, sides[0], ""};
  for (const PhraseRef& v : {x, y, z}) p.parameters.emplace_back(as<Ident>(*v)->name, t);
  for (const auto& [n, type] : free) p.parameters.emplace_back(n, type);
  std::set<std::string> sizes, types;
  collect_sizes(*q.operation, sizes);
  collect_names(t, sizes, types);
  p.sizes.assign(sizes.begin(), sizes.end());
  LawSides out{p, p,
               associative ? "f x (f y z)"
               : neutral   ? "f x e"
                           : "f x y",
               associative ? "f (f x y) z"
               : neutral   ? "x"
                           : "f y x"};
  out.right.body = sides[1];
  return out;
}

rewriting::LawOracle law_oracle(const LawOptions& options) {
  return [options](const LawQuestion& q) -> LawAnswer {
    const Primitive* claim = rewriting::claimed_by(q);
    const std::string claimed = claim ? "claimed by " + claim->name + ", " : "";
    std::vector<LawSides> all{sides_of(q)};
    if (q.law == Law::Neutral) {  // on the other side too
      LawQuestion flipped = q;
      const LambdaPhrase &x = lambda_of(*q.operation), &acc = lambda_of(*x.body);
      flipped.operation = lambda(acc.name, acc.parameter, lambda(x.name, x.parameter, acc.body));
      all.push_back(sides_of(flipped));
      all.back().left_text = "f e x";
    }
    bool proved = true, reals = false;
    for (const LawSides& sides : all) {
      const LawProof proof = prove_law(sides, options.timeout_ms);
      proved = proved && proof.verdict == smt::Verdict::Proved;
      reals = reals || proof.reals;
      if (proof.verdict == smt::Verdict::Proved) continue;
      if (const auto values = refute_law(sides, options.runs, options.seed))
        return {false, Knowledge::Proved, false, *values};
      if (proof.verdict == smt::Verdict::Refuted && !proof.reals)
        return {false, Knowledge::Proved, false, "Z3 refutes it"};
    }
    if (!proved)
      return {true, Knowledge::Tested, false,
              "no counterexample in " + std::to_string(options.runs) + " runs, seed " + std::to_string(options.seed)};
    if (reals) return {true, Knowledge::Proved, true, claimed + "on the reals by Z3"};
    return {true, Knowledge::Proved, false, claimed + "by Z3 for all values"};
  };
}

}  // namespace lockstep::proofs
