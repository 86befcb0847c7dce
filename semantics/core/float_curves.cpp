// Functions of one number that rise or fall throughout, or turn once (float_function.h). What a curve is on wide floats
// and on quads is said once; its edges are data.
#include "semantics/core/float_rows.h"

namespace lockstep {

using namespace bounded_reals;

namespace {

using exact_reals::Wide;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Edges {
  std::vector<double> exact_at{};             // what IEEE gives there is no rounded number
  double least = -HUGE_VAL, most = HUGE_VAL;  // NaN outside; an end where it is infinite is a pole
  double range = HUGE_VAL;                    // it lies between this and its negative
  double turns_at = none;
};
struct Curve : FloatFunction {
  Wide (*on_wide)(const Wide&);
  Quad (*on_quads)(const Quad&);
  Edges edges;
};

exact_reals::Number exact_curve(const FloatFunction& f, Exacts x) {
  const auto& c = static_cast<const Curve&>(f);
  const Wide w = to_wide(x[0]);
  if (w < c.edges.least || w > c.edges.most) return exact_reals::not_a_number();
  for (const double p : c.edges.exact_at)
    if (w == p) return exact_reals::from_double(f.ieee.wide(p, 0, 0));
  return exact_reals::from_wide(c.on_wide(w));
}

Bounded at_exact_point(const Curve& c, double p, const Bounded& b) {
  const double y = c.ieee.wide(p == 0 && b.sign < 0 ? -p : p, 0, 0);
  if (y != 0) return input(y);
  return zero(p == 0 && b.sign == 0 ? 0 : std::signbit(y) ? -1 : 1);
}

// The argument is one that it takes, and away from its poles.
void decide_domain(const Curve& c, const Interval& x) {
  const auto& [least, most] = std::pair(c.edges.least, c.edges.most);
  if (x.below < least || x.above > most) undecided("whether " + std::string(c.name) + " takes an argument");
  for (const double end : {least, most})
    if (std::isfinite(end) && (x.below == end || x.above == end) && std::isinf(c.ieee.wide(end, 0, 0)))
      undecided(std::string(c.name) + " near its pole");
}
Quad finite_at(const Curve& c, const Quad& x) {
  const Quad y = c.on_quads(x);
  if (!mp::isfinite(y)) undecided(std::string(c.name) + " near overflow");
  return y;
}

// It deviates most at the ends, or where it turns.
Bounded bounded_curve(const FloatFunction& f, Boundeds arguments, ScalarType t) {
  const auto& c = static_cast<const Curve&>(f);
  const Edges& edges = c.edges;
  if (std::isfinite(edges.range) && !std::isfinite(error(arguments[0], t))) return result(0, edges.range, f.ulps, t);
  const Interval x = interval(arguments[0], t);
  if (x.below > edges.most || x.above < edges.least) return special_number(none);
  if (x.point())
    for (const double p : edges.exact_at)
      if (x.at == p) return at_exact_point(c, p, arguments[0]);
  decide_domain(c, x);
  const Quad value = finite_at(c, x.at);
  double spread = 0;
  if (!x.point()) {
    spread = std::fmax(gap_up(finite_at(c, x.below), value), gap_up(finite_at(c, x.above), value));
    if (x.below < edges.turns_at && x.above > edges.turns_at)
      spread = std::fmax(spread, gap_up(finite_at(c, edges.turns_at), value));
  }
  if (std::isfinite(edges.range)) return within_range(value, spread, edges.range, f.ulps, t);
  return result(value, spread, f.ulps, t);
}

// on_reals: a generic lambda, of wide floats and of quads.
template <class F>
Curve curve(std::string_view name, OnFloats ieee, std::string_view summary, double ulps, F on_reals, Edges edges = {},
            Large large = {}) {
  return {
      {name, summary, 1, ulps, false, ieee, exact_curve, bounded_curve, large}, on_reals, on_reals, std::move(edges)};
}

// Where SLEEF's are infinite too soon. To all digits of a double log x is log (1 + x) there, and so on.
constexpr Large odd_log{Large::By::LogOfTwice, Large::Side::Odd, 0x1p30, 0x1p30};
constexpr Large twice_log{Large::By::LogOfTwice, Large::Side::Right, 0x1p30, 0x1p30};
constexpr Large plain_log{Large::By::Log, Large::Side::Right, 0x1p60, 0x1p60};
constexpr Large odd_exp{Large::By::HalfExp, Large::Side::Odd, 88, 709};
constexpr Large even_exp{Large::By::HalfExp, Large::Side::Both, 88, 709};

// e^x and its like, where numbers have room for it.
template <class Q>
Q exponential(const Q& q, Q (*f)(const Q&)) {
  constexpr int room = 500'000'000;
  return q > room ? std::numeric_limits<Q>::infinity() : q < -room ? Q(0) : f(q);
}
template <class Q>
Q e_to(const Q& q) {
  return exponential<Q>(q, [](const Q& x) -> Q { return mp::exp(x); });
}
// Beyond a thousand the smaller part of sinh and cosh is nothing, to more than 100 digits.
template <class Q>
bool is_large(const Q& q) {
  return mp::abs(q) > 1000;
}
template <class Q>
Q half_exp(const Q& q) {
  return e_to(Q(mp::abs(q))) / 2;
}

const std::vector<Curve>& curves() {
  const Edges positive{.exact_at = {0, 1}, .least = 0};
  static const std::vector<Curve> rows = {
      curve("exp", LIBRARY(exp), "exponential", 4, [](const auto& q) { return e_to(q); }, {.exact_at = {0}}),
      curve("exp2", LIBRARY(exp2), "2 to the power of it", 3,
            [](const auto& q) {
              using Q = std::decay_t<decltype(q)>;
              return exponential<Q>(q, [](const Q& x) -> Q { return mp::exp2(x); });
            },
            {.exact_at = {0}}),
      curve("expm1", LIBRARY(expm1), "exponential less 1", 3,
            [](const auto& q) { return is_large(q) ? e_to(q) - 1 : mp::expm1(q); }, {.exact_at = {0}}),
      curve(
          "log",
          OnFloats{[](float x, float, float) { return library_log(x); },
                   [](double x, double, double) { return library_log(x); }},
          "natural logarithm", 4, [](const auto& q) { return mp::log(q); }, positive),
      curve(
          "log2", LIBRARY(log2), "logarithm to the base 2", 4, [](const auto& q) { return mp::log2(q); }, positive),
      curve(
          "log10", LIBRARY(log10), "logarithm to the base 10", 3, [](const auto& q) { return mp::log10(q); }, positive),
      curve(
          "log1p", LIBRARY_BELOW(log1p, plain_log), "natural logarithm of 1 more", 2,
          [](const auto& q) { return mp::log1p(q); }, {.exact_at = {-1, 0}, .least = -1}, plain_log),
      curve("cbrt", LIBRARY(cbrt), "cube root", 2, [](const auto& q) { return mp::cbrt(q); }, {.exact_at = {0}}),
      curve("asin", LIBRARY(asin), "the angle in [-pi/2, pi/2] of this sine", 4,
            [](const auto& q) { return mp::asin(q); }, {.exact_at = {0}, .least = -1, .most = 1}),
      curve("acos", LIBRARY(acos), "the angle in [0, pi] of this cosine", 4, [](const auto& q) { return mp::acos(q); },
            {.exact_at = {1}, .least = -1, .most = 1}),
      curve("atan", LIBRARY(atan), "the angle in [-pi/2, pi/2] of this tangent", 5,
            [](const auto& q) { return mp::atan(q); }, {.exact_at = {0}}),
      curve(
          "sinh", LIBRARY_BELOW(sinh, odd_exp), "hyperbolic sine", 4,
          [](const auto& q) { return !is_large(q) ? mp::sinh(q)
                                     : q < 0      ? -half_exp(q)
                                                  : half_exp(q); },
          {.exact_at = {0}}, odd_exp),
      curve(
          "cosh", LIBRARY_BELOW(cosh, even_exp), "hyperbolic cosine", 4,
          [](const auto& q) { return is_large(q) ? half_exp(q) : mp::cosh(q); }, {.exact_at = {0}, .turns_at = 0},
          even_exp),
      curve("tanh", LIBRARY(tanh), "hyperbolic tangent", 5,
            [](const auto& q) { return is_large(q) ? std::decay_t<decltype(q)>(q.sign()) : mp::tanh(q); },
            {.exact_at = {0}, .range = 1}),
      curve(
          "asinh", LIBRARY_BELOW(asinh, odd_log), "inverse of sinh", 4, [](const auto& q) { return mp::asinh(q); },
          {.exact_at = {0}}, odd_log),
      curve(
          "acosh", LIBRARY_BELOW(acosh, twice_log), "inverse of cosh, 0 or more", 4,
          [](const auto& q) { return mp::acosh(q); }, {.exact_at = {1}, .least = 1}, twice_log),
      curve("atanh", LIBRARY(atanh), "inverse of tanh", 5, [](const auto& q) { return mp::atanh(q); },
            {.exact_at = {-1, 0, 1}, .least = -1, .most = 1}),
  };
  return rows;
}

}  // namespace

std::vector<const FloatFunction*> float_curves() {
  std::vector<const FloatFunction*> all;
  for (const Curve& c : curves()) all.push_back(&c);
  return all;
}

}  // namespace lockstep
