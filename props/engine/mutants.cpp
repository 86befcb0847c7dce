// Patterns of mutants' names (mutants.h).
#include "props/engine/mutants.h"

#include <fnmatch.h>

namespace lockstep::props {

bool is_like(const std::string& name, const std::string& family, const std::string& pattern) {
  std::string literal;  // but for `*`
  for (const char c : pattern) {
    if (c == '?' || c == '[' || c == '\\') literal += '\\';
    literal += c;
  }
  const auto fits = [&](const std::string& word) { return ::fnmatch(literal.c_str(), word.c_str(), 0) == 0; };
  return fits(name) || fits(family);
}

}  // namespace lockstep::props
