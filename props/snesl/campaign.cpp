// Programs one after another, each a function of the campaign's seed and its number.
#include "props/snesl/campaign.h"

#include <chrono>

#include "props/engine/failure_file.h"
#include "props/snesl/shrink.h"
#include "props/snesl/tree.h"
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
    run_batch();
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
    CheckCounts unused;
    const auto check = [&](const GeneratedProgram& p) {
      return check_program(p, seed, options_.tools, options_.check, unused);
    };
    if (auto f = check_program(program, seed, options_.tools, options_.check, report_.counts))
      return fail(k, program, *f, check);
    if (!options_.compiled) return;
    batch_.push_back({program, seed});
    numbers_.push_back(k);
    if (batch_.size() == 40) run_batch();
  }

  // Programs are compiled by the batch: most of the time for one is the compiler's start and the engine's kernels.
  void run_batch() {
    if (batch_.empty()) return;
    const auto findings = check_engine(batch_, options_.tools, report_.engine);
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      if (!findings[k]) continue;
      EngineCounts unused;
      fail(numbers_[k], batch_[k].program, *findings[k], [&](const GeneratedProgram& p) {
        return check_engine({{p, batch_[k].seed}}, options_.tools, unused).front();
      });
    }
    batch_.clear();
    numbers_.clear();
  }

  void fail(std::size_t k, const GeneratedProgram& program, const Finding& finding,
            const std::function<std::optional<Finding>(const GeneratedProgram&)>& check) {
    CampaignFailure f{finding, k, node_count(program.program), "", "", ""};
    GeneratedProgram small = program;
    if (options_.shrink) {
      small = shrink(program, [&](const GeneratedProgram& p) {
        const auto again = check(p);
        return again && same_place(*again, finding);
      });
      if (const auto again = check(small)) f.finding = *again;
    }
    f.text = snesl::print(small.program);
    f.command = "lockstep campaign --language snesl --seed " + std::to_string(options_.seed) + " --programs " +
                std::to_string(k + 1) + " --shard " + std::to_string(k + 1) + "/" + std::to_string(k + 1) +
                (options_.compiled ? " --target engine" : "");
    if (!options_.folder.empty()) f.file = write(f);
    report_.failures.push_back(std::move(f));
  }

  std::string write(const CampaignFailure& f) const {
    return written({options_.folder, ".snesl", options_.seed, f.program, f.finding.property, f.finding.stage,
                    f.finding.detail, f.finding.input, f.command, "", f.text});
  }

  const CampaignOptions& options_;
  std::vector<EngineSubject> batch_;
  std::vector<std::size_t> numbers_;  // of these in the campaign
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  CampaignReport report_;
};

}  // namespace

CampaignReport run_campaign(const CampaignOptions& options) { return Campaign(options).run(); }

}  // namespace lockstep::props::stream
