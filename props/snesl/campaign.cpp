// The campaign of SNESL: its programs, and what is asked of them.
#include "props/snesl/campaign.h"

#include "props/snesl/altered.h"
#include "props/snesl/shrink.h"
#include "props/snesl/tree.h"
#include "semantics/snesl/parse.h"

namespace lockstep::props::stream {

Trials<GeneratedProgram> trials_of(const CampaignOptions& options, CampaignReport& report) {
  Trials<GeneratedProgram> out;
  out.extension = ".snesl", out.options = "--language snesl", out.target = "engine";
  out.generate = [](std::uint64_t seed, int nodes) {
    GeneratedProgram out = generate_program(seed, nodes);
    if ((seed >> 9) % 10 != 0) return out;
    // As it is read: a change may leave a tree that no text says.
    GeneratedProgram other = altered(out, seed);
    const std::string text = snesl::print(other.program);
    if (auto read = snesl::parse_program(std::make_shared<const Source>(Source{"program.snesl", text})))
      out = GeneratedProgram{std::move(*read), std::move(other.types), true};
    return out;
  };
  out.nodes = [](const GeneratedProgram& p) { return node_count(p.program); };
  out.text = [](const GeneratedProgram& p) { return snesl::print(p.program); };
  out.smaller = smaller_programs;
  out.measure = measure;
  out.count = [&report](const GeneratedProgram& p) { report.coverage.count(p.program); };
  out.check = [options, &report](const GeneratedProgram& p, std::uint64_t seed, bool counted) {
    CheckCounts unused;
    return check_program(p, seed, options.tools, options.check, counted ? report.counts : unused);
  };
  out.compiled = [options, &report](const Trials<GeneratedProgram>::Batch& batch, bool counted) {
    EngineCounts unused;
    return check_engine(batch, options.tools, counted ? report.engine : unused);
  };
  return out;
}

CampaignReport run_campaign(const CampaignOptions& options) {
  CampaignReport report;
  Campaign<GeneratedProgram>(options, trials_of(options, report), report).run();
  return report;
}

}  // namespace lockstep::props::stream
