// Planted mistakes: each a calculus or a pipeline with one thing wrong in the lowering, the meaning left right. That the
// campaign finds every one of them is the evidence that its checks can fail.
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

}  // namespace lockstep::props
