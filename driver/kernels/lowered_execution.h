// Runs of programs that were taken to the calculus from another language, and what their source gives.
#pragma once
#include "driver/kernels/drawn.h"
#include "driver/kernels/execution.h"
#include "driver/kernels/lowered.h"
#include "props/dpia/lowered.h"

namespace lockstep::driver {

// A program of another language, as arrays have it: what it gives on arguments, of each parameter, and how that is
// shown.
struct SourceRun {
  std::function<props::LeafOutcome(const std::vector<Leaves>& arguments)> meaning;
  std::function<std::string(const Leaves& result)> literal;
};
Execution::Comparison beside_source(const SourceRun& source, const std::vector<Leaves>& arguments,
                                    const props::LeafOutcome& found);

// A program on arguments, as its source has them.
struct LoweredRun {
  std::string name;
  const SourceRun& source;
  const std::vector<Leaves>& arguments;
  const MadeInCalculus& program;
};
// On the target. Where nothing says where it is to run, and it cannot be compiled, it runs on the interpreter, which is
// said. On sizes that its conditions leave out it does so too: it may trap, as the source does. `refused`: why a value
// is no result of the target that was asked for.
std::unique_ptr<Execution> execution_on(
    const Target& target, const LoweredRun& run, const Options& options, bool bench,
    const std::function<std::unique_ptr<Execution>(const std::string& refused)>& on_interpreter);
// What is not given, drawn: of `bench` as long as lets a run on the target, or on the interpreter, take about a second.
std::vector<Leaves> drawn_to_run(const ToDraw& to, const SourceRun& source, const MadeInCalculus& program,
                                 const Target* target, const Options& options, bool bench);

}  // namespace lockstep::driver
