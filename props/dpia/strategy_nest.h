// Whether the nest of loops that the source wrote is the nest that comes out, by level and extent (DPIA §2.1:
// "strategies are preserved"). A stage may add loops (copies, checks of views), also between two that were written, and
// make one that runs in order two, one in the other; it may not drop one, move it out of another, or run it at another
// level.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "props/dpia/branch_facts.h"
#include "semantics/functional/inference/implied_sizes.h"
#include "semantics/kernel/syntax.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

// A loop with those around it, outermost first.
struct NestedLoop {
  Level level;
  Size extent;
  std::vector<SizeFact> given{};        // of a kernel: by the branches that it stands in
  std::vector<ChosenSize> by_choice{};  // of a kernel's extent with choices: what it is by each, `extent` by the first
};
using LoopChain = std::vector<NestedLoop>;
std::string show(const LoopChain& chain);

// Of the loops with a level or an order of their own (the maps, reduce, scan, iterate), after `strategies`; levels as
// the machine has them: on the CPU blocks and GPU threads are CPU threads, and a block's threads one after another.
struct WrittenLoops {
  bool by_law = true;  // with those that the law of an operator may make others of
  bool idle = false;   // with those of no iterations, and what is in them: of a view's elements none may be left
};
std::vector<LoopChain> written_loops(const PhraseProgram& strategies, Machine machine, WrittenLoops which = {});
std::vector<LoopChain> kernel_loops(const kernel::Program& program);

// The same without the loops that only copy one buffer to another, which `in-place` may drop, or two, which `joined`
// makes one, and those that only check, which `checks` may.
std::vector<LoopChain> lasting_loops(const kernel::Program& program);

// Whether two extents are one; nothing: where they are the same normal form.
using SameExtent = std::function<bool(const Size&, const Size&, const std::vector<SizeFact>& given)>;
// A written loop that has no counterpart: one of the kernel's loops of its own, at its level and extent, with the loops
// around the one among the loops around the other, in order. Nothing where each has one, or runs no iteration.
std::optional<LoopChain> lost_loop(const std::vector<LoopChain>& written, const std::vector<LoopChain>& made,
                                   const SameExtent& same_extent = {});
// Of a trace: of the loops that the source gave a level or that have an order, to `strategies` (but for reductions,
// where some are computed in another order by law), from there to its first kernel, and from there to its last;
// `shuffles` may join loops over the lanes of one warp, `swaps` make a loop one of half as many iterations,
// `index-sets` one two or three whose iterations are its own. `implied` by the program's facts, as where inference
// asked a solver (CheckOptions).
std::optional<LoopChain> lost_loop(const DpiaTrace& trace, const SizeImplication& implied = {});

}  // namespace lockstep::props
