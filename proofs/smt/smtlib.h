// Terms as SMT-LIB 2.6, for solvers that are programs; and whether the text is the question, by Z3, which is given
// terms by its functions otherwise.
#pragma once
#include "proofs/smt/solver.h"

namespace lockstep::proofs::smt {

// A script that asks whether all of them can hold, and then for the value of each free name but stores and elements.
std::string script_of(const std::vector<Term>& assertions);
// The values that the solver gave, a line each; of bits and floats as SMT-LIB writes them.
std::map<std::string, std::string> values_in(const std::string& answer, const std::vector<Term>& assertions);

// Where Z3 reads something else than the terms in the text; "" where it is them, assertion by assertion.
std::string difference_of_text(const std::vector<Term>& assertions, const std::string& script);
const Solver& z3_by_text();  // of a refutation it gives no model

}  // namespace lockstep::proofs::smt
