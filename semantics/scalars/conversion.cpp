// The conversions, named after their targets. Among integers they wrap; to bool they ask x != 0; a float is truncated
// to an integer, and traps where it is NaN or what is left is out of range.
#include <bit>
#include <cmath>

#include "semantics/scalars/operator.h"

namespace lockstep::scalars {
namespace {

std::string trap_message(const std::string& x) { return "the float " + x + " is out of range"; }

Scalar float_to_integer(const Domain& domain, ScalarType target, const Scalar& x) {
  if (const auto whole = domain.truncate(target, x)) return *whole;
  throw TrapSignal{Trap{std::string(show(target)), trap_message(show(x, domain)), {}}};
}

Scalar converted(const Domain& domain, ScalarType target, ScalarType t, const Scalar& x) {
  if (target == ScalarType::Bool && is_float(t)) {
    return make_bool(domain.compare(Comparison::NotEqual, x, domain.from_ieee(t, 0)));
  }
  if (is_float(target)) return is_float(t) ? domain.convert(target, x) : domain.from_integer(target, x);
  return is_float(t) ? float_to_integer(domain, target, x) : make_integer(target, x.bits);
}

// What truncation takes into range: least - 1 < x < greatest + 1. Where t cannot hold least - 1, which is then between
// two numbers of t, least <= x says the same.
std::optional<ScalarOp::Guard> range_guard(ScalarType target, ScalarType t) {
  if (!is_float(t) || !is_integer(target)) return std::nullopt;
  const double above = std::ldexp(1.0, bits_of(target) - (is_signed(target) ? 1 : 0));
  const double least = is_signed(target) ? -above : 0;
  const double below = make_ieee(t, least - 1).ieee();
  const Definition x = argument(0, t);
  const auto bound = [&](double value) { return constant(make_ieee(t, value)); };
  const Definition over =
      below < least ? apply(Operation::Greater, x, bound(below)) : apply(Operation::GreaterEqual, x, bound(least));
  return ScalarOp::Guard{
      apply(Operation::Both, over, apply(Operation::Less, x, bound(above))), trap_message("{0}"), {0}};
}

ScalarOp conversion(ScalarType target) {
  const auto meaning = [=](const Domain& d, ScalarType t, Arguments x) { return converted(d, target, t, x[0]); };
  const auto defined = [=](ScalarType t) {
    const Definition x = argument(0, t);
    if (t == target) return x;
    if (target != ScalarType::Bool) return convert(target, x);
    return apply(Operation::NotEqual, x, constant(t, 0));
  };
  const auto guard = [=](ScalarType t) { return range_guard(target, t); };
  return ScalarOp{.name = std::string(show(target)),
                  .summary = "conversion to " + std::string(show(target)),
                  .arity = 1,
                  .operands = Operands::Any,
                  .gives = target,
                  .meaning = meaning,
                  .definition = defined,
                  .guard = guard};
}

// All NaNs are one, and have these bits: of a quiet one without a sign.
std::uint64_t bits_of_nan(ScalarType t) { return t == ScalarType::F32 ? 0x7fc00000 : 0x7ff8000000000000; }

ScalarOp to_bits() {
  const auto meaning = [](const Domain& d, ScalarType t, Arguments x) {
    const double value = d.to_ieee(x[0]);
    // Of a number that other orders make another of, the bits are not known.
    if (&d == &bounded_domain() && d.error_bound(x[0]) != 0) throw UndecidedSignal{"the bits of a rounded number"};
    if (std::isnan(value)) return make_integer(bits_type(t), bits_of_nan(t));
    return t == ScalarType::F32 ? make_integer(ScalarType::U32, std::bit_cast<std::uint32_t>(static_cast<float>(value)))
                                : make_integer(ScalarType::U64, std::bit_cast<std::uint64_t>(value));
  };
  const auto defined = [](ScalarType t) {
    const Definition x = argument(0, t);
    return choose(apply(Operation::NotEqual, x, x), constant(make_integer(bits_type(t), bits_of_nan(t))), as_bits(x));
  };
  return {.name = "toBits",
          .summary = "the bits of a float; of any NaN those of one",
          .arity = 1,
          .operands = Operands::Float,
          .gives_bits = true,
          .meaning = meaning,
          .definition = defined};
}

ScalarOp from_bits() {
  const auto meaning = [](const Domain& d, ScalarType t, Arguments x) {
    if (t == ScalarType::U32)
      return d.from_ieee(ScalarType::F32, std::bit_cast<float>(static_cast<std::uint32_t>(x[0].bits)));
    return d.from_ieee(ScalarType::F64, std::bit_cast<double>(x[0].bits));
  };
  return {.name = "fromBits",
          .summary = "the float of these bits",
          .arity = 1,
          .operands = Operands::Words,
          .gives_bits = true,
          .meaning = meaning,
          .definition = [](ScalarType t) { return as_bits(argument(0, t)); }};
}

}  // namespace

std::vector<ScalarOp> conversions() {
  std::vector<ScalarOp> made{to_bits(), from_bits()};
  for (const ScalarType t : scalar_types) made.push_back(conversion(t));
  return made;
}

}  // namespace lockstep::scalars
