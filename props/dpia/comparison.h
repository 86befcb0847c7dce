// Results held against each other: bit for bit, and against the bounded domain's result and its error bound.
#pragma once
#include "props/dpia/shown.h"

namespace lockstep::props {

// Bit for bit; all NaNs are one.
bool same_scalar(const Scalar& a, const Scalar& b);
// Both trap, or both give the same scalars.
bool same_outcome(const Outcome& a, const Outcome& b);
std::vector<std::vector<Scalar>> scalars_of(const Leaves& leaves);

// The first place where two programs part.
struct Disagreement {
  std::string input;     // sizes, and the values where they are few
  std::string expected;  // by the source
  std::string found;
};

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
Comparison compare_within_bound(const std::vector<std::vector<Scalar>>& bounded,
                                const std::vector<std::vector<Scalar>>& got, const Type& result,
                                const SizeValues& sizes);

// More than a twentieth: then too little of what was run says anything.
inline constexpr double undecided_at_most = 0.05;
bool too_many_undecided(std::size_t undecided, std::size_t all);

}  // namespace lockstep::props
