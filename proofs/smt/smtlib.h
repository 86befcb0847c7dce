// Terms as SMT-LIB 2.6, for solvers that are programs.
#pragma once
#include "proofs/smt/term.h"

namespace lockstep::proofs::smt {

std::string smtlib_of(const Term& t);
// A script that asks whether all of them can hold, and then for the values of their free names.
std::string script_of(const std::vector<Term>& assertions);
// The values that a solver gives for those names, by name as a person reads them; stores and elements are left out.
std::map<std::string, std::string> values_in(const std::string& answer, const std::vector<Term>& assertions);
// For people: a number of that sort from its bits, as IEEE has them.
std::string shown_bits(Sort s, std::uint64_t bits);

}  // namespace lockstep::proofs::smt
