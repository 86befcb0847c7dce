// lockstep bench: how fast a program is on a target, beside what the machine's memory gives.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver/commands/bandwidth.h"
#include "driver/commands/commands.h"

namespace lockstep::driver {
namespace {

// Ascending: for a second, at least thrice where the program is compiled, unless `runs` says how often.
std::vector<double> timed(Execution& execution, const Runner& runner, std::size_t runs) {
  std::vector<double> out;
  Progress progress;
  const std::size_t least = runner.compiled ? 3 : 1;
  const std::string at = execution.at(), drawn_text = at.empty() ? "" : "; it ran at " + at;
  const auto once = [&] {
    if (const auto trap = execution.run())
      throw Failure{trapped,
                    render(*trap) + "  help: give inputs on which the program does not trap" + drawn_text,
                    {},
                    false,
                    *trap};
  };
  if (runner.compiled) once();  // warm
  const Stopwatch whole;
  while (runs > 0 ? out.size() < runs : out.size() < least || (whole.seconds() < 1 && out.size() < 1000)) {
    const Stopwatch watch;
    once();
    out.push_back(watch.seconds());
    progress.step("timing " + runner.name, out.size(), runs > 0 ? runs : out.size());
    if (runs == 0 && whole.seconds() > 20) break;
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Of a device's kernels, by its own clock: 100 after 10, or for ten seconds; empty where there is no device.
std::vector<double> timed_kernels(Execution& execution) {
  std::vector<double> out;
  const Stopwatch whole;
  Progress progress;
  for (std::size_t round = 0; round < 110 && (round < 3 || whole.seconds() < 10); ++round) {
    const auto seconds = execution.run_measured();
    if (!seconds) return {};
    if (round == 10) out.clear();
    out.push_back(*seconds);
    progress.step("timing kernels", round, 110);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

int bench_command(const Options& options) {
  const Loaded loaded = load(options, "bench");
  const Runner runner = options.target.empty() ? default_target(*loaded.language)
                                               : target_named(options.languages, *loaded.language, options.target);
  const auto execution = loaded.entry->bind(runner.name, options, true);
  const std::vector<double> seconds = timed(*execution, runner, options.runs);
  const double median = seconds[seconds.size() / 2];
  const std::vector<double> kernels = timed_kernels(*execution);
  const double bandwidth = runner.compiled ? measured_bandwidth() : 0,
               rate = static_cast<double>(execution->bytes()) / median;
  const std::optional<double> work = execution->work();
  if (options.json) {
    Json row{{"target", runner.name},
             {"runs", seconds.size()},
             {"median_seconds", median},
             {"least_seconds", seconds.front()},
             {"bytes_per_second", rate}};
    if (!kernels.empty()) {
      row["kernels_median_seconds"] = kernels[kernels.size() / 2];
      row["kernels_runs"] = kernels.size();
    }
    if (work) row["work_per_second"] = *work / seconds.front();
    if (bandwidth > 0) row["share_of_bandwidth"] = rate / bandwidth;
    Json json{{"language", loaded.language->name()}, {"function", loaded.entry->name()}};
    json.update(execution->where());
    json["bytes"] = execution->bytes();
    if (work) json["work"] = *work;
    json["machine_bytes_per_second"] = bandwidth;
    json["targets"] = Json::array({std::move(row)});
    print(json);
    return done;
  }
  std::vector<std::string> titles{"target", ">median", ">least", ">runs", ">GB/s", ">of the machine's"};
  std::vector<Cell> cells{runner.name,
                          show_seconds(median),
                          show_seconds(seconds.front()),
                          std::to_string(seconds.size()),
                          fmt::format("{:.3g}", rate / 1e9),
                          bandwidth > 0 ? fmt::format("{:.1f}%", 100 * rate / bandwidth) : ""};
  if (work) titles.emplace_back(">G work/s"), cells.emplace_back(fmt::format("{:.3g}", *work / seconds.front() / 1e9));
  if (!kernels.empty()) {
    const double middle = kernels[kernels.size() / 2], of_kernels = static_cast<double>(execution->bytes()) / middle;
    titles.insert(titles.end(), {">kernels", ">GB/s"});
    cells.insert(cells.end(), {show_seconds(middle), fmt::format("{:.3g}", of_kernels / 1e9)});
  }
  Table table(std::move(titles));
  table.row(std::move(cells));
  const std::string at = execution->at();
  std::string head = loaded.entry->name() + (at.empty() ? "" : " at " + at) + ": " + execution->bytes_text();
  if (bandwidth > 0) head += fmt::format("; this machine's memory: {:.1f} GB/s, measured now", bandwidth / 1e9);
  print(head + "\n\n" + table.text(on_terminal(1)));
  return done;
}

}  // namespace lockstep::driver
