// Acceptors in the store. One of a view is what the view's file says that it means, or is made from the view's meaning;
// never from its write path: that is what runs are there to check.
#pragma once
#include "semantics/imperative/store.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

std::int64_t cell_of(const Acceptor& scalar);
void write(Store& store, const Acceptor& a, const Layout& layout, const Value& value);  // all of it, in order

// The value that stands in a place, read when it is forced.
Value value_at(Store& store, const Layout& layout, std::int64_t cell);

using AcceptorFunction = std::function<Acceptor(const Acceptor&)>;
// Of any view that only moves elements: its meaning is asked once where it takes each element of argument `k` from.
// A Bug where an element of the argument does not turn up in the result exactly once.
AcceptorFunction inverted_acceptor(const View& view, const std::vector<std::int64_t>& sizes, std::size_t k,
                                   const std::vector<const Layout*>& arguments, const Layout& result);

}  // namespace lockstep
