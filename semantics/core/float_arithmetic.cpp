// + - * / neg fma abs min max (float_function.h).
#include "semantics/core/float_rows.h"

namespace lockstep {

using namespace bounded_reals;

namespace {

exact_reals::Number exact_quotient(const FloatFunction&, Exacts x) {
  if (sign_of(x[1]) == 0) return exact_reals::from_double(sign_of(x[0]) / 0.0);
  return exact_reals::divide(x[0], x[1]);
}

bounded_reals::Bounded least_or_greatest(bool least, Boundeds x, ScalarType t) {
  const Bounded &a = x[0], &b = x[1];
  const bool first = least ? a.value < b.value : a.value > b.value;
  const double spread = std::fmax(error(a, t), error(b, t));
  if (mp::abs(a.value - b.value) > add_up(error(a, t), error(b, t)) || spread == 0) return leaf(first ? a : b, t);
  return enclosed(first ? a.value : b.value, spread, t);  // whichever is chosen is no further from it
}

}  // namespace

namespace floats {

const FloatFunction add{
    .name = "+",
    .arity = 2,
    .ieee = on_floats([](auto x, auto y, auto) { return x + y; }),
    .exact = [](const FloatFunction&, Exacts x) { return exact_reals::add(x[0], x[1]); },
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType t) { return bounded_reals::add(x[0], x[1], t); },
};
const FloatFunction subtract{
    .name = "-",
    .arity = 2,
    .ieee = on_floats([](auto x, auto y, auto) { return x - y; }),
    .exact = [](const FloatFunction&, Exacts x) { return exact_reals::add(x[0], exact_reals::negate(x[1])); },
    .bounded = [](const FloatFunction&, Boundeds x,
                  ScalarType t) { return bounded_reals::add(x[0], bounded_reals::negate(x[1]), t); },
};
const FloatFunction multiply{
    .name = "*",
    .arity = 2,
    .ieee = on_floats([](auto x, auto y, auto) { return x * y; }),
    .exact = [](const FloatFunction&, Exacts x) { return exact_reals::multiply(x[0], x[1]); },
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType t) { return bounded_reals::multiply(x[0], x[1], t); },
};
const FloatFunction divide{
    .name = "/",
    .arity = 2,
    .ieee = on_floats([](auto x, auto y, auto) { return x / y; }),
    .exact = exact_quotient,
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType t) { return bounded_reals::divide(x[0], x[1], t); },
};
const FloatFunction negate{
    .name = "neg",
    .ieee = on_floats([](auto x, auto, auto) { return -x; }),
    .exact = [](const FloatFunction&, Exacts x) { return exact_reals::negate(x[0]); },
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType) { return bounded_reals::negate(x[0]); },
};
const FloatFunction fma{
    .name = "fma",
    .summary = "first times second plus third, rounded once",
    .arity = 3,
    .instruction = true,
    .ieee = on_floats([](auto x, auto y, auto z) { return std::fma(x, y, z); }),
    .exact = [](const FloatFunction&, Exacts x) { return exact_reals::add(exact_reals::multiply(x[0], x[1]), x[2]); },
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType t) { return bounded_reals::fma(x[0], x[1], x[2], t); },
};
const FloatFunction abs{
    .name = "fabs",
    .instruction = true,
    .ieee = on_floats([](auto x, auto, auto) { return std::fabs(x); }),
    .exact = [](const FloatFunction&, Exacts x) { return sign_of(x[0]) < 0 ? exact_reals::negate(x[0]) : x[0]; },
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType t) { return leaf(absolute(x[0]), t); },
};

// They ignore a NaN, and of two equal numbers give the second; generated code uses the same expressions.
const FloatFunction min{
    .name = "min",
    .arity = 2,
    .ieee = on_floats([](auto x, auto y, auto) { return x < y || y != y ? x : y; }),
    .exact = [](const FloatFunction&, Exacts x) { return compare(x[0], x[1]) < 0 ? x[0] : x[1]; },
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType t) { return least_or_greatest(true, x, t); },
    .chooses = true,
};
const FloatFunction max{
    .name = "max",
    .arity = 2,
    .ieee = on_floats([](auto x, auto y, auto) { return x > y || y != y ? x : y; }),
    .exact = [](const FloatFunction&, Exacts x) { return compare(x[0], x[1]) > 0 ? x[0] : x[1]; },
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType t) { return least_or_greatest(false, x, t); },
    .chooses = true,
};

}  // namespace floats

std::vector<const FloatFunction*> float_arithmetic() {
  return {&floats::add, &floats::subtract, &floats::multiply, &floats::divide, &floats::negate,
          &floats::fma, &floats::abs,      &floats::min,      &floats::max};
}

}  // namespace lockstep
