// The logarithm of every target.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "semantics/core/logarithm.h"

namespace logarithm_test {
using lockstep::natural_log;

namespace {
// How far y is from log x, in units in the last place of the true value (80 bits are enough to say).
double ulps(double x, double y) {
  const long double truth = std::log(static_cast<long double>(x));
  const auto nearest = static_cast<double>(truth);
  const double up = std::nextafter(std::fabs(nearest), std::numeric_limits<double>::infinity());
  return static_cast<double>(std::fabs(truth - y) / (up - std::fabs(nearest)));
}
std::vector<double> samples() {
  std::mt19937_64 random(7);
  std::vector<double> out{0.0,
                          -0.0,
                          1.0,
                          -1.0,
                          0.5,
                          2.0,
                          1e308,
                          1e-308,
                          5e-324,
                          0x1p-1022,
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(),
                          std::nan("")};
  for (int k = 0; k < 20000; ++k) {
    out.push_back(std::exp(std::uniform_real_distribution<double>(-700, 700)(random)));
    out.push_back(std::uniform_real_distribution<double>(0.5, 2)(random));
    out.push_back(static_cast<double>(1 + random() % 100000));
    out.push_back(1 + std::ldexp(1.0, -static_cast<int>(random() % 53)) * (random() % 2 ? 1 : -0.5));
    out.push_back(std::ldexp(static_cast<double>(1 + random() % 1000), -1074));
  }
  while (out.size() % 64) out.push_back(1);
  return out;
}
}  // namespace

TEST_CASE("the logarithm is less than one unit in the last place from the true one, and exact at 1 and at the ends") {
  double worst = 0;
  for (const double x : samples())
    if (x > 0 && std::isfinite(x) && x != 1) worst = std::max(worst, ulps(x, natural_log(x)));
  CHECK(worst < 1);
  CHECK(worst > 0.5);  // what is measured here is not nothing
  CHECK(natural_log(1) == 0);
  CHECK(natural_log(0) == -std::numeric_limits<double>::infinity());
  CHECK(natural_log(std::numeric_limits<double>::infinity()) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(natural_log(-1)));
  CHECK(std::isnan(natural_log(std::nan(""))));
  CHECK(ulps(2, std::nextafter(std::nextafter(natural_log(2), 9), 9)) > 1);  // the measure itself
}

}  // namespace logarithm_test
