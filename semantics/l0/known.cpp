// What is known of values, as sets of lengths and scalars.
#include "semantics/l0/known.h"

#include <algorithm>

namespace lockstep::l0::evaluating {

bool same_lengths(const Known& a, const Known& b) { return a.lengths == b.lengths; }

KnownValue nothing_of(const Type& type) {
  KnownValue out;
  for (const LeafType& leaf : leaves_of(type))
    out.push_back({leaf, std::vector<std::optional<std::int64_t>>(leaf.rank)});
  return out;
}

KnownValue all_of(const Value& v, const Type& type) {
  KnownValue out = nothing_of(type);
  const auto leaves = leaves_of(v);
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].value = *leaves[k];
    if (const auto* a = std::get_if<Array>(&leaves[k]->node))
      for (std::size_t d = 0; d < a->shape.rank(); ++d) out[k].lengths[d] = a->shape[d];
  }
  return out;
}

KnownValue shapes_of(KnownValue v) {
  for (Known& leaf : v) leaf.value.reset();
  return v;
}

KnownValue element_of_known(const KnownValue& array) {
  KnownValue out = shapes_of(array);
  for (Known& leaf : out) {
    --leaf.type.rank;
    leaf.lengths.erase(leaf.lengths.begin());
  }
  return out;
}

KnownValue array_of_known(std::optional<std::int64_t> n, const KnownValue& element) {
  KnownValue out = shapes_of(element);
  for (Known& leaf : out) {
    ++leaf.type.rank;
    leaf.lengths.insert(leaf.lengths.begin(), n ? std::optional(std::max<std::int64_t>(*n, 0)) : std::nullopt);
  }
  return out;
}

std::optional<std::int64_t> common_length(const std::vector<KnownValue>& arrays) {
  std::optional<std::int64_t> out;
  for (const KnownValue& a : arrays)
    for (const Known& leaf : a) {
      if (leaf.lengths[0]) out = out ? std::min(*out, *leaf.lengths[0]) : leaf.lengths[0];
    }
  return out;
}

KnownValue as_long_as(KnownValue array, std::optional<std::int64_t> n) {
  for (Known& leaf : array) {
    if (leaf.lengths[0] != n) leaf.value.reset();
    leaf.lengths[0] = n;
  }
  return array;
}

KnownValue either(KnownValue a, const KnownValue& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t d = 0; d < a[k].lengths.size(); ++d)
      if (a[k].lengths[d] != b[k].lengths[d]) a[k].lengths[d].reset();
    if (!b[k].value || (a[k].value && !same_value(*a[k].value, *b[k].value))) a[k].value.reset();
  }
  return a;
}

std::optional<Scalar> scalar_of(const KnownValue& v) {
  if (v.size() != 1 || v[0].type.rank != 0 || !v[0].value) return std::nullopt;
  return as_scalar(*v[0].value);
}
std::optional<std::int64_t> int_of(const KnownValue& v) {
  const auto s = scalar_of(v);
  return s ? std::optional(s->integer()) : std::nullopt;
}

}  // namespace lockstep::l0::evaluating
