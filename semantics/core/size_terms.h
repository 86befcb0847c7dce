// Sizes from the terms of their normal form: for the files that compute with it (size.cpp, size_context.cpp,
// size_text.cpp, size_values.cpp).
#pragma once
#include "semantics/core/size.h"

namespace lockstep {

using SizeTerms = std::vector<SizeTerm>;
using SizePowers = std::vector<std::pair<SizeAtom, int>>;

struct SizeMaker {
  static Size make(SizeTerms terms);  // of a normal form
};

// a / b as products, where b divides a.
std::optional<SizePowers> divide(const SizePowers& a, const SizePowers& b);
std::int64_t floor_quotient(std::int64_t a, std::int64_t b);

}  // namespace lockstep
