// Where C++ may be made wrong by one edit: conditions negated, boundaries shifted, statements dropped, operands and
// arguments exchanged. It knows tokens and brackets, and the layout that clang-format gives; what it makes need not
// compile.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace lockstep::mutate {

enum class Kind { Negated, Shifted, Dropped, Exchanged, Changed };  // the last by hand
inline constexpr std::array drawn{Kind::Negated, Kind::Shifted, Kind::Dropped, Kind::Exchanged};
std::string_view name_of(Kind kind);

// The bytes [begin, end) of a file and what stands there instead.
struct Edit {
  Kind kind;
  std::size_t begin, end;
  std::string text;
};
// In the bodies of functions, in the order of their places.
std::vector<Edit> edits_of(const std::string& source);

}  // namespace lockstep::mutate
