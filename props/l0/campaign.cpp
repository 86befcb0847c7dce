// The campaign of L0: its programs, and what is asked of them.
#include "props/l0/campaign.h"

#include "props/l0/generate.h"
#include "props/l0/shrink.h"
#include "semantics/l0/parse.h"

namespace lockstep::props::l0 {

Trials<language::Program> trials_of(const CampaignOptions& options, CampaignReport& report) {
  Trials<language::Program> out;
  out.extension = ".l0", out.options = "--language l0";
  out.generate = generate_program;
  out.nodes = [](const language::Program& p) { return language::nodes(p); };
  out.text = [](const language::Program& p) { return language::print(p); };
  out.smaller = smaller_programs;
  out.measure = measure;
  out.check = [options, &report](const language::Program& p, std::uint64_t seed, bool counted) {
    CheckCounts unused;
    return check_program(p, seed, options.tools, options.check, counted ? report.counts : unused);
  };
  out.compiled = [](const Trials<language::Program>::Batch& batch, bool) {
    return std::vector<std::optional<Finding>>(batch.size());  // nothing compiles .l0 yet
  };
  return out;
}

CampaignReport run_campaign(const CampaignOptions& options) {
  CampaignReport report;
  Campaign<language::Program>(options, trials_of(options, report), report).run();
  return report;
}

}  // namespace lockstep::props::l0
