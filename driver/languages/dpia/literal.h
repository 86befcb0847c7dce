// Literals of the command line (languages.md §4): 3, -1.5, [1,2,3], [[1,2],[3,4]], (1,2.5), inf, nan, true. A short
// vector is written <1,2> (as results print it) or as a list.
#pragma once
#include <tl/expected.hpp>

#include "codegen/targets/executable.h"

namespace lockstep::driver {

struct Literal {
  enum class Kind { Word, List, Tuple, Lanes } kind = Kind::Word;
  std::string word;  // a number or a name
  std::vector<Literal> parts;
  std::size_t column = 0;  // zero-based, in the text
};
tl::expected<Literal, std::string> parse_literal(const std::string& text);

tl::expected<Scalar, std::string> parse_scalar(ScalarType t, const std::string& word);
tl::expected<std::int64_t, std::string> parse_natural(const std::string& word);

// The leaves of a literal of a type. A dimension inside an empty list cannot be seen: then it is nothing.
struct LiteralLeaves {
  std::vector<std::vector<std::optional<std::int64_t>>> dims;  // lanes not counted
  std::vector<std::vector<Scalar>> scalars;
};
tl::expected<LiteralLeaves, std::string> fit_literal(const Literal& literal, const Type& type);

}  // namespace lockstep::driver
