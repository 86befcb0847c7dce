// Values of SNESL (§2.2.1) and their sizes (§2.2.2).
#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "semantics/snesl/type.h"

namespace lockstep::snesl {

struct Value;
struct Items;
using Values = std::vector<Value>;
struct Value {
  // Lost: what a trap did not give, where a run goes on past it; among the items of a sequence or vector LostPart is
  // any number of such.
  enum class Kind : unsigned char { Atom, Tuple, Vector, Sequence, Lost, LostPart };
  Kind kind = Kind::Tuple;
  Atom atom;                           // Kind::Atom
  std::shared_ptr<const Items> items;  // of the others; null is none
  std::size_t size() const;
  const Value& operator[](std::size_t i) const;
};
// What a value consists of, with its sizes, which the costs of every operation ask for.
struct Items : Values {
  Items(Value::Kind kind, Values values);
  std::int64_t parallel;   // P
  std::int64_t scalable;   // M
  std::int64_t vectorial;  // N
  std::int64_t atoms;      // |v| of μNESL
};
inline std::size_t Value::size() const { return items ? items->size() : 0; }
inline const Value& Value::operator[](std::size_t i) const { return (*items)[i]; }
inline bool is_lost(const Value& v) { return v.kind == Value::Kind::Lost || v.kind == Value::Kind::LostPart; }
Value lost_value();
Value lost_part();
Value atom_value(Atom a);
Value tuple_value(Values items);
Value vector_value(Values items);
Value sequence_value(Values items);
Value text_value(std::string_view text);  // a vector of Char
bool operator==(const Value& a, const Value& b);
// One line, the literal that would be read back: (1, 2.5), [1, 2, 3], {1, 2}, "text" for a vector of Char. A value does
// not know its type: without it, an empty vector of Char is [].
std::string show(const Value& v, const Type& type);
std::string show(const Value& v);

std::int64_t parallel_size(const Value& v);  // P||v||
struct SequentialSize {
  std::int64_t scalable = 0;   // M
  std::int64_t vectorial = 0;  // N
};
SequentialSize sequential_size(const Value& v);  // S||v||
std::int64_t atom_count(const Value& v);         // |v| of §1.3: vectors and sequences are their elements

}  // namespace lockstep::snesl
