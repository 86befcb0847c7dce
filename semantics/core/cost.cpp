// The algebra of costs.
#include "semantics/core/cost.h"

#include <algorithm>

namespace lockstep {
namespace {

bool same_product(const SizeTerm& a, const SizeTerm& b) {
  return std::equal(
      a.powers.begin(), a.powers.end(), b.powers.begin(), b.powers.end(),
      [](const auto& x, const auto& y) { return x.second == y.second && compare(x.first, y.first) == 0; });
}

std::int64_t coefficient_in(const Size& s, const SizeTerm& t) {
  for (const SizeTerm& x : s.terms())
    if (same_product(x, t)) return x.coefficient;
  return 0;
}

bool has_negative(const Size& s) {
  return std::any_of(s.terms().begin(), s.terms().end(), [](const SizeTerm& t) { return t.coefficient < 0; });
}

}  // namespace

Size upper_maximum(const Size& a, const Size& b) {
  if (!has_negative(a - b)) return a;
  if (!has_negative(b - a)) return b;
  if (has_negative(a) || has_negative(b)) return a + b;
  Size out = 0;
  for (const SizeTerm& t : a.terms()) out = out + product_of(std::max(t.coefficient, coefficient_in(b, t)), t);
  for (const SizeTerm& t : b.terms())
    if (coefficient_in(a, t) == 0) out = out + product_of(t.coefficient, t);
  return out;
}

}  // namespace lockstep
