// An obligation on sizes as a question about terms.
#include "proofs/sizes/solver.h"

#include "proofs/sizes/terms.h"

namespace lockstep::proofs {

smt::Question size_question(const std::vector<SizeFact>& facts, const SizeFact& goal) {
  smt::Question question{{}, term_of(goal)};
  std::set<std::string> names;
  const auto note = [&](const SizeFact& f) { collect_names(f.left, names), collect_names(f.right, names); };
  note(goal);
  for (const SizeFact& f : facts) {
    note(f);
    question.hypotheses.push_back(term_of(f));
  }
  question.naturals.assign(names.begin(), names.end());
  return question;
}

SizeSolver z3_size_solver(unsigned timeout_ms) {
  return [timeout_ms](const std::vector<SizeFact>& facts, const SizeFact& goal) -> SolverAnswer {
    const smt::Verdict::Kind found = smt::z3().ask(size_question(facts, goal), {timeout_ms}).kind;
    return {found == smt::Verdict::Proved    ? lockstep::Verdict::Solved
            : found == smt::Verdict::Refuted ? lockstep::Verdict::Refuted
                                             : lockstep::Verdict::Unknown};
  };
}

}  // namespace lockstep::proofs
