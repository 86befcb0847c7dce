// Results of floats against the bounded domain's, which is exact and knows how far any order of the same operations can
// be from it.
#pragma once
#include <string>

#include "semantics/core/number.h"

namespace lockstep::props {

// Of one type, bit for bit; all NaNs are one.
bool same_scalar(const Scalar& a, const Scalar& b);

// The error that is the greater share of its bound.
struct Worst {
  double error = 0, bound = 0;
  double share() const { return bound > 0 ? error / bound : 0; }
  bool add(const Worst& w) {
    const bool worse = w.bound > 0 && (bound == 0 || w.error * bound > error * w.bound);
    if (worse) *this = w;
    return worse;
  }
};

struct Comparison {
  bool agrees = true;
  std::string expected, found;  // of the first place that does not
  std::size_t leaf = 0;         // of the result, where it is
  Worst rounding{};             // where error/bound was greatest
  std::size_t floats = 0;       // that were compared
  std::size_t wide = 0;         // of them, whose bound is wider than the result: this is no comparison
  std::size_t unbounded = 0;    // of them, of which nothing is known: not compared
};

// Scalar by scalar. Integers and booleans are compared bit for bit, floats with the bounded domain's result and its
// bound; where that is infinite or NaN, or the bound is nothing, only the same will do, the sign of a zero included.
class BoundComparison {
 public:
  bool add(const Scalar& bounded, const Scalar& found);  // whether it agrees
  Comparison at(const std::string& where) const;         // after one that does not, which stands there
  const Comparison& all() const { return out_; }

 private:
  bool fail(const Scalar& bounded, const Scalar& found, const std::string& how);
  Comparison out_;
};

}  // namespace lockstep::props
