// Campaigns of .l0: random programs through every stage.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/campaign_reports.h"
#include "driver/languages/l0/l0.h"
#include "driver/mutants.h"
#include "proofs/sizes/solver.h"
#include "props/l0/mutants.h"
#include "semantics/l0/parse.h"

namespace lockstep::driver {

Said l0_mutants(const Options& options) {
  return said_of_mutants(
      props::l0::mutants(proofs::z3_size_solver()), props::l0::mutant_families(), options, 1000,
      [](const l0::Program& p) { return l0::print(p); },
      [](const auto& directed, std::uint64_t seed, std::size_t n) {
        return props::l0::false_alarm(directed, seed, n, proofs::z3_size_solver());
      });
}

RandomPrograms l0_programs() {
  RandomPrograms out{.language = "l0", .fields = {{"inputs"}, {"traps"}, {"large"}, {"lowered"}, {"met"}, {"runs"}}};
  out.text = [](const Json& r) {
    const std::size_t large = r.at("large");
    return fmt::format("{}{}, {} taken to the calculus on {}, {} in {}\n", drawn_in(r),
                       large > 0 ? fmt::format(", {} with arrays that are too large to be made", large) : "",
                       show_count(r.at("lowered").get<std::size_t>(), "program"),
                       show_count(r.at("met").get<std::size_t>(), "input"),
                       show_count(r.at("runs").get<std::size_t>(), "run"), show_seconds(r.at("seconds")));
  };
  out.run = [](const props::CampaignPart& part, const Options&) {
    props::l0::CampaignOptions how;
    static_cast<props::CampaignPart&>(how) = part;
    how.compiled_programs = 0;  // nothing compiles them yet
    how.tools.solver = proofs::z3_size_solver();
    how.check.lowered_every = 5;  // its stages take most of the time
    const props::l0::CampaignReport r = props::l0::run_campaign(how);
    const props::l0::CheckCounts& c = r.counts;
    return CampaignRan{r,
                       Json{{"inputs", c.inputs},
                            {"traps", c.traps},
                            {"large", c.large},
                            {"lowered", c.lowered},
                            {"met", c.met},
                            {"runs", c.runs}},
                       c.statistics};
  };
  return out;
}

}  // namespace lockstep::driver
