// Derivations as the commands need them: a strategy file applied to an entry point, or a saved derivation repeated.
#pragma once
#include "driver/languages/dpia/program.h"
#include "props/dpia/derive.h"

namespace lockstep::driver {

// On which inputs the steps are checked.
struct DerivationTests {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  std::uint64_t limit = props::default_round_limit;
};
struct CheckedDerivation {
  PhraseProgram source;
  DerivationTests tests;
  std::vector<rewriting::Derived> steps;
  props::DerivationReport report;
};
// A Failure with status 2 where the strategy is wrong or does not apply. What the checks found is in the report.
CheckedDerivation derive_by(const std::string& strategy_file, const LoadedProgram& loaded, const PhraseProgram& program,
                            const props::DeriveOptions& options);
// The program as a strategy makes it, whose steps nobody tests: as it is, with a word on the standard error, where the
// strategy does not apply to it. A Failure with status 2 where it is none.
PhraseProgram by_strategy(const std::string& strategy_file, const PhraseProgram& program, const Calculus& calculus);
// A Failure with status 2 for a file that is no derivation of the program, 1 for the first step that differs. Its steps
// are checked as they were, but for what is `given`: --seed, --inputs, --limit.
CheckedDerivation replay(const std::string& file, const LoadedProgram& loaded, const PhraseProgram& program,
                         props::DeriveOptions options, const std::set<std::string>& given);

// Steps, with the program after each, its conditions and what was checked.
std::string text_of(const CheckedDerivation& d, const Calculus& calculus, bool colour);
Json json_of(const CheckedDerivation& d, const Calculus& calculus);
// A Failure with status 1 that names the first rule that is wrong, if there is one.
void refuse_wrong(const CheckedDerivation& d);
std::string title_of(const rewriting::Derived& step);  // "splitJoin 128 at 2.0 (map)"

}  // namespace lockstep::driver
