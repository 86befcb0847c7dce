// Errors that are none where two arguments, or the parameters of a function, stand in the other order.
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

// The error at `told_at` is said anew where another order would do. `untouched`: the work before its body was read.
// An error in an argument of a call that is none when two of the arguments are exchanged; whether it is one.
bool explain_order(const surface::Definition& d, const std::vector<MisfitCall>& misfits, const Work& untouched,
                   std::size_t told_at);
// An error in a function of reduce or scan that is none when its parameters are exchanged.
void explain_accumulator(const surface::Definition& d, const std::vector<Region>& functions, const Work& untouched,
                         std::size_t told_at);

}  // namespace lockstep::inference
