// A function of .l0 on arguments: on the interpreter, or compiled.
#include <algorithm>
#include <cstdio>

#include "driver/languages/l0/compiled.h"
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
    if (!last_) return {true, "it is the interpreter"};
    return beside_source(source_run(file_, entry_), leaves_of_each(arguments_),
                         result_.map([](const l0::Value& v) { return leaves_of_each({v})[0]; }));
  }
  std::string literal() const override { return l0::show(*result_, entry_.result, ieee_domain()); }
  std::vector<NpyOutput> arrays() const override {
    leaves_ = leaves_of_each({*result_})[0];
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

std::unique_ptr<Execution> execution_of(const L0File& file, const l0::Function& entry, const std::string& name,
                                        const Options& options, bool bench) {
  const Target* target = find_target(name);
  const L0Arguments bound = bind_words(entry, options.arguments, !bench);
  const bool draws = std::any_of(bound.values.begin(), bound.values.end(), [](const auto& v) { return !v; });
  if (!target && !draws) return std::make_unique<L0Execution>(file, entry, given_arguments(entry, bound), options);
  const Trace trace = l0::trace_of({file.program, entry.name}, fusion_mode(options.fusion));
  const auto program = in_calculus(file, trace.last().as<l0::Entry>());
  const SourceRun source = source_run(file, entry);
  const std::vector<Leaves> arguments =
      draws ? drawn_to_run(to_draw(entry, bound), source, program, target, options, bench)
            : leaves_of_each(given_arguments(entry, bound));
  const auto on_interpreter = [&](const std::string& refused) {
    return std::make_unique<L0Execution>(file, entry, values_from(entry, arguments), options, refused);
  };
  if (!target) return on_interpreter("");
  return execution_on(*target, {entry.name, source, arguments, program}, options, bench, on_interpreter);
}

}  // namespace lockstep::driver
