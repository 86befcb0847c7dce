// L0 §2.3: normal form.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Of a typed program without tuples. Actual arguments, inputs and starts of combinators are variables or constants; a
// call, a built-in, an array, a combinator and an `if` is the whole right side of a `let`; no right side is a block;
// an `if`'s condition is no `if`. What is evaluated first still is.
Program normalised(const Program& p);

// What of it does not hold, in words; "" where all does.
std::string why_not_normal(const Program& p);

}  // namespace lockstep::l0
