// The campaign of .dpia: what is checked of a random program at every stage, against the meaning of its source
// (design.md).
#pragma once
#include <chrono>
#include <optional>

#include "codegen/targets/batch.h"
#include "props/dpia/cost_relation.h"
#include "props/dpia/generate.h"
#include "props/dpia/rounds.h"
#include "props/engine/campaign.h"
#include "props/engine/statistics.h"
#include "semantics/functional/inference/implied_sizes.h"
#include "semantics/primitives/calculus.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

// What the campaign is about, beside the calculus; a mutant has one of them made wrong.
struct Toolchain {
  LanguageMaker languages = dpia_languages;
  StageList stages = dpia_stages;
  std::function<std::string(const surface::Program&)> printed;  // the source, read back
  std::function<CSource(const AnyProgram&)> compiled{};         // nothing: the target's text
  Toolchain();
};

inline double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A program of a campaign, or one that was written for a mistake.
struct Sample {
  surface::Program program;
  std::optional<Machine> machine{};  // whose pipeline; otherwise by the seed
  bool altered = false;              // inference may refuse it
};
std::size_t node_count(const Sample& s);

struct CampaignOptions : CampaignHow {
  std::size_t inputs = 3;                        // for each program
  std::uint64_t limit = default_round_limit;     // rounds of `while`, beyond which an input is not used
  const Calculus* calculus = nullptr;            // the standard one
  std::optional<Machine> machine{};              // otherwise by the target, or the seed
  const Target* target = find_target("openmp");  // of programs that are compiled
  Sanitizer sanitizer = Sanitizer::None;         // under which they run
  double seconds = 60;                           // that a process of them may take
  SizeSolver solver{};  // of inference and of the stages' type checks; nothing: normal forms alone
  Toolchain tools{};
  bool for_gpu() const { return target->machine == Machine::Gpu; }  // all programs, with small launches
};

struct CampaignReport : CampaignTotals {
  std::size_t inputs = 0, traps = 0;
  // Of the compiled programs: inputs on which exact arithmetic with its error bound was tried, those that it cannot
  // decide, the first of them; and of the results' floats, where error/bound was greatest.
  std::size_t bounded = 0, undecided = 0;
  std::string first_undecided;
  Worst rounding{};
  std::string worst;           // the program
  bool too_undecided() const;  // more of them than verify allows
  // Of those that were to be compiled: by why the target has no text, those that have one; and of these those that call
  // functions of the target's own, which are held to the bound alone.
  std::map<std::string, std::size_t> refused;
  std::size_t with_text = 0, by_bound = 0;
  bool too_much_by_bound() const;  // more than a fifth, of so many that this is a share
  std::size_t without_sizes = 0;   // programs whose facts no small sizes satisfy
  std::size_t endless = 0;         // inputs whose every draw takes more rounds of `while` than the limit
  double infer_seconds = 0, stage_seconds = 0, run_seconds = 0;
  Coverage coverage;
  Statistics statistics;
};
CampaignReport run_campaign(const CampaignOptions& options);
// What the campaign asks of .dpia; the report outlives it.
Trials<Sample> trials_of(const CampaignOptions& options, const Calculus& calculus, CampaignReport& report);

// All the checks of one program on inputs drawn from `seed`; counts into the report.
struct ProgramCheck {
  std::optional<Finding> finding;
  std::optional<PhraseProgram> source;  // where inference accepts it
};
ProgramCheck check_program_at_stages(const Sample& program, std::uint64_t seed, const CampaignOptions& options,
                                     const Calculus& calculus, CampaignReport& report);

// What the source gives on one input.
struct Expected {
  SizeValues sizes;
  std::vector<Value> arguments;
  Outcome result = Scalars{};
  OperatorTally::Counts applied{};  // by the source, where they are counted
  std::uint64_t rounds = 0;         // of `while`, that it takes
  std::vector<Trap> traps{};        // that may be reported where it has no result
  double load = 0;                  // its scalars, or its work in that measure, where its sizes are large
  std::string show(const PhraseProgram& program) const;
};
// Of one that takes more rounds of `while` than the limit another is drawn, at most 20 times; `endless` counts those
// that are given up.
struct ExpectedResults {
  std::vector<Expected> results;
  std::size_t endless = 0;
};
ExpectedResults expected_results(const PhraseProgram& source, std::uint64_t seed, const CampaignOptions& options,
                                 OperatorTally* tally = nullptr);
// Nothing where they agree bit for bit, all NaNs being one.
std::optional<std::string> difference(const Expected& expected, const Outcome& found);

// How a program for a GPU is launched that does not say it: drawn, and small where it is to run on a target for
// checking.
void draw_launch(PhraseProgram& source, std::uint64_t seed, const CampaignOptions& options);
// In which order its reductions are computed: the usual one, or one of which a few elements have blocks.
void draw_order(PhraseProgram& source, std::uint64_t seed);
// A text as a kind of failure: without names and numbers.
std::string without_names(const std::string& text);

// The target, many programs in one compilation; findings by the program's place in the batch.
struct BatchProgram {
  PhraseProgram source;
  std::uint64_t seed;
  std::size_t number = 0;  // in the campaign
};
std::vector<std::optional<Finding>> check_compiled(const std::vector<BatchProgram>& batch,
                                                   const CampaignOptions& options, const Calculus& calculus,
                                                   CampaignReport& report);
// The entry point; nothing where inference refuses a program that is altered.
std::optional<PhraseProgram> source_of(const Sample& sample, const Calculus& calculus, const CampaignOptions& options);

}  // namespace lockstep::props
