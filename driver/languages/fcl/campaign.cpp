// Campaigns of .fcl: random programs through every stage.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "codegen/targets/target.h"
#include "driver/campaign_reports.h"
#include "driver/languages/fcl/fcl.h"
#include "driver/mutants.h"
#include "proofs/sizes/solver.h"
#include "props/fcl/mutants.h"
#include "semantics/fcl/parse.h"

namespace lockstep::driver {

RandomPrograms fcl_programs() {
  RandomPrograms out{.language = "fcl",
                     .fields = {{"inputs"}, {"traps"}, {"steps"}, {"typed"}, {"lowered"}, {"met"}, {"ran"}, {"runs"}}};
  for (const Target& t : kernel_targets())
    if (t.cxx.source) out.targets.push_back(t.name);
  out.text = [](const Json& r) {
    const auto ran = r.at("ran").get<std::size_t>();
    return fmt::format(
        "{}, {} of the located machine, {} of them typed anew, {} taken to the calculus on {}{}, {} in {}\n",
        drawn_in(r), show_count(r.at("steps").get<std::size_t>(), "step"), r.at("typed").get<std::size_t>(),
        show_count(r.at("lowered").get<std::size_t>(), "program"), show_count(r.at("met").get<std::size_t>(), "input"),
        ran > 0 ? ", " + show_count(ran, "program") + " run on a target" : "",
        show_count(r.at("runs").get<std::size_t>(), "run"), show_seconds(r.at("seconds")));
  };
  out.run = [](const props::CampaignPart& part, const Options& options) {
    props::fcl::CampaignOptions how;
    static_cast<props::CampaignPart&>(how) = part;
    how.target = find_target(options.target.empty() ? kernel_targets().front().name : options.target);
    how.tools.solver = proofs::z3_size_solver();
    how.check.lowered_every = 5;  // its stages take most of the time
    how.check.typed_every = 10;
    const props::fcl::CampaignReport r = props::fcl::run_campaign(how);
    const props::fcl::CheckCounts& c = r.counts;
    return CampaignRan{r,
                       Json{{"inputs", c.inputs},
                            {"traps", c.traps},
                            {"steps", c.steps},
                            {"typed", c.typed},
                            {"lowered", c.lowered},
                            {"met", c.met},
                            {"ran", c.ran},
                            {"runs", c.runs}},
                       c.statistics};
  };
  return out;
}

Said fcl_mutants(const Options& options) {
  return said_of_mutants(
      props::fcl::mutants(proofs::z3_size_solver()), props::fcl::mutant_families(), options, 1000,
      [](const fcl::Program& p) { return fcl::print(p); },
      [](const auto& directed, std::uint64_t seed, std::size_t n) {
        return props::fcl::false_alarm(directed, seed, n, proofs::z3_size_solver());
      });
}

}  // namespace lockstep::driver
