#include "driver/kernels/execution.h"

#include <nlohmann/json.hpp>

#include "driver/units.h"
#include "props/dpia/comparison.h"
#include "semantics/functional/denote.h"

namespace lockstep::driver {
namespace {

[[noreturn]] void end_with(const Stop& why) {
  if (const auto* trap = std::get_if<Trap>(&why)) fail(*trap);
  fail(machine, std::get<MachineFailure>(why).message);
}
Trap trap_of(const Stop& why) {
  if (const auto* trap = std::get_if<Trap>(&why)) return *trap;
  end_with(why);
}

}  // namespace

KernelExecution::KernelExecution(PhraseProgram program, const CalculusRef& calculus, Arguments arguments,
                                 const Target& target, bool bench)
    : program_(std::move(program)), arguments_(std::move(arguments)), bench_(bench) {
  const DpiaTrace trace = dpia_trace(program_, *calculus, target.machine);
  auto made = load_on(target, trace.last(), program_.result);
  if (!made) fail(machine, made.error().message);
  own_ = own_functions_in(trace.kernel(), target);
  operations_ = kernel::float_operations(trace.kernel());
  compiled_ = std::move(*made);
  if (!bench_) return;
  auto results = compiled_->allocate_results(arguments_.sizes);
  if (!results) end_with(results.error());
  results_ = std::move(*results);
  into_ = writable(results_);
}

std::optional<Trap> KernelExecution::run() {
  trap_.reset();
  if (bench_) {
    const auto ran = compiled_->run_into(arguments_, into_);
    if (!ran) trap_ = trap_of(ran.error());
    return trap_;
  }
  auto ran = compiled_->run(arguments_);
  if (ran)
    results_ = std::move(*ran);
  else
    trap_ = trap_of(ran.error());
  return trap_;
}

std::optional<double> KernelExecution::run_measured() {
  const auto seconds = bench_ ? compiled_->measured(arguments_, into_) : std::nullopt;
  if (!seconds) return {};
  if (!*seconds) end_with(seconds->error());
  return **seconds;
}

std::vector<NpyOutput> KernelExecution::arrays() const { return npy_outputs(results_); }
std::uint64_t KernelExecution::bytes() const {
  std::uint64_t n = bytes_of(program_.result, arguments_.sizes);
  for (const auto& [name, type] : program_.parameters) n += bytes_of(type, arguments_.sizes);
  return n;
}
std::optional<Execution::FloatOperations> KernelExecution::float_operations() const {
  return at_sizes(operations_, arguments_.sizes);
}
std::string KernelExecution::bytes_text() const { return show_bytes(bytes()) + " in and out"; }

Execution::Comparison KernelExecution::within_bound() const {
  try {
    const auto bounded = denote(program_, arguments_.sizes, values_of(program_, arguments_), bounded_domain());
    if (!bounded) return {false, "exact arithmetic traps: " + bounded.error().message};
    const props::Comparison c =
        props::compare_within_bound(flatten(*bounded, program_.result, arguments_.sizes), props::scalars_of(results_),
                                    program_.result, arguments_.sizes);
    if (!c.agrees) return {false, "expected " + c.expected + ", found " + c.found};
    return {true, "within the error bound; the target has its own " + own_};
  } catch (const UndecidedSignal& u) {
    return {false, "rounding decides which way the program goes (" + u.what + "), so equal results were needed"};
  }
}

std::optional<Execution::FloatOperations> at_sizes(const kernel::FloatOperations& operations, const SizeValues& sizes) {
  const auto f32 = evaluate(operations.f32, sizes), f64 = evaluate(operations.f64, sizes);
  if (!f32 || !f64) return {};
  return Execution::FloatOperations{static_cast<double>(*f32), static_cast<double>(*f64)};
}

std::vector<NpyOutput> npy_outputs(const Leaves& leaves) {
  std::vector<NpyOutput> out;
  for (const LeafArray& leaf : leaves) out.push_back({"", leaf.type, leaf.shape, leaf.data});
  return out;
}

}  // namespace lockstep::driver
