// One program of FCL through all its stages on some inputs: each has types and is read back, and gives what the source
// gives, traps by name included; so does the located machine, under schedules that are drawn, and the calculus.
#pragma once
#include "props/engine/campaign.h"
#include "props/engine/statistics.h"
#include "props/fcl/subjects.h"
#include "semantics/fcl/step.h"
#include "translate/fcl/lower/lower.h"
#include "translate/fcl/pipeline.h"

namespace lockstep::props::fcl {

// What is checked: the language's own stages and machine, or some with a mistake.
struct Toolchain {
  std::function<language::Traced(const language::Entry&)> trace = language::trace_of;
  // The last program of a trace in the calculus.
  std::function<tl::expected<InCalculus, NotLowered>(const language::Entry&, const Calculus&, const SizeSolver&)>
      lower = language::in_calculus;
  StageList stages = dpia_stages;    // of the calculus
  std::optional<Machine> machine{};  // whose they are; otherwise by the seed
  language::PrintedRules printed{};  // of the machine: none
  language::PrintedTypes printed_types{};
  bool may_refuse = false;  // a program without types is no finding: one that was written for a mistake in them
  // Of the sizes of programs in the calculus; without it none is taken there.
  SizeSolver solver{};
};
struct CheckCounts {
  std::size_t inputs = 0, traps = 0, runs = 0, steps = 0;
  std::size_t typed = 0;    // of the steps, before and behind which the term was typed
  std::size_t costed = 0;   // inputs
  std::size_t lowered = 0;  // programs
  std::size_t met = 0;      // of their inputs, those that meet their conditions
  std::size_t ran = 0;      // programs, on a target
  Statistics statistics;
};
struct CheckOptions {
  std::size_t inputs = 4;
  std::uint64_t typed_every = 1;    // of so many programs the terms of one are typed on the way
  std::uint64_t lowered_every = 1;  // of so many programs one is taken to the calculus
};
// The last definition is the entry point, at ints; it takes no level.
std::optional<Finding> check_program(const language::Program& program, std::uint64_t seed, const Toolchain& tools,
                                     const CheckOptions& options, CheckCounts& counts);

// Its program in the calculus on a target, where it is taken there.
std::optional<Finding> check_on_target(const language::Program& program, std::uint64_t seed, const Toolchain& tools,
                                       const CheckOptions& options, const Target& target, CheckCounts& counts);

}  // namespace lockstep::props::fcl
