// The exact domain: reals without rounding (exact.h).
#include "semantics/core/exact.h"

#include <cmath>

namespace lockstep {

using namespace exact_reals;

namespace {

struct ExactReal : Real {
  static constexpr Home own_home = Home::Exact;
  explicit ExactReal(Number n) : Real{own_home}, number(std::move(n)) {}
  Number number;
};

Number number_of(const Scalar& s) {
  const auto* own = real_of<ExactReal>(s);
  return own ? own->number : from_double(s.ieee());
}
Scalar scalar_of(ScalarType t, Number n) { return {t, 0, std::make_shared<ExactReal>(std::move(n))}; }

// As IEEE where an operand is infinite or NaN; the others only lend their sign and rough size.
Number apply_special(const FloatFunction& f, std::span<const Number> x) {
  double rough[3] = {};
  for (std::size_t k = 0; k < std::min<std::size_t>(x.size(), 3); ++k) {
    rough[k] = nearest(x[k], ScalarType::F64);
    if (rough[k] == 0 || (std::isinf(rough[k]) && !is_special(x[k]))) rough[k] = sign_of(x[k]);
  }
  const double result = f.ieee.wide(rough[0], rough[1], rough[2]);
  if (f.chooses) return result == rough[0] || std::isnan(rough[1]) ? x[0] : x[1];
  return from_double(result);
}

class ExactDomain final : public Domain {
 public:
  std::string_view name() const override { return "exact"; }
  Scalar literal(ScalarType t, const std::string& digits) const override {
    return from_ieee(t, ieee_domain().literal(t, digits).ieee());
  }
  Scalar from_ieee(ScalarType t, double value) const override {
    return scalar_of(t, from_double(make_ieee(t, value).ieee()));
  }
  Scalar from_integer(ScalarType t, const Scalar& n) const override {
    return scalar_of(t, from_dyadic(is_signed(n.type) ? Integer(n.integer()) : Integer(n.bits), 0));
  }
  Scalar convert(ScalarType t, const Scalar& f) const override { return scalar_of(t, number_of(f)); }

  std::optional<Scalar> truncate(ScalarType t, const Scalar& f) const override {
    const Number n = number_of(f);
    if (is_special(n)) return std::nullopt;
    const Number whole = truncated(n);
    const Number above = from_double(std::ldexp(1.0, power_above(t)));
    const Number least = is_signed(t) ? negate(above) : from_double(0);
    if (exact_reals::compare(whole, least) < 0 || exact_reals::compare(whole, above) >= 0) return std::nullopt;
    const Wide value = to_wide(whole);
    return make_integer(t, value < 0 ? static_cast<std::uint64_t>(value.convert_to<std::int64_t>())
                                     : value.convert_to<std::uint64_t>());
  }

  Scalar apply(const FloatFunction& f, ScalarType t, std::span<const Scalar> arguments) const override {
    std::vector<Number> x;
    x.reserve(arguments.size());
    bool special = false;
    for (const Scalar& s : arguments) {
      x.push_back(number_of(s));
      special = special || is_special(x.back());
    }
    return scalar_of(t, special ? apply_special(f, x) : f.exact(f, x));
  }

  bool compare(Comparison c, const Scalar& a, const Scalar& b) const override {
    const Number x = number_of(a);
    const Number y = number_of(b);
    if (is_special(x) || is_special(y)) {
      const auto rough = [](const Number& n) {
        return make_ieee(ScalarType::F64, is_special(n) ? std::get<Special>(n).value : sign_of(n));
      };
      return ieee_domain().compare(c, rough(x), rough(y));
    }
    return holds(c, exact_reals::compare(x, y) <=> 0);
  }
  double to_ieee(const Scalar& f) const override { return nearest(number_of(f), f.type); }
  double error_bound(const Scalar&) const override { return HUGE_VAL; }  // roundings are not counted here
};

}  // namespace

const Domain& exact_domain() {
  static const ExactDomain domain;
  return domain;
}

}  // namespace lockstep
