// Types of L0 (§2): int, real, bool, char, tuples and arrays; in a declared type an array may be unique (§2.2).
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/ref.h"
#include "semantics/core/scalar_type.h"

namespace lockstep::l0 {

struct Type;
struct TupleType {
  std::vector<Type> items;  // at least two; none where nothing is said
  friend bool operator==(const TupleType&, const TupleType&) = default;
};
struct ArrayType {
  Ref<Type> element;
  bool unique = false;  // `*`: of parameters and results, and not inside an array
  friend bool operator==(const ArrayType&, const ArrayType&) = default;
};
struct Type {
  std::variant<TupleType, ScalarType, ArrayType> node;  // I64, F64, Bool, U8
  friend bool operator==(const Type&, const Type&) = default;
};

inline Type scalar(ScalarType t) { return {t}; }
inline const Type int_type{ScalarType::I64}, real_type{ScalarType::F64}, bool_type{ScalarType::Bool},
    char_type{ScalarType::U8};
Type tuple_of(std::vector<Type> items);  // one item is itself
Type array_of(Type element, bool unique = false);

template <class T>
const T* as(const Type& t) {
  return std::get_if<T>(&t.node);
}
inline bool is(const Type& t, ScalarType s) {
  const ScalarType* found = as<ScalarType>(t);
  return found && *found == s;
}
const Type* element_of(const Type& t);  // of an array; null for others

std::string_view name_of(ScalarType t);  // "int"
std::string show(const Type& t);         // (*[int], real)
Type without_stars(Type t);
bool same(const Type& a, const Type& b);  // but for stars, which say nothing of what a value is

// The leaves of a type: an array of tuples is a tuple of arrays, each of a scalar type and a rank (§2.3.1).
struct LeafType {
  ScalarType scalar;
  std::size_t rank;
  bool unique;
  friend bool operator==(const LeafType&, const LeafType&) = default;
};
std::vector<LeafType> leaves_of(const Type& t);
std::size_t leaf_count(const Type& t);
bool has_arrays(const Type& t);        // among its leaves
Type leaf_type(const LeafType& leaf);  // [[int]]

}  // namespace lockstep::l0
