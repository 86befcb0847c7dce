// The number domains against each other and against independent arithmetic: __int128, the compiler's own floats,
// long double, and sums in several orders.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "semantics/core/float_function.h"

namespace number_test {
using namespace lockstep;

namespace {

using Floats = std::vector<float>;

Scalar apply(const Domain& d, const FloatFunction& f, ScalarType t, std::vector<Scalar> x) { return d.apply(f, t, x); }
const FloatFunction& named(std::string_view name) { return float_function_named(name); }
Scalar f32(const Domain& d, double value) { return d.from_ieee(ScalarType::F32, value); }
Scalar f64(const Domain& d, double value) { return d.from_ieee(ScalarType::F64, value); }

Floats random_floats(std::uint32_t seed, std::size_t n) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> between(-10, 10);
  Floats xs(n);
  for (float& x : xs) x = between(random);
  return xs;
}

float forward(const Floats& xs) {
  volatile float sum = 0;
  for (const float x : xs) sum = sum + x;
  return sum;
}
float pairwise(const Floats& xs, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return xs[begin];
  const std::size_t middle = begin + (end - begin) / 2;
  volatile float sum = pairwise(xs, begin, middle);
  sum = sum + pairwise(xs, middle, end);
  return sum;
}
Scalar fold(const Domain& d, const FloatFunction& f, const Floats& xs, double start) {
  Scalar total = f32(d, start);
  for (const float x : xs) total = apply(d, f, ScalarType::F32, {f32(d, x), total});
  return total;
}
// |computed - exact|, the exact sum in long double: 64 bits, of 24-bit numbers of one size.
bool inside(const Scalar& bounded, double computed, long double exact) {
  return std::fabs(static_cast<long double>(computed) - exact) <= bounded_domain().error_bound(bounded);
}

}  // namespace

TEST_CASE("make_integer wraps to the width of the type and extends by its sign", "[number]") {
  CHECK(make_integer(ScalarType::U8, 300).integer() == 44);
  CHECK(make_integer(ScalarType::I32, 0x80000000u).integer() == std::numeric_limits<std::int32_t>::min());
  CHECK(make_integer(ScalarType::U32, ~0ull).bits == 0xffffffffu);
  CHECK(make_integer(ScalarType::Bool, 256).bits == 1);
}

TEST_CASE("an f32 literal is rounded once, not by way of double", "[number]") {
  // Just above the middle of 1 and its successor: by way of double it would fall on the middle and go to even.
  const std::string digits = "1.00000005960464477540";
  CHECK(ieee_domain().literal(ScalarType::F32, digits).ieee() == 1 + 0x1p-23);
  CHECK(static_cast<float>(std::stod(digits)) == 1.0f);
  CHECK(exact_domain().to_ieee(exact_domain().literal(ScalarType::F32, digits)) == 1 + 0x1p-23);
}

TEST_CASE("IEEE f32 arithmetic is float arithmetic", "[number]") {
  const Floats xs = random_floats(1, 300);
  for (std::size_t i = 2; i < xs.size(); ++i) {
    const volatile float a = xs[i], b = xs[i - 1], c = xs[i - 2];
    const auto of = [&](const FloatFunction& op) {
      return apply(ieee_domain(), op, ScalarType::F32,
                   {f32(ieee_domain(), a), f32(ieee_domain(), b), f32(ieee_domain(), c)})
          .ieee();
    };
    CHECK(of(floats::add) == a + b);
    CHECK(of(floats::multiply) == a * b);
    CHECK(of(floats::divide) == a / b);
    CHECK(of(floats::abs) == fabsf(a));
    CHECK(of(floats::fma) == fmaf(a, b, c));
  }
}

TEST_CASE("min and max pass over a NaN and give the second of two equal numbers", "[number]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Domain* d : {&ieee_domain(), &exact_domain(), &bounded_domain()}) {
    CHECK(d->to_ieee(apply(*d, floats::min, ScalarType::F64, {f64(*d, nan), f64(*d, 3)})) == 3);
    CHECK(d->to_ieee(apply(*d, floats::min, ScalarType::F64, {f64(*d, 3), f64(*d, nan)})) == 3);
    CHECK(d->to_ieee(apply(*d, floats::max, ScalarType::F64, {f64(*d, 3), f64(*d, nan)})) == 3);
  }
  const Scalar zero =
      apply(ieee_domain(), floats::min, ScalarType::F64, {f64(ieee_domain(), 0.0), f64(ieee_domain(), -0.0)});
  CHECK(std::signbit(zero.ieee()));
}

