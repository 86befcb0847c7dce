// What acceptors denote: trees of places in the store. An acceptor of a view is made from the view's meaning, or
// directly for the views of the paper, never from its write path: that is what runs are there to check.
#pragma once
#include "semantics/imperative/store.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

struct Acceptor;
struct Rearranged;
struct Place {  // cells [offset, offset + layout.cells) of the store, or of what a rearrangement stands for
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
  std::variant<Place, std::shared_ptr<const PairOfAcceptors>, std::shared_ptr<const ArrayOfAcceptors>> node;
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
std::int64_t cell_of(const Acceptor& scalar);
void write(Store& store, const Acceptor& a, const Layout& layout, const Value& value);  // all of it, in order

// The value that stands in a place, read when it is forced.
Value value_at(Store& store, const Layout& layout, std::int64_t cell);

using AcceptorFunction = std::function<Acceptor(const Acceptor&)>;
// Acceptors of the views of languages.md by their names, at the view's sizes; empty where the name is not known.
AcceptorFunction direct_acceptor(const std::string& name, const std::vector<std::int64_t>& sizes);
// Of any view that only moves elements: its meaning is asked once where it takes each element of argument `k` from.
// A Bug where an element of the argument does not turn up in the result exactly once.
AcceptorFunction inverted_acceptor(const View& view, const std::vector<std::int64_t>& sizes, std::size_t k,
                                   const std::vector<const Layout*>& arguments, const Layout& result);

}  // namespace lockstep
