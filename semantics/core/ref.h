// Trees: Ref<T>, a shared pointer to const with structural equality, is their edge; match, a case for each alternative
// of a node, is how they are read.
#pragma once
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace lockstep {

template <class T>
class Ref {
 public:
  Ref(T value) : p_(std::make_shared<const T>(std::move(value))) {}
  const T& operator*() const { return *p_; }
  const T* operator->() const { return p_.get(); }
  const T* get() const { return p_.get(); }
  friend bool operator==(const Ref& a, const Ref& b) { return a.p_ == b.p_ || *a.p_ == *b.p_; }

 private:
  std::shared_ptr<const T> p_;
};

// One function object out of several lambdas.
template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

// A part of a tree, const where the tree is: of a function over trees to read and copies to change.
template <class Tree, class Part>
using Like = std::conditional_t<std::is_const_v<Tree>, const Part, Part>;

// One case for several alternatives, each named: `const OneOf<A, B> auto&`.
template <class T, class... Alternatives>
concept OneOf = (std::same_as<T, Alternatives> || ...);

// What the cases make of the alternative that stands in a variant; one that is left out does not compile.
template <class Variant, class... F>
decltype(auto) match(Variant&& node, F&&... cases) {
  return std::visit(Cases{std::forward<F>(cases)...}, std::forward<Variant>(node));
}

}  // namespace lockstep
