// Deciding the cases of a claim. In: cases; out: one outcome, honest about which method and how many.
#include "proofs/calculus/obligation.h"

namespace lockstep::proofs {

std::string_view show(Standing s) {
  switch (s) {
    case Standing::Proved:
      return "proved";
    case Standing::Tested:
      return "tested";
    case Standing::Assumed:
      return "assumed";
    case Standing::Refuted:
      return "refuted";
    case Standing::Unknown:
      return "unknown";
  }
  return "";
}

namespace {

std::string about(const Case& c, const std::string& text) { return c.about.empty() ? text : c.about + ": " + text; }

// Hypotheses that contradict each other prove everything: Z3 must not find that they do in a short time.
bool can_hold(const Problem& p) {
  return p.hypotheses.empty() || decide({p.hypotheses, truth(false), {}}, 200).kind != Answer::Proved;
}
bool same_hypotheses(const Problem& a, const Problem& b) {
  const auto same = [](const Term& x, const Term& y) { return x.arguments && x.arguments == y.arguments; };
  return std::equal(a.hypotheses.begin(), a.hypotheses.end(), b.hypotheses.begin(), b.hypotheses.end(), same);
}
// "" where all can hold but those that need not, and at least one can.
std::string contradiction(const std::vector<Case>& cases) {
  bool one_can = false;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (k > 0 && same_hypotheses(cases[k - 1].problem, cases[k].problem)) continue;
    const bool holds = can_hold(cases[k].problem);
    if (!holds && !cases[k].may_be_void) return about(cases[k], "its hypotheses contradict each other");
    one_can = one_can || holds;
  }
  return one_can ? "" : "its hypotheses contradict each other";
}

}  // namespace

Outcome decide_all(const std::vector<Case>& cases, unsigned timeout_ms) {
  if (cases.empty()) return {Standing::Unknown, "", "there is nothing to prove"};
  Outcome out{Standing::Proved, "Z3, " + std::to_string(cases.size()) + (cases.size() == 1 ? " case" : " cases"), ""};
  for (const Case& c : cases) {
    if (!c.error.empty() && c.understood) return {Standing::Refuted, "Z3", about(c, c.error)};
    if (!c.error.empty()) {
      out = {Standing::Unknown, "", about(c, c.error)};
      continue;
    }
    const Answer answer = decide(c.problem, timeout_ms);
    if (answer.kind == Answer::Refuted) return {Standing::Refuted, "Z3", about(c, answer.model)};
    if (answer.kind == Answer::Unknown)
      out = {Standing::Unknown, "", about(c, "Z3 does not decide it in " + std::to_string(timeout_ms) + " ms")};
  }
  if (out.standing != Standing::Proved) return out;
  const std::string contradicts = contradiction(cases);
  return contradicts.empty() ? out : Outcome{Standing::Unknown, "", contradicts};
}

}  // namespace lockstep::proofs
