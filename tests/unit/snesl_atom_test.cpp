// Atoms of SNESL against independent arithmetic: __int128, the definitions of §2 by other means, and the blocked orders
// written out a second time.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "semantics/snesl/atom.h"

namespace snesl_atom_test {
using namespace lockstep;
using namespace lockstep::snesl;

namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan_ = std::nan("");

Atom on(OperatorRef op, std::vector<Atom> x) { return apply(op, x, {}); }
std::int64_t ints(OperatorRef op, std::int64_t x, std::int64_t y) { return on(op, {int_atom(x), int_atom(y)}).integer; }
double reals(OperatorRef op, double x, double y) { return on(op, {real_atom(x), real_atom(y)}).ieee(); }
double real_of(OperatorRef op, double x) { return on(op, {real_atom(x)}).ieee(); }
std::string trap_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const TrapSignal& s) {
    return s.trap.primitive + ": " + s.trap.message;
  }
  return "no trap";
}

// Modulo 2^64, from the exact result.
std::int64_t wrapped(__int128 exact) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(exact)); }

const std::vector<std::int64_t>& interesting() {
  static const std::vector<std::int64_t> numbers{least, least + 1, -64, -7, -2,      -1,           0,       1, 2, 3,
                                                 7,     63,        64,  65, 1 << 20, greatest - 1, greatest};
  return numbers;
}

// `Reduction` as its header says it, by lanes and not by elements.
double reduced(const std::vector<double>& xs, Monoid r) {
  const auto op = [r](double x, double y) { return r == Monoid::Plus ? x + y : x * y; };
  std::vector<double> level;
  for (std::size_t lane = 0; lane < 8; ++lane) {
    double total = r == Monoid::Plus ? 0 : 1;
    for (std::size_t p = lane; p < xs.size(); p += 8) total = op(total, xs[p]);
    level.push_back(total);
  }
  while (level.size() > 1) {
    std::vector<double> half;
    for (std::size_t i = 0; i < level.size(); i += 2) half.push_back(op(level[i], level[i + 1]));
    level = half;
  }
  return level[0];
}

// `PrefixScan` as its header says it: y after round k at place i of block b, by recursion.
double scanned(const std::vector<double>& xs, std::size_t p, Monoid r) {
  const auto op = [r](double x, double y) { return r == Monoid::Plus ? x + y : x * y; };
  using Place = std::size_t;
  const std::function<double(Place, Place, Place)> y = [&](Place b, Place k, Place i) {
    if (k == 0) return xs[8 * b + i];
    const std::size_t before = k / 2;
    return i < k ? y(b, before, i) : op(y(b, before, i - k), y(b, before, i));
  };
  double carry = r == Monoid::Plus ? 0 : 1;
  for (std::size_t b = 0; b < p / 8; ++b) carry = op(carry, y(b, 4, 7));
  return p % 8 == 0 ? carry : op(carry, y(p / 8, 4, p % 8 - 1));
}

std::vector<double> random_reals(std::uint32_t seed, std::size_t n) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> between(-3, 3);
  std::vector<double> xs(n);
  for (double& x : xs) x = between(random) * std::exp2(static_cast<int>(random() % 40));
  return xs;
}

}  // namespace

