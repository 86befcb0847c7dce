// Whether a kernel's barriers are needed: each is taken out in turn, and what is left is run with a race detector,
// which knows what is concurrent from the kernel's structure, whatever the order (semantics/kernel/run.h). And with the
// warps of a block in lock step, one after the other, where a race shows as another result.
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
  // The order of warps in lock step that gives something else then; nothing: none did, or a block is one warp.
  std::optional<std::string> in_lock_step{};
};
// In the order of the text. Run on random inputs, at small sizes and at those that are given, on one block, so that it
// has rounds; a thread for each iteration of a local loop.
std::vector<BarrierNeed> needed_barriers(const PhraseProgram& source, const kernel::Program& kernel,
                                         std::vector<SizeValues> sizes, std::uint64_t seed);
// "each of 3 barriers is needed: ..."; nothing of a kernel without barriers.
std::optional<std::string> show(const std::vector<BarrierNeed>& barriers);

}  // namespace lockstep::props
