// Reports of planted mistakes, whatever the language.
#include "driver/mutants.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>

#include "driver/workers.h"
#include "props/engine/mutants.h"
#include "props/engine/side_by_side.h"

namespace lockstep::driver {

std::vector<std::size_t> chosen_mutants(const std::vector<MutantRow>& all, const std::vector<std::string>& families,
                                        const Options& options) {
  const auto [shard, shards] =
      options.shard.empty() ? std::pair<std::size_t, std::size_t>{1, 1} : shard_of(options.shard);
  std::vector<std::size_t> out;
  std::size_t like = 0;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (props::is_like(all[k].name, all[k].family, options.mutants) && like++ % shards + 1 == shard) out.push_back(k);
  if (like > 0) return out;
  fail(invalid, "--mutants: no mutant is called " + options.mutants,
       "the families are " + comma_list(families) + "; --mutants lists them all");
}

void try_all(std::vector<MutantRow>& rows, const std::function<void(MutantRow& row, std::size_t k)>& try_one) {
  std::atomic<std::size_t> next = 0;
  std::size_t finished = 0;
  std::mutex mutex;
  Progress progress;
  on_workers(processors(), [&](std::size_t) {
    for (std::size_t k; (k = next++) < rows.size();) {
      try_one(rows[k], k);
      const std::lock_guard lock(mutex);
      progress.step("mutants, the last " + rows[k].name, ++finished, rows.size());
    }
  });
}

std::size_t most_random(const std::vector<MutantRow>& rows) {
  std::size_t most = 0;
  for (const MutantRow& r : rows) most = std::max(most, r.programs - std::min(r.programs, r.written));
  return most;
}

namespace {

std::string place(const props::Finding& f) {
  const bool by_message = f.property == "inference" || f.property == "no bug";  // named after what is said
  return f.property + (by_message || f.stage.empty() ? "" : ", " + f.stage);
}

Json json_of(const MutantRow& r) {
  Json j{
      {"name", r.name},         {"family", r.family},  {"description", r.description}, {"killed", r.caught.has_value()},
      {"programs", r.programs}, {"seconds", r.seconds}};
  if (!r.caught) return j;
  j.update({{"property", r.caught->property},
            {"stage", r.caught->stage},
            {"program_is", r.directed ? "directed" : "random"},
            {"input", r.caught->input},
            {"detail", r.caught->detail},
            {"program", r.text},
            {"before", r.caught->before},
            {"after", r.caught->after}});
  return j;
}

std::string programs_of(const std::vector<MutantRow>& rows) {
  std::string out;
  for (const MutantRow& r : rows) {
    if (!r.caught) continue;
    const props::Finding& f = *r.caught;
    out += r.name + ": " + r.description + "\n\n" + r.text + "\n  caught by " + place(f) +
           (f.input.empty() ? "" : ", on " + f.input) + "\n  " + f.detail + "\n\n";
    if (!f.after.empty()) out += props::side_by_side(f.before, f.after, terminal_columns()) + "\n";
  }
  return out;
}

}  // namespace

Said said_of(const std::vector<MutantRow>& rows, const std::optional<props::Finding>& alarm, std::size_t without,
             double seconds, const Options& options) {
  Table table({"mutant", "family", "caught by", "program", ">tried", ">time"});
  Json json = Json::array();
  std::size_t killed = 0, directed = 0;
  std::vector<double> times;
  const MutantRow* slowest = nullptr;
  for (const MutantRow& r : rows) {
    killed += r.caught.has_value();
    directed += r.caught && r.directed;
    times.push_back(r.seconds);
    if (!slowest || r.seconds > slowest->seconds) slowest = &r;
    table.row({r.name, r.family, r.caught ? Cell(place(*r.caught), Tone::Good) : Cell("SURVIVES", Tone::Bad),
               r.caught ? (r.directed ? "directed" : "random") : "", std::to_string(r.programs),
               show_seconds(r.seconds)});
    json.push_back(json_of(r));
  }
  std::sort(times.begin(), times.end());
  const double median = times.empty() ? 0 : times[times.size() / 2];
  const bool ok = killed == rows.size() && !alarm;
  const std::string found = alarm ? place(*alarm) + ": " + alarm->detail : "";
  Said out{table.text(on_terminal(1)) + "\n" + (options.show ? programs_of(rows) : ""),
           Json{{"ok", ok},
                {"language", options.language},
                {"killed", killed},
                {"total", rows.size()},
                {"by_directed_programs", directed},
                {"median_seconds", median},
                {"slowest", slowest ? slowest->name : ""},
                {"slowest_seconds", slowest ? slowest->seconds : 0},
                {"programs_without_a_mistake", without},
                {"false_alarm", found},
                {"seconds", seconds},
                {"mutants", std::move(json)}},
           ok};
  out.text +=
      fmt::format("{} of {} killed, {} by a directed program; median {}, slowest {} ({}); {} altogether\n", killed,
                  show_count(rows.size(), "mutant"), directed, show_seconds(median),
                  slowest ? show_seconds(slowest->seconds) : "", slowest ? slowest->name : "", show_seconds(seconds));
  out.text += alarm ? "a false alarm without a mistake: " + place(*alarm) + "\n  " + alarm->detail + "\n"
                    : "without a mistake, " + show_count(without, "program") + ": nothing to report\n";
  return out;
}

}  // namespace lockstep::driver
