// An entry point of .dpia on arguments: on the interpreter, or compiled.
#include <nlohmann/json.hpp>

#include "driver/kernels/execution.h"
#include "driver/kernels/large_sizes.h"
#include "driver/languages/dpia/arguments.h"
#include "driver/languages/dpia/dpia.h"
#include "proofs/laws/compiling.h"
#include "props/dpia/generate.h"
#include "props/dpia/inputs.h"
#include "props/dpia/verify.h"
#include "semantics/functional/cost.h"
#include "semantics/functional/denote.h"
#include "semantics/kernel/block_memory.h"

namespace lockstep::driver {
namespace {

using Result = tl::expected<Leaves, Stop>;

[[noreturn]] void end_with(const Stop& why) {
  if (const auto* trap = std::get_if<Trap>(&why)) fail(*trap);
  fail(machine, std::get<MachineFailure>(why).message);
}

std::string what_of(const Result& r, const PhraseProgram& program, const SizeValues& sizes) {
  return r ? shortened(lockstep::show(value_of(program.result, sizes, *r), ieee_domain()), 300)
           : lockstep::show(r.error());
}

// Every target fixes the order of its sums, so that its bits are those of the kernel that it compiles, but where it
// calls functions of its own.
std::optional<std::string> differs_from_kernel(const kernel::Program& kernel, const PhraseProgram& program,
                                               const Arguments& arguments, const std::vector<Trap>& traps,
                                               const Outcome& got) {
  const Attempt expected = props::run_kernel(kernel, arguments);
  const std::string by = ", by the interpreter of the kernel that is compiled";
  if (!expected) return "the kernel's own interpreter finds a fault: " + expected.error();
  if (props::same_outcome(*expected, traps, got)) return {};
  if (!*expected || !got)
    return "expected " + props::shown(*expected, program.result, arguments.sizes) + by + ", found " +
           props::shown(got, program.result, arguments.sizes);
  const props::Difference d = props::first_difference(**expected, *got, program.result, arguments.sizes);
  return "expected " + d.expected + by + ", found " + d.found;
}

// `kernel`: which bits are asked for; null where none are. `own`: the functions that are the target's own. `reordered`:
// floats were rounded otherwise, of which whole numbers may be made.
Execution::Comparison compare(const PhraseProgram& program, const Arguments& arguments, const Result& got,
                              const kernel::Program* kernel, const std::string& own, bool reordered) {
  if (!got && std::holds_alternative<MachineFailure>(got.error())) end_with(got.error());
  const Outcome outcome = got ? Outcome(props::scalars_of(*got)) : Outcome(tl::unexpected(std::get<Trap>(got.error())));
  std::vector<Trap> traps;
  if (!got) traps = traps_of(program, arguments.sizes, values_of(program, arguments), ieee_domain());
  if (kernel)
    if (const auto d = differs_from_kernel(*kernel, program, arguments, traps, outcome)) return {false, *d};
  const Result expected = interpret(program, arguments);
  if (!expected && std::holds_alternative<MachineFailure>(expected.error())) end_with(expected.error());
  const std::string both = "\n  interpreter: " + what_of(expected, program, arguments.sizes) +
                           "\n  target:      " + what_of(got, program, arguments.sizes);
  if (expected.has_value() != got.has_value()) return {false, "only one of them traps" + both};
  if (!got && !props::same_outcome(tl::unexpected(std::get<Trap>(expected.error())), traps, outcome))
    return {false, "they trap otherwise" + both};
  if (!got) return {true, "both trap"};
  const auto found = props::scalars_of(*got), wanted = props::scalars_of(*expected);
  bool equal = true, floats = false;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    equal =
        equal && std::equal(wanted[k].begin(), wanted[k].end(), found[k].begin(), found[k].end(), props::same_scalar);
    floats = floats || is_float((*got)[k].type);
  }
  if (equal) return {true, "bit for bit"};
  // What is whole may be made of floats.
  if (!floats && own.empty() && !reordered) return {false, "whole numbers differ" + both};
  try {
    const auto bounded = denote(program, arguments.sizes, values_of(program, arguments), bounded_domain());
    if (!bounded) return {false, "exact arithmetic traps: " + bounded.error().message + both};
    const auto leaves = flatten(*bounded, program.result, arguments.sizes);
    const props::Comparison c = props::compare_within_bound(leaves, found, program.result, arguments.sizes);
    if (!c.agrees) return {false, "expected " + c.expected + ", found " + c.found};
    if (c.unbounded > 0) return {false, "no error bound is known for " + show_count(c.unbounded, "element") + both};
    if (props::too_many_undecided(c.wide, c.floats) && !kernel)
      return {false, "the error bound is wider than the result for " + std::to_string(c.wide) + " of " +
                         show_count(c.floats, "float") + both};
    return {true, "within the error bound; at worst " +
                      lockstep::show(make_ieee(ScalarType::F64, c.rounding.error), ieee_domain()) + " of " +
                      lockstep::show(make_ieee(ScalarType::F64, c.rounding.bound), ieee_domain()) +
                      (c.wide > 0 ? "; no comparison of " + std::to_string(c.wide) + " of " +
                                        show_count(c.floats, "float") + ", whose bound is wider than they are"
                                  : "")};
  } catch (const UndecidedSignal& u) {
    return {false, "rounding decides which way the program goes (" + u.what + "), so equal results were needed" + both};
  }
}

class DpiaExecution : public Execution {
 public:
  DpiaExecution(const LoadedProgram& loaded, const PhraseProgram& program, const Target* target, const Options& options,
                bool bench)
      : program_(program), bench_(bench) {
    if (!bench) arguments_ = bind_arguments(program, options.arguments);
    if (target) {
      const DpiaTrace trace = proofs::lawful_trace(program, loaded.calculus, target->machine);
      kernel_ = trace.kernel();
      reordered_ = trace.held_to() > 0;
      if (!bench) refuse_too_large(*target);
      auto made = load_on(*target, trace.last(), program.result);
      if (!made) fail(machine, made.error().message);
      own_ = own_functions_in(*kernel_, *target);
      compiled_ = std::move(*made);
    }
    if (!bench) return;
    const TimedRun timed_run = [&](const SizeValues& sizes) -> std::optional<double> {
      const auto arguments = props::random_inputs(program_, sizes, 1, props::Integers::Inside);
      if (!arguments) return {};
      const Stopwatch watch;
      if (!on(*arguments)) return {};
      return watch.seconds();
    };
    arguments_ = bind_arguments(
        program, options.arguments,
        {true, [&](const SizeValues& known) { return large_sizes(program_, known, options.sizes, timed_run); }, true});
    if (!compiled_) return;
    refuse_too_large(*target);
    // What is timed writes to the same place again and again.
    auto results = compiled_->allocate_results(arguments_.sizes);
    if (!results) end_with(results.error());
    results_ = std::move(*results);
    into_ = writable(results_);
  }

