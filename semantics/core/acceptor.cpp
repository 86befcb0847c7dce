// Acceptors as trees of cells.
#include "semantics/core/acceptor.h"

#include "semantics/core/diagnostic.h"

namespace lockstep {

Acceptor acceptor_pair(Acceptor first, Acceptor second) {
  return {std::make_shared<const PairOfAcceptors>(PairOfAcceptors{std::move(first), std::move(second)})};
}
Acceptor acceptor_array(std::int64_t n, std::function<Acceptor(std::int64_t)> at) {
  return {std::make_shared<const ArrayOfAcceptors>(ArrayOfAcceptors{n, std::move(at)})};
}

Acceptor component_of(const Acceptor& a, int k) {
  if (const auto* both = std::get_if<std::shared_ptr<const PairOfAcceptors>>(&a.node))
    return k == 1 ? (*both)->first : (*both)->second;
  const auto* cells = std::get_if<Cells>(&a.node);
  if (!cells || cells->layout->kind != Layout::Kind::Pair) throw Bug("an acceptor of another shape");
  const Cells& p = *cells;
  if (k == 1) return {Cells{p.layout->first, p.offset, p.through}};
  return {Cells{p.layout->second, p.offset + p.layout->first->cells, p.through}};
}

Acceptor element_of(const Acceptor& a, std::int64_t i) {
  const auto inside = [i](std::int64_t n) {
    if (i < 0 || i >= n) throw Bug("element " + std::to_string(i) + " of an acceptor of " + std::to_string(n));
  };
  if (const auto* array = std::get_if<std::shared_ptr<const ArrayOfAcceptors>>(&a.node)) {
    inside((*array)->length);
    return (*array)->at(i);
  }
  const auto* p = std::get_if<Cells>(&a.node);
  if (!p || (p->layout->kind != Layout::Kind::Array && p->layout->kind != Layout::Kind::Vector))
    throw Bug("an acceptor of another shape");
  inside(p->layout->length);
  return {Cells{p->layout->first, p->offset + i * p->layout->first->cells, p->through}};
}

}  // namespace lockstep
