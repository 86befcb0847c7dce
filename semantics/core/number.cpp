// Scalars, the IEEE domain, and printing. Floats of type f32 are held as doubles that are exactly floats, and every
// operation on them is done in float: this file is compiled without contraction into fma.
#include "semantics/core/number.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "semantics/core/float_function.h"
#include "semantics/core/real.h"

namespace lockstep {

double Scalar::ieee() const {
  if (real) throw Bug("Scalar::ieee of a number of another domain");
  return std::bit_cast<double>(bits);
}

Scalar make_integer(ScalarType t, std::uint64_t value) {
  if (is_float(t)) throw Bug("make_integer of a float type");
  if (t == ScalarType::Bool) return {t, value != 0};
  const int above = 64 - bits_of(t);
  const std::uint64_t top = value << above;
  return {t, is_signed(t) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(top) >> above) : top >> above};
}

std::optional<Scalar> integer_of(ScalarType t, std::uint64_t magnitude, bool negative) {
  const bool fits = is_signed(t) ? magnitude <= (std::uint64_t{1} << (bits_of(t) - 1)) - (negative ? 0 : 1)
                                 : (!negative || magnitude == 0) && (bits_of(t) == 64 || magnitude >> bits_of(t) == 0);
  if (!fits) return std::nullopt;
  return make_integer(t, negative ? 0 - magnitude : magnitude);
}

bool holds(Comparison c, std::partial_ordering order) {
  switch (c) {
    case Comparison::Equal:
      return order == 0;
    case Comparison::NotEqual:
      return order != 0;
    case Comparison::Less:
      return order < 0;
    case Comparison::LessEqual:
      return order <= 0;
  }
  throw Bug("unknown comparison");
}

Scalar make_bool(bool b) { return {ScalarType::Bool, b}; }

Scalar make_ieee(ScalarType t, double value) {
  if (!is_float(t)) throw Bug("make_ieee of a type that is no float");
  if (t == ScalarType::F32) value = static_cast<float>(value);
  return {t, std::bit_cast<std::uint64_t>(value)};
}

namespace {

class IeeeDomain : public Domain {
 public:
  std::string_view name() const override { return "ieee"; }

  // One rounding, from the decimal to the type: not by way of double.
  Scalar literal(ScalarType t, const std::string& digits) const override {
    const char* text = digits.c_str();
    char* end = nullptr;
    const double value = t == ScalarType::F32 ? std::strtof(text, &end) : std::strtod(text, &end);
    if (digits.empty() || *end != '\0') throw Bug("not a float literal: " + digits);
    return make_ieee(t, value);
  }
  Scalar from_ieee(ScalarType t, double value) const override { return make_ieee(t, value); }
  Scalar from_integer(ScalarType t, const Scalar& n) const override {
    if (t == ScalarType::F32)
      return make_ieee(t, is_signed(n.type) ? static_cast<float>(n.integer()) : static_cast<float>(n.bits));
    return make_ieee(t, is_signed(n.type) ? static_cast<double>(n.integer()) : static_cast<double>(n.bits));
  }
  Scalar convert(ScalarType t, const Scalar& f) const override { return make_ieee(t, f.ieee()); }

  std::optional<Scalar> truncate(ScalarType t, const Scalar& f) const override {
    const double whole = std::trunc(f.ieee());
    const double above = std::ldexp(1.0, power_above(t));
    const double least = is_signed(t) ? -above : 0;
    if (!(whole >= least && whole < above)) return std::nullopt;  // NaN included
    return make_integer(t, is_signed(t) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole))
                                        : static_cast<std::uint64_t>(whole));
  }

  Scalar apply(const FloatFunction& f, ScalarType t, std::span<const Scalar> arguments) const override {
    const auto at = [&](std::size_t i) { return i < arguments.size() ? arguments[i].ieee() : 0.0; };
    if (t == ScalarType::F64) return make_ieee(t, f.ieee.wide(at(0), at(1), at(2)));
    return make_ieee(t, f.ieee.narrow(static_cast<float>(at(0)), static_cast<float>(at(1)), static_cast<float>(at(2))));
  }

  bool compare(Comparison c, const Scalar& a, const Scalar& b) const override {
    return holds(c, a.ieee() <=> b.ieee());
  }
  double to_ieee(const Scalar& f) const override { return f.ieee(); }
  double error_bound(const Scalar&) const override { return 0; }
};

class TwiceRoundedDomain final : public IeeeDomain {
 public:
  std::string_view name() const override { return "ieee, fma rounded twice"; }
  Scalar apply(const FloatFunction& f, ScalarType t, std::span<const Scalar> x) const override {
    if (&f != &floats::fma) return IeeeDomain::apply(f, t, x);
    const Scalar terms[] = {IeeeDomain::apply(floats::multiply, t, x.first(2)), x[2]};
    return IeeeDomain::apply(floats::add, t, terms);
  }
};

template <class N>
std::string shortest(N n) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, n).ptr};
}

std::string show_float(ScalarType t, double value) {
  if (std::isnan(value)) return "nan";  // the sign of a NaN means nothing
  std::string text = t == ScalarType::F32 ? shortest(static_cast<float>(value)) : shortest(value);
  // With a point the literal stays a float where it is read back.
  return text.find_first_of(".ein") == std::string::npos ? text + ".0" : text;
}

}  // namespace

const Domain& ieee_domain() {
  static const IeeeDomain domain;
  return domain;
}
const Domain& twice_rounded_domain() {
  static const TwiceRoundedDomain domain;
  return domain;
}

std::string show(const Scalar& s, const Domain& domain) {
  if (s.type == ScalarType::Bool) return s.bits != 0 ? "true" : "false";
  if (is_float(s.type)) return show_float(s.type, domain.to_ieee(s));
  return is_signed(s.type) ? shortest(s.integer()) : shortest(s.bits);
}

}  // namespace lockstep
