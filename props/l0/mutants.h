// Planted mistakes of L0: each a toolchain with one part made wrong, the meaning left right.
#pragma once
#include "props/l0/campaign.h"

namespace lockstep::props::l0 {

struct Mutant {
  std::string name;
  // "graph": what is known of a program; "algebra": rules and conditions; "stages": what they give; "lowering": what is
  // made of a program in the calculus
  std::string family;
  std::string description;
  Toolchain tools;
  std::vector<std::string> directed{};  // programs without parameters, tried before random ones
};
// Those of the way into the calculus ask the solver.
std::vector<Mutant> mutants(const SizeSolver& solver);
const std::vector<std::string>& mutant_families();

using Caught = CaughtBy<language::Program>;
using MutantRun = TrialRun<language::Program>;
MutantRun try_mutant(const Mutant& mutant, std::uint64_t seed, std::size_t programs);
Caught shrunk(const Mutant& mutant, const Caught& caught, double seconds);
// Without a mistake, on these programs and on so many random ones: what is found is a false alarm.
std::optional<Finding> false_alarm(const std::vector<std::string>& directed, std::uint64_t seed, std::size_t programs,
                                   const SizeSolver& solver);

// The families.
std::vector<Mutant> graph_mutants();
std::vector<Mutant> algebra_mutants();
std::vector<Mutant> stage_mutants();
std::vector<Mutant> lowering_mutants(const SizeSolver& solver);

}  // namespace lockstep::props::l0
