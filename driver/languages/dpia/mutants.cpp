// lockstep campaign --mutants: mistakes are planted one by one, and the campaign's checks must find each. Exit 1 where
// one survives, or where a check says something of the programs without a mistake.
#include "props/dpia/mutants/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "driver/languages/dpia/dpia.h"
#include "props/engine/side_by_side.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::driver {
namespace {

constexpr std::size_t default_programs = 4000;  // random ones for each mutant
constexpr double shrink_seconds = 5;

using Tried = props::MutantRun;  // its program the smallest one, where it is shown

std::vector<props::Mutant> chosen(const Options& options) {
  const std::string& pattern = options.mutants;
  const auto [shard, shards] =
      options.shard.empty() ? std::pair<std::size_t, std::size_t>{1, 1} : shard_of(options.shard);
  std::vector<props::Mutant> out;
  std::size_t k = 0;
  for (props::Mutant& m : props::mutants())
    if (is_like(m, pattern) && k++ % shards + 1 == shard) out.push_back(std::move(m));
  if (k > 0) return out;
  std::string families;
  for (const std::string& f : props::mutant_families()) families += (families.empty() ? "" : ", ") + f;
  fail(invalid, "--mutants: no mutant is called " + pattern,
       "the families are " + families + "; --mutants lists them all");
}

// Mutants one after another from a list that as many workers share as there are processors.
std::vector<Tried> try_all(const std::vector<props::Mutant>& all, const Options& options, std::size_t programs) {
  std::vector<Tried> out(all.size());
  std::atomic<std::size_t> next = 0;
  std::size_t finished = 0;
  std::mutex mutex;
  std::exception_ptr failed;
  Progress progress;
  const auto work = [&] {
    try {
      for (std::size_t k; (k = next++) < all.size();) {
        out[k] = try_mutant(all[k], options.seed, programs);
        if (out[k].caught && (options.show || options.json))
          out[k].caught = shrunk(all[k], *out[k].caught, shrink_seconds);
        const std::lock_guard lock(mutex);
        progress.step("mutants, the last " + all[k].name, ++finished, all.size());
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failed = std::current_exception();
    }
  };
  std::vector<std::thread> workers;
  for (unsigned k = 0; k < std::max(1u, std::thread::hardware_concurrency()); ++k) workers.emplace_back(work);
  for (std::thread& w : workers) w.join();
  if (failed) std::rethrow_exception(failed);
  return out;
}

struct Summary {
  std::size_t killed = 0, directed = 0, programs = 0;  // programs: the most random ones that one needed
  double median = 0;
  std::size_t slowest = 0;
};
Summary summary_of(const std::vector<props::Mutant>& all, const std::vector<Tried>& tried) {
  Summary s;
  std::vector<double> seconds;
  for (std::size_t k = 0; k < tried.size(); ++k) {
    const Tried& r = tried[k];
    s.killed += r.caught.has_value();
    s.directed += r.caught && r.caught->directed;
    s.programs = std::max(s.programs, r.programs - std::min(r.programs, all[k].directed.size()));
    seconds.push_back(r.seconds);
    if (r.seconds > tried[s.slowest].seconds) s.slowest = k;
  }
  std::sort(seconds.begin(), seconds.end());
  if (!seconds.empty()) s.median = seconds[seconds.size() / 2];
  return s;
}

std::string place(const props::Finding& f) {
  const bool by_message = f.property == "inference" || f.property == "no bug";  // named after what is said
  return f.property + (by_message || f.stage.empty() ? "" : ", " + f.stage);
}

Json json_of(const props::Mutant& m, const Tried& t) {
  Json j{
      {"name", m.name},         {"family", m.family},  {"description", m.description}, {"killed", t.caught.has_value()},
      {"programs", t.programs}, {"seconds", t.seconds}};
  if (!t.caught) return j;
  const props::Finding& f = t.caught->finding;
  j.update({{"property", f.property},
            {"stage", f.stage},
            {"program_is", t.caught->directed ? "directed" : "random"},
            {"input", f.input},
            {"detail", f.detail},
            {"program", lockstep::print(t.caught->program)},
            {"before", f.before},
            {"after", f.after}});
  return j;
}

std::string table_of(const std::vector<props::Mutant>& all, const std::vector<Tried>& tried) {
  Table table({"mutant", "family", "caught by", "program", ">tried", ">time"});
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Tried& r = tried[k];
    const Cell by = r.caught ? Cell(place(r.caught->finding), Tone::Good) : Cell("SURVIVES", Tone::Bad);
    table.row({all[k].name, all[k].family, by, r.caught ? (r.caught->directed ? "directed" : "random") : "",
               std::to_string(r.programs), show_seconds(r.seconds)});
  }
  return table.text(on_terminal(1)) + "\n";
}

std::string programs_of(const std::vector<props::Mutant>& all, const std::vector<Tried>& tried) {
  std::string out;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!tried[k].caught) continue;
    const props::Finding& f = tried[k].caught->finding;
    out += all[k].name + ": " + all[k].description + "\n\n" + lockstep::print(tried[k].caught->program) + "\n";
    out += "  caught by " + place(f) + (f.input.empty() ? "" : ", on " + f.input) + "\n  " + f.detail + "\n\n";
    if (!f.after.empty()) out += props::side_by_side(f.before, f.after, terminal_columns()) + "\n";
  }
  return out;
}

}  // namespace

Said dpia_mutants(const Options& options) {
  const Stopwatch watch;
  const std::vector<props::Mutant> all = chosen(options);
  const std::vector<Tried> tried = try_all(all, options, options.programs > 0 ? options.programs : default_programs);
  const Summary s = summary_of(all, tried);
  std::size_t without = 0;
  const auto alarm = props::false_alarm(all, options.seed, s.programs, &without);
  const bool ok = s.killed == all.size() && !alarm;
  Json mutants = Json::array();
  for (std::size_t k = 0; k < all.size(); ++k) mutants.push_back(json_of(all[k], tried[k]));
  Json json{{"ok", ok},
            {"killed", s.killed},
            {"total", all.size()},
            {"by_directed_programs", s.directed},
            {"median_seconds", s.median},
            {"slowest", all.empty() ? "" : all[s.slowest].name},
            {"slowest_seconds", all.empty() ? 0 : tried[s.slowest].seconds},
            {"programs_without_a_mistake", without},
            {"false_alarm", alarm ? place(*alarm) + ": " + alarm->detail : ""},
            {"seconds", watch.seconds()},
            {"mutants", std::move(mutants)}};
  std::string text = table_of(all, tried) + (options.show ? programs_of(all, tried) : "");
  text += fmt::format("{} of {} killed, {} by a directed program; median {}, slowest {} ({}); {} altogether\n",
                      s.killed, show_count(all.size(), "mutant"), s.directed, show_seconds(s.median),
                      all.empty() ? "" : show_seconds(tried[s.slowest].seconds), all.empty() ? "" : all[s.slowest].name,
                      show_seconds(watch.seconds()));
  text += alarm ? "a false alarm without a mistake: " + place(*alarm) + "\n  " + alarm->detail + "\n"
                : "without a mistake, " + show_count(without, "program") + ": nothing to report\n";
  return {std::move(text), std::move(json), ok};
}

}  // namespace lockstep::driver
