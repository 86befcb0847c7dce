// The campaign of FCL: what is asked of a random program at every stage.
#pragma once
#include "props/fcl/check.h"

namespace lockstep::props::fcl {

struct CampaignOptions : CampaignHow {
  CampaignOptions() { nodes = 4; }  // depth of expressions
  CheckOptions check{};
  Toolchain tools{};
  const Target* target = nullptr;  // that some are compiled for
};
struct CampaignReport : CampaignTotals {
  CheckCounts counts;
};
CampaignReport run_campaign(const CampaignOptions& options);
// What the campaign asks of .fcl; the report outlives it.
Trials<language::Program> trials_of(const CampaignOptions& options, CampaignReport& report);

// Typed; each a little smaller somewhere.
std::vector<language::Program> smaller_programs(const language::Program& p);
std::size_t measure(const language::Program& p);

}  // namespace lockstep::props::fcl
