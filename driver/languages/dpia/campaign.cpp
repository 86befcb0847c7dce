// A campaign of .dpia: its report in words and as JSON.
#include "props/dpia/campaign.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/campaigns.h"
#include "driver/languages/dpia/dpia.h"
#include "proofs/size_solver.h"
#include "props/engine/side_by_side.h"

namespace lockstep::driver {
namespace {

Json json_of_report(const props::CampaignReport& r) {
  Json failures = Json::array(), missing = Json::array();
  for (const props::CampaignFailure& f : r.failures)
    failures.push_back({{"property", f.finding.property},
                        {"stage", f.finding.stage},
                        {"input", f.finding.input},
                        {"detail", f.finding.detail},
                        {"program", f.program},
                        {"nodes", f.nodes},
                        {"text", f.text},
                        {"before", f.finding.before},
                        {"after", f.finding.after},
                        {"command", f.command},
                        {"file", f.file}});
  for (const std::string& m : r.coverage.missing()) missing.push_back(m);
  return Json{{"ok", r.failures.empty() && !r.too_undecided()},
              {"programs", r.programs},
              {"inputs", r.inputs},
              {"traps", r.traps},
              {"bounded", r.bounded},
              {"undecided", r.undecided},
              {"first_undecided", r.first_undecided},
              {"worst_error", r.error},
              {"bound_there", r.bound},
              {"share_of_bound", r.bound > 0 ? r.error / r.bound : 0.0},
              {"worst", r.worst},
              {"compiled", r.compiled},
              {"nodes", r.nodes},
              {"without_sizes", r.without_sizes},
              {"endless", r.endless},
              {"missing", std::move(missing)},
              {"seconds", r.seconds},
              {"failures", std::move(failures)}};
}

std::string text_of(const props::CampaignReport& r) {
  std::string out;
  for (const props::CampaignFailure& f : r.failures) {
    out += "program " + std::to_string(f.program) + " fails: " + f.finding.property +
           (f.finding.stage.empty() ? "" : ", after " + f.finding.stage) + "\n";
    if (!f.finding.input.empty()) out += "  on " + f.finding.input + "\n";
    out += "  " + f.finding.detail + "\n\n" + f.text + "\n";
    if (!f.finding.after.empty())
      out += props::side_by_side(f.finding.before, f.finding.after, terminal_columns()) + "\n";
    out += "  again: " + f.command + (f.file.empty() ? "" : "; written to " + f.file) + "\n\n";
  }
  out += fmt::format("{}, {} nodes on average, {} ({} traps) in {}\n", show_count(r.programs, "program"),
                     r.programs ? r.nodes / r.programs : 0, show_count(r.inputs, "input"), r.traps,
                     show_seconds(r.seconds));
  if (r.endless > 0) out += show_count(r.endless, "input") + " did not end within the rounds of `while` allowed\n";
  if (r.compiled > 0) {
    out += show_count(r.compiled, "program") + " compiled; of " + show_count(r.bounded, "result") +
           fmt::format(", rounding leaves {} ({:.2g}%) undecided; ", r.undecided,
                       r.bounded ? 100.0 * static_cast<double>(r.undecided) / static_cast<double>(r.bounded) : 0.0);
    out += r.bound > 0
               ? fmt::format("largest share of an error bound: {:.2g}% ({})\n", 100 * r.error / r.bound, r.worst)
               : "no float was rounded\n";
  }
  if (r.too_undecided()) out += "too many are undecided; the first: " + r.first_undecided + "\n";
  out += r.failures.empty() ? "no failure\n" : show_count(r.failures.size(), "failure") + "\n";
  return out;
}

}  // namespace

Said dpia_campaign(const Options& options) {
  props::CampaignOptions how;
  how.limit = options.limit;
  how.compiled = !options.target.empty() && target_named(dpia(), options.target).name == "openmp";
  how.solver = remembering(z3_size_solver());
  const props::CampaignReport r = run_with_progress(options, how, props::run_campaign);
  return {text_of(r), json_of_report(r), r.failures.empty() && !r.too_undecided()};
}

}  // namespace lockstep::driver
