// Patterns that are names and tuples of patterns, whichever language's: nodes with a `name`, or with `items`.
#pragma once
#include <string>

#include "semantics/core/ref.h"

namespace lockstep::reading {

// f on each name that is bound, and the pattern that it is, from the left to the right; `_` binds none.
template <class Pattern, class F>
void each_name(Pattern& p, const F& f) {
  match(p.node, [&](auto& node) {
    if constexpr (requires { node.items; })
      for (auto& item : node.items) each_name(item, f);
    else if (node.name != "_")
      f(node.name, p);
  });
}

// "(a, (_, b))"
template <class Pattern>
std::string pattern_text(const Pattern& p) {
  return match(p.node, [&](const auto& node) -> std::string {
    if constexpr (requires { node.items; }) {
      std::string out;
      for (const auto& item : node.items) out += (out.empty() ? "(" : ", ") + pattern_text(item);
      return out + ")";
    } else {
      return node.name;
    }
  });
}

}  // namespace lockstep::reading
