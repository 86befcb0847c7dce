// What a verification found, whatever the language: a row for each program of the trace and each target, the inputs
// that there were, and claims.
#pragma once
#include <functional>
#include <map>

#include "props/engine/bounds.h"
#include "semantics/core/size.h"
#include "semantics/language/claim.h"

namespace lockstep::props {

inline constexpr std::uint64_t default_round_limit = 10000;  // of `while`

// A statement about what was counted while a program ran, and its cost.
struct Related {
  std::string statement;             // "work <= 48 (1 + W) (SNESL ch. 5)"
  std::size_t inputs = 0;            // on which it was related
  std::optional<double> greatest{};  // share of the bound, where that is what is looked at
  std::optional<Disagreement> wrong{};
  std::string name = "cost";  // of the relation, for a campaign
};

// A program of the trace, or a target.
struct Row {
  std::string name, cite{};
  std::string subject{};   // in claims: "the program after loops (DPIA §4.2, amended)"
  std::string language{};  // of the program; of a target its own name
  std::string heading{};   // stands above the rows that share it
  std::optional<std::size_t> nodes{};
  bool reference = false;  // what the others are compared with

  std::string well_formed{};              // what is checked of the program itself; "" for nothing
  std::string checked_as{};               // in a word, for the table
  std::vector<std::string> ill_formed{};  // what is wrong with it
  std::string ill_as = "types";           // what kind of wrong that is
  double check_seconds = 0;

  // The statement that is tested; "" where nothing is run.
  std::string same = "computes what the source does, bit for bit";
  std::size_t tested = 0;       // inputs
  std::size_t values = 0;       // of them, on which the source gives values
  std::size_t runs = 0;         // each in several orders of what is parallel
  std::size_t interleaved = 0;  // of the runs: iterations or threads change places at every access, or warp by warp
  std::size_t explored = 0;     // inputs on which every order there is was run, up to equivalence
  // Runs in which floats were rounded otherwise than by the source: not bit for bit, but within the bound.
  std::size_t reassociated = 0;
  bool contracts = false;  // with their products; else they were combined in another order
  bool may_reassociate = false;
  Worst rounding{};  // where error/bound was greatest
  std::optional<Disagreement> disagreement{};

  std::vector<std::string> costs{};  // cells of the table, as many as the report has titles for
  std::vector<Related> related{};
  double seconds = 0;
  std::string before{}, after{};  // the programs around the stage, where it is wrong
  std::string text{};             // of the program, or of what a target compiles; "" where none is kept (verify.h)

  // Of a target.
  bool is_target = false;
  std::string unavailable{};  // why it was not run
  std::size_t not_run = 0;    // inputs that it could not be given
  std::optional<double> compile_seconds{};
  bool cached = false;
  std::size_t same_bits = 0;  // inputs on which it does what the interpreter of its program does, bit for bit
  std::size_t undecided = 0;  // inputs that the bounded domain cannot decide
  std::size_t compared = 0;   // floats of results, against the bound
  std::size_t wide = 0;       // of them, whose bound is wider than they are, or not known: no comparison
  std::string first_wide{};   // the input
  bool floats = false;
  std::string device{};  // what it ran on, with the driver and the compiler of kernels; "" for this machine's processor
  // It has these functions of its own, "exp and sin": what calls them is held to the error bound, and not to bits.
  std::string own_functions{};

  const Related* cost_wrong() const;  // the first that does not hold
  bool wrong() const { return !ill_formed.empty() || disagreement || cost_wrong(); }
  bool ran() const { return unavailable.empty() && not_run == 0; }
  // There are no bits to compare, and the bound says too little.
  std::optional<std::string> groundless() const;
};

// The inputs of a verification.
struct Tried {
  std::vector<SizeValues> sizes{};     // of each input; empty ones where the language has none
  std::vector<std::uint64_t> seeds{};  // of each input
  std::vector<std::string> results{};  // SHA-256 of what the source gives on each, or of its trap
  std::size_t values = 0;              // inputs on which the source gives a result that holds scalars
  std::size_t also_trapped = 0;        // inputs in addition, on which it traps too
  std::size_t trapped = 0;             // ... on which it traps, as everything after it must
  std::size_t undecided = 0;           // ... whose way the bounded domain cannot decide
  std::size_t endless = 0;             // not among the inputs: each draw took more rounds than the limit
  std::size_t not_drawn = 0;           // after these, where the loops are long
  // Why inputs were drawn again.
  struct Again {
    std::size_t trapped = 0, undecided = 0, endless = 0;
    std::size_t all() const { return trapped + undecided + endless; }
  } again{};
  std::string first_undecided{}, first_trap{}, first_endless{};  // which input, and what happens there
  std::uint64_t limit = 0;                                       // of rounds of `while`
  std::size_t needed = 1;                                        // inputs that have to give values
  bool given = false;                                            // all values are: one input for each of the sizes
  bool huge = false;                                             // the smallest sizes that satisfy the facts are large
  bool too_large = false;                                        // ... and larger than may be
  std::string none{};                                            // why there are no inputs at all, and what to do
  std::string help{};  // what to give so that more inputs give values; "" where nothing can be given
  std::size_t all() const { return seeds.size() - also_trapped + endless + not_drawn; }
  // Too few give values for anything to be said of the program: how many, why, and what to give.
  std::optional<std::string> not_tested() const;
};
// Half of the inputs, and at least six or as many as are asked for; one where the program takes no data.
std::size_t values_needed(std::size_t inputs, std::size_t asked, bool takes_data);

// More than a twentieth: then too little of what was run says anything.
inline constexpr double undecided_at_most = 0.05;
bool too_many_undecided(std::size_t undecided, std::size_t all);

// Titles of the columns that languages name differently.
struct Titles {
  std::string nodes = "nodes", program = "program";
  std::vector<std::string> costs{};
  bool costs_by_change = false;  // a cost that is the one above is shown as "="
};

struct Report {
  Titles titles{};
  Tried inputs{};
  std::vector<Row> stages{}, targets{};        // the source first
  std::vector<Claim> claims{};                 // what else is known: of sizes, loops, kernels
  std::vector<std::string> notes{};            // lines below the tables
  std::map<std::string, std::string> tools{};  // versions of provers that were used

  bool agrees() const;                               // nothing is wrong; whether it is enough is another question
  std::optional<std::string> too_undecided() const;  // by the source or a target: how many, and the first
  // What was found is enough: nothing disagrees, and enough was compared. The text: why it is not enough.
  std::optional<std::string> insufficient() const;
  bool ok() const { return agrees() && !insufficient(); }
  // Of the rows, and of what else is known; settled.
  std::vector<Claim> all_claims() const;
};

// What is told while a verification runs.
struct Listener {
  std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress{};
  std::function<void(const Report& planned)> planned{};  // before anything is checked: the rows as they will come
  std::function<void(const Row&)> row{};                 // one that is known
};

}  // namespace lockstep::props