TEST_CASE("integers wrap, divide toward zero, and shift modulo 64", "[snesl][atom]") {
  for (const std::int64_t x : interesting()) {
    for (const std::int64_t y : interesting()) {
      INFO(x << " and " << y);
      const __int128 a = x;
      const __int128 b = y;
      CHECK(ints(scalars::row<"+">(), x, y) == wrapped(a + b));
      CHECK(ints(scalars::row<"-">(), x, y) == wrapped(a - b));
      CHECK(ints(scalars::row<"*">(), x, y) == wrapped(a * b));
      if (y != 0) {
        CHECK(ints(scalars::row<"/">(), x, y) == wrapped(a / b));
        CHECK(ints(scalars::row<"%">(), x, y) == wrapped(a % b));
      }
      const int by = static_cast<int>(((b % 64) + 64) % 64);
      CHECK(ints(scalars::row<"<<">(), x, y) == wrapped(a * (static_cast<__int128>(1) << by)));
      const __int128 power = static_cast<__int128>(1) << by;
      CHECK(ints(scalars::row<">>">(), x, y) ==
            wrapped((a - ((a % power) + power) % power) / power));  // floor(a / 2^by)
      CHECK(ints(scalars::row<"maximum">(), x, y) == std::max(x, y));
      CHECK(ints(scalars::row<"minimum">(), x, y) == std::min(x, y));
    }
    CHECK(on(scalars::row<"neg">(), {int_atom(x)}).integer == wrapped(-static_cast<__int128>(x)));
    CHECK(on(scalars::row<"abs">(), {int_atom(x)}).integer == (x < 0 ? wrapped(-static_cast<__int128>(x)) : x));
  }
  CHECK(ints(scalars::row<"/">(), -7, 2) == -3);
  CHECK(ints(scalars::row<"%">(), -7, 2) == -1);
  CHECK(ints(scalars::row<"/">(), least, -1) == least);
  CHECK(ints(scalars::row<"%">(), least, -1) == 0);
}

TEST_CASE("integer division by zero traps with its values; of Reals it is IEEE's", "[snesl][atom]") {
  CHECK(trap_of([] { ints(scalars::row<"/">(), 7, 0); }) == "/: division by zero: 7 / 0");
  CHECK(trap_of([] { ints(scalars::row<"%">(), -7, 0); }) == "%: remainder by zero: -7 % 0");
  CHECK(reals(scalars::row<"/">(), 1, 0) == infinity);
  CHECK(std::isnan(reals(scalars::row<"/">(), 0, 0)));
  CHECK(std::isnan(reals(scalars::row<"%">(), 1, 0)));
  CHECK(reals(scalars::row<"%">(), -7.5, 2) == -1.5);
  CHECK(real_of(scalars::row<"log">(), 0) == -infinity);
  CHECK(std::isnan(real_of(scalars::row<"sqrt">(), -1)));
  CHECK(real_of(scalars::row<"floor">(), -1.5) == -2);
  CHECK(reals(scalars::row<"pow">(), 2, 10) == 1024);
}

TEST_CASE("conversions: a Real to Int toward zero, to Char modulo 256, and a trap where no Int is near",
          "[snesl][atom]") {
  const auto to = [](OperatorRef op, const Atom& a) { return on(op, {a}); };
  CHECK(to(scalars::row<"i64">(), real_atom(-1.9)) == int_atom(-1));
  CHECK(to(scalars::row<"i64">(), real_atom(-0x1p63)) == int_atom(least));
  CHECK(to(scalars::row<"i64">(), char_atom(200)) == int_atom(200));
  CHECK(to(scalars::row<"i64">(), bool_atom(true)) == int_atom(1));
  CHECK(to(scalars::row<"f64">(), int_atom(greatest)) == real_atom(0x1p63));
  CHECK(to(scalars::row<"f64">(), bool_atom(true)) == real_atom(1));
  CHECK(to(scalars::row<"u8">(), int_atom(-1)) == char_atom(255));
  CHECK(to(scalars::row<"u8">(), int_atom(353)) == char_atom('a'));
  CHECK(to(scalars::row<"u8">(), real_atom(-0.5)) == char_atom(0));
  CHECK(to(scalars::row<"u8">(), real_atom(255.9)) == char_atom(255));
  CHECK(trap_of([&] { to(scalars::row<"u8">(), real_atom(256)); }) == "char: the float 256.0 is out of range");
  CHECK(trap_of([&] { to(scalars::row<"u8">(), real_atom(-1)); }) == "char: the float -1.0 is out of range");
  CHECK(trap_of([&] { to(scalars::row<"i64">(), real_atom(0x1p63)); }) ==
        "int: the float 9223372036854775808.0 is out of range");
  CHECK(trap_of([&] { to(scalars::row<"i64">(), real_atom(nan_)); }) == "int: the float nan is out of range");
  CHECK(trap_of([&] { to(scalars::row<"u8">(), real_atom(-infinity)); }) == "char: the float -inf is out of range");
}

