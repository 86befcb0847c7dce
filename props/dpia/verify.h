// Every check that is made of one program on its way through the stages: each program of the pipeline is type-checked
// and runs beside the source on the same inputs, and what the targets compute is held against the error bound.
// The source's results come first, before anything is transformed.
#pragma once
#include "props/dpia/comparison.h"
#include "props/dpia/cost_relation.h"
#include "props/dpia/draw.h"
#include "semantics/imperative/check.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

struct StageVerdict;
struct TargetVerdict;

struct VerifyOptions {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  SizeValues sizes{};                         // given by the user; the others are searched for
  std::uint64_t limit = default_round_limit;  // of `while`, beyond which an input is not used
  std::vector<std::string> targets{"openmp"};
  CostModels costs = CostModels::standard();
  bool interleave = true;  // on small inputs iterations and threads change places too (props/orders.h)
  std::function<bool(const std::vector<SizeFact>& facts, const SizeFact& goal)> implied{};  // as in CheckOptions
  std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress{};
  // Before anything is checked: the stages as they will come, costs included.
  std::function<void(const Tried&, const std::vector<StageVerdict>&)> planned{};
  // A row that is known.
  std::function<void(const StageVerdict&)> stage{};
  std::function<void(const TargetVerdict&)> target{};
};

struct StageVerdict {
  std::string name, cite;
  enum class Language { Functional, Imperative, Kernel } language = Language::Functional;  // of what the stage makes
  Machine machine = Machine::Cpu;  // whose pipeline; what both have in common stands once
  std::size_t nodes = 0;
  enum class Types { NotApplicable, Checked, Wrong } types = Types::NotApplicable;
  std::vector<std::string> type_errors{};
  std::size_t tested = 0;       // inputs
  std::size_t values = 0;       // of them, on which the source gives values
  std::size_t runs = 0;         // each in several orders of the parallel loops
  std::size_t interleaved = 0;  // of the runs: iterations or threads change places at every access, or warp by warp
  std::size_t explored = 0;     // inputs on which every order there is was run, up to equivalence
  // Runs in which permute combined floats in another order than the source: not bit for bit, but within the bound.
  std::size_t reassociated = 0;
  double error = 0, bound = 0;  // in these, where error/bound was greatest
  std::optional<Disagreement> disagreement{};
  std::string before{}, after{};  // the programs around the stage, where it is wrong
  Cost cost{};
  std::size_t related = 0;                   // inputs on which its costs were related (cost_relation.h)
  std::optional<Disagreement> cost_wrong{};  // the first on which they are not as its relation says
  double seconds = 0;                        // of the stage itself
  double type_seconds = 0;                   // of the type check
  double test_seconds = 0;                   // of the checks
};

struct TargetVerdict {
  std::string name;
  std::string unavailable{};  // why it was not run
  bool cached = false;
  double compile_seconds = 0, seconds = 0;
  std::size_t tested = 0;
  std::size_t values = 0;     // of the inputs, on which the source gives values
  std::size_t same_bits = 0;  // inputs on which it does what the interpreter of its kernel does, bit for bit
  std::size_t undecided = 0;  // inputs that the bounded domain cannot decide
  std::size_t compared = 0;   // floats of results, against the bound
  std::size_t wide = 0;       // of them, whose bound is wider than they are, or not known: no comparison
  std::string first_wide{};   // the input
  bool floats = false;
  double error = 0, bound = 0;  // where error/bound was greatest
  std::optional<Disagreement> disagreement{};
  // There are no bits to compare, and the bound says too little.
  std::optional<std::string> groundless() const;
};

// What a target gives on one input goes into its row. `kernel`: what the interpreter of the kernel that it compiles
// gives, or why it gives nothing; no pointer where the target does not fix the order of its sums.
using Attempt = tl::expected<Outcome, std::string>;
Attempt run_kernel(const kernel::Program& program, const Arguments& arguments);
void judge(TargetVerdict& v, const PhraseProgram& source, const DrawnInput& input, const Attempt* kernel,
           const Outcome& found);

struct VerifyReport {
  Tried inputs;
  std::vector<StageVerdict> stages;  // the source first
  std::vector<TargetVerdict> targets;
  std::vector<std::string> lost_loops{};  // written, and not come out: by machine
  std::vector<Pipeline> pipelines;        // for the CPU and for the GPU: the programs that were tested
  bool agrees() const;
  std::optional<std::string> too_undecided() const;  // by the source or a target: how many, and the first
  // What was found is enough: nothing disagrees, and enough was compared. The text: why it is not enough.
  std::optional<std::string> insufficient() const;
  bool ok() const { return agrees() && !insufficient(); }
};
VerifyReport verify(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options);

}  // namespace lockstep::props
