// The C library's functions on floats, and abs min max on all numbers. min and max of floats ignore a NaN, and of two
// equal numbers give the second.
#include "semantics/primitives/operators.h"

namespace lockstep {
namespace {

using operators::Arguments;
using operators::Texts;

PrimitiveRef library(std::string name, std::string summary, FloatOp op, int arity) {
  const auto meaning = [=](const Domain& domain, ScalarType t, Arguments x) { return domain.apply(op, t, x); };
  const auto text = [=](ScalarType t, const Texts& x) {
    std::string call = name + (t == ScalarType::F32 ? "f(" : "(") + x[0];
    for (std::size_t i = 1; i < x.size(); ++i) call += ", " + x[i];
    return call + ")";
  };
  return operators::make(
      name, std::move(summary),
      ScalarOp{.arity = arity, .operands = Operands::Float, .meaning = meaning, .text = text, .lanewise = true});
}

bool integer_less(ScalarType t, const Scalar& a, const Scalar& b) {
  return is_signed(t) ? a.integer() < b.integer() : a.bits < b.bits;
}

PrimitiveRef extremum(std::string name, std::string summary, FloatOp op) {
  const bool least = op == FloatOp::Min;
  const auto meaning = [=](const Domain& domain, ScalarType t, Arguments x) {
    if (is_float(t)) return domain.apply(op, t, x);
    return integer_less(t, x[least ? 0 : 1], x[least ? 1 : 0]) ? x[0] : x[1];
  };
  const auto text = [=](ScalarType t, const Texts& x) {  // | and not ||: the same on masks of vectors
    const std::string order = x[0] + (least ? " < " : " > ") + x[1];
    const std::string first = is_float(t) ? "((" + order + ") | (" + x[1] + " != " + x[1] + "))" : "(" + order + ")";
    return "(" + first + " ? " + x[0] + " : " + x[1] + ")";
  };
  return operators::make(
      name, std::move(summary),
      ScalarOp{.arity = 2, .meaning = meaning, .text = text, .laws = {true, true, {}}, .on_reals = OnReals::Exact});
}

PrimitiveRef absolute() {
  const auto meaning = [](const Domain& domain, ScalarType t, Arguments x) {
    if (is_float(t)) return domain.apply(FloatOp::Abs, t, x);
    return is_signed(t) && x[0].integer() < 0 ? make_integer(t, 0 - x[0].bits) : x[0];
  };
  const auto text = [](ScalarType t, const Texts& x) {
    if (is_float(t)) return (t == ScalarType::F32 ? "fabsf(" : "fabs(") + x[0] + ")";
    return is_signed(t) ? "(" + x[0] + " < 0 ? -(" + x[0] + ") : " + x[0] + ")" : x[0];
  };
  // 0 - x for both zeros gives +0, as fabs does.
  const auto vector_text = [](ScalarType t, const Texts& x) -> std::string {
    if (is_float(t)) return "(" + x[0] + " <= 0 ? 0 - " + x[0] + " : " + x[0] + ")";
    return is_signed(t) ? "(" + x[0] + " < 0 ? -" + x[0] + " : " + x[0] + ")" : x[0];
  };
  return operators::make("abs", "magnitude; of the least integer, itself",
                         ScalarOp{.arity = 1,
                                  .meaning = meaning,
                                  .text = text,
                                  .lanewise = true,
                                  .vector_text = vector_text,
                                  .on_reals = OnReals::Exact});
}

}  // namespace

std::vector<PrimitiveRef> math_operators() {
  static const std::vector<PrimitiveRef> list = {
      library("sqrt", "square root", FloatOp::Sqrt, 1),
      library("exp", "exponential", FloatOp::Exp, 1),
      library("log", "natural logarithm", FloatOp::Log, 1),
      library("sin", "sine, in radians", FloatOp::Sin, 1),
      library("cos", "cosine, in radians", FloatOp::Cos, 1),
      library("tanh", "hyperbolic tangent", FloatOp::Tanh, 1),
      library("pow", "first to the power of the second", FloatOp::Pow, 2),
      absolute(),
      extremum("min", "the smaller; a NaN is ignored", FloatOp::Min),
      extremum("max", "the greater; a NaN is ignored", FloatOp::Max),
      library("floor", "greatest whole number not above", FloatOp::Floor, 1),
      library("ceil", "least whole number not below", FloatOp::Ceil, 1),
      library("fma", "first times second plus third, rounded once", FloatOp::Fma, 3),
  };
  return list;
}

}  // namespace lockstep
