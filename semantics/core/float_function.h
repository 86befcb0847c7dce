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

// A library's function that gives an infinity of large numbers, where the real one is finite: above the limit it is
// made of another. The same operations in the meaning (float_rows.h) and in the definition
// (semantics/scalars/math.cpp).
struct Large {
  enum class Side { Right, Both, Odd };              // of x above the limit; of |x|; of |x|, with the sign of x
  enum class By { None, Log, LogOfTwice, HalfExp };  // log x; log x + log 2; e^(x - 1) (e / 2)
  By by = By::None;
  Side side = Side::Right;
  double narrow = 0, wide = 0;  // the limits
};
constexpr double log_of_2 = 0x1.62e42fefa39efp-1, half_e = 0x1.5bf0a8b145769p+0;

struct FloatFunction {
  std::string_view name;       // the C library's, of doubles
  std::string_view summary{};  // of the operator of this name; empty where an operator is made of it otherwise
  int arity = 1;
  // How far a library's function may be from the real one, in units in the last place. A half: it is rounded correctly,
  // so that every machine gives the same.
  double ulps = 0.5;
  bool instruction = false;  // processors have one for it
  OnFloats ieee;
  // Of finite numbers. Where one is infinite or NaN it is as IEEE, and the others lend their signs and rough sizes.
  exact_reals::Number (*exact)(const FloatFunction& f, std::span<const exact_reals::Number> x);
  // The same; throws UndecidedSignal.
  bounded_reals::Bounded (*bounded)(const FloatFunction& f, std::span<const bounded_reals::Bounded> x, ScalarType t);
  Large large{};
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
