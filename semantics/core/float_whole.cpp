// floor ceil round trunc (float_function.h).
#include "semantics/core/float_rows.h"

namespace lockstep {

using namespace bounded_reals;

namespace {

// All of what lies between the ends becomes one whole number, or it is undecided.
Bounded to_whole(const Bounded& b, Quad (*f)(const Quad&), ScalarType t) {
  if (is_exact_zero(b, t)) return zero(b.sign);
  const Interval x = interval(b, t);
  if (f(x.below) != f(x.above)) undecided("a rounding to a whole number");
  if (f(x.at) == 0) return zero(x.above < 0 ? -1 : x.below > 0 ? 1 : 0);  // of -0.5 to -0
  return input(f(x.at).convert_to<double>());
}

exact_reals::Number exact_round(const FloatFunction&, Exacts x) {
  const exact_reals::Number half = exact_reals::from_double(0.5);
  return sign_of(x[0]) < 0 ? negate(floor_of(exact_reals::add(negate(x[0]), half)))
                           : floor_of(exact_reals::add(x[0], half));
}
Quad quad_round(const Quad& q) { return q < 0 ? Quad(-mp::floor(0.5 - q)) : Quad(mp::floor(q + 0.5)); }

}  // namespace

namespace floats {

const FloatFunction floor{
    .name = "floor",
    .summary = "greatest whole number not above",
    .instruction = true,
    .ieee = on_floats([](auto x, auto, auto) { return std::floor(x); }),
    .exact = [](const FloatFunction&, Exacts x) { return floor_of(x[0]); },
    .bounded =
        [](const FloatFunction&, Boundeds x, ScalarType t) {
          return to_whole(
              x[0], [](const Quad& q) -> Quad { return mp::floor(q); }, t);
        },
};
const FloatFunction ceil{
    .name = "ceil",
    .summary = "least whole number not below",
    .instruction = true,
    .ieee = on_floats([](auto x, auto, auto) { return std::ceil(x); }),
    .exact = [](const FloatFunction&, Exacts x) { return exact_reals::negate(floor_of(exact_reals::negate(x[0]))); },
    .bounded =
        [](const FloatFunction&, Boundeds x, ScalarType t) {
          return to_whole(
              x[0], [](const Quad& q) -> Quad { return mp::ceil(q); }, t);
        },
};

}  // namespace floats

namespace {

const FloatFunction round{
    .name = "round",
    .summary = "nearest whole number, half away from zero",
    .ieee = on_floats([](auto x, auto, auto) { return std::round(x); }),
    .exact = exact_round,
    .bounded = [](const FloatFunction&, Boundeds x, ScalarType t) { return to_whole(x[0], quad_round, t); },
};
const FloatFunction trunc{
    .name = "trunc",
    .summary = "the whole part, toward zero",
    .instruction = true,
    .ieee = on_floats([](auto x, auto, auto) { return std::trunc(x); }),
    .exact = [](const FloatFunction&, Exacts x) { return truncated(x[0]); },
    .bounded =
        [](const FloatFunction&, Boundeds x, ScalarType t) {
          return to_whole(
              x[0], [](const Quad& q) -> Quad { return mp::trunc(q); }, t);
        },
};

}  // namespace

std::vector<const FloatFunction*> float_whole() { return {&floats::floor, &floats::ceil, &round, &trunc}; }

}  // namespace lockstep
