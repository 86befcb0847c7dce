// The inputs that a program is compared on: random ones, on which the source was evaluated first, alone. One on which
// it does not end, traps, or goes a way that rounding decides is drawn again, at smaller sizes too; what is left of
// such is counted.
#pragma once
#include "props/dpia/rounds.h"
#include "props/dpia/shown.h"
#include "props/dpia/sizes.h"
#include "props/engine/report.h"

namespace lockstep::props {

struct DrawOptions {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  SizesAsked asked{};  // by the user; the other sizes are searched for, the other values drawn
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
  std::vector<Trap> traps{};         // that may be reported where it traps
  std::optional<Outcome> bounded{};  // nothing: undecided
  std::string undecided{};           // what could not be decided, and where
  std::uint64_t rounds = 0;          // of `while`, that the source takes
  double load = 0;                   // its scalars, or the work of its rounds in that measure
  bool gives_values = false;         // the source gives a result on it that holds scalars
};

struct Draws {
  std::vector<DrawnInput> inputs;
  Tried tried;
};
// At sizes that `fitting`, a program of the same sizes, accepts too.
Draws draw_inputs(const PhraseProgram& source, const PhraseProgram& fitting, const DrawOptions& options);

}  // namespace lockstep::props
