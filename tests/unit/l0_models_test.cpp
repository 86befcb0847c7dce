// The models of examples/l0: what is fused in them, and what they give beside closed formulas (Black, Scholes, 1973;
// of the geometric mean of prices, Kemna, Vorst, 1990).
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/unit/l0_program.h"
#include "translate/l0/pipeline.h"

namespace l0_models_test {
using namespace lockstep;

namespace {

l0::Program example(const std::string& name) { return test::l0_program(test::l0_example(name)); }
std::string counted(const std::string& name, l0::FusionMode mode) {
  std::string out;
  for (const auto& [rule, n] : fusion::counts(l0::fusions_of({example(name), name}, mode)))
    out += rule + " " + std::to_string(n) + "; ";
  return out;
}

// After the last stage: the reals that it gives.
std::vector<double> reals(const std::string& name, const l0::Values& arguments) {
  const l0::Program p = example(name);
  const l0::Entry last = l0::trace_of({p, name}).last().as<l0::Entry>();
  const auto leaves = l0::language()->meaning(AnyProgram(l0::language(), last), arguments, {});
  REQUIRE(leaves);
  std::vector<double> out;
  for (const l0::Value& v : *leaves) {
    const auto* a = std::get_if<l0::Array>(&v.node);
    for (std::int64_t k = 0; a && k < a->shape.count(); ++k) out.push_back((*a)[static_cast<std::size_t>(k)].ieee());
    if (!a) {
      const Scalar& s = l0::as_scalar(v);
      out.push_back(s.type == ScalarType::I64 ? static_cast<double>(s.integer()) : s.ieee());
    }
  }
  return out;
}
l0::Value real(double x) { return {make_ieee(ScalarType::F64, x)}; }
template <class Make, class T>
l0::Value array(std::vector<std::int64_t> lengths, const std::vector<T>& all, ScalarType type, const Make& make) {
  l0::Array a = l0::array_of_scalars(type, l0::Shape(std::move(lengths)));
  for (std::size_t k = 0; k < all.size(); ++k) l0::set(a, k, make(all[k]));
  return {std::move(a)};
}
l0::Value reals_of(const std::vector<double>& all) {
  return array({static_cast<std::int64_t>(all.size())}, all, ScalarType::F64,
               [](double x) { return make_ieee(ScalarType::F64, x); });
}
l0::Value ints_of(std::vector<std::int64_t> lengths, const std::vector<std::int64_t>& all) {
  return array(std::move(lengths), all, ScalarType::I64,
               [](std::int64_t x) { return make_integer(ScalarType::I64, static_cast<std::uint64_t>(x)); });
}

double below(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
// Of a call, on a forward price, not discounted.
double black(double forward, double strike, double deviation) {
  const double d = std::log(forward / strike) / deviation;
  return forward * below(d + deviation / 2) - strike * below(d - deviation / 2);
}

}  // namespace

TEST_CASE("what is fused in the models is what it was") {
  for (const l0::FusionMode mode : {l0::FusionMode::Paper, l0::FusionMode::Full}) {
    CHECK(counted("pricing", mode) == "map∘map 1; redomap∘filter 1; reduce∘map 3; ");
    CHECK(counted("calibration", mode) == "redomap∘map 6; reduce∘map 3; ");
    CHECK(counted("volatility", mode) == "map∘map 1; ");
  }
}

TEST_CASE("calls under a volatility that stays cost what the closed formula says, but for the grid") {
  const std::vector<double> strikes{0.8, 0.9, 1.0, 1.1, 1.25};
  const std::vector<double> found = reals("volatility", {l0::int_value(401), l0::int_value(60), real(0.2), real(0),
                                                         real(0.05), real(1), reals_of(strikes)});
  REQUIRE(found.size() == strikes.size());
  for (std::size_t k = 0; k < strikes.size(); ++k) {
    const double exact = std::exp(-0.05) * black(std::exp(0.05), strikes[k], 0.2);
    CHECK(std::fabs(found[k] - exact) < 3e-4);
  }
  // a skew changes them, the other way on either side
  const std::vector<double> skewed = reals("volatility", {l0::int_value(401), l0::int_value(60), real(0.2), real(0.1),
                                                          real(0.05), real(1), reals_of(strikes)});
  CHECK(skewed.front() < found.front() - 3e-4);
  CHECK(skewed.back() > found.back() + 3e-4);
}

TEST_CASE("quotes of a smile are fitted by the smile that they were made of") {
  const std::vector<double> strikes{0.7, 0.85, 1.0, 1.2, 1.4};
  const std::vector<std::vector<double>> smiles{{0.2, 0.0, 0.0}, {0.25, -0.1, 0.2}, {0.22, -0.05, 0.1}};
  for (std::size_t truth = 0; truth < smiles.size(); ++truth) {
    std::vector<double> quotes;
    for (const double strike : strikes) {
      const double x = std::log(strike);
      quotes.push_back(black(1, strike, smiles[truth][0] + smiles[truth][1] * x + smiles[truth][2] * x * x));
    }
    l0::Values arguments{l0::int_value(4000), l0::int_value(12), reals_of(strikes), reals_of(quotes)};
    for (std::size_t part = 0; part < 3; ++part)
      arguments.push_back(reals_of({smiles[0][part], smiles[1][part], smiles[2][part]}));
    const std::vector<double> best = reals("calibration", arguments);
    CHECK(best[0] == static_cast<double>(truth));
    CHECK(best[1] < 1e-8);
  }
}

TEST_CASE("an average's call lies between those of the geometric mean and of the last price") {
  const double spot = 100, strike = 100, rate = 0.05, volatility = 0.2;
  const auto price = [&](double sigma) {
    return reals("pricing", {l0::int_value(1023), l0::int_value(30), ints_of({3}, {1, 2, 3}), ints_of({3}, {0, 1, 1}),
                             ints_of({3, 3}, {1, 0, 0, 1, 3, 0, 1, 3, 1}), real(spot), real(strike), real(rate),
                             real(sigma), real(1)})[0];
  };
  // without risk the mean of what is known
  double mean = 0;
  for (int k = 1; k <= 4; ++k) mean += spot * std::exp(rate * k / 4) / 4;
  CHECK(std::fabs(price(1e-12) - std::exp(-rate) * (mean - strike)) < 1e-6);
  const double n = 4, variance = volatility * volatility * (n + 1) * (2 * n + 1) / (6 * n * n);
  const double drift = (rate - volatility * volatility / 2) * (n + 1) / (2 * n);
  const double geometric = std::exp(-rate) * black(spot * std::exp(drift + variance / 2), strike, std::sqrt(variance));
  const double found = price(volatility);
  CHECK(found > geometric);
  CHECK(found < geometric * 1.08);
  CHECK(found < std::exp(-rate) * black(spot * std::exp(rate), strike, volatility));
}

}  // namespace l0_models_test
