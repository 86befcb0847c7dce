// The equations of the views: which element of which argument an element of the result is. Written apart from meanings,
// read paths and acceptors; proofs hold the paths against them, tests hold them against the meanings.
#pragma once
#include "proofs/calculus/views/symbolic_view.h"

namespace lockstep::proofs {

// An element of the result that an equation speaks of.
struct ElementAt {
  const SymbolicView& view;
  const Place& place;  // in the result
  int lane = 0;        // where the place is a whole short vector

  Term i(std::size_t k = 0) const;  // the k-th index, lanes included
  int component() const;            // 1, 2: the first projection
  Term size(std::string_view name) const;
  // The element of argument k at these indices and projections.
  Term of(std::size_t k, std::vector<Term> indices = {}, std::vector<int> projections = {}) const;
};
struct ViewEquation {
  std::string view;
  std::string text;
  std::function<Term(const ElementAt&)> element;
};
const std::vector<ViewEquation>& view_equations();
const ViewEquation* equation_of(std::string_view view);

}  // namespace lockstep::proofs
