// For the rows of functions of floats: a family is a file, float_functions() joins them.
#pragma once
#include <sleef.h>

#include <cmath>

#include "semantics/core/bounded.h"
#include "semantics/core/exact.h"
#include "semantics/core/logarithm.h"

namespace lockstep {

using Exacts = std::span<const exact_reals::Number>;
using Boundeds = std::span<const bounded_reals::Bounded>;

// f of a generic lambda of three numbers.
template <class F>
constexpr OnFloats on_floats(F f) {
  return {f, f};
}

// On machines' floats a function that IEEE does not round is SLEEF's, of the family without fma: the same bits on every
// machine, and of vectors of every width (codegen/dialects/cpp.cpp names the same family).
#define LIBRARY(f)                                                              \
  OnFloats {                                                                    \
    [](float x, float, float) { return Sleef_cinz_##f##f1_u10purec(x); },       \
        [](double x, double, double) { return Sleef_cinz_##f##d1_u10purec(x); } \
  }
#define LIBRARY_OF_TWO(f)                                                            \
  OnFloats {                                                                         \
    [](float x, float y, float) { return Sleef_cinz_##f##f1_u10purec(x, y); },       \
        [](double x, double y, double) { return Sleef_cinz_##f##d1_u10purec(x, y); } \
  }
// And above the limits of `large`, a constant, what that says.
#define LIBRARY_BELOW(f, large)                                                                              \
  OnFloats {                                                                                                 \
    [](float x, float, float) { return or_large(large, x, large.narrow, Sleef_cinz_##f##f1_u10purec); },     \
        [](double x, double, double) { return or_large(large, x, large.wide, Sleef_cinz_##f##d1_u10purec); } \
  }

inline float library_log(float x) { return Sleef_cinz_logf1_u10purec(x); }
inline double library_log(double x) { return natural_log(x); }
inline float library_exp(float x) { return Sleef_cinz_expf1_u10purec(x); }
inline double library_exp(double x) { return Sleef_cinz_expd1_u10purec(x); }

template <class F, class Function>
F or_large(const Large& large, F x, double limit, Function f) {
  const F size = large.side != Large::Side::Right && x < 0 ? -x : x;
  if (!(size > F(limit))) return f(x);
  const F y = large.by == Large::By::HalfExp      ? library_exp(size - 1) * F(half_e)
              : large.by == Large::By::LogOfTwice ? library_log(size) + F(log_of_2)
                                                  : library_log(size);
  return large.side == Large::Side::Odd && x < 0 ? -y : y;
}

std::vector<const FloatFunction*> float_arithmetic();  // + - * / neg fma abs min max
std::vector<const FloatFunction*> float_whole();       // floor ceil round trunc
std::vector<const FloatFunction*> float_curves();      // of one number, monotone or nearly so
std::vector<const FloatFunction*> float_angles();      // sin cos tan atan2
std::vector<const FloatFunction*> float_powers();      // sqrt pow

}  // namespace lockstep
