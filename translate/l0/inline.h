// L0 §2.3, enabling optimisations: functions in their places are written out, and calls are their bodies.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

inline constexpr std::size_t most_inlined = 20'000;  // nodes of a function: beyond it a call stays (ours)

// Of a typed program in normal form. `f(e)`, `op +` and the names of functions in an array operation become `fn`; calls
// of functions that do not come to call themselves become their bodies, the innermost first.
Program inlined(const Program& p);
// Calls that stay, of functions that call themselves or are too large: "f calls g".
std::vector<std::string> calls_left(const Program& p);

}  // namespace lockstep::l0
