// Data types (Fig. 1e, grown by short vectors), function types of the functional fragment, and phrase types (Fig. 1f).
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/hierarchy.h"
#include "semantics/core/ref.h"
#include "semantics/core/scalar_type.h"
#include "semantics/core/size.h"

namespace lockstep {

struct Type;
struct IndexType {
  Size bound;
  friend bool operator==(const IndexType&, const IndexType&) = default;
};
struct ArrayType {
  Size length;
  Ref<Type> element;
  friend bool operator==(const ArrayType&, const ArrayType&) = default;
};
struct PairType {
  Ref<Type> first;
  Ref<Type> second;
  friend bool operator==(const PairType&, const PairType&) = default;
};
struct VectorType {
  Ref<Type> element;  // a scalar type once inferred
  Size width;         // 2 3 4 8 16 once inferred
  friend bool operator==(const VectorType&, const VectorType&) = default;
};
struct FunctionType {
  Ref<Type> from;
  Ref<Type> to;
  friend bool operator==(const FunctionType&, const FunctionType&) = default;
};
struct TypeVariable {
  std::string name;  // without the quote; "?k" for an unknown of inference
  friend bool operator==(const TypeVariable&, const TypeVariable&) = default;
};
struct Type {
  std::variant<ScalarType, IndexType, ArrayType, PairType, VectorType, FunctionType, TypeVariable> node;
  friend bool operator==(const Type&, const Type&) = default;
};
inline Type scalar(ScalarType t) { return {t}; }
inline Type index_type(Size n) { return {IndexType{std::move(n)}}; }
inline Type array(Size n, Type e) { return {ArrayType{std::move(n), Ref<Type>(std::move(e))}}; }
inline Type pair(Type a, Type b) { return {PairType{Ref<Type>(std::move(a)), Ref<Type>(std::move(b))}}; }
inline Type vector_type(Type e, Size w) { return {VectorType{Ref<Type>(std::move(e)), std::move(w)}}; }
inline Type function(Type a, Type b) { return {FunctionType{Ref<Type>(std::move(a)), Ref<Type>(std::move(b))}}; }
inline Type type_variable(std::string n) { return {TypeVariable{std::move(n)}}; }

template <class T>
const T* as(const Type& t) {
  return std::get_if<T>(&t.node);
}
std::string show(const Type& t);
bool is_data(const Type& t);  // no function inside
using TypeSubstitution = std::map<std::string, Type>;
Type substitute(const Type& t, const SizeSubstitution& sizes, const TypeSubstitution& types = {});
void collect_names(const Type& t, std::set<std::string>& sizes, std::set<std::string>& types);

// The leaves of a data type, left to right: tuples are structures of arrays. [n](f32, [m]i32) has the leaves
// {f32, dims n} and {i32, dims n m}; a short vector is a leaf of its scalar with the width beside it.
struct Leaf {
  ScalarType scalar;
  int width = 1;                 // lanes of a short vector, 1 for a scalar
  std::vector<Size> dims;        // outermost first
  std::vector<int> projections;  // 1 and 2, from the outside
};
std::vector<Leaf> leaves_of(const Type& t);
Size element_count(const Leaf& leaf);  // scalars, lanes included

// Phrase types. var[d] is acc[d] x exp[d]. What a variable has is in a space of memory (DPIA §6.2), exp@Local[d] and
// acc@Local[d]; Auto, not written: in none that is known, as what is computed, or not chosen yet.
struct PhraseType;
struct ExpType {
  Type data;  // a data type, or a function type in the functional fragment (exp[a] -> exp[b])
  Space space = Space::Auto;
  friend bool operator==(const ExpType&, const ExpType&) = default;
};
struct AccType {
  Type data;
  Space space = Space::Auto;
  friend bool operator==(const AccType&, const AccType&) = default;
};
struct CommType {
  friend bool operator==(const CommType&, const CommType&) = default;
};
struct PhraseFunction {
  Ref<PhraseType> from;
  Ref<PhraseType> to;
  bool passive;  // ->p
  friend bool operator==(const PhraseFunction&, const PhraseFunction&) = default;
};
struct PhraseProduct {
  Ref<PhraseType> first;
  Ref<PhraseType> second;
  friend bool operator==(const PhraseProduct&, const PhraseProduct&) = default;
};
struct PhraseType {
  std::variant<ExpType, AccType, CommType, PhraseFunction, PhraseProduct> node;
  friend bool operator==(const PhraseType&, const PhraseType&) = default;
};
inline PhraseType exp_type(Type d, Space s = Space::Auto) { return {ExpType{std::move(d), s}}; }
inline PhraseType acc_type(Type d, Space s = Space::Auto) { return {AccType{std::move(d), s}}; }
inline PhraseType comm_type() { return {CommType{}}; }
inline PhraseType phrase_function(PhraseType a, PhraseType b, bool passive = false) {
  return {PhraseFunction{Ref<PhraseType>(std::move(a)), Ref<PhraseType>(std::move(b)), passive}};
}
inline PhraseType phrase_product(PhraseType a, PhraseType b) {
  return {PhraseProduct{Ref<PhraseType>(std::move(a)), Ref<PhraseType>(std::move(b))}};
}
inline PhraseType var_type(const Type& d, Space s = Space::Auto) {
  return phrase_product(acc_type(d, s), exp_type(d, s));
}
template <class T>
const T* as(const PhraseType& t) {
  return std::get_if<T>(&t.node);
}
bool is_passive(const PhraseType& t);   // Fig. 2
std::string show(const PhraseType& t);  // exp[[n]f32] -> acc@Local[f32] ->p comm
std::string at_space(Space s);          // "@Local", "" of Auto
PhraseType substitute(const PhraseType& t, const SizeSubstitution& sizes, const TypeSubstitution& types = {});

}  // namespace lockstep
