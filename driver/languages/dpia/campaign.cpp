// Campaigns of .dpia: random programs through every stage, and planted mistakes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/campaigns.h"
#include "driver/languages/dpia/dpia.h"
#include "proofs/sizes/solver.h"
#include "props/dpia/mutants/mutants.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::driver {
namespace {

Json json_of_report(const props::CampaignReport& r, const Calculus& calculus) {
  Json missing = Json::array();
  for (const std::string& m : r.coverage.missing(calculus)) missing.push_back(m);
  return Json{{"ok", r.failures.empty() && !r.too_undecided()},
              {"programs", r.programs},
              {"inputs", r.inputs},
              {"traps", r.traps},
              {"bounded", r.bounded},
              {"undecided", r.undecided},
              {"first_undecided", r.first_undecided},
              {"worst_error", r.rounding.error},
              {"bound_there", r.rounding.bound},
              {"share_of_bound", r.rounding.share()},
              {"worst", r.worst},
              {"compiled", r.compiled},
              {"nodes", r.nodes},
              {"without_sizes", r.without_sizes},
              {"endless", r.endless},
              {"missing", std::move(missing)},
              {"seconds", r.seconds},
              {"failures", json_of_failures(r.failures)}};
}

std::string text_of(const props::CampaignReport& r) {
  std::string out = text_of_failures(r.failures);
  out += fmt::format("{}, {} nodes on average, {} ({} traps) in {}\n", show_count(r.programs, "program"),
                     r.programs ? r.nodes / r.programs : 0, show_count(r.inputs, "input"), r.traps,
                     show_seconds(r.seconds));
  if (r.endless > 0) out += show_count(r.endless, "input") + " did not end within the rounds of `while` allowed\n";
  if (r.compiled > 0) {
    out += show_count(r.compiled, "program") + " compiled; of " + show_count(r.bounded, "result") +
           fmt::format(", rounding leaves {} ({:.2g}%) undecided; ", r.undecided,
                       r.bounded ? 100.0 * static_cast<double>(r.undecided) / static_cast<double>(r.bounded) : 0.0);
    out += r.rounding.bound > 0
               ? fmt::format("largest share of an error bound: {:.2g}% ({})\n", 100 * r.rounding.share(), r.worst)
               : "no float was rounded\n";
  }
  if (r.too_undecided()) out += "too many are undecided; the first: " + r.first_undecided + "\n";
  out += r.failures.empty() ? "no failure\n" : show_count(r.failures.size(), "failure") + "\n";
  return out;
}

}  // namespace

Said dpia_campaign(const Frontend& language, const Calculus& calculus, const Options& options) {
  props::CampaignOptions how;
  how.limit = options.limit;
  how.compiled = !options.target.empty() && target_named(options.languages, language, options.target).name == "openmp";
  how.calculus = &calculus;
  how.solver = remembering(proofs::z3_size_solver());
  const props::CampaignReport r = run_with_progress(options, how, props::run_campaign);
  return {text_of(r), json_of_report(r, calculus), r.failures.empty() && !r.too_undecided()};
}

Said dpia_mutants(const Options& options) {
  constexpr std::size_t default_programs = 4000;  // random ones for each mutant
  const Stopwatch watch;
  std::vector<MutantRow> rows;
  const auto mine = tried_mutants(props::mutants(), props::mutant_families(), options,
                                  options.programs > 0 ? options.programs : default_programs, rows,
                                  [](const props::Sample& s) { return lockstep::print(s.program); });
  std::size_t without = 0;
  const auto alarm = props::false_alarm(mine, options.seed, most_random(rows), &without);
  return said_of(rows, alarm, without, watch.seconds(), options);
}

}  // namespace lockstep::driver
