// The campaign for SNESL: random programs through every stage, each held against the meaning of its source. What fails
// is shrunk to the smallest program that fails at the same stage in the same way.
#pragma once
#include "props/snesl/check.h"
#include "props/snesl/check_engine.h"

namespace lockstep::props::stream {

struct CampaignOptions {
  std::size_t programs = 1000;
  std::uint64_t seed = 1;
  int nodes = 14;
  std::optional<double> minutes{};    // stop then, whatever is left
  std::size_t shard = 1, shards = 1;  // program k belongs to shard k % shards + 1
  std::size_t stop_after = 5;         // failures
  bool shrink = true;
  bool compiled = false;  // also as the engine runs it: needs a compiler, costs about 0.2 s a program
  std::string folder = "campaign-failures";  // where failures are written; empty: nowhere
  CheckOptions check{};
  Toolchain tools = Toolchain::standard();
  std::function<void(std::size_t done, std::size_t all, std::size_t failures)> progress{};
};
struct CampaignFailure {
  Finding finding;
  std::uint64_t program = 0;  // its number in the campaign
  std::size_t nodes = 0;      // before shrinking
  std::string text;           // shrunk
  std::string command;        // to repeat it
  std::string file;           // where it was written, if it was
};
struct CampaignReport {
  std::size_t programs = 0, nodes = 0;
  double seconds = 0;
  CheckCounts counts;
  EngineCounts engine;
  SourceCoverage coverage;
  std::vector<CampaignFailure> failures;
};
CampaignReport run_campaign(const CampaignOptions& options);

}  // namespace lockstep::props::stream
