// The campaign of L0: what is asked of a random program at every stage.
#pragma once
#include "props/l0/check.h"

namespace lockstep::props::l0 {

struct CampaignOptions : CampaignHow {
  CampaignOptions() { nodes = 7; }  // statements
  CheckOptions check{};
  Toolchain tools = Toolchain::standard();
};
struct CampaignReport : CampaignTotals {
  CheckCounts counts;
};
CampaignReport run_campaign(const CampaignOptions& options);
// What the campaign asks of .l0; the report outlives it.
Trials<language::Program> trials_of(const CampaignOptions& options, CampaignReport& report);

}  // namespace lockstep::props::l0
