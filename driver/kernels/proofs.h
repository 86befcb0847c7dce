// What is proved of kernels for all sizes, whatever language they were made from: as text, JSON, claims of a
// certificate.
#pragma once
#include "driver/frontend.h"
#include "proofs/kernel/obligations.h"
#include "semantics/functional/inference/infer.h"

namespace lockstep::driver {

// A program of the calculus, and where it is from.
struct ProvedProgram {
  std::string language, file, function;
  const PhraseProgram& program;
  const Calculus& calculus;
  const std::vector<SizeObligation>& sizes;  // that were met when its types were found
};
// The size obligations, then those of the kernels of both machines.
Said proofs_of(const ProvedProgram& of, const Options& options);
// Of the same programs, as they were tested: claims, and lines for the report.
void add_claims(const ProvedProgram& of, const std::vector<DpiaTrace>& traces, props::Report& report);

}  // namespace lockstep::driver
