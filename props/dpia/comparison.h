// Results held against each other: bit for bit, and against the bounded domain's result and its error bound.
#pragma once
#include "props/dpia/shown.h"
#include "props/engine/bounds.h"
#include "props/engine/report.h"

namespace lockstep::props {

// Both give the same scalars, or `found` is one of `traps`, which a program that is expected to trap may report.
bool same_outcome(const Outcome& expected, const std::vector<Trap>& traps, const Outcome& found);
Scalars scalars_of(const Leaves& leaves);
Scalars scalars_of(const Arguments& arguments);  // of all its leaves

// The first place of two results that are not the same, "result[2] = 1.5" and "1.25". `type` and `sizes` of both.
struct Difference {
  std::string expected, found;
  std::size_t leaf = 0;  // of the result
};
Difference first_difference(const Scalars& expected, const Scalars& found, const Type& type, const SizeValues& sizes);

// Integers and booleans are compared bit for bit, floats with the bounded domain's result and its bound; where that is
// infinite or NaN, or the bound is nothing, only the same will do, the sign of a zero included.
Comparison compare_within_bound(const Scalars& bounded, const Scalars& got, const Type& result,
                                const SizeValues& sizes);

}  // namespace lockstep::props
