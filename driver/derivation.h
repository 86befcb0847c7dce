// Derivations as the commands need them: a strategy file applied to an entry point, or a saved derivation repeated.
#pragma once
#include "driver/program.h"
#include "props/derive.h"

namespace lockstep::driver {

struct CheckedDerivation {
  PhraseProgram source;
  std::vector<rewriting::Derived> steps;
  props::DerivationReport report;
};
// A Failure with status 2 where the strategy is wrong or does not apply. What the checks found is in the report.
CheckedDerivation derive_by(const std::string& strategy_file, const LoadedProgram& loaded, const PhraseProgram& program,
                            const props::DeriveOptions& options);
// A Failure with status 2 for a file that is no derivation of the program, 1 for the first step that differs.
CheckedDerivation replay(const std::string& file, const LoadedProgram& loaded, const PhraseProgram& program,
                         const props::DeriveOptions& options);

// Steps, with the program after each, its conditions and what was checked.
std::string text_of(const CheckedDerivation& d, const Calculus& calculus, bool colour);
Json json_of(const CheckedDerivation& d, const Calculus& calculus);
// A Failure with status 1 that names the first rule that is wrong, if there is one.
void refuse_wrong(const CheckedDerivation& d);
std::string title_of(const rewriting::Derived& step);  // "splitJoin 128 at 2.0 (map)"

}  // namespace lockstep::driver
