// The natural logarithm of doubles, of IEEE additions, products and one division alone, so that every target gives the
// same bits, and a compiler makes vectors of it. It takes half the time of SLEEF's, or less. Within one unit in the
// last place (tests/unit/logarithm_test.cpp); log 0 is minus infinity, of negative numbers NaN.
#pragma once

namespace lockstep {

double natural_log(double x);

}  // namespace lockstep
