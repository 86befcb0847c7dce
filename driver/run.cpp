// lockstep run: an entry point on arguments, its result as a literal or as files.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "codegen/runtime/npy.h"
#include "driver/arguments.h"
#include "driver/commands.h"
#include "props/dpia/generate.h"
#include "props/dpia/verify.h"
#include "semantics/functional/denote.h"

namespace lockstep::driver {
namespace {

using Result = tl::expected<Leaves, Stop>;

// `kernel`: what is compiled, where something is.
Result run_on(const Runner& runner, const LoadedProgram& loaded, const PhraseProgram& program,
              const Arguments& arguments, std::optional<kernel::Program>& kernel) {
  if (!runner.target) return interpret(program, arguments);
  kernel = run_pipeline(program, loaded.calculus, runner.target->machine).kernels.back().program;
  const auto compiled = load_on(*runner.target, *kernel, program.result);
  if (!compiled) fail(machine, compiled.error().message);
  return compiled->run(arguments);
}

[[noreturn]] void end_with(const Stop& why) {
  if (const auto* trap = std::get_if<Trap>(&why)) fail(*trap);
  fail(machine, std::get<MachineFailure>(why).message);
}

std::string what_of(const Result& r, const PhraseProgram& program, const SizeValues& sizes) {
  return r ? shortened(lockstep::show(value_of(program.result, sizes, *r), ieee_domain()), 300)
           : lockstep::show(r.error());
}

// How the interpreters' results and a target's compare.
struct Verdict {
  bool agrees = true;
  std::string text;
};

// Every target fixes the order of its sums, so that its bits are those of the kernel that it compiles.
std::optional<std::string> differs_from_kernel(const kernel::Program& kernel, const PhraseProgram& program,
                                               const Arguments& arguments, const props::Outcome& got) {
  const props::Attempt expected = props::run_kernel(kernel, arguments);
  const std::string by = ", by the interpreter of the kernel that is compiled";
  if (!expected) return "the kernel's own interpreter finds a fault: " + expected.error();
  if (props::same_outcome(*expected, got)) return {};
  if (!*expected || !got)
    return "expected " + props::shown(*expected, program.result, arguments.sizes) + by + ", found " +
           props::shown(got, program.result, arguments.sizes);
  const props::Difference d = props::first_difference(**expected, *got, program.result, arguments.sizes);
  return "expected " + d.expected + by + ", found " + d.found;
}

Verdict compare(const PhraseProgram& program, const Arguments& arguments, const Result& got,
                const std::optional<kernel::Program>& kernel) {
  if (!got && std::holds_alternative<MachineFailure>(got.error())) end_with(got.error());
  if (kernel) {
    const props::Outcome outcome =
        got ? props::Outcome(props::scalars_of(*got)) : props::Outcome(tl::unexpected(std::get<Trap>(got.error())));
    if (const auto d = differs_from_kernel(*kernel, program, arguments, outcome)) return {false, *d};
  }
  const Result expected = interpret(program, arguments);
  if (!expected && std::holds_alternative<MachineFailure>(expected.error())) end_with(expected.error());
  const std::string both = "\n  interpreter: " + what_of(expected, program, arguments.sizes) +
                           "\n  target:      " + what_of(got, program, arguments.sizes);
  if (expected.has_value() != got.has_value()) return {false, "only one of them traps" + both};
  if (!got) return {true, "both trap"};
  const auto found = props::scalars_of(*got), wanted = props::scalars_of(*expected);
  bool equal = true, floats = false;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    equal =
        equal && std::equal(wanted[k].begin(), wanted[k].end(), found[k].begin(), found[k].end(), props::same_scalar);
    floats = floats || is_float((*got)[k].type);
  }
  if (equal) return {true, "bit for bit"};
  if (!floats) return {false, "whole numbers differ" + both};
  try {
    const auto bounded = denote(program, arguments.sizes, values_of(program, arguments), bounded_domain());
    if (!bounded) return {false, "exact arithmetic traps: " + bounded.error().message + both};
    const auto leaves = props::flatten(*bounded, program.result, arguments.sizes);
    const props::Comparison c = props::compare_within_bound(leaves, found, program.result, arguments.sizes);
    if (!c.agrees) return {false, "expected " + c.expected + ", found " + c.found};
    if (c.unbounded > 0) return {false, "no error bound is known for " + show_count(c.unbounded, "element") + both};
    if (props::too_many_undecided(c.wide, c.floats) && !kernel)
      return {false, "the error bound is wider than the result for " + std::to_string(c.wide) + " of " +
                         show_count(c.floats, "float") + both};
    return {true, "within the error bound; at worst " +
                      lockstep::show(make_ieee(ScalarType::F64, c.error), ieee_domain()) + " of " +
                      lockstep::show(make_ieee(ScalarType::F64, c.bound), ieee_domain()) +
                      (c.wide > 0 ? "; no comparison of " + std::to_string(c.wide) + " of " +
                                        show_count(c.floats, "float") + ", whose bound is wider than they are"
                                  : "")};
  } catch (const UndecidedSignal& u) {
    return {false, "rounding decides which way the program goes (" + u.what + "), so equal results were needed" + both};
  }
}

void write_results(const std::string& output, const Leaves& leaves) {
  std::vector<NpyOutput> files;
  const bool npy = output.ends_with(".npy");
  const std::string stem = npy ? output.substr(0, output.size() - 4) : output;
  for (std::size_t k = 0; k < leaves.size(); ++k)
    files.push_back({leaves.size() == 1 ? output : stem + "." + std::to_string(k) + (npy ? ".npy" : ""), leaves[k].type,
                     leaves[k].shape, leaves[k].data});
  if (const auto written = write_npys(files); !written) fail(machine, written.error());
}

}  // namespace

