// lockstep bench: how fast a program is on its targets, beside what the machine's memory gives.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver/arguments.h"
#include "driver/bandwidth.h"
#include "driver/commands.h"
#include "props/dpia/inputs.h"

namespace lockstep::driver {
namespace {

// Powers of two for all sizes that are not given, growing until a run would take more than a second or a quarter of a
// gigabyte. `run` times one run on random inputs; nothing where it traps.
using TimedRun = std::function<std::optional<double>(const SizeValues& sizes)>;
SizeValues large_sizes(const PhraseProgram& program, const SizeValues& known, const TimedRun& run) {
  std::optional<SizeValues> best;
  double before = 0;
  for (int k = 0; k <= 27; ++k) {
    SizeValues sizes = known;
    for (const std::string& n : program.sizes) sizes.emplace(n, std::int64_t{1} << k);
    if (!props::fits(program, sizes)) continue;
    if (best && 4 * props::element_count(program, sizes) > 256e6) break;
    best = std::move(sizes);
    const auto seconds = run(*best);
    if (!seconds) break;
    // The next one is assumed to grow as this one did, and at least as a square.
    if (*seconds * std::max(4.0, before > 1e-4 ? *seconds / before : 0) > 1) break;
    before = *seconds;
  }
  if (best) return *best;
  const auto weight = [&](const SizeValues& sizes) { return props::element_count(program, sizes); };
  const props::SizeSearch found = props::search_sizes(program, known, 1, weight, 64e6, 1);
  if (found.heavy) return *found.heavy;
  if (found.sizes.empty())
    fail(invalid, "no sizes were found that satisfy what " + program.name + " asks for",
         "give them by name, as in n=1000");
  return found.sizes.front();
}

struct Timing {
  std::string target;
  std::vector<double> seconds;
  double median() const { return seconds[seconds.size() / 2]; }
  double least() const { return seconds.front(); }
};

[[noreturn]] void stop(const Stop& why) {
  if (const auto* trap = std::get_if<Trap>(&why)) {
    throw Failure{trapped, render(*trap) + "  help: give inputs on which the program does not trap", {}, false, *trap};
  }
  fail(machine, std::get<MachineFailure>(why).message);
}

template <class Run>
Timing timed(const std::string& target, std::size_t runs, const Run& run) {
  Timing t{target, {}};
  Progress progress;
  const Stopwatch whole;
  while (runs > 0 ? t.seconds.size() < runs
                  : t.seconds.size() < 3 || (whole.seconds() < 1 && t.seconds.size() < 1000)) {
    const Stopwatch watch;
    if (const auto ran = run(); !ran) stop(ran.error());
    t.seconds.push_back(watch.seconds());
    progress.step("timing " + target, t.seconds.size(), runs > 0 ? runs : t.seconds.size());
    if (runs == 0 && whole.seconds() > 20) break;
  }
  std::sort(t.seconds.begin(), t.seconds.end());
  return t;
}

}  // namespace

int bench_command(const Options& options) {
  refuse_given(options, {"--chunk", "--threads"}, "is of .snesl programs");
  const ProgramName name = program_name(options.program);
  const LoadedProgram loaded = load_program(name.file);
  const PhraseProgram& program = entry_point(loaded, name);
  const Runner runner = target_named(options.target.empty() ? default_target() : options.target);
  const std::string& target = runner.name;
  std::optional<Executable> compiled;
  if (runner.target) {
    auto made =
        load_on(*runner.target, run_pipeline(program, loaded.calculus, runner.target->machine).kernels.back().program,
                program.result);
    if (!made) fail(machine, made.error().message);
    compiled = std::move(*made);
  }
  const auto once = [&](const Arguments& arguments) -> tl::expected<void, Stop> {
    const auto r = compiled ? compiled->run(arguments) : interpret(program, arguments);
    if (!r) return tl::unexpected(r.error());
    return {};
  };
  const TimedRun timed_run = [&](const SizeValues& sizes) -> std::optional<double> {
    const auto arguments = props::random_inputs(program, sizes, 1, props::Integers::Inside);
    if (!arguments) return {};
    const Stopwatch watch;
    if (!once(*arguments)) return {};
    return watch.seconds();
  };
  const ArgumentOptions fill{true, [&](const SizeValues& known) { return large_sizes(program, known, timed_run); },
                             true};
  const Arguments arguments = bind_arguments(program, options.arguments, fill);

  Timing timing;
  if (!compiled) {
    timing = timed(target, options.runs == 0 ? 1 : options.runs, [&] { return once(arguments); });
  } else {
    const auto results = compiled->allocate_results(arguments.sizes);
    if (!results) stop(results.error());
    const std::vector<void*> into = writable(*results);
    if (const auto warm = compiled->run_into(arguments, into); !warm) stop(warm.error());
    timing = timed(target, options.runs, [&] { return compiled->run_into(arguments, into); });
  }
  std::uint64_t bytes = bytes_of(program.result, arguments.sizes);
  for (const auto& [parameter, type] : program.parameters) bytes += bytes_of(type, arguments.sizes);
  const double bandwidth = target == "interpreter" ? 0 : measured_bandwidth(),
               rate = static_cast<double>(bytes) / timing.median();
  if (options.json) {
    Json row{{"target", timing.target},
             {"runs", timing.seconds.size()},
             {"median_seconds", timing.median()},
             {"least_seconds", timing.least()},
             {"bytes_per_second", rate}};
    if (bandwidth > 0) row["share_of_bandwidth"] = rate / bandwidth;
    print(Json{{"function", program.name},
               {"sizes", json_of(arguments.sizes)},
               {"bytes", bytes},
               {"machine_bytes_per_second", bandwidth},
               {"targets", Json::array({std::move(row)})}});
    return done;
  }
  Table table({"target", ">median", ">least", ">runs", ">GB/s", ">of the machine's"});
  table.row({timing.target, show_seconds(timing.median()), show_seconds(timing.least()),
             std::to_string(timing.seconds.size()), fmt::format("{:.3g}", rate / 1e9),
             bandwidth > 0 ? fmt::format("{:.1f}%", 100 * rate / bandwidth) : ""});
  std::string head = program.name + (arguments.sizes.empty() ? "" : " at " + show(arguments.sizes)) + ": " +
                     show_bytes(bytes) + " in and out";
  if (bandwidth > 0) head += fmt::format("; this machine's memory: {:.1f} GB/s, measured now", bandwidth / 1e9);
  print(head + "\n\n" + table.text(on_terminal(1)));
  return done;
}

}  // namespace lockstep::driver
