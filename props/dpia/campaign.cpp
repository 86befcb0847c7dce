// The campaign's loop: programs, failures shrunk and written down, batches handed to the compiler.
#include "props/dpia/campaign.h"

#include <chrono>

#include "props/dpia/shrink.h"
#include "props/dpia/verify.h"
#include "props/engine/failure_file.h"
#include "props/engine/side_by_side.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::props {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t file_columns = 160;  // two programs beside each other

class Campaign {
 public:
  Campaign(const CampaignOptions& options, const Calculus& calculus) : options_(options), calculus_(calculus) {}

  CampaignReport run() {
    const auto start = Clock::now();
    for (std::size_t k = options_.shard - 1; k < options_.programs; k += options_.shards) {
      if (options_.minutes && since(start) > *options_.minutes * 60) break;
      if (report_.failures.size() >= options_.stop_after) break;
      one(k);
      if (options_.progress && report_.programs % 20 == 0)
        options_.progress(report_.programs, options_.programs / options_.shards, report_.failures.size());
    }
    compile_batch();
    report_.seconds = since(start);
    return std::move(report_);
  }

 private:
  struct Waiting {
    std::size_t number;
    surface::Program program;
  };

  void one(std::size_t k) {
    const std::uint64_t seed = seed_of(options_.seed, k);
    const auto start = Clock::now();
    surface::Program program = generate_program(seed, options_.nodes);
    report_.generate_seconds += since(start);
    ++report_.programs;
    report_.nodes += node_count(program);
    report_.coverage.count(program);
    ProgramCheck check = check_program_at_stages(program, seed, options_, calculus_, report_);
    if (check.finding)
      return fail(k, program, *check.finding, [this, seed](const surface::Program& p) {
        CampaignReport unused;
        return check_program_at_stages(p, seed, options_, calculus_, unused).finding;
      });
    if (!options_.compiled) return;
    batch_.push_back({std::move(*check.source), seed, k});
    waiting_.push_back({k, std::move(program)});
    if (batch_.size() >= options_.batch) compile_batch();
  }

  void compile_batch() {
    if (batch_.empty()) return;
    const auto start = Clock::now();
    const auto findings = check_compiled(batch_, options_, calculus_, report_);
    report_.compile_seconds += since(start);
    report_.compiled += batch_.size();
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (!findings[i] || report_.failures.size() >= options_.stop_after) continue;
      const std::uint64_t seed = batch_[i].seed;
      fail(waiting_[i].number, waiting_[i].program, *findings[i],
           [this, seed](const surface::Program& p) -> std::optional<Finding> {
             CampaignReport unused;
             ProgramCheck check = check_program_at_stages(p, seed, options_, calculus_, unused);
             if (check.finding) return check.finding;
             return check_compiled({{std::move(*check.source), seed, 0}}, options_, calculus_, unused).front();
           });
    }
    batch_.clear();
    waiting_.clear();
  }

  void fail(std::size_t k, const surface::Program& program, const Finding& finding,
            const std::function<std::optional<Finding>(const surface::Program&)>& check) {
    CampaignFailure f{finding, k, node_count(program), "", "", ""};
    surface::Program small = program;
    if (options_.shrink) {
      small = shrink(program, calculus_, [&](const surface::Program& p) {
        const auto again = check(p);
        return again && same_place(*again, finding);
      });
      if (const auto again = check(small)) f.finding = *again;
    }
    f.text = print(small);
    f.command = "lockstep campaign --seed " + std::to_string(options_.seed) + " --programs " + std::to_string(k + 1) +
                " --shard " + std::to_string(k + 1) + "/" + std::to_string(k + 1) +
                (options_.compiled ? " --target openmp" : "");
    if (!options_.folder.empty()) f.file = write(f);
    report_.failures.push_back(std::move(f));
  }

  std::string write(const CampaignFailure& f) const {
    const std::string stage =
        f.finding.after.empty()
            ? ""
            : "the stage, before and after:\n" + side_by_side(f.finding.before, f.finding.after, file_columns);
    return written({options_.folder, ".dpia", options_.seed, f.program, f.finding.property, f.finding.stage,
                    f.finding.detail, f.finding.input, f.command, stage, f.text});
  }

  const CampaignOptions& options_;
  const Calculus& calculus_;
  CampaignReport report_;
  std::vector<BatchProgram> batch_;
  std::vector<Waiting> waiting_;
};

}  // namespace

bool CampaignReport::too_undecided() const { return too_many_undecided(undecided, bounded); }

CampaignReport run_campaign(const CampaignOptions& options) {
  if (options.calculus) return Campaign(options, *options.calculus).run();
  const Calculus calculus = standard_calculus();
  return Campaign(options, calculus).run();
}

}  // namespace lockstep::props