TEST_CASE("truncation takes what truncates into range and nothing else", "[number]") {
  for (const Domain* d : {&ieee_domain(), &exact_domain(), &bounded_domain()}) {
    CHECK(d->truncate(ScalarType::U8, f64(*d, 255.9))->integer() == 255);
    CHECK(d->truncate(ScalarType::U8, f64(*d, -0.9))->integer() == 0);
    CHECK(d->truncate(ScalarType::I32, f64(*d, -7.5))->integer() == -7);
    CHECK(d->truncate(ScalarType::I64, f64(*d, -0x1p63))->integer() == std::numeric_limits<std::int64_t>::min());
    CHECK(d->truncate(ScalarType::U64, f64(*d, 0x1p64 - 2048))->bits == 0xfffffffffffff800ull);
    CHECK_FALSE(d->truncate(ScalarType::U8, f64(*d, 256)));
    CHECK_FALSE(d->truncate(ScalarType::U8, f64(*d, -1)));
    CHECK_FALSE(d->truncate(ScalarType::I64, f64(*d, 0x1p63)));
    CHECK_FALSE(d->truncate(ScalarType::I32, f64(*d, std::numeric_limits<double>::quiet_NaN())));
  }
}

TEST_CASE("exact arithmetic loses nothing where IEEE does", "[number]") {
  const Domain& d = exact_domain();
  const auto sum = apply(d, floats::add, ScalarType::F32, {f32(d, 0x1p100), f32(d, 1)});
  CHECK(d.to_ieee(apply(d, floats::subtract, ScalarType::F32, {sum, f32(d, 0x1p100)})) == 1);
  const auto third = apply(d, floats::divide, ScalarType::F64, {f64(d, 1), f64(d, 3)});
  CHECK(d.compare(Comparison::Equal, apply(d, floats::multiply, ScalarType::F64, {third, f64(d, 3)}), f64(d, 1)));
  CHECK(d.compare(Comparison::NotEqual, third, f64(d, 1.0 / 3)));
  CHECK(d.to_ieee(third) == 1.0 / 3);
  CHECK(d.to_ieee(apply(d, floats::floor, ScalarType::F64, {apply(d, floats::negate, ScalarType::F64, {third})})) ==
        -1);
  CHECK(d.compare(Comparison::Equal, apply(d, named("sqrt"), ScalarType::F64, {f64(d, 2.25)}), f64(d, 1.5)));
}

TEST_CASE("the nearest number of an exact result is the IEEE result of every operation that is rounded correctly",
          "[number]") {
  std::mt19937_64 random(7);
  const Domain& d = exact_domain();
  for (int i = 0; i < 2000; ++i) {
    const double a = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 1300) - 1100);
    const double b = -std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 200) - 100);
    const double c = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 300) - 200);
    for (const FloatFunction* f : float_functions()) {
      if (f->ulps > 0.5) continue;
      const auto in = [&](const Domain& domain) {
        return apply(domain, *f, ScalarType::F64, {f64(domain, a), f64(domain, b), f64(domain, c)});
      };
      const double ieee = in(ieee_domain()).ieee();
      INFO(f->name << " of " << a << ", " << b << ", " << c);
      if (std::isfinite(ieee)) CHECK(d.to_ieee(in(d)) == ieee);
    }
  }
}

TEST_CASE("an exact number in the middle of two goes to the even one, and a trace above it goes up", "[number]") {
  const Domain& d = exact_domain();
  const auto sum = [&](const Scalar& a, const Scalar& b) { return apply(d, floats::add, ScalarType::F64, {a, b}); };
  const Scalar middle = sum(f64(d, 1), f64(d, 0x1p-53));
  CHECK(d.to_ieee(middle) == 1);
  CHECK(d.to_ieee(sum(middle, f64(d, 0x1p-52))) == 1 + 0x1p-51);
  const Scalar trace = apply(d, floats::divide, ScalarType::F64, {f64(d, 0x1p-200), f64(d, 3)});
  CHECK(d.to_ieee(sum(middle, trace)) == 1 + 0x1p-52);
}

