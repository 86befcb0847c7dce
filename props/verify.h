// Every check that is made of one program on its way through the stages: each program of the pipeline is type-checked
// and runs beside the source on the same inputs, and what the targets compute is held against the error bound.
// The source's results come first, before anything is transformed.
#pragma once
#include "props/inputs.h"
#include "semantics/imperative/check.h"
#include "translate/stage.h"

namespace lockstep::props {

struct VerifyOptions {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  SizeValues sizes{};  // given by the user; the others are searched for
  std::vector<std::string> targets{"openmp"};
  bool interleave = true;  // on small inputs iterations and threads change places too (props/orders.h)
  std::function<bool(const std::vector<SizeFact>& facts, const SizeFact& goal)> implied{};  // as in CheckOptions
  std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress{};
};

// The first place where two programs part.
struct Disagreement {
  std::string input;     // sizes, and the values where they are few
  std::string expected;  // by the source
  std::string found;
};

struct StageVerdict {
  std::string name, cite;
  enum class Language { Functional, Imperative, Kernel } language = Language::Functional;  // of what the stage makes
  Machine machine = Machine::Cpu;  // whose pipeline; what both have in common stands once
  std::size_t nodes = 0;
  enum class Types { NotApplicable, Checked, Wrong } types = Types::NotApplicable;
  std::vector<std::string> type_errors{};
  std::size_t tested = 0;       // inputs
  std::size_t runs = 0;         // each in several orders of the parallel loops
  std::size_t interleaved = 0;  // of the runs: iterations or threads change places at every access, or warp by warp
  std::size_t explored = 0;     // inputs on which every order there is was run, up to equivalence
  // Runs in which permute combined floats in another order than the source: not bit for bit, but within the bound.
  std::size_t reassociated = 0;
  double error = 0, bound = 0;  // in these, where error/bound was greatest
  std::optional<Disagreement> disagreement{};
  std::string before{}, after{};  // the programs around the stage, where it is wrong
  Cost cost{};
  double seconds = 0;       // of the stage itself
  double type_seconds = 0;  // of the type check
  double test_seconds = 0;  // of the checks
};

struct TargetVerdict {
  std::string name;
  std::string unavailable{};  // why it was not run
  bool cached = false;
  double compile_seconds = 0, seconds = 0;
  std::size_t tested = 0;
  std::size_t undecided = 0;  // inputs whose bound decides nothing: only equal results count there
  std::string first_undecided{};
  bool floats = false;
  double error = 0, bound = 0;  // where error/bound was greatest
  std::optional<Disagreement> disagreement{};
};

struct Tried {
  std::vector<SizeValues> sizes;     // of each input
  std::vector<std::uint64_t> seeds;  // of each input
  std::vector<std::string> results;  // SHA-256 of what the source gives on each, or of its trap
  std::size_t trapped = 0;           // inputs on which the source traps, as everything after it must
  std::size_t drawn_again = 0;       // because the bounded domain could not decide
  std::size_t undecided = 0;         // ... nor after drawing again
  std::string first_undecided;       // which input, what could not be decided, and where
  bool huge = false;                 // the smallest sizes that satisfy the facts are large
};

// More than a twentieth: then too little of what was run says anything.
inline constexpr double undecided_at_most = 0.05;
bool too_many_undecided(std::size_t undecided, std::size_t all);

struct VerifyReport {
  Tried inputs;
  std::vector<StageVerdict> stages;  // the source first
  std::vector<TargetVerdict> targets;
  std::vector<std::string> lost_loops{};  // written, and not come out: by machine
  bool agrees() const;
  std::optional<std::string> too_undecided() const;  // by the source or a target: how many, and the first
  bool ok() const { return agrees() && !too_undecided(); }
};
VerifyReport verify(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options);

// Bit for bit; all NaNs are one.
bool same_scalar(const Scalar& a, const Scalar& b);
std::vector<std::vector<Scalar>> scalars_of(const Leaves& leaves);

// A target's result against the source's.
struct Comparison {
  bool agrees = true;
  std::string expected, found;  // of the first place that does not
  double error = 0, bound = 0;  // where error/bound was greatest
  std::size_t unbounded = 0;    // floats of which nothing is known: not compared
};
// Integers and booleans are compared bit for bit, floats with the bounded domain's result and its bound.
Comparison compare_within_bound(const std::vector<std::vector<Scalar>>& bounded,
                                const std::vector<std::vector<Scalar>>& got, const Type& result,
                                const SizeValues& sizes);

}  // namespace lockstep::props
