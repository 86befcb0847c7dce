// The algebra of costs.
#include "semantics/core/cost.h"

#include <algorithm>

namespace lockstep {
namespace {

std::int64_t constant_in(const Size& s) {
  for (const SizeTerm& t : s.terms())
    if (t.powers.empty()) return t.coefficient;
  return 0;
}

// a - b, with so much of the constant that is taken away as makes it natural; nothing where all of it is not known to.
std::optional<Size> but_a_constant(const SizeContext& known, const Size& a, const Size& b) {
  const Size s = a - b;
  std::int64_t least = 1, most = std::max(-constant_in(s), constant_in(b));  // 0 is known not to be enough
  if (most <= 0 || !known.proves_nonnegative(s + Size(most))) return {};
  while (least < most) {
    const std::int64_t middle = least + (most - least) / 2;
    if (known.proves_nonnegative(s + Size(middle)))
      most = middle;
    else
      least = middle + 1;
  }
  return s + Size(most);
}

}  // namespace

Size natural_bound(const SizeContext& known, const Size& s) {
  std::set<std::string> names;
  collect_names(s, names);
  SizeValues at;
  for (const std::string& n : names) at.emplace(n, 0);
  const auto is_negative = [&] { return evaluate(s, at).value_or(0) < 0; };
  bool negative = is_negative();
  for (const std::string& n : names) {
    constexpr std::int64_t large = 1000003;
    at[n] = large;
    negative = negative || is_negative();
    at[n] = 0;
  }
  if (!negative || known.proves_nonnegative(s)) return s;
  return but_a_constant(known, s, 0).value_or(positive_part(s));
}

Size upper_maximum(const SizeContext& known, const Size& first, const Size& second) {
  const Size a = known.simplify(first), b = known.simplify(second);  // n and 2*(n/2) where n % 2 == 0
  const Size more = a - b, less = b - a;
  if (!has_negative(more)) return a;
  if (!has_negative(less)) return b;
  if (known.proves_nonnegative(more)) return a;
  if (known.proves_nonnegative(less)) return b;
  Size least = a + b;
  const auto or_else = [&](const Size& bound) {
    if (known.proves_nonnegative(least - bound)) least = bound;
  };
  if (const auto rest = but_a_constant(known, a, b)) or_else(b + *rest);
  if (const auto rest = but_a_constant(known, b, a)) or_else(a + *rest);
  or_else(b + positive_part(more));
  return least;
}

}  // namespace lockstep
