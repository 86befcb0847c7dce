// What a machine allows and what a program does of it: which limit holds, what cannot be, the operations that are
// counted, and where the points are drawn.
#include <catch2/catch.hpp>

#include "driver/commands/beside.h"
#include "semantics/kernel/cost.h"
#include "tests/unit/kernel_program.h"

namespace roofline_test {
using namespace lockstep;
using namespace lockstep::driver;

namespace {

// 10 GB/s, 40 and 20 GFLOP/s; a megabyte of cache.
Beside program(double bytes, double seconds, Execution::FloatOperations operations) {
  return {{10e9, 40e9, 20e9, 0}, 1e6, bytes, seconds, operations};
}
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == '\n')
      out.emplace_back();
    else
      out.back().push_back(c);
  return out;
}

}  // namespace

TEST_CASE("memory bounds what has few operations a byte, arithmetic what has many") {
  const Beside sum = program(1e9, 0.2, {0.25e9, 0});  // a float is read, and added
  CHECK(sum.share_of_memory() == Approx(0.5));
  CHECK(sum.most() == Approx(2.5e9));
  CHECK(sum.share_of_most() == Approx(0.5));
  const Beside product = program(1e9, 10, {100e9, 0});
  CHECK(product.most() == Approx(40e9));
  CHECK(product.share_of_most() == Approx(0.25));
  CHECK(program(1e9, 10, {0, 100e9}).most() == Approx(20e9));
  CHECK(program(1e9, 10, {50e9, 50e9}).most() == Approx(100e9 / (50e9 / 40e9 + 50e9 / 20e9)));
  CHECK(product.roof().ridge() == Approx(4));
  CHECK(product.roof().at(2) == Approx(20e9));
}

TEST_CASE("of what lies in a cache memory bounds nothing") {
  const Beside small = program(1e5, 1e-6, {2.5e4, 0});  // 100 GB/s
  CHECK_FALSE(small.share_of_memory());
  CHECK(small.most() == Approx(40e9));
  CHECK(small.is_possible());
}

TEST_CASE("more than memory can is no measurement, of a program that touches its data") {
  CHECK(program(1e9, 0.1, {}).is_possible());
  CHECK(program(1e9, 1e9 / 10.29e9, {}).is_possible());
  Beside fast = program(1e9, 1e9 / 10.31e9, {});
  CHECK_FALSE(fast.is_possible());
  CHECK(fast.share_of_memory());
  fast.touches_all = false;
  CHECK(fast.is_possible());
  CHECK_FALSE(fast.share_of_memory());
  CHECK(program(1e5, 1, {50e9, 0}).is_possible());  // what is counted is a bound
  CHECK_FALSE(program(1e5, 1, {}).counted());
}

TEST_CASE("operations on floats are counted by their width, those of a product and its sum as two") {
  const auto counted = [](const std::string& body) {
    const kernel::FloatOperations n = kernel::float_operations(
        kernel::program_from("kernel k(n) input f32 x[n]; input f64 y[n]; output f32 r[n]; output f64 s[n]; " + body));
    return show(n.f32) + ", " + show(n.f64);
  };
  CHECK(counted("for (i < n) { store r[i] = x[i] *.f32 x[i] +.f32 1f32; }") == "2*n, 0");
  CHECK(counted("for (i < n) { store s[i] = fma.f64(y[i], y[i], y[i]); store r[i] = x[i] +.f32 x[i]; }") == "n, 2*n");
  CHECK(counted("for (i < n) { store r[i] = x[i]; }") == "0, 0");
}

TEST_CASE("a point is drawn at its rate, the roof above it") {
  const Beside sum = program(1e9, 0.2, {0.25e9, 0});
  const std::string text = roofline_text(sum.roof(), sum.of_byte(), {{"sum", 1.25e9}, {"other", 2.5e9}});
  const auto lines = lines_of(text);
  const auto row_with = [&](char c) {
    for (std::size_t k = 1; k < 16; ++k)
      if (lines.at(k).find(c, 10) != std::string::npos) return k;
    return std::size_t{0};
  };
  // 10^8 to 10^11 over fourteen rows: a factor of 1.64 each
  CHECK(row_with('-') == 1 + 2);  // 40
  CHECK(row_with('A') == 1 + 7);  // 2.5
  CHECK(row_with('o') == 1 + 9);  // 1.25
  CHECK(lines.at(row_with('A')).find('A') == lines.at(row_with('o')).find('o'));
  CHECK(text.find("o  sum: 1.25 of at most 2.5\nA  other: 2.5 of at most 2.5\n") != std::string::npos);
  const std::string picture = roofline_svg(sum.roof(), sum.of_byte(), {{"sum", 1.25e9}}, "sum at n < 3");
  CHECK(picture.find("sum at n &lt; 3") != std::string::npos);
  // 90 + 560 * (log2(0.25) + 4) / 8; 50 + 360 * (11 - log10(1.25e9)) / 3
  CHECK(picture.find("<circle cx=\"230.0\" cy=\"278.4\"") != std::string::npos);
  CHECK(picture.ends_with("</svg>\n"));
}

}  // namespace roofline_test
