// Levels, types and kinds of FCL (Dybdal, Elsman, Svensson, Sheeran, FHPC 2016, §5.1; fcl.md §1).
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/ref.h"
#include "semantics/core/scalar_type.h"

namespace lockstep::fcl {

// γ ::= α | Z | 1 + γ, as so many above Z or above a variable: thread is 0, warp 1, block 2, grid 3.
struct Level {
  int above = 0;
  std::string variable{};  // "": Z
  friend bool operator==(const Level&, const Level&) = default;
};
inline constexpr int most_above = 3;
inline const Level thread_level{0}, warp_level{1}, block_level{2}, grid_level{3};
std::string show(const Level& l);  // "block", "1 + lvl"

struct Type;
struct NamedType {  // a type variable
  std::string name;
  friend bool operator==(const NamedType&, const NamedType&) = default;
};
struct PairOf {
  Ref<Type> first, second;
  friend bool operator==(const PairOf&, const PairOf&) = default;
};
struct PullType {  // [t]
  Ref<Type> element;
  friend bool operator==(const PullType&, const PullType&) = default;
};
struct PushType {  // [t]<level>
  Ref<Type> element;
  Level level;
  friend bool operator==(const PushType&, const PushType&) = default;
};
struct Arrow {  // from -> to
  Ref<Type> from, to;
  friend bool operator==(const Arrow&, const Arrow&) = default;
};
struct LevelArrow {  // <variable> -> to
  std::string variable;
  Ref<Type> to;
  friend bool operator==(const LevelArrow&, const LevelArrow&) = default;
};
struct Type {
  std::variant<ScalarType, NamedType, PairOf, PullType, PushType, Arrow, LevelArrow> node;  // I32, F64 or Bool
  friend bool operator==(const Type&, const Type&) = default;
};
inline const Type int_type{ScalarType::I32}, double_type{ScalarType::F64}, bool_type{ScalarType::Bool};
inline Type named_type(std::string n) { return {NamedType{std::move(n)}}; }
inline Type pair_of(Type a, Type b) { return {PairOf{std::move(a), std::move(b)}}; }
inline Type pull(Type element) { return {PullType{std::move(element)}}; }
inline Type push(Type element, Level l) { return {PushType{std::move(element), std::move(l)}}; }
inline Type arrow(Type from, Type to) { return {Arrow{std::move(from), std::move(to)}}; }
inline Type level_arrow(std::string variable, Type to) { return {LevelArrow{std::move(variable), std::move(to)}}; }
template <class T>
const T* as(const Type& t) {
  return std::get_if<T>(&t.node);
}
std::string show(const Type& t);  // "<lvl> -> (a -> a -> a) -> [a] -> [a]<lvl>"

// From the narrowest. BT: scalars and pairs of BT; GT: BT, arrays, pairs of GT; TYP: all.
enum class Kind : unsigned char { Base, Ground, Any };
std::string_view show(Kind k);  // "BT"

// The names that a type leaves open, in the order in which they stand.
struct OpenNames {
  std::vector<std::string> types, levels;
};
OpenNames open_names(const Type& t);

}  // namespace lockstep::fcl
