// Programs one after another, each a function of the campaign's seed and its number.
#include "props/streaming/campaign.h"

#include <chrono>

#include "props/failure_file.h"
#include "props/streaming/shrink.h"
#include "props/streaming/tree.h"
#include "semantics/snesl/parse.h"

namespace lockstep::props::stream {
namespace {

class Campaign {
 public:
  explicit Campaign(const CampaignOptions& options) : options_(options) {}

  CampaignReport run() {
    for (std::size_t k = options_.shard - 1; k < options_.programs; k += options_.shards) {
      if (options_.minutes && seconds() > *options_.minutes * 60) break;
      if (report_.failures.size() >= options_.stop_after) break;
      one(k);
      if (options_.progress && report_.programs % 20 == 0)
        options_.progress(report_.programs, options_.programs / options_.shards, report_.failures.size());
    }
    report_.seconds = seconds();
    return std::move(report_);
  }

 private:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  void one(std::size_t k) {
    const std::uint64_t seed = seed_of(options_.seed, k);
    const GeneratedProgram program = generate_program(seed, options_.nodes);
    ++report_.programs;
    report_.nodes += node_count(program.program);
    report_.coverage.count(program.program);
    if (auto f = check_program(program, seed, options_.tools, options_.check, report_.counts))
      fail(k, program, seed, *f);
  }

  void fail(std::size_t k, const GeneratedProgram& program, std::uint64_t seed, const Finding& finding) {
    CampaignFailure f{finding, k, node_count(program.program), "", "", ""};
    GeneratedProgram small = program;
    const auto check = [&](const GeneratedProgram& p) {
      CheckCounts unused;
      return check_program(p, seed, options_.tools, options_.check, unused);
    };
    if (options_.shrink) {
      small = shrink(program, [&](const GeneratedProgram& p) {
        const auto again = check(p);
        return again && same_place(*again, finding);
      });
      if (const auto again = check(small)) f.finding = *again;
    }
    f.text = snesl::print(small.program);
    f.command = "lockstep campaign --language snesl --seed " + std::to_string(options_.seed) + " --programs " +
                std::to_string(k + 1) + " --shard " + std::to_string(k + 1) + "/" + std::to_string(k + 1);
    if (!options_.folder.empty()) f.file = write(f);
    report_.failures.push_back(std::move(f));
  }

  std::string write(const CampaignFailure& f) const {
    return written({options_.folder, ".snesl", options_.seed, f.program, f.finding.property, f.finding.stage,
                    f.finding.detail, f.finding.input, f.command, "", f.text});
  }

  const CampaignOptions& options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  CampaignReport report_;
};

}  // namespace

CampaignReport run_campaign(const CampaignOptions& options) { return Campaign(options).run(); }

}  // namespace lockstep::props::stream
