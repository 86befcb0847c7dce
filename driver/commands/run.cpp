// lockstep run: an entry point on arguments, its result as a literal or as files.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/commands/commands.h"

namespace lockstep::driver {
namespace {

void write_results(const std::string& output, std::vector<NpyOutput> leaves) {
  if (leaves.empty())
    std::fputs("lockstep: a result of nothing but () has no values: --output writes no file\n", stderr);
  const bool npy = output.ends_with(".npy");
  const std::string stem = npy ? output.substr(0, output.size() - 4) : output;
  for (std::size_t k = 0; k < leaves.size(); ++k)
    leaves[k].path = leaves.size() == 1 ? output : stem + "." + std::to_string(k) + (npy ? ".npy" : "");
  if (const auto written = write_npys(leaves); !written) fail(machine, written.error());
}

}  // namespace

int run_command(const Options& options) {
  const Loaded loaded = load(options, "run");
  const Runner runner = options.target.empty() ? default_target(*loaded.language)
                                               : target_named(options.languages, *loaded.language, options.target);
  const std::string& target = runner.name;
  const auto execution = loaded.entry->bind(target, options, false);
  const Stopwatch watch;
  const bool printing = !options.json && !options.compare && options.output.empty() && execution->prints();
  const std::optional<Trap> trap = printing ? execution->run_printing() : execution->run();
  const double seconds = watch.seconds();
  std::optional<Execution::Comparison> verdict;
  if (options.compare) verdict = execution->compare();
  Json json{{"ok", !verdict || verdict->agrees},
            {"language", loaded.language->name()},
            {"function", loaded.entry->name()},
            {"target", target}};
  json.update(execution->where());
  if (verdict) json["compare"] = {{"agrees", verdict->agrees}, {"what", verdict->text}};
  if (verdict && !verdict->agrees) {
    if (options.json) print(json);
    throw Failure{disagrees, target + " and the interpreter disagree: " + verdict->text, {}, true};
  }
  if (trap) fail(*trap);
  execution->finish();
  if (printing) return done;
  if (!options.output.empty()) write_results(options.output, execution->arrays());
  const std::string literal = options.output.empty() ? execution->literal() : "";
  if (options.json) {
    json["seconds"] = seconds;
    if (options.output.empty())
      json["result"] = literal;
    else
      json["output"] = options.output;
    print(json);
    return done;
  }
  if (options.output.empty() && !execution->silent()) print(literal + "\n");
  if (verdict)
    std::fputs(
        ("lockstep: " + target + " agrees with the interpreter: " + verdict->text + verdict->also + "\n").c_str(),
        stderr);
  return done;
}

}  // namespace lockstep::driver
