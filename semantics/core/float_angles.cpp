// sin cos tan atan2 (float_function.h).
#include "semantics/core/float_rows.h"

namespace lockstep {

using namespace bounded_reals;

namespace {

using exact_reals::Wide;

// Of a function of one period. Beyond 1e60 too few of the 100 digits are left behind the point: the machine's result is
// nearer.
exact_reals::Number periodic(const FloatFunction& f, Exacts x, Wide (*on_wide)(const Wide&)) {
  const Wide w = to_wide(x[0]);
  static const Wide limit("1e60");
  if (mp::abs(w) > limit) return exact_reals::from_double(f.ieee.wide(nearest(x[0], ScalarType::F64), 0, 0));
  return exact_reals::from_wide(on_wide(w));
}

// Their derivative is at most 1. The reduction of the argument leaves 2^-80 at worst below the limit; beyond it only
// the range is known.
Bounded wave(const FloatFunction& f, const Bounded& b, ScalarType t, Quad (*on_quads)(const Quad&)) {
  if (mp::abs(b.value) > 0x1p30) return result(0, 1, f.ulps, t);
  return within_range(on_quads(b.value), add_up(error(b, t), 0x1p-75), 1, f.ulps, t);
}

const FloatFunction sine{
    .name = "sin",
    .summary = "sine, in radians",
    .ulps = 4,
    .ieee = LIBRARY(sin),
    .exact = [](const FloatFunction& f,
                Exacts x) { return periodic(f, x, [](const Wide& w) -> Wide { return mp::sin(w); }); },
    .bounded =
        [](const FloatFunction& f, Boundeds x, ScalarType t) {
          if (is_exact_zero(x[0], t)) return zero(x[0].sign);
          return wave(f, x[0], t, [](const Quad& q) -> Quad { return mp::sin(q); });
        },
};
const FloatFunction cosine{
    .name = "cos",
    .summary = "cosine, in radians",
    .ulps = 4,
    .ieee = LIBRARY(cos),
    .exact = [](const FloatFunction& f,
                Exacts x) { return periodic(f, x, [](const Wide& w) -> Wide { return mp::cos(w); }); },
    .bounded =
        [](const FloatFunction& f, Boundeds x, ScalarType t) {
          if (is_exact_zero(x[0], t)) return input(1);
          return wave(f, x[0], t, [](const Quad& q) -> Quad { return mp::cos(q); });
        },
};

// Monotone between its poles, pi apart.
Bounded bounded_tan(const FloatFunction& f, Boundeds arguments, ScalarType t) {
  if (is_exact_zero(arguments[0], t)) return zero(arguments[0].sign);
  const Interval x = interval(arguments[0], t);
  if (mp::abs(x.at) > 0x1p30) undecided("the tangent of a large number");
  static const Quad pi = mp::atan(Quad(1)) * 4;
  const auto branch = [](const Quad& q) { return Quad(mp::floor(q / pi + 0.5)); };
  if (branch(x.below) != branch(x.above)) undecided("a tangent near its pole");
  const Quad value = mp::tan(x.at);
  if (x.point()) return result(value, 0, f.ulps, t);
  return result(value, std::fmax(gap_up(mp::tan(x.below), value), gap_up(mp::tan(x.above), value)), f.ulps, t);
}
const FloatFunction tangent{
    .name = "tan",
    .summary = "tangent, in radians",
    .ulps = 5,
    .ieee = LIBRARY(tan),
    .exact = [](const FloatFunction& f,
                Exacts x) { return periodic(f, x, [](const Wide& w) -> Wide { return mp::tan(w); }); },
    .bounded = bounded_tan,
};

// An exact zero has no sign: atan2 of two zeros is 0, and of a zero and a negative number pi.
exact_reals::Number exact_atan2(const FloatFunction&, Exacts x) {
  if (sign_of(x[0]) == 0)
    return sign_of(x[1]) < 0 ? exact_reals::from_wide(mp::atan2(Wide(0), Wide(-1))) : exact_reals::from_double(0);
  return exact_reals::from_wide(mp::atan2(to_wide(x[0]), to_wide(x[1])));
}
// Monotone in each argument where the box holds neither the origin nor a part of the cut, the negative half of y = 0:
// then it deviates most at a corner.
Bounded bounded_atan2(const FloatFunction& f, Boundeds arguments, ScalarType t) {
  const Bounded &above = arguments[0], &right = arguments[1];
  const Interval y = interval(above, t), x = interval(right, t);
  if (is_exact_zero(above, t)) {
    const int side = x.below > 0 ? 1 : x.above < 0 ? -1 : is_exact_zero(right, t) ? right.sign : 0;
    if (above.sign == 0 || side == 0) undecided("the angle of what may be zero");
    if (side > 0) return zero(above.sign);
    return result(above.sign * mp::atan2(Quad(0), Quad(-1)), 0, f.ulps, t);
  }
  if (x.below <= 0 && y.below <= 0 && y.above >= 0) undecided("an angle near the cut of atan2");
  const Quad value = mp::atan2(y.at, x.at);
  double spread = 0;
  if (!x.point() || !y.point())
    for (const Quad& a : {y.below, y.above})
      for (const Quad& b : {x.below, x.above}) spread = std::fmax(spread, gap_up(Quad(mp::atan2(a, b)), value));
  return result(value, spread, f.ulps, t);
}
const FloatFunction angle{
    .name = "atan2",
    .summary = "the angle of the point with the second as x and the first as y",
    .arity = 2,
    .ulps = 6,
    .ieee = LIBRARY_OF_TWO(atan2),
    .exact = exact_atan2,
    .bounded = bounded_atan2,
};

}  // namespace

std::vector<const FloatFunction*> float_angles() { return {&sine, &cosine, &tangent, &angle}; }

}  // namespace lockstep
