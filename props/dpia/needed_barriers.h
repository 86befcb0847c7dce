// Whether a kernel's barriers are needed: each is taken out in turn, and what is left is run with a race detector,
// which knows what is concurrent from the kernel's structure, whatever the order (semantics/kernel/run.h).
#pragma once
#include <string>
#include <vector>

#include "semantics/core/phrase.h"
#include "semantics/kernel/syntax.h"

namespace lockstep::props {

struct BarrierNeed {
  Level scope;
  Region before{};                     // the source expression of the statement that it stands before
  std::optional<std::string> without;  // the race then; nothing: none was found
};
// In the order of the text. Run on random inputs, at small sizes and at those that are given, on one block, so that it
// has rounds; a thread for each iteration of a local loop.
std::vector<BarrierNeed> needed_barriers(const PhraseProgram& source, const kernel::Program& kernel,
                                         std::vector<SizeValues> sizes, std::uint64_t seed);
// "each of 3 barriers is needed: ..."; nothing of a kernel without barriers.
std::optional<std::string> show(const std::vector<BarrierNeed>& barriers);

}  // namespace lockstep::props
