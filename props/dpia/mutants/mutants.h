// Planted mistakes: each a calculus, a pipeline, a printer or a cost model with one thing wrong, the meaning left
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
  PipelineMaker pipeline = run_pipeline;
  Printers printers = Printers::standard();
  CostModels costs = CostModels::standard();
  std::vector<DirectedProgram> directed{};
  bool compiled = false;  // the mistake is in the OpenMP target's text, which is compiled and run
};
std::vector<Mutant> mutants();
const Mutant& mutant_named(const std::string& name);  // a Bug where there is none
const std::vector<std::string>& mutant_families();
// Whether a name or a family has the pattern: * stands for anything, and a pattern without one for itself.
bool is_like(const Mutant& mutant, const std::string& pattern);

// The first program that tells the mutant from what it was made of: it fails there, and not without the mistake.
struct Caught {
  std::size_t programs = 0;  // tried, this one included
  bool directed = false;     // otherwise random, the seed's program number `programs` less the directed ones
  surface::Program program;
  std::uint64_t seed = 0;            // of its inputs
  std::optional<Machine> machine{};  // where the program says
  Finding finding;
};
struct MutantRun {
  std::optional<Caught> caught;  // nothing: it survived
  std::size_t programs = 0;      // tried
  double seconds = 0;            // of this thread's processor
};
MutantRun try_mutant(const Mutant& mutant, std::uint64_t seed, std::size_t programs);
// The smallest program that shrinking finds at the same place, with what is found there.
Caught shrunk(const Mutant& mutant, const Caught& caught, double seconds);
// The calculus without a mistake on the programs that `mutant` is tried on, the random ones only up to `programs`: the
// first finding, which would be a false alarm.
std::optional<Finding> false_alarm(const std::vector<Mutant>& all, std::uint64_t seed, std::size_t programs,
                                   std::size_t* checked = nullptr);

}  // namespace lockstep::props
