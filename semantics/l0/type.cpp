// Types of L0: how they are shown, and their leaves.
#include "semantics/l0/type.h"

#include <algorithm>

#include "semantics/core/diagnostic.h"

namespace lockstep::l0 {
namespace {

void find_leaves(std::vector<LeafType>& found, const Type& t, std::size_t rank, bool unique) {
  match(
      t.node,
      [&](const TupleType& tuple) {
        for (const Type& item : tuple.items) find_leaves(found, item, rank, unique);
      },
      [&](ScalarType s) {
        found.push_back({s, rank, unique});
      },
      [&](const ArrayType& a) { find_leaves(found, *a.element, rank + 1, unique || a.unique); });
}

}  // namespace

Type tuple_of(std::vector<Type> items) {
  if (items.size() == 1) return std::move(items[0]);
  return {TupleType{std::move(items)}};
}
Type array_of(Type element, bool unique) { return {ArrayType{std::move(element), unique}}; }

const Type* element_of(const Type& t) {
  const ArrayType* a = as<ArrayType>(t);
  return a ? &*a->element : nullptr;
}

std::string_view name_of(ScalarType t) {
  constexpr std::pair<ScalarType, std::string_view> names[] = {
      {ScalarType::I64, "int"}, {ScalarType::F64, "real"}, {ScalarType::Bool, "bool"}, {ScalarType::U8, "char"}};
  for (const auto& [scalar, name] : names)
    if (scalar == t) return name;
  throw Bug("no type of L0 is " + std::string(lockstep::show(t)));
}

std::string show(const Type& t) {
  return match(
      t.node,
      [](const TupleType& tuple) {
        std::vector<std::string> items;
        for (const Type& item : tuple.items) items.push_back(show(item));
        return "(" + comma_list(items) + ")";
      },
      [](ScalarType s) { return std::string(name_of(s)); },
      [](const ArrayType& a) { return (a.unique ? "*[" : "[") + show(*a.element) + "]"; });
}

Type without_stars(Type t) {
  match(
      t.node,
      [](TupleType& tuple) {
        std::transform(tuple.items.begin(), tuple.items.end(), tuple.items.begin(), without_stars);
      },
      [](ScalarType) {}, [](ArrayType& a) { a.unique = false; });
  return t;
}

bool same(const Type& a, const Type& b) { return without_stars(a) == without_stars(b); }

std::vector<LeafType> leaves_of(const Type& t) {
  std::vector<LeafType> found;
  find_leaves(found, t, 0, false);
  return found;
}

std::size_t leaf_count(const Type& t) { return leaves_of(t).size(); }

bool has_arrays(const Type& t) {
  const std::vector<LeafType> leaves = leaves_of(t);
  return std::any_of(leaves.begin(), leaves.end(), [](const LeafType& l) { return l.rank > 0; });
}

Type leaf_type(const LeafType& leaf) {
  Type t = scalar(leaf.scalar);
  for (std::size_t k = 0; k < leaf.rank; ++k) t = array_of(std::move(t), leaf.unique && k + 1 == leaf.rank);
  return t;
}

}  // namespace lockstep::l0
