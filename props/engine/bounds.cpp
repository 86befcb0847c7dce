// Floats against their bounds, scalar by scalar (bounds.h).
#include "props/engine/bounds.h"

#include <cmath>
#include <limits>

namespace lockstep::props {
namespace {

// The bound says less than the result's magnitude: half of it, nothing or its opposite would pass.
bool is_wide(double bound, double exact, ScalarType t) {
  const double least = t == ScalarType::F32 ? static_cast<double>(std::numeric_limits<float>::denorm_min())
                                            : std::numeric_limits<double>::denorm_min();
  return bound > std::abs(exact) && bound > least;
}

}  // namespace

bool same_scalar(const Scalar& a, const Scalar& b) {
  if (a.type != b.type) return false;
  return a.bits == b.bits || (is_float(a.type) && std::isnan(a.ieee()) && std::isnan(b.ieee()));
}

bool BoundComparison::add(const Scalar& bounded, const Scalar& found) {
  if (!is_float(found.type)) return bounded.bits == found.bits || fail(bounded, found, "");
  const Domain& d = bounded_domain();
  ++out_.floats;
  const double exact = d.to_ieee(bounded), bound = d.error_bound(bounded), x = found.ieee();
  if (bound == 0 && same_scalar(make_ieee(found.type, exact), found)) return true;
  if (bound == 0 || !std::isfinite(exact)) return fail(bounded, found, "");
  if (!(bound <= std::numeric_limits<double>::max())) return ++out_.unbounded, true;
  const double error = x == exact ? 0 : std::abs(x - exact);
  // The exact value was rounded to be shown: that much may be between them.
  const double rounding = std::ldexp(std::abs(exact), found.type == ScalarType::F32 ? -24 : -53);
  if (!(error <= bound + rounding))
    return fail(bounded, found,
                ", with an error of " + show(make_ieee(ScalarType::F64, bound), ieee_domain()) + " at most");
  if (is_wide(bound, exact, found.type)) return ++out_.wide, true;
  out_.rounding.add({error, bound});
  return true;
}

Comparison BoundComparison::at(const std::string& where) const {
  Comparison out = out_;
  out.expected = where + " = " + out.expected;
  return out;
}

bool BoundComparison::fail(const Scalar& bounded, const Scalar& found, const std::string& how) {
  out_.agrees = false;
  out_.expected = show(bounded, bounded_domain()) + how;
  out_.found = show(found, ieee_domain());
  return false;
}

}  // namespace lockstep::props