int run_command(const Options& options) {
  refuse_given(options, {"--chunk", "--threads"}, "is of .snesl programs");
  const ProgramName name = program_name(options.program);
  const LoadedProgram loaded = load_program(name.file);
  const PhraseProgram& program = entry_point(loaded, name);
  const Runner runner = target_named(options.target.empty() ? default_target() : options.target);
  const std::string& target = runner.name;
  const Arguments arguments = bind_arguments(program, options.arguments);
  const Stopwatch watch;
  std::optional<kernel::Program> kernel;
  const Result result = run_on(runner, loaded, program, arguments, kernel);
  const double seconds = watch.seconds();
  std::optional<Verdict> verdict;
  if (options.compare) verdict = compare(program, arguments, result, kernel);
  if (verdict && !verdict->agrees) {
    if (options.json)
      print(Json{{"ok", false},
                 {"target", target},
                 {"sizes", json_of(arguments.sizes)},
                 {"compare", {{"agrees", false}, {"what", verdict->text}}}});
    throw Failure{disagrees, target + " and the interpreter disagree: " + verdict->text, {}, true};
  }
  if (!result) end_with(result.error());
  if (!options.output.empty()) write_results(options.output, *result);
  const auto literal = [&] {
    return lockstep::show(value_of(program.result, arguments.sizes, *result), ieee_domain());
  };
  if (options.json) {
    Json j{{"ok", true},
           {"function", program.name},
           {"target", target},
           {"sizes", json_of(arguments.sizes)},
           {"seconds", seconds}};
    if (options.output.empty())
      j["result"] = literal();
    else
      j["output"] = options.output;
    if (verdict) j["compare"] = {{"agrees", true}, {"what", verdict->text}};
    print(j);
    return done;
  }
  if (options.output.empty()) print(literal() + "\n");
  if (verdict)
    std::fputs(("lockstep: " + target + " agrees with the interpreter: " + verdict->text +
                (kernel ? "; with that of the kernel that is compiled, bit for bit" : "") + "\n")
                   .c_str(),
               stderr);
  return done;
}

}  // namespace lockstep::driver
