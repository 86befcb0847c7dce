// Arrays as functions from indices to elements, and views of them by the table of equations: what laws about programs
// of views are written in.
#pragma once
#include "proofs/calculus/views/equations.h"

namespace lockstep::proofs {

using ArrayTerm = std::function<Term(const std::vector<Term>& indices)>;

ArrayTerm array_named(const std::string& n);  // its elements are unknown
// The standard view by its equation, its sizes as given ("k" to a term). Widths of short vectors must be numbers.
ArrayTerm through(const std::string& view, const std::map<std::string, Term>& sizes,
                  const std::vector<ArrayTerm>& arguments);
// An unknown function on every element, at any depth.
ArrayTerm mapped(const std::string& function, const ArrayTerm& xs);

}  // namespace lockstep::proofs
