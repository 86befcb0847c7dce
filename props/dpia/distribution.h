// What random programs of .dpia, their inputs and their kernels are like: the shares that a campaign prints.
#pragma once
#include "props/dpia/campaign.h"
#include "props/engine/statistics.h"
#include "semantics/kernel/syntax.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

void count_program(const surface::Program& program, const PhraseProgram& source, Statistics& into);
void count_inputs(const PhraseProgram& source, const std::vector<Expected>& inputs, Statistics& into);
// Whether the kernel of a program computes indices with a number near 2^31 or above.
void count_indices(const kernel::Program& kernel, const std::vector<Expected>& inputs, Statistics& into);
// Of the checks that a translation writes, those that its last kernel is without.
void count_checks(const DpiaTrace& trace, Statistics& into);
// Of those for a CPU: whether `tiles` made anything of it.
void count_tiles(const DpiaTrace& trace, Statistics& into);
void count_kernel(const kernel::Program& kernel, Statistics& into);                                       // of the GPU
void count_widths(const kernel::Program& kernel, const std::vector<Expected>& inputs, Statistics& into);  // too
// What blocks have of memory, and what is live in it at one time (live_memory.h).
void count_memory(const DpiaTrace& trace, const std::vector<Expected>& inputs, Statistics& into);

}  // namespace lockstep::props
