// lockstep bench: how fast a program is on a target, beside what the machine can do.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "codegen/runtime/files.h"
#include "driver/commands/beside.h"
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

struct Peer {
  std::string name;
  double seconds;
};
std::vector<Peer> peers_of(const Options& options) {
  std::vector<Peer> out;
  for (const std::string& text : options.peers) {
    const std::size_t equals = text.rfind('=');
    double seconds = 0;
    const char* const end = text.data() + text.size();
    const bool read = equals != std::string::npos && equals > 0 &&
                      std::from_chars(text.data() + equals + 1, end, seconds).ptr == end && seconds > 0;
    if (!read) fail(invalid, "--peer " + text + " is no NAME=SECONDS", "as in --peer OpenBLAS=0.0179");
    out.push_back({text.substr(0, equals), seconds});
  }
  return out;
}

Beside beside(const Execution& execution, double seconds) {
  Beside out{machine_limits(), static_cast<double>(last_cache_bytes()), static_cast<double>(execution.bytes()), seconds,
             execution.float_operations().value_or(Execution::FloatOperations{})};
  const std::optional<double> work = execution.work();
  constexpr double widest = 8;  // bytes of a number, for each of which something is done
  out.touches_all = work && *work * widest >= out.bytes;
  if (!out.is_possible()) out.limits = machine_limits(true);
  if (!out.is_possible())
    fail(machine,
         fmt::format(
             "it takes and gives {:.3g} GB/s, more than the {:.3g} that this machine was measured to allow, twice",
             out.rate() / 1e9, out.limits.bytes / 1e9),
         "one of the measurements is wrong: run it again while the machine does nothing else");
  return out;
}

std::string roof_line(const Beside& b) {
  if (!b.counted()) return "";
  const double of_byte = b.of_byte();
  return fmt::format(
      "\nroofline: {:.3g} operations on floats a byte; {} {:.3g} GFLOP/s, of which it has {:.1f}%{}\n", of_byte,
      !b.in_memory()               ? "its data fit the caches, and arithmetic allows"
      : of_byte < b.roof().ridge() ? "memory allows"
                                   : "arithmetic allows",
      b.most() / 1e9, 100 * b.share_of_most(),
      b.share_of_most() > Beside::most_share ? ": more was counted than it does, or it does not touch all of its data"
                                             : "");
}

std::vector<RooflinePoint> points_of(const Beside& b, const std::string& name, const std::vector<Peer>& peers) {
  std::vector<RooflinePoint> out{{name, b.all() / b.seconds}};
  for (const Peer& p : peers) out.push_back({p.name, b.all() / p.seconds});
  return out;
}

}  // namespace

int bench_command(const Options& options) {
  const std::vector<Peer> peers = peers_of(options);
  if (!options.plot.empty() && !options.plot.ends_with(".svg"))
    fail(invalid, "--plot " + options.plot + " does not end in .svg", "the picture is SVG");
  const Loaded loaded = load(options, "bench");
  const Runner runner = options.target.empty() ? default_target(*loaded.language)
                                               : target_named(options.languages, *loaded.language, options.target);
  const auto execution = loaded.entry->bind(runner.name, options, true);
  const std::vector<double> seconds = timed(*execution, runner, options.runs);
  const double median = seconds[seconds.size() / 2];
  const std::vector<double> kernels = timed_kernels(*execution);
  const bool here = runner.compiled && kernels.empty();  // the limits are those of this processor
  const Beside found =
      here ? beside(*execution, median) : Beside{{}, 0, static_cast<double>(execution->bytes()), median};
  if ((options.roofline || !options.plot.empty()) && !found.counted())
    fail(invalid,
         "on " + runner.name + ", " + loaded.entry->name() + " has no operations on floats whose number is known",
         "--roofline and --plot are of compiled programs for this processor, whose sizes say how many there are");
  const std::optional<double> work = execution->work();
  const std::string at = execution->at(), title = loaded.entry->name() + (at.empty() ? "" : " at " + at);
  const auto points = points_of(found, loaded.entry->name(), peers);
  if (!options.plot.empty()) {
    const std::string picture = roofline_svg(found.roof(), found.of_byte(), points, title);
    if (const auto written = write_files_atomically({{options.plot, picture}}); !written)
      fail(machine, written.error());
  }
  if (options.json) {
    Json row{{"target", runner.name},
             {"runs", seconds.size()},
             {"median_seconds", median},
             {"least_seconds", seconds.front()},
             {"bytes_per_second", found.rate()}};
    if (!kernels.empty()) {
      row["kernels_median_seconds"] = kernels[kernels.size() / 2];
      row["kernels_runs"] = kernels.size();
    }
    if (work) row["work_per_second"] = *work / seconds.front();
    if (const auto share = found.share_of_memory()) row["share_of_bandwidth"] = *share;
    if (found.counted()) {
      row["float_operations_per_second"] = found.all() / median;
      row["share_of_roofline"] = found.share_of_most();
    }
    for (const Peer& p : peers) row["peers"][p.name] = p.seconds / median;
    Json json{{"language", loaded.language->name()}, {"function", loaded.entry->name()}};
    json.update(execution->where());
    json["bytes"] = execution->bytes();
    if (work) json["work"] = *work;
    if (found.counted()) json["float_operations"] = {{"f32", found.operations.f32}, {"f64", found.operations.f64}};
    json["machine_bytes_per_second"] = found.limits.bytes;
    json["machine_float_operations_per_second"] = {{"f32", found.limits.f32}, {"f64", found.limits.f64}};
    json["targets"] = Json::array({std::move(row)});
    print(json);
    return done;
  }
  std::vector<std::string> titles{"target", ">median", ">least", ">runs", ">GB/s"};
  std::vector<Cell> cells{runner.name, show_seconds(median), show_seconds(seconds.front()),
                          std::to_string(seconds.size()), fmt::format("{:.3g}", found.rate() / 1e9)};
  const auto column = [&](const std::string& head, const std::string& cell) {
    titles.push_back(">" + head), cells.emplace_back(cell);
  };
  if (const auto share = found.share_of_memory()) column("of the machine's", fmt::format("{:.1f}%", 100 * *share));
  if (found.counted()) column("GFLOP/s", fmt::format("{:.3g}", found.all() / median / 1e9));
  if (work) column("G work/s", fmt::format("{:.3g}", *work / seconds.front() / 1e9));
  if (!kernels.empty()) {
    const double middle = kernels[kernels.size() / 2];
    column("kernels", show_seconds(middle)), column("GB/s", fmt::format("{:.3g}", found.bytes / middle / 1e9));
  }
  for (const Peer& p : peers) column(p.name + " / it", fmt::format("{:.2f}", p.seconds / median));
  Table table(std::move(titles));
  table.row(std::move(cells));
  std::string head = title + ": " + execution->bytes_text();
  if (found.limits.bytes > 0)
    head += fmt::format("; this machine: {:.1f} GB/s of memory, {:.3g} GFLOP/s of f32, {:.3g} of f64, measured {}",
                        found.limits.bytes / 1e9, found.limits.f32 / 1e9, found.limits.f64 / 1e9,
                        found.limits.age < 60 ? "now" : fmt::format("{:.0f} minutes ago", found.limits.age / 60));
  print(head + "\n\n" + table.text(on_terminal(1)) + roof_line(found) +
        (options.roofline ? "\n" + roofline_text(found.roof(), found.of_byte(), points) : ""));
  return done;
}

}  // namespace lockstep::driver
