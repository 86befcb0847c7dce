// The C library's functions on floats, and abs min max on all numbers. min and max of floats ignore a NaN, and of two
// equal numbers give the second.
#include <cmath>

#include "semantics/scalars/operator.h"

namespace lockstep::scalars {
namespace {

ScalarOp library_function(std::string name, std::string summary, FloatOp op, int arity) {
  const auto meaning = [=](const Domain& domain, ScalarType t, Arguments x) { return domain.apply(op, t, x); };
  const auto defined = [=](ScalarType t) {
    std::vector<Definition> operands;
    for (int k = 0; k < arity; ++k) operands.push_back(argument(static_cast<std::size_t>(k), t));
    return library(name, std::move(operands));
  };
  return ScalarOp{.name = name,
                  .summary = std::move(summary),
                  .arity = arity,
                  .operands = Operands::Float,
                  .meaning = meaning,
                  .definition = defined};
}

bool integer_less(ScalarType t, const Scalar& a, const Scalar& b) {
  return is_signed(t) ? a.integer() < b.integer() : a.bits < b.bits;
}

ScalarOp extremum(std::string name, std::string summary, FloatOp op) {
  const bool least = op == FloatOp::Min;
  const auto meaning = [=](const Domain& domain, ScalarType t, Arguments x) {
    if (is_float(t)) return domain.apply(op, t, x);
    return integer_less(t, x[least ? 0 : 1], x[least ? 1 : 0]) ? x[0] : x[1];
  };
  const auto defined = [=](ScalarType t) {
    const Definition x = argument(0, t), y = argument(1, t);
    const Definition order = apply(least ? Operation::Less : Operation::Greater, x, y);
    return choose(is_float(t) ? apply(Operation::Or, order, apply(Operation::NotEqual, y, y)) : order, x, y);
  };
  return ScalarOp{.name = name,
                  .summary = std::move(summary),
                  .arity = 2,
                  .meaning = meaning,
                  .definition = defined,
                  .laws = {true, true, {}},
                  .on_reals = OnReals::Exact};
}

// Of IEEE 754-2019 (9.6): a NaN where either is one, and -0 is less than 0.
ScalarOp ordered_extremum(std::string name, std::string summary, bool least) {
  const auto meaning = [=](const Domain& domain, ScalarType t, Arguments x) {
    if (!is_float(t)) return integer_less(t, x[least ? 0 : 1], x[least ? 1 : 0]) ? x[0] : x[1];
    for (const Scalar& y : x)
      if (domain.compare(Comparison::NotEqual, y, y)) return y;
    const double a = domain.to_ieee(x[0]), b = domain.to_ieee(x[1]);
    if (a == 0 && b == 0 && std::signbit(a) != std::signbit(b)) return std::signbit(a) == least ? x[0] : x[1];
    return domain.apply(least ? FloatOp::Min : FloatOp::Max, t, x);
  };
  const auto defined = [=](ScalarType t) {
    const Definition x = argument(0, t), y = argument(1, t);
    const auto first = [&](Operation order) { return choose(apply(order, x, y), x, y); };
    const Operation order = least ? Operation::Less : Operation::Greater;
    if (!is_float(t)) return first(order);
    // Of zeros a sum is 0 where one is, and -0 where both are.
    const Definition zero =
        least ? negative(apply(Operation::Add, negative(x), negative(y))) : apply(Operation::Add, x, y);
    const Definition zeros =
        apply(Operation::And, apply(Operation::Equal, x, constant(t, 0)), apply(Operation::Equal, x, y));
    const Definition number = choose(zeros, zero, first(order));
    return choose(apply(Operation::NotEqual, x, x), x, choose(apply(Operation::NotEqual, y, y), y, number));
  };
  return ScalarOp{.name = std::move(name),
                  .summary = std::move(summary),
                  .arity = 2,
                  .meaning = meaning,
                  .definition = defined,
                  .laws = {true, true, {}},
                  .on_reals = OnReals::Exact};
}

ScalarOp absolute() {
  const auto meaning = [](const Domain& domain, ScalarType t, Arguments x) {
    if (is_float(t)) return domain.apply(FloatOp::Abs, t, x);
    return is_signed(t) && x[0].integer() < 0 ? make_integer(t, 0 - x[0].bits) : x[0];
  };
  const auto defined = [](ScalarType t) {
    const Definition x = argument(0, t);
    if (is_float(t)) return library("fabs", {x});
    return is_signed(t) ? choose(apply(Operation::Less, x, constant(t, 0)), negative(x), x) : x;
  };
  return ScalarOp{.name = "abs",
                  .summary = "magnitude; of the least integer, itself",
                  .arity = 1,
                  .meaning = meaning,
                  .definition = defined,
                  .on_reals = OnReals::Exact};
}

ScalarOp is_nan() {
  const auto meaning = [](const Domain& domain, ScalarType, Arguments x) {
    return make_bool(domain.compare(Comparison::NotEqual, x[0], x[0]));
  };
  const auto defined = [](ScalarType t) { return apply(Operation::NotEqual, argument(0, t), argument(0, t)); };
  return ScalarOp{.name = "isnan",
                  .summary = "whether it is no number",
                  .arity = 1,
                  .operands = Operands::Float,
                  .gives_bool = true,
                  .meaning = meaning,
                  .definition = defined,
                  .on_reals = OnReals::Exact};
}

}  // namespace

std::vector<ScalarOp> math() {
  return {
      library_function("sqrt", "square root", FloatOp::Sqrt, 1),
      library_function("exp", "exponential", FloatOp::Exp, 1),
      library_function("log", "natural logarithm", FloatOp::Log, 1),
      library_function("log2", "logarithm to the base 2", FloatOp::Log2, 1),
      library_function("sin", "sine, in radians", FloatOp::Sin, 1),
      library_function("cos", "cosine, in radians", FloatOp::Cos, 1),
      library_function("tan", "tangent, in radians", FloatOp::Tan, 1),
      library_function("asin", "the angle in [-pi/2, pi/2] of this sine", FloatOp::Asin, 1),
      library_function("acos", "the angle in [0, pi] of this cosine", FloatOp::Acos, 1),
      library_function("atan", "the angle in [-pi/2, pi/2] of this tangent", FloatOp::Atan, 1),
      library_function("atan2", "the angle of the point with the second as x and the first as y", FloatOp::Atan2, 2),
      library_function("sinh", "hyperbolic sine", FloatOp::Sinh, 1),
      library_function("cosh", "hyperbolic cosine", FloatOp::Cosh, 1),
      library_function("tanh", "hyperbolic tangent", FloatOp::Tanh, 1),
      library_function("pow", "first to the power of the second", FloatOp::Pow, 2),
      absolute(),
      extremum("min", "the smaller; a NaN is ignored", FloatOp::Min),
      extremum("max", "the greater; a NaN is ignored", FloatOp::Max),
      ordered_extremum("minimum", "the smaller; a NaN where one is, and -0 below 0", true),
      ordered_extremum("maximum", "the greater; a NaN where one is, and -0 below 0", false),
      library_function("floor", "greatest whole number not above", FloatOp::Floor, 1),
      library_function("ceil", "least whole number not below", FloatOp::Ceil, 1),
      library_function("round", "nearest whole number, half away from zero", FloatOp::Round, 1),
      library_function("trunc", "the whole part, toward zero", FloatOp::Trunc, 1),
      is_nan(),
      library_function("fma", "first times second plus third, rounded once", FloatOp::Fma, 3),
  };
}

}  // namespace lockstep::scalars
