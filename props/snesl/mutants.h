// Planted mistakes: each a toolchain with one stage made wrong, mostly by rewriting what the stage gives, the meaning
// left right. That the campaign finds every one of them is the evidence that its checks can fail.
#pragma once
#include "props/snesl/campaign.h"

namespace lockstep::props::stream {

struct Mutant {
  std::string name;
  std::string family;  // "flatten", "simplify", "analysis", "interpreter", "cost", "rules", "steps", "kernels"
  std::string description;
  Toolchain tools;
  // Programs without parameters in which a mistake shows that random ones seldom meet; tried before them.
  std::vector<std::string> directed{};
  std::string stage{};  // at which it must show; "": wherever it does
  bool in_row = false;  // planted in a row of rules that a stage reads; otherwise in what a stage gives
};
std::vector<Mutant> mutants();
const std::vector<std::string>& mutant_families();

using Caught = CaughtBy<GeneratedProgram>;
using MutantRun = TrialRun<GeneratedProgram>;
MutantRun try_mutant(const Mutant& mutant, std::uint64_t seed, std::size_t programs, const CheckOptions& options = {});
// The smallest program that shrinking finds at the same place, with what is found there.
Caught shrunk(const Mutant& mutant, const Caught& caught, double seconds, const CheckOptions& options = {});

// Without a mistake, on these programs and on so many random ones: what is found is a false alarm.
std::optional<Finding> false_alarm(const std::vector<std::string>& directed, std::uint64_t seed, std::size_t programs,
                                   const CheckOptions& options = {});

// The families.
std::vector<Mutant> flatten_mutants();
std::vector<Mutant> simplify_mutants();
std::vector<Mutant> analysis_mutants();
std::vector<Mutant> interpreter_mutants();
std::vector<Mutant> cost_mutants();
std::vector<Mutant> rule_mutants();    // rows of the rules on networks
std::vector<Mutant> step_mutants();    // of slices, steps, pieces
std::vector<Mutant> kernel_mutants();  // on directed programs only

}  // namespace lockstep::props::stream
