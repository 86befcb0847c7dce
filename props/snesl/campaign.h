// The campaign of SNESL: what is asked of a random program at every stage.
#pragma once
#include "props/snesl/check.h"
#include "props/snesl/check_engine.h"

namespace lockstep::props::stream {

using props::CampaignFailure, props::shrunk_program;

struct CampaignOptions : CampaignHow {
  CampaignOptions() { nodes = 14, batch = 40; }  // compiled ones cost about 0.2 s a program
  CheckOptions check{};
  Toolchain tools = Toolchain::standard();
};
struct CampaignReport : CampaignTotals {
  CheckCounts counts;
  EngineCounts engine;
  SourceCoverage coverage;
};
CampaignReport run_campaign(const CampaignOptions& options);
// What the campaign asks of .snesl; the report outlives it.
Trials<GeneratedProgram> trials_of(const CampaignOptions& options, CampaignReport& report);

}  // namespace lockstep::props::stream
