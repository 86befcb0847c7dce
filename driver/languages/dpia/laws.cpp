// What a trace owes of laws, asked of proofs/laws.
#include "driver/languages/dpia/laws.h"

#include <set>

#include "proofs/laws/oracle.h"
#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::driver {
namespace {

Claim settled(Claim out, const rewriting::LawAnswer& answer) {
  out.standing = !answer.holds                                      ? Standing::Refuted
                 : answer.knowledge == rewriting::Knowledge::Proved ? Standing::Proved
                                                                    : Standing::Tested;
  if (answer.rounding) out.statement += ", on the reals";
  out.method = answer.how;
  if (!answer.holds) out.refuted_as = out.text() + ", which does not hold: " + answer.how;
  return out;
}

}  // namespace

Claim claim_of(const rewriting::LawQuestion& q, const Calculus& calculus) {
  const auto shown = [&](const PhraseRef& p) { return lockstep::print(source_of(*p, calculus, Suffixes::Never)); };
  return {"the operator " + shown(q.operation) + " on " + show(data_of(as<LambdaPhrase>(*q.operation)->parameter)),
          q.start ? "may begin at " + shown(*q.element) + " again, beside " + shown(*q.start) +
                        (q.made ? ", of what " + shown(*q.made) + " makes" : "")
          : q.element ? "has " + shown(*q.element) + " as its neutral element"
                      : "is " + std::string(show(q.law))};
}

std::vector<Claim> claims_of_laws(const DpiaTrace& trace, const Calculus& calculus) {
  const rewriting::LawOracle laws_of = proofs::law_oracle();
  std::vector<Claim> out;
  std::set<std::string> said;
  for (const Step& step : trace.steps)
    for (const Obligation& o : step.owed)
      if (const auto* laws = o.statement.as_if<LawsHold>())
        for (const rewriting::LawQuestion& q : laws->questions)
          if (Claim c = claim_of(q, calculus); said.insert(c.text()).second)
            out.push_back(settled(std::move(c), laws_of(q)));
  return out;
}

std::string text_of_laws(const std::vector<Claim>& claims) {
  std::string out;
  for (const Claim& c : claims)
    out += (out.empty() ? "" : "\n") +
           (c.standing == Standing::Refuted ? c.refuted_as : c.subject + " " + c.statement + ": " + c.method);
  return out;
}

}  // namespace lockstep::driver