  std::optional<Trap> run() override {
    if (bench_ && compiled_) {
      const auto ran = compiled_->run_into(arguments_, into_);
      return ran ? std::nullopt : trap_of(ran.error());
    }
    result_ = on(arguments_);
    return *result_ ? std::nullopt : trap_of(result_->error());
  }
  std::optional<double> run_measured() override {
    if (!bench_ || !compiled_) return {};
    const auto seconds = compiled_->measured(arguments_, into_);
    if (!seconds) return {};
    if (!*seconds) end_with(seconds->error());
    return **seconds;
  }
  Comparison compare() override {
    Comparison c = lockstep::driver::compare(program_, arguments_, *result_,
                                             kernel_ && own_.empty() ? &*kernel_ : nullptr, own_, reordered_);
    if (!own_.empty())
      c.also = "; the target has its own " + own_ + ", so that no bits were asked for";
    else if (kernel_)
      c.also = "; with that of the kernel that is compiled, bit for bit";
    return c;
  }
  std::string literal() const override {
    return lockstep::show(value_of(program_.result, arguments_.sizes, **result_), ieee_domain());
  }
  std::vector<NpyOutput> arrays() const override {
    std::vector<NpyOutput> out;
    for (const LeafArray& leaf : bench_&& compiled_ ? results_ : **result_)
      out.push_back({"", leaf.type, leaf.shape, leaf.data});
    return out;
  }
  std::uint64_t bytes() const override {
    std::uint64_t bytes = bytes_of(program_.result, arguments_.sizes);
    for (const auto& [parameter, type] : program_.parameters) bytes += bytes_of(type, arguments_.sizes);
    return bytes;
  }
  // Not of loops that may not end.
  std::optional<double> work() const override {
    const auto work = evaluate(cost(program_).work, arguments_.sizes);
    return work ? std::optional(static_cast<double>(*work)) : std::nullopt;
  }
  std::optional<FloatOperations> float_operations() const override {
    return kernel_ ? at_sizes(kernel::float_operations(*kernel_), arguments_.sizes) : std::nullopt;
  }
  std::string bytes_text() const override { return show_bytes(bytes()) + " in and out"; }
  std::string at() const override { return show(arguments_.sizes); }
  Json where() const override { return Json{{"sizes", sizes_json(arguments_.sizes)}}; }

 private:
  // Before anything is launched.
  void refuse_too_large(const Target& target) const {
    if (target.machine != Machine::Gpu) return;
    if (const auto why = kernel::too_large(*kernel_, arguments_.sizes)) fail(invalid, *why);
  }
  Result on(const Arguments& arguments) const {
    return compiled_ ? compiled_->run(arguments) : interpret(program_, arguments);
  }
  static std::optional<Trap> trap_of(const Stop& why) {
    if (const auto* trap = std::get_if<Trap>(&why)) return *trap;
    end_with(why);
  }

  const PhraseProgram program_;
  const bool bench_;
  Arguments arguments_;
  std::optional<kernel::Program> kernel_;  // what is compiled, where something is
  bool reordered_ = false;
  std::string own_;  // functions of the target's own that it calls
  std::optional<Executable> compiled_;
  std::optional<Result> result_;
  Leaves results_;  // of bench
  std::vector<void*> into_;
};

}  // namespace

std::unique_ptr<Execution> execution_of(const LoadedProgram& loaded, const PhraseProgram& program,
                                        const std::string& target, const Options& options, bool bench) {
  return execution_on(loaded, program, find_target(target), options, bench);
}
std::unique_ptr<Execution> execution_on(const LoadedProgram& loaded, const PhraseProgram& program, const Target* target,
                                        const Options& options, bool bench) {
  return std::make_unique<DpiaExecution>(loaded, program, target, options, bench);
}

}  // namespace lockstep::driver
