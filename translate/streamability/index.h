// Numbers of things of five kinds, each of a type of its own: none is used for one of another, or as a number, without
// a word.
#pragma once
#include <compare>
#include <cstddef>
#include <utility>
#include <vector>

namespace lockstep::streaming {

template <class Kind>
class Index {
 public:
  constexpr Index() = default;
  constexpr explicit Index(std::size_t number) : number_(number) {}
  constexpr std::size_t number() const { return number_; }
  friend constexpr auto operator<=>(const Index&, const Index&) = default;

 private:
  std::size_t number_ = 0;
};

using ClockId = Index<struct OfClocks>;
using TraversalId = Index<struct OfTraversals>;
using Event = Index<struct OfEvents>;
using ValueId = Index<struct OfValues>;
using InstrIndex = Index<struct OfInstructions>;  // its place in the program; a StreamId is its name there

// A vector that is read by indices of one kind.
template <class I, class T>
class Numbered {
 public:
  Numbered() = default;
  Numbered(std::size_t size, const T& value) : items_(size, value) {}
  I add(T item) {
    items_.push_back(std::move(item));
    return I(items_.size() - 1);
  }
  T& operator[](I i) { return items_[i.number()]; }
  const T& operator[](I i) const { return items_[i.number()]; }
  std::size_t size() const { return items_.size(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
};

// Sets that only ever merge.
template <class I>
class Classes {
 public:
  I add() { return parent_.add(I(parent_.size())); }
  I find(I x) const {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(I x, I y) { parent_[find(y)] = find(x); }  // x's representative stays
  bool same(I x, I y) const { return find(x) == find(y); }
  std::size_t size() const { return parent_.size(); }

 private:
  mutable Numbered<I, I> parent_;
};

}  // namespace lockstep::streaming
