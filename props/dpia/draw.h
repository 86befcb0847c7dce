// The inputs that a program is compared on: random ones, on which the source was evaluated first, alone. One on which
// it does not end, traps, or goes a way that rounding decides is drawn again, at smaller sizes too; what is left of
// such is counted.
#pragma once
#include "props/dpia/rounds.h"
#include "props/dpia/shown.h"

namespace lockstep::props {

struct DrawOptions {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  SizeValues sizes{};  // given by the user; the others are searched for
  std::uint64_t limit = default_round_limit;
  double elements = 25000;       // scalars in an input, and a measure of its work: lighter ones are looked for
  std::size_t heavy_inputs = 6;  // where there are no lighter ones but empty ones
  double heavy_limit = 1e300;    // ... beyond which none is drawn
  std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress{};
};

struct DrawnInput {
  Arguments arguments;
  std::uint64_t seed = 0;
  Outcome ieee = Scalars{};
  std::optional<Outcome> bounded{};  // nothing: undecided
  std::string undecided{};           // what could not be decided, and where
  std::uint64_t rounds = 0;          // of `while`, that the source takes
  double load = 0;                   // its scalars, or the work of its rounds in that measure
  bool gives_values = false;         // the source gives a result on it that holds scalars
};

struct Tried {
  std::vector<SizeValues> sizes{};     // of each input
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
  std::uint64_t limit = 0;
  std::size_t needed = 1;  // inputs that have to give values
  bool has_sizes = true;   // the program
  bool given = false;      // all of its sizes, by the user
  bool huge = false;       // the smallest sizes that satisfy the facts are large
  bool too_large = false;  // ... and larger than may be
  std::size_t all() const { return sizes.size() - also_trapped + endless + not_drawn; }
  // What to give so that more inputs give values; "" where nothing can be given.
  std::string what_to_give() const;
  // Too few give values for anything to be said of the program: how many, why, and what to give.
  std::optional<std::string> not_tested() const;
};

struct Draws {
  std::vector<DrawnInput> inputs;
  Tried tried;
};
// At sizes that `fitting`, a program of the same sizes, accepts too.
Draws draw_inputs(const PhraseProgram& source, const PhraseProgram& fitting, const DrawOptions& options);

// Half of the inputs, and at least six or as many as are asked for; one where the program takes no data.
std::size_t values_needed(std::size_t inputs, std::size_t asked, bool takes_data);

}  // namespace lockstep::props
