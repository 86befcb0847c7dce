// The checks on a derivation (translate/rewriting): after each step the program is printed, parsed and inferred anew,
// so that its types and sizes are known without the rules; it is checked against Fig. 3; and its meaning is compared. A
// step that keeps the order of floats must give the bits of the step before; after one that does not, the result must
// be the source's on the reals, and stay within the source's bound in floats.
#pragma once
#include "props/dpia/verify.h"
#include "translate/rewriting/derivation.h"

namespace lockstep::props {

// A program as text, and as inference reads that text.
struct ReadBack {
  std::string text;
  PhraseProgram program;
  std::vector<SizeObligation> obligations;
};
// The errors are those of parsing or inference.
Checked<ReadBack> read_back(const PhraseProgram& program, const Calculus& calculus, const SizeSolver& solver);

struct StepVerdict {
  ReadBack program;
  std::vector<std::string> type_errors{};
  bool rounding = false;      // floats are reordered: compared on the reals and within the bound
  std::size_t tested = 0;     // inputs
  std::size_t undecided = 0;  // of them, whose bound decides nothing
  std::size_t compared = 0;   // floats, with the bound
  std::size_t wide = 0;       // of them, whose bound is wider than they are: no comparison
  std::optional<Disagreement> disagreement{};
  Worst error{};  // where error/bound was greatest
  Cost cost{};
};
struct DeriveOptions {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  double elements = 25000;                    // scalars in an input, and a measure of its work
  std::uint64_t limit = default_round_limit;  // rounds of `while`, beyond which an input is not used
  std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress{};
};
struct DerivationReport {
  Tried inputs;
  Cost cost;                       // of the source
  std::vector<StepVerdict> steps;  // up to the first that is wrong
  bool agrees() const;
};
DerivationReport check_derivation(const PhraseProgram& source, const std::vector<rewriting::Derived>& steps,
                                  const Calculus& calculus, const SizeSolver& solver, const DeriveOptions& options);

}  // namespace lockstep::props
