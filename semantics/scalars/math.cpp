// The C library's functions on floats, and abs min max on all numbers. min and max of floats ignore a NaN, and of two
// equal numbers give the second.
#include <cmath>

#include "semantics/core/float_function.h"
#include "semantics/scalars/operator.h"

namespace lockstep::scalars {
namespace {

// or_large of core/float_rows.h.
Definition or_large(const FloatFunction& f, ScalarType t) {
  using enum Operation;
  const auto number = [&](double n) { return constant(make_ieee(t, n)); };
  const Large& large = f.large;
  const Definition x = argument(0, t), below = library(std::string(f.name), false, {x});
  const Definition negated = apply(Less, x, constant(t, 0));
  const Definition size = large.side == Large::Side::Right ? x : choose(negated, negative(x), x);
  const Definition y =
      large.by == Large::By::HalfExp
          ? apply(Multiply, library("exp", false, {apply(Subtract, size, constant(t, 1))}), number(half_e))
      : large.by == Large::By::LogOfTwice ? apply(Add, library("log", false, {size}), number(log_of_2))
                                          : library("log", false, {size});
  return choose(apply(Greater, size, number(t == ScalarType::F32 ? large.narrow : large.wide)),
                large.side == Large::Side::Odd ? choose(negated, negative(y), y) : y, below);
}

ScalarOp library_function(const FloatFunction& f) {
  const auto meaning = [&f](const Domain& domain, ScalarType t, Arguments x) { return domain.apply(f, t, x); };
  const auto defined = [&f](ScalarType t) {
    if (f.large.by != Large::By::None) return or_large(f, t);
    std::vector<Definition> operands;
    for (int k = 0; k < f.arity; ++k) operands.push_back(argument(static_cast<std::size_t>(k), t));
    return library(std::string(f.name), f.ulps <= 0.5, std::move(operands), f.instruction);
  };
  return ScalarOp{.name = std::string(f.name),
                  .summary = std::string(f.summary),
                  .arity = f.arity,
                  .operands = Operands::Float,
                  .meaning = meaning,
                  .definition = defined};
}

bool integer_less(ScalarType t, const Scalar& a, const Scalar& b) {
  return is_signed(t) ? a.integer() < b.integer() : a.bits < b.bits;
}

ScalarOp extremum(std::string name, std::string summary, const FloatFunction& f) {
  const bool least = &f == &floats::min;
  const auto meaning = [least, &f](const Domain& domain, ScalarType t, Arguments x) {
    if (is_float(t)) return domain.apply(f, t, x);
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
                  .laws = {true, true, {}, true},
                  .on_reals = OnReals::Exact};
}

// Of IEEE 754-2019 (9.6): a NaN where either is one, and -0 is less than 0. Else as f.
ScalarOp ordered_extremum(std::string name, std::string summary, const FloatFunction& f) {
  const bool least = &f == &floats::min;
  ScalarOp op = extremum(std::move(name), std::move(summary), f);
  op.meaning = [least, plain = op.meaning](const Domain& domain, ScalarType t, Arguments x) {
    if (!is_float(t)) return plain(domain, t, x);
    for (const Scalar& y : x)
      if (domain.compare(Comparison::NotEqual, y, y)) return y;
    const double a = domain.to_ieee(x[0]), b = domain.to_ieee(x[1]);
    if (a == 0 && b == 0 && std::signbit(a) != std::signbit(b)) return std::signbit(a) == least ? x[0] : x[1];
    return plain(domain, t, x);
  };
  op.definition = [least, plain = op.definition](ScalarType t) {
    if (!is_float(t)) return plain(t);
    const Definition x = argument(0, t), y = argument(1, t);
    // Of zeros a sum is 0 where one is, and -0 where both are.
    const Definition zero =
        least ? negative(apply(Operation::Add, negative(x), negative(y))) : apply(Operation::Add, x, y);
    const Definition zeros =
        apply(Operation::And, apply(Operation::Equal, x, constant(t, 0)), apply(Operation::Equal, x, y));
    const Definition number = choose(zeros, zero, plain(t));  // that it takes NaNs away does not matter here
    return choose(apply(Operation::NotEqual, x, x), x, choose(apply(Operation::NotEqual, y, y), y, number));
  };
  return op;
}

ScalarOp absolute() {
  const auto meaning = [](const Domain& domain, ScalarType t, Arguments x) {
    if (is_float(t)) return domain.apply(floats::abs, t, x);
    return is_signed(t) && x[0].integer() < 0 ? make_integer(t, 0 - x[0].bits) : x[0];
  };
  const auto defined = [](ScalarType t) {
    const Definition x = argument(0, t);
    if (is_float(t)) return library("fabs", true, {x}, floats::abs.instruction);
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
  std::vector<ScalarOp> out;
  for (const FloatFunction* f : float_functions())
    if (!f->summary.empty()) out.push_back(library_function(*f));
  for (ScalarOp& op : std::vector{
           absolute(), extremum("min", "the smaller; a NaN is ignored", floats::min),
           extremum("max", "the greater; a NaN is ignored", floats::max),
           ordered_extremum("minimum", "the smaller; a NaN where one is, and -0 below 0", floats::min),
           ordered_extremum("maximum", "the greater; a NaN where one is, and -0 below 0", floats::max), is_nan()})
    out.push_back(std::move(op));
  return out;
}

}  // namespace lockstep::scalars
