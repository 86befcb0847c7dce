// Compared as the exact domain has them.
#include "props/dpia/reordered.h"

#include <cmath>

#include "props/dpia/generate.h"
#include "semantics/core/float_function.h"

namespace lockstep::props {
namespace {
bool are_equal(const Scalar& a, const Scalar& b) {
  const Domain& d = exact_domain();
  if (!is_float(a.type)) return a.bits == b.bits;
  const double x = d.to_ieee(a), y = d.to_ieee(b);
  if (!std::isfinite(x) || !std::isfinite(y)) return x == y || (std::isnan(x) && std::isnan(y));
  if (d.compare(lockstep::Comparison::Equal, a, b)) return true;
  const Scalar both[2] = {a, b};
  return std::abs(d.to_ieee(d.apply(floats::subtract, a.type, both))) <= 1e-25 * std::max(std::abs(x), std::abs(y));
}
}  // namespace

bool same_reals(const Outcome& a, const Outcome& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  for (std::size_t k = 0; k < a->size(); ++k)
    if (!std::equal((*a)[k].begin(), (*a)[k].end(), (*b)[k].begin(), (*b)[k].end(),
                    [](const Scalar& x, const Scalar& y) { return are_equal(x, y); }))
      return false;
  return true;
}

std::string shown_on_reals(const Outcome& o, const Type& type, const SizeValues& sizes) {
  if (!o) return shown(o, type, sizes);
  return show(unflatten(*o, type, sizes), exact_domain()).substr(0, 300) + " on the reals";
}

}  // namespace lockstep::props
