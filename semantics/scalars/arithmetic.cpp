// + - * / % and negation. Integers wrap; division truncates toward zero, % has the dividend's sign and is fmod on
// floats; the least integer divided by -1 wraps. Generated text relies on -fwrapv.
#include <cmath>

#include "semantics/core/float_function.h"
#include "semantics/scalars/operator.h"

namespace lockstep::scalars {
namespace {

using WordOperation = std::uint64_t (*)(std::uint64_t, std::uint64_t);

// Modulo 2^64 and then the type's width: right for every integer type, since values are sign- or zero-extended.
Scalar ring(const FloatFunction& f, WordOperation word, const Domain& domain, ScalarType t, Arguments x) {
  if (is_float(t)) return domain.apply(f, t, x);
  return make_integer(t, word(x[0].bits, x[1].bits));
}

ScalarOp ring_operator(std::string name, std::string identifier, std::string summary, const FloatFunction& f,
                       Operation operation, WordOperation word, Laws laws) {
  const auto meaning = [&f, word](const Domain& d, ScalarType t, Arguments x) { return ring(f, word, d, t, x); };
  const auto on_reals = &f == &floats::add        ? OnReals::Sum
                        : &f == &floats::multiply ? OnReals::Product
                                                  : OnReals::Unknown;
  return ScalarOp{.name = name,
                  .summary = std::move(summary),
                  .word = std::move(identifier),
                  .arity = 2,
                  .meaning = meaning,
                  .definition = defined_by(operation),
                  .laws = laws,
                  .on_reals = on_reals,
                  .on_sizes = name[0]};
}

// ------------------------------------------------------------------------------------------ division
std::string zero_message(const std::string& symbol, const std::string& x, const std::string& y) {
  return std::string(symbol == "/" ? "division" : "remainder") + " by zero: " + x + " " + symbol + " " + y;
}

std::optional<ScalarOp::Guard> divisor_guard(const std::string& symbol, ScalarType t) {
  if (is_float(t)) return std::nullopt;
  return ScalarOp::Guard{
      apply(Operation::NotEqual, argument(1, t), constant(t, 0)), zero_message(symbol, "{0}", "{1}"), {0, 1}};
}

void check_divisor(const std::string& symbol, Arguments x) {
  if (x[1].bits != 0) return;
  const auto text = [](const Scalar& s) { return show(s, ieee_domain()); };
  throw TrapSignal{Trap{symbol, zero_message(symbol, text(x[0]), text(x[1])), {}}};
}

Scalar quotient(const Domain& domain, ScalarType t, Arguments x) {
  if (is_float(t)) return domain.apply(floats::divide, t, x);
  check_divisor("/", x);
  if (!is_signed(t)) return make_integer(t, x[0].bits / x[1].bits);
  if (x[1].integer() == -1) return make_integer(t, 0 - x[0].bits);
  return make_integer(t, static_cast<std::uint64_t>(x[0].integer() / x[1].integer()));
}

// x - y * n, n the quotient's whole part: what fmod computes without rounding.
Scalar float_remainder(const Domain& domain, ScalarType t, Arguments x) {
  const double a = domain.to_ieee(x[0]);
  const double b = domain.to_ieee(x[1]);
  if (!x[0].real) return make_ieee(t, std::fmod(a, b));  // of floats it is a float
  if (std::isinf(b) && std::isfinite(a)) return x[0];
  const Scalar ratio = domain.apply(floats::divide, t, x);
  const bool negative = domain.compare(Comparison::Less, ratio, domain.from_ieee(t, 0));
  const Scalar whole = domain.apply(negative ? floats::ceil : floats::floor, t, std::vector<Scalar>{ratio});
  const Scalar removed = domain.apply(floats::multiply, t, std::vector<Scalar>{x[1], whole});
  const Scalar rest = domain.apply(floats::subtract, t, std::vector<Scalar>{x[0], removed});
  if (domain.to_ieee(rest) != 0 || domain.error_bound(rest) != 0) return rest;
  return domain.apply(floats::multiply, t, std::vector<Scalar>{x[0], domain.from_ieee(t, 0)});  // of the sign of x
}

Scalar remainder_of(const Domain& domain, ScalarType t, Arguments x) {
  if (is_float(t)) return float_remainder(domain, t, x);
  check_divisor("%", x);
  if (!is_signed(t)) return make_integer(t, x[0].bits % x[1].bits);
  if (x[1].integer() == -1) return make_integer(t, 0);
  return make_integer(t, static_cast<std::uint64_t>(x[0].integer() % x[1].integer()));
}

// The least integer by -1 stops a machine.
Definition quotient_defined(ScalarType t) {
  const Definition x = argument(0, t), y = argument(1, t), divided = apply(Operation::Divide, x, y);
  if (is_float(t) || !is_signed(t)) return divided;
  return choose(apply(Operation::Equal, y, constant(t, -1)), negative(x), divided);
}

Definition remainder_defined(ScalarType t) {
  const Definition x = argument(0, t), y = argument(1, t);
  if (is_float(t)) return library("fmod", true, {x, y});
  const Definition rest = apply(Operation::Remainder, x, y);
  if (!is_signed(t)) return rest;
  return choose(apply(Operation::Equal, y, constant(t, -1)), constant(t, 0), rest);
}

ScalarOp dividing_operator(std::string symbol, std::string identifier, std::string summary, decltype(quotient) meaning,
                           decltype(quotient_defined) defined) {
  const auto guard = [=](ScalarType t) { return divisor_guard(symbol, t); };
  return ScalarOp{.name = symbol,
                  .summary = std::move(summary),
                  .word = std::move(identifier),
                  .arity = 2,
                  .meaning = meaning,
                  .definition = defined,
                  .guard = guard,
                  .on_sizes = symbol[0]};
}

ScalarOp negation() {
  const auto meaning = [](const Domain& domain, ScalarType t, Arguments x) {
    return is_float(t) ? domain.apply(floats::negate, t, x) : make_integer(t, 0 - x[0].bits);
  };
  const auto defined = [](ScalarType t) { return negative(argument(0, t)); };
  return ScalarOp{.name = "neg",
                  .summary = "the negative, -x",
                  .arity = 1,
                  .meaning = meaning,
                  .definition = defined,
                  .on_reals = OnReals::Exact,
                  .sign = "-"};
}

}  // namespace

std::vector<ScalarOp> arithmetic() {
  return {
      ring_operator("+", "add", "sum", floats::add, Operation::Add,
                    [](std::uint64_t a, std::uint64_t b) { return a + b; }, {true, true, 0}),
      ring_operator("-", "sub", "difference", floats::subtract, Operation::Subtract,
                    [](std::uint64_t a, std::uint64_t b) { return a - b; }, {}),
      ring_operator("*", "mul", "product", floats::multiply, Operation::Multiply,
                    [](std::uint64_t a, std::uint64_t b) { return a * b; }, {true, true, 1}),
      dividing_operator("/", "div", "quotient, truncated toward zero on integers", quotient, quotient_defined),
      dividing_operator("%", "mod", "remainder, of the dividend's sign; of floats C's fmod", remainder_of,
                        remainder_defined),
      negation(),
  };
}

}  // namespace lockstep::scalars
