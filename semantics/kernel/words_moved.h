// Array words that a kernel moves: scalars that it reads from its buffers and writes to them, parameters included, an
// atomic update both. A sum over all iterations, exact: what it says is what an interpreter counts (Counted::words).
#pragma once
#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

// Over the program's sizes. Nothing where data decides: how often a loop goes round, which of two branches that move
// different amounts is taken.
std::optional<Size> words_moved(const Program& p);

}  // namespace lockstep::kernel
