// Planted mistakes: each a calculus or a pipeline with one thing wrong in the lowering, the meaning left right. That
// the campaign finds every one of them is the evidence that its checks can fail.
#pragma once
#include "props/campaign.h"

namespace lockstep::props {

struct Mutant {
  std::string name;
  std::string family;  // "acceptor", "read path", "loop", "stage"
  std::string description;
  std::function<Calculus()> calculus = standard_calculus;
  PipelineMaker pipeline = run_pipeline;
};
std::vector<Mutant> mutants();

// The first of the campaign's programs that tells the mutant from the standard calculus: it fails there and not here.
struct Caught {
  std::size_t program = 0;
  Finding finding;
};
std::optional<Caught> caught(const Mutant& mutant, std::uint64_t seed, std::size_t programs);

}  // namespace lockstep::props
