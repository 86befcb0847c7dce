// L0 §4.1: uses of arrays that would keep what makes them from being fused, though they ask for little.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Of a typed program in normal form with distinct names. Before fusion: split, transpose and flatten of what a map2
// makes, and that is used nowhere else, are done to what the map2 goes over.
Program with_hindrances_moved(const Program& p);

// After it: an assertZip of arrays of one known length is true; what goes over an array for its length alone does not,
// where another that it goes over is known to be as long; lengths are asked of the first array that has them.
Program with_known_lengths(const Program& p);

}  // namespace lockstep::l0
