// Rounds of `while` counted, and cut off at a limit, so that no evaluation of a source runs for ever.
#pragma once
#include "props/engine/report.h"
#include "semantics/core/phrase.h"

namespace lockstep::props {

// Thrown where loops take more rounds than they may.
struct EndlessSignal {};

inline constexpr std::uint64_t any_rounds = ~std::uint64_t{0};

class Rounds {
 public:
  Rounds();
  // Its `while` loops, where it is a functional program, count here.
  PhraseProgram counted(const PhraseProgram& program) const;
  // Before each evaluation: the rounds that one loop may take, those of loops inside it included, and all loops.
  void restart(std::uint64_t each, std::uint64_t all = any_rounds) const;
  std::uint64_t taken() const;  // since then, by all loops

  struct State;

 private:
  std::shared_ptr<State> state_;
};

// The work of one round of each `while` of a functional program; a loop inside is taken to have #iterations.
std::vector<Size> round_work(const PhraseProgram& program);

// What a stage or target may take on an input on which the source takes so many: only a wrong one reaches it.
inline std::uint64_t rounds_allowed(std::uint64_t source) { return 10 * source + 1000; }

}  // namespace lockstep::props