TEST_CASE("exact infinities and NaNs arise as in IEEE", "[number]") {
  const Domain& d = exact_domain();
  const auto of = [&](const FloatFunction& op, double a, double b) {
    return d.to_ieee(apply(d, op, ScalarType::F64, {f64(d, a), f64(d, b)}));
  };
  CHECK(of(floats::divide, -1, 0) == -HUGE_VAL);
  CHECK(std::isnan(of(floats::divide, 0, 0)));
  CHECK(std::isnan(of(named("sqrt"), -1, 0)));
  CHECK(of(named("log"), 0, 0) == -HUGE_VAL);
  CHECK(std::isnan(of(floats::subtract, HUGE_VAL, HUGE_VAL)));
  CHECK(d.to_ieee(d.literal(ScalarType::F32, "inf")) == HUGE_VAL);
}

TEST_CASE("an exponential has its exact value as far as exact numbers have room", "[number]") {
  const Domain& d = exact_domain();
  const auto there_and_back = [&](double x) {
    return d.to_ieee(apply(d, named("log"), ScalarType::F64, {apply(d, named("exp"), ScalarType::F64, {f64(d, x)})}));
  };
  for (const double x : {1e3, 5e8, -5e8}) CHECK(there_and_back(x) == x);
  CHECK(there_and_back(5e8 + 1) == HUGE_VAL);
  CHECK(there_and_back(-5e8 - 1) == -HUGE_VAL);
}

TEST_CASE("every function of floats is one function in all three domains, to the precision that it claims",
          "[number]") {
  std::mt19937_64 random(11);
  // Near 1, of all bits, and near where exponentials end.
  const auto drawn = [&](ScalarType t, int k) {
    for (;;) {
      const std::uint64_t bits = random();
      const double part = static_cast<double>(bits >> 11) * 0x1p-53;
      double x = std::ldexp(part, static_cast<int>(random() % 24) - 11);
      if (k % 3 == 1)
        x = t == ScalarType::F32 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
      if (k % 3 == 2) x = (t == ScalarType::F32 ? 80 : 700) + 12 * part;
      if (std::isfinite(x)) return make_ieee(t, random() % 2 ? x : -x).ieee();
    }
  };
  REQUIRE(float_functions().size() > 35);
  for (const FloatFunction* f : float_functions()) {
    std::size_t numbers = 0;
    for (const ScalarType t : {ScalarType::F32, ScalarType::F64}) {
      const double unit = t == ScalarType::F32 ? 0x1p-23 : 0x1p-52;
      for (int k = 0; k < 300; ++k) {
        const std::vector<double> x{drawn(t, k), drawn(t, k), drawn(t, k)};
        const auto in = [&](const Domain& d) {
          std::vector<Scalar> arguments;
          for (int n = 0; n < f->arity; ++n) arguments.push_back(d.from_ieee(t, x[static_cast<std::size_t>(n)]));
          return d.apply(*f, t, arguments);
        };
        INFO(f->name << " of " << x[0] << ", " << x[1] << ", " << x[2]);
        const double ieee = in(ieee_domain()).ieee(), exact = exact_domain().to_ieee(in(exact_domain()));
        Scalar b;
        try {
          b = in(bounded_domain());
        } catch (const UndecidedSignal&) {  // near overflow
          continue;
        }
        const double middle = bounded_domain().to_ieee(b), bound = bounded_domain().error_bound(b);
        if (std::isnan(ieee)) {
          CHECK((std::isnan(exact) && std::isnan(middle)));
          continue;
        }
        if (!std::isfinite(exact) || !std::isfinite(middle)) {
          CHECK((ieee == exact && ieee == middle));
          continue;
        }
        ++numbers;
        // What is printed of a number is rounded once.
        const double least = t == ScalarType::F32 ? 0x1p-149 : 0x1p-1074, rounding = std::fabs(ieee) * unit / 2 + least;
        CHECK(std::fabs(ieee - exact) <= f->ulps * (unit * std::fabs(exact) + least) + rounding);
        CHECK(std::fabs(ieee - middle) <= bound + rounding);
        CHECK(std::fabs(exact - middle) <= bound + 2 * rounding);
        // Where terms cancel it is wider than the result; of large angles nothing but the range is known.
        if (f->arity == 1 && std::fabs(x[0]) < 0x1p30)
          CHECK(bound <= 2 * (f->ulps + 0.5) * unit * std::fabs(exact) + 2 * f->ulps * least + 1e-20);
      }
    }
    INFO(f->name);
    CHECK(numbers > 50);
  }
}

