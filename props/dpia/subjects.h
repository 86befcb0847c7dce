// The subjects of .dpia that verify and the campaign test: the phrases and kernels of pipelines, each on inputs on
// which the source was evaluated first.
#pragma once
#include "props/dpia/comparison.h"
#include "props/dpia/cost_relation.h"
#include "props/dpia/orders.h"
#include "props/dpia/rounds.h"
#include "props/engine/verify.h"
#include "semantics/functional/implied_sizes.h"
#include "semantics/imperative/run.h"
#include "semantics/kernel/run.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

// What a program gives on an input, or why it gives nothing.
using Attempt = tl::expected<Outcome, std::string>;
Attempt attempt_of(const kernel::Program& program, const tl::expected<kernel::Buffers, kernel::Stop>& outputs);

// An input, with what the source gives on it.
struct TestedInput {
  SizeValues sizes;
  std::function<std::vector<Value>()> values;  // of the parameters
  std::function<Scalars()> leaves;             // the scalars of each leaf, for kernels
  std::function<std::string()> shown;
  Outcome expected = Scalars{};
  std::optional<Outcome> bounded{};  // in exact arithmetic with its error bound; nothing: undecided, or not asked for
  std::uint64_t rounds = 0;          // of `while`, that the source takes
  double load = 0;                   // its scalars, or the work of its rounds in that measure
};

// What a subject's program applied and, of a kernel, spent, by input; nothing where it was not run, or trapped.
struct Spent {
  OperatorTally::Counts applied;
  kernel::Counted counted;
};
using SpentByInput = std::vector<std::optional<Spent>>;

// What is compared, small enough that an interpreter runs it often: beyond it in one order.
inline constexpr double load_limit = 25000;
// Adversarial orders, by a slower interpreter: all of them and exploration, all of them, one.
inline constexpr double explored_limit = 24, interleaved_limit = 300, one_order_limit = 3000;

// How much is run of each program.
struct Effort {
  std::uint64_t seed = 1;
  std::size_t orders = 5;         // of phrases: forward, reverse, random; iterations taking turns, and at random
  bool check_functional = false;  // types by Fig. 3, of functional programs too
  bool over_again = false;        // also a program whose runs are those of an earlier one
  SizeImplication implied{};
  // A kernel's threads changing places on an input; nothing: not on this one.
  std::function<std::optional<OrdersOptions>(const TestedInput& e, std::size_t input)> adversarial{};
  // What is wrong with the kernel's text; "" for nothing.
  std::function<std::string(const kernel::Program&)> read_back{};
};

// What the subjects of one case share.
struct Tests {
  Tests(OperatorTally& tally_, const PhraseProgram& source_, Effort effort_)
      : tally(tally_), source(source_), effort(std::move(effort_)) {}

  OperatorTally& tally;
  const PhraseProgram& source;  // its operators count
  const Effort effort;
  const Rounds rounds{};
  std::vector<TestedInput> inputs{};
  SpentByInput applied{};             // by the source
  std::vector<SpentByInput> spent{};  // by row
  std::vector<Pipeline> pipelines{};  // room for all is made before the first
  std::vector<std::optional<CostRelation>> costs{};

  Disagreement disagreement(const TestedInput& e, std::string found) const;
  std::optional<Disagreement> differs(const TestedInput& e, const Attempt& got) const;
  // Of a pipeline that is the last of them; the programs that the first has too stand once.
  void add_rows(Case& c, const CostModels& models, double source_seconds);
};

Attempt attempt(const PhraseProgram& program, const TestedInput& e, RunOptions options, const Rounds& rounds,
                const Type& result);
Attempt attempt(const kernel::Program& program, const TestedInput& e, kernel::RunOptions options);

}  // namespace lockstep::props
