// The types of scalars.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "semantics/core/table.h"

namespace lockstep {

enum class ScalarType : unsigned char { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64 };
inline constexpr auto scalar_types = [] {
  std::array<ScalarType, static_cast<std::size_t>(ScalarType::F64) + 1> all{};
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<ScalarType>(k);
  return all;
}();

struct ScalarFacts {
  std::string_view name;
  int bits, bytes;  // in memory
  enum Kind { Bool, Signed, Unsigned, Float } kind;
};
inline constexpr auto scalar_facts =
    table<ScalarType, ScalarFacts>({{ScalarType::Bool, {"bool", 1, 1, ScalarFacts::Bool}},
                                    {ScalarType::I8, {"i8", 8, 1, ScalarFacts::Signed}},
                                    {ScalarType::U8, {"u8", 8, 1, ScalarFacts::Unsigned}},
                                    {ScalarType::I16, {"i16", 16, 2, ScalarFacts::Signed}},
                                    {ScalarType::U16, {"u16", 16, 2, ScalarFacts::Unsigned}},
                                    {ScalarType::I32, {"i32", 32, 4, ScalarFacts::Signed}},
                                    {ScalarType::U32, {"u32", 32, 4, ScalarFacts::Unsigned}},
                                    {ScalarType::I64, {"i64", 64, 8, ScalarFacts::Signed}},
                                    {ScalarType::U64, {"u64", 64, 8, ScalarFacts::Unsigned}},
                                    {ScalarType::F32, {"f32", 32, 4, ScalarFacts::Float}},
                                    {ScalarType::F64, {"f64", 64, 8, ScalarFacts::Float}}});

constexpr std::string_view show(ScalarType t) { return scalar_facts[t].name; }
std::string names_of_scalars();  // all of them, "bool i8 ..."
std::optional<ScalarType> scalar_named(std::string_view name);
constexpr bool is_float(ScalarType t) { return scalar_facts[t].kind == ScalarFacts::Float; }
constexpr bool is_signed(ScalarType t) { return scalar_facts[t].kind == ScalarFacts::Signed; }
constexpr bool is_integer(ScalarType t) { return is_signed(t) || scalar_facts[t].kind == ScalarFacts::Unsigned; }
constexpr int bits_of(ScalarType t) { return scalar_facts[t].bits; }  // of an integer or float; 1 for bool
constexpr int bytes_of(ScalarType t) { return scalar_facts[t].bytes; }

}  // namespace lockstep
