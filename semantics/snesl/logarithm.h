// The natural logarithm of every target, of IEEE additions, products and one division alone, so that each target
// computes the same bits, one element at a time or a vector. Below 1 ulp from the true value
// (tests/unit/snesl_logarithm_test.cpp); log 0 is minus infinity, of negative numbers NaN.
#pragma once

namespace lockstep::snesl {

double natural_log(double x);

}  // namespace lockstep::snesl
