// What acceptors denote: trees of cells of a store, as values are trees of scalars. The primitives' files say with
// them what the acceptors of views mean.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "semantics/core/type.h"

namespace lockstep {

// A data type at given sizes, with the cells that its parts take. Arrays row-major, components one after the other.
struct Layout {
  enum class Kind { Scalar, Vector, Array, Pair } kind;
  ScalarType scalar = ScalarType::Bool;  // of Scalar and Vector; i64 for an index
  std::int64_t length = 1;               // of Vector and Array
  const Layout* first = nullptr;         // the element of Array, the components of Pair
  const Layout* second = nullptr;
  std::int64_t cells = 1;
};

struct Acceptor;
struct Rearranged;
struct Cells {  // [offset, offset + layout.cells) of the store, or of what a rearrangement stands for
  const Layout* layout;
  std::int64_t offset;
  std::shared_ptr<const Rearranged> through{};
};
struct PairOfAcceptors;
struct ArrayOfAcceptors {  // lanes of a short vector too
  std::int64_t length;
  std::function<Acceptor(std::int64_t)> at;
};
struct Acceptor {
  std::variant<Cells, std::shared_ptr<const PairOfAcceptors>, std::shared_ptr<const ArrayOfAcceptors>> node;
};
struct PairOfAcceptors {
  Acceptor first;
  Acceptor second;
};
// Leaf k of the argument of a view is leaf position[k] of its result, whose acceptor is `result`.
struct Rearranged {
  Acceptor result;
  const Layout* layout;  // of the result
  std::shared_ptr<const std::vector<std::int64_t>> position;
};

Acceptor component_of(const Acceptor& a, int k);         // 1, 2
Acceptor element_of(const Acceptor& a, std::int64_t i);  // of an array, or a lane
Acceptor acceptor_pair(Acceptor first, Acceptor second);
Acceptor acceptor_array(std::int64_t n, std::function<Acceptor(std::int64_t)> at);

}  // namespace lockstep
