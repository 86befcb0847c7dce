// The words of kernel text, for its reader and its printer.
#pragma once
#include "semantics/text/lexer.h"
#include "semantics/text/operators.h"

namespace lockstep::kernel {

inline constexpr std::string_view keywords =
    "kernel input output where of var store stream atomic for unroll alloc parallel with if else while "
    "check barrier comment true false lane build splat block warp by shuffle offset narrow";
inline constexpr std::string_view symbols = "|| && == != <= >= << >> ( ) [ ] { } < > , ; : . = @ ? | ^ & + - * / % !";
inline constexpr reading::Words words{.keywords = keywords,
                                      .symbols = symbols,
                                      .remark = "//",
                                      .name_signs = "_$",
                                      .quotes = true,
                                      .backquotes = true,
                                      .suffixes = true};

// Of a loop's bound and of a size in a fact: before and after them stand comparisons.
inline constexpr int above_comparisons = reading::comparison_level + 1;

}  // namespace lockstep::kernel
