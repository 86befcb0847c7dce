// Deciding the cases of a claim. In: cases; out: one outcome, honest about which method and how many.
#include "proofs/calculus/obligation.h"

#include <algorithm>

namespace lockstep::proofs {

namespace {

std::string about(const Case& c, const std::string& text) { return c.about.empty() ? text : c.about + ": " + text; }

// Hypotheses that contradict each other prove everything: no solver must find that they do in a short time. Unknown for
// a reason where solvers contradict each other, or where none can be asked.
Verdict contradict(const Solver& solver, const Question& q) {
  return q.hypotheses.empty() ? Verdict{Verdict::Refuted} : solver.ask({q.hypotheses, truth(false)}, {200});
}
bool same_hypotheses(const Question& a, const Question& b) {
  const auto same = [](const Term& x, const Term& y) { return x.arguments && x.arguments == y.arguments; };
  return std::equal(a.hypotheses.begin(), a.hypotheses.end(), b.hypotheses.begin(), b.hypotheses.end(), same);
}
// "" where all can hold but those that need not, and at least one can.
std::string contradiction(const Solver& solver, const std::vector<Case>& cases) {
  bool one_can = false;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (k > 0 && same_hypotheses(cases[k - 1].question, cases[k].question)) continue;
    const Verdict found = contradict(solver, cases[k].question);
    if (found.kind == Verdict::Unknown && !found.reason.empty())
      return about(cases[k], "that its hypotheses contradict each other: " + found.reason);
    const bool holds = found.kind != Verdict::Proved;
    if (!holds && !cases[k].may_be_void) return about(cases[k], "its hypotheses contradict each other");
    one_can = one_can || holds;
  }
  return one_can ? "" : "its hypotheses contradict each other";
}

}  // namespace

Outcome decide_all(const std::vector<Case>& cases, unsigned timeout_ms, const Solver& solver) {
  if (cases.empty()) return {Standing::Unknown, "", "there is nothing to prove"};
  Outcome out{Standing::Proved};
  std::vector<std::string> some;  // of each case one at least
  const auto unknown = [&](const Case& c, const std::string& why) {
    out.standing = Standing::Unknown, out.detail = about(c, why);
  };
  for (const Case& c : cases) {
    if (!c.error.empty() && c.understood) return {Standing::Refuted, "reading", about(c, c.error)};
    if (!c.error.empty()) {
      unknown(c, c.error);
      continue;
    }
    const Verdict found = smt::decide(solver, c.question, timeout_ms);
    if (found.kind == Verdict::Refuted)
      return {Standing::Refuted, names_of(found.by), about(c, show_model(c.question, found)), true, found.by};
    if (found.kind == Verdict::Unknown)
      unknown(c, found.reason.empty() ? solver.name() + ": not decided within the limits" : found.reason);
    if (!std::exchange(out.asked, true)) out.by = found.by;
    std::erase_if(out.by, [&](const std::string& s) { return std::ranges::find(found.by, s) == found.by.end(); });
    for (const std::string& s : found.by)
      if (std::ranges::find(some, s) == some.end()) some.push_back(s);
  }
  if (out.standing != Standing::Proved) return out.by.clear(), out;
  const std::string contradicts = contradiction(solver, cases);
  if (!contradicts.empty()) return {Standing::Unknown, "", contradicts, true};
  out.method = (out.by.empty() ? names_of(some, " or ") : names_of(out.by)) + ", " + std::to_string(cases.size()) +
               (cases.size() == 1 ? " case" : " cases");
  return out;
}

std::vector<SizeValues> every_size(const std::vector<std::string>& names, std::int64_t largest) {
  std::vector<SizeValues> all = {{}};
  for (const std::string& s : names) {
    std::vector<SizeValues> more;
    for (const SizeValues& values : all)
      for (std::int64_t n = 0; n <= largest; ++n) {
        more.push_back(values);
        more.back()[s] = n;
      }
    all = std::move(more);
  }
  return all;
}

}  // namespace lockstep::proofs
