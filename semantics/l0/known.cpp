// What is known of values, as sets of lengths and scalars.
#include "semantics/l0/known.h"

#include <algorithm>

namespace lockstep::l0::evaluating {

std::shared_ptr<Length::Node> Length::root() const {
  std::shared_ptr<Node> at = node_;
  while (at->is) at = at->is;
  return at;
}
void Length::becomes_one_with(const Length& other) const {
  const std::shared_ptr<Node> a = root(), b = other.root();
  if (a == b) return;
  if (b->n && (!a->n || *b->n < *a->n)) a->n = b->n;
  b->is = a;
}

bool same_lengths(const Known& a, const Known& b) {
  return std::equal(a.lengths.begin(), a.lengths.end(), b.lengths.begin(), b.lengths.end(),
                    [](const Length& m, const Length& n) { return m.get() == n.get(); });
}

KnownValue nothing_of(const Type& type) {
  KnownValue out;
  for (const LeafType& leaf : leaves_of(type)) {
    out.push_back({leaf});
    while (out.back().lengths.size() < leaf.rank) out.back().lengths.emplace_back();
  }
  return out;
}

KnownValue all_of(const Value& v, const Type& type) {
  KnownValue out = nothing_of(type);
  const auto leaves = leaves_of(v);
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].value = *leaves[k];
    if (const auto* a = std::get_if<Array>(&leaves[k]->node))
      for (std::size_t d = 0; d < a->shape.rank(); ++d) out[k].lengths[d] = Length(a->shape[d]);
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

KnownValue array_of_known(const Length& n, const KnownValue& element) {
  KnownValue out = shapes_of(element);
  for (Known& leaf : out) {
    ++leaf.type.rank;
    leaf.lengths.insert(leaf.lengths.begin(), n);
  }
  return out;
}

Length common_length(const std::vector<KnownValue>& arrays) {
  Length out;
  for (const KnownValue& a : arrays)
    for (const Known& leaf : a) out.becomes_one_with(leaf.lengths[0]);
  return out;
}

KnownValue either(KnownValue a, const KnownValue& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t d = 0; d < a[k].lengths.size(); ++d) {
      const Length &m = a[k].lengths[d], &n = b[k].lengths[d];
      if (!m.is(n)) a[k].lengths[d] = Length(m.get() == n.get() ? m.get() : std::nullopt);
    }
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
