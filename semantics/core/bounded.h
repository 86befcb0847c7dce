// Private to the bounded domain and to the rows of functions: exact numbers with a bound on what rounding can do to
// them, in whatever order the sums and products that made them are evaluated. v: the exact value, c: what some
// evaluation computes, u: half the gap at 1.
//
// Invariant. c = h + e, where h is v's expression with at most k factors (1 + d), |d| <= u, on the way of each input,
// and |e| is an absolute error. So |h - v| <= γ_k M with M the majorant and γ_k = k u / (1 - k u), and |c - v| <= γ_k M
// + |e|.
//
// Why it holds for every order. A sum of n terms, however it is associated, has n - 1 additions, so no term meets more
// than n - 1 roundings: `additions` counts them, whichever side they stand on, and `roundings` is the largest count
// inside a term; k is their sum. (A left fold would do with a maximum; a tree made from it by association might be as
// deep as n - 1 for another term.) A product of n factors has n - 1 roundings on every term in every order, and k
// counts just these. An absolute error of a term is amplified by at most (1 + u)^additions. Contraction into fma only
// leaves roundings out. What is neither a sum nor a product ends a chain (`leaf`).
//
// Exactness. v and c are multiples of 2^grid; where M <= 2^(grid + digits) every partial sum and product in any order
// is representable, nothing was rounded, and the bound is 0. This is what decides comparisons of small whole numbers.
//
// Zeros. An exact zero has the sign that every order gives it: a sum that cancels is +0, one of negative zeros only -0,
// a product has its factors' signs. Where that is not known, because a factor's sign is not, either is within the
// bound, and what depends on it, a quotient by it, is undecided.
//
// Products can also overflow or underflow in one order and not in another: low and high enclose all partial products.
#pragma once
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <limits>

#include "semantics/core/float_function.h"
#include "semantics/core/real.h"

namespace lockstep::bounded_reals {

namespace mp = boost::multiprecision;
// 113 bits: its own roundings are a 2^-60th of a double's, which `unit` allows for.
using Quad = mp::number<mp::cpp_bin_float<113, mp::digit_base_2>, mp::et_off>;

constexpr int no_grid = std::numeric_limits<int>::min();

struct Bounded {
  Quad value = 0;
  double special = 0;   // an infinity or NaN instead of the value; 0 for a finite number
  double majorant = 0;  // M, rounded up as every bound here is
  double extra = 0;     // |e| before the additions
  std::int64_t additions = 0;
  std::int64_t roundings = 0;
  int sign = 1;              // of an exact zero, 0: not known
  int grid = no_grid;        // no_grid: v is not known to be a multiple of any power
  double low = 1, high = 1;  // partial products, and 1, lie between them in magnitude
};

// ---- bounds are rounded up
double add_up(double a, double b);
double times_up(double a, double b);
double magnitude_up(const Quad& q);
double gap_up(const Quad& a, const Quad& b);

// ---- the type's numbers
struct Format {
  int digits;
  int least_exponent;  // of the smallest subnormal
  double unit, subnormal, normal, max;
};
const Format& format(ScalarType t);
double nearest(const Quad& q, ScalarType t);

[[noreturn]] void undecided(const std::string& what);

// ---- what a number says
double error(const Bounded& b, ScalarType t);
bool is_exact_zero(const Bounded& b, ScalarType t);
int sign_of(const Bounded& b, ScalarType t);  // of a finite number, however it is computed; 0: not known
struct Interval {
  Quad below, at, above;
  bool point() const { return below == above; }
};
Interval interval(const Bounded& b, ScalarType t);  // undecided where nothing is known of its error

// ---- making them
Bounded special_number(double d);
Bounded zero(int sign);
Bounded input(double d);
// v with an absolute error and nothing known of how it came about.
Bounded enclosed(const Quad& value, double extra, ScalarType t);
// A function's value at v, its own error, and `spread`, what an error of the argument does to it.
Bounded result(const Quad& value, double spread, double ulps, ScalarType t);
// The same of a function of range [-range, range], whatever the error of the argument: the part that lies inside.
Bounded within_range(const Quad& value, double spread, double range, double ulps, ScalarType t);
// As a term of a sum or factor of a product that it is not itself part of.
Bounded leaf(Bounded b, ScalarType t);
Bounded checked(Bounded b, ScalarType t);  // undecided where it may overflow

// ---- of finite numbers
Bounded negate(Bounded b);
Bounded absolute(Bounded b);
Bounded add(const Bounded& a, const Bounded& b, ScalarType t);
Bounded multiply(const Bounded& a, const Bounded& b, ScalarType t);
Bounded fma(const Bounded& x, const Bounded& y, const Bounded& z, ScalarType t);
Bounded divide(const Bounded& left, const Bounded& right, ScalarType t);

}  // namespace lockstep::bounded_reals
