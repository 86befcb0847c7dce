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

// What is asked of one operation over variables x, y, z, w and its free names.
class Asked {
 public:
  explicit Asked(const LawQuestion& q) : q_(q), type_(data_of(lambda_of(*q.operation).parameter)) {
    collect(*q.operation, {}, free_);
    for (const auto& e : {q.element, q.start, q.made})
      if (e) collect(**e, {}, free_);
    for (const auto& [n, type] : free_) names_.reserve(n);
    for (const char* base : {"x", "y", "z", "w"}) variables_.push_back(ident(names_.fresh(base), exp_type(type_)));
    if (q.made) variables_.push_back(ident(names_.fresh("v"), lambda_of(**q.made).parameter));
  }
  // What stands for any x: where the question has a g, g v.
  PhraseRef element() { return q_.made ? apply(refresh(*q_.made, names_), variables_.back()) : variables_.front(); }
  const PhraseRef& variable(std::size_t k) const { return variables_[k]; }
  PhraseRef f(const PhraseRef& a, const PhraseRef& b) { return apply(apply(refresh(q_.operation, names_), a), b); }
  LawSides sides(const PhraseRef& left, const PhraseRef& right, std::string left_text, std::string right_text) const {
    PhraseProgram p{"law", {}, 0, {}, data_of(*left), {}, left, ""};
    for (const PhraseRef& v : variables_) p.parameters.emplace_back(as<Ident>(*v)->name, data_of(*v));
    for (const auto& [n, type] : free_) p.parameters.emplace_back(n, type);
    std::set<std::string> sizes, types;
    collect_sizes(*q_.operation, sizes);
    for (const auto& e : {q_.element, q_.start, q_.made})
      if (e) collect_sizes(**e, sizes);
    collect_names(type_, sizes, types);
    p.sizes.assign(sizes.begin(), sizes.end());
    LawSides out{p, p, std::move(left_text), std::move(right_text)};
    out.right.body = right;
    return out;
  }

 private:
  const LawQuestion& q_;
  const Type type_;
  std::map<std::string, Type> free_;
  Names names_;
  std::vector<PhraseRef> variables_;
};

// All that a fold from z comes to is z or f y z, so these are of all folds: where f x (f y z) is x, the side with r the
// latter and s = z says that x is f x z.
std::vector<LawSides> selective(Asked& a) {
  const PhraseRef &x = a.variable(0), &y = a.variable(1), &z = a.variable(2), &w = a.variable(3);
  struct Fold {
    PhraseRef value;
    std::string text;
  };
  const Fold whole{z, "z"}, first{a.f(y, z), "(f y z)"}, second{a.f(w, z), "(f w z)"};
  std::vector<LawSides> out;
  for (const Fold& s : {whole, second}) {
    out.push_back(a.sides(a.f(z, s.value), s.value, "f z " + s.text, s.text));
    for (const Fold& r : {whole, first})
      out.push_back(a.sides(a.f(a.f(x, r.value), s.value), a.f(x, a.f(r.value, s.value)),
                            "f (f x " + r.text + ") " + s.text, "f x (f " + r.text + " " + s.text + ")"));
  }
  return out;
}
}  // namespace

std::vector<LawSides> sides_of(const LawQuestion& q) {
  Asked a(q);
  const PhraseRef &x = a.variable(0), &y = a.variable(1), &z = a.variable(2);
  switch (q.law) {
    case Law::Associative:
      return {a.sides(a.f(x, a.f(y, z)), a.f(a.f(x, y), z), "f x (f y z)", "f (f x y) z")};
    case Law::Commutative:
      return {a.sides(a.f(x, y), a.f(y, x), "f x y", "f y x")};
    case Law::Neutral:
      return {a.sides(a.f(x, *q.element), x, "f x e", "x"), a.sides(a.f(*q.element, x), x, "f e x", "x")};
    case Law::Absorbed:
      return {a.sides(a.f(*q.element, *q.start), *q.start, "f e z", "z"),
              a.sides(a.f(*q.element, a.f(a.element(), *q.start)), a.f(a.element(), *q.start),
                      q.made ? "f e (f (g v) z)" : "f e (f x z)", q.made ? "f (g v) z" : "f x z")};
    case Law::Selective:
      return selective(a);
  }
  throw Bug("law");
}

rewriting::LawOracle law_oracle(const LawOptions& options) {
  return [options](const LawQuestion& q) -> LawAnswer {
    const Primitive* claim = rewriting::claimed_by(q);
    const std::string claimed = claim ? "claimed by " + claim->name + ", " : "";
    bool proved = true, reals = false;
    for (const LawSides& sides : sides_of(q)) {
      LawProof proof = prove_law(sides, options.timeout_ms);
      if (proof.verdict == smt::Verdict::Refuted && !proof.reals) {
        const LawProof over_reals = prove_law(sides, options.timeout_ms, smt::z3(), LawFloats::Reals);
        if (over_reals.verdict == smt::Verdict::Proved) proof = over_reals;
      }
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
