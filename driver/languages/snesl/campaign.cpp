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
  Json missing = Json::array(), theorems = Json::array();
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
              {"reals", r.counts.reals},
              {"reals_of_wide_bound", r.counts.wide},
              {"undecided_inputs", r.counts.undecided},
              {"share_of_bound", r.counts.rounding.share()},
              {"compiled", r.engine.programs},
              {"missing", std::move(missing)},
              {"theorems", std::move(theorems)},
              {"seconds", r.seconds},
              {"failures", json_of_failures(r.failures)}};
}

std::string text_of(const stream::CampaignReport& r) {
  std::string out = text_of_failures(r.failures);
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
  if (r.counts.reals > 0)
    out += fmt::format(
        "{} of results lie within the error that any order of their operations has, at worst at {:.2g} "
        "of it; {} have one that is wider than they are, {} undecided\n",
        show_count(r.counts.reals, "Real"), r.counts.rounding.share(), r.counts.wide,
        show_count(r.counts.undecided, "input"));
  if (r.engine.programs > 0)
    out += fmt::format("{} compiled for the engine, {} on it\n", show_count(r.engine.programs, "program"),
                       show_count(r.engine.runs, "run"));
  return out + (r.failures.empty() ? "no failure\n" : show_count(r.failures.size(), "failure") + "\n");
}

}  // namespace

Said streaming_mutants(const Options& options) {
  constexpr std::size_t default_programs = 500, most_without = 200;
  const Stopwatch watch;
  const std::size_t programs = options.programs > 0 ? options.programs : default_programs;
  std::vector<MutantRow> rows;
  std::vector<std::string> directed;
  for (const stream::Mutant& m :
       tried_mutants(stream::mutants(), stream::mutant_families(), options, programs, rows,
                     [](const stream::GeneratedProgram& p) { return snesl::print(p.program); }))
    directed.insert(directed.end(), m.directed.begin(), m.directed.end());
  const std::size_t without = std::min(programs, most_without);
  const auto alarm = stream::false_alarm(directed, options.seed, without);
  return said_of(rows, alarm, directed.size() + without, watch.seconds(), options);
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
