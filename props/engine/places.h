// Places in a tree of any language, counted in preorder: what stands there, and putting something else there. A
// language gives each_child(tree, f), which calls f on the children, or on the Refs to them, in their order.
#pragma once
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/ref.h"

namespace lockstep::props {

template <class Tree>
const Tree& tree_at(const Tree& tree) {
  return tree;
}
template <class Tree>
const Tree& tree_at(const Ref<Tree>& edge) {
  return *edge;
}

template <class Tree>
concept HasChildren = requires(const Tree& t) {
  each_child(t, [](const auto&) {});
};

template <HasChildren Tree>
std::vector<const Tree*> children(const Tree& e) {
  std::vector<const Tree*> out;
  each_child(e, [&](const auto& c) { out.push_back(&tree_at(c)); });
  return out;
}

template <HasChildren Tree>
Tree with_child(Tree e, std::size_t k, const Tree& child) {
  std::size_t at = 0;
  each_child(e, [&](auto& c) {
    if (at++ == k) c = child;
  });
  return e;
}

template <HasChildren Tree>
std::size_t node_count(const Tree& e) {
  std::size_t n = 1;
  each_child(e, [&](const auto& c) { n += node_count(tree_at(c)); });
  return n;
}

template <HasChildren Tree>
const Tree& subtree(const Tree& e, std::size_t k) {
  if (k == 0) return e;
  --k;
  for (const Tree* child : children(e)) {
    const std::size_t n = node_count(*child);
    if (k < n) return subtree(*child, k);
    k -= n;
  }
  throw Bug("a place beyond the expression");
}

template <HasChildren Tree>
Tree replaced(const Tree& e, std::size_t k, const Tree& by) {
  if (k == 0) return by;
  --k;
  const auto parts = children(e);
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const std::size_t n = node_count(*parts[c]);
    if (k < n) return with_child(e, c, replaced(*parts[c], k, by));
    k -= n;
  }
  throw Bug("a place beyond the expression");
}

// Those below e, the first ones in preorder.
template <HasChildren Tree>
std::vector<Tree> subtrees_below(const Tree& e, std::size_t at_most) {
  std::vector<Tree> out;
  for (std::size_t k = 1, all = node_count(e); k < all && out.size() < at_most; ++k) out.push_back(subtree(e, k));
  return out;
}

// e with `by` for every Name node (a leaf that has a name) called so.
template <class Name, HasChildren Tree>
Tree substituted(const Tree& e, const std::string& name, const Tree& by) {
  if (const auto* n = std::get_if<Name>(&e.node)) return n->name == name ? by : e;
  Tree out = e;
  each_child(out, [&](auto& c) { c = substituted<Name>(tree_at(c), name, by); });
  return out;
}

template <class T>
std::vector<T> without(std::vector<T> all, std::size_t k) {
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
  return all;
}

}  // namespace lockstep::props
