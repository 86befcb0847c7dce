// A definition of .fcl on arguments: on the interpreter, or compiled.
#include <nlohmann/json.hpp>

#include "driver/languages/fcl/compiled.h"

namespace lockstep::driver {
namespace {

class FclExecution : public Execution {
 public:
  // `refused`: why a value is no result of the target that was asked for, "" where it is one. A trap is one.
  FclExecution(SourceRun source, std::vector<Leaves> arguments, std::string refused)
      : source_(std::move(source)), arguments_(std::move(arguments)), refused_(std::move(refused)) {}

  std::optional<Trap> run() override {
    result_ = source_.meaning(arguments_);
    if (!result_) return result_.error();
    if (!refused_.empty()) fail(machine, refused_, "run it with --target interpreter");
    return {};
  }
  Comparison compare() override { return {true, "it is the interpreter"}; }
  std::string literal() const override { return source_.literal(*result_); }
  std::vector<NpyOutput> arrays() const override { return npy_outputs(*result_); }
  std::uint64_t bytes() const override {
    std::uint64_t n = bytes_of(*result_);
    for (const Leaves& leaves : arguments_) n += bytes_of(leaves);
    return n;
  }
  std::string bytes_text() const override { return std::to_string(bytes()) + " bytes of arguments and results"; }
  Json where() const override { return Json{{"target", "interpreter"}}; }

 private:
  static std::uint64_t bytes_of(const Leaves& leaves) {
    std::uint64_t n = 0;
    for (const LeafArray& leaf : leaves)
      n += static_cast<std::uint64_t>(count_of(leaf) * lockstep::bytes_of(leaf.type));
    return n;
  }

  const SourceRun source_;
  const std::vector<Leaves> arguments_;
  const std::string refused_;
  props::LeafOutcome result_{};
};

std::vector<Leaves> given_arguments(const FclEntryPoint& entry, const FclArguments& arguments) {
  refuse_lengths(entry, arguments);
  return arguments.all_given();
}

}  // namespace

std::unique_ptr<Execution> execution_of(const FclFile& file, const FclEntryPoint& entry, const std::string& name,
                                        const Options& options, bool bench) {
  const FclArguments bound = bind_arguments(entry, options.arguments, !bench);
  const FclInstance at = standing_instance(file, entry, bound);
  const MadeInCalculus program = in_calculus(at.stages);
  const SourceRun source = source_run(at.entry, bound.signature);
  const Target* target = find_target(name);
  std::vector<Leaves> arguments = bound.complete()
                                      ? given_arguments(entry, bound)
                                      : drawn_to_run(to_draw(entry, bound), source, program, target, options, bench);
  const auto on_interpreter = [&](const std::string& refused) {
    return std::make_unique<FclExecution>(source, arguments, refused);
  };
  if (!target) return on_interpreter("");
  return execution_on(*target, {entry.name, source, arguments, program}, options, bench, on_interpreter);
}

}  // namespace lockstep::driver
