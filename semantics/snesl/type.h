// Types of SNESL (§2.2.1): concrete types τ, whose values are in memory, and general types σ, which add sequences.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/ref.h"
#include "semantics/snesl/atom.h"

namespace lockstep::snesl {

struct Type;
struct TupleType {
  std::vector<Type> items;  // () is the empty tuple
  friend bool operator==(const TupleType&, const TupleType&) = default;
};
struct VectorType {
  Ref<Type> element;  // concrete
  friend bool operator==(const VectorType&, const VectorType&) = default;
};
struct SequenceType {
  Ref<Type> element;
  friend bool operator==(const SequenceType&, const SequenceType&) = default;
};
struct Type {
  std::variant<Prim, TupleType, VectorType, SequenceType> node;  // never Prim::Unit
  friend bool operator==(const Type&, const Type&) = default;
};
inline Type prim(Prim p) { return {p}; }
Type tuple(std::vector<Type> items);
Type vector_of(Type element);
Type sequence_of(Type element);
template <class T>
const T* as(const Type& t) {
  return std::get_if<T>(&t.node);
}
std::string show(const Type& t);        // {([Char], Int)}
const Type* element_of(const Type& t);  // of a vector or a sequence; null for others
bool is_concrete(const Type& t);        // no sequence inside
bool well_formed(const Type& t);        // no vector holds a sequence
// |σ| of §2.2.3, the size of one element as it is copied: 1 for π and [τ], the sum for tuples, 1 more for a sequence.
std::int64_t element_size(const Type& t);

}  // namespace lockstep::snesl
