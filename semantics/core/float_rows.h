// For the rows of functions of floats: a family is a file, float_functions() joins them.
#pragma once
#include <cmath>

#include "semantics/core/bounded.h"
#include "semantics/core/exact.h"

namespace lockstep {

using Exacts = std::span<const exact_reals::Number>;
using Boundeds = std::span<const bounded_reals::Bounded>;

// f of a generic lambda of three numbers.
template <class F>
constexpr OnFloats on_floats(F f) {
  return {f, f};
}

// What a function of the C library is on machines' floats.
#define LIBRARY(f) on_floats([](auto x, auto, auto) { return std::f(x); })
#define LIBRARY_OF_TWO(f) on_floats([](auto x, auto y, auto) { return std::f(x, y); })

std::vector<const FloatFunction*> float_arithmetic();  // + - * / neg fma abs min max
std::vector<const FloatFunction*> float_whole();       // floor ceil round trunc
std::vector<const FloatFunction*> float_curves();      // of one number, monotone or nearly so
std::vector<const FloatFunction*> float_angles();      // sin cos tan atan2
std::vector<const FloatFunction*> float_powers();      // sqrt pow

}  // namespace lockstep
