// What was asked before is remembered, what small sizes refute is not asked.
#include "semantics/functional/inference/implied_sizes.h"

#include <algorithm>

namespace lockstep {
namespace {

struct Question {
  std::vector<SizeFact> facts;
  SizeFact goal;
};
int order(const SizeFact& a, const SizeFact& b) {
  if (a.relation != b.relation) return a.relation < b.relation ? -1 : 1;
  const int left = compare(a.left, b.left);
  return left != 0 ? left : compare(a.right, b.right);
}
bool operator<(const Question& a, const Question& b) {
  if (const int c = order(a.goal, b.goal); c != 0) return c < 0;
  return std::lexicographical_compare(a.facts.begin(), a.facts.end(), b.facts.begin(), b.facts.end(),
                                      [](const SizeFact& x, const SizeFact& y) { return order(x, y) < 0; });
}

// At one of a few small sizes the facts hold and the goal does not: most extents that differ, differ there.
bool refuted_somewhere(const std::vector<SizeFact>& facts, const SizeFact& goal) {
  std::set<std::string> names;
  const auto collect = [&](const SizeFact& f) { collect_names(f.left, names), collect_names(f.right, names); };
  collect(goal);
  for (const SizeFact& f : facts) collect(f);
  constexpr std::int64_t points = 24;
  for (std::int64_t k = 0; k < points; ++k) {
    SizeValues at;
    std::int64_t step = 1;
    for (const std::string& n : names) at[n] = k * step % points, step += 6;  // 1, 7, 13, 19: different lines
    const auto holds = [&](const SizeFact& f) { return evaluate(f, at) == true; };
    if (std::all_of(facts.begin(), facts.end(), holds) && evaluate(goal, at) == false) return true;
  }
  return false;
}

}  // namespace

SizeSolver remembering(SizeSolver solver) {
  return [solver = std::move(solver), known = std::make_shared<std::map<Question, SolverAnswer>>()](
             const std::vector<SizeFact>& facts, const SizeFact& goal) {
    if (!solver) return SolverAnswer{Verdict::Unknown};
    Question question{facts, goal};
    const auto it = known->find(question);
    return it != known->end() ? it->second : known->emplace(std::move(question), solver(facts, goal)).first->second;
  };
}

SizeImplication implied_by(SizeSolver solver) {
  return [solver = remembering(std::move(solver))](const std::vector<SizeFact>& facts, const SizeFact& goal) {
    SizeContext context;
    for (const SizeFact& f : facts) context.assume(f);
    if (context.proves(goal)) return true;
    return !refuted_somewhere(facts, goal) && solver(facts, goal).verdict == Verdict::Solved;
  };
}

}  // namespace lockstep
