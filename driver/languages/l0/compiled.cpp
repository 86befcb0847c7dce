// A function of .l0 on a target.
#include "driver/languages/l0/compiled.h"

#include "driver/kernels/kernels.h"
#include "driver/languages/l0/arguments.h"
#include "proofs/sizes/solver.h"
#include "props/dpia/comparison.h"
#include "props/l0/compiled.h"
#include "semantics/functional/denote.h"
#include "translate/dpia/stage.h"

namespace lockstep::driver {
namespace {

class CompiledExecution : public Execution {
 public:
  CompiledExecution(const L0File& file, const l0::Function& entry, l0::InCalculus program, Arguments arguments,
                    l0::Values source_arguments, const Target& target, bool bench)
      : file_(file),
        entry_(entry),
        program_(std::move(program)),
        arguments_(std::move(arguments)),
        source_arguments_(std::move(source_arguments)),
        bench_(bench) {
    const DpiaTrace trace = dpia_trace(program_.program, *l0_calculus(), target.machine);
    auto made = load_on(target, trace.last(), program_.program.result);
    if (!made) fail(machine, made.error().message);
    own_ = own_functions_in(trace.kernel(), target);
    compiled_ = std::move(*made);
    if (!bench_) return;
    auto results = compiled_->allocate_results(arguments_.sizes);
    if (!results) end_with(results.error());
    results_ = std::move(*results);
    into_ = writable(results_);
  }

  std::optional<Trap> run() override {
    if (bench_) {
      const auto ran = compiled_->run_into(arguments_, into_);
      return ran ? std::nullopt : std::optional(trap_of(ran.error()));
    }
    auto ran = compiled_->run(arguments_);
    if (!ran) {
      value_ = tl::unexpected(trap_of(ran.error()));
      return value_.error();
    }
    results_ = std::move(*ran);
    std::size_t next = 0;
    value_ = l0::value_of_leaves(entry_.result, props::l0::values_from(results_), next);
    return {};
  }
  std::optional<double> run_measured() override {
    const auto seconds = bench_ ? compiled_->measured(arguments_, into_) : std::nullopt;
    if (!seconds) return {};
    if (!*seconds) end_with(seconds->error());
    return **seconds;
  }
  Comparison compare() override {
    Comparison c = beside_source(file_, entry_, source_arguments_, value_);
    return c.agrees || own_.empty() || !value_ ? c : within_bound();
  }
  std::string literal() const override { return l0::show(*value_, entry_.result, ieee_domain()); }
  std::vector<NpyOutput> arrays() const override { return npy_outputs(results_); }
  std::uint64_t bytes() const override {
    std::uint64_t n = bytes_of(program_.program.result, arguments_.sizes);
    for (const auto& [name, type] : program_.program.parameters) n += bytes_of(type, arguments_.sizes);
    return n;
  }
  std::string bytes_text() const override { return show_bytes(bytes()) + " in and out"; }
  std::string at() const override { return show(arguments_.sizes); }
  Json where() const override { return Json{{"sizes", sizes_json(arguments_.sizes)}}; }

 private:
  [[noreturn]] static void end_with(const Stop& why) {
    if (const auto* trap = std::get_if<Trap>(&why)) fail(*trap);
    fail(machine, std::get<MachineFailure>(why).message);
  }
  static Trap trap_of(const Stop& why) {
    if (const auto* trap = std::get_if<Trap>(&why)) return *trap;
    end_with(why);
  }
  // Functions of the target's own have other last bits.
  Comparison within_bound() const {
    const PhraseProgram& p = program_.program;
    try {
      const auto bounded = denote(p, arguments_.sizes, values_of(p, arguments_), bounded_domain());
      if (!bounded) return {false, "exact arithmetic traps: " + bounded.error().message};
      const props::Comparison c = props::compare_within_bound(flatten(*bounded, p.result, arguments_.sizes),
                                                              props::scalars_of(results_), p.result, arguments_.sizes);
      if (!c.agrees) return {false, "expected " + c.expected + ", found " + c.found};
      return {true, "within the error bound; the target has its own " + own_};
    } catch (const UndecidedSignal& u) {
      return {false, "rounding decides which way the program goes (" + u.what + "), so equal results were needed"};
    }
  }

