// Values of arrays, tuples and scalars as the scalars of their leaves (arrays.h).
#include "semantics/language/arrays.h"

namespace lockstep {
namespace {
std::int64_t number(const Size& s, const SizeValues& sizes) {
  if (const auto n = evaluate(s, sizes)) return *n;
  throw Bug("a length without a value: " + show(s));
}

void flatten_into(const Value& v, const Type& t, const SizeValues& sizes, std::size_t first, Scalars& out) {
  if (const auto* p = as<PairType>(t)) {
    flatten_into(first_of(v), *p->first, sizes, first, out);
    return flatten_into(second_of(v), *p->second, sizes, first + leaves_of(*p->first).size(), out);
  }
  if (const auto* a = as<ArrayType>(t)) {
    for (std::int64_t i = 0, n = number(a->length, sizes); i < n; ++i)
      flatten_into(element_of(v, i), *a->element, sizes, first, out);
    return;
  }
  const Value forced = force(v);
  if (as<VectorType>(t))
    out[first].insert(out[first].end(), as_lanes(forced).begin(), as_lanes(forced).end());
  else
    out[first].push_back(as_scalar(forced));
}
}  // namespace

Scalars flatten(const Value& v, const Type& type, const SizeValues& sizes) {
  Scalars out(leaves_of(type).size());
  flatten_into(v, type, sizes, 0, out);
  return out;
}

}  // namespace lockstep
