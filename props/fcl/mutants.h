// Planted mistakes of FCL: each a toolchain with one part made wrong, the meaning left right.
#pragma once
#include "props/dpia/text_mutants.h"
#include "props/fcl/campaign.h"

namespace lockstep::props::fcl {

struct Mutant {
  std::string name;
  // "library": a definition of the prelude; "fusion": what it leaves; "machine": the located one's rules; "types":
  // those of inference; "places": the place rule; "lowering": what is made of a program in the calculus; "lengths": its
  // sizes and what is asked of them; "kernel": what the stages of the calculus make of it
  std::string family;
  std::string description;
  Toolchain tools;
  std::vector<std::string> directed{};  // programs that are tried before random ones
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
std::vector<Mutant> library_mutants();
std::vector<Mutant> fusion_mutants();
std::vector<Mutant> machine_mutants();
std::vector<Mutant> type_mutants();
std::vector<Mutant> place_mutants();
std::vector<Mutant> lowering_mutants(const SizeSolver& solver);
std::vector<Mutant> length_mutants(const SizeSolver& solver);
std::vector<Mutant> kernel_mutants(const SizeSolver& solver);

// With the change in the text of each program in the calculus.
Toolchain lowered_by(const texts::InText& change, const SizeSolver& solver);

// One node of an expression, after what is in it.
using InTerm = std::function<language::Expr(language::Expr)>;
language::Expr rewritten(const language::Expr& e, const InTerm& change);

}  // namespace lockstep::props::fcl