  const L0File& file_;
  const l0::Function& entry_;
  const l0::InCalculus program_;
  const Arguments arguments_;
  const l0::Values source_arguments_;
  const bool bench_;
  std::string own_;  // functions of the target's own that it calls
  std::optional<Executable> compiled_;
  Leaves results_;
  std::vector<void*> into_;
  tl::expected<l0::Value, Trap> value_{};
};

}  // namespace

const CalculusRef& l0_calculus() {
  static const CalculusRef it = std::make_shared<const Calculus>(standard_calculus());
  return it;
}

tl::expected<l0::InCalculus, l0::NotLowered> in_calculus(const L0File& file, const l0::Entry& last) {
  auto made = l0::in_calculus(last, *l0_calculus(), proofs::z3_size_solver());
  if (!made) return made;
  set_launch(made->program.launch, file.launch);
  // Told by the names that the file has.
  std::size_t next = 0;
  for (const l0::Parameter& p : l0::function_named(file.program, last.function)->parameters)
    for (std::size_t n = l0::leaf_count(p.type), k = 0; k < n; ++k)
      made->lowered.arguments.at(next++).source = n == 1 ? p.name : p.name + "." + std::to_string(k);
  return made;
}

std::string why_not_lowered(const l0::Function& entry, const l0::NotLowered& why) {
  return entry.name + " runs on the interpreter only: " + why.why + in_parentheses(why.region);
}

const l0::InCalculus& lowered_or_fail(const l0::Function& entry,
                                      const tl::expected<l0::InCalculus, l0::NotLowered>& program,
                                      const std::string& help) {
  if (!program) fail(machine, why_not_lowered(entry, program.error()), help);
  return *program;
}

std::string conditions_of(const l0::Lowered& l) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  for (const l0::LoweredLeaf& leaf : l.arguments) {
    std::string lengths;
    for (const Size& n : leaf.lengths) lengths += "[" + lockstep::show(n) + "]";
    if (!lengths.empty()) add(leaf.source + " : " + lengths);
    if (leaf.number)
      add(leaf.name.empty() ? leaf.source + " = " + lockstep::show(*leaf.number) : leaf.source + " >= 0");
  }
  for (const surface::Fact& f : l.definition.facts) add(lockstep::show(f.fact));
  return out;
}

ProvedProgram proved(const L0File& file, const l0::Function& entry, const l0::InCalculus& program) {
  return {"l0", file.source->name, entry.name, program.program, *l0_calculus(), program.sizes};
}

Execution::Comparison beside_source(const L0File& file, const l0::Function& entry, const l0::Values& arguments,
                                    const tl::expected<l0::Value, Trap>& found) {
  l0::Values own;  // which may be consumed
  for (const l0::Value& v : arguments) own.push_back(l0::copied(v));
  const auto expected = l0::evaluate(file.program, entry, own);
  if (!expected && !found) return {true, "both trap"};
  if (!expected) return {false, "the source traps: " + expected.error().message};
  const std::string gives = "the source gives " + l0::show(*expected, entry.result, ieee_domain());
  if (!found) return {false, "it traps, and " + gives};
  const auto a = l0::leaves_of(*expected), b = l0::leaves_of(*found);
  const bool agrees = std::equal(a.begin(), a.end(), b.begin(), b.end(),
                                 [](const l0::Value* x, const l0::Value* y) { return l0::same_value(*x, *y); });
  return {agrees, agrees ? "bit for bit what the source gives" : gives};
}

std::vector<NpyOutput> npy_outputs(const Leaves& leaves) {
  std::vector<NpyOutput> out;
  for (const LeafArray& leaf : leaves) out.push_back({"", leaf.type, leaf.shape, leaf.data});
  return out;
}

std::unique_ptr<Execution> compiled_execution(const L0File& file, const l0::Function& entry, l0::InCalculus program,
                                              Arguments arguments, l0::Values source_arguments, const Target& target,
                                              bool bench) {
  return std::make_unique<CompiledExecution>(file, entry, std::move(program), std::move(arguments),
                                             std::move(source_arguments), target, bench);
}

}  // namespace lockstep::driver
