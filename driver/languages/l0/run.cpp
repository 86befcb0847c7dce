// A function of .l0 on arguments: on the interpreter, or compiled.
#include <algorithm>
#include <cstdio>

#include "driver/languages/l0/arguments.h"
#include "driver/languages/l0/drawn.h"
#include "driver/languages/l0/l0.h"
#include "props/l0/compiled.h"
#include "translate/l0/pipeline.h"

namespace lockstep::driver {
namespace {

class L0Execution : public Execution {
 public:
  // `refused`: why a value is no result of the target that was asked for, "" where it is one. A trap is one.
  L0Execution(const L0File& file, const l0::Function& entry, l0::Values arguments, const Options& options,
              std::string refused = "")
      : file_(file), entry_(entry), arguments_(std::move(arguments)), refused_(std::move(refused)) {
    if (options.given.contains("--fusion"))
      last_ = l0::trace_of({file.program, entry.name}, fusion_mode(options.fusion)).last().as<l0::Entry>();
  }

  std::optional<Trap> run() override {
    counts_ = {};
    result_ = last_ ? of_last() : l0::evaluate(file_.program, entry_, arguments_, {.counts = &counts_});
    if (!result_) return result_.error();
    if (!refused_.empty()) fail(machine, refused_, "run it with --target interpreter");
    return {};
  }
  // The source is the interpreter's program, but where --fusion is given.
  Comparison compare() override {
    return last_ ? beside_source(file_, entry_, arguments_, result_) : Comparison{true, "it is the interpreter"};
  }
  std::string literal() const override { return l0::show(*result_, entry_.result, ieee_domain()); }
  std::vector<NpyOutput> arrays() const override {
    leaves_ = props::l0::leaves_from(leaves_of_all({*result_}));
    return npy_outputs(leaves_);
  }
  std::uint64_t bytes() const override {
    std::uint64_t n = bytes_of_value(*result_);
    for (const l0::Value& v : arguments_) n += bytes_of_value(v);
    return n;
  }
  std::string bytes_text() const override { return std::to_string(bytes()) + " bytes of arguments and results"; }
  std::optional<double> work() const override { return static_cast<double>(counts_.work); }
  Json where() const override { return Json{{"target", "interpreter"}}; }  // whatever is the default

 private:
  tl::expected<l0::Value, Trap> of_last() {
    const auto leaves =
        l0::language()->meaning(AnyProgram(l0::language(), *last_), leaves_of_all(arguments_), {.counts = &counts_});
    if (!leaves) return tl::unexpected(leaves.error());
    std::size_t next = 0;
    return l0::value_of_leaves(entry_.result, *leaves, next);
  }
  static std::uint64_t bytes_of_value(const l0::Value& value) {
    std::uint64_t n = 0;
    for (const l0::Value* leaf : l0::leaves_of(value)) {
      const auto* a = std::get_if<l0::Array>(&leaf->node);
      n += a ? static_cast<std::uint64_t>(a->shape.count() * bytes_of(a->type))
             : static_cast<std::uint64_t>(bytes_of(l0::as_scalar(*leaf).type));
    }
    return n;
  }

  const L0File& file_;
  const l0::Function& entry_;
  const l0::Values arguments_;
  const std::string refused_;
  tl::expected<l0::Value, Trap> result_{};
  l0::Counts counts_;
  std::optional<l0::Entry> last_;  // after the last stage
  mutable Leaves leaves_;
};

}  // namespace

namespace {

// What is not given is drawn: for bench as long as lets a run take about a second.
l0::Values drawn(const L0File& file, const l0::Function& entry, const L0Arguments& bound,
                 const tl::expected<l0::InCalculus, l0::NotLowered>& program, const Target* target,
                 const Options& options, bool bench) {
  if (!program)
    fail(machine,
         "random values have the lengths that a program asks for, and " + why_not_lowered(entry, program.error()),
         "give values, or .npy files");
  if (!bench) return drawn_arguments(entry, bound, *program);
  std::optional<Executable> compiled;
  const TimedRun timed_run = [&](const SizeValues& sizes) -> std::optional<double> {
    l0::Values arguments = drawn_at(entry, bound, *program, sizes, props::Integers::Inside);
    const auto in_sizes = props::l0::arguments_in_calculus(*program, leaves_of_all(arguments));
    if (!in_sizes) return {};
    if (target && !compiled) {
      auto made = load_on(*target, dpia_trace(program->program, *l0_calculus(), target->machine).last(),
                          program->program.result);
      if (!made) fail(machine, made.error().message);
      compiled = std::move(*made);
    }
    const Stopwatch watch;
    const bool ran = compiled ? compiled->run(*in_sizes).has_value()
                              : l0::evaluate(file.program, entry, std::move(arguments)).has_value();
    return ran ? std::optional(watch.seconds()) : std::nullopt;
  };
  return drawn_arguments(entry, bound, *program, [&](const SizeValues& known) {
    return large_sizes(program->program, known, options.sizes, timed_run);
  });
}

}  // namespace

// Where nothing says where it is to run, and it cannot be compiled, it runs on the interpreter, which is said. On sizes
// that its conditions leave out it does so too: it may trap, as the source does.
std::unique_ptr<Execution> execution_of(const L0File& file, const l0::Function& entry, const std::string& name,
                                        const Options& options, bool bench) {
  const Target* target = find_target(name);
  const L0Arguments bound = bind_words(entry, options.arguments, !bench);
  const bool draws = std::any_of(bound.values.begin(), bound.values.end(), [](const auto& v) { return !v; });
  if (!target && !draws) return std::make_unique<L0Execution>(file, entry, given_arguments(entry, bound), options);
  const bool asked = !options.target.empty();
  const Trace trace = l0::trace_of({file.program, entry.name}, fusion_mode(options.fusion));
  auto program = in_calculus(file, trace.last().as<l0::Entry>());
  l0::Values arguments =
      draws ? drawn(file, entry, bound, program, target, options, bench) : given_arguments(entry, bound);
  if (!target) return std::make_unique<L0Execution>(file, entry, std::move(arguments), options);
  if (asked) lowered_or_fail(entry, program);
  std::string why;
  if (program) {
    auto in_sizes = props::l0::arguments_in_calculus(*program, leaves_of_all(arguments));
    if (in_sizes)
      return compiled_execution(file, entry, std::move(*program), std::move(*in_sizes), std::move(arguments), *target,
                                bench);
    why = entry.name + " is compiled for other sizes than these: " + in_sizes.error();
  } else {
    why = why_not_lowered(entry, program.error());
  }
  if (!asked) std::fputs(("lockstep: " + why + "\n").c_str(), stderr);
  return std::make_unique<L0Execution>(file, entry, std::move(arguments), options, asked ? why : "");
}

}  // namespace lockstep::driver
