// The subjects of .dpia that verify and the campaign test: the programs of traces, each on inputs on which the source
// was evaluated first.
#pragma once
#include "props/dpia/comparison.h"
#include "props/dpia/cost_relation.h"
#include "props/dpia/orders.h"
#include "props/dpia/rounds.h"
#include "props/engine/verify.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

// An input, with what the source gives on it.
struct TestedInput : ArrayInput {
  std::function<std::string()> shown{};
  Outcome expected = Scalars{};      // of the program that the next one is held to, bit for bit (Trace::held_to)
  std::vector<Trap> traps{};         // any of which is right where a trap is expected
  std::optional<Outcome> bounded{};  // in exact arithmetic with its error bound; nothing: undecided, or not asked for
  std::uint64_t rounds = 0;          // of `while`, that the source takes
  double load = 0;                   // its scalars, or the work of its rounds in that measure
  bool lost = false;                 // a program that rounds otherwise than the source takes more rounds than it may
};

// What a subject's program applied and, of a kernel, spent, by input; nothing where it was not run, or trapped.
struct Spent {
  OperatorTally::Counts applied;
  Counted counted;
};
using SpentByInput = std::vector<std::optional<Spent>>;

// What is compared, small enough that an interpreter runs it often: beyond it in one order.
inline constexpr double load_limit = 25000;
// Adversarial orders, by a slower interpreter: all of them and exploration, all of them, one.
inline constexpr double explored_limit = 24, interleaved_limit = 300, one_order_limit = 3000;

// How much is run of each program.
struct Effort {
  std::uint64_t seed = 1;
  std::size_t orders = 5;         // at most, of those that a language has: forward, reverse, random ...
  bool check_functional = false;  // types by Fig. 3, of functional programs too
  bool over_again = false;        // also a program whose runs are those of an earlier one
  bool read_back = false;         // a kernel's text is read back as the kernel
  SizeImplication implied{};
  // Of a kernel for the GPU: costs as counted, on the inputs on which its threads change places; needed barriers.
  bool gpu_costs = false;
  // A kernel's threads changing places on an input; nothing: not on this one.
  std::function<std::optional<OrdersOptions>(const TestedInput& e, std::size_t input)> adversarial{};
};

// In how many orders the kernels of a case ran, of the one that ran in the fewest.
struct OrdersRun {
  std::optional<std::size_t> every{};  // inputs on which each ran in every order there is, up to equivalence
  std::size_t others = 0;              // the other inputs
  std::size_t fewest = 0, most = 0;    // orders in which a kernel ran on one of these
  void add(std::size_t explored, const std::vector<std::size_t>& orders_of_others);
  std::string text() const;  // with the limits that there are
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
  SpentByInput applied{};             // by the program that the next one is held to
  std::vector<SpentByInput> spent{};  // by row
  std::vector<DpiaTrace> traces{};    // room for all is made before the first
  std::vector<std::optional<CostCheck>> costs{};
  OrdersRun orders{};

  Disagreement disagreement(const TestedInput& e, std::string found) const;
  std::optional<Disagreement> differs(const TestedInput& e, const Attempt& got) const;
  // Of a trace that is the last of them; the programs that the first has too stand once.
  void add_rows(Case& c, double source_seconds);
};

// For `adversarial`: every order, explored, of what is small; one order of what is large; none of what is larger.
std::function<std::optional<OrdersOptions>(const TestedInput&, std::size_t)> orders_by_load(std::uint64_t seed);
// Which barriers are needed, and on how many inputs a GPU would refuse the launch.
std::vector<std::string> notes_of_blocks(const Tests& tests);

// What a program gives on the input, or why it gives nothing: more rounds of `while` than it may take are a reason.
Attempt attempt(const AnyProgram& program, const TestedInput& e, ArrayRun how, const Rounds& rounds,
                const Domain& domain = ieee_domain());

}  // namespace lockstep::props
