// What a campaign needs of no language (campaign.h, shrink.h): when a failure is the same, how it is repeated and
// written, and the order and end of shrinking.
#include "props/engine/campaign.h"

#include "props/engine/side_by_side.h"

namespace lockstep::props {

Finding finding_of(const Row& row, std::string stage, std::string property) {
  Finding out{std::move(property), std::move(stage), "", "", row.before, row.after};
  if (!row.ill_formed.empty()) {
    out.property = row.ill_as, out.detail = row.ill_formed.front();
  } else if (row.disagreement) {
    out.input = row.disagreement->input;
    out.detail = "expected " + row.disagreement->expected + "\nfound    " + row.disagreement->found;
  } else {
    const Related& cost = *row.cost_wrong();
    out.property = cost.name, out.input = cost.wrong->input, out.detail = cost.wrong->found;
  }
  return out;
}

bool same_place(const Finding& a, const Finding& b) {
  return a.property == b.property && a.stage == b.stage && a.rule == b.rule;
}

std::size_t programs_of_shard(std::size_t programs, std::size_t shard, std::size_t shards) {
  return programs / shards + (shard <= programs % shards ? 1 : 0);
}

std::string repeating(const CampaignHow& how, const std::string& options, const std::string& target, std::size_t k,
                      bool drawn) {
  const std::string number = std::to_string(k + 1);
  const bool compiled = k < how.compiled_programs;
  return "lockstep campaign " + (options.empty() ? "" : options + " ") + "--seed " + std::to_string(how.seed) +
         " --programs " + number + " --shard " + number + "/" + number +
         (compiled || drawn ? " --target " + target : "") + (compiled || !drawn ? "" : " --compiled 0");
}

std::string write_failure(const CampaignHow& how, const std::string& extension, const CampaignFailure& f) {
  constexpr std::size_t file_columns = 160;  // two programs beside each other
  const Finding& x = f.finding;
  const std::string stage =
      x.after.empty() ? "" : "the stage, before and after:\n" + side_by_side(x.before, x.after, file_columns);
  return write_failure({.folder = how.folder,
                        .extension = extension,
                        .seed = how.seed,
                        .program = f.program,
                        .property = x.property,
                        .stage = x.stage,
                        .detail = x.detail,
                        .input = x.input,
                        .command = f.command,
                        .more = stage,
                        .text = f.text});
}

ShrinkClock::ShrinkClock(const ShrinkLimits& limits) : limits_(limits) {}

bool ShrinkClock::over() {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return ++attempts_ > limits_.attempts || seconds > limits_.seconds;
}

std::vector<std::size_t> in_order(const std::vector<std::size_t>& measures, std::size_t below) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < measures.size(); ++k)
    if (measures[k] < below) out.push_back(k);
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return measures[a] < measures[b]; });
  return out;
}

}  // namespace lockstep::props
