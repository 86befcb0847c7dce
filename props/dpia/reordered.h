// Results of programs that compute the same on the reals, and round otherwise.
#pragma once
#include "props/dpia/shown.h"

namespace lockstep::props {

// Of the exact domain. Equal on the reals; wide floats, where there is no rational, to more digits than any target has.
bool same_reals(const Outcome& a, const Outcome& b);
std::string shown_on_reals(const Outcome& o, const Type& type, const SizeValues& sizes);

}  // namespace lockstep::props
