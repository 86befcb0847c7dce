// What Z3 is told besides: checks of loops at the loads in question, and products, where it is weak.
#pragma once
#include "proofs/kernel/prover.h"

namespace lockstep::proofs::kernels {

struct Instantiation {  // of a universal: where the variables are inside, the condition
  Term inside, condition;
};
// What a loop has checked, or an input was given to hold, at the loads that are spoken of.
std::vector<Instantiation> instances(const Known& known, const Term& goal);
// What remainders by a number and masks on i64 are between, of those that are spoken of: x % 3 is above -3 and below 3,
// and natural where x is; x & 7 is natural and at most 7.
std::vector<Term> of_operators(const Known& known, const Term& goal);
// x < y gives (y - x - 1)*m >= 0 for natural m that the goal multiplies by.
std::vector<Term> lemmas(const Known& known, const Term& goal);

}  // namespace lockstep::proofs::kernels
