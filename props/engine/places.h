// Places in a tree of any language, counted in preorder: what stands there, and putting something else there.
// `children`, `count` (of nodes) and `with_child` are the language's.
#pragma once
#include "semantics/core/diagnostic.h"

namespace lockstep::props {

template <class Tree, class Children, class Count>
const Tree& subtree_at(const Tree& e, std::size_t k, const Children& children, const Count& count) {
  if (k == 0) return e;
  --k;
  for (const Tree* child : children(e)) {
    const std::size_t n = count(*child);
    if (k < n) return subtree_at(*child, k, children, count);
    k -= n;
  }
  throw Bug("a place beyond the expression");
}

template <class Tree, class Children, class Count, class WithChild>
Tree replaced_at(const Tree& e, std::size_t k, const Tree& by, const Children& children, const Count& count,
                 const WithChild& with_child) {
  if (k == 0) return by;
  --k;
  const auto parts = children(e);
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const std::size_t n = count(*parts[c]);
    if (k < n) return with_child(e, c, replaced_at(*parts[c], k, by, children, count, with_child));
    k -= n;
  }
  throw Bug("a place beyond the expression");
}

}  // namespace lockstep::props
