// One program of L0 through all its stages on some inputs: each has types and right uses, is read back, and gives what
// the source gives, traps included, with poison too, and with no more work.
#pragma once
#include "props/engine/campaign.h"
#include "props/engine/statistics.h"
#include "props/l0/outcomes.h"
#include "translate/l0/lower/lower.h"
#include "translate/l0/pipeline.h"

namespace lockstep::props::l0 {

// What is checked: the language's own stages, or some with a mistake.
struct Toolchain {
  std::function<Trace(const language::Entry&, language::FusionMode)> trace;
  // The last program of a trace in the calculus.
  using Lower =
      std::function<tl::expected<InCalculus, NotLowered>(const language::Entry&, const Calculus&, const SizeSolver&)>;
  Lower lower = language::in_calculus;
  // Of the sizes of programs in the calculus; without it none is taken there.
  SizeSolver solver{};
  static Toolchain standard(SizeSolver solver = {});
};
struct CheckCounts {
  std::size_t inputs = 0, traps = 0, runs = 0;
  std::size_t lowered = 0;  // programs, in both modes where those differ
  std::size_t met = 0;      // of their inputs, those that meet their conditions
  std::size_t large = 0;    // inputs on which an array would be too large to be made
  Statistics statistics;
};
struct CheckOptions {
  std::size_t inputs = 4;
  std::uint64_t lowered_every = 1;  // of so many programs one is taken to the calculus
};
std::optional<Finding> check_program(const language::Program& program, std::uint64_t seed, const Toolchain& tools,
                                     const CheckOptions& options, CheckCounts& counts);

}  // namespace lockstep::props::l0