TEST_CASE("the bound of a sum holds for it forward, backward, pairwise and sorted", "[number]") {
  double sharpest = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Floats xs = random_floats(seed, 500);
    const Scalar bounded = fold(bounded_domain(), floats::add, xs, 0);
    long double exact = 0;
    for (const float x : xs) exact += x;
    const auto check = [&](float computed) {
      CHECK(inside(bounded, computed, exact));
      sharpest =
          std::max(sharpest, static_cast<double>(std::fabs(computed - exact)) / bounded_domain().error_bound(bounded));
    };
    check(forward(xs));
    check(pairwise(xs, 0, xs.size()));
    std::reverse(xs.begin(), xs.end());
    check(forward(xs));
    std::sort(xs.begin(), xs.end());
    check(forward(xs));
    // A result just outside is rejected, and the bound is no wider than 500 roundings of the sum of the magnitudes.
    const double bound = bounded_domain().error_bound(bounded);
    CHECK_FALSE(inside(bounded, static_cast<double>(exact + 1.01L * bound), exact));
    CHECK(bound <= 1.001 * 500 * 0x1p-24 * 5000);
  }
  CHECK(sharpest > 1e-3);
}

TEST_CASE("the bound of a sum of equal terms is reached up to a small factor by the worst order", "[number]") {
  const Floats xs(4000, 0.1f);
  const Scalar bounded = fold(bounded_domain(), floats::add, xs, 0);
  CHECK(inside(bounded, forward(xs), 4000.0L * 0.1f));
  CHECK(std::fabs(forward(xs) - 4000.0L * 0.1f) > bounded_domain().error_bound(bounded) / 200);
}

TEST_CASE("the bound of random expressions holds for IEEE", "[number]") {
  std::mt19937 random(3);
  const auto number = [&] {
    return static_cast<float>(std::ldexp(1 + random() % 1000, -static_cast<int>(random() % 12)));
  };
  const auto& operations = float_functions();
  int decided = 0;
  for (int run = 0; run < 3000; ++run) {
    std::vector<std::array<Scalar, 3>> pool;  // IEEE, exact, bounded
    const Domain* domains[] = {&ieee_domain(), &exact_domain(), &bounded_domain()};
    for (int i = 0; i < 3; ++i) {
      const float x = number();
      pool.push_back({f32(ieee_domain(), x), f32(exact_domain(), x), f32(bounded_domain(), x)});
    }
    try {
      for (int step = 0; step < 6; ++step) {
        const FloatFunction& op = *operations[random() % operations.size()];
        const std::size_t at[] = {random() % pool.size(), random() % pool.size(), random() % pool.size()};
        std::array<Scalar, 3> next;
        for (std::size_t d = 0; d < 3; ++d) {
          next[d] = apply(*domains[d], op, ScalarType::F32, {pool[at[0]][d], pool[at[1]][d], pool[at[2]][d]});
        }
        pool.push_back(next);
        const double ieee = next[0].ieee();
        const double exact = exact_domain().to_ieee(next[1]);
        INFO(op.name << " of " << pool[at[0]][0].ieee() << ", " << pool[at[1]][0].ieee() << ", "
                     << pool[at[2]][0].ieee() << " is " << ieee << ", exactly " << exact);
        if (!std::isfinite(ieee) || !std::isfinite(exact)) {
          CHECK((ieee == exact || (std::isnan(ieee) && std::isnan(exact))));
          break;
        }
        // The bound is around a middle that need not be the exact result, as of a function whose range alone is known;
        // half a unit in the last place for its rounding to float, and for that of `exact`.
        const double middle = bounded_domain().to_ieee(next[2]), bound = bounded_domain().error_bound(next[2]);
        CHECK(std::fabs(ieee - middle) <= bound + std::fabs(middle) * 0x1p-24 + 0x1p-149);
        CHECK(std::fabs(exact - middle) <= bound + (std::fabs(middle) + std::fabs(exact)) * 0x1p-24 + 0x1p-148);
        ++decided;
      }
    } catch (const UndecidedSignal&) {
    }
  }
  CHECK(decided > 9000);
}

