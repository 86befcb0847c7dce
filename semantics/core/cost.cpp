// The algebra of costs.
#include "semantics/core/cost.h"

#include <algorithm>

namespace lockstep {
namespace {

// Without a constant that is taken away.
Size but_a_constant(const Size& s) {
  for (const SizeTerm& t : s.terms())
    if (t.powers.empty()) return s - Size(std::min<std::int64_t>(t.coefficient, 0));
  return s;
}

}  // namespace

Size upper_maximum(const SizeContext& known, const Size& first, const Size& second) {
  const Size a = known.simplify(first), b = known.simplify(second);  // n and 2*(n/2) where n % 2 == 0
  const Size more = a - b, less = b - a;
  if (!has_negative(more)) return a;
  if (!has_negative(less)) return b;
  SizeContext natural = known;
  for (const Size& s : {a, b})
    if (has_negative(s)) natural.assume({0, SizeRelation::LessEqual, s});
  if (natural.proves_nonnegative(more)) return a;
  if (natural.proves_nonnegative(less)) return b;
  Size least = a + b;
  const auto or_else = [&](const Size& bound) {
    if (natural.proves_nonnegative(least - bound)) least = bound;
  };
  if (const Size rest = but_a_constant(more); natural.proves_nonnegative(rest)) or_else(b + rest);
  if (const Size rest = but_a_constant(less); natural.proves_nonnegative(rest)) or_else(a + rest);
  or_else(b + positive_part(more));
  return least;
}

}  // namespace lockstep
