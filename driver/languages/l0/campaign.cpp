// Campaigns of .l0: random programs through every stage.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/campaign_reports.h"
#include "driver/languages/l0/l0.h"
#include "driver/mutants.h"
#include "props/l0/mutants.h"
#include "semantics/l0/parse.h"

namespace lockstep::driver {

Said l0_mutants(const Options& options) {
  constexpr std::size_t default_programs = 1000, most_without = 200;
  const Stopwatch watch;
  const std::size_t programs = options.programs > 0 ? options.programs : default_programs;
  std::vector<MutantRow> rows;
  std::vector<std::string> directed;
  for (const props::l0::Mutant& m : tried_mutants(props::l0::mutants(), props::l0::mutant_families(), options, programs,
                                                  rows, [](const l0::Program& p) { return l0::print(p); }))
    directed.insert(directed.end(), m.directed.begin(), m.directed.end());
  const std::size_t without = std::min(programs, most_without);
  return said_of(rows, props::l0::false_alarm(directed, options.seed, without), directed.size() + without,
                 watch.seconds(), options);
}

RandomPrograms l0_programs() {
  RandomPrograms out{.language = "l0", .fields = {{"inputs"}, {"traps"}, {"runs"}}};
  out.text = [](const Json& r) {
    return fmt::format("{}, {} in {}\n", drawn_in(r), show_count(r.at("runs").get<std::size_t>(), "run"),
                       show_seconds(r.at("seconds")));
  };
  out.run = [](const props::CampaignPart& part, const Options&) {
    props::l0::CampaignOptions how;
    static_cast<props::CampaignPart&>(how) = part;
    how.compiled_programs = 0;  // nothing compiles them yet
    const props::l0::CampaignReport r = props::l0::run_campaign(how);
    return CampaignRan{r, Json{{"inputs", r.counts.inputs}, {"traps", r.counts.traps}, {"runs", r.counts.runs}},
                       r.counts.statistics};
  };
  return out;
}

}  // namespace lockstep::driver
