// The obligations of the views of a calculus: read paths against equations, acceptors against read paths, equations
// against meanings. All follow from the view's facets; where its equation cannot be read, they are unknown.
#pragma once
#include "proofs/calculus/obligation.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::proofs {

std::vector<Obligation> read_path_obligations(const CalculusRef& calculus, const std::string& view);
std::vector<Obligation> acceptor_obligations(const CalculusRef& calculus, const std::string& view);
std::vector<Obligation> meaning_obligations(const CalculusRef& calculus, const std::string& view);

inline std::vector<Obligation> view_obligations(const CalculusRef& calculus, const std::string& view) {
  std::vector<Obligation> all = read_path_obligations(calculus, view);
  for (Obligation& o : acceptor_obligations(calculus, view)) all.push_back(std::move(o));
  for (Obligation& o : meaning_obligations(calculus, view)) all.push_back(std::move(o));
  return all;
}

}  // namespace lockstep::proofs