TEST_CASE("comparisons, Booleans and select", "[snesl][atom]") {
  CHECK(on(scalars::row<"<">(), {char_atom('a'), char_atom(200)}) == bool_atom(true));
  CHECK(on(scalars::row<"==">(), {real_atom(0.0), real_atom(-0.0)}) == bool_atom(true));
  CHECK(on(scalars::row<"==">(), {real_atom(nan_), real_atom(nan_)}) == bool_atom(false));
  CHECK(on(scalars::row<"!=">(), {real_atom(nan_), real_atom(nan_)}) == bool_atom(true));
  CHECK(on(scalars::row<"^">(), {bool_atom(true), bool_atom(true)}) == bool_atom(false));
  CHECK(on(&scalars::choice(), {bool_atom(false), real_atom(1), real_atom(2)}) == real_atom(2));
}

TEST_CASE("max and min are one rule, as operators and as monoids: NaN wins, and 0 is above -0", "[snesl][atom]") {
  const std::vector<double> numbers{-infinity, -1, -0.0, 0.0, 1, infinity, nan_};
  for (const double x : numbers) {
    for (const double y : numbers) {
      const bool first = x > y || (x == y && !std::signbit(x));
      const double high = std::isnan(x) || std::isnan(y) ? nan_ : first ? x : y;
      const double low = std::isnan(x) || std::isnan(y) ? nan_ : first ? y : x;
      CHECK(real_atom(reals(scalars::row<"maximum">(), x, y)) == real_atom(high));
      CHECK(combine(Monoid::Max, real_atom(x), real_atom(y)) == real_atom(high));
      CHECK(real_atom(reals(scalars::row<"minimum">(), x, y)) == real_atom(low));
      CHECK(combine(Monoid::Min, real_atom(x), real_atom(y)) == real_atom(low));
    }
    for (const Monoid r : {Monoid::Plus, Monoid::Times, Monoid::Max, Monoid::Min})
      if (x != 0) CHECK(combine(r, identity_of(r, Prim::Real), real_atom(x)) == real_atom(x));
  }
}

TEST_CASE("atoms print as they are read back", "[snesl][atom]") {
  CHECK(show(int_atom(least)) == "-9223372036854775808");
  CHECK(show(real_atom(1)) == "1.0");
  CHECK(show(real_atom(0.1)) == "0.1");
  CHECK(show(real_atom(-0.0)) == "-0.0");
  CHECK(show(real_atom(1e100)) == "1e+100");
  CHECK(show(real_atom(-nan_)) == "nan");
  CHECK(show(char_atom('\'')) == "'\\''");
  CHECK(show(char_atom('"')) == "'\"'");
  CHECK(show(char_atom(0)) == "'\\0'");
  CHECK(show(char_atom(0xfe)) == "'\\xfe'");
  CHECK(show(bool_atom(true)) == "true");
  CHECK_FALSE(real_atom(0.0) == real_atom(-0.0));
  CHECK(real_atom(nan_) == real_atom(-nan_));
  CHECK_FALSE(int_atom(1) == char_atom(1));
}

TEST_CASE("names of operators and monoids lead back to them", "[snesl][atom]") {
  CHECK(snesl::scalar_operators().size() > 40);
  for (const OperatorRef op : snesl::scalar_operators()) CHECK(operator_named(name_of(op)) == op);
  for (int i = 0; i <= static_cast<int>(Monoid::And); ++i)
    CHECK(monoid_named(name_of(static_cast<Monoid>(i))) == static_cast<Monoid>(i));
  CHECK_FALSE(operator_named("added"));
  CHECK_FALSE(monoid_named("add"));
}

