// The campaign of FCL: its programs, and what is asked of them.
#include "props/fcl/campaign.h"

#include "props/fcl/generate.h"
#include "semantics/fcl/parse.h"

namespace lockstep::props::fcl {

Trials<language::Program> trials_of(const CampaignOptions& options, CampaignReport& report) {
  Trials<language::Program> out;
  out.extension = ".fcl", out.options = "--language fcl";
  out.generate = generate_program;
  out.nodes = [](const language::Program& p) { return language::nodes(p); };
  out.text = [](const language::Program& p) { return language::print(p); };
  out.smaller = smaller_programs;
  out.measure = measure;
  out.check = [options, &report](const language::Program& p, std::uint64_t seed, bool counted) {
    CheckCounts unused;
    return check_program(p, seed, options.tools, options.check, counted ? report.counts : unused);
  };
  if (options.target) out.target = options.target->name;
  out.compiled = [options, &report](const Trials<language::Program>::Batch& batch, bool counted) {
    CheckCounts unused;
    std::vector<std::optional<Finding>> found;
    for (const auto& x : batch)
      found.push_back(check_on_target(x.program, x.seed, options.tools, options.check, *options.target,
                                      counted ? report.counts : unused));
    return found;
  };
  return out;
}

CampaignReport run_campaign(const CampaignOptions& options) {
  CampaignReport report;
  Campaign<language::Program>(options, trials_of(options, report), report).run();
  return report;
}

}  // namespace lockstep::props::fcl
