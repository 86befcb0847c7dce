// The campaign: random programs through every stage, each held against the meaning of its source (design.md). What
// fails is shrunk to the smallest program that fails at the same stage in the same way.
#pragma once
#include <chrono>
#include <optional>

#include "props/dpia/cost_relation.h"
#include "props/dpia/generate.h"
#include "props/dpia/rounds.h"
#include "semantics/functional/implied_sizes.h"
#include "semantics/primitives/calculus.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

using PipelineMaker = std::function<Pipeline(const PhraseProgram&, const Calculus&, Machine)>;

// The texts that are read back or compiled; a mutant has one that is printed wrongly.
struct Printers {
  std::function<std::string(const surface::Program&)> dpia;
  std::function<std::string(const kernel::Program&)> kernel, openmp;
  static Printers standard();
};

inline double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct CampaignOptions {
  std::size_t programs = 1000;
  std::uint64_t seed = 1;
  int nodes = 30;
  std::size_t inputs = 3;                     // for each program
  std::uint64_t limit = default_round_limit;  // rounds of `while`, beyond which an input is not used
  std::optional<double> minutes{};            // stop then, whatever is left
  std::size_t shard = 1, shards = 1;          // program k belongs to shard k % shards + 1
  bool compiled = false;                      // the OpenMP target too, many programs in one compilation
  std::size_t batch = 50;                     // programs in one compilation
  std::size_t stop_after = 5;                 // failures
  bool shrink = true;
  std::string folder = "campaign-failures";  // where failures are written; empty: nowhere
  const Calculus* calculus = nullptr;        // the standard one
  PipelineMaker pipeline = run_pipeline;
  std::optional<Machine> machine{};  // otherwise by the seed
  SizeSolver solver{};               // of inference and of the stages' type checks; nothing: normal forms alone
  Printers printers = Printers::standard();
  CostModels costs = CostModels::standard();
  std::function<void(std::size_t done, std::size_t all, std::size_t failures)> progress{};
};

// What is wrong, and where it is seen first.
struct Finding {
  std::string property;           // "round trip", "inference", "no bug", "types", "meaning", "cost", "compiles"
  std::string stage;              // of the pipeline, with the machine it was for
  std::string input;              // sizes and arguments
  std::string detail;             // expected and found
  std::string before{}, after{};  // the program before and after the stage, where there is one
};
// The same property at the same stage; of types, the same rule.
bool same_place(const Finding& a, const Finding& b);

struct CampaignFailure {
  Finding finding;
  std::uint64_t program = 0;  // its number in the campaign
  std::size_t nodes = 0;      // before shrinking
  std::string text;           // shrunk
  std::string command;        // to repeat it
  std::string file;           // where it was written, if it was
};
struct CampaignReport {
  std::size_t programs = 0, inputs = 0, traps = 0, compiled = 0;
  // Of the compiled programs: inputs on which exact arithmetic with its error bound was tried, those that it cannot
  // decide, the first of them; and of the results' floats, where error/bound was greatest.
  std::size_t bounded = 0, undecided = 0;
  std::string first_undecided;
  double error = 0, bound = 0;
  std::string worst;              // the program
  bool too_undecided() const;     // more of them than verify allows
  std::size_t without_sizes = 0;  // programs whose facts no small sizes satisfy
  std::size_t endless = 0;        // inputs whose every draw takes more rounds of `while` than the limit
  std::size_t nodes = 0;
  double seconds = 0;
  double generate_seconds = 0, infer_seconds = 0, stage_seconds = 0, run_seconds = 0, compile_seconds = 0;
  Coverage coverage;
  std::vector<CampaignFailure> failures;
};
CampaignReport run_campaign(const CampaignOptions& options);

// All the checks of one program on inputs drawn from `seed`; counts into the report.
struct ProgramCheck {
  std::optional<Finding> finding;
  std::optional<PhraseProgram> source;  // where inference accepts it
};
ProgramCheck check_program_at_stages(const surface::Program& program, std::uint64_t seed,
                                     const CampaignOptions& options, const Calculus& calculus, CampaignReport& report);

// What the source gives on one input.
struct Expected {
  SizeValues sizes;
  std::vector<Value> arguments;
  std::optional<std::vector<std::vector<Scalar>>> result;  // nothing: it traps
  OperatorTally::Counts applied{};                         // by the source, where they are counted
  std::uint64_t rounds = 0;                                // of `while`, that it takes
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
std::optional<std::string> difference(const Expected& expected,
                                      const std::optional<std::vector<std::vector<Scalar>>>& found,
                                      const std::string& trap);

// The OpenMP target, many programs in one compilation; findings by the program's place in the batch.
struct BatchProgram {
  PhraseProgram source;
  std::uint64_t seed;
  std::size_t number = 0;  // in the campaign
};
std::vector<std::optional<Finding>> check_compiled(const std::vector<BatchProgram>& batch,
                                                   const CampaignOptions& options, const Calculus& calculus,
                                                   CampaignReport& report);

}  // namespace lockstep::props
