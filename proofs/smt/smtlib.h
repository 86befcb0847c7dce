// Terms as SMT-LIB 2.6, for solvers that are programs.
#pragma once
#include "proofs/smt/term.h"

namespace lockstep::proofs::smt {

// A script that asks whether all of them can hold, and then for the value of each free name but stores and elements.
std::string script_of(const std::vector<Term>& assertions);
// The values that the solver gave, a line each; of bits and floats as SMT-LIB writes them.
std::map<std::string, std::string> values_in(const std::string& answer, const std::vector<Term>& assertions);

}  // namespace lockstep::proofs::smt
