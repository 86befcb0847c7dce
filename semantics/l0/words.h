// The words of L0's built-ins, one table for its reader and its printer.
#pragma once
#include "semantics/core/table.h"
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

struct BuiltInWord {
  std::string_view name;
  std::size_t least, most;  // arguments
};
inline constexpr std::size_t any_number = 1000;
inline constexpr auto built_in_words = table<BuiltIn, BuiltInWord>({{BuiltIn::Zip, {"zip", 2, any_number}},
                                                                    {BuiltIn::AssertZip, {"assertZip", 2, any_number}},
                                                                    {BuiltIn::Unzip, {"unzip", 1, 1}},
                                                                    {BuiltIn::Iota, {"iota", 1, 1}},
                                                                    {BuiltIn::Size, {"size", 1, 1}},
                                                                    {BuiltIn::Transpose, {"transpose", 1, 1}},
                                                                    {BuiltIn::Copy, {"copy", 1, 1}},
                                                                    {BuiltIn::Replicate, {"replicate", 2, 2}},
                                                                    {BuiltIn::Split, {"split", 2, 2}},
                                                                    {BuiltIn::Concat, {"concat", 2, 2}}});
inline constexpr std::size_t built_in_count = static_cast<std::size_t>(BuiltIn::Concat) + 1;

struct SoacWord {
  std::string_view name;
  std::size_t functions;
  std::size_t least, most;  // arguments
  bool folds;               // it has starts, and a function of accumulators
  Soac several;             // the same of several arrays, giving a tuple of arrays; itself where it is that
};
inline constexpr auto soac_words =
    table<Soac, SoacWord>({{Soac::Map, {"map", 1, 1, 1, false, Soac::Map2}},
                           {Soac::Filter, {"filter", 1, 1, 1, false, Soac::Filter2}},
                           {Soac::Reduce, {"reduce", 1, 2, 2, true, Soac::Reduce2}},
                           {Soac::Scan, {"scan", 1, 2, 2, true, Soac::Scan2}},
                           {Soac::Map2, {"map2", 1, 1, any_number, false, Soac::Map2}},
                           {Soac::Filter2, {"filter2", 1, 1, any_number, false, Soac::Filter2}},
                           {Soac::Reduce2, {"reduce2", 1, 2, any_number, true, Soac::Reduce2}},
                           {Soac::Scan2, {"scan2", 1, 2, any_number, true, Soac::Scan2}},
                           {Soac::Redomap, {"redomap", 2, 2, any_number, true, Soac::Redomap2}},
                           {Soac::Redomap2, {"redomap2", 2, 2, any_number, true, Soac::Redomap2}}});
inline constexpr std::size_t soac_count = static_cast<std::size_t>(Soac::Redomap2) + 1;

inline std::string_view name_of(BuiltIn op) { return built_in_words[op].name; }
inline std::string_view name_of(Soac op) { return soac_words[op].name; }
inline bool is_of_several(Soac op) { return soac_words[op].several == op; }
inline std::optional<BuiltIn> built_in_named(std::string_view word) {
  for (std::size_t k = 0; k < built_in_count; ++k)
    if (name_of(static_cast<BuiltIn>(k)) == word) return static_cast<BuiltIn>(k);
  return std::nullopt;
}
inline std::optional<Soac> soac_named(std::string_view word) {
  for (std::size_t k = 0; k < soac_count; ++k)
    if (name_of(static_cast<Soac>(k)) == word) return static_cast<Soac>(k);
  return std::nullopt;
}

}  // namespace lockstep::l0
