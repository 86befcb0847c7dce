// The obligations of the calculus are written in the solver's terms: their names are at hand in the folders below.
#pragma once
#include "proofs/smt/term.h"

namespace lockstep::proofs {

using namespace smt;

}  // namespace lockstep::proofs
