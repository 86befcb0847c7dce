// Streamability: whether an SVCODE program runs with buffers of one element and constant slack (thesis §2.3.3 and §4.6
// leave it open). Clocks and lags are explained in semantics/snesl/README.md.
#pragma once
#include "semantics/svcode/program.h"
#include "semantics/svcode/rows.h"

namespace lockstep::streaming {

// The slack of each instruction's buffer, by index in Program::instructions; or why the program is refused: a
// diagnostic at the place where two streams meet, naming the two traversals, mended by `tab` and `seq`.
Checked<std::vector<std::int64_t>> analyse(const svcode::Program& p, svcode::Rows rows = {});

}  // namespace lockstep::streaming
