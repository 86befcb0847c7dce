// Derivations in tests: a program and a strategy as texts, to the steps and what the checks found.
#pragma once
#include "proofs/laws/oracle.h"
#include "props/dpia/derive.h"
#include "tests/unit/dpia_program.h"
#include "translate/rewriting/rules.h"

namespace lockstep::test {

inline rewriting::StrategyRef strategy(const std::string& text, const rewriting::RuleList& rules) {
  const auto s = rewriting::parse_strategy(std::make_shared<const Source>(Source{"test.strat", text}), rules);
  if (s) return *s;
  std::string errors;
  for (const Diagnostic& d : s.error()) errors += render(d);
  throw std::runtime_error(errors);
}

struct Run {
  tl::expected<std::vector<rewriting::Derived>, rewriting::NotApplied> steps;
  props::DerivationReport report{};
};
inline Run derived(const std::string& program, const std::string& by,
                   const rewriting::RuleList& rules = rewriting::all_rules()) {
  static const SizeSolver sizes = proofs::z3_size_solver();
  static const rewriting::LawOracle laws = proofs::law_oracle();
  const PhraseProgram source = entry(program);
  Run out{rewriting::derive(source, *strategy(by, rules), {calculus(), rules, sizes, laws})};
  if (out.steps) out.report = props::check_derivation(source, *out.steps, calculus(), sizes, {1, 8, 25000, {}});
  return out;
}
// What refuses it, or "" where nothing does.
inline std::string refusal(const std::string& program, const std::string& by) {
  const Run r = derived(program, by);
  return r.steps ? "" : show(r.steps.error());
}

}  // namespace lockstep::test
