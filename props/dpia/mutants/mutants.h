// Planted mistakes: each a calculus, a stage, a language or a target's text with one thing wrong, the meaning left
// right. That the campaign finds every one of them is the evidence that its checks can fail.
#pragma once
#include "props/dpia/campaign.h"
#include "props/engine/mutants.h"

namespace lockstep::props {

// A small program in which a mistake shows that random programs seldom meet. It is tried before them.
struct DirectedProgram {
  std::string text;
  Machine machine = Machine::Cpu;
};

struct Mutant {
  std::string name;
  std::string family;  // as in mutant_families()
  std::string description;
  std::function<Calculus()> calculus = standard_calculus;
  Toolchain tools{};
  std::vector<DirectedProgram> directed{};
  bool compiled = false;  // the mistake is in the OpenMP target's text, which is compiled and run
};
std::vector<Mutant> mutants();
const std::vector<std::string>& mutant_families();
// Whether a name or a family has the pattern: * stands for anything, and a pattern without one for itself.
bool is_like(const Mutant& mutant, const std::string& pattern);

using Caught = CaughtBy<Sample>;
using MutantRun = TrialRun<Sample>;
MutantRun try_mutant(const Mutant& mutant, std::uint64_t seed, std::size_t programs);
// The smallest program that shrinking finds at the same place, with what is found there.
Caught shrunk(const Mutant& mutant, const Caught& caught, double seconds);
// The calculus without a mistake on the programs that `mutant` is tried on, the random ones only up to `programs`: the
// first finding, which would be a false alarm.
std::optional<Finding> false_alarm(const std::vector<Mutant>& all, std::uint64_t seed, std::size_t programs,
                                   std::size_t* checked = nullptr);

}  // namespace lockstep::props
