// Results held against each other: bit for bit, and against the bounded domain's result and its error bound.
#pragma once
#include "props/dpia/shown.h"
#include "props/engine/report.h"

namespace lockstep::props {

// Of one type, bit for bit; all NaNs are one.
bool same_scalar(const Scalar& a, const Scalar& b);
// Both trap, or both give the same scalars.
bool same_outcome(const Outcome& a, const Outcome& b);
Scalars scalars_of(const Leaves& leaves);

// The first place of two results that are not the same, "result[2] = 1.5" and "1.25". `type` and `sizes` of both.
struct Difference {
  std::string expected, found;
};
Difference first_difference(const Scalars& expected, const Scalars& found, const Type& type, const SizeValues& sizes);

// A target's result against the source's.
struct Comparison {
  bool agrees = true;
  std::string expected, found;  // of the first place that does not
  double error = 0, bound = 0;  // where error/bound was greatest
  std::size_t floats = 0;       // that were compared
  std::size_t wide = 0;         // of them, whose bound is wider than the result: this is no comparison
  std::size_t unbounded = 0;    // of them, of which nothing is known: not compared
};
// Integers and booleans are compared bit for bit, floats with the bounded domain's result and its bound; where that is
// infinite or NaN, or the bound is nothing, only the same will do, the sign of a zero included.
Comparison compare_within_bound(const Scalars& bounded, const Scalars& got, const Type& result,
                                const SizeValues& sizes);

}  // namespace lockstep::props