TEST_CASE("small whole numbers have bound 0, and their comparisons are decided", "[number]") {
  const Domain& d = bounded_domain();
  const Scalar sum = fold(d, floats::add, {1, 2, 3, -4, 5}, 0);
  CHECK(d.error_bound(sum) == 0);
  CHECK(d.compare(Comparison::Equal, sum, f32(d, 7)));
  CHECK(d.truncate(ScalarType::I32, apply(d, floats::multiply, ScalarType::F32, {sum, sum}))->integer() == 49);
  CHECK(d.error_bound(apply(d, floats::add, ScalarType::F32, {f32(d, 0x1p24), f32(d, 1)})) > 0);
  CHECK(d.error_bound(apply(d, floats::divide, ScalarType::F32, {f32(d, 7), f32(d, 2)})) == 0);
  CHECK(d.error_bound(apply(d, floats::divide, ScalarType::F32, {f32(d, 7), f32(d, 3)})) > 0);
}

TEST_CASE("what a bound straddles is undecided", "[number]") {
  const Domain& d = bounded_domain();
  const auto t = ScalarType::F32;
  const Scalar tenth = f32(d, 0.1f);
  const Scalar sum = apply(d, floats::add, t, {apply(d, floats::add, t, {tenth, tenth}), tenth});
  const Scalar near = d.from_ieee(t, d.to_ieee(sum));
  CHECK_THROWS_AS(d.compare(Comparison::Less, sum, near), UndecidedSignal);
  CHECK(d.compare(Comparison::Less, sum, f32(d, 0.31f)));
  const Scalar zero = apply(d, floats::subtract, t, {sum, near});
  CHECK_THROWS_AS(apply(d, floats::divide, t, {tenth, zero}), UndecidedSignal);
  CHECK_THROWS_AS(apply(d, named("log"), t, {zero}), UndecidedSignal);
  CHECK_THROWS_AS(apply(d, floats::floor, t, {zero}), UndecidedSignal);
  CHECK_THROWS_AS(d.truncate(ScalarType::I32, apply(d, floats::add, t, {zero, f32(d, 3)})), UndecidedSignal);
  CHECK_THROWS_AS(apply(d, floats::multiply, t, {f32(d, 1e30), f32(d, 1e30)}), UndecidedSignal);
}

TEST_CASE("a product that underflows in another order has that in its bound", "[number]") {
  const Domain& d = bounded_domain();
  const auto t = ScalarType::F32;
  const float small = 1e-30f, large = 1e30f;
  const Scalar inner = apply(d, floats::multiply, t, {f32(d, small), f32(d, large)});
  const Scalar product = apply(d, floats::multiply, t, {f32(d, small), inner});
  const volatile float other = small * small;  // 0
  CHECK(inside(product, other * large, static_cast<long double>(small) * small * large));
}

TEST_CASE("a conversion to f32 adds one rounding, one to f64 none", "[number]") {
  const Domain& d = bounded_domain();
  CHECK(d.error_bound(d.convert(ScalarType::F32, f64(d, 0.1))) >= std::fabs(0.1 - static_cast<double>(0.1f)));
  CHECK(d.error_bound(d.convert(ScalarType::F64, f32(d, 0.1f))) == 0);
  CHECK(d.error_bound(d.from_integer(ScalarType::F32, make_integer(ScalarType::I64, 16777217))) >= 1);
  CHECK(d.error_bound(d.from_integer(ScalarType::F32, make_integer(ScalarType::I64, 16777216))) == 0);
}

TEST_CASE("numbers print as the shortest literal that reads back", "[number]") {
  const auto text = [](ScalarType t, double v) { return show(make_ieee(t, v), ieee_domain()); };
  CHECK(text(ScalarType::F32, 0.1) == "0.1");
  CHECK(text(ScalarType::F64, 0.1f) == "0.10000000149011612");
  CHECK(text(ScalarType::F32, 6) == "6.0");
  CHECK(text(ScalarType::F64, 1e20) == "1e+20");
  CHECK(text(ScalarType::F64, -HUGE_VAL) == "-inf");
  CHECK(text(ScalarType::F64, -std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(show(make_integer(ScalarType::U64, ~0ull), ieee_domain()) == "18446744073709551615");
  CHECK(show(make_integer(ScalarType::I64, ~0ull), ieee_domain()) == "-1");
  CHECK(show(make_bool(true), ieee_domain()) == "true");
  for (const float x : random_floats(9, 500)) {
    CHECK(ieee_domain().literal(ScalarType::F32, text(ScalarType::F32, x)).ieee() == x);
  }
}

}  // namespace number_test
