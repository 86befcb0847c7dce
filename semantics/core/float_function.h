// A function of floats: a row that says what it is in each number domain, on machines' floats, on exact numbers and on
// bounded ones. Rows are in float_arithmetic, float_whole, float_curves, float_angles and float_powers.cpp.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "semantics/core/number.h"

namespace lockstep {

namespace exact_reals {
struct Number;
}
namespace bounded_reals {
struct Bounded;
}

// Of one to three numbers; what is too many is not looked at.
struct OnFloats {
  float (*narrow)(float, float, float);
  double (*wide)(double, double, double);
};

struct FloatFunction {
  std::string_view name;       // the C library's, of doubles
  std::string_view summary{};  // of the operator of this name; empty where an operator is made of it otherwise
  int arity = 1;
  // How far a library's function may be from the real one, in units in the last place. A half: it is rounded correctly,
  // so that every machine gives the same.
  double ulps = 0.5;
  OnFloats ieee;
  // Of finite numbers. Where one is infinite or NaN it is as IEEE, and the others lend their signs and rough sizes.
  exact_reals::Number (*exact)(const FloatFunction& f, std::span<const exact_reals::Number> x);
  // The same; throws UndecidedSignal.
  bounded_reals::Bounded (*bounded)(const FloatFunction& f, std::span<const bounded_reals::Bounded> x, ScalarType t);
  bool chooses = false;  // what it gives is one of two operands, infinite and NaN ones too
  bool by_signs = true;  // beside an infinity nothing but the signs of finite operands counts
};

// Those that operators are made of.
namespace floats {
extern const FloatFunction add, subtract, multiply, divide, negate, fma, abs, min, max, floor, ceil;
}

const std::vector<const FloatFunction*>& float_functions();        // all rows
const FloatFunction& float_function_named(std::string_view name);  // a Bug where there is none

}  // namespace lockstep
