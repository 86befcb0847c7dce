// Deciding the cases of a claim. In: cases; out: one outcome, honest about which method and how many.
#include "proofs/obligation.h"

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
bool some_can_hold(const std::vector<Case>& cases) {
  for (const Case& c : cases)
    if (decide({c.problem.hypotheses, truth(false), {}}, 200).kind != Answer::Proved) return true;
  return false;
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
  if (out.standing == Standing::Proved && !some_can_hold(cases))
    return {Standing::Unknown, "", "its hypotheses contradict each other"};
  return out;
}

}  // namespace lockstep::proofs
