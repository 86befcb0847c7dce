// Texts with holes (filled.h).
#include "codegen/dialects/filled.h"

#include <algorithm>

#include "semantics/core/diagnostic.h"

namespace lockstep {

std::string filled(std::string_view text, const std::vector<std::string>& operands, const Letters& letters) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '#') {
      out += text[k];
      continue;
    }
    const char hole = text[++k];
    if (hole == '#') {
      out += hole;
      continue;
    }
    if (hole >= '0' && hole <= '9') {
      out += operands.at(static_cast<std::size_t>(hole - '0'));
      continue;
    }
    const auto it = std::find_if(letters.begin(), letters.end(), [&](const auto& l) { return l.first == hole; });
    if (it == letters.end()) throw Bug("a text has a hole #" + std::string(1, hole) + " that nothing fills");
    out += it->second;
  }
  return out;
}

}  // namespace lockstep