TEST_CASE("an operator runs on exactly the operands that its result type admits, and traps only where it may",
          "[snesl][atom]") {
  const std::vector<Atom> zeros{bool_atom(false), int_atom(0), real_atom(nan_), char_atom(0)};
  for (const OperatorRef op : snesl::scalar_operators()) {
    if (op->chooses) continue;
    for (const Atom& x : zeros) {
      const std::vector<Atom> operands(static_cast<std::size_t>(static_cast<const int&>(op->arity)), x);
      const std::vector<Prim> types(operands.size(), x.type);
      const auto type = result_type(op, types);
      INFO(name_of(op) << " on " << show(x.type));
      if (!type) {
        CHECK_THROWS_AS(apply(op, operands, {}), Bug);
        continue;
      }
      bool trapped = false;
      try {
        const Prim found = apply(op, operands, {}).type;
        CHECK(found == *type);
      } catch (const TrapSignal&) {
        trapped = true;
      }
      CHECK(trapped == can_trap(op, x.type));
    }
  }
  const std::vector<Prim> mixed{Prim::Int, Prim::Real};
  CHECK_FALSE(result_type(scalars::row<"+">(), mixed));
  CHECK_THROWS_AS(on(scalars::row<"+">(), {int_atom(1), real_atom(1)}), Bug);
  CHECK_THROWS_AS(on(scalars::row<"neg">(), {int_atom(1), int_atom(1)}), Bug);
  CHECK_THROWS_AS(identity_of(Monoid::Or, Prim::Int), Bug);
  CHECK_THROWS_AS(identity_of(Monoid::Plus, Prim::Bool), Bug);
}

TEST_CASE("a Real reduction and scan are the documented orders, which a plain fold is not", "[snesl][atom]") {
  bool differs = false;
  for (std::uint32_t n = 0; n < 70; ++n) {
    for (const Monoid r : {Monoid::Plus, Monoid::Times}) {
      const auto xs = random_reals(n, n);
      Reduction reduction(r, Prim::Real);
      PrefixScan scan(r, Prim::Real);
      Atom fold = identity_of(r, Prim::Real);
      for (std::size_t p = 0; p < xs.size(); ++p) {
        CHECK(scan.value() == real_atom(scanned(xs, p, r)));
        reduction.add(real_atom(xs[p]));
        scan.add(real_atom(xs[p]));
        fold = combine(r, fold, real_atom(xs[p]));
      }
      CHECK(scan.value() == real_atom(scanned(xs, xs.size(), r)));
      CHECK(reduction.value() == real_atom(reduced(xs, r)));
      differs = differs || !(reduction.value() == fold);
    }
  }
  CHECK(differs);
}

TEST_CASE("reductions and scans of Int and Bool, and Max and Min of Reals, are the plain fold", "[snesl][atom]") {
  std::mt19937_64 random(7);
  const auto check = [&](Monoid r, Prim type, const std::function<Atom()>& next) {
    Reduction reduction(r, type);
    PrefixScan scan(r, type);
    Atom fold = identity_of(r, type);
    for (int i = 0; i < 50; ++i) {
      CHECK(reduction.value() == fold);
      CHECK(scan.value() == fold);
      const Atom a = next();
      reduction.add(a);
      scan.add(a);
      fold = combine(r, fold, a);
    }
  };
  for (const Monoid r : {Monoid::Plus, Monoid::Times, Monoid::Max, Monoid::Min})
    check(r, Prim::Int, [&] { return int_atom(static_cast<std::int64_t>(random()) | 1); });
  for (const Monoid r : {Monoid::Or, Monoid::And}) check(r, Prim::Bool, [&] { return bool_atom(random() % 16 == 0); });
  for (const Monoid r : {Monoid::Max, Monoid::Min})
    check(r, Prim::Real, [&] {
      return real_atom(random() % 40 == 0 ? nan_ : random() % 3 == 0 ? -0.0 : double(random() % 5));
    });
}

}  // namespace snesl_atom_test
