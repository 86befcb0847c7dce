// What is advised to those who write .snesl as they write other languages.
#pragma once
#include <span>

#include "semantics/core/diagnostic.h"

namespace lockstep::snesl {

std::span<const Habit> function_habits();  // map, sort, length, ...
std::span<const Habit> operator_habits();  // and, mod, ...: between two operands

inline constexpr std::string_view go_over_vector = "a comprehension goes over its elements: {... : x in seq(v)}";
inline constexpr std::string_view sum_up_digits =
    "a number is summed up of a text's digits: semantics/snesl/README.md shows how";
inline constexpr std::string_view compare_texts =
    "== compares scalars; texts and other vectors by a function: fun same(a, b) = "
    "if #a == #b then reduce-and({a ! i == b ! i : i in &#a}) else false";

}  // namespace lockstep::snesl
