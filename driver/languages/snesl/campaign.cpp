// Campaigns of .snesl: random programs through every stage, and planted mistakes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/campaigns.h"
#include "driver/languages/snesl/snesl.h"
#include "props/engine/mutants.h"
#include "props/snesl/mutants.h"
#include "semantics/snesl/parse.h"

namespace lockstep::driver {
namespace {

namespace stream = props::stream;

Json json_of(const stream::CampaignReport& r) {
  Json failures = Json::array(), missing = Json::array(), theorems = Json::array();
  for (const stream::CampaignFailure& f : r.failures)
    failures.push_back({{"property", f.finding.property},
                        {"stage", f.finding.stage},
                        {"input", f.finding.input},
                        {"detail", f.finding.detail},
                        {"program", f.program},
                        {"nodes", f.nodes},
                        {"text", f.text},
                        {"command", f.command},
                        {"file", f.file}});
  for (const std::string& m : r.coverage.missing()) missing.push_back(m);
  for (std::size_t b = 0; b < stream::bounds; ++b) {
    const stream::Ratio& x = r.counts.ratios[b];
    theorems.push_back({{"bound", stream::name_of(static_cast<stream::Bound>(b))},
                        {"largest", x.largest},
                        {"c", stream::fixed_constant(static_cast<stream::Bound>(b))},
                        {"measured", x.measured},
                        {"cost", x.cost},
                        {"program", x.program},
                        {"input", x.input}});
  }
  return Json{{"ok", r.failures.empty()},
              {"language", "snesl"},
              {"programs", r.programs},
              {"inputs", r.counts.inputs},
              {"traps", r.counts.traps},
              {"runs", r.counts.runs},
              {"streamable", r.counts.accepted},
              {"refused", r.counts.refused},
              {"nodes", r.nodes},
              {"compiled", r.engine.programs},
              {"missing", std::move(missing)},
              {"theorems", std::move(theorems)},
              {"seconds", r.seconds},
              {"failures", std::move(failures)}};
}

std::string text_of(const stream::CampaignReport& r) {
  std::string out;
  for (const stream::CampaignFailure& f : r.failures) {
    out += fmt::format("program {} fails: {}, at {}\n", f.program, f.finding.property, f.finding.stage);
    if (!f.finding.input.empty()) out += "  on " + f.finding.input + "\n";
    out += "  " + f.finding.detail + "\n\n" + f.text + "\n  again: " + f.command +
           (f.file.empty() ? "" : "; written to " + f.file) + "\n\n";
  }
  Table table({"theorem of chapter 5", ">largest c found", ">c allowed"});
  for (std::size_t b = 0; b < stream::bounds; ++b)
    table.row({std::string(stream::name_of(static_cast<stream::Bound>(b))),
               fmt::format("{:.2f}", r.counts.ratios[b].largest),
               fmt::format("{}", stream::fixed_constant(static_cast<stream::Bound>(b)))});
  out += table.text(on_terminal(1)) + "\n";
  out += fmt::format("{}, {} nodes on average, {} ({} traps), {} streamable, {} refused, {} in {}\n",
                     show_count(r.programs, "program"), r.programs ? r.nodes / r.programs : 0,
                     show_count(r.counts.inputs, "input"), r.counts.traps, r.counts.accepted, r.counts.refused,
                     show_count(r.counts.runs, "run"), show_seconds(r.seconds));
  if (r.engine.programs > 0)
    out += fmt::format("{} compiled for the engine, {} on it\n", show_count(r.engine.programs, "program"),
                       show_count(r.engine.runs, "run"));
  return out + (r.failures.empty() ? "no failure\n" : show_count(r.failures.size(), "failure") + "\n");
}

std::vector<stream::Mutant> chosen_streaming(const Options& options) {
  std::vector<stream::Mutant> out;
  for (stream::Mutant& m : stream::mutants())
    if (props::is_like(m.name, m.family, options.mutants)) out.push_back(std::move(m));
  if (out.empty())
    fail(invalid, "--mutants: no mutant is like " + options.mutants, "lockstep campaign --language snesl --mutants");
  if (options.shard.empty()) return out;
  const auto [i, k] = shard_of(options.shard);
  std::vector<stream::Mutant> mine;
  for (std::size_t n = i - 1; n < out.size(); n += k) mine.push_back(std::move(out[n]));
  return mine;
}

}  // namespace

Said streaming_mutants(const Options& options) {
  const std::vector<stream::Mutant> all = chosen_streaming(options);
  const std::size_t programs = options.programs > 0 ? options.programs : 500;
  Table table({"mutant", "family", "caught by", ">tried", ">time"});
  Json rows = Json::array();
  std::size_t killed = 0;
  std::string shown;
  std::vector<std::string> directed;
  {
    Progress progress;
    for (std::size_t k = 0; k < all.size(); ++k) {
      progress.step("mutants", k, all.size());
      const stream::Mutant& m = all[k];
      directed.insert(directed.end(), m.directed.begin(), m.directed.end());
      const stream::MutantRun r = stream::try_mutant(m, options.seed, programs);
      killed += r.caught.has_value();
      const std::string by = r.caught ? r.caught->finding.property + ", " + r.caught->finding.stage : "";
      table.row({m.name, m.family, r.caught ? Cell(by, Tone::Good) : Cell("SURVIVES", Tone::Bad),
                 std::to_string(r.programs), show_seconds(r.seconds)});
      rows.push_back({{"name", m.name},
                      {"family", m.family},
                      {"description", m.description},
                      {"killed", r.caught.has_value()},
                      {"programs", r.programs},
                      {"seconds", r.seconds},
                      {"caught_by", by}});
      if (!options.show || !r.caught) continue;
      const stream::Caught small = stream::shrunk(m, *r.caught, 5);
      shown += m.name + ": " + m.description + "\n\n" + snesl::print(small.program.program) + "\n  " +
               small.finding.detail + "\n\n";
    }
  }
  const auto alarm = stream::false_alarm(directed, options.seed, std::min<std::size_t>(programs, 200));
  const bool ok = killed == all.size() && !alarm;
  Json json{{"ok", ok},
            {"language", "snesl"},
            {"killed", killed},
            {"total", all.size()},
            {"false_alarm", alarm ? alarm->property + ": " + alarm->detail : ""},
            {"mutants", std::move(rows)}};
  return {shown + table.text(on_terminal(1)) + "\n" +
              fmt::format("{} of {} mutants killed; without a mistake {}\n", killed, all.size(),
                          alarm ? "this is found: " + alarm->property + "\n" + alarm->detail : "nothing is found"),
          std::move(json), ok};
}

Said streaming_campaign(const Options& options) {
  stream::CampaignOptions how;
  if (!options.target.empty() && options.target != "engine" && options.target != "interpreter")
    fail(invalid, "--target: a campaign in snesl runs on every interpreter; engine compiles its programs too, found " +
                      options.target);
  how.compiled = options.target == "engine";
  const stream::CampaignReport r = run_with_progress(options, how, stream::run_campaign);
  return {text_of(r), json_of(r), r.failures.empty()};
}

}  // namespace lockstep::driver
