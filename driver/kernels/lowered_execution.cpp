#include "driver/kernels/lowered_execution.h"

#include <cstdio>

#include "props/dpia/lowered_arguments.h"

namespace lockstep::driver {
namespace {

class LoweredExecution : public KernelExecution {
 public:
  LoweredExecution(SourceRun source, std::vector<Leaves> arguments, const PhraseProgram& program, Arguments in_sizes,
                   const Target& target, bool bench)
      : KernelExecution(program, lowered_calculus(), std::move(in_sizes), target, bench),
        source_(std::move(source)),
        source_arguments_(std::move(arguments)) {}

  // A trap is told as the source tells it, where that does not take long.
  std::optional<Trap> run() override {
    const auto found = KernelExecution::run();
    if (!found || bytes() > most_bytes) return found;
    const props::LeafOutcome expected = source_.meaning(source_arguments_);
    return expected ? found : std::optional(expected.error());
  }
  Comparison compare() override {
    const auto found = trap_ ? props::LeafOutcome(tl::unexpected(*trap_)) : props::LeafOutcome(results_);
    Comparison c = beside_source(source_, source_arguments_, found);
    return c.agrees || own_.empty() || trap_ ? c : within_bound();
  }
  std::string literal() const override { return source_.literal(results_); }

 private:
  static constexpr std::uint64_t most_bytes = 1 << 24;

  const SourceRun source_;
  const std::vector<Leaves> source_arguments_;
};

}  // namespace

Execution::Comparison beside_source(const SourceRun& source, const std::vector<Leaves>& arguments,
                                    const props::LeafOutcome& found) {
  const props::LeafOutcome expected = source.meaning(arguments);
  if (!expected && !found) return {true, "both trap"};
  if (!expected) return {false, "the source traps: " + expected.error().message};
  if (found && props::same_leaves(expected, found)) return {true, "bit for bit what the source gives"};
  const std::string gives = "the source gives " + source.literal(*expected);
  return {false, found ? gives : "it traps, and " + gives};
}

std::unique_ptr<Execution> execution_on(
    const Target& target, const LoweredRun& run, const Options& options, bool bench,
    const std::function<std::unique_ptr<Execution>(const std::string& refused)>& on_interpreter) {
  const bool asked = !options.target.empty();
  if (asked) lowered_or_fail(run.name, run.program);
  std::string why;
  if (run.program) {
    auto in_sizes = props::arguments_in_calculus(*run.program, props::one_after_the_other(run.arguments));
    if (in_sizes)
      return std::make_unique<LoweredExecution>(run.source, run.arguments, run.program->program, std::move(*in_sizes),
                                                target, bench);
    why = run.name + " is compiled for other sizes than these: " + in_sizes.error();
  } else {
    why = why_not_lowered(run.name, run.program.error());
  }
  if (!asked) std::fputs(("lockstep: " + why + "\n").c_str(), stderr);
  return on_interpreter(asked ? why : "");
}

std::vector<Leaves> drawn_to_run(const ToDraw& to, const SourceRun& source, const MadeInCalculus& program,
                                 const Target* target, const Options& options, bool bench) {
  if (!program)
    fail(machine,
         "random values have the lengths that a program asks for, and " + why_not_lowered(to.program, program.error()),
         "give values, or .npy files");
  if (!bench) return drawn_arguments(to, *program);
  std::optional<Executable> compiled;
  const TimedRun timed_run = [&](const SizeValues& sizes) -> std::optional<double> {
    const std::vector<Leaves> arguments = drawn_at(to, *program, sizes, props::Integers::Inside);
    const auto in_sizes = props::arguments_in_calculus(*program, props::one_after_the_other(arguments));
    if (!in_sizes) return {};
    if (target && !compiled) {
      auto made = load_on(*target, dpia_trace(program->program, *lowered_calculus(), target->machine).last(),
                          program->program.result);
      if (!made) fail(machine, made.error().message);
      compiled = std::move(*made);
    }
    const Stopwatch watch;
    const bool ran = compiled ? compiled->run(*in_sizes).has_value() : source.meaning(arguments).has_value();
    return ran ? std::optional(watch.seconds()) : std::nullopt;
  };
  return drawn_arguments(to, *program, [&](const SizeValues& known) {
    return large_sizes(program->program, known, options.sizes, timed_run);
  });
}

}  // namespace lockstep::driver
