// Derivations: a strategy applied to a program, as the steps that it took. A step is one rule at one place; steps alone
// repeat a derivation.
#pragma once
#include "translate/rewriting/place.h"
#include "translate/rewriting/strategy.h"

namespace lockstep::rewriting {

struct Derived {
  std::string rule;
  std::vector<std::string> arguments;
  Place path;      // of the phrase that was rewritten
  std::string at;  // what stood there: "reduce"
  std::vector<Condition> conditions;
  bool rounding = false;
  PhraseProgram program;  // after the step
};

// Why a strategy does not apply: the rule that came nearest, where, and what was missing.
struct NotApplied {
  std::string rule, why;
  Place path;
  std::string at;
  bool matched = false;
  Region region;  // in the strategy
};
std::string show(const NotApplied& n);

struct Tools {
  const Calculus& calculus;
  const RuleList& rules;
  const SizeSolver& solver;
  const LawOracle& laws;
};
inline constexpr std::size_t step_limit = 2000;

tl::expected<std::vector<Derived>, NotApplied> derive(const PhraseProgram& program, const Strategy& strategy,
                                                      const Tools& tools);
// One rule at one place.
tl::expected<Derived, NotApplied> apply_rule(const PhraseProgram& program, const RuleCall& call, const Place& path,
                                             const Tools& tools);

}  // namespace lockstep::rewriting
