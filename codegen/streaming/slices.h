// Gathers whose indices are piecewise straight lines in each segment: `{v ! (i < m ? m - 1 - i : i) : i in &n}` is two
// slices of v, one of them backwards, whatever n is. Nothing is stored for the indices, and nothing checked for each
// element: a step evaluates them once for each piece.
#pragma once
#include <string>

#include "codegen/streaming/network.h"

namespace lockstep::engine {

// The text of a step's function.
std::string slices_body(const Network& network, const Step& step);

}  // namespace lockstep::engine
