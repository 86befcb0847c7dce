// The oracle of the default pipeline.
#include "proofs/laws/compiling.h"

#include "proofs/laws/oracle.h"
#include "translate/rewriting/claims.h"

namespace lockstep::proofs {
namespace {

using rewriting::Knowledge;
using rewriting::Law;
using rewriting::LawAnswer;
using rewriting::LawQuestion;

constexpr LawOptions quick{.timeout_ms = 100, .runs = 24, .seed = 1};

bool is_of_scalars(const Type& t) {
  const auto* both = as<PairType>(t);
  return both ? is_of_scalars(*both->first) && is_of_scalars(*both->second) : as<ScalarType>(t) != nullptr;
}

LawAnswer answered(const LawQuestion& q, const rewriting::LawOracle& claims) {
  LawAnswer claimed = claims(q);
  // A choice is known by its form.
  if (claimed.holds || q.law == Law::Selective) return claimed;
  if (!is_of_scalars(data_of(as<LambdaPhrase>(*q.operation)->parameter))) return claimed;
  for (const LawSides& sides : sides_of(q)) {
    if (!is_exact_on_small(sides)) return claimed;  // of floats, the solver reads no more
    const LawValues of = has_floats(sides) ? LawValues::Reals : LawValues::Any;
    if (auto values = refute_law(sides, quick.runs, quick.seed, of)) return {false, Knowledge::Proved, false, *values};
  }
  LawAnswer answer = law_oracle(quick)(q);
  if (answer.holds && answer.knowledge != Knowledge::Proved) return {.how = "it is not proved within few steps"};
  return answer;
}

}  // namespace

rewriting::LawOracle compiling_laws() {
  thread_local const rewriting::LawOracle it = rewriting::remembering(
      [claims = rewriting::claimed_laws()](const LawQuestion& q) { return answered(q, claims); });
  return it;
}

DpiaLanguages lawful_languages(std::shared_ptr<const Calculus> calculus) {
  DpiaLanguages out = dpia_languages(std::move(calculus));
  out.laws = compiling_laws();
  return out;
}

DpiaTrace lawful_trace(const PhraseProgram& source, const Calculus& calculus, Machine machine, bool owed) {
  return dpia_trace(source, lawful_languages(std::make_shared<const Calculus>(calculus)), machine, owed);
}

}  // namespace lockstep::proofs
